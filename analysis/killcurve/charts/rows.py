"""Charts of rows: a name, a mark on a common axis, and a value.

They stand beside each other or, where it is narrow, name and value above the mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from killcurve.charts.export import narrow, room
from killcurve.charts.style import SMALLEST, faint, muted, paper
from killcurve.charts.words import cut, fitted, joined, widest, width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure
    from matplotlib.patheffects import AbstractPathEffect
    from matplotlib.transforms import Transform

BESIDE, ABOVE = 18.0, 29.0
"""Points of a row at least, with the name beside or above its mark."""

MOST = {False: 52.0, True: 72.0}
"""Points of a row at most."""

AXIS = 34.0
"""Points of the axis' numbers and words below the rows."""

THICKEST = 17.0
NAME = 11.0
"""Points of a bar's thickness at most, and of the letters of names."""

SHARE_OF_NAMES = 0.38


@dataclass(frozen=True, slots=True)
class Row:
    """What stands in a row beside its mark; ``detail`` is told where there is room."""

    name: str
    value: str = ""
    detail: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """The axes of rows: where each one's mark is, in the axes' data, and how thick."""

    axes: Axes
    marks: tuple[float, ...]
    thickness: float
    points: float
    """Of the axes' width, about."""


def how_many(part: SubFigure, total: int, *, above: bool = False, extra: float = 0.0) -> int:
    """How many of so many rows have room; ``extra`` points are taken by something else."""
    least = ABOVE if above or narrow(part) else BESIDE
    return max(1, min(total, int((room(part)[1] - AXIS - extra) / least)))


def left_out(shown: int, total: int, what: str = "rows") -> str:
    """What is said of rows that have no room."""
    return f"{shown} of {total} {what} shown" if shown < total else ""


def place(
    part: SubFigure,
    rows: Sequence[Row],
    label: str,
    note: str = "",
    *,
    above: bool = False,
    extra: float = 0.0,
) -> Placed:
    """Axes with the words of rows around them; rows must be no more than :func:`how_many`.

    ``label`` is that of the axis; ``note`` goes before it where both have no room.
    """
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    above = above or narrow(part)
    wide, high = room(part)
    axes = part.subplots()
    total = max(1, len(rows))
    each = min(MOST[above], (high - AXIS - extra) / total)
    slots = max(float(total), (high - AXIS - extra) / each)
    axes.set_ylim(slots - 0.5, -0.5)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="x", length=0)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda at, _: f"{at:,g}".replace("-", "−")))
    axes.grid(visible=True, axis="x")
    axes.grid(visible=False, axis="y")
    values = widest([row.value for row in rows], NAME, bold=True)
    if above:
        _words_above(axes, rows, wide - 16, each)
        marks = tuple(i + 0.5 - min(0.25, 10 / each) - 0.04 for i in range(total))
        thickness, points = min(0.34, THICKEST / each), wide
    else:
        names = _words_beside(axes, rows, wide, each)
        marks = tuple(float(i) for i in range(total))
        thickness, points = min(0.62, THICKEST / each), wide - names - values - 18
    both = joined(label, note)
    told = both if width(both) < wide - 20 else note or label
    axes.set_xlabel(fitted(told, wide - 20), loc="center" if above else "right")
    return Placed(axes, marks, thickness, points)


def _words_above(axes: Axes, rows: Sequence[Row], wide: float, each: float) -> None:
    across = axes.get_yaxis_transform()
    for i, row in enumerate(rows):
        line = i - 0.5 + 10 / each
        value = width(row.value, NAME, bold=True)
        name = cut(row.name, wide - value - 12, NAME, bold=row.strong)
        _said(axes, 0, line, name, across, row, ha="left")
        _said(axes, 1, line, row.value, across, Row("", strong=True), ha="right")
        start = width(name, NAME, bold=row.strong) + 8
        free = wide - start - value - 24
        if row.detail and free > 60:
            axes.annotate(
                cut(row.detail, free), (0, line), xycoords=across, xytext=(start, 0),
                textcoords="offset points", va="center", ha="left", color=muted(),
                path_effects=halo(), in_layout=False, size=SMALLEST,
            )  # fmt: skip


def _words_beside(axes: Axes, rows: Sequence[Row], wide: float, each: float) -> float:
    across = axes.get_yaxis_transform()
    most = SHARE_OF_NAMES * wide
    lines = 2 if each >= 28 else 1
    told = [fitted(row.name, most, NAME, lines=lines, bold=row.strong) for row in rows]
    for i, (row, name) in enumerate(zip(rows, told, strict=True)):
        _said(axes, 0, i, name, across, row, ha="right", step=-8)
        _said(axes, 1, i, row.value, across, Row("", strong=True), ha="left", step=8)
    return widest([line for name in told for line in name.split("\n")], NAME, bold=True) + 8


def _said(
    axes: Axes, x: float, y: float, text: str, across: Transform, row: Row, ha: str, step: int = 0
) -> None:
    """Words of a row; those within the axes do not count when their place is found."""
    if text:
        axes.annotate(
            text, (x, y), xycoords=across, xytext=(step, 0), textcoords="offset points",
            va="center", ha=ha, size=NAME, weight="bold" if row.strong else "normal",
            linespacing=1.05, path_effects=halo(), in_layout=step != 0,
        )  # fmt: skip


def halo() -> list[AbstractPathEffect]:
    """A rim of paper, so that words can be read upon lines."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=2.5, foreground=paper())]


def whisker(placed: Placed, i: int, low: float | None, high: float | None, colour: str) -> None:
    """A band from low to high through a row's mark, with a rim that shows it on bars."""
    if low is None or high is None:
        return
    y, end = placed.marks[i], placed.thickness * 0.28
    for line, shade in ((4.2, paper()), (1.6, colour)):
        placed.axes.plot(
            [low, high], [y, y], color=shade, linewidth=line, solid_capstyle="butt", zorder=3
        )
        placed.axes.vlines([low, high], y - end, y + end, color=shade, linewidth=line, zorder=3)


def zero(placed: Placed, at: float = 0.0, *, dashed: bool = False) -> None:
    """The line from which marks are read."""
    style = (0, (4, 3)) if dashed else "-"
    placed.axes.axvline(at, color=faint(), linewidth=1.2, linestyle=style, zorder=0.9)
