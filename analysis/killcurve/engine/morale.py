"""Battle-shock after losses, and the objective control that is left (RULES.md §7, §9).

Everything here is about one unit: arrays run over its states
(:mod:`killcurve.engine.states`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from killcurve.engine.checks import UnitRoll
from killcurve.engine.conduct import conduct
from killcurve.engine.edition import Edition
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.states import BoolArray, IntArray, States
from killcurve.engine.strength import strength_states


def must_test(
    space: States, edition: Edition, starting: tuple[int, ...] | None = None
) -> BoolArray:
    """In which states the unit takes a battle-shock test in its Command phase; (states,).

    Below half-strength; in the 11th edition also at half. ``starting`` as in
    :func:`killcurve.engine.strength.strength`.

    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.states import states
    >>> from killcurve.engine.target import ModelGroup, Target
    >>> four = states(Target((ModelGroup(count=4, toughness=4, save=3, wounds=1),)))
    >>> [must_test(four, edition(e)).tolist() for e in ("11e", "10e")]
    [[False, False, True, True, False], [False, False, False, True, False]]
    """
    found = strength_states(space.target, edition, starting)
    if conduct(edition).tests_at_half:
        return np.asarray(found.below_half | found.at_half)
    return found.below_half


def failing(space: States, leaderships: Sequence[Sequence[int]], roll: UnitRoll) -> FloatArray:
    """For each state the chance to fail a battle-shock test there; (states,), 0 if destroyed.

    ``leaderships[g][k]`` is the best Leadership (6 for 6+) in group g while k of its models are
    dead; of the living groups the best counts.

    Raises:
        ValueError: if a group does not tell one Leadership for each number of dead models.

    >>> from killcurve.engine.states import states
    >>> from killcurve.engine.target import ModelGroup, Target
    >>> pair = states(Target((ModelGroup(count=2, toughness=4, save=3, wounds=1),)))
    >>> (36 * failing(pair, [[6, 7]], UnitRoll())).round().tolist()
    [10.0, 15.0, 0.0]
    """
    best = np.full(space.size, 99)
    for g, group in enumerate(space.target.groups):
        known = leaderships[g]
        if len(known) != group.count:
            raise ValueError(
                f"group {g} has {group.count} models and {len(known)} Leaderships; give the best "
                "one that is left for 0, 1, … dead"
            )
        alive = space.alive(g)
        here = np.asarray(known)[np.minimum(space.dead[g], group.count - 1)]
        best = np.where(alive, np.minimum(best, here), best)
    chance = {need: 1 - roll.passes(need) for need in set(best.tolist()) - {99}}
    return np.array([chance.get(need, 0.0) for need in best.tolist()])


def control(space: States, left: Sequence[Sequence[int]]) -> IntArray:
    """The objective control of each state; ``left[g][k]`` is group g's with k models dead.

    ``left[g]`` runs from 0 to all models dead, its last entry is 0.

    >>> from killcurve.engine.states import states
    >>> from killcurve.engine.target import ModelGroup, Target
    >>> control(states(Target((ModelGroup(count=2, toughness=4, save=3, wounds=2),))),
    ...         [[4, 2, 0]]).tolist()
    [4, 4, 2, 2, 0]
    """
    return np.asarray(
        sum(np.asarray(of_group)[dead] for of_group, dead in zip(left, space.dead, strict=True))
    )


def control_left(law: FloatArray, held: IntArray, shocked: FloatArray) -> Pmf:
    """The law of the objective control left: nothing where the unit is battle-shocked.

    ``law`` is that of the states, ``held`` what is controlled in each, ``shocked`` the chance
    to be battle-shocked there; (states,) each.

    >>> control_left(np.array([0.5, 0.5]), np.array([3, 1]), np.array([0.0, 0.5])).weights.tolist()
    [0.25, 0.25, 0.0, 0.5]
    """
    weights = np.asarray(np.bincount(held, weights=law * (1 - shocked)), dtype=np.float64)
    weights[0] += float(law @ shocked)
    return Pmf.summed(weights)
