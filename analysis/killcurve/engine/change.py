"""Changes of a characteristic, applied in the edition's order (RULES.md §1.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from killcurve.engine.dice import Dice
from killcurve.engine.edition import Edition
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.roll import Reroll


@dataclass(frozen=True, slots=True)
class Change:
    """What happens to one characteristic: set, then multiply, divide, add and subtract.

    ``replaced`` is the value that stands in for the printed one (``None``: the printed one).
    ``added`` and ``removed`` are whole numbers, none negative; ``divisor`` is 1 or more.
    ``added_dice`` are rolled on top (``attacks +D3``).

    >>> from killcurve.engine.edition import edition
    >>> melta_halved = Change(added=2, divisor=2, removed=1)
    >>> [melta_halved.apply(r, edition("11e")) for r in range(1, 7)]
    [1, 1, 2, 2, 3, 3]
    >>> [melta_halved.apply(r, edition("10e")) for r in range(1, 7)]
    [2, 2, 3, 3, 4, 4]
    """

    replaced: Dice | None = None
    added: int = 0
    divisor: int = 1
    removed: int = 0
    added_dice: tuple[Dice, ...] = ()

    def __add__(self, other: Change) -> Change:
        """Both changes together; of two replacements the later one stands.

        >>> (Change(added=1) + Change(added=1, divisor=2)).added
        2
        """
        return Change(
            replaced=self.replaced if other.replaced is None else other.replaced,
            added=self.added + other.added,
            divisor=self.divisor * other.divisor,
            removed=self.removed + other.removed,
            added_dice=self.added_dice + other.added_dice,
        )

    def apply(self, value: int, edition: Edition) -> int:
        """The characteristic that ``value`` becomes; fractions round up, never below 1.

        A value that was set to 0 is frozen there (RULES.md §1.3, step 1).
        """
        if self.replaced == Dice() and value == 0:
            return 0
        if edition.divide_first:
            changed = -(-value // self.divisor) + self.added
        else:
            changed = -(-(value + self.added) // self.divisor)
        return max(1, changed - self.removed)

    def law(self, printed: Dice, edition: Edition, reroll: Reroll = Reroll.NONE) -> Pmf:
        """The law of the changed characteristic; ``reroll`` makes its roll again.

        >>> from killcurve.engine.edition import edition
        >>> Change(removed=1).law(Dice.parse("D3"), edition("10e")).weights.round(3).tolist()
        [0.667, 0.333]
        """
        base = rerolled(printed if self.replaced is None else self.replaced, reroll)
        for dice in self.added_dice:
            base = base + dice.pmf
        if self == UNCHANGED:
            return Pmf(base.weights, base.start)
        pairs = zip(base.values.tolist(), base.weights.tolist(), strict=True)
        return Pmf.of_values((self.apply(v, edition), p) for v, p in pairs)


def rerolled(dice: Dice, how: Reroll) -> Pmf:
    """The law of a roll that may be made again whole: where it shows 1, or is below its mean.

    >>> rerolled(Dice.parse("D6"), Reroll.FAILED).mean  # (3.5 + 5) / 2
    4.25
    >>> round(rerolled(Dice.parse("D6"), Reroll.ONES).mean, 6)
    3.916667
    """
    kept, again = kept_and_again(dice, how)
    return Pmf(kept + again, dice.minimum)


def kept_and_again(dice: Dice, how: Reroll) -> tuple[FloatArray, FloatArray]:
    """P(value stands as first rolled) and P(value comes of a free re-roll), least value first.

    >>> [part.round(3).tolist() for part in kept_and_again(Dice.parse("D3"), Reroll.ONES)]
    [[0.0, 0.333, 0.333], [0.111, 0.111, 0.111]]
    """
    law = dice.pmf
    if how is Reroll.NONE or dice.is_fixed:
        return law.weights, np.zeros_like(law.weights)
    low = law.values < law.mean if how is not Reroll.ONES else law.values - dice.bonus == 1
    return np.where(low, 0.0, law.weights), float(law.weights[low].sum()) * law.weights


UNCHANGED = Change()


def added(dice: Dice) -> Change:
    """So much more, whether it is a number or rolled.

    >>> added(Dice.parse(2)).added, added(Dice.parse("D3")).added_dice[0].sides
    (2, 3)
    """
    return Change(added=dice.bonus) if dice.is_fixed else Change(added_dice=(dice,))
