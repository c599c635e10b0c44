"""The sentences that open a report on the whole game, made of its numbers."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from killcurve.report.field import Field
from killcurve.report.meta_frames import LEAST_UNITS, Game
from killcurve.report.outliers import threshold
from killcurve.report.unit_words import points
from killcurve.report.wording import listed, number, signed


def summary(found: Game, whole: Field) -> tuple[str, ...]:
    """What a reader in a hurry needs first."""
    return (
        *_attack(found, whole),
        *_far(found),
        *_factions(found),
        *_tough(found),
    )


def who(row: dict[str, object]) -> str:
    """A unit with its faction.

    >>> who({"unit": "Boyz", "faction": "Orks"})
    'Boyz (Orks)'
    """
    return f"{row['unit']} ({row['faction']})"


def _attack(found: Game, whole: Field) -> Iterator[str]:
    ranks = found.attack
    if ranks.is_empty():
        return
    best = ranks.row(0, named=True)
    then = [f"{who(row)} {points(row['value'])}" for row in ranks[1:3].rows(named=True)]
    after = f"; {listed(then)} follow{'s' if len(then) == 1 else ''}" if then else ""
    factions = len({faction for faction, _ in whole.units})
    yield (
        f"Of {number(ranks.height, 'unit')} of {number(factions, 'faction')}, {who(best)} does "
        f"most for its points: {points(best['value'])} points of wounds for each 100, the mean "
        f"over the panel; the median of the field is {points(_median(ranks, 'value'))}{after}."
    )
    tops = found.targets.filter(pl.col("highest") > 0)
    same = tops["leader"].n_unique() == 1 and tops.height > 1
    if same:
        yield f"{tops['leader'][0]} leads at every one of {number(tops.height, 'target')}."
    elif tops.height:
        top = tops.sort(["highest", "target"], descending=[True, False]).row(0, named=True)
        yield (
            f"{number(tops['leader'].n_unique(), 'unit')} lead at {tops.height} targets; the "
            f"highest value is that of {top['leader']} ({top['leader_faction']}) at "
            f"{top['target']}: {points(top['highest'])}."
        )


def _median(frame: pl.DataFrame, column: str) -> float:
    return float(str(frame[column].median()))


def _far(found: Game) -> Iterator[str]:
    ranks = found.attack.filter(pl.col("z").is_not_null())
    if ranks.is_empty():
        return
    bar = threshold(ranks.height)
    above = ranks.filter(pl.col("outlier") & (pl.col("z") > 0))
    below = ranks.filter(pl.col("outlier") & (pl.col("z") < 0))
    if above.is_empty() and below.is_empty():
        far = ranks.sort(pl.col("z").abs(), descending=True).row(0, named=True)
        yield (
            f"No unit stands so far from the field that it would surprise among {ranks.height:,}: "
            f"the farthest, {who(far)}, is at {signed(far['z'], 1)}, the bar is {bar:.1f}."
        )
        return
    rows = [*above.rows(named=True), *below.sort("z").rows(named=True)]
    names = [f"{who(row)} ({signed(row['z'], 1)})" for row in rows]
    yield (
        f"Further than {bar:.1f} robust standard deviations from the field, the bar for "
        f"{ranks.height:,} units, {'stands' if len(names) == 1 else 'stand'}: {listed(names, 6)}."
    )


def _factions(found: Game) -> Iterator[str]:
    rows = found.factions.filter((pl.col("units") >= LEAST_UNITS) & pl.col("median").is_not_null())
    if rows.height < 2:
        return
    ordered = rows.sort(["median", "faction"], descending=[True, False])
    first, last = ordered.row(0, named=True), ordered.row(-1, named=True)
    yield (
        f"By the median of its units {first['faction']} stands first ({points(first['median'])}) "
        f"and {last['faction']} last ({points(last['median'])})."
    )


def _tough(found: Game) -> Iterator[str]:
    ranks = found.tough
    if ranks.height < 2:
        return
    best, last = ranks.row(0, named=True), ranks.row(-1, named=True)
    yield (
        f"{who(best)} withstands most for its points: it loses {points(best['value'])} points of "
        f"wounds for each 100 of the panel that attack it, against a median of "
        f"{points(_median(ranks, 'value'))}; {who(last)} loses most, {points(last['value'])}."
    )
    far = [row for row in (best, last) if row["outlier"]]
    if far:
        names = [f"{who(row)}, at {number(row['points'], 'point')}" for row in far]
        yield (f"So far from the field that the data should be checked first: {listed(names)}.")
