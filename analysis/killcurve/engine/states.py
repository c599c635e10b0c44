"""The states of a target under fire: how many wounds each of its groups has lost.

A state is one number: groups count in a mixed base, the last group fastest. State 0 is the
untouched unit, the last state the destroyed one. Within a group at most one model is wounded,
since damage goes on to that model until it dies (RULES.md §6.1), so the wounds a group has
lost say everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.target import Target

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

MOST_STATES = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """A number that every state has, and by how much it is above that of the start.

    ``total`` is the number; ``since`` the difference for the states ``reached``, the others
    being below the start.
    """

    total: FloatArray
    since: IntArray
    reached: BoolArray

    @classmethod
    def of(cls, by_group: Sequence[IntArray], start: int) -> Tally:
        """The sum over groups."""
        total = np.sum(by_group, axis=0)
        since = total - total[start]
        reached = since >= 0
        return cls(total.astype(np.float64), since[reached], reached)

    def law(self, law: FloatArray) -> Pmf:
        """The law of the difference, from a law of states."""
        return Pmf.summed(np.asarray(np.bincount(self.since, weights=law[self.reached]), float))


@dataclass(frozen=True, slots=True, eq=False)
class States:
    """The state space of a target; arrays run over its states.

    ``lost[g]`` and ``dead[g]`` are the wounds and models group g has lost, ``strides[g]`` the
    step between states one wound of group g apart, ``start`` the state of the fresh target.
    ``all_lost`` and ``all_dead`` add up the groups.
    """

    target: Target
    strides: tuple[int, ...]
    lost: tuple[IntArray, ...]
    dead: tuple[IntArray, ...]
    start: int
    all_lost: Tally
    all_dead: Tally

    @property
    def size(self) -> int:
        """How many states there are."""
        return len(self.lost[0])

    @property
    def destroyed(self) -> int:
        """The state in which no model is left."""
        return self.size - 1

    @property
    def can_lose(self) -> int:
        """The wounds that the target has left at the start."""
        return sum(group.total_wounds - group.wounds_lost for group in self.target.groups)

    def alive(self, group: int) -> BoolArray:
        """In which states the group has a model left."""
        return self.lost[group] < self.target.groups[group].total_wounds

    def wounded(self, group: int) -> BoolArray:
        """In which states a living model of the group has lost wounds."""
        return np.asarray(self.lost[group] % self.target.groups[group].wounds != 0)

    def from_start(self) -> FloatArray:
        """The law of the fresh target: all weight on its first state."""
        law = np.zeros(self.size)
        law[self.start] = 1.0
        return law

    def damage(self, law: FloatArray) -> Pmf:
        """The law of the wounds removed since the start, overkill not included."""
        return self.all_lost.law(law)

    def slain(self, law: FloatArray) -> Pmf:
        """The law of the models slain since the start."""
        return self.all_dead.law(law)


@lru_cache(maxsize=512)
def states(target: Target) -> States:
    """The state space of a target.

    Raises:
        ValueError: if it is beyond what can be summed (more than 20,000 states).

    >>> from killcurve.engine.target import ModelGroup
    >>> squad = Target((ModelGroup(count=5, toughness=4, save=3, wounds=2, wounds_lost=1),))
    >>> states(squad).size, states(squad).start
    (11, 1)
    """
    sizes = [group.total_wounds + 1 for group in target.groups]
    size = int(np.prod(np.array(sizes, dtype=object)))
    if size > MOST_STATES:
        raise ValueError(
            f"the target's groups have {size:,} states together; {MOST_STATES:,} can be summed. "
            "Join groups with equal characteristics, or take fewer models"
        )
    strides = [int(np.prod(sizes[i + 1 :], dtype=np.int64)) for i in range(len(sizes))]
    numbers = np.arange(size)
    lost = tuple(numbers // stride % n for stride, n in zip(strides, sizes, strict=True))
    dead = tuple(n // group.wounds for n, group in zip(lost, target.groups, strict=True))
    start = sum(g.wounds_lost * stride for g, stride in zip(target.groups, strides, strict=True))
    return States(
        target, tuple(strides), lost, dead, start, Tally.of(lost, start), Tally.of(dead, start)
    )
