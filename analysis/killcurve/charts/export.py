"""The one finishing step of every chart: bands of title and footer, exact size, alt text, files."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import numpy as np
import polars as pl

from killcurve.charts.presets import Preset, page
from killcurve.charts.style import SMALLEST, house_style, muted
from killcurve.charts.words import balanced, fitted, readable
from killcurve.tables.dataset import DataError
from killcurve.tables.storage import write_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

    from killcurve.charts.making import Made

MARGIN = 16
"""Points left and right of the words."""

NARROW = 450
"""Points of width below which a chart is arranged for a phone: names above their bars."""

MOST_LINES = 3
"""Of the subtitle and the footer each, and of titles that have room beside; what is longer ends
with an ellipsis."""

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": "killcurve"},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
}
"""What would differ from run to run is left out of the files."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart that is not drawn yet: what it shows, and how to draw its body.

    ``title`` states the finding, ``subtitle`` the measure, its unit and conditions, ``alt``
    what a person who does not see the picture should know. ``data`` holds the plotted numbers.
    ``height`` is that in pixels on a page, where no preset says another. ``made`` is how a chart
    of a kind was made.
    """

    draw: Callable[[SubFigure], None]
    title: str
    subtitle: str
    alt: str
    data: pl.DataFrame
    height: int = 675
    made: Made | None = None


def finished(chart: Chart, footer: str, preset: Preset | None = None) -> Figure:
    """The figure of a chart with its bands; call it inside the house style.

    >>> blank = Chart(lambda part: None, "Nothing", "of anything", "An empty chart", pl.DataFrame())
    >>> with house_style():
    ...     finished(blank, "Data: none").get_size_inches().tolist()
    [12.0, 6.75]
    """
    from matplotlib.figure import Figure

    preset = preset or page(chart.height)
    figure = Figure(figsize=preset.inches, dpi=preset.dpi)
    figure.set_layout_engine("constrained", w_pad=MARGIN / 72, h_pad=0.03, wspace=0.0, hspace=0.0)
    to_points = 72 / preset.dpi
    above, below = preset.free_above * to_points, preset.free_below * to_points
    wide, high = preset.points_wide, preset.height * to_points
    size, room = (17.0 if wide >= 700 else 14.0), wide - 2 * MARGIN
    lines = MOST_LINES if wide >= NARROW else 4 if high < 1.4 * wide else 5
    title = balanced(chart.title, room, size, lines=lines, bold=True)
    subtitle = fitted(chart.subtitle, room, 11 if wide >= 700 else SMALLEST, lines=MOST_LINES)
    foot_words = fitted(footer, room, SMALLEST, lines=MOST_LINES)
    title_high = 1.22 * size * (title.count("\n") + 1) + 3
    top = above + 11 + title_high + 14 * (subtitle.count("\n") + 1) + 5
    bottom = below + 10 + 12.5 * (foot_words.count("\n") + 1)
    bands = (top, high - top - bottom, bottom)
    head, body, foot = figure.subfigures(3, 1, height_ratios=bands, squeeze=False)[:, 0]
    left = MARGIN / wide
    head.text(left, 1 - (above + 11) / top, title, size=size, weight="bold", va="top")
    place = 1 - (above + 11 + title_high) / top
    small = 11 if wide >= 700 else SMALLEST
    head.text(left, place, subtitle, size=small, color=muted(), va="top")
    foot.text(left, 1 - 3 / bottom, foot_words, size=SMALLEST, color=muted(), va="top")
    chart.draw(body)
    settle(figure)
    return figure


def settle(figure: Figure) -> None:
    """Place axes and parts for good, to a hundred-thousandth of their figure.

    The solver of places leaves last bits that differ from process to process; they would stand
    in files. What is settled has the same places in all formats.
    """
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    figure.set_layout_engine("none")
    for part in figure.subfigs:
        box = part.bbox_relative
        box.p0, box.p1 = np.round(box.p0, 5), np.round(box.p1, 5)
    for axes in figure.get_axes():
        axes.set_position(np.round(axes.get_position(original=True).bounds, 5))


def room(part: SubFigure) -> tuple[float, float]:
    """Width and height of a chart's body in points, without margins."""
    box = part.bbox
    dpi = part.figure.dpi
    return 72 * box.width / dpi - 2 * MARGIN, 72 * box.height / dpi - 5


def narrow(part: SubFigure) -> bool:
    """Whether the picture is so narrow that names stand above their bars."""
    return room(part)[0] < NARROW


def rendered(
    chart: Chart,
    footer: str,
    kind: str = "png",
    preset: Preset | None = None,
    style: str = "light",
) -> bytes:
    """The picture as bytes, the same for the same input; ``kind`` is png, svg or pdf.

    Without a preset it is 1200 pixels wide and as high as the chart wants.

    Raises:
        DataError: if there is no such kind of file, or style.
    """
    return rendered_as(chart, footer, (kind,), preset, style)[kind]


