"""How many attacks, weapons, models or units it takes to destroy a target with a stated chance.

Numbers are the smallest ones whose chance, worked out exactly, is at least the stated one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import polars as pl

from killcurve.engine.change import UNCHANGED
from killcurve.engine.states import states
from killcurve.engine.weapon import MOST_WEAPONS
from killcurve.study.aimed import Aimed, aimed, fixed
from killcurve.study.armies.attacking import Band, as_enemy, at_distance, striker
from killcurve.study.armies.redundancy import attack_map
from killcurve.study.armies.units import ArmyUnit, datasheet_in_play
from killcurve.study.lines import Line
from killcurve.study.loadouts.prices import cost
from killcurve.study.matchup import Circumstances
from killcurve.study.striking import Striker
from killcurve.study.targets import Defender
from killcurve.tables.dataset import DataError, Dataset

COLUMNS: dict[str, pl.DataType] = {
    "faction": pl.String(),
    "datasheet": pl.String(),
    "phase": pl.String(),
    "target": pl.String(),
    "target_models": pl.Int64(),
    "target_points": pl.Int64(),
    "what": pl.String(),
    "of": pl.String(),
    "chance": pl.Float64(),
    "number": pl.Int64(),
    "reached": pl.Float64(),
    "one_fewer": pl.Float64(),
    "points": pl.Float64(),
    "left_out": pl.List(pl.String()),
}
"""What :func:`needed` gives: the smallest ``number`` whose chance is at least ``chance``.

