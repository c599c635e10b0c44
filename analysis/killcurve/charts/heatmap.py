"""Heat map of efficiency: weapon lines × targets, points removed for each 100 points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from killcurve.charts.export import Chart
from killcurve.charts.style import SEQUENTIAL

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure

FloatGrid = npt.NDArray[np.float64]


def efficiency_heatmap(frame: pl.DataFrame, conditions: str = "") -> Chart:
    """Points removed per 100 points of the attacker, from :func:`killcurve.study.efficiency`.

    Rows keep the frame's order of weapons, columns that of targets.

    Raises:
        ValueError: if the frame has no row with a known cost.
    """
    measured = frame.filter(pl.col("points_removed_per_100").is_not_null())
    if measured.is_empty():
        raise ValueError("none of these units and targets has a cost: nothing can be compared")
    rows = _rows(measured)
    targets = measured["target"].unique(maintain_order=True).to_list()
    best = measured.sort("points_removed_per_100", descending=True).row(0, named=True)
    value = best["points_removed_per_100"]
    grid = np.full((len(rows), len(targets)), np.nan)
    for row in measured.rows(named=True):
        cell = row["points_removed_per_100"]
        grid[rows.index((row["datasheet"], _line(row))), targets.index(row["target"])] = cell
    title = (
        f"{best['datasheet']} trades best with its {best['weapon'].lower()}: "
        f"{value:.0f} points of {best['target']} for each 100 of its own"
    )
    return Chart(
        draw=lambda part: _draw(part, grid, rows, targets),
        title=title,
        subtitle="Expected points of models slain by one attack, for each 100 points of the "
        f"attacking unit{f' · {conditions}' if conditions else ''}",
        alt=f"Heat map of {sum(bool(line) for _, line in rows)} weapons against "
        f"{len(targets)} targets. {title}.",
        data=measured,
        height=190 + 36 * len(rows),
    )


def _rows(frame: pl.DataFrame) -> list[tuple[str, str]]:
    """(unit, line) of each row; a unit's own row, with an empty line, heads its lines."""
    rows: list[tuple[str, str]] = []
    for row in frame.rows(named=True):
        for key in ((row["datasheet"], ""), (row["datasheet"], _line(row))):
            if key not in rows:
                rows.append(key)
    return rows


def _line(row: dict[str, Any]) -> str:
    return row["weapon"] + (f" ×{row['count']}" if row["count"] > 1 else "")


def _draw(
    part: SubFigure, grid: FloatGrid, rows: list[tuple[str, str]], targets: list[str]
) -> None:
    axes = part.subplots()
    top = float(np.nanmax(grid)) or 1.0
    # The square root spreads the many small cells; the numbers carry the values.
    axes.imshow(np.sqrt(grid), cmap=SEQUENTIAL, aspect="auto", vmin=0.0, vmax=1.05 * np.sqrt(top))
    axes.set_xticks(range(len(targets)), [_broken(t) for t in targets], fontsize=9)
    axes.set_yticks(range(len(rows)), [line or unit for unit, line in rows])
    for (_, line), label in zip(rows, axes.get_yticklabels(), strict=True):
        label.set_fontweight("normal" if line else "bold")
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.set_xticks(np.arange(len(targets) + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(len(rows) + 1) - 0.5, minor=True)
    axes.grid(which="minor", axis="both", color="white", linewidth=2)
    axes.tick_params(which="minor", length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    for (row, column), value in np.ndenumerate(grid):
        if not np.isnan(value):
            dark = np.sqrt(value / top) > 0.6
            colour = "#ffffff" if dark else "#1f1f1f" if value >= 0.05 else "#8a8a8a"
            axes.text(
                column, row, _cell(value), ha="center", va="center", fontsize=11, color=colour
            )


def _cell(value: float) -> str:
    """A cell's number, two digits at most: ``0``, ``0.4``, ``12``."""
    if value < 0.05:
        return "0"
    return f"{value:.1f}" if value < 9.95 else f"{value:.0f}"


def _broken(name: str) -> str:
    """A target's name over several lines, so that it fits a column."""
    lines: list[str] = []
    for word in name.split():
        if lines and len(lines[-1]) + len(word) < 10:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)
