"""Rights as axes: each right of a volley is an axis of size two before the target's states.

Place 1 of its axis means that the right is still there, place 0 that it is used up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from killcurve.engine.decisions.links import Link, Shift
from killcurve.engine.pmf import FloatArray
from killcurve.engine.weapon import Right, Rolled, Use, WeaponLine


class Rights:
    """The rights of a volley and their axes.

    >>> from killcurve.engine.weapon import Right, Rolled, Use
    >>> right = Right(Rolled.HITS, Use.REROLL)
    >>> rights = Rights((right,))
    >>> rights.fresh(np.array([1.0, 0.0])).tolist()
    [[0.0, 0.0], [1.0, 0.0]]
    """

    def __init__(self, rights: Sequence[Right]) -> None:
        self.all = tuple(rights)

    def usable(self, line: WeaponLine, rolled: Rolled) -> list[tuple[Use, Link]]:
        """The rights that a line has on a kind of roll, with the link that uses each up.

        Using one that is gone is infinitely bad for its owner, so it is never chosen.
        """
        return [
            (right.use, self._spend(i))
            for i, right in enumerate(self.all)
            if right in line.rights
            and right.rolled.covers(rolled)
            and not _barred(right, line, rolled)
        ]

    def _spend(self, number: int) -> Shift:
        bad = math.inf if self.all[number].is_defenders else -math.inf
        return Shift(axis=number - len(self.all) - 1, by=-1, outside=bad)

    def fresh(self, law: FloatArray) -> FloatArray:
        """A law of states, with all rights still there."""
        for _ in self.all:
            law = np.stack([np.zeros_like(law), law])
        return law

    def whatever(self, value: FloatArray) -> FloatArray:
        """A value of states, the same whatever rights are left."""
        return np.broadcast_to(value, (*(2 for _ in self.all), *value.shape)).copy()

    def used(self, law: FloatArray) -> dict[Right, float]:
        """For each right the chance that it is used up, in a law of the end."""
        axes = law.reshape(*(2 for _ in self.all), -1)
        return {right: float(axes.take(0, axis=i).sum()) for i, right in enumerate(self.all)}

    def forget(self, law: FloatArray) -> FloatArray:
        """The law of the states alone."""
        return np.asarray(law.reshape(-1, law.shape[-1]).sum(axis=0))


def _barred(right: Right, line: WeaponLine, rolled: Rolled) -> bool:
    barred = rolled is Rolled.HITS and line.modifiers.bars_hit_rerolls
    return barred and right.use is Use.REROLL
