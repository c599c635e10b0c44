"""Exchanges of two units: turn by turn what is left, and the joint law of what is left of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from killcurve.charts.bars import as_percent
from killcurve.charts.export import Chart, room
from killcurve.charts.grids import Cells, draw_cells, gathered, scaled, texts
from killcurve.charts.lines import legend, line
from killcurve.charts.making import chart_kind
from killcurve.charts.style import colour
from killcurve.charts.words import cleaned, fitted, joined, number, percent
from killcurve.tables.dataset import DataError

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure


@chart_kind("exchange-turns", needs=("turn", "unit", "models", "lost", "low", "high", "destroyed"))
def exchange_turns(
    frame: pl.DataFrame,
    *,
    turn: str = "turn",
    unit: str = "unit",
    models: str = "models",
    lost: str = "models_lost",
    low: str = "models_lost_p10",
    high: str = "models_lost_p90",
    destroyed: str = "destroyed",
    side: str = "side",
    conditions: str = "",
) -> Chart:
    """What is left of both units after each turn, from :data:`killcurve.study.exchange.SUMMARY`.

    Lines are the mean share of models left, bands hold 80 % of results; the names tell the
    chance to be destroyed at the end.
    """
    key = side if side in frame.columns else unit
    ordered = frame.sort([key, turn])
    kept = _left(ordered, (turn, models, lost, low, high, destroyed), key, unit)
    last = kept.filter(pl.col("turn") == kept["turn"].max()).sort(
        ["destroyed", "key"], descending=[True, False]
    )
    told = "; ".join(
        f"{row['unit']} keeps {number(row['models'] * row['left'])} of {row['models']} models "
        f"and is destroyed {percent(row['destroyed'])} of the time"
        for row in last.rows(named=True)
    )
    most = last.row(0, named=True)
    return Chart(
        draw=lambda part: _draw_turns(part, cleaned(kept)),
        title=f"After turn {most['turn']}, {most['unit']} is destroyed "
        f"{percent(most['destroyed'])} of the time and has "
        f"{number(most['models'] * most['left'])} of {most['models']} models left on average",
        subtitle=joined("Share of models left after each turn: mean, and a band that holds 80 % of "
                        "results", conditions),
        alt=f"Two falling lines over {kept['turn'].n_unique() - 1} turns. At the end: {told}.",
        data=kept.drop("key"),
    )  # fmt: skip


def _left(frame: pl.DataFrame, columns: tuple[str, ...], key: str, unit: str) -> pl.DataFrame:
    """Shares of models left, with the whole unit at turn 0."""
    turn, models, lost, low, high, destroyed = columns
    size = pl.col(models)
    told = frame.select(
        pl.col(key).alias("key"),
        pl.col(turn).cast(pl.Int64).alias("turn"),
        pl.col(unit).alias("unit"),
        size.alias("models"),
        left=1 - pl.col(lost) / size,
        left_low=1 - pl.col(high) / size,
        left_high=1 - pl.col(low) / size,
        destroyed=pl.col(destroyed),
    )
    start = told.unique(["key"], keep="first", maintain_order=True).with_columns(
        turn=pl.lit(0, pl.Int64),
        left=pl.lit(1.0), left_low=pl.lit(1.0), left_high=pl.lit(1.0), destroyed=pl.lit(0.0),
    )  # fmt: skip
    return pl.concat([start, told]).sort(["key", "turn"])


def _draw_turns(part: SubFigure, kept: pl.DataFrame) -> None:
    axes = part.subplots()
    for i, (_, of) in enumerate(kept.group_by("key", maintain_order=True)):
        at = of["turn"].to_list()
        name = f"{percent(of['destroyed'][-1])} destroyed: {of['unit'][0]}"
        axes.fill_between(at, of["left_low"].to_list(), of["left_high"].to_list(),
                          color=colour(i), alpha=0.16, linewidth=0)  # fmt: skip
        line(axes, at, of["left"].to_list(), i, name)
    axes.set_ylim(0, 1.04)
    as_percent(axes.yaxis)
    turns = kept["turn"].unique().sort().to_list()
    axes.set_xticks(turns, ["start" if t == 0 else str(t) for t in turns])
    axes.set_xlabel(fitted("after turn", room(part)[0]))
    legend(part, axes)


@chart_kind("exchange-joint", needs=("a", "b", "chance"), may=("turn",))
def exchange_joint(
    frame: pl.DataFrame,
    one: str = "A",
    other: str = "B",
    *,
    a: str = "a_models_left",
    b: str = "b_models_left",
    chance: str = "probability",
    turn: str = "turn",
    at: int | None = None,
    conditions: str = "",
) -> Chart:
    """The joint law of models left of both units, from :data:`killcurve.study.exchange.JOINT`.

    ``at`` is the turn that is drawn; else the last one.

    Raises:
        DataError: if no row is of that turn.
    """
    when = ""
    if turn:
        last: Any = frame[turn].max() if at is None else at
        frame, when = frame.filter(pl.col(turn) == last), f"after turn {last}"
        if frame.is_empty():
            raise DataError(f"the frame has no row of turn {last}")
    law = frame.group_by(a, b).agg(pl.col(chance).sum()).sort([a, b], descending=[True, False])
    gone = {name: float(law.filter(pl.col(column) == 0)[chance].sum()) for name, column in
            ((one, a), (other, b))}  # fmt: skip
    likely = law.sort([chance, a, b], descending=True).row(0, named=True)
    found = (
        f"{likely[a]} of {one} and {likely[b]} of {other} are left most often "
        f"({percent(likely[chance])})"
    )
    lost = " and ".join(f"{name} is destroyed {percent(p)}" for name, p in gone.items())
    lost += " of the time"
    return Chart(
        draw=lambda part: draw_cells(part, _joint(law, a, b, chance, (one, other))),
        title=lost[:1].upper() + lost[1:],
        subtitle=joined(
            "Chance in % of each pair of numbers of models left", when, found, conditions
        ),
        alt=f"Heat map of models left of {one} (down) and {other} (across) {when}. "
        f"{found}; {lost}.",
        data=law,
    )


def _joint(law: pl.DataFrame, a: str, b: str, chance: str, names: tuple[str, str]) -> Cells:
    rows, columns, grid = gathered(law, a, b, chance)
    order = sorted(columns, key=int)
    grid = np.nan_to_num(grid[:, [columns.index(name) for name in order]])
    return Cells(
        rows, order, np.sqrt(scaled(grid, 0.0, float(grid.max()))),
        texts(100 * grid, lambda p: f"{p:.0f}" if p >= 0.5 else ""),
        row_label=f"{names[0]} left", column_label=f"across: {names[1]} left",
        whole=True,
    )  # fmt: skip