def rendered_as(
    chart: Chart,
    footer: str,
    kinds: Sequence[str],
    preset: Preset | None = None,
    style: str = "light",
) -> dict[str, bytes]:
    """The picture in several kinds of file: the bytes of :func:`rendered` by kind.

    It is drawn once for all but a PDF: arrows remember the resolution they were last drawn at.

    Raises:
        DataError: if there is no such kind of file, or style.
    """
    kinds = list(kinds)
    for kind in kinds:
        if kind not in METADATA:
            raise DataError(f"there is no format {kind!r}; formats are: {', '.join(METADATA)}")
    preset = preset or page(chart.height)
    title, alt = readable(chart.title), readable(chart.alt)
    with house_style(style):
        shared = None if kinds == ["pdf"] else finished(chart, footer, preset)
        pictures = {}
        for kind in kinds:
            figure = finished(chart, footer, preset) if kind == "pdf" or not shared else shared
            pictures[kind] = _printed(figure, kind, preset, title, alt)
    if "svg" in pictures:
        pictures["svg"] = _accessible(_renumbered(pictures["svg"]), title, alt, preset)
    return pictures


def _printed(figure: Figure, kind: str, preset: Preset, title: str, alt: str) -> bytes:
    """The figure as it stands. ``savefig`` would lay it out anew, which is done already."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    out = io.BytesIO()
    figure.set_dpi(preset.dpi)  # that of vector formats stays 72 after them
    told = {**METADATA[kind], "Title": title, "Subject" if kind == "pdf" else "Description": alt}
    if kind == "svg":
        FigureCanvasSVG(figure).print_svg(out, metadata=told)
    elif kind == "pdf":
        FigureCanvasPdf(figure).print_pdf(out, metadata=told)
    else:
        FigureCanvasAgg(figure).print_png(out, metadata=told)
    return out.getvalue()


def _renumbered(svg: bytes) -> bytes:
    """The SVG with ids in their order instead of hashes, which hold last bits of the layout.

    >>> _renumbered(b'<clipPath id="p0123456789"/><g clip-path="url(#p0123456789)"/>')
    b'<clipPath id="p1"/><g clip-path="url(#p1)"/>'
    """
    ids = dict.fromkeys(re.findall(rb'id="([a-z][0-9a-f]{10})"', svg))
    names = {old: b"%c%d" % (old[0], number) for number, old in enumerate(ids, start=1)}
    return re.sub(rb"\b[a-z][0-9a-f]{10}\b", lambda m: names.get(m[0], m[0]), svg)


def _accessible(svg: bytes, title: str, alt: str, preset: Preset) -> bytes:
    """The SVG as one picture with a title and a description, so many pixels large."""
    words = (
        f'<title id="chart-title">{escape(title)}</title>\n'
        f'<desc id="chart-description">{escape(alt)}</desc>\n'
    )

    def opened(tag: re.Match[bytes]) -> bytes:
        sized = re.sub(rb' width="[^"]*"', b' width="%d"' % preset.width, tag[0])
        sized = re.sub(rb' height="[^"]*"', b' height="%d"' % preset.height, sized)
        role = b' role="img" aria-labelledby="chart-title chart-description">\n'
        return sized.rstrip()[:-1] + role + words.encode()

    return re.sub(rb"<svg\b[^>]*>\s*", opened, svg, count=1)


def dated(footer: str) -> str:
    """The footer, if it tells the day of its data: no chart leaves without.

    >>> dated("Data: somewhere")
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: the footer 'Data: somewhere' has no date of the data, and \
a chart does not leave without: give the day of the newest rules or games in it, as 2026-08-20 \
(--date, or Footer(date=…); a dataset has it as about.date)

    Raises:
        DataError: if it does not.
    """
    if not DAY.search(footer):
        raise DataError(
            f"the footer {footer!r} has no date of the data, and a chart does not leave without: "
            "give the day of the newest rules or games in it, as 2026-08-20 "
            "(--date, or Footer(date=…); a dataset has it as about.date)"
        )
    return footer


def export(chart: Chart, folder: Path, stem: str, footer: str) -> None:
    """Write a page's ``stem.svg`` and ``.png``, the plotted numbers ``.csv``, and ``.txt`` (alt).

    Raises:
        DataError: if the footer has no date.
    """
    dated(footer)
    for kind, picture in rendered_as(chart, footer, ("svg", "png")).items():
        write_file(folder / f"{stem}.{kind}", picture)
    write_file(folder / f"{stem}.csv", flat(chart.data).write_csv().encode())
    write_file(folder / f"{stem}.txt", f"{readable(chart.alt)}\n".encode())


def flat(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with lists joined by ``; ``, as CSV needs it."""
    lists = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List)]
    return frame.with_columns(
        pl.col(name).cast(pl.List(pl.String)).list.join("; ") for name in lists
    )
