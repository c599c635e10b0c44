"""Dice that lie on the table: which of them a player may still change, and is well advised to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from killcurve.engine.decisions.links import Link, Relabel
from killcurve.engine.roll import Chances, Roll
from killcurve.engine.weapon import Use

Uses = Sequence[tuple[Use, Link]]
"""The rights on a kind of roll, each with the link that uses it up."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Dice that are alike: successes or failures, and their chances if they are rolled once more.

    ``again`` is ``None`` for dice that have been re-rolled: no die is re-rolled twice.
    """

    success: bool
    again: Chances | None


STALE_FAILURE, STALE_SUCCESS = Kind(False, None), Kind(True, None)


class DiceTable:
    """The dice worth remembering for so many rights, as places of an axis.

    A place tells how many dice of each kind lie there. Critical successes are left alone, so they
    are not among them. With U rights at most U dice change: the best ones for it are failures
    that may be re-rolled, the likeliest to succeed first; then other failures (they may be set
    to 6); then successes that may be re-rolled, fishing for a critical; then other successes.

    >>> from killcurve.engine.decisions.links import Shift
    >>> table = DiceTable([Roll(4)], [(Use.REROLL, Shift(0, -1))])
    >>> table.size, table.empty, [table.kinds[0].success, table.kinds[1].success]
    (3, 0, [False, True])
    >>> table.adding(table.kinds[1]).places  # nothing there, a success, a failure
    (1, 1, 2)
    """

    def __init__(self, rolls: Sequence[Roll], uses: Uses) -> None:
        self._rights = len(uses)
        self._sixes = sum(use is Use.SIX for use, _ in uses)
        kinds: list[Kind] = []
        if self._rights > self._sixes:
            again = sorted({roll.once() for roll in rolls}, key=lambda c: c.failure)
            kinds += [Kind(False, c) for c in again] + [Kind(True, c) for c in again]
        if self._sixes:
            kinds.insert(len(kinds) // 2, STALE_FAILURE)
            kinds.append(STALE_SUCCESS)
        self.kinds = tuple(kinds)
        every = product(range(self._rights + 1), repeat=len(kinds))
        self._places = {p: i for i, p in enumerate(p for p in every if self._worth(p) == p)}

    @property
    def size(self) -> int:
        """Places of the axis; one where there is no right."""
        return len(self._places)

    @property
    def empty(self) -> int:
        """The place of a table without such dice."""
        return 0

    def kind(self, success: bool, again: Chances | None) -> Kind:
        """The kind of a die, as far as it matters here."""
        return Kind(success, again if self._rights > self._sixes else None)

    def adding(self, kind: Kind) -> Relabel:
        """One more die lies there."""
        if kind not in self.kinds:
            return Relabel(tuple(range(self.size)))
        return Relabel(
            tuple(self._places[self._worth(self._more(p, kind, 1))] for p in self._places)
        )

    def taking(self, kind: Kind) -> Relabel:
        """One die is taken away; where there is none, the attacker cannot do that."""
        places = tuple(self._places.get(self._more(p, kind, -1)) for p in self._places)
        return Relabel(places, outside=-math.inf)

    def _more(self, counts: tuple[int, ...], kind: Kind, by: int) -> tuple[int, ...]:
        k = self.kinds.index(kind)
        return (*counts[:k], counts[k] + by, *counts[k + 1 :])

    def _worth(self, counts: tuple[int, ...]) -> tuple[int, ...]:
        left, out = self._rights, []
        for kind, count in zip(self.kinds, counts, strict=True):
            kept = min(count, left if kind.again else min(left, self._sixes))
            out.append(kept)
            left -= kept
        return tuple(out)
