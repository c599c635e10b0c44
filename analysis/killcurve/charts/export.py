"""The one finishing step of every chart: bands of title and footer, exact size, alt text, files."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from killcurve.charts.style import MUTED, house_style
from killcurve.tables.storage import write_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

DPI = 100
WIDTH = 1200
"""Pixels of an article chart; the height is the chart's own."""

MARGIN, FOOTER = 24, 34
"""Pixels left and right of the words, and of the footer's band."""

METADATA: dict[str, dict[str, str | None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": "killcurve"},
}
"""What would differ from run to run is left out of the files."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart that is not drawn yet: what it shows, and how to draw its body.

    ``title`` states the finding, ``subtitle`` the measure, its unit and conditions, ``alt``
    what a person who does not see the picture should know. ``data`` holds the plotted numbers.
    """

    draw: Callable[[SubFigure], None]
    title: str
    subtitle: str
    alt: str
    data: pl.DataFrame
    height: int = 675


def finished(chart: Chart, footer: str, width: int = WIDTH) -> Figure:
    """The figure of a chart with its bands; call it inside the house style.

    >>> blank = Chart(lambda part: None, "Nothing", "of anything", "An empty chart", pl.DataFrame())
    >>> with house_style():
    ...     finished(blank, "Data: none").get_size_inches().tolist()
    [12.0, 6.75]
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width / DPI, chart.height / DPI), dpi=DPI)
    figure.set_layout_engine("constrained", w_pad=MARGIN / DPI, h_pad=0.04)
    title = _wrapped(figure, chart.title, width - 2 * MARGIN, size=17, weight="bold")
    subtitle = _wrapped(figure, chart.subtitle, width - 2 * MARGIN, size=12)
    title_height = 27 * (title.count("\n") + 1) + 4
    top = 18 + title_height + 20 * (subtitle.count("\n") + 1) + 8
    bands = (top, chart.height - top - FOOTER, FOOTER)
    head, body, foot = figure.subfigures(3, 1, height_ratios=bands, hspace=0.0)
    left = MARGIN / width
    head.text(left, 1 - 16 / top, title, size=17, weight="bold", va="top", linespacing=1.15)
    below = 1 - (16 + title_height) / top
    head.text(left, below, subtitle, size=12, color=MUTED, va="top", linespacing=1.2)
    foot.text(left, 0.4, footer, size=9.5, color=MUTED, va="center")
    chart.draw(body)
    return figure


def _wrapped(figure: Figure, text: str, pixels: float, **font: float | str) -> str:
    """The text with line breaks so that no line is wider than so many pixels."""
    probe = figure.text(0, 0, "", **font)
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        probe.set_text(longer)
        if lines and probe.get_window_extent().width <= pixels:
            lines[-1] = longer
        else:
            lines.append(word)
    probe.remove()
    return "\n".join(lines)


def rendered(chart: Chart, footer: str, kind: str = "png") -> bytes:
    """The picture as bytes, the same for the same input; ``kind`` is ``png`` or ``svg``."""
    with house_style():
        figure = finished(chart, footer)
        out = io.BytesIO()
        metadata = dict(METADATA[kind])
        metadata["Title"] = chart.title
        metadata["Description"] = chart.alt
        figure.savefig(out, format=kind, dpi=DPI, metadata=metadata)
    return _renumbered(out.getvalue()) if kind == "svg" else out.getvalue()


def _renumbered(svg: bytes) -> bytes:
    """The SVG with ids in their order instead of hashes, which hold last bits of the layout.

    >>> _renumbered(b'<clipPath id="p0123456789"/><g clip-path="url(#p0123456789)"/>')
    b'<clipPath id="p1"/><g clip-path="url(#p1)"/>'
    """
    ids = dict.fromkeys(re.findall(rb'id="([a-z][0-9a-f]{10})"', svg))
    names = {old: b"%c%d" % (old[0], number) for number, old in enumerate(ids, start=1)}
    return re.sub(rb"\b[a-z][0-9a-f]{10}\b", lambda m: names.get(m[0], m[0]), svg)


def export(chart: Chart, folder: Path, stem: str, footer: str) -> None:
    """Write ``stem.svg``, ``stem.png``, the plotted numbers ``stem.csv`` and ``stem.txt`` (alt)."""
    for kind in ("svg", "png"):
        write_file(folder / f"{stem}.{kind}", rendered(chart, footer, kind))
    write_file(folder / f"{stem}.csv", flat(chart.data).write_csv().encode())
    write_file(folder / f"{stem}.txt", f"{chart.alt}\n".encode())


def flat(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with lists joined by ``; ``, as CSV needs it."""
    lists = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List)]
    return frame.with_columns(pl.col(name).list.join("; ") for name in lists)
