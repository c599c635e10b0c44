"""The sentences that open the report on a faction, made of its numbers."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from killcurve.report.field import Field, by_role
from killcurve.report.unit_words import points
from killcurve.report.wording import listed, number


def summary(found: Field, faction: str, paid: pl.DataFrame, borne: pl.DataFrame) -> tuple[str, ...]:
    """What a reader in a hurry needs first."""
    told = [*_attack(found, faction), *_tough(found), *_stratagem(paid), *_enhancement(borne)]
    return tuple(told)


def _attack(found: Field, faction: str) -> Iterator[str]:
    ranks = found.attack
    if ranks.is_empty():
        yield f"No unit of {faction} can be ranked by what it does: the data lacks what it takes."
        return
    best, last = ranks.row(0, named=True), ranks.row(-1, named=True)
    then = [f"{row['unit']} ({points(row['value'])})" for row in ranks[1:3].rows(named=True)]
    after = f", before {listed(then)}" if then else ""
    yield (
        f"Of {number(ranks.height, 'unit')} of {faction}, {best['unit']} does most for its points: "
        f"{points(best['value'])} points of wounds for each 100, the mean over the panel{after}."
    )
    if ranks.height > 1:
        yield (
            f"The median is {points(_median(ranks))}; {last['unit']} stands last with "
            f"{points(last['value'])}."
        )
    roles = by_role(ranks)
    if roles.height > 1:
        parts = [f"{row['role']} {row['best']}" for row in roles.rows(named=True)]
        yield f"The best of each role with several units: {listed(parts, 12)}."


def _median(ranks: pl.DataFrame) -> float:
    return float(str(ranks["value"].median()))


def _tough(found: Field) -> Iterator[str]:
    ranks = found.tough
    if ranks.height < 2:
        return
    best, last = ranks.row(0, named=True), ranks.row(-1, named=True)
    yield (
        f"{best['unit']} withstands most for its points: it loses {points(best['value'])} points "
        f"of wounds for each 100 of the panel that attack it; {last['unit']} loses most, "
        f"{points(last['value'])} (median {points(_median(ranks))})."
    )


def _stratagem(paid: pl.DataFrame) -> Iterator[str]:
    for side, does in (("attacker", "removes"), ("defender", "saves")):
        rows = paid.filter(pl.col("side") == side) if paid.height else paid
        if rows.height:
            row = rows.row(0, named=True)
            yield (
                f"Of {number(rows.height, 'stratagem')} that help units as {side}, {row['name']} "
                f"({row['detachment']}) {does} most per command point where it helps at all: "
                f"{points(row['median'])} points, the median of {number(row['helps'], 'unit')}."
            )


def _enhancement(borne: pl.DataFrame) -> Iterator[str]:
    rows = borne.filter(pl.col("side") == "attacker") if borne.height else borne
    if rows.height:
        pays = rows.filter(pl.col("pays") > 0)
        yield (
            f"Of {number(rows.height, 'enhancement')} that help their bearer's own attacks, "
            f"{pays.height} add more for their points than some bearer does for its own."
        )


def left_over(found: Field) -> tuple[str, ...]:
    """Units that are not ranked, and why."""
    told = []
    for names, why in (
        (found.unpriced, "without a cost in the data, or with one of nought"),
        (found.unarmed, "without weapons in the data"),
        (found.bare, "without a stat line in the data"),
    ):
        if names:
            told.append(f"Not ranked, {why}: {listed(sorted(set(names)), 20)}.")
    return tuple(told)
