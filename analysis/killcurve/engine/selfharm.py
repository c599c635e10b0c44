"""What an attacking unit does to itself: Hazardous weapons, ramming (RULES.md §6.5, §9)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from killcurve.engine.allocation import one_by_one
from killcurve.engine.edition import Edition
from killcurve.engine.losses import joined, settle
from killcurve.engine.packets import Map, felt, one_model
from killcurve.engine.pmf import Pmf
from killcurve.engine.pools import at_most, successes
from killcurve.engine.shot import Packet, packet_map, selected
from killcurve.engine.states import states
from killcurve.engine.target import Harm, Target, best

MOST_RAMMED = 6
"""Mortal wounds that one ramming does to a unit at most."""


def failed_hazards(tests: int, edition: Edition) -> Pmf:
    """The law of failed hazard rolls (or Hazardous tests).

    >>> from killcurve.engine.edition import edition
    >>> failed_hazards(2, edition("11e")).weights.round(6).tolist()
    [0.444444, 0.444444, 0.111111]
    """
    return successes(tests, 7 - edition.hazard_fails_on)


def multiplied(law: Pmf, by: int) -> Pmf:
    """The law of ``by`` times a number.

    >>> multiplied(Pmf([0.5, 0.5]), 3).weights.tolist()
    [0.5, 0.0, 0.0, 0.5]
    """
    return Pmf.of_values(zip((law.values * by).tolist(), law.weights.tolist(), strict=True))


def rammed(dice: int, need: int) -> Pmf:
    """The law of mortal wounds of Crushing Impact or Tank Shock: each ``need``+ is one, 6 at most.

    >>> round(rammed(10, 5).mean, 9) == round(195446 / 59049, 9)
    True
    """
    return at_most(successes(dice, need), MOST_RAMMED)


def ramming(dice: int) -> np.ndarray:
    """P(so many to the enemy, so many to oneself) of Crushing Impact: each 5+, each 1.

    Both come from the same dice; shape (7, 7).

    >>> law = ramming(10)
    >>> round(float(law.sum(axis=0) @ range(7)), 9) == round(25189889 / 15116544, 9)
    True
    """
    law = np.zeros((dice + 1, dice + 1))
    law[0, 0] = 1.0
    for _ in range(dice):
        after = 3 / 6 * law
        after[1:] += 2 / 6 * law[:-1]
        after[:, 1:] += 1 / 6 * law[:, :-1]
        law = after
    most = min(MOST_RAMMED, dice)
    law = np.concatenate([law[:most], law[most:].sum(axis=0, keepdims=True)])
    law = np.concatenate([law[:, :most], law[:, most:].sum(axis=1, keepdims=True)], axis=1)
    return np.pad(law, (0, MOST_RAMMED - most))


def suffered(unit: Target, number: Pmf) -> Pmf:
    """The law of wounds a unit loses to a random number of mortal wounds, which spill.

    >>> from killcurve.engine.target import ModelGroup
    >>> lone = Target((ModelGroup(count=1, toughness=4, save=3, wounds=2),))
    >>> suffered(lone, Pmf.point(3)).mean
    2.0
    """
    harm = Harm(ranged=None, mortal=True)
    point = Packet(Pmf.point(1), tuple(best(g.feel_no_pain, harm) for g in unit.groups))
    step = packet_map(point, unit, one_by_one(unit))
    space = states(unit)
    return space.damage(settle(joined(number.from_zero(), space.from_start()), step))


def bearers_hurt(unit: Target, failures: Pmf, points: Sequence[int | None]) -> Pmf:
    """The law of wounds lost by bearers of Hazardous weapons, one after the other, no spill.

    A wounded bearer comes first, then one that is no character (10th edition). ``points[g]``
    are the mortal wounds on a bearer of group g, ``None`` where it is destroyed. Any model may
    bear one.
    """
    harm = Harm(ranged=None, mortal=True)
    laws = tuple(
        Pmf.point(group.wounds)
        if harmed is None
        else felt(Pmf.point(harmed), best(group.feel_no_pain, harm))
        for group, harmed in zip(unit.groups, points, strict=True)
    )
    everyone = tuple(sorted(range(len(unit.groups)), key=lambda g: unit.groups[g].character))
    space = states(unit)
    step: Map = one_model(space, selected(unit, (everyone,)), laws)
    return space.damage(settle(joined(failures.from_zero(), space.from_start()), step))
