"""Dice expressions: ``D6``, ``2D3+1``, ``4`` (RULES.md §1.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from killcurve.engine.pmf import Pmf

_EXPRESSION = re.compile(r"(?:(\d*)\s*D\s*(\d+))?\s*(?:(\+)?\s*(\d+))?", re.IGNORECASE)
_SIDES = (3, 6)
MOST_DICE = 20
MOST_BONUS = 1000


@dataclass(frozen=True, slots=True)
class Dice:
    """``count`` dice of ``sides`` sides plus ``bonus``; no dice at all is a plain number.

    The bonus belongs to the characteristic, it is not a modifier (RULES.md §1.1).

    Raises:
        ValueError: for dice the game does not have, or counts it never prints.

    >>> Dice.parse("2d3 + 1")
    Dice(count=2, sides=3, bonus=1)
    >>> str(Dice.parse("D6+2")), str(Dice.parse(4))
    ('D6+2', '4')
    >>> Dice.parse("D7")
    Traceback (most recent call last):
    ...
    ValueError: 'D7': the game rolls D3 and D6
    """

    count: int = 0
    sides: int = 6
    bonus: int = 0

    def __post_init__(self) -> None:
        if self.count and self.sides not in _SIDES:
            raise ValueError(f"'{self}': the game rolls D3 and D6")
        if not (0 <= self.count <= MOST_DICE and 0 <= self.bonus <= MOST_BONUS):
            raise ValueError(
                f"'{self}': at most {MOST_DICE} dice and a number from 0 to {MOST_BONUS}"
            )

    @classmethod
    def parse(cls, expression: object) -> Dice:
        """Read a characteristic as printed: an integer or a dice expression in any case.

        Raises:
            ValueError: naming the expression, and what is understood.

        >>> Dice.parse("D6 ").mean
        3.5
        >>> Dice.parse("2x")
        Traceback (most recent call last):
        ...
        ValueError: '2x' is neither a number nor dice such as 3, D6, 2D3+1
        """
        if isinstance(expression, Dice):
            return expression
        if isinstance(expression, bool) or not isinstance(expression, int | str):
            raise ValueError(f"{expression!r} is neither a number nor dice such as 3, D6, 2D3+1")
        return _parse(str(expression).strip())

    @property
    def is_fixed(self) -> bool:
        """Whether the value is certain."""
        return self.count == 0

    @property
    def minimum(self) -> int:
        """The smallest value."""
        return self.count + self.bonus

    @property
    def maximum(self) -> int:
        """The largest value."""
        return self.count * self.sides + self.bonus

    @property
    def mean(self) -> float:
        """The expected value."""
        return self.count * (self.sides + 1) / 2 + self.bonus

    @property
    def pmf(self) -> Pmf:
        """The law of the value; a D3 is half a D6 rounded up, so each of 1, 2, 3 has 1/3.

        >>> Dice.parse("D3+1").pmf.weights.round(3).tolist(), Dice.parse("D3+1").pmf.start
        ([0.333, 0.333, 0.333], 2)
        """
        return _pmf(self)

    def __str__(self) -> str:
        if not self.count:
            return str(self.bonus)
        dice = f"{self.count if self.count > 1 else ''}D{self.sides}"
        return f"{dice}+{self.bonus}" if self.bonus else dice


@lru_cache(maxsize=4096)
def _parse(text: str) -> Dice:
    found = _EXPRESSION.fullmatch(text)
    if not text or not found or (found[2] and found[4] and not found[3]):
        raise ValueError(f"'{text}' is neither a number nor dice such as 3, D6, 2D3+1")
    count, sides, plus, number = found.groups()
    if any(len(part) > 6 for part in (count or "", sides or "", number or "")):
        raise ValueError(f"'{text[:20]}…' has more digits than any characteristic has")
    if sides is None:
        if plus:
            raise ValueError(f"'{text}' is neither a number nor dice such as 3, D6, 2D3+1")
        return Dice(bonus=int(number))
    return Dice(count=int(count or 1), sides=int(sides), bonus=int(number or 0))


@lru_cache(maxsize=1024)
def _pmf(dice: Dice) -> Pmf:
    law = Pmf.point(dice.bonus)
    for _ in range(dice.count):
        law = law + Pmf(np.full(dice.sides, 1 / dice.sides), start=1)
    return law
