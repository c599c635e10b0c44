"""Tornado of effects: how much one more or one less of each thing changes a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from killcurve.charts.export import Chart
from killcurve.charts.making import chart_kind
from killcurve.charts.rows import Row, how_many, left_out, place, zero
from killcurve.charts.style import colour
from killcurve.charts.words import cleaned, joined, listed, signed

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure


@chart_kind("tornado", needs=("name", "gain"), may=("loss",))
def tornado(
    frame: pl.DataFrame,
    *,
    name: str = "effect",
    gain: str = "gain",
    loss: str = "loss",
    measure: str = "points removed for each 100 points",
    what: str = "",
    conditions: str = "",
) -> Chart:
    """Bars from zero to the change that each effect makes, the largest first.

    ``gain`` is the change with one more, ``loss`` (where the frame has it) that with one less;
    both are differences from what it is without.
    """
    ends = [gain, loss] if loss else [gain]
    ranked = (
        frame.filter(pl.any_horizontal(pl.col(end).is_not_null() for end in ends))
        .with_columns(size=pl.max_horizontal(pl.col(end).abs() for end in ends))
        .sort(["size", name], descending=[True, False])
    )
    rows = ranked.rows(named=True)
    told = "; ".join(f"{row[name]} {' / '.join(signed(row[end]) for end in ends)}" for row in rows)
    best = [f"{row[name]} ({signed(row[gain])})" for row in rows[:2]]
    found = f"{listed(best)} change{'s' if len(best) == 1 else ''} most"
    return Chart(
        draw=lambda part: _draw(part, cleaned(ranked), name, ends, measure),
        title=f"{found[:1].upper()}{found[1:]}{f' for {what}' if what else ''}",
        subtitle=joined(f"Change of {measure}" + (", with one more (blue) and one less (orange)"
                                                  if loss else ""), conditions),
        alt=f"Tornado of {ranked.height} effects on {measure}: {told}.",
        data=ranked.drop("size"),
        height=190 + 34 * min(20, ranked.height),
    )  # fmt: skip


def _draw(part: SubFigure, ranked: pl.DataFrame, name: str, ends: list[str], measure: str) -> None:
    rows = ranked.head(how_many(part, ranked.height)).rows(named=True)
    words = [Row(row[name], " / ".join(signed(row[end]) for end in ends)) for row in rows]
    shown = left_out(len(rows), ranked.height, "effects")
    placed = place(part, words, f"change of {measure}", shown)
    for i, end in enumerate(ends):
        placed.axes.barh(
            placed.marks[: len(rows)], [row[end] or 0.0 for row in rows],
            height=placed.thickness, color=colour(i), hatch="" if i == 0 else "////",
        )  # fmt: skip
    zero(placed)
    placed.axes.margins(x=0.03)
