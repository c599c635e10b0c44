"""Charts for articles: one step from a chart to all files that a publisher needs.

Beside the pictures lie ``.txt`` (what a person who does not see it should know), ``.csv`` (the
plotted numbers) and ``.json``, from which :func:`again` makes the same files to the byte.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date as day
from pathlib import Path
from typing import Any

import polars as pl

from killcurve.charts.export import METADATA, Chart, dated, flat, rendered_as
from killcurve.charts.presets import preset as preset_named
from killcurve.charts.style import house_style
from killcurve.charts.words import joined, readable
from killcurve.tables.about import About
from killcurve.tables.dataset import DataError
from killcurve.tables.storage import write_file

FORM = "killcurve chart"
"""The key by which a file tells what it is; its value is the form's number."""

FORMATS = tuple(METADATA)

COLUMNS: dict[str, pl.DataType] = {
    str(kind): kind
    for kind in (
        pl.String(), pl.Int64(), pl.Float64(), pl.Boolean(), pl.Date(), pl.List(pl.String())
    )
}  # fmt: skip
"""Kinds of columns that a frame of a chart has."""


@dataclass(frozen=True, slots=True)
class Footer:
    """What stands below a chart: from where its data is, of which day and edition, how complete.

    >>> Footer("wh40kdc 1.4.5", "2026-08-20", "11e", "97 % of rules computed").line
    'Data: wh40kdc 1.4.5 of 2026-08-20 · 11th edition · 97 % of rules computed'
    >>> Footer("wh40kdc", "").line
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: the chart has no date of its data, and does not leave \
without: give the day of the newest rules or games in it, as 2026-08-20 (--date, or \
Footer(date=…); a dataset has it as about.date)
    """

    source: str
    date: str
    edition: str = ""
    coverage: str = ""
    attribution: str = ""

    @classmethod
    def of(cls, about: About, coverage: str = "") -> Footer:
        """The footer of a dataset's charts."""
        source = f"{about.source} {about.version}".strip()
        return cls(source, about.date, about.edition, coverage, about.attribution)

    @property
    def line(self) -> str:
        """The footer in one line, date and edition first.

        Raises:
            DataError: if there is no source, or no day that the calendar has.
        """
        if not self.source.strip():
            raise DataError("the chart has no source of its data: name it (--source, or Footer)")
        if not self.date.strip():
            raise DataError(
                "the chart has no date of its data, and does not leave without: give the day of "
                "the newest rules or games in it, as 2026-08-20 (--date, or Footer(date=…); a "
                "dataset has it as about.date)"
            )
        try:
            day.fromisoformat(self.date.strip())
        except ValueError:
            raise DataError(f"{self.date!r} is no date: write it as 2026-08-20") from None
        edition = {"11e": "11th edition", "10e": "10th edition"}.get(self.edition, self.edition)
        source = self.source.strip().removeprefix("Data:").strip()
        told = f"Data: {source} of {self.date.strip()}"
        return joined(told, edition, self.coverage, self.attribution)


def publish(
    chart: Chart,
    out: Path | str,
    footer: Footer | str,
    *,
    preset: str = "web",
    style: str = "light",
    formats: Sequence[str] = FORMATS,
    title: str | None = None,
    subtitle: str | None = None,
    alt: str | None = None,
) -> list[Path]:
    """Write a chart's pictures, alt text, numbers and recipe beside each other; their paths.

    ``out`` is the folder and the name without ending. ``title``, ``subtitle`` and ``alt`` say
    it in other words. A chart that is of no kind has no recipe.

    Raises:
        DataError: for a footer without the day of the data, an unknown preset, style or format,
            or a place that cannot be written.
    """
    line = dated(readable(footer if isinstance(footer, str) else footer.line))
    words = {
        name: readable(text)
        for name, text in (("title", title), ("subtitle", subtitle), ("alt", alt))
        if text is not None
    }
    size = preset_named(preset)
    unknown = [form for form in formats if form not in FORMATS]
    if unknown or not formats:
        named = f"no format {unknown[0]!r}" if unknown else "no format asked for"
        raise DataError(f"there is {named}; formats are: {', '.join(FORMATS)}")
    with house_style(style):  # an unknown style is told of before anything is written
        told = dataclasses.replace(chart, **words)  # type: ignore[arg-type]
    drawn = rendered_as(told, line, formats, size, style)
    files = {f".{form}": picture for form, picture in drawn.items()}
    files[".txt"] = f"{readable(told.alt)}\n".encode()
    files[".csv"] = flat(told.data).write_csv().encode()
    if chart.made is not None:
        way = {"preset": preset, "style": style, "formats": list(formats), "footer": line}
        files[".json"] = _recipe(chart, way, words)
    return [_write(Path(out), ending, content) for ending, content in files.items()]


def _write(out: Path, ending: str, content: bytes) -> Path:
    path = out.with_name(out.name + ending)
    try:
        write_file(path, content)
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror or error}") from None
    return path


def _recipe(chart: Chart, way: Mapping[str, Any], words: Mapping[str, str]) -> bytes:
    """What makes the chart again, as JSON with a row of the frame a line."""
    assert chart.made is not None
    frame = chart.made.frame
    head = {
        FORM: 1,
        "kind": chart.made.kind,
        "settings": dict(chart.made.settings),
        **way,
        **words,
        "columns": {name: str(kind) for name, kind in frame.schema.items()},
    }
    text = json.dumps(head, ensure_ascii=False, indent=1)
    rows = [json.dumps(row, ensure_ascii=False, default=str) for row in frame.rows()]
    return readable(text[:-2] + ',\n "rows": [\n  ' + ",\n  ".join(rows) + "\n ]\n}\n").encode()


def again(path: Path | str, out: Path | str | None = None) -> list[Path]:
    """Make the files of a chart again from its ``.json``, to the byte; their paths.

    They replace those beside it, unless ``out`` names another place.

    Raises:
        DataError: if it is no such file.
    """
    from killcurve.charts.kinds import make

    path = Path(path)
    told = _read(path)
    try:
        schema = {name: COLUMNS[kind] for name, kind in told["columns"].items()}
        frame = _frame(told["rows"], schema)
        chart = make(told["kind"], frame, **told["settings"])
        words = {name: told[name] for name in ("title", "subtitle", "alt") if name in told}
        way = {name: told[name] for name in ("preset", "style", "formats")}
        footer = told["footer"]
    except (KeyError, TypeError, AttributeError, pl.exceptions.PolarsError) as error:
        raise DataError(f"{path} does not tell a whole chart ({error}): export it anew") from None
    return publish(chart, out or path.with_suffix(""), footer, **way, **words)


def _read(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise DataError(f"{path} is no JSON: {error}") from None
    if not isinstance(told, dict) or told.get(FORM) != 1:
        raise DataError(f'{path} is no chart: such a file begins with "{FORM}": 1')
    return told


def _frame(rows: list[list[Any]], schema: Mapping[str, pl.DataType]) -> pl.DataFrame:
    days = [name for name, kind in schema.items() if kind == pl.Date]
    first = {name: pl.String() if name in days else kind for name, kind in schema.items()}
    frame = pl.DataFrame(rows, schema=first, orient="row")
    return frame.with_columns(pl.col(name).str.to_date() for name in days)
