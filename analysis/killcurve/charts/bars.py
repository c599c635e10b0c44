"""Ranked bars: any measure with its band, and what each stratagem adds per command point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from killcurve.charts.export import Chart
from killcurve.charts.making import chart_kind
from killcurve.charts.rows import Row, how_many, left_out, place, whisker, zero
from killcurve.charts.style import colour, ink
from killcurve.charts.words import cleaned, joined, number, percent, titled
from killcurve.tables.dataset import DataError

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure

__all__ = ["amount", "ranked_bars", "ranked_stratagems", "titled"]

MOST_BARS = 12
LEAST_GAIN = 0.005
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


@chart_kind("stratagem-value", needs=("value", "name", "cp", "over"), empty=True)
def ranked_stratagems(
    frame: pl.DataFrame,
    unit: str = "the unit",
    conditions: str = "",
    *,
    name: str = "stratagem",
    value: str = "gain_points_removed_per_cp",
    cp: str = "cp",
    over: str = "target",
) -> Chart:
    """Gain in points removed per command point, from :func:`killcurve.study.stratagem_value`.

    Each bar is the mean over the targets of the frame, for the weapon line that gains most; its
    whiskers reach from the target where it gains least to that where it gains most.

    Raises:
        DataError: if the frame is empty.
    """
    if frame.is_empty():
        raise DataError(f"no stratagem changes the attacks of {unit}")
    also = [c for c in ("detachment", "weapon", "effects", "assumes") if c in frame.columns]
    gains = (
        frame.filter((pl.col(cp) > 0) & pl.col(value).is_finite())
        .group_by(name, cp, *also)
        .agg(
            pl.col(value).mean().alias("gain"),
            pl.col(value).min().alias("low"),
            pl.col(value).max().alias("high"),
        )
        .sort(["gain", name, *also[:2]], descending=[True, False, *[False for _ in also[:2]]])
        .unique([name, *also[:1]], keep="first", maintain_order=True)
    )
    ranked = gains.filter(pl.col("gain") >= LEAST_GAIN).head(MOST_BARS)
    return Chart(
        draw=lambda part: _draw_gains(part, cleaned(ranked), name, cp),
        title=_finding(ranked, name, unit),
        subtitle="Expected points removed more than without it, per CP, mean over "
        f"{frame[over].n_unique()} targets (whiskers: the least and the most of them), for the "
        "weapon that gains most; its conditions are taken to hold"
        f"{_others(len(gains) - len(ranked))}{f' · {conditions}' if conditions else ''}",
        alt=f"Bars of {len(ranked)} stratagems. "
        + "; ".join(
            f"{titled(r[name])} {amount(r['gain'])} ({number(r['low'])} to {number(r['high'])})"
            for r in ranked.rows(named=True)
        )
        + " points removed per command point.",
        data=ranked,
        height=190 + 62 * max(1, len(ranked)),
    )


def _finding(ranked: pl.DataFrame, name: str, unit: str) -> str:
    if ranked.is_empty():
        return f"No stratagem of its faction adds points removed to the attacks of {unit}"
    best = ranked.row(0, named=True)
    return (
        f"{titled(best[name])} adds most to {unit}: "
        f"{amount(best['gain'])} points removed per command point"
    )


def _others(number: int) -> str:
    if number <= 0:
        return ""
    return f" · {number} more add less" if number > 1 else " · 1 more adds less"


def amount(value: float) -> str:
    """A gain with two digits that count: ``0.21``, ``3.4``, ``12``."""
    return f"{value:.2f}" if value < 1 else f"{value:.1f}" if value < 10 else f"{value:.0f}"


def _draw_gains(part: SubFigure, ranked: pl.DataFrame, name: str, cp: str) -> None:
    rows = ranked.head(how_many(part, ranked.height, above=True)).rows(named=True)
    if not rows:
        part.subplots().set_axis_off()
        return
    words = [
        Row(f"{titled(row[name])} · {row[cp]} CP", f"+{amount(row['gain'])}", _detail(row))
        for row in rows
    ]
    shown = left_out(len(rows), ranked.height, "stratagems")
    placed = place(part, words, "points removed per command point", shown, above=True)
    gains = [row["gain"] for row in rows]
    placed.axes.barh(placed.marks, gains, height=placed.thickness, color=colour(0))
    placed.axes.set_xlim(
        min(0.0, *(row["low"] for row in rows), 0.0), 1.02 * max(row["high"] for row in rows)
    )
    for i, row in enumerate(rows):
        whisker(placed, i, row["low"], row["high"], ink())
    zero(placed)


def _detail(row: dict[str, Any]) -> str:
    """Where it comes from and what it does."""
    effects = row.get("effects") or ""
    does = effects if isinstance(effects, str) else ", ".join(effects)
    weapon = row.get("weapon") or ""
    where = (row["detachment"] or "Core") if "detachment" in row else ""
    return joined(where, f"{weapon}: {does}" if weapon and does else weapon or does)
