"""The funnel of an attack: how much is left after each stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from killcurve.charts.export import Chart, narrow
from killcurve.charts.making import chart_kind
from killcurve.charts.rows import Row, how_many, left_out, place
from killcurve.charts.style import colour, mixed, paper
from killcurve.charts.words import cleaned, joined, number, percent

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure


@chart_kind("funnel", needs=("stage", "value"))
def stage_funnel(
    frame: pl.DataFrame,
    *,
    stage: str = "stage",
    value: str = "mean",
    attacker: str = "the attack",
    conditions: str = "",
) -> Chart:
    """Bars of what is left after each stage, in the frame's order: attacks, hits, wounds, …

    The share that each stage leaves of the one before is told beside it.
    """
    kept = frame.filter(pl.col(value).is_not_null())
    kept = kept.with_columns(left=pl.col(value) / pl.col(value).shift(1))
    kept = kept.with_columns(left=pl.when(pl.col("left").is_finite()).then(pl.col("left")))
    first, last = kept.row(0, named=True), kept.row(-1, named=True)
    worst = kept.drop_nulls("left").sort(["left", stage])
    hardest = (
        f"; the step to {worst.row(0, named=True)[stage]} leaves least "
        f"({percent(worst.row(0, named=True)['left'])})" if worst.height else ""
    )  # fmt: skip
    told = "; ".join(f"{row[stage]} {number(row[value])}" for row in kept.rows(named=True))
    return Chart(
        draw=lambda part: _draw(part, cleaned(kept), stage, value),
        title=f"Of {number(first[value])} {first[stage]}, {number(last[value])} {last[stage]} "
        f"remain{hardest}",
        subtitle=joined(f"Means after each stage of {attacker}, and what it leaves of the stage "
                        "before", conditions),
        alt=f"Funnel of {kept.height} stages of {attacker}: {told}.",
        data=kept,
        height=190 + 48 * kept.height,
    )  # fmt: skip


def _kept(share: float | None) -> str:
    """What a stage leaves of the one before: a share, or how many times as much."""
    if share is None:
        return ""
    return f" · {percent(share)}" if share <= 1 else f" · ×{number(share)}"


def _draw(part: SubFigure, kept: pl.DataFrame, stage: str, value: str) -> None:
    room_for = how_many(part, kept.height)
    # The first stage and the last ones: what comes out is what is asked for.
    rows = pl.concat([kept.head(1), kept.tail(max(1, room_for) - 1)]).rows(named=True)
    words = [
        Row(
            row[stage],
            number(row[value]) + _kept(row["left"]),
        )
        for row in rows
    ]
    placed = place(part, words, "mean number", left_out(len(rows), kept.height, "stages"))
    values = [row[value] for row in rows]
    placed.axes.barh(placed.marks, values, height=placed.thickness, color=colour(0))
    for i in range(
        0 if narrow(part) else len(rows) - 1
    ):  # the slope from stage to stage makes it a funnel
        half = placed.thickness / 2
        placed.axes.fill_betweenx(
            [placed.marks[i] + half, placed.marks[i + 1] - half], 0, [values[i], values[i + 1]],
            color=mixed(paper(), colour(0), 0.18), linewidth=0,
        )  # fmt: skip
    placed.axes.set_xlim(0, 1.02 * max(*values, 1e-9))
