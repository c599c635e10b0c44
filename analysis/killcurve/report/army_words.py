"""The sentences that open the report on an army list, made of its numbers."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from killcurve.report.unit_words import points
from killcurve.report.wording import listed, number, percent
from killcurve.study.armies import Army

PER_100 = "points_of_wounds_per_100"


def summary(
    found: Army, whole: pl.DataFrame, weak: pl.DataFrame, often: pl.DataFrame
) -> tuple[str, ...]:
    """What a reader in a hurry needs first."""
    return (
        *_size(found),
        *_output(whole),
        *_weak(weak),
        *_often(often),
    )


def _size(found: Army) -> Iterator[str]:
    cost = sum(unit.points or 0 for unit in found.in_play)
    left = len(found.units) - len(found.in_play)
    out = f"; {number(left, 'unit')} could not be placed" if left else ""
    faction = f" of {found.faction}" if found.faction else ""
    told = f"{number(len(found.in_play), 'unit')}{faction} with {cost:,} points in play{out}"
    yield f"{found.name}: {told}."


def _output(whole: pl.DataFrame) -> Iterator[str]:
    rows = whole.drop_nulls(PER_100)
    if rows.is_empty():
        return
    best = rows.sort([PER_100, "band", "target"], descending=[True, False, False])
    top = best.row(0, named=True)
    yield (
        f"It does most for its points to {top['target']} {where(top['band'])}: "
        f"{points(top[PER_100])} points of wounds for each 100 of the list."
    )


def where(band: str) -> str:
    """A band of range as sentences tell it.

    >>> where("fight"), where("6–12")
    ('in a fight', 'at 6–12″')
    """
    return "in a fight" if band == "fight" else f"at {band}″"


def _weak(weak: pl.DataFrame) -> Iterator[str]:
    """The weakest match-up in a fight and of all shooting, and where it does nothing at all."""
    known = weak.filter(pl.col("ratio").is_not_null() & (pl.col("weakness") == 1))
    some = known.filter(pl.col("ratio") > 0)
    fights = pl.col("band") == "fight"
    parts = [
        f"{row['target']} {where(row['band'])} ({row['ratio']:.2f} times what the panel does)"
        for rows in (some.filter(fights), some.filter(~fights))
        for row in rows.sort("ratio", "target").head(1).rows(named=True)
    ]
    if parts:
        yield f"Measured by the panel it is weakest against {listed(parts)}."
    idle = weak.group_by("band", maintain_order=True).agg((pl.col(PER_100) == 0).all())
    none = [where(band) for band, nothing in idle.rows() if nothing]
    if none:
        yield f"It does nothing at all {listed(none, len(none))}."


def _often(often: pl.DataFrame) -> Iterator[str]:
    ones = often.filter(pl.col("copies") == 1).sort(["best", "target"])
    if ones.is_empty():
        return
    hard, easy = ones.row(0, named=True), ones.row(-1, named=True)
    yield (
        f"In one turn of shooting with everything in range it destroys a {hard['target']} "
        f"{percent(hard['best'])} of the time, the least of the panel; {easy['target']} "
        f"{percent(easy['best'])}, the most."
    )
