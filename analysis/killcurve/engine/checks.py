"""Rolls made for a whole unit: battle-shock, charges, advances (RULES.md §1.1, §1.2, §9)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import product

from killcurve.engine.edition import Edition
from killcurve.engine.pmf import Pmf
from killcurve.engine.roll import FACES

MOST_DICE = 4
MOST_MODIFIER = 20
HIGHEST_LEADERSHIP = 12
SAME_PLACE = 1e-9
"""Inches by which a distance may miss a whole number and still be meant as it."""


class Kept(Enum):
    """Which of the dice rolled together are added up."""

    ALL = "all"
    HIGHEST_TWO = "the highest two"
    LOWEST_TWO = "the lowest two"


class CheckReroll(Enum):
    """What may be rolled again, once, where the roll falls short (RULES.md §1.2, §9)."""

    NONE = "none"
    WHOLE = "the whole roll"
    ONE_DIE = "one die"


@dataclass(frozen=True, slots=True)
class UnitRoll:
    """``dice`` D6 rolled together, those ``kept`` added up and changed by ``modifier``.

    The player knows the need and the modifier before deciding on the ``reroll``: it is used on
    failures alone, and one die is the one that makes success most likely (then the total the
    highest on average). Dice are rolled again before any is put aside. A total below 1 counts
    as 1 (RULES.md §1.1).

    Raises:
        ValueError: for dice, or a modifier, beyond what the game has.

    >>> round(36 * UnitRoll().passes(7))
    21
    >>> round(216 * UnitRoll(reroll=CheckReroll.ONE_DIE).passes(7))
    174
    >>> UnitRoll(dice=0)
    Traceback (most recent call last):
    ...
    ValueError: dice is 0; whole numbers from 1 to 4 are possible
    """

    dice: int = 2
    kept: Kept = Kept.ALL
    modifier: int = 0
    reroll: CheckReroll = CheckReroll.NONE

    def __post_init__(self) -> None:
        _check("dice", self.dice, 1, MOST_DICE)
        _check("modifier", self.modifier, -MOST_MODIFIER, MOST_MODIFIER)
        if self.kept is not Kept.ALL and self.dice < 2:
            raise ValueError(f"{self.kept.value} of one die cannot be kept; roll two or more dice")

    def total(self, faces: Sequence[int]) -> int:
        """What dice that show these faces come to.

        >>> UnitRoll(dice=3, kept=Kept.LOWEST_TWO, modifier=1).total((6, 2, 5))
        8
        """
        low_first = sorted(faces)
        if self.kept is Kept.HIGHEST_TWO:
            low_first = low_first[-2:]
        elif self.kept is Kept.LOWEST_TWO:
            low_first = low_first[:2]
        return max(1, sum(low_first) + self.modifier)

    def law(self, need: int | None = None) -> Pmf:
        """The law of the total, when a re-roll is used on totals below ``need``.

        Raises:
            ValueError: if there is a re-roll and no need: whether to use it depends on that.

        >>> UnitRoll(dice=1, modifier=2).law().start, UnitRoll(dice=3).law().mean.__round__(9)
        (3, 10.5)
        >>> UnitRoll(reroll=CheckReroll.WHOLE).law()
        Traceback (most recent call last):
        ...
        ValueError: the whole roll may be rolled again: give the need that decides when it is
        """
        counts = self._counts(need)
        whole = sum(counts)
        first = next(total for total, count in enumerate(counts) if count)
        return Pmf([count / whole for count in counts[first:]], start=first)

    def passes(self, need: int) -> float:
        """P(the total is ``need`` or more).

        >>> UnitRoll(reroll=CheckReroll.WHOLE).passes(7) == 1 - (15 / 36) ** 2
        True
        """
        counts = self._counts(need)
        return sum(counts[max(0, need) :]) / sum(counts)

    def _counts(self, need: int | None) -> tuple[int, ...]:
        if need is None and self.reroll is not CheckReroll.NONE:
            raise ValueError(
                f"{self.reroll.value} may be rolled again: give the need that decides when it is"
            )
        return _counted(self, 0 if need is None else need)


@lru_cache(maxsize=1024)
def _counted(roll: UnitRoll, need: int) -> tuple[int, ...]:
    """How many equally likely courses end in each total, from 0 up."""
    every = list(product(FACES, repeat=roll.dice))
    plain = [roll.total(faces) for faces in every]
    # Each first roll stands for as many courses as a re-roll can take.
    courses = {CheckReroll.NONE: 1, CheckReroll.WHOLE: len(every), CheckReroll.ONE_DIE: 6}
    counts = [0] * (max(plain) + 1)
    for faces, total in zip(every, plain, strict=True):
        if total >= need or roll.reroll is CheckReroll.NONE:
            counts[total] += courses[roll.reroll]
            continue
        for again in plain if roll.reroll is CheckReroll.WHOLE else _one_again(roll, faces, need):
            counts[again] += 1
    return tuple(counts)


def _one_again(roll: UnitRoll, faces: tuple[int, ...], need: int) -> list[int]:
    """The totals, face by face, of rolling again the die that serves best."""
    options = [
        [roll.total((*faces[:i], face, *faces[i + 1 :])) for face in FACES]
        for i in range(roll.dice)
    ]
    return max(options, key=lambda totals: (sum(t >= need for t in totals), sum(totals)))


def command_reroll(edition: Edition, *, charge: bool = False) -> CheckReroll:
    """What the Command Re-roll stratagem rolls again of an advance or a charge (RULES.md §9).

    One die of those rolled together in the 11th edition, but all of a charge; the whole roll
    before. Battle-shock tests are not among the rolls it may be used on.

    >>> from killcurve.engine.edition import edition
    >>> command_reroll(edition("11e")).value, command_reroll(edition("10e")).value
    ('one die', 'the whole roll')
    """
    one_die = edition.rerolls_one_die and not charge
    return CheckReroll.ONE_DIE if one_die else CheckReroll.WHOLE


def battle_shock(
    leaderships: Iterable[int],
    *,
    dice: int = 2,
    kept: Kept = Kept.ALL,
    modifier: int = 0,
    reroll: CheckReroll = CheckReroll.NONE,
) -> float:
    """P(a unit passes a battle-shock or other Leadership test).

    ``leaderships`` are those of its models (6 for 6+): the best counts, and the test is passed
    on a total that reaches it. Inferred: RULES.md has no section on these tests.

    Raises:
        ValueError: without models, or for a Leadership that no model has.

    >>> round(36 * battle_shock([7, 6])), round(36 * battle_shock([6], modifier=-1))
    (26, 21)
    >>> battle_shock([])
    Traceback (most recent call last):
    ...
    ValueError: no Leadership is given; a test needs that of one model at least, such as [6]
    """
    known = list(leaderships)
    if not known:
        raise ValueError(
            "no Leadership is given; a test needs that of one model at least, such as [6]"
        )
    for leadership in known:
        _check("leadership", leadership, 2, HIGHEST_LEADERSHIP)
    return UnitRoll(dice, kept, modifier, reroll).passes(min(known))


def charge_need(distance: float, edition: Edition) -> int:
    """The charge roll that brings a unit ``distance`` inches away within engagement range.

    Whether a charge may be declared from there is not asked; 0 where the units are engaged.

    Raises:
        ValueError: for a distance below zero, or none at all.

    >>> from killcurve.engine.edition import edition
    >>> [charge_need(d, edition("11e")) for d in (9, 8.5, 2)], charge_need(9, edition("10e"))
    ([7, 7, 0], 8)
    """
    return max(0, _inches(distance, "distance") - edition.engagement_range)


def charge(
    distance: float,
    edition: Edition,
    *,
    dice: int = 2,
    kept: Kept = Kept.ALL,
    modifier: int = 0,
    reroll: CheckReroll = CheckReroll.NONE,
) -> float:
    """P(a charge at a unit ``distance`` inches away arrives), RULES.md §9, §12.

    The total has to reach the distance less the engagement range (see :func:`charge_need`).

    Raises:
        ValueError: for an impossible distance, or a re-roll of one die: a charge roll is rolled
            again as a whole.

    >>> from killcurve.engine.edition import edition
    >>> round(36 * charge(9, edition("11e"))), round(36 * charge(9, edition("10e")))
    (21, 15)
    """
    if reroll is CheckReroll.ONE_DIE:
        raise ValueError(
            "one die of a charge cannot be rolled again; all of them can (CheckReroll.WHOLE)"
        )
    return UnitRoll(dice, kept, modifier, reroll).passes(charge_need(distance, edition))


def advance(inches: float, *, modifier: int = 0, reroll: CheckReroll = CheckReroll.NONE) -> float:
    """P(an advance roll, one D6, adds ``inches`` or more to a unit's move).

    The law of the roll is ``UnitRoll(dice=1, …).law(need)``; a need of 4 rolls 1 to 3 again,
    which is the longest on average.

    Raises:
        ValueError: for a distance below zero, or none at all.

    >>> advance(3.5), advance(4, reroll=CheckReroll.ONE_DIE)
    (0.5, 0.75)
    """
    return UnitRoll(1, Kept.ALL, modifier, reroll).passes(_inches(inches, "inches"))


def _inches(value: float, name: str) -> int:
    """The whole inches that reach a distance."""
    if not (isinstance(value, int | float) and math.isfinite(value) and value >= 0):
        raise ValueError(f"{name} is {value!r}; inches are a number of 0 or more, such as 7.5")
    return math.ceil(value - SAME_PLACE)


def _check(name: str, value: int, low: int, high: int) -> None:
    if not (isinstance(value, int) and low <= value <= high):
        raise ValueError(f"{name} is {value!r}; whole numbers from {low} to {high} are possible")
