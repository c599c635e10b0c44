"""The match-up matrix: what each faction wins against each other one, with intervals."""

from __future__ import annotations

import numpy as np
import polars as pl

from killcurve.charts.export import Chart, narrow
from killcurve.charts.grids import Cells, draw_cells, gathered, scaled
from killcurve.charts.making import chart_kind
from killcurve.charts.style import diverging
from killcurve.charts.words import cleaned, joined, percent

REACH = 0.2
"""Distance from one half at which colours are full."""


@chart_kind("match-ups", needs=("row", "column", "value", "low", "high"), may=("enough",))
def matchup_matrix(
    frame: pl.DataFrame,
    *,
    row: str = "faction",
    column: str = "opponent_faction",
    value: str = "shrunk",
    low: str = "low",
    high: str = "high",
    enough: str = "enough",
    conditions: str = "",
) -> Chart:
    """Win rates of rows against columns, from :func:`killcurve.study.meta.matchups.matchups`.

    Below each rate stands its interval; cells of too few games have no colour. Where there is
    no room for intervals, rates whose interval holds one half stand in brackets.
    """
    kept = frame.filter(pl.col(value).is_finite()).sort([row, column])
    first = kept.group_by(row).agg(pl.col(value).mean().alias("_mean"))
    kept = kept.join(first, on=row).sort(["_mean", row, column], descending=[True, False, False])
    kept = kept.drop("_mean")
    sure = kept.filter(pl.col(low) > 0.5)
    best = (sure if sure.height else kept).sort(
        [value, row, column], descending=[True, False, False]
    ).row(0, named=True)  # fmt: skip
    interval = f"{percent(best[low])} to {percent(best[high])}"
    found = (
        f"Clearest edge: {best[row]} against {best[column]}, {percent(best[value])} ({interval})"
    )
    return Chart(
        draw=lambda part: draw_cells(
            part,
            _cells(cleaned(kept), (row, column, value, low, high), enough, wide=not narrow(part)),
            diverging(),
        ),
        title=found,
        subtitle=joined("Win rate in % of rows against columns, with 95 % intervals where there is "
                        "room; in brackets: one half is within it", conditions),
        alt=f"Matrix of win rates of {kept[row].n_unique()} {row}s against each other; "
        f"{sure.height} are above one half beyond doubt. {found}.",
        data=kept,
        height=210 + 46 * min(20, kept[row].n_unique()),
    )  # fmt: skip


def _cells(kept: pl.DataFrame, columns: tuple[str, ...], enough: str, *, wide: bool) -> Cells:
    row, column, value, low, high = columns
    rows, others, grid = gathered(kept, row, column, value)
    order = [name for name in rows if name in others] + [n for n in others if n not in rows]
    places = [others.index(name) for name in order]
    told: dict[tuple[str, str], str] = {}
    shades = scaled(grid[:, places], 0.5 - REACH, 0.5 + REACH)
    for line in kept.rows(named=True):
        at = (str(line[row]), str(line[column]))
        rate, ends = f"{100 * line[value]:.0f}", (line[low], line[high])
        known = None not in ends
        doubtful = known and ends[0] <= 0.5 <= ends[1]
        text = f"({rate})" if doubtful else rate
        if wide and known:
            text = f"{text}\n{100 * ends[0]:.0f}–{100 * ends[1]:.0f}"
        told[at] = text
        if enough and not line[enough]:
            shades[rows.index(at[0]), order.index(at[1])] = np.nan
    words = [[told.get((one, other), "") for other in order] for one in rows]
    return Cells(rows, order, shades, words)
