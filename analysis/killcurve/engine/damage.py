"""One damage roll: what it may show, and what a player may make of it (RULES.md §1.2, §6.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from killcurve.engine.change import Change
from killcurve.engine.dice import Dice
from killcurve.engine.edition import Edition
from killcurve.engine.pmf import Pmf

MOST_DICE = 4


@dataclass(frozen=True, slots=True)
class Outcome:
    """One result of the dice: its chance, the damage it means, and what a player may turn it into.

    ``again`` is the law of the damage if the roll is made again (all its dice), ``one_again`` if
    only its lowest die is, ``six`` the damage if that die is set to its highest face. ``one``
    tells a single die that shows 1.
    """

    chance: float
    damage: int
    again: Pmf
    one_again: Pmf
    six: int
    one: bool


@lru_cache(maxsize=2048)
def damage_roll(printed: Dice, change: Change, edition: Edition) -> tuple[Outcome, ...]:
    """The results of a damage roll, equal ones joined.

    >>> from killcurve.engine.edition import edition
    >>> roll = damage_roll(Dice.parse("D3+1"), Change(removed=1), edition("11e"))
    >>> [(o.damage, round(o.chance, 3), o.six) for o in roll]
    [(1, 0.333, 3), (2, 0.333, 3), (3, 0.333, 3)]
    """
    dice = printed if change.replaced is None else change.replaced
    fixed = Change(None, change.added, change.divisor, change.removed)
    if change.replaced == Dice():
        fixed = Change(Dice())

    def final(total: int) -> int:
        return fixed.apply(total + dice.bonus, edition)

    whole = change.law(printed, edition)
    found: dict[tuple[int, Pmf, int, bool], float] = {}
    for faces, chance in _rolls(dice, change.added_dice):
        lowest = min(range(len(faces)), key=lambda i: faces[i][0]) if faces else None
        total = sum(face for face, _ in faces)
        if lowest is None:
            key = (final(0), whole, final(0), False)
        else:
            face, sides = faces[lowest]
            others = total - face
            again = Pmf.of_values((final(others + f), 1 / sides) for f in range(1, sides + 1))
            one = total == 1
            key = (final(total), again, final(others + sides), one)
        found[key] = found.get(key, 0.0) + chance
    return tuple(
        Outcome(chance, damage, whole, again, six, one)
        for (damage, again, six, one), chance in found.items()
    )


def _rolls(dice: Dice, more: tuple[Dice, ...]) -> Iterator[tuple[list[tuple[int, int]], float]]:
    """Every roll of all dice, as (face, sides) pairs, with its chance; order does not count."""
    sides = [d.sides for d in (dice, *more) for _ in range(d.count)]
    if len(sides) > MOST_DICE:
        raise ValueError(
            f"choices about a damage roll of {len(sides)} dice are not solved; "
            f"up to {MOST_DICE} dice are"
        )
    counted: dict[tuple[tuple[int, int], ...], float] = {}
    chance = 1.0
    for s in sides:
        chance /= s
    for faces in product(*(range(1, s + 1) for s in sides)):
        key = tuple(sorted(zip(faces, sides, strict=True)))
        counted[key] = counted.get(key, 0.0) + chance
    for key, probability in counted.items():
        yield list(key), probability
