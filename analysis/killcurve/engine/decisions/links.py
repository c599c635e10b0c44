"""Links between situations: linear operations that values go back over and probabilities forward.

For every link ``pull`` and ``push`` are adjoint: the value pulled back, weighted with a law, is the
value weighted with that law pushed forward.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from killcurve.engine.losses import moved
from killcurve.engine.packets import Map
from killcurve.engine.pmf import FloatArray
from killcurve.engine.states import BoolArray, IntArray


class Link(Protocol):
    """A linear operation in both directions."""

    def pull(self, value: FloatArray) -> FloatArray:
        """The value before, from the value after."""
        ...

    def push(self, law: FloatArray) -> FloatArray:
        """The probabilities after, from those before."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Weight:
    """A chance, or an array of chances that the value's axes are broadcast against."""

    by: float | FloatArray | BoolArray

    def pull(self, value: FloatArray) -> FloatArray:
        """Times the chance."""
        return np.asarray(_times(self.by, value))

    def push(self, law: FloatArray) -> FloatArray:
        """Times the chance."""
        return np.asarray(self.by * law)


def _times(by: float | FloatArray | BoolArray, value: FloatArray) -> FloatArray:
    """by * value, with nothing coming of what has no chance, however bad it is."""
    with np.errstate(invalid="ignore"):
        product = by * value
    return np.asarray(np.where(np.asarray(by) == 0, 0.0, product))


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A map of the target's states, along the last axis."""

    map: Map

    def pull(self, value: FloatArray) -> FloatArray:
        """The expected value after the map."""
        flat = value.reshape(-1, value.shape[-1])
        return np.asarray((self.map @ flat.T).T).reshape(value.shape)

    def push(self, law: FloatArray) -> FloatArray:
        """The law after the map."""
        return moved(law, self.map)


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """A counter goes up (or a right is used up: down) by a fixed number along one axis.

    Where that is beyond the axis the value is ``outside`` (infinitely bad for who would do it).
    """

    axis: int
    by: int
    outside: float = 0.0

    def pull(self, value: FloatArray) -> FloatArray:
        """The value at the counter's new place."""
        out = np.full_like(value, self.outside)
        before, after = self._slices(value.ndim, value.shape[self.axis])
        out[before] = value[after]
        return out

    def push(self, law: FloatArray) -> FloatArray:
        """The law, moved to the counter's new place."""
        out = np.zeros_like(law)
        before, after = self._slices(law.ndim, law.shape[self.axis])
        out[after] = law[before]
        return out

    def _slices(self, dimensions: int, size: int) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
        low, high = (0, size - self.by) if self.by >= 0 else (-self.by, size)
        here = [slice(None)] * dimensions
        there = [slice(None)] * dimensions
        here[self.axis] = slice(low, max(low, high))
        there[self.axis] = slice(low + self.by, max(low, high) + self.by)
        return tuple(here), tuple(there)


@dataclass(frozen=True, slots=True, eq=False)
class Select:
    """One place of a leading axis of what follows: the axis is not there before.

    ``index`` is a place along ``axis`` of the value after.
    """

    index: int
    size: int

    def pull(self, value: FloatArray) -> FloatArray:
        """The value at that place."""
        return np.asarray(value[self.index])

    def push(self, law: FloatArray) -> FloatArray:
        """The law, at that place of an axis that begins here."""
        out = np.zeros((self.size, *law.shape), law.dtype)
        out[self.index] = law
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One row of an axis that is there before, and not after: the situation of that row."""

    index: int
    size: int
    axis: int = 0

    def pull(self, value: FloatArray) -> FloatArray:
        """The value, in its row; nothing in the others."""
        shape = value.shape
        out = np.zeros((*shape[: self.axis], self.size, *shape[self.axis :]))
        out[self._row] = value
        return out

    def push(self, law: FloatArray) -> FloatArray:
        """The law of that row."""
        return np.asarray(law[self._row])

    @property
    def _row(self) -> tuple[slice | int, ...]:
        return (*(slice(None),) * self.axis, self.index)


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Counts that are rolled here: leading axes begin, with the given law of the counts."""

    law: FloatArray

    def pull(self, value: FloatArray) -> FloatArray:
        """The expected value over the counts."""
        return np.asarray(np.tensordot(self.law, value, axes=self.law.ndim))

    def push(self, law: FloatArray) -> FloatArray:
        """The joint law of counts and the rest."""
        return np.asarray(np.multiply.outer(self.law, law))


@dataclass(frozen=True, slots=True, eq=False)
class Mixed:
    """Each place of the first axis turns, with ``weights[before, after]``, into another place."""

    weights: FloatArray

    def pull(self, value: FloatArray) -> FloatArray:
        """The weighted values for each place."""
        return np.asarray(np.tensordot(self.weights, value, axes=1))

    def push(self, law: FloatArray) -> FloatArray:
        """The weighted sums of the places' laws."""
        return np.asarray(np.tensordot(self.weights.T, law, axes=1))


@dataclass(frozen=True, slots=True, eq=False)
class Relabel:
    """Places of the first axis become other places: ``places[before]`` is the one after.

    Where there is none, the value is ``outside``: infinitely bad for the player who asks for it.
    """

    places: tuple[int | None, ...]
    outside: float = 0.0

    def pull(self, value: FloatArray) -> FloatArray:
        """The value of each place's new place."""
        out = np.full((len(self.places), *value.shape[1:]), self.outside)
        for before, after in enumerate(self.places):
            if after is not None:
                out[before] = value[after]
        return out

    def push(self, law: FloatArray) -> FloatArray:
        """The law at the new places, added up where they meet."""
        out = np.zeros_like(law)
        for before, after in enumerate(self.places):
            if after is not None:
                out[after] += law[before]
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Among:
    """Before, the last axis has some states only; after, all ``size`` of them."""

    states: IntArray
    size: int

    def pull(self, value: FloatArray) -> FloatArray:
        """The values of those states."""
        return np.asarray(value[..., self.states])

    def push(self, law: FloatArray) -> FloatArray:
        """The law at those states."""
        out = np.zeros((*law.shape[:-1], self.size), law.dtype)
        out[..., self.states] = law
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Only:
    """Before, the last axis has all ``size`` states; only some of them lead here, and are kept."""

    states: IntArray
    size: int

    def pull(self, value: FloatArray) -> FloatArray:
        """The values at those states, nothing at the others."""
        return Among(self.states, self.size).push(value)

    def push(self, law: FloatArray) -> FloatArray:
        """The law of those states."""
        return Among(self.states, self.size).pull(law)


@dataclass(frozen=True, slots=True)
class Chain:
    """Several links, the first one first."""

    links: tuple[Link, ...]

    def pull(self, value: FloatArray) -> FloatArray:
        """Back through all of them."""
        for link in reversed(self.links):
            value = link.pull(value)
        return value

    def push(self, law: FloatArray) -> FloatArray:
        """Forward through all of them."""
        for link in self.links:
            law = link.push(law)
        return law


SAME = Chain(())
"""The link that changes nothing."""
