"""Heat maps: efficiency of weapon lines, any measure by two names, one thing against another."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl

from killcurve.charts.export import Chart
from killcurve.charts.grids import Cells, draw_cells, gathered, scaled, texts
from killcurve.charts.making import chart_kind
from killcurve.charts.style import diverging
from killcurve.charts.words import NONE, cleaned, joined, number, percent
from killcurve.tables.dataset import DataError

SAME = 0.005
"""A logarithm of a ratio so small is no difference."""

FURTHEST = math.log2(20)
"""The logarithm of a ratio from which on colours do not grow stronger."""


@chart_kind("efficiency", needs=("value",))
def efficiency_heatmap(
    frame: pl.DataFrame, conditions: str = "", *, value: str = "points_removed_per_100"
) -> Chart:
    """Points removed per 100 points of the attacker, from :func:`killcurve.study.efficiency`.

    Rows keep the frame's order of weapons under their units, columns that of targets.

    Raises:
        DataError: if the frame has no row with a known cost.
    """
    measured = frame.filter(pl.col(value).is_not_null())
    if measured.is_empty():
        raise DataError("none of these units and targets has a cost: nothing can be compared")
    best = measured.sort([value, "datasheet", "weapon", "target"],
                         descending=[True, False, False, False]).row(0, named=True)  # fmt: skip
    title = (
        f"Best trade: {best['datasheet']} with {best['weapon'].lower()}, "
        f"{best[value]:.0f} points of {best['target']} for each 100 of its own"
    )
    rows = _rows(measured)
    return Chart(
        draw=lambda part: draw_cells(part, _cells(cleaned(measured), value)),
        title=title,
        subtitle="Expected points of models slain by one attack, for each 100 points of the "
        f"attacking unit{f' · {conditions}' if conditions else ''}",
        alt=f"Heat map of {sum(bool(line) for _, line in rows)} weapons against "
        f"{measured['target'].n_unique()} targets. {title}.",
        data=measured,
        height=190 + 36 * len(rows),
    )


def _rows(frame: pl.DataFrame) -> list[tuple[str, str]]:
    """(unit, line) of each row; a unit's own row, with an empty line, heads its lines."""
    rows: dict[tuple[str, str], None] = {}
    for row in frame.rows(named=True):
        rows[row["datasheet"], ""] = None
        rows[row["datasheet"], _line(row)] = None
    return list(rows)


def _line(row: dict[str, Any]) -> str:
    return str(row["weapon"]) + (f" ×{row['count']}" if row["count"] > 1 else "")


def _cells(measured: pl.DataFrame, value: str) -> Cells:
    rows = _rows(measured)
    targets = measured["target"].unique(maintain_order=True).to_list()
    grid = np.full((len(rows), len(targets)), np.nan)
    for row in measured.rows(named=True):
        grid[rows.index((row["datasheet"], _line(row))), targets.index(row["target"])] = row[value]
    # The square root spreads the many small cells; the numbers carry the values.
    shades = np.sqrt(scaled(grid, 0.0, float(np.nanmax(grid)) or 1.0))
    return Cells(
        rows=[line or unit for unit, line in rows],
        columns=targets,
        shades=shades,
        texts=texts(grid, cell_number),
        strong=frozenset(i for i, (_, line) in enumerate(rows) if not line),
    )


def cell_number(value: float) -> str:
    """A cell's number, two digits at most.

    >>> cell_number(0.04), cell_number(0.44), cell_number(12.3)
    ('0', '0.4', '12')
    """
    if abs(value) < 0.05:
        return "0"
    return f"{value:.1f}" if abs(value) < 9.95 else f"{value:.0f}"


