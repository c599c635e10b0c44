"""Forest plot: a rate at each event with its interval, and the pooled ones below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from killcurve.charts.bars import as_percent
from killcurve.charts.export import Chart
from killcurve.charts.making import chart_kind
from killcurve.charts.rows import Placed, Row, how_many, left_out, place, zero
from killcurve.charts.style import colour
from killcurve.charts.words import cleaned, joined, percent

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure

EVENT, PREDICTION = "event", "prediction"


@chart_kind(
    "forest", needs=("name", "rate", "low", "high"), may=("kind", "weight", "games", "date")
)
def forest_plot(
    frame: pl.DataFrame,
    who: str = "",
    *,
    name: str = "label",
    rate: str = "rate",
    low: str = "low",
    high: str = "high",
    kind: str = "kind",
    weight: str = "weight",
    games: str = "games",
    date: str = "date",
    measure: str = "win rate",
    half: float = 0.5,
    conditions: str = "",
) -> Chart:
    """Rates with intervals by date, from :func:`killcurve.study.meta.by_event.forest`.

    Squares are events, as large as their weight; diamonds are pooled rates, bars without a mark
    what a further event may give. Of events without room the lightest are left out.
    """
    kept = frame.filter(pl.col(low).is_finite() & pl.col(high).is_finite())
    if date:
        kept = kept.sort([date, name], maintain_order=True)
    kept = kept.select(
        pl.col(name).alias("label"), pl.col(rate).alias("rate"), pl.col(low).alias("low"),
        pl.col(high).alias("high"),
        (pl.col(kind) if kind else pl.lit(EVENT)).alias("kind"),
        (pl.col(weight).cast(pl.Float64) if weight else pl.lit(None, pl.Float64)).alias("weight"),
        (pl.col(games).cast(pl.Int64) if games else pl.lit(None, pl.Int64)).alias("games"),
    )  # fmt: skip
    events = kept.filter(pl.col("kind") == EVENT)
    below = kept.filter(pl.col("kind") != EVENT)
    pooled = below.filter(pl.col("kind") != PREDICTION)
    return Chart(
        draw=lambda part: _draw(part, cleaned(events), cleaned(below), half, measure),
        title=_finding(events, pooled, who, half, measure),
        subtitle=joined(f"{measure[:1].upper() + measure[1:]} with 95 % intervals; squares are as "
                        "large as their weight, diamonds are pooled", conditions),
        alt=f"Forest plot of {events.height} rows. {_finding(events, pooled, who, half, measure)}. "
        + "; ".join(f"{r['label']} {percent(r['rate'])}" for r in kept.head(12).rows(named=True))
        + ".",
        data=kept,
        height=190 + 30 * min(26, kept.height),
    )  # fmt: skip


def _finding(
    events: pl.DataFrame, pooled: pl.DataFrame, who: str, half: float, measure: str
) -> str:
    whose = f"{who}: " if who else ""
    if pooled.is_empty():
        above = events.filter(pl.col("low") > half).height
        return (
            f"{whose}{measure} is above {percent(half)} beyond doubt in {above} of {events.height}"
        )
    last = pooled.row(-1, named=True)
    doubt = "not told apart from" if last["low"] <= half <= last["high"] else (
        "above" if last["low"] > half else "below")  # fmt: skip
    return (
        f"{whose}{measure} {percent(last['rate'])} over {events.height} events "
        f"({percent(last['low'])} to {percent(last['high'])}), {doubt} {percent(half)}"
    )


def _draw(
    part: SubFigure, events: pl.DataFrame, below: pl.DataFrame, half: float, measure: str
) -> None:
    most = how_many(part, events.height + below.height)
    below = below.head(max(0, most - 1))
    heaviest = events.with_row_index("at").sort(
        ["weight", "games", "at"], descending=[True, True, False], nulls_last=True
    )
    shown = heaviest.head(max(1, most - below.height)).sort("at")
    rows = shown.rows(named=True) + below.rows(named=True)
    words = [_words(row) for row in rows]
    note = left_out(shown.height, events.height, "heaviest events")
    placed = place(part, words, measure, note)
    heaviest_weight = max((row["weight"] or 0.0 for row in rows), default=0.0)
    for i, row in enumerate(rows):
        _mark(placed, i, row, heaviest_weight)
    zero(placed, half, dashed=True)
    ends = [row[end] for row in rows for end in ("low", "high")] + [half]
    spread = max(ends) - min(ends) or 0.1
    placed.axes.set_xlim(min(ends) - 0.03 * spread, max(ends) + 0.03 * spread)
    as_percent(placed.axes.xaxis)


def _words(row: dict[str, Any]) -> Row:
    pooled = row["kind"] != EVENT
    name = f"{row['label']}, a further event" if row["kind"] == PREDICTION else row["label"]
    interval = f"({_interval(row['low'], row['high'])})"
    value = interval if row["kind"] == PREDICTION else f"{percent(row['rate'])} {interval}"
    detail = f"{row['games']} games" if row["games"] and not pooled else ""
    return Row(name, value, detail, strong=pooled)


def _interval(low: float, high: float) -> str:
    """The ends in per cent without the sign; in words where a minus would meet the dash.

    >>> _interval(0.41, 0.553), _interval(-0.12, 0.1), _interval(-0.001, 0.1)
    ('41–55', '−12 to 10', '0–10')
    """
    ends = [f"{round(100 * end)}".replace("-", "−") for end in (low, high)]
    return (" to " if any(end.startswith("−") for end in ends) else "–").join(ends)


def _mark(placed: Placed, i: int, row: dict[str, Any], heaviest: float) -> None:
    y, shade = placed.marks[i], colour(0 if row["kind"] == EVENT else 1)
    dashed = row["kind"] == PREDICTION
    placed.axes.plot([row["low"], row["high"]], [y, y], color=shade,
                     linewidth=3.0 if dashed else 1.8, solid_capstyle="butt",
                     linestyle=(0, (2, 1)) if dashed else "-")  # fmt: skip
    if dashed or row["rate"] is None:
        return
    share = (row["weight"] or 0.0) / heaviest if heaviest else 0.5
    size = 11.0 if row["kind"] != EVENT else 4.0 + 6.0 * share**0.5
    placed.axes.plot([row["rate"]], [y], "D" if row["kind"] != EVENT else "s", color=shade, ms=size)
