"""What a unit gets back after a volley, and who of the dead still fights (SCENARIO).

Recoveries are maps over the target's states (:mod:`killcurve.engine.states`): for every state
the one that it becomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from killcurve.engine.edition import Edition
from killcurve.engine.packets import felt
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.pools import at_most
from killcurve.engine.states import BoolArray, IntArray, States


@dataclass(frozen=True, slots=True)
class Heal:
    """One wounded model regains up to a random number of ``wounds`` (0 or more)."""

    wounds: Pmf


@dataclass(frozen=True, slots=True)
class Return:
    """Up to a random number of destroyed ``models`` (0 or more) come back."""

    models: Pmf


Recovery = Heal | Return


class AfterRecovery(NamedTuple):
    """The laws of the wounds and models that a unit misses once it has recovered."""

    damage: Pmf
    slain: Pmf


def healed(space: States, wounds: int) -> IntArray:
    """The state that each state becomes when one wounded model regains up to ``wounds``.

    It is the model that has lost most: for one recovery that is best whatever is rolled; of
    several each is used for itself. The dead are not healed. Shape (states,).

    >>> from killcurve.engine.states import states
    >>> from killcurve.engine.target import ModelGroup, Target
    >>> pair = states(Target((ModelGroup(count=2, toughness=4, save=3, wounds=3),)))
    >>> healed(pair, 1).tolist()
    [0, 0, 1, 3, 3, 4, 6]
    """
    after = np.arange(space.size)
    most = np.zeros(space.size, dtype=np.int64)
    for g, group in enumerate(space.target.groups):
        lost = space.lost[g] % group.wounds
        worse = lost > most
        here = np.arange(space.size) - np.minimum(lost, wounds) * space.strides[g]
        after, most = np.where(worse, here, after), np.maximum(most, lost)
    return after


def returned(space: States, models: int, edition: Edition) -> IntArray:
    """The state that each state becomes when up to ``models`` models come back, unhurt.

    Those with most wounds first. Characters do not come back, nor does anybody of a destroyed
    unit; where attached units part, the dead bodyguards of a lone leader are one (inferred from
    RULES.md §7). Shape (states,).

    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.states import states
    >>> from killcurve.engine.target import ModelGroup, Target
    >>> pair = states(Target((ModelGroup(count=2, toughness=4, save=3, wounds=3),)))
    >>> returned(pair, 1, edition("11e")).tolist()
    [0, 1, 2, 0, 1, 2, 6]
    """
    target = space.target
    plain = [g for g, group in enumerate(target.groups) if not group.character]
    may = np.arange(space.size) != space.destroyed
    if edition.attached_units_part:
        may = may & _any_alive(space, plain)
    after, left = np.arange(space.size), np.where(may, models, 0)
    for g in sorted(plain, key=lambda g: -target.groups[g].wounds):
        back = np.minimum(space.dead[g], left)
        after = after - back * target.groups[g].wounds * space.strides[g]
        left = left - back
    return after


def _any_alive(space: States, groups: Sequence[int]) -> BoolArray:
    if not groups:
        return np.zeros(space.size, dtype=bool)
    return np.asarray(np.any([space.alive(g) for g in groups], axis=0))


def recovered(
    space: States, law: FloatArray, recoveries: Sequence[Recovery], edition: Edition
) -> FloatArray:
    """The law of the states (states,) after recoveries, one after the other.

    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.states import states
    >>> from killcurve.engine.target import ModelGroup, Target
    >>> pair = states(Target((ModelGroup(count=2, toughness=4, save=3, wounds=2),)))
    >>> law = np.array([0.0, 0.0, 0.0, 1.0, 0.0])  # one is dead, one wounded
    >>> recoveries = (Heal(Pmf.point(1)), Return(Pmf([0.75, 0.25])))
    >>> recovered(pair, law, recoveries, edition("11e")).tolist()
    [0.25, 0.0, 0.75, 0.0, 0.0]
    """
    for recovery in recoveries:
        after = np.zeros(space.size)
        if isinstance(recovery, Heal):
            number = at_most(recovery.wounds, max(g.wounds for g in space.target.groups) - 1)
        else:
            number = at_most(recovery.models, space.target.models)
        for value, chance in enumerate(number.from_zero()):
            if isinstance(recovery, Heal):
                goal = healed(space, value)
            else:
                goal = returned(space, value, edition)
            after += chance * np.bincount(goal, weights=law, minlength=space.size)
        law = after
    return law


def after_recovery(
    space: States, law: FloatArray, recoveries: Sequence[Recovery], edition: Edition
) -> AfterRecovery:
    """What a unit misses of a volley's wounds and models once it has recovered.

    A unit that regains what it had lost before the volley misses nothing of it: 0, not less.

    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.states import states
    >>> from killcurve.engine.target import ModelGroup, Target
    >>> hurt = ModelGroup(count=1, toughness=4, save=3, wounds=3, wounds_lost=1)
    >>> space = states(Target((hurt,)))
    >>> after_recovery(space, space.from_start(), [Heal(Pmf.point(1))], edition("11e")).damage.mean
    0.0
    """
    law = recovered(space, law, recoveries, edition)
    missed = []
    for counts in (sum(space.lost), sum(space.dead)):
        since = np.asarray(counts) - np.asarray(counts)[space.start]
        missed.append(Pmf(np.bincount(np.maximum(since, 0), weights=law)))
    return AfterRecovery(*missed)


def fights_on_death(slain: Pmf, need: int) -> Pmf:
    """The law of how many of the slain may still fight, each on a D6 of ``need``+ (1 to 6).

    Raises:
        ValueError: for another need.

    >>> fights_on_death(Pmf([0.0, 0.0, 1.0]), 4).weights.tolist()
    [0.25, 0.5, 0.25]
    >>> fights_on_death(Pmf([1.0]), 7)
    Traceback (most recent call last):
    ...
    ValueError: a model fights on death on 7+; 1+ to 6+ are possible
    """
    if not 1 <= need <= 6:
        raise ValueError(f"a model fights on death on {need}+; 1+ to 6+ are possible")
    # Like points of damage that are not ignored, with the chances turned round.
    return felt(slain, 8 - need)
