"""Many volleys at once: distinct attack halves against distinct target halves, as products.

A volley of one line is a product of two halves (``law = counts @ losses``). What is asked of
many halves against one target is a product of matrices: one row an attack half. Summaries need no
distribution, since ``counts @ (losses @ f)`` is the mean of f.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from killcurve.engine.batch_attack import AttackHalf, Attacks, Gate, Rows, attack_half
from killcurve.engine.batch_sides import Sides, sides
from killcurve.engine.batch_target import Alike, Apart, NotAProduct, TargetHalf, target_half
from killcurve.engine.pmf import TOLERANCE, FloatArray
from killcurve.engine.states import States

__all__ = [
    "Alike",
    "Apart",
    "AttackHalf",
    "Attacks",
    "Gate",
    "NotAProduct",
    "Outcomes",
    "Sides",
    "Summaries",
    "TargetHalf",
    "attack_half",
    "deviations",
    "means",
    "outcomes",
    "quantiles",
    "sides",
    "summaries",
    "target_half",
    "work",
]

Values: TypeAlias = npt.NDArray[np.intp]

SUMMARISED = 5
"""Columns of a summary: means of damage, its square, the slain, their square, and destruction."""


@dataclass(frozen=True, slots=True, eq=False)
class Summaries:
    """What some attack halves do to a target half on average, one place a half.

    ``damage`` and ``slain`` are means, ``damage_square`` and ``slain_square`` those of the
    squares, ``destroyed`` the chance that nobody is left.
    """

    damage: FloatArray
    damage_square: FloatArray
    slain: FloatArray
    slain_square: FloatArray
    destroyed: FloatArray

    @property
    def damage_sd(self) -> FloatArray:
        """Standard deviations; good to 1e-7 where the outcome is nearly certain, else far better.

        Those of :class:`Outcomes` are exact.
        """
        return np.asarray(np.sqrt(np.maximum(0.0, self.damage_square - self.damage**2)))

    @property
    def slain_sd(self) -> FloatArray:
        """Standard deviations of the slain, as :attr:`damage_sd`."""
        return np.asarray(np.sqrt(np.maximum(0.0, self.slain_square - self.slain**2)))


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """The exact laws of what some attack halves do to a target half, one row a half.

    ``damage[i, v]`` is P(v wounds removed) and ``slain[i, v]`` P(v models slain).
    """

    damage: FloatArray
    slain: FloatArray

    @property
    def destroyed(self) -> FloatArray:
        """The chances that nobody is left."""
        return self.damage[:, -1]


def means(laws: FloatArray) -> FloatArray:
    """The mean of each row's law of 0, 1, 2, …

    >>> means(np.array([[0.25, 0.5, 0.25]])).tolist()
    [1.0]
    """
    return np.asarray(laws @ np.arange(laws.shape[1], dtype=np.float64))


def deviations(laws: FloatArray) -> FloatArray:
    """The standard deviation of each row's law.

    >>> deviations(np.array([[0.5, 0.5]])).tolist()
    [0.5]
    """
    away = np.arange(laws.shape[1]) - means(laws)[:, None]
    return np.asarray(np.sqrt((laws * away**2).sum(axis=1)))


def quantiles(laws: FloatArray, shares: Sequence[float]) -> tuple[Values, ...]:
    """For each share the smallest value of each row's law up to which at least that share lies.

    >>> [values.tolist() for values in quantiles(np.array([[0.1, 0.8, 0.1]]), (0.1, 0.5))]
    [[0], [1]]
    """
    reached = np.cumsum(laws, axis=1)
    return tuple((reached >= share - TOLERANCE).argmax(axis=1) for share in shares)


def summaries(attacks: Attacks, target: TargetHalf, ids: Rows | None = None) -> Summaries:
    """What attack halves (all, or those with these numbers) do to a target half on average.

    >>> from killcurve.engine.pmf import Pmf
    >>> squad = Alike(Gate(0.5), ((1.0, Pmf.point(1)),), models=3, wounds=1)
    >>> many = Attacks([np.array([[0.5], [0.5]]), np.array([[0.0], [0.0], [1.0]])])
    >>> summaries(many, squad).damage.tolist()
    [0.25, 1.0]
    """
    ids = np.arange(len(attacks)) if ids is None else ids
    table = _asked(target.space)
    found = np.empty((len(ids), SUMMARISED))
    for places, counts, losses in _halves(attacks, target, ids):
        found[places] = counts @ (losses @ table)
    return Summaries(*found.T)


def outcomes(attacks: Attacks, target: TargetHalf, ids: Rows | None = None) -> Outcomes:
    """The laws of what attack halves (all, or those with these numbers) do to a target half.

    >>> from killcurve.engine.pmf import Pmf
    >>> squad = Alike(Gate(0.5), ((1.0, Pmf.point(1)),), models=2, wounds=1)
    >>> many = Attacks([np.array([[0.5], [0.5]]), np.array([[0.0], [0.0], [1.0]])])
    >>> outcomes(many, squad).slain.tolist()
    [[0.75, 0.25, 0.0], [0.25, 0.5, 0.25]]
    """
    ids = np.arange(len(attacks)) if ids is None else ids
    space = target.space
    values = _values(space)
    found = np.empty((len(ids), values.shape[1]))
    for places, counts, losses in _halves(attacks, target, ids):
        found[places] = counts @ (losses @ values)
    return Outcomes(found[:, : space.can_lose + 1], found[:, space.can_lose + 1 :])


def work(attacks: Attacks, target: TargetHalf, ids: Rows) -> int:
    """The multiplications of the products for these halves, laws asked for.

    >>> from killcurve.engine.pmf import Pmf
    >>> squad = Alike(Gate(0.5), ((1.0, Pmf.point(1)),), models=2, wounds=1)
    >>> work(Attacks([np.array([[0.5], [0.5]])] * 3), squad, np.arange(2))
    24
    """
    columns = _values(target.space).shape[1]
    total = 0
    for group, places, _ in attacks.by_group(ids):
        total += len(places) * _counts(attacks, group, target) * columns
    return total


def _counts(attacks: Attacks, group: int, target: TargetHalf) -> int:
    """How many counts a row of a group has before that target."""
    found = attacks.groups[group]
    return found.most + 1 if isinstance(target, Alike) else found.laws[0].size


def _halves(
    attacks: Attacks, target: TargetHalf, ids: Rows
) -> Iterator[tuple[Rows, FloatArray, FloatArray]]:
    """(places among ``ids``, one row of counts each, the table for them), group by group."""
    by_group = attacks.by_group(ids)
    if isinstance(target, Apart):
        most = max((attacks.groups[group].size[0] for group, _, _ in by_group), default=1) - 1
        for group, places, rows in by_group:
            n, m = attacks.groups[group].size
            yield places, _of(attacks.groups[group].flat(), rows), target.losses(n - 1, m - 1, most)
        return
    most = max((attacks.groups[group].most for group, _, _ in by_group), default=0)
    losses = target.losses(most)
    for group, places, rows in by_group:
        counts = attacks.through(group, target.gate)
        yield places, _of(counts, rows), losses[: counts.shape[1]]


def _of(counts: FloatArray, rows: Rows) -> FloatArray:
    """These rows; all of them in their order are not copied."""
    if len(rows) == len(counts) and np.array_equal(rows, np.arange(len(rows))):
        return counts
    return counts[rows]


def _asked(space: States) -> FloatArray:
    """For each state what a summary asks, by its columns."""
    lost = space.all_lost.total - space.all_lost.total[space.start]
    dead = space.all_dead.total - space.all_dead.total[space.start]
    table = np.stack([lost, lost**2, dead, dead**2, np.zeros(space.size)], axis=1)
    table[space.destroyed, -1] = 1.0
    return table


def _values(space: States) -> FloatArray:
    """For each state the wounds removed and, after those, the models slain, as ones in columns."""
    models = space.target.models
    table = np.zeros((space.size, space.can_lose + 1 + models + 1))
    for tally, first in ((space.all_lost, 0), (space.all_dead, space.can_lose + 1)):
        places = np.flatnonzero(tally.reached)
        table[places, first + tally.since] = 1.0
    return table
