"""One probability mass function on the integers: the currency of the engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Pmf:
    """P(X = start + i) = weights[i], for an integer X (attacks, hits, wounds, models).

    ``weights`` is one-dimensional float64, none negative, and sums to 1 within 1e-12.
    It is copied and made read-only, so a Pmf can be shared, compared and hashed.

    Raises:
        ValueError: if the weights are empty, negative, not finite or do not sum to one.

    >>> d3 = Pmf([1 / 3, 1 / 3, 1 / 3], start=1)
    >>> round(d3.mean, 12), round(d3.at_least(2), 12)
    (2.0, 0.666666666667)
    >>> Pmf([0.5, 0.4])
    Traceback (most recent call last):
    ...
    ValueError: the weights of a Pmf sum to 0.9, not to 1
    """

    weights: FloatArray
    start: int = 0

    def __init__(self, weights: Iterable[float] | FloatArray, start: int = 0) -> None:
        array = np.array(
            weights if isinstance(weights, np.ndarray) else list(weights), dtype=np.float64
        )
        if array.ndim != 1 or array.size == 0:
            raise ValueError(
                f"the weights of a Pmf are one row of numbers, not shape {array.shape}"
            )
        if not np.all(array >= 0):
            raise ValueError("the weights of a Pmf are probabilities: none below zero")
        total = float(array.sum())
        if not abs(total - 1.0) <= TOLERANCE:
            raise ValueError(f"the weights of a Pmf sum to {total:.12g}, not to 1")
        array.setflags(write=False)
        object.__setattr__(self, "weights", array)
        object.__setattr__(self, "start", int(start))

    @classmethod
    def point(cls, value: int) -> Pmf:
        """The law of a number that is always ``value``.

        >>> Pmf.point(3).mean
        3.0
        """
        return cls([1.0], start=value)

    @classmethod
    def summed(cls, weights: FloatArray) -> Pmf:
        """The law that the engine's own sums have made, from 0 on; nothing is checked again."""
        made = object.__new__(cls)
        weights.setflags(write=False)
        object.__setattr__(made, "weights", weights)
        object.__setattr__(made, "start", 0)
        return made

    @classmethod
    def of_values(cls, values: Iterable[tuple[int, float]]) -> Pmf:
        """The law with the given (value, probability) pairs; equal values are added up.

        >>> Pmf.of_values([(2, 0.25), (0, 0.5), (2, 0.25)]).weights.tolist()
        [0.5, 0.0, 0.5]
        """
        pairs = list(values)
        low, high = min(v for v, _ in pairs), max(v for v, _ in pairs)
        weights = np.zeros(high - low + 1)
        for value, probability in pairs:
            weights[value - low] += probability
        return cls(weights, start=low)

    @property
    def stop(self) -> int:
        """The largest value with a weight, plus one."""
        return self.start + len(self.weights)

    @property
    def values(self) -> npt.NDArray[np.int64]:
        """The values that the weights belong to."""
        return np.arange(self.start, self.stop)

    @property
    def mean(self) -> float:
        """The expected value."""
        return float(self.weights @ self.values)

    @property
    def sd(self) -> float:
        """The standard deviation.

        >>> round(Pmf([0.5, 0.5]).sd, 12)
        0.5
        """
        return float(np.sqrt(max(0.0, float(self.weights @ (self.values - self.mean) ** 2))))

    def probability(self, value: int) -> float:
        """P(X = value), zero outside the support."""
        index = value - self.start
        return float(self.weights[index]) if 0 <= index < len(self.weights) else 0.0

    def at_least(self, value: int) -> float:
        """P(X >= value): the survival curve that players read.

        >>> Pmf([0.25, 0.5, 0.25]).at_least(1)
        0.75
        """
        return float(self.weights[max(0, value - self.start) :].sum())

    def at_most(self, value: int) -> float:
        """P(X <= value)."""
        return float(self.weights[: max(0, value - self.start + 1)].sum())

    def survival(self) -> FloatArray:
        """P(X >= k) for k = 0, 1, ..., stop - 1, summed from the tail: small ones stay exact.

        >>> Pmf([0.25, 0.5, 0.25]).survival().tolist()
        [1.0, 0.75, 0.25]
        """
        return np.cumsum(self.from_zero()[::-1])[::-1]

    def quantile(self, share: float) -> int:
        """The smallest value v with P(X <= v) >= share, for a share in [0, 1].

        A share that is met up to rounding counts as met.

        >>> Pmf([0.1, 0.8, 0.1]).quantile(0.1), Pmf([0.1, 0.8, 0.1]).quantile(0.91)
        (0, 2)
        """
        if not 0 <= share <= 1:
            raise ValueError(f"a quantile is asked for a share between 0 and 1, not {share}")
        reached = np.cumsum(self.weights) >= share - TOLERANCE
        return self.start + int(np.argmax(reached))

    def from_zero(self) -> FloatArray:
        """The weights of 0, 1, 2, ...: what a scenario's answer carries.

        Raises:
            ValueError: if the law reaches below zero.
        """
        if self.start < 0:
            raise ValueError("this law has negative values")
        return np.concatenate([np.zeros(self.start), self.weights])

    def __add__(self, other: Pmf | int) -> Pmf:
        """The law of the sum of two independent numbers.

        >>> (Pmf([0.5, 0.5]) + Pmf([0.5, 0.5])).weights.tolist()
        [0.25, 0.5, 0.25]
        """
        if isinstance(other, int):
            return Pmf(self.weights, self.start + other)
        return Pmf(np.convolve(self.weights, other.weights), self.start + other.start)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Pmf)
            and self.start == other.start
            and np.array_equal(self.weights, other.weights)
        )

    def __hash__(self) -> int:
        return hash((self.start, self.weights.tobytes()))