@chart_kind("heat-map", needs=("row", "column", "value"))
def heat_map(
    frame: pl.DataFrame,
    *,
    row: str = "attacker",
    column: str = "target",
    value: str = "points_removed_per_100",
    measure: str = "points removed for each 100 points",
    conditions: str = "",
    share: bool = False,
) -> Chart:
    """A measure by two names, absolute or per point as the column is; rows ranked by their mean.

    Columns keep the frame's order.

    ``share`` writes values as percentages without their sign.
    """
    ranked = (
        frame.filter(pl.col(value).is_not_null())
        .with_columns(pl.col(value).mean().over(row).alias("_mean"))
        .sort(["_mean", row], descending=[True, False], maintain_order=True)
        .drop("_mean")
    )
    if ranked.is_empty():
        raise DataError(f"no row has a value of {value!r}: nothing to draw")
    best = ranked.sort([value, row, column], descending=[True, False, False]).row(0, named=True)
    told = percent if share else number
    title = f"Most: {best[row]} against {best[column]}, {told(best[value])} {measure}"
    return Chart(
        draw=lambda part: draw_cells(part, _measured(cleaned(ranked), row, column, value, share)),
        title=title,
        subtitle=joined(measure[:1].upper() + measure[1:], "% in cells" if share else "",
                        "rows by their mean", conditions),
        alt=f"Heat map of {ranked[row].n_unique()} {row}s against {ranked[column].n_unique()} "
        f"{column}s. {title}.",
        data=ranked,
        height=210 + 32 * min(20, ranked[row].n_unique()),
    )  # fmt: skip


def _measured(frame: pl.DataFrame, row: str, column: str, value: str, share: bool) -> Cells:
    rows, columns, grid = gathered(frame, row, column, value)
    low, high = min(0.0, float(np.nanmin(grid))), float(np.nanmax(grid))
    words = texts(100 * grid if share else grid, cell_number)
    return Cells(rows, columns, np.sqrt(scaled(grid, low, high)), words)


@chart_kind("log-ratio", needs=("row", "column", "value"))
def log_ratio_map(
    frame: pl.DataFrame,
    one: str = "A",
    other: str = "B",
    *,
    row: str = "attacker",
    column: str = "target",
    value: str = "log_ratio",
    measure: str = "points removed for each 100 points",
    conditions: str = "",
) -> Chart:
    """One thing against another: the logarithm of their ratio, in two colours.

    Cells tell the ratio itself: ``×2`` where ``one`` does twice what ``other`` does, ``÷2``
    where it does half. ``value`` holds logarithms to base 2; what is none (no number) is a dash.
    Rows and columns keep the frame's order.
    """
    kept = frame.filter(pl.col(value).is_finite()).sort([row, column])
    if kept.is_empty():
        raise DataError(f"no row has a finite value of {value!r}: nothing to draw")
    ahead = kept.filter(pl.col(value) > SAME).height
    behind = kept.filter(pl.col(value) < -SAME).height
    far = kept.sort([pl.col(value).abs(), row, column], descending=[True, False, False])
    most = far.row(0, named=True)
    where = " / ".join(dict.fromkeys(str(most[name]) for name in (row, column)))
    return Chart(
        draw=lambda part: draw_cells(part, _ratios(cleaned(frame), row, column, value),
                                     diverging()),
        title=f"{one} is ahead of {other} in {ahead} of {kept.height} cases and behind in "
        f"{behind}; the largest difference is {ratio(most[value])} ({where})",
        subtitle=joined(f"{one} ÷ {other}: {measure}",
                        f"blue ×: {one} ahead, orange ÷: {other} ahead", conditions),
        alt=f"Heat map of {one} against {other}, ratios of {measure}: {one} ahead in {ahead} of "
        f"{kept.height} cells, {other} in {behind}. Largest: {where} {ratio(most[value])}.",
        data=frame,
        height=210 + 32 * min(20, frame[row].n_unique()),
    )  # fmt: skip


def ratio(logarithm: float) -> str:
    """A ratio from its logarithm to base 2; what is over 999 is told as that.

    >>> ratio(1.0), ratio(-math.log2(1.3)), ratio(0.01), ratio(math.log2(35))
    ('×2', '÷1.3', '≈', '×35')
    >>> ratio(30.0), ratio(-math.inf)
    ('×>999', '÷∞')
    """
    sign = "×" if logarithm > 0 else "÷"
    if math.isinf(logarithm):
        return f"{sign}∞"
    size = 2 ** min(abs(logarithm), 30.0)
    if size >= 999.5:
        return f"{sign}>999"
    told = f"{size:.1f}" if size < 9.95 else f"{size:.0f}"
    if told == "1.0":
        return "≈"
    return f"{sign}{told.removesuffix('.0')}"


def _ratios(frame: pl.DataFrame, row: str, column: str, value: str) -> Cells:
    rows, columns, grid = gathered(frame, row, column, value)
    reach = min(max(float(np.nanmax(np.abs(grid))), math.log2(1.5)), FURTHEST)
    return Cells(rows, columns, scaled(grid, -reach, reach), texts(grid, ratio, NONE))
