"""Charts of cells: names of rows and columns, a colour and a number in each cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl

from killcurve.charts.export import narrow, room
from killcurve.charts.style import SMALLEST, muted, paper, sequential, upon
from killcurve.charts.words import cut, fitted, joined, widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import SubFigure

FloatGrid = npt.NDArray[np.float64]

LOWEST = 13.5
"""Points of a row of cells at least."""

HIGHEST = 60.0
ROTATED = 96.0
"""Points of a row of cells, and of column names that stand upright, at most."""


@dataclass(frozen=True, slots=True)
class Cells:
    """A grid to draw: ``shades`` from 0 to 1 (nan for an empty cell) and ``texts``, row by row."""

    rows: Sequence[str]
    columns: Sequence[str]
    shades: FloatGrid
    texts: Sequence[Sequence[str]]
    row_label: str = ""
    column_label: str = ""
    strong: frozenset[int] = frozenset()
    """Rows whose names are headings."""
    what: str = "rows"
    whole: bool = False
    """Whether all rows are drawn, without numbers if need be."""


def gathered(
    frame: pl.DataFrame, row: str, column: str, value: str
) -> tuple[list[str], list[str], FloatGrid]:
    """Names of rows and columns in the frame's order, and the values; nan where there is none."""
    rows = [str(name) for name in frame[row].unique(maintain_order=True)]
    columns = [str(name) for name in frame[column].unique(maintain_order=True)]
    at_row = {name: i for i, name in enumerate(rows)}
    at_column = {name: i for i, name in enumerate(columns)}
    grid = np.full((len(rows), len(columns)), np.nan)
    for one, other, cell in frame.select(row, column, value).iter_rows():
        if cell is not None:
            grid[at_row[str(one)], at_column[str(other)]] = cell
    return rows, columns, grid


def draw_cells(part: SubFigure, cells: Cells, colours: Colormap | None = None) -> None:
    """Draw as many rows and columns as have room, the first ones, and say how many are left out."""
    wide, high = room(part)
    colours = colours or sequential()
    each = max(widest([line for texts in cells.texts for text in texts
                       for line in text.split("\n")]) + 5, 15.0)  # fmt: skip
    least, most = (0.3, 0.5) if narrow(part) else (0.25, 0.34)
    names = max(least * wide, min(most * wide, wide - 20 - each * len(cells.columns)))
    names = min(names, widest(cells.rows, bold=bool(cells.strong)) + 8)
    count = max(1, min(len(cells.columns), int((wide - names - 20) / each)))
    across = (wide - names - 20) / count
    heads, upright, top = _heads(cells.columns[:count], across, min(ROTATED, 0.36 * high))
    below = 16.0 if cells.column_label or count < len(cells.columns) else 2.0
    free = high - top - below - 12
    lines = len(cells.rows) if cells.whole else _fitting(cells, int(free / LOWEST))
    note = _note(lines, len(cells.rows), count, len(cells.columns), cells.what)
    axes = part.subplots()
    shades = cells.shades[:lines, :count]
    axes.imshow(shades, cmap=colours, aspect="auto", vmin=0.0, vmax=1.0, interpolation="nearest")
    axes.set_xticks(range(count), heads, rotation=90 if upright else 0, linespacing=1.05)
    step = 1 if free / lines >= LOWEST - 1 else 2
    named = range(0, lines, step)
    axes.set_yticks(named, [cut(cells.rows[i], names, bold=i in cells.strong) for i in named])
    for i, label in zip(named, axes.get_yticklabels(), strict=True):
        label.set_fontweight("bold" if i in cells.strong else "normal")
    slots = max(float(lines), free / HIGHEST)
    axes.set_ylim(slots - 0.5, -0.5)
    _bare(axes, lines, count)
    axes.set_ylabel("" if narrow(part) else cut(cells.row_label, free))
    down = f"down: {cells.row_label}" if narrow(part) and cells.row_label else ""
    axes.set_xlabel(fitted(joined(note, cells.column_label, down), wide - 10), loc="right")
    if step == 1:
        _numbers(axes, cells, shades, colours)


def _fitting(cells: Cells, most: int) -> int:
    """How many rows are drawn; a heading is not the last."""
    lines = max(1, min(len(cells.rows), most))
    while lines > 1 and lines < len(cells.rows) and lines - 1 in cells.strong:
        lines -= 1
    return lines


def _heads(columns: Sequence[str], across: float, tallest: float) -> tuple[list[str], bool, float]:
    """The columns' names as they are written, whether upright, and their height in points."""
    flat = [fitted(name, across - 3, lines=4) for name in columns]
    upright = [fitted(name, tallest, lines=2 if across >= 26 else 1) for name in columns]
    if _lost(columns, flat) <= _lost(columns, upright):
        return flat, False, 12.5 * max((name.count("\n") for name in flat), default=0) + 16
    tall = widest([line for name in upright for line in name.split("\n")])
    return upright, True, tall + 6


def _lost(names: Sequence[str], shown: Sequence[str]) -> int:
    """How many letters are not shown."""
    kept = sum(len(name.replace("…", "")) for name in shown)
    return sum(map(len, names)) - kept


def _bare(axes: Axes, lines: int, count: int) -> None:
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("bottom")
    axes.tick_params(length=0, which="both")
    axes.grid(visible=False)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.vlines(np.arange(count + 1) - 0.5, -0.5, lines - 0.5, color=paper(), linewidth=1.6)
    axes.hlines(np.arange(lines + 1) - 0.5, -0.5, count - 0.5, color=paper(), linewidth=1.6)


def _numbers(axes: Axes, cells: Cells, shades: FloatGrid, colours: Colormap) -> None:
    from matplotlib.colors import to_hex

    for (row, column), shade in np.ndenumerate(shades):
        text = cells.texts[row][column]
        if text:
            empty = np.isnan(shade)
            ground = paper() if empty else to_hex(colours(float(shade)))
            axes.text(
                column, row, text, ha="center", va="center", size=SMALLEST,
                color=muted() if empty else upon(ground), linespacing=1.0,
            ).set_in_layout(False)  # fmt: skip


def _note(lines: int, rows: int, count: int, columns: int, what: str) -> str:
    parts = []
    if lines < rows:
        parts.append(f"{lines} of {rows} {what} shown")
    if count < columns:
        parts.append(f"{count} of {columns} columns shown")
    return " · ".join(parts)


def texts(grid: FloatGrid, told: Callable[[float], str], none: str = "") -> list[list[str]]:
    """The words of each cell."""
    return [[none if np.isnan(cell) else told(float(cell)) for cell in line] for line in grid]


def scaled(grid: FloatGrid, low: float, high: float) -> FloatGrid:
    """Values as shades from 0 to 1."""
    return np.clip((grid - low) / ((high - low) or 1.0), 0.0, 1.0)
