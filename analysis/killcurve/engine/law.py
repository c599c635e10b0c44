"""Generating functions of two counts: sums of independent dice as powers of a small array.

A *law* is a float64 array ``law[n, m]`` = P(N = n, M = m): n ordinary and m special wounds
of the same dice, never treated apart, since one die may feed both (RULES.md §3.3, §4).
All sums are direct: no Fourier transform, so tiny tails stay exact.
"""

from __future__ import annotations

import numpy as np

from killcurve.engine.budget import spend
from killcurve.engine.pmf import FloatArray, Pmf

NOTHING: FloatArray = np.ones((1, 1))
"""The law of no dice at all: N = M = 0 for certain."""


def times(a: FloatArray, b: FloatArray) -> FloatArray:
    """The law of the sums of two independent pairs, by direct convolution.

    >>> times(np.array([[0.5], [0.5]]), np.array([[0.5], [0.5]])).tolist()
    [[0.25], [0.5], [0.25]]
    """
    if a.shape[1] == b.shape[1] == 1:
        spend(3_000 + 0.5 * a.size * b.size)
        return np.convolve(a[:, 0], b[:, 0])[:, None]
    small, large = (a, b) if a.size <= b.size else (b, a)
    spend(4_000 + 2.0 * int(np.count_nonzero(small)) * large.size)
    rows, columns = large.shape
    out = np.zeros((rows + small.shape[0] - 1, columns + small.shape[1] - 1))
    for i, j in np.argwhere(small):
        out[i : i + rows, j : j + columns] += small[i, j] * large
    return out


def power(law: FloatArray, exponent: int) -> FloatArray:
    """The law of ``exponent`` independent dice (0 or more).

    >>> power(np.array([[0.5], [0.5]]), 3)[:, 0].tolist()
    [0.125, 0.375, 0.375, 0.125]
    """
    if law.shape[1] > 1:
        out = NOTHING
        for _ in range(exponent):
            out = trimmed(times(out, law))
        return out
    out, square = NOTHING, law
    while exponent:
        if exponent & 1:
            out = trimmed(times(out, square))
        exponent >>= 1
        if exponent:
            square = trimmed(times(square, square))
    return out


def trimmed(law: FloatArray) -> FloatArray:
    """A law without its highest counts, as far as less than :data:`BEYOND` lies there.

    >>> trimmed(np.array([[1.0, 1e-70], [0.0, 0.0]])).shape
    (1, 1)
    """
    rows = _that_matter(law.sum(axis=1))
    columns = _that_matter(law.sum(axis=0))
    return law[:rows, :columns]


BEYOND = 1e-60
"""So little is no chance at all; what is told of an answer is never below 1e-30."""


def _that_matter(counts: FloatArray) -> int:
    at_least = np.cumsum(counts[::-1])[::-1]
    return max(1, int(np.count_nonzero(at_least > BEYOND)))


def mixture(dice: Pmf, law: FloatArray) -> FloatArray:
    """The law of a random number of independent dice: the sum of P(dice = a) law^a.

    >>> mixture(Pmf([0.5, 0.5]), np.array([[0.5], [0.5]]))[:, 0].tolist()
    [0.75, 0.25]
    """
    if len(dice.weights) == 1:
        return power(law, dice.start)
    out = NOTHING * dice.weights[-1]
    for weight in dice.weights[-2::-1]:
        out = times(out, law)
        out[0, 0] += weight
        out = trimmed(out)
    return times(out, power(law, dice.start)) if dice.start else out


def weighted(*parts: tuple[float, FloatArray]) -> FloatArray:
    """The mixture of several laws with the given weights.

    >>> weighted((0.5, NOTHING), (0.5, np.array([[0.0], [1.0]]))).tolist()
    [[0.5], [0.5]]
    """
    rows = max(law.shape[0] for _, law in parts)
    columns = max(law.shape[1] for _, law in parts)
    out = np.zeros((rows, columns))
    for weight, law in parts:
        out[: law.shape[0], : law.shape[1]] += weight * law
    return out


def thinned(law: FloatArray, chance: float) -> FloatArray:
    """The law when each ordinary wound counts with that chance; special ones stay.

    >>> thinned(np.array([[0.0], [1.0]]), 0.25)[:, 0].tolist()
    [0.75, 0.25]
    """
    keep = np.array([[1 - chance], [chance]])
    out = np.zeros_like(law)
    counted = NOTHING
    spend(law.shape[0] * (5_000 + 1.5 * law.size))
    for row in law:
        out[: counted.shape[0]] += counted * row
        counted = times(counted, keep)
    return out


def collapsed(law: FloatArray) -> FloatArray:
    """The law of the number of wounds of both kinds together, in one column.

    >>> collapsed(np.array([[0.0, 0.5], [0.5, 0.0]]))[:, 0].tolist()
    [0.0, 1.0]
    """
    out = np.zeros((law.shape[0] + law.shape[1] - 1, 1))
    for m, column in enumerate(law.T):
        out[m : m + len(column), 0] += column
    return out[: int(np.flatnonzero(out)[-1]) + 1]


def split(total: FloatArray, share: float) -> FloatArray:
    """The law (n, m) of a number of wounds of which each is special with the same chance.

    >>> split(np.array([0.0, 0.5, 0.5]), 0.5).tolist()
    [[0.0, 0.25, 0.125], [0.25, 0.25, 0.0], [0.125, 0.0, 0.0]]
    """
    size = len(total)
    spend(size * (10_000 + 5.0 * size))
    out = np.zeros((size, size))
    special = np.ones(1)
    for number, chance in enumerate(total):
        m = np.arange(number + 1)
        out[number - m, m] = chance * special
        special = np.append(special * (1 - share), 0.0) + share * np.append(0.0, special)
    return trimmed(out)


def of_damaging(law: FloatArray, ordinary: float, special: float) -> FloatArray:
    """The law of how many wounds do damage, when each kind does with its own chance.

    Where an ordinary and a special wound hurt the target alike, only their number matters.

    >>> of_damaging(np.array([[0.0, 0.5], [0.5, 0.0]]), 0.5, 1.0)[:, 0].tolist()
    [0.25, 0.75]
    """
    return collapsed(thinned(thinned(law, ordinary).T, special).T)
