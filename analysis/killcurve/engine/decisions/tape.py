"""A tape of chances and choices: values flow back over it, probabilities forward.

A *situation* is a node. Its ``value`` is an array over everything that differs within it (the
target's state along the last axis). It leads on to other situations by *links*; a link is a
linear operation with two directions: ``pull`` takes the value after it to the value before,
``push`` the probabilities before it to those after. Situations are made from the end of the game
backwards, so each knows the value of what follows when it is made, and every choice takes the
best option then and there. Pushing the law of the start over the tape afterwards gives the law of
the end, under exactly those choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from killcurve.engine.budget import TooMuchWork, spend
from killcurve.engine.losses import moved
from killcurve.engine.packets import Map
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.states import BoolArray, IntArray

Options = list[tuple["Link", "Situation"]]
"""What may be chosen: each by a link to what follows."""

MARGIN = 2e-13
"""Options whose values differ by less, as a share of them, count as equal: the first is taken.

Values are sums of what is never negative, so rounding errs by a share of them, too.
"""

MOST_CELLS = 50_000_000
"""Numbers that all situations of a tape may hold together."""


class Link(Protocol):
    """A linear operation in both directions."""

    def pull(self, value: FloatArray) -> FloatArray:
        """The value before, from the value after."""
        ...

    def push(self, law: FloatArray) -> FloatArray:
        """The probabilities after, from those before."""
        ...


@dataclass(slots=True)
class Situation:
    """A node of the tape: its value, where it leads, and (going forward) its law."""

    value: FloatArray
    links: list[tuple[Link, Situation]] = field(default_factory=list, repr=False)
    law: FloatArray | None = None
    taken: dict[object, float] = field(default_factory=dict)
    labels: tuple[object, ...] = ()
    counted_from: int = 0
    arrivals: int = 0

    def receive(self, law: FloatArray) -> None:
        """Add probabilities that arrive here."""
        self.arrivals += 1
        if self.law is None:
            self.law = law
        elif self.arrivals == 2 or law.dtype != self.law.dtype:  # it may be somebody else's
            self.law = self.law + law
        else:
            self.law += law

    def clear(self) -> None:
        """Forget what has arrived."""
        self.law, self.taken, self.arrivals = None, {}, 0


class Tape:
    """Situations in the order in which they are made: the last of the game first.

    >>> tape = Tape()
    >>> won, lost = tape.end(np.array([1.0])), tape.end(np.array([0.0]))
    >>> safe = tape.chance([(Weight(0.5), won), (Weight(0.5), lost)])
    >>> bold = tape.chance([(Weight(0.6), won), (Weight(0.4), lost)])
    >>> start = tape.choice([(SAME, safe), (SAME, bold)], best=np.maximum)
    >>> tape.run(start, np.array([1.0]))
    >>> start.value.tolist(), won.law.tolist()
    ([0.6], [0.6])
    """

    def __init__(self) -> None:
        self._made: list[Situation] = []
        self._cells = 0

    def end(self, value: FloatArray) -> Situation:
        """A situation where nothing follows; its value is given."""
        return self._keep(Situation(value))

    def chance(self, links: Sequence[tuple[Link, Situation]]) -> Situation:
        """A situation from which chance leads on: the links' values add up."""
        value = links[0][0].pull(links[0][1].value)
        spend(len(links) * (20_000 + 5 * value.size))
        for link, after in links[1:]:
            value = value + link.pull(after.value)
        return self._keep(Situation(value, list(links)))

    def stack(self, rows: Sequence[Situation]) -> Situation:
        """Situations as the places of a new first axis."""
        spend(len(rows) * (5_000 + 2 * rows[0].value.size))
        links: list[tuple[Link, Situation]] = [(Row(i, len(rows)), r) for i, r in enumerate(rows)]
        return self._keep(Situation(np.stack([row.value for row in rows]), links))

    def choice(
        self,
        options: Sequence[tuple[Link, Situation]],
        best: np.ufunc,
        labels: Sequence[object] = (),
        *,
        counted_from: int = 0,
    ) -> Situation:
        """A situation in which a player takes the best option, element by element of the value.

        ``best`` is ``np.maximum`` or ``np.minimum``. An option's value may be infinite (bad for
        the player) where it is not allowed. ``labels`` name the options: the situation's
        ``taken`` then says how often each is, from place ``counted_from`` of the first axis on.
        """
        spend(len(options) * (45_000 + 10 * options[0][1].value.size))
        values = [link.pull(after.value) for link, after in options]
        chosen = np.zeros(np.broadcast_shapes(*(v.shape for v in values)), dtype=np.int64)
        value = np.broadcast_to(values[0], chosen.shape)
        sign = 1.0 if best is np.maximum else -1.0
        for i, option in enumerate(values[1:], start=1):
            margin = np.where(np.isfinite(value), MARGIN * value, 0.0)
            better = sign * option > sign * value + margin
            chosen = np.where(better, i, chosen)
            value = np.where(better, option, value)
        taken = [i for i in range(len(options)) if (chosen == i).any()]
        links: list[tuple[Link, Situation]] = []
        for i in taken:
            link, after = options[i]
            links.append((Chain((Weight(chosen == i), link)), after))
        made = Situation(np.asarray(value), links)
        made.labels = tuple(labels[i] for i in taken) if labels else ()
        made.counted_from = counted_from
        return self._keep(made)

    def run(self, start: Situation, law: FloatArray) -> None:
        """Push a law from a situation to all ends that it can reach, anew each time."""
        for situation in self._made:
            situation.clear()
        start.receive(law)
        for situation in reversed(self._made):
            if situation.law is None:
                continue
            spend(len(situation.links) * (4_000 + 2 * situation.law.size))
            for i, (link, after) in enumerate(situation.links):
                arriving = link.push(situation.law)
                if situation.labels:
                    share = float(arriving[situation.counted_from :].sum().real)
                    situation.taken[situation.labels[i]] = share
                after.receive(arriving)
            if situation.links:  # what went on need not be kept
                situation.law = None

    def taken(self) -> dict[object, float]:
        """How often each labelled option was taken, over all choices of the tape."""
        total: dict[object, float] = {}
        for situation in self._made:
            for label, share in situation.taken.items():
                total[label] = total.get(label, 0.0) + share
        return total

    def _keep(self, situation: Situation) -> Situation:
        self._cells += situation.value.size
        if self._cells > MOST_CELLS:
            raise TooMuchWork
        self._made.append(situation)
        return situation


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


def counted(tape: Tape, number: Pmf, by_count: Sequence[Situation]) -> Situation:
    """A number is rolled, and what follows depends on it: ``by_count[v]`` for v."""
    pairs = zip(number.values.tolist(), number.weights.tolist(), strict=True)
    return tape.chance([(Weight(p), by_count[int(v)]) for v, p in pairs if p])
