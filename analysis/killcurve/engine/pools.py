"""Pools of dice: each success is one mortal wound (RULES.md §9)."""

from __future__ import annotations

import numpy as np

from killcurve.engine.pmf import Pmf


def successes(dice: int, need: int, most: int | None = None) -> Pmf:
    """The law of how many of ``dice`` D6 show ``need``+ (2 to 6), ``most`` at the highest.

    >>> [round(64 * p) for p in successes(6, 4).weights]
    [1, 6, 15, 20, 15, 6, 1]
    >>> round(successes(10, 5, most=6).mean, 9) == round(195446 / 59049, 9)
    True
    """
    chance = (7 - need) / 6
    law = np.ones(1)
    for _ in range(dice):
        law = np.convolve(law, [1 - chance, chance])
    return Pmf(law) if most is None else at_most(Pmf(law), most)


def at_most(law: Pmf, most: int) -> Pmf:
    """The law of min(X, most), for X of 0 or more.

    >>> at_most(Pmf([0.25, 0.25, 0.5]), 1).weights.tolist()
    [0.25, 0.75]
    """
    weights = law.from_zero()
    if len(weights) <= most + 1:
        return law
    return Pmf(np.append(weights[:most], weights[most:].sum()))
