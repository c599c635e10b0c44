"""Dice expressions and finite probability laws in exact fractions (RULES.md §1.1, §1.2).

A law is a plain dictionary: value -> probability.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, NamedTuple

Law = dict[Any, Fraction]

FACES: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
SIXTH = Fraction(1, 6)


def certain(value: Any) -> Law:
    """The law of something that is sure to be `value`."""
    return {value: Fraction(1)}


def spread(law: Law, follow: Callable[[Any], Law]) -> Law:
    """What comes out when each value of `law` is followed by the law `follow(value)`.

    Laws are whole: a single value is sure.
    """
    if len(law) == 1:
        (sure,) = law
        return follow(sure)
    result: Law = {}
    for value, chance in law.items():
        for after, further in follow(value).items():
            weight = chance * further
            result[after] = result[after] + weight if after in result else weight
    return result


def mapped(law: Law, change: Callable[[Any], Any]) -> Law:
    """The law of `change(value)`; equal results are merged."""
    result: Law = {}
    for value, chance in law.items():
        after = change(value)
        result[after] = result[after] + chance if after in result else chance
    return result


def expected(law: Law, worth: Callable[[Any], Fraction]) -> Fraction:
    """The mean of `worth(value)`."""
    if len(law) == 1:
        (sure,) = law
        return worth(sure)
    mean = Fraction(0)
    for value, chance in law.items():
        mean += chance * worth(value)
    return mean


def total(laws: Iterable[Law]) -> Law:
    """The law of the sum of independent numbers."""
    result = certain(0)
    for law in laws:
        result = plus(result, law)
    return result


def plus(first: Law, second: Law) -> Law:
    """The law of the sum of two independent numbers."""
    return spread(first, lambda one: mapped(second, lambda other: one + other))


@lru_cache(maxsize=4096)
def successes(dice: int, chance: Fraction) -> Law:
    """How many of `dice` dice succeed, each with `chance`; counted die by die."""
    law: Law = {1: chance, 0: 1 - chance}
    return total([{value: weight for value, weight in law.items() if weight}] * dice)


@dataclass(frozen=True)
class Dice:
    """`2D3+1` is Dice((3, 3), 1). The constant belongs to the characteristic, it is no modifier
    (§1.1).
    """

    sides: tuple[int, ...]
    plus: int = 0

    @property
    def random(self) -> bool:
        """Whether anything is rolled at all."""
        return bool(self.sides)

    def rolled(self) -> Law:
        """The sum of the dice alone; a D3 is 1, 2 or 3, each 1/3."""
        return total(
            {face: Fraction(1, side) for face in range(1, side + 1)} for side in self.sides
        )

    def law(self) -> Law:
        """The value: dice and constant."""
        return mapped(self.rolled(), lambda dice: dice + self.plus)

    def mean(self) -> Fraction:
        """The mean of the value."""
        return expected(self.law(), Fraction)


NO_DICE = Dice(())
"""The number 0."""


def parse_dice(text: int | str) -> Dice:
    """Read a number or a dice expression: `3`, `D6`, `2D3+1`, `D6+3`."""
    if isinstance(text, int) and not isinstance(text, bool):
        return Dice((), text)
    sides: list[int] = []
    plus = 0
    compact = str(text).replace(" ", "").upper()
    terms = re.findall(r"[+-]?[^+-]+", compact)
    if not terms or "".join(terms) != compact:
        raise ValueError(f"not a number or dice expression: {text!r}")
    for term in terms:
        dice = re.fullmatch(r"\+?(\d*)D([36])", term)
        if dice:
            sides += [int(dice[2])] * int(dice[1] or 1)
        elif re.fullmatch(r"[+-]?\d+", term):
            plus += int(term)
        else:
            raise ValueError(f"not a number or dice expression: {text!r}")
    return Dice(tuple(sides), plus)


class Shown(NamedTuple):
    """A die of a roll that lies on the table; fresh: it was not re-rolled yet."""

    face: int
    sides: int
    fresh: bool = True


Roll = tuple[Shown, ...]
"""The dice of one expression, the lowest first."""


def showing(roll: Roll) -> int:
    """The total of the dice, without the constant of the characteristic."""
    return sum(die.face for die in roll)


def fresh(roll: Roll) -> bool:
    """Whether something was rolled and nothing of it re-rolled yet: a sum is re-rolled as a whole,
    once (§1.2).
    """
    return bool(roll) and all(die.fresh for die in roll)


@lru_cache(maxsize=4096)
def rolled(sides: tuple[int, ...], new: bool) -> Law:
    """Law of Roll of dice of these sides; new: they may still be re-rolled."""
    law: Law = certain(())
    for side in sides:
        law = mapped(spread(law, partial(_one_more, side, new)), lambda dice: tuple(sorted(dice)))
    return law


def _one_more(side: int, new: bool, roll: Roll) -> Law:
    faces = range(1, side + 1)
    return {(*roll, Shown(face, side, new)): Fraction(1, side) for face in faces}


def lowest(roll: Roll) -> Shown | None:
    """The lowest die that was not re-rolled yet; of equal ones that with the most sides."""
    found = [die for die in roll if die.fresh]
    return min(found, key=lambda die: (die.face, -die.sides)) if found else None


def others(roll: Roll, die: Shown) -> Roll:
    """The roll without one of its dice."""
    place = roll.index(die)
    return roll[:place] + roll[place + 1 :]


@lru_cache(maxsize=4096)
def first_roll(dice: Dice, again: str) -> Law:
    """Law of Roll after the free re-rolls that are always used: `ones` (a total of 1) or `failed`
    (a total below the mean).
    """
    first = rolled(dice.sides, True)
    middle = expected(first, lambda roll: Fraction(showing(roll)))

    def free(roll: Roll) -> bool:
        total = showing(roll)
        return fresh(roll) and (
            (again == "ones" and total == 1) or (again == "failed" and total < middle)
        )

    return spread(first, lambda roll: rolled(dice.sides, False) if free(roll) else certain(roll))