``what`` is counted, ``of`` what exactly: ``attacks`` (attack dice of a weapon line, without what
adds attacks to weapons), ``weapons`` (that line's, each with all its attacks), ``models`` (of the
most numerous kind that attacks, all in one unit, with what they use) or ``units`` (whole ones, one
after the other). ``reached`` is P(the target is destroyed) with that number, ``one_fewer`` with one
fewer; ``number`` is null where the most that is tried (:data:`MOST`) does not do. ``points`` are
what they cost: copies of units at their own prices, models their share of the unit's.
"""

CHANCES = (0.5, 0.8, 0.95)

MOST = {"attacks": 500, "weapons": MOST_WEAPONS, "models": 100, "units": 50}
"""The most of each that is tried."""

Chance = Callable[[int], float]


def needed(
    dataset: Dataset,
    unit: ArmyUnit | str,
    target: Defender,
    how: Circumstances = Circumstances(),
    *,
    chances: Sequence[float] = CHANCES,
    shooting: bool = True,
    fighting: bool = False,
    distance: float | None = None,
) -> pl.DataFrame:
    """How many of a unit's attacks, weapons, models and units destroy a target; :data:`COLUMNS`.

    ``unit`` is one in play, or a name (at its smallest size, by default armed). Lines are those
    that it uses against the target; of ``distance`` in inches only those that reach.

    Raises:
        DataError: if a chance is not between 0 and 1, or no phase is asked for.

    >>> import killcurve
    >>> from killcurve.study.targets import defender
    >>> data = killcurve.load()
    >>> found = needed(data, "Raider", defender(data, "Rhino"), chances=[0.5])
    >>> (found["reached"] >= 0.5).all() and (found["one_fewer"] < 0.5).all()
    True
    """
    for chance in chances:
        if not 0 < chance < 1:
            raise DataError(f"a chance of {chance} is asked for: give one between 0 and 1, as 0.8")
    if not (shooting or fighting):
        raise DataError("neither shooting nor fighting is asked for: take one of them, or both")
    here = datasheet_in_play(dataset, unit) if isinstance(unit, str) else unit
    bands = [at_distance(distance)] if shooting else []
    bands += [at_distance(None, ranged=False)] if fighting else []
    rows = []
    for band in bands:
        for what, of, each, chance_of, left_out in _questions(dataset, here, target, band, how):
            for chance in sorted(chances):
                number = smallest(chance_of, chance, MOST[what])
                rows.append(
                    {
                        "faction": here.faction,
                        "datasheet": here.datasheet,
                        "phase": "shooting" if band.use.ranged else "fight",
                        "target": target.name,
                        "target_models": target.target.models,
                        "target_points": target.points,
                        "what": what,
                        "of": of,
                        "chance": chance,
                        "number": number,
                        "reached": None if number is None else chance_of(number),
                        "one_fewer": None if number is None else chance_of(number - 1),
                        "points": None if number is None else each(number),
                        "left_out": left_out,
                    }
                )
    return pl.DataFrame(rows, schema=COLUMNS)


def smallest(chance_of: Chance, chance: float, most: int) -> int | None:
    """The smallest number from 1 to ``most`` whose chance is at least the one that is stated.

    ``chance_of`` must not fall as the number rises. ``None`` where ``most`` does not do.

    >>> smallest(lambda n: 1 - 0.5**n, 0.9, 100), smallest(lambda n: 0.0, 0.9, 100)
    (4, None)
    """
    high = 1
    while chance_of(high) < chance:
        if high == most:
            return None
        high = min(2 * high, most)
    low = high // 2 if high < most else 0
    while high - low > 1:
        middle = (low + high) // 2
        if chance_of(middle) < chance:
            low = middle
        else:
            high = middle
    return high


Question = tuple[str, str, Callable[[int], float | None], Chance, list[str]]


def _questions(
    dataset: Dataset, unit: ArmyUnit, target: Defender, band: Band, how: Circumstances
) -> Iterator[Question]:
    """What is counted: its name, of what, the cost of so many, their chance, what is left out."""
    made, attacks = striker(unit, target, band, how), unit.attacker
    assert attacks is not None
    models = max(1, made.unit.models)
    share = None if unit.points is None else unit.points / models
    for line, used in _lines(made):
        start = aimed(attacks, replace(line, count=1), target, _near(how, used, band))
        left = list(start.left_out)
        yield "attacks", line.name, _unknown, cache(_dice_of(start)), left
        yield "weapons", line.name, _unknown, cache(_count_of(start)), left
    attack, left_out = attack_map(unit, target, band, how)
    rank = max(
        (n for n, arms in enumerate(made.arms) if arms),
        key=lambda n: made.unit.ranks[n].count,
        default=None,
    )
    if attack is None or rank is None:
        return
    name = made.unit.ranks[rank].name
    yield (
        "models",
        name,
        lambda number: None if share is None else number * share,
        cache(_models_of(made, rank)),
        left_out,
    )

    def of_units(number: int) -> float:
        law = as_enemy(target).space.from_start()
        for _ in range(number):
            law = law @ attack
        return float(law[-1])

    yield (
        "units",
        f"{unit.datasheet} ({models})",
        lambda number: _copies(dataset, unit, number),
        cache(of_units),
        left_out,
    )


def _unknown(_: int) -> None:
    """Attacks and weapons have no price of their own."""


def _lines(made: Striker) -> Iterator[tuple[Line, int]]:
    """The lines that are used, each once, with their range."""
    seen = set()
    for arms in made.arms:
        for carried in arms:
            if carried.line not in seen:
                seen.add(carried.line)
                yield carried.line, carried.range


def _near(how: Circumstances, reach: int, band: Band) -> Circumstances:
    """The circumstances with half range where the distance is within it."""
    if band.far is None or 2 * band.far > reach:
        return how
    return replace(how, flags=how.flags | {"half_range"})


def _dice_of(start: Aimed) -> Chance:
    bare = start.with_modifiers(lambda m: replace(m, attacks=UNCHANGED, extra_attacks=()))

    def chance(number: int) -> float:
        if not number:
            return 0.0
        return bare.with_weapon(count=1, attacks=fixed(number)).outcome().destroyed

    return chance


def _count_of(start: Aimed) -> Chance:
    def chance(number: int) -> float:
        return start.with_weapon(count=number).outcome().destroyed if number else 0.0

    return chance


def _models_of(made: Striker, rank: int) -> Chance:
    """The chance with so many models of one rank, and nobody else."""
    start = states(made.enemy.target).start

    def chance(number: int) -> float:
        kind = made.kind([number if n == rank else 0 for n in range(len(made.unit.ranks))])
        return 0.0 if kind is None else float(made.after(kind, start)[-1])

    return chance


def _copies(dataset: Dataset, unit: ArmyUnit, number: int) -> float | None:
    """What so many units cost: each of its own copy, with what this one has beside its size."""
    if unit.points is None or unit.faction is None or unit.datasheet is None:
        return None
    size = unit.models or 1
    bases = [cost(dataset, unit.faction, unit.datasheet, size, n) for n in range(1, number + 1)]
    own = cost(dataset, unit.faction, unit.datasheet, size, unit.copy)
    if own is None or None in bases:
        return None
    return float(sum(base or 0 for base in bases) + number * (unit.points - own))
