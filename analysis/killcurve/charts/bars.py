"""Ranked bars: any measure with its band."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from killcurve.charts.export import Chart
from killcurve.charts.making import chart_kind
from killcurve.charts.rows import Row, how_many, left_out, place, whisker, zero
from killcurve.charts.style import colour, ink
from killcurve.charts.words import cleaned, joined, number, percent

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure

__all__ = ["as_percent", "ranked_bars"]

TOLD = 6
"""Rows that alt texts tell of."""


@chart_kind("ranked-bars", needs=("name", "value"), may=("low", "high", "detail"))
def ranked_bars(
    frame: pl.DataFrame,
    *,
    name: str = "datasheet",
    value: str = "points_removed_per_100",
    low: str = "low",
    high: str = "high",
    detail: str = "detail",
    measure: str = "points removed for each 100 points",
    conditions: str = "",
    band: str = "the middle 80 %",
    share: bool = False,
) -> Chart:
    """Bars from the largest down, with a band from ``low`` to ``high`` where there is one.

    One row a bar; ``share`` writes values as percentages.
    """
    ranked = frame.filter(pl.col(value).is_not_null()).sort(
        [value, name], descending=[True, False], nulls_last=True
    )
    told = percent if share else number
    first = [f"{row[name]} {told(row[value])}" for row in ranked.head(TOLD).rows(named=True)]
    banded = bool(low and high)
    return Chart(
        draw=lambda part: _draw_bars(part, cleaned(ranked), name, value, (low, high, detail),
                                     measure, share=share),
        title=_highest(ranked, name, value, share=share, measure=measure),
        subtitle=joined(measure[:1].upper() + measure[1:],
                        f"whiskers: {band}" if banded else "", conditions),
        alt=f"Bars of {ranked.height} {name}s by {measure}. Highest first: {'; '.join(first)}"
        f"{'; and so on' if ranked.height > TOLD else ''}.",
        data=ranked,
        height=190 + 32 * min(20, ranked.height),
    )  # fmt: skip


def _highest(ranked: pl.DataFrame, name: str, value: str, *, share: bool, measure: str) -> str:
    if ranked.is_empty():
        return f"Nothing has a value of {measure}"
    told = percent if share else number
    best = ranked.row(0, named=True)
    if ranked.height == 1:
        return f"{best[name]}: {told(best[value])} {measure}"
    then = ranked.row(1, named=True)
    return (
        f"{best[name]} leads with {told(best[value])} {measure}, "
        f"{then[name]} follows with {told(then[value])}"
    )


def _draw_bars(
    part: SubFigure,
    ranked: pl.DataFrame,
    name: str,
    value: str,
    more: tuple[str, str, str],
    measure: str,
    *,
    share: bool,
) -> None:
    told, (low, high, detail) = percent if share else number, more
    rows = ranked.head(how_many(part, ranked.height)).rows(named=True)
    words = [
        Row(row[name], told(row[value]), str(row[detail] or "") if detail else "") for row in rows
    ]
    placed = place(part, words, measure, left_out(len(rows), ranked.height))
    axes = placed.axes
    values = [row[value] for row in rows]
    axes.barh(placed.marks[: len(rows)], values, height=placed.thickness, color=colour(0))
    ends = [row[end] for row in rows for end in (low, high) if end and row[end] is not None]
    axes.set_xlim(min(0.0, *values, *ends, 0.0), 1.02 * max(*values, *ends, 1e-9))
    if low and high:
        for i, row in enumerate(rows):
            whisker(placed, i, row[low], row[high], ink())
    zero(placed)
    if share:
        as_percent(placed.axes.xaxis)


def as_percent(axis: Any) -> None:  # noqa: ANN401 - matplotlib's axes of x and y
    """Write the numbers of an axis as percentages."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:g} %"))
