"""Counting on a tape: what passes a link is added up, or marked to read off its whole law."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields

import numpy as np

from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.spectrum import law_of_count
from killcurve.engine.stages import Stage, StageLaws


@dataclass(slots=True, eq=False)
class Meter:
    """How often something happens on average, once a tape has run.

    Its ``mark`` is multiplied in each time it happens (:mod:`killcurve.engine.spectrum`).
    What is met just once on every way through the game adds up in ``seen``: the chance of each
    count.
    """

    total: float = 0.0
    mark: complex = 1.0
    seen: dict[int, float] = field(default_factory=dict)

    def see(self, counts: Iterable[int], chances: Iterable[float]) -> None:
        """Add up what is met once."""
        for count, chance in zip(counts, chances, strict=True):
            self.seen[count] = self.seen.get(count, 0.0) + chance


@dataclass(frozen=True, slots=True, eq=False)
class Metered:
    """A link that counts ``counts`` for what passes: a number, or one for each place.

    ``once`` tells that no way through the game passes another link of the meter.
    """

    meter: Meter
    counts: float | FloatArray = 1.0
    once: bool = False

    def pull(self, value: FloatArray) -> FloatArray:
        """Counting changes no value."""
        return value

    def push(self, law: FloatArray) -> FloatArray:
        """Count, and mark."""
        self.meter.total += float((law * self.counts).sum().real)
        if self.once:
            axes = tuple(i for i in range(law.ndim) if np.shape(self.counts)[i] == 1)
            met = law.sum(axis=axes).real.ravel()
            self.meter.see(np.ravel(self.counts).astype(int).tolist(), met.tolist())
        if self.meter.mark == 1.0:
            return law
        return np.asarray(law * self.meter.mark**self.counts)


@dataclass(frozen=True, slots=True, eq=False)
class MeteredLaw:
    """A link that counts a random number, independent of all else."""

    meter: Meter
    number: Pmf

    def pull(self, value: FloatArray) -> FloatArray:
        """Counting changes no value."""
        return value

    def push(self, law: FloatArray) -> FloatArray:
        """Count, and mark."""
        here = float(law.sum().real)
        self.meter.total += here * self.number.mean
        self.meter.see(self.number.values.tolist(), (here * self.number.weights).tolist())
        if self.meter.mark == 1.0:
            return law
        return np.asarray(law * (self.meter.mark**self.number.values @ self.number.weights))


def by_place(size: int, axis: int, dimensions: int) -> FloatArray:
    """The numbers 0, 1, 2, … along one axis of so many dimensions."""
    shape = [1] * dimensions
    shape[axis] = size
    return np.arange(size, dtype=np.float64).reshape(shape)


Seen = dict[str, dict[int, float]]
"""For each meter the chance of each number, where that was met just once on every way."""


@dataclass(frozen=True, slots=True)
class LineMeters:
    """The meters of one weapon line; ``automatic`` counts lethal hits that wound by themselves."""

    attacks: Meter = field(default_factory=Meter)
    hits: Meter = field(default_factory=Meter)
    critical_hits: Meter = field(default_factory=Meter)
    wounds: Meter = field(default_factory=Meter)
    critical_wounds: Meter = field(default_factory=Meter)
    unsaved: Meter = field(default_factory=Meter)
    damage: Meter = field(default_factory=Meter)
    automatic: Meter = field(default_factory=Meter)

    def stage(self) -> Stage:
        """The means, once the tape has run."""
        return Stage(**{f.name: getattr(self, f.name).total for f in fields(Stage)})

    def seen(self) -> Seen:
        """What the meters have seen, once the tape has run."""
        return {f.name: dict(getattr(self, f.name).seen) for f in fields(StageLaws)}

    def laws(
        self, seen: Seen, run: Callable[[], complex], most_hits: int, most_lost: int
    ) -> StageLaws:
        """The distributions: what was ``seen`` in the first run, the others by marks.

        ``run`` runs the tape anew and gives the total of its ends.
        """

        def law(name: str) -> Pmf:
            if seen[name]:
                return Pmf.of_values([(0, 0.0), *seen[name].items()])
            meter: Meter = getattr(self, name)

            def marked(z: complex) -> complex:
                meter.mark = z
                return run()

            try:
                return law_of_count(marked, most_lost if name == "damage" else most_hits)
            finally:
                meter.mark = 1.0

        return StageLaws(**{f.name: law(f.name) for f in fields(StageLaws)})
