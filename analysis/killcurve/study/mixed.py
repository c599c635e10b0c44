"""Lines against models that save differently, on the few states that attacks can lead to.

Groups fall one after the other, so most combinations of their losses never come about.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from killcurve.engine.allocation import (
    Order,
    in_order,
    living_parts,
    one_by_one,
    reachable,
    toughness_of,
)
from killcurve.engine.batch import Alike, NotAProduct, Sides, target_half
from killcurve.engine.batch_losses import Region, harm_map, orders_from
from killcurve.engine.edition import Devastating, Edition
from killcurve.engine.losses import joined, settle, settle_counts, settle_sorted
from killcurve.engine.packets import gated
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.roll import FACES
from killcurve.engine.saves import SaveRoll
from killcurve.engine.states import IntArray, States, states
from killcurve.engine.target import Target

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """The states of a target that attacks can lead to, and the Toughness that they meet there.

    ``places`` are their numbers; ``by_toughness`` are (Toughness, which of them).
    """

    space: States
    places: IntArray
    by_toughness: tuple[tuple[int, BoolArray], ...]

    @property
    def start(self) -> FloatArray:
        """The law of the fresh target, on these states."""
        return np.asarray(self.space.from_start()[self.places])

    def everywhere(self, law: FloatArray) -> FloatArray:
        """A law on these states as one on all of them."""
        out = np.zeros(self.space.size)
        out[self.places] = law
        return out


@lru_cache(maxsize=512)
def reach(target: Target, rules: Edition) -> Reach:
    """The states that attacks on the fresh target can lead to.

    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.target import ModelGroup
    >>> squad = ModelGroup(count=4, toughness=4, save=4, wounds=3)
    >>> boss = ModelGroup(count=1, toughness=5, save=3, wounds=4, character=True)
    >>> found = reach(Target((squad, boss)), edition("11e"))
    >>> found.space.size, len(found.places), sorted(met for met, _ in found.by_toughness)
    (65, 17, [4, 5])
    """
    space = states(target)
    places = np.flatnonzero(reachable(target))
    fresh = frozenset(range(len(target.groups)))
    met: dict[int, BoolArray] = {}
    for where, living in living_parts(space):
        toughness = toughness_of(target, living if rules.toughness_per_batch else fresh)
        here = where[places]
        met[toughness] = met[toughness] | here if toughness in met else here
    return Reach(space, places, tuple(met.items()))


@dataclass(frozen=True, slots=True, eq=False)
class MixedLink:
    """What wounds of a line do, saves included.

    ``regions`` are the states with the order in which the defender has groups suffer from there;
    ``points[g]`` is the law of the wounds that a model of group g loses by one unsaved wound,
    ``special[g]`` of those by a critical wound that no save stops, where there are any: these
    follow the ordinary ones.
    """

    reach: Reach
    saves: tuple[SaveRoll, ...]
    points: tuple[Pmf, ...]
    regions: tuple[Region, ...]
    sorted_saves: bool
    special: tuple[Pmf, ...] | None = None

    def struck(self, counts: FloatArray, law: FloatArray) -> FloatArray:
        """The law after wounds, n ordinary and m special ones with chance ``counts[n, m]``."""
        ordinary = counts[:, 0] if self.special is None else counts
        after = np.zeros((*ordinary.shape[1:], len(law)))
        for where, order in self.regions:
            start = np.where(where[self.reach.places], law, 0.0)
            if start.any():
                after += self._in_region(ordinary, start, order)
        if self.special is None:
            return after
        return settle(after, self._packet(one_by_one(self.reach.space.target), self.special))

    def _packet(self, order: Order, points: tuple[Pmf, ...]) -> FloatArray:
        """What one wound does to each state of the reach, groups suffering in that order."""
        places = self.reach.places
        step = harm_map(self.reach.space, order, points)
        dense = step if isinstance(step, np.ndarray) else step.toarray()
        return np.ascontiguousarray(dense[np.ix_(places, places)])

    def _in_region(self, counts: FloatArray, start: FloatArray, order: Order) -> FloatArray:
        packet = self._packet(order, self.points)
        suffering = in_order(self.reach.space, order)[self.reach.places]
        # Where nobody is left it is as if the last group still were there.
        everyone = [*self.saves, self.saves[order[-1][-1] if order else 0]]
        if not self.sorted_saves or len(set(self.saves)) == 1:
            failures = np.array([roll.failure for roll in everyone])[suffering]
            return settle_counts(counts, start, gated(packet, failures))
        first = self.saves[order[0][0] if order else 0]
        return settle_sorted(
            joined(counts, start),
            packet,
            suffering,
            fails_up_to=[roll.need - 1 for roll in everyone],
            face_law=[first.face_law(face) for face in FACES],
        )


def mixed_link(apart: Sides, target: Target, rules: Edition) -> MixedLink | None:
    """What a line does to a target; ``None`` where wounds of two kinds, or choices, matter."""
    try:
        half = target_half(apart, target, rules)
    except NotAProduct:
        return None
    if isinstance(half, Alike) or half.special_saves is not None:
        return None
    waits = rules.devastating is not Devastating.MORTALS_AFTER_BATCH
    if half.special is not None and (waits or not isinstance(half.special, tuple)):
        return None
    asks = apart.save.when_stronger is not None or apart.damage.when_stronger is not None
    found = reach(target, rules)
    if not isinstance(half.harm, tuple) or (asks and len(found.by_toughness) > 1):
        return None
    regions = orders_from(half.space, half.kinds, half.sorted_saves)
    return MixedLink(found, half.saves, half.harm, regions, half.sorted_saves, half.special)
