"""A report as a folder: the page, its PDF, charts and numbers; whole, or not at all."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl

import killcurve
from killcurve.charts.export import export, flat, rendered
from killcurve.charts.presets import page as page_size
from killcurve.report.document import Report
from killcurve.report.page import as_page, as_uri, slimmed
from killcurve.report.printing import NoPrinter, as_pdf
from killcurve.study.worth.collecting import collecting_seldom
from killcurve.tables.dataset import DataError

Progress = Callable[[str], None]

PAGE, PRINTED = "index.html", "report.pdf"
SIGN = b"Made with killcurve"
"""What every report's page says of itself: nothing else is ever replaced."""


def write(
    report: Report, out: Path, progress: Progress = lambda _: None, *, pdf: bool = True
) -> Path:
    """Write a report into a folder and return its page.

    The folder is made beside its place and moved there whole; an older report is replaced. What
    stands there and is no report stays. Without a part that prints there is no PDF, and
    ``progress`` is told so.

    Raises:
        DataError: if the folder cannot be written, or is no older report.
    """
    check_place(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    except OSError as error:
        raise DataError(f"{out} cannot be written: {error.strerror or error}") from None
    try:
        with collecting_seldom():
            _fill(report, fresh, progress, pdf=pdf)
        fresh.chmod(0o755)
        _move(fresh, out)
    except OSError as error:
        raise DataError(f"{out} cannot be written: {error.strerror or error}") from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return out / PAGE


def check_place(out: Path) -> None:
    """Whether a report may be written there; asked before its work, it saves that.

    Raises:
        DataError: if something stands there that is no report of killcurve.
    """
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    page = out / PAGE
    try:
        if page.is_file() and SIGN in page.read_bytes():
            return
    except OSError as error:
        raise DataError(f"{out} cannot be read: {error.strerror or error}") from None
    raise DataError(f"{out} is there and is no report: name another folder (--out)")


def _fill(report: Report, folder: Path, progress: Progress, *, pdf: bool) -> None:
    charts = folder / "charts"
    pictures, prints, narrow = {}, {}, {}
    for figure in report.figures:
        progress(f"chart {figure.stem}")
        export(figure.chart, charts, figure.stem, report.source)
        pictures[figure.stem] = slimmed((charts / f"{figure.stem}.svg").read_bytes())
        prints[figure.stem] = (charts / f"{figure.stem}.png").read_bytes()
        phone = page_size(figure.chart.height, narrow=True)
        narrow[figure.stem] = slimmed(rendered(figure.chart, report.source, "svg", phone))
    page = as_page(report, pictures, killcurve.__version__, narrow)
    (folder / PAGE).write_text(page, encoding="utf-8")
    _write_numbers(report, folder / "data")
    if pdf:
        progress("the PDF")
        try:
            (folder / PRINTED).write_bytes(as_pdf(_with_prints(page, pictures, prints)))
        except NoPrinter as error:
            progress(str(error))


def _with_prints(page: str, pictures: Mapping[str, bytes], prints: Mapping[str, bytes]) -> str:
    """The page with PNG for SVG: drawing thousands of paths anew takes minutes."""
    page = re.sub(r"<source[^>]*>", "", page)  # paper is wide enough
    for stem, picture in pictures.items():
        page = page.replace(as_uri(picture), as_uri(prints[stem]))
    return page


def _write_numbers(report: Report, folder: Path) -> None:
    folder.mkdir(parents=True)
    for name, frame in report.frames.items():
        frame.write_parquet(folder / f"{name}.parquet")
        flat(_plain(frame)).write_csv(folder / f"{name}.csv")


def _plain(frame: pl.DataFrame) -> pl.DataFrame:
    """Lists of numbers as lists of texts, so that a CSV can have them."""
    lists = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List)]
    return frame.with_columns(pl.col(name).cast(pl.List(pl.String)) for name in lists)


def _move(fresh: Path, out: Path) -> None:
    """Put a finished folder in place; what stood there goes only after that."""
    if not out.exists():
        fresh.rename(out)
        return
    old = fresh.with_name(f"{fresh.name}-old")
    out.rename(old)
    try:
        fresh.rename(out)
    except OSError:
        old.rename(out)
        raise
    shutil.rmtree(old, ignore_errors=True)
