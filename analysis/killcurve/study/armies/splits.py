"""Attacks shared out over copies of a target before any die is rolled: the best split.

Copies are then independent of each other: each is attacked by its own attacks, in their order,
and what is not needed at one copy is lost. Attacks are maps, as in
:mod:`killcurve.study.armies.sequences`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from killcurve.engine.pmf import FloatArray
from killcurve.study.armies.sequences import Best

MOST_SPLITS = 4_000
"""Splits that are gone through one by one."""

Split = tuple[int, ...]
"""For each attack the copy that it goes at."""


@dataclass(slots=True)
class _Copies:
    """The chances of sets of attacks to destroy one copy, each worked out once."""

    attacks: Sequence[FloatArray]
    start: int
    laws: dict[tuple[int, ...], FloatArray] = field(default_factory=dict)

    def destroyed(self, chosen: tuple[int, ...]) -> float:
        return float(self._law(chosen)[-1])

    def _law(self, chosen: tuple[int, ...]) -> FloatArray:
        if chosen not in self.laws:
            if chosen:
                law = self._law(chosen[:-1]) @ self.attacks[chosen[-1]]
            else:
                law = np.zeros(self.attacks[0].shape[0])
                law[self.start] = 1.0
            self.laws[chosen] = law
        return self.laws[chosen]

    def at_least(self, split: Split, copies: int) -> FloatArray:
        """P(at least 0, 1, … copies are destroyed); (copies + 1,)."""
        law = np.zeros(copies + 1)
        law[0] = 1.0
        for copy in range(copies):
            chance = self.destroyed(tuple(n for n, c in enumerate(split) if c == copy))
            law[1:] = law[1:] * (1 - chance) + law[:-1] * chance
            law[0] *= 1 - chance
        return np.cumsum(law[::-1])[::-1]


def best_split(attacks: Sequence[FloatArray], start: int, copies: int) -> Best:
    """P(at least k of ``copies`` copies are destroyed), for each k under its best split.

    Few splits are all gone through. Of many a good one is sought: attacks are put, strongest
    first, where each helps most, then moved one by one as long as that helps (``optimal`` is
    false then).

    >>> half = np.array([[0.5, 0.5], [0.0, 1.0]])
    >>> best_split([half, half, half], 0, 2).at_least.tolist()
    [1.0, 0.875, 0.375]
    """
    if not attacks:
        none = np.zeros(copies + 1)
        none[0] = 1.0
        return Best(none, True)
    found = _Copies(attacks, start)
    if _number(len(attacks), copies) <= MOST_SPLITS:
        every = (found.at_least(split, copies) for split in splits(len(attacks), copies))
        return Best(np.maximum.reduce(list(every)), True)
    values = [1.0] + [_sought(found, copies, wanted) for wanted in range(1, copies + 1)]
    return Best(np.array(values), False)


def _number(attacks: int, copies: int) -> int:
    """How many splits there are of attacks that are told apart over copies that are not."""
    ways = [1] + [0] * copies
    for _ in range(attacks):
        ways = [0] + [ways[n] * n + ways[n - 1] for n in range(1, copies + 1)]
    return sum(ways)


def splits(attacks: int, copies: int) -> Iterator[Split]:
    """Every split once, copies being alike.

    >>> list(splits(2, 2))
    [(0, 0), (0, 1)]
    """

    def more(made: Split, used: int) -> Iterator[Split]:
        if len(made) == attacks:
            yield made
            return
        for copy in range(min(used + 1, copies)):
            yield from more((*made, copy), max(used, copy + 1))

    return more((), 0)


def _sought(found: _Copies, copies: int, wanted: int) -> float:
    """A good split for ``wanted`` copies: what it is worth."""

    def worth(split: Split) -> float:
        # Of splits that are no use yet the one that spreads wounds most evenly leads on.
        tail = float(found.at_least(split, copies)[wanted])
        return tail + 1e-9 * _spread(found, split, wanted)

    strongest = sorted(
        range(len(found.attacks)), key=lambda n: -_mean(found.attacks[n][found.start])
    )
    split: Split = (copies,) * len(found.attacks)  # beyond the copies: not yet put anywhere
    for number in strongest:
        split = max((_moved(split, number, copy) for copy in range(wanted)), key=worth)
    value = worth(split)
    while True:
        moves = (_moved(split, n, copy) for n in strongest for copy in range(wanted))
        better = max(moves, key=worth)
        if worth(better) <= value + 1e-12:
            return float(found.at_least(split, copies)[wanted])
        split, value = better, worth(better)


def _moved(split: Split, number: int, copy: int) -> Split:
    return (*split[:number], copy, *split[number + 1 :])


def _mean(law: FloatArray) -> float:
    return float(law @ np.arange(len(law)))


def _spread(found: _Copies, split: Split, copies: int) -> float:
    """The square roots of the copies' mean states, summed."""
    total = 0.0
    for copy in range(copies):
        chosen = tuple(n for n, c in enumerate(split) if c == copy)
        found.destroyed(chosen)
        total += _mean(found.laws[chosen]) ** 0.5
    return total
