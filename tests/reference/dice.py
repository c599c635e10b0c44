"""Dice expressions and finite probability laws in exact fractions (RULES.md §1.1, §1.2).

A law is a plain dictionary: value -> probability.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

Law = dict[Any, Fraction]

FACES: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
SIXTH = Fraction(1, 6)


def certain(value: Any) -> Law:
    """The law of something that is sure to be `value`."""
    return {value: Fraction(1)}


def spread(law: Law, follow: Callable[[Any], Law]) -> Law:
    """What comes out when each value of `law` is followed by the law `follow(value)`."""
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
    return sum((chance * worth(value) for value, chance in law.items()), Fraction(0))


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


@lru_cache(maxsize=4096)
def roll(dice: Dice, again: str, spare: tuple[str, ...] = ()) -> Law:
    """A damage or attacks roll with re-rolls: law of (value, tokens used), tokens used being 0 or
    1.

    `again` is `none`, `ones` (a total of 1) or `failed` (a total below its mean); `spare` are
    single re-rolls still unused, the first of which is spent on a total below the mean. A sum of
    dice is re-rolled as a whole, once (§1.2).
    """
    first = dice.rolled()
    middle = expected(first, Fraction)
    result: Law = {}

    def add(value: int, used: int, chance: Fraction) -> None:
        key = (value + dice.plus, used)
        result[key] = result.get(key, Fraction(0)) + chance

    for value, chance in first.items():
        below = dice.random and value < middle
        free = (again == "ones" and dice.random and value == 1) or (again == "failed" and below)
        if not free and below and spare and len(dice.sides) > 1:
            raise NotImplementedError("a single re-roll of a roll of several dice")
        if free or (below and spare):
            for second, further in first.items():
                add(second, 0 if free else 1, chance * further)
        else:
            add(value, 0, chance)
    return result
