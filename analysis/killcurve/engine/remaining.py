"""What is left of a unit in one of its states, as a target of its own.

A volley's law from any state is that of a volley at what is left, put back into the states of
the whole unit: numbers of models, wounded ones and living groups are those of the moment.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from killcurve.engine.pmf import FloatArray
from killcurve.engine.states import IntArray, states
from killcurve.engine.target import ModelGroup, Target


@dataclass(frozen=True, slots=True, eq=False)
class Remaining:
    """The living part of a unit: ``target``, and where its states lie among the unit's.

    ``places[s]`` is the state of the whole unit that state s of the part is; ``groups`` are the
    living groups by their number in the whole unit. ``size`` is that of the whole unit's states.
    """

    target: Target
    places: IntArray
    groups: tuple[int, ...]
    size: int

    def placed(self, law: FloatArray) -> FloatArray:
        """A law of the part's states as one of the whole unit's; shape (size,).

        >>> from killcurve.engine.target import ModelGroup
        >>> left = remaining(Target((ModelGroup(count=2, toughness=4, save=3, wounds=2),)), 3)
        >>> left.placed(np.array([0.0, 0.25, 0.75])).tolist()
        [0.0, 0.0, 0.0, 0.25, 0.75]
        """
        out = np.zeros(self.size)
        out[self.places] = law
        return out


@lru_cache(maxsize=8192)
def remaining(target: Target, state: int) -> Remaining:
    """What is left of a unit in a state.

    Raises:
        ValueError: in the state in which nobody is left, and for a state there is not.

    >>> from killcurve.engine.target import ModelGroup
    >>> squad = Target((ModelGroup(count=5, toughness=4, save=3, wounds=2),))
    >>> left = remaining(squad, 3).target.groups[0]
    >>> left.count, left.wounds_lost
    (4, 1)
    >>> remaining(squad, 10)
    Traceback (most recent call last):
    ...
    ValueError: nobody is left in state 10; the unit lives in states 0 to 9
    """
    space = states(target)
    if not 0 <= state < space.destroyed:
        raise ValueError(
            f"nobody is left in state {state}; the unit lives in states 0 to {space.destroyed - 1}"
        )
    alive: list[tuple[int, ModelGroup]] = []
    gone = 0
    for g, group in enumerate(target.groups):
        lost, dead = int(space.lost[g][state]), int(space.dead[g][state])
        if dead == group.count:
            gone += group.total_wounds * space.strides[g]
            continue
        left = replace(group, count=group.count - dead, wounds_lost=lost - dead * group.wounds)
        gone += dead * group.wounds * space.strides[g]
        alive.append((g, left))
    part = Target(tuple(group for _, group in alive))
    own = states(part)
    steps = [lost * space.strides[g] for (g, _), lost in zip(alive, own.lost, strict=True)]
    places = gone + np.sum(steps, axis=0)
    return Remaining(part, places, tuple(g for g, _ in alive), space.size)
