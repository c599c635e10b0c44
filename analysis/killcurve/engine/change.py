"""Changes of a characteristic, applied in the edition's order (RULES.md §1.3)."""

from __future__ import annotations

from dataclasses import dataclass

from killcurve.engine.dice import Dice
from killcurve.engine.edition import Edition
from killcurve.engine.pmf import Pmf


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

    def law(self, printed: Dice, edition: Edition) -> Pmf:
        """The law of the changed characteristic.

        >>> from killcurve.engine.edition import edition
        >>> Change(removed=1).law(Dice.parse("D3"), edition("10e")).weights.round(3).tolist()
        [0.667, 0.333]
        """
        base = (printed if self.replaced is None else self.replaced).pmf
        for dice in self.added_dice:
            base = base + dice.pmf
        if self == Change():
            return Pmf(base.weights, base.start)
        pairs = zip(base.values.tolist(), base.weights.tolist(), strict=True)
        return Pmf.of_values((self.apply(v, edition), p) for v, p in pairs)


UNCHANGED = Change()
