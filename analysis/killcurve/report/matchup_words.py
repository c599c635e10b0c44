"""The sentences that open a report on two units, made of its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from killcurve.report.matchup_numbers import Direction, Exchanges
from killcurve.report.unit_words import points
from killcurve.report.wording import percent

EVEN = 1.02
"""Ratios below are called even."""


def summary(ways: Sequence[Direction], blows: Exchanges) -> tuple[str, ...]:
    """What a reader in a hurry needs first."""
    told = [*_per_point(ways), *(_does(way) for way in ways), *_exchange(blows)]
    return (
        *told,
        *filter(None, (_reach(way) for way in ways)),
    )


def best(way: Direction) -> dict[str, object] | None:
    """The row of the better phase."""
    rows = way.does.filter(pl.col("best"))
    return rows.row(0, named=True) if rows.height else None


def _value(way: Direction) -> float | None:
    row = best(way)
    value = row["points_of_wounds_per_100"] if row else 0.0
    return None if value is None else float(str(value))


def _per_point(ways: Sequence[Direction]) -> Iterator[str]:
    one, other = ways
    values = [_value(way) for way in ways]
    if None in values:
        yield "Without the cost of both units nothing can be told per point."
        return
    a, b = (float(value or 0.0) for value in values)
    pair = sorted(((a, one), (b, other)), key=lambda each: -each[0])
    (more, winner), (less, loser) = pair
    if more == 0:
        yield "Neither unit does anything to the other."
    elif less == 0:
        yield f"Only {winner.attacker.name} does anything to the other."
    elif more / less < EVEN:
        yield (
            f"Point for point the two are even: {points(a)} and {points(b)} points of wounds for "
            "each 100, each fresh and in its better phase."
        )
    else:
        yield (
            f"Point for point {winner.attacker.name} does {more / less:.1f} times what "
            f"{loser.attacker.name} does: {points(more)} points of wounds for each 100 against "
            f"{points(less)}, each fresh and in its better phase."
        )


def _does(way: Direction) -> str:
    row = best(way)
    name, other = way.attacker.name, way.target
    if row is None:
        return f"{name} has no weapons in the data."
    does = "shooting" if row["phase"] == "shooting" else "fighting"
    rows = way.efficiency.filter(pl.col("phase") == row["phase"])
    law = rows.row(0, named=True)
    models = other.target.target.models
    slain = f", {law['slain']:.1f} of {models} models" if models > 1 else ""
    return (
        f"{name} {does} takes {law['damage']:.1f} wounds of {other.name} on average{slain} "
        f"(from {law['damage_p10']} to {law['damage_p90']} wounds in the middle 80 % of cases), "
        f"and destroys it {percent(law['destroyed'])} of the time."
    )


def _exchange(blows: Exchanges) -> Iterator[str]:
    if blows.summary.is_empty():
        return
    last = blows.summary.filter(pl.col("turn") == pl.col("turn").max())
    parts = []
    for first in last["first"].unique(maintain_order=True):
        rows = last.filter(pl.col("first") == first).sort("side")
        lost = " and ".join(
            f"{row['unit']} is destroyed {percent(row['destroyed'])}"
            for row in rows.rows(named=True)
        )
        parts.append(f"with {first} first, {lost} of the time")
    turns = last["turn"][0]
    yield f"After {turns} turns of shooting, charging and fighting: {'; '.join(parts)}."


def _reach(way: Direction) -> str:
    rows = way.reach
    if rows.is_empty():
        return ""
    likely = rows.filter(pl.col("charge") >= 0.5 - 1e-12)
    if likely.is_empty():
        near = rows["distance"].min()
        return f"{way.attacker.name} does not get into a fight half of the time even at {near:g}″."
    return (
        f"After a normal move {way.attacker.name} gets into a fight at least half of the time from "
        f"up to {likely['distance'].max():g}″."
    )
