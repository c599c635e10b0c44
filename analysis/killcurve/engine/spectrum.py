"""Laws of counts from their generating functions, read off on the unit circle.

Whatever happens n times on the way to some outcome is counted by a *mark*: a number z that a
probability is multiplied with each time. The total is then E[z^n]; with z = 1 it is 1.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from killcurve.engine.pmf import Pmf

NUDGE = 1e-20j
"""So small a step away from 1 that E[(1 + step)^n] - 1 is the mean times it, exactly."""


def law_of_count(generating: Callable[[complex], complex], most: int) -> Pmf:
    """The law of a count of 0 to ``most``, from its generating function E[z^n].

    Absolute errors are of the order of 1e-16; what is below 1e-15 is taken for nothing.

    >>> law_of_count(lambda z: 0.25 + 0.5 * z + 0.25 * z**2, 2).weights.round(12).tolist()
    [0.25, 0.5, 0.25]
    """
    size = most + 1
    around = np.exp(-2j * np.pi * np.arange(size // 2 + 1) / size)
    weights = np.fft.irfft([generating(z) for z in around.tolist()], n=size)
    weights = np.where(weights < 1e-15, 0.0, weights)
    return Pmf(weights / weights.sum())


def mean_of_count(generating: Callable[[complex], complex]) -> float:
    """The mean of a count, from its generating function.

    >>> mean_of_count(lambda z: 0.25 + 0.5 * z + 0.25 * z**2)
    1.0
    """
    return (generating(1 + NUDGE) / NUDGE).real
