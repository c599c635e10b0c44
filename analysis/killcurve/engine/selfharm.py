"""Harm without attacks: hazards, ramming, escapes, explosions (RULES.md §6.5, §6.6, §9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from killcurve.engine.allocation import one_by_one
from killcurve.engine.dice import Dice
from killcurve.engine.edition import Edition
from killcurve.engine.losses import joined, settle
from killcurve.engine.packets import Map, felt, one_model
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.pools import at_most, successes
from killcurve.engine.shot import Packet, packet_map, selected
from killcurve.engine.states import states
from killcurve.engine.target import Harm, Target, best

MOST_RAMMED = 6
"""Mortal wounds that one ramming does to a unit at most."""
ESCAPE_FAILS_ON = 2
"""Where Desperate Escape is no hazard roll, results up to this destroy a model (inferred)."""
EXPLODES_ON = 6


class Losses(NamedTuple):
    """The laws of the wounds and of the models that a unit loses."""

    damage: Pmf
    slain: Pmf


def failed_hazards(tests: int, edition: Edition, *, rerolled: bool = False) -> Pmf:
    """The law of failed hazard rolls (or Hazardous tests).

    With ``rerolled`` one that failed, if any, is rolled again (Command Re-roll, RULES.md §9).

    >>> from killcurve.engine.edition import edition
    >>> failed_hazards(2, edition("11e")).weights.round(6).tolist()
    [0.444444, 0.444444, 0.111111]
    >>> failed_hazards(1, edition("11e"), rerolled=True).weights.round(6).tolist()
    [0.888889, 0.111111]
    """
    return _failures(tests, edition.hazard_fails_on, rerolled)


def _failures(tests: int, fails_on: int, rerolled: bool) -> Pmf:
    law = successes(tests, 7 - fails_on)
    if not rerolled:
        return law
    again = law.weights.copy()
    saved = law.weights[1:] * (6 - fails_on) / 6
    again[1:] -= saved
    again[:-1] += saved
    return Pmf(again)


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
    return states(unit).damage(_after_mortal_wounds(unit, number))


def _after_mortal_wounds(unit: Target, number: Pmf) -> FloatArray:
    """The law of a unit's states after a random number of mortal wounds."""
    harm = Harm(ranged=None, mortal=True)
    point = Packet(Pmf.point(1), tuple(best(g.feel_no_pain, harm) for g in unit.groups))
    return _repeated(unit, number, packet_map(point, unit, one_by_one(unit)))


def _repeated(unit: Target, number: Pmf, step: Map) -> FloatArray:
    """The law of a unit's states after a random number of equal steps."""
    return settle(joined(number.from_zero(), states(unit).from_start()), step)


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
    return space.damage(_repeated(unit, failures, step))


def desperate_escape(
    unit: Target,
    edition: Edition,
    *,
    models: int | None = None,
    sturdy: bool = False,
    rerolled: bool = False,
) -> Losses:
    """What a unit loses to a Desperate Escape of ``models`` of its models (all, if not given).

    In the 11th edition each makes a hazard roll (RULES.md §6.5): a failure is a mortal wound on
    the unit, three where it is ``sturdy`` (monsters and vehicles alone). So do those who leave a
    transport in an emergency. Before, each rolls a D6, of which 1 and 2 destroy a model of the
    unit, wounded ones first and characters last: inferred, RULES.md does not have it.
    ``rerolled``: one failure is rolled again.

    Raises:
        ValueError: if more models roll than there are.

    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.target import ModelGroup
    >>> pair = Target((ModelGroup(count=2, toughness=4, save=3, wounds=2),))
    >>> means = [desperate_escape(pair, edition(e)).slain.mean for e in ("11e", "10e")]
    >>> [round(mean, 6) for mean in means]
    [0.111111, 0.666667]
    >>> desperate_escape(pair, edition("11e"), models=3)
    Traceback (most recent call last):
    ...
    ValueError: 3 models roll for a unit of 2; 0 to 2 are possible
    """
    rolls = unit.models if models is None else models
    if not 0 <= rolls <= unit.models:
        raise ValueError(
            f"{rolls} models roll for a unit of {unit.models}; 0 to {unit.models} are possible"
        )
    space = states(unit)
    if edition.escape_is_hazard:
        each = edition.hazard_harm_sturdy if sturdy else edition.hazard_harm
        number = multiplied(failed_hazards(rolls, edition, rerolled=rerolled), each)
        law = _after_mortal_wounds(unit, number)
    else:
        whole = tuple(Pmf.point(group.wounds) for group in unit.groups)
        step = one_model(space, selected(unit, one_by_one(unit)), whole)
        law = _repeated(unit, _failures(rolls, ESCAPE_FAILS_ON, rerolled), step)
    return Losses(space.damage(law), space.slain(law))


def deadly_demise(wounds: Dice) -> Pmf:
    """The law of the mortal wounds on one unit near a model with Deadly Demise (RULES.md §6.6).

    On a 6 every unit within 6" suffers ``wounds``, rolled for each: several units suffer from
    the same 6, so their laws are not independent. :func:`suffered` applies it to a unit.

    >>> deadly_demise(Dice.parse("D3")).weights.round(6).tolist()
    [0.833333, 0.055556, 0.055556, 0.055556]
    """
    chance = (7 - EXPLODES_ON) / 6
    weights = chance * wounds.pmf.from_zero()
    weights[0] += 1 - chance
    return Pmf(weights)
