"""One hit or wound roll of one die, after re-rolls and modifiers (RULES.md §1.2, §3, §4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

FACES = range(1, 7)


class Reroll(Enum):
    """Which dice are rolled again, once (RULES.md §1.2)."""

    NONE = "none"
    ONES = "ones"
    FAILED = "failed"
    NONCRITICAL = "noncritical"


class Chances(NamedTuple):
    """P(failure), P(success that is not critical), P(critical) of one die; they sum to 1."""

    failure: float
    success: float
    critical: float


class Result(Enum):
    """What one face of the die means."""

    FAILURE = 0
    SUCCESS = 1
    CRITICAL = 2


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll of one D6 against ``need``+.

    ``need`` is the number on the card or from the wound table (2 to 7; 7 is reached by a
    critical result only), ``modifier`` the capped sum of roll modifiers, ``critical`` the
    unmodified result from which the roll is a critical success, ``gate`` the unmodified
    result up to which it fails whatever else holds (1; 5 when snap shooting).
    ``critical_if_successful`` makes unmodified results from there on critical when they
    succeed anyway (Conversion).

    >>> Roll(3).chances()
    Chances(failure=0.3333333333333333, success=0.5, critical=0.16666666666666666)
    >>> Roll(3, modifier=-1, reroll=Reroll.ONES).chances().failure  # 1/2 + 1/6 * 1/2 - 1/6
    0.4166666666666667
    >>> Roll(3, gate=5).chances().critical == 1 / 6
    True
    """

    need: int
    modifier: int = 0
    critical: int = 6
    gate: int = 1
    reroll: Reroll = Reroll.NONE
    critical_if_successful: int | None = None

    def result(self, face: int) -> Result:
        """What an unmodified ``face`` (1 to 6) means, RULES.md §3.1."""
        if face <= self.gate:
            return Result.FAILURE
        if face == 6 or face >= self.critical:
            return Result.CRITICAL
        if face + self.modifier < self.need:
            return Result.FAILURE
        at = self.critical_if_successful
        return Result.CRITICAL if at is not None and face >= at else Result.SUCCESS

    def is_rerolled(self, face: int) -> bool:
        """Whether the player rolls an unmodified ``face`` again."""
        if self.reroll is Reroll.ONES:
            return face == 1
        if self.reroll is Reroll.FAILED:
            return self.result(face) is Result.FAILURE
        return self.reroll is Reroll.NONCRITICAL and self.result(face) is not Result.CRITICAL

    def fresh(self) -> Chances:
        """The chances that a die shows this and has not been re-rolled: it still may be.

        They do not sum to 1 where dice are re-rolled.

        >>> Roll(3, reroll=Reroll.ONES).fresh().failure == 1 / 6
        True
        """
        kept = [0, 0, 0]
        for face in FACES:
            kept[self.result(face).value] += not self.is_rerolled(face)
        return Chances(*(k / 6 for k in kept))

    def once(self) -> Chances:
        """The chances of one die that is rolled once, whatever re-rolls there are.

        >>> Roll(3, reroll=Reroll.ONES).once() == Roll(3).chances()
        True
        """
        return replace(self, reroll=Reroll.NONE).chances()

    def chances(self) -> Chances:
        """The chances of one die, re-roll included."""
        return Chances(*(ways / 36 for ways in self.ways()))

    def ways(self) -> tuple[int, int, int]:
        """The chances of failure, success and critical in 36ths, re-roll included.

        >>> Roll(3, reroll=Reroll.ONES).ways()
        (8, 21, 7)
        """
        first = [0, 0, 0]
        kept = [0, 0, 0]
        for face in FACES:
            result = self.result(face).value
            first[result] += 1
            kept[result] += not self.is_rerolled(face)
        again = 6 - sum(kept)
        failure, success, critical = (6 * k + again * f for k, f in zip(kept, first, strict=True))
        return failure, success, critical


SURE = Chances(failure=0.0, success=1.0, critical=0.0)
"""An automatic success: nothing is rolled, so it is never critical (RULES.md §1.1)."""


def wound_need(strength: int, toughness: int) -> int:
    """What the wound roll needs (RULES.md §1.4).

    >>> [wound_need(s, t) for s, t in [(4, 8), (4, 7), (8, 4), (7, 4), (4, 4)]]
    [6, 5, 2, 3, 4]
    """
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def capped(modifier: int, cap: int | None) -> int:
    """A sum of roll modifiers within -cap and +cap; no cap leaves it alone."""
    return modifier if cap is None else max(-cap, min(cap, modifier))
