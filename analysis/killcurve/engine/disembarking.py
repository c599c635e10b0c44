"""What it costs to leave a transport in a hurry (RULES.md §6.5, §6.6; core rules 18.04, 18.05)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from killcurve.engine.conduct import conduct
from killcurve.engine.dice import Dice
from killcurve.engine.edition import Edition
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.pools import successes
from killcurve.engine.selfharm import EXPLODES_ON, multiplied
from killcurve.engine.states import states
from killcurve.engine.target import Target
from killcurve.engine.volley import Volley, suffer_mortal_wounds


class Leaving(Enum):
    """How a unit leaves a transport."""

    DESTROYED = "the transport was destroyed"
    FAR = "the transport was destroyed and there was no room near it"
    COMBAT = "combat disembarkation"


def hurt_leaving(
    models: int, edition: Edition, how: Leaving = Leaving.DESTROYED, *, sturdy: bool = False
) -> Pmf:
    """The law of mortal wounds on a unit of ``models`` models that leaves a transport so.

    In the 11th edition each model makes a hazard roll, whichever way it is; a failure is a
    mortal wound, three for a ``sturdy`` unit (monsters and vehicles alone). Before, each rolls a
    D6: a 1 is a mortal wound, or a 1 to 3 where there was no room within 3".

    Raises:
        ValueError: for a combat disembarkation before the 11th edition: there is none.

    >>> from killcurve.engine.edition import edition
    >>> [round(hurt_leaving(6, edition(e)).mean, 9) for e in ("11e", "10e")]
    [2.0, 1.0]
    >>> hurt_leaving(6, edition("10e"), Leaving.COMBAT)
    Traceback (most recent call last):
    ...
    ValueError: there is no combat disembarkation in rule state 10e; 11e has it
    """
    rules = conduct(edition)
    if how is Leaving.COMBAT and not rules.combat_disembarks:
        raise ValueError(f"there is no {how.value} in rule state {edition.key}; 11e has it")
    far = how is Leaving.FAR
    fails_on = rules.leaving_far_fails_on if far else rules.leaving_fails_on
    harmed = edition.hazard_harm_sturdy if sturdy else edition.hazard_harm
    each = harmed if edition.escape_is_hazard else 1
    return multiplied(successes(models, 7 - fails_on), each)


@dataclass(frozen=True, slots=True, eq=False)
class Escape:
    """The laws of a unit's states once it has left: without an explosion, and with one.

    ``explodes`` is the chance of the latter; where the explosion does not reach the unit both
    laws are the same.
    """

    quiet: FloatArray
    exploded: FloatArray
    explodes: float

    @property
    def law(self) -> FloatArray:
        """The law of the states, whatever happens; (states,)."""
        return np.asarray((1 - self.explodes) * self.quiet + self.explodes * self.exploded)


def escape(
    unit: Target,
    edition: Edition,
    how: Leaving = Leaving.DESTROYED,
    *,
    demise: Dice | None = None,
    sturdy: bool = False,
) -> Escape:
    """What a unit that leaves a transport suffers, as laws of its states.

    ``demise`` is the X of the transport's Deadly Demise; it explodes on a 6. Several units that
    leave one transport suffer apart, but from the same explosion: given ``quiet`` or
    ``exploded`` their laws are independent.

    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.target import ModelGroup
    >>> pair = Target((ModelGroup(count=2, toughness=4, save=3, wounds=1),))
    >>> escape(pair, edition("11e"), demise=Dice.parse(1)).law.round(6).tolist()
    [0.37037, 0.444444, 0.185185]
    """
    models = unit.models
    quiet = _after(unit, edition, hurt_leaving(models, edition, how, sturdy=sturdy))
    destroyed = how is not Leaving.COMBAT
    explodes = (7 - EXPLODES_ON) / 6 if demise is not None and destroyed else 0.0
    if demise is None or not explodes or not conduct(edition).demise_after_leaving:
        return Escape(quiet, quiet, explodes)
    return Escape(quiet, _after(unit, edition, demise.pmf, quiet), explodes)


def _after(
    unit: Target, edition: Edition, number: Pmf, law: FloatArray | None = None
) -> FloatArray:
    """The law of the states after so many mortal wounds."""
    start = states(unit).from_start() if law is None else law
    return suffer_mortal_wounds(start, Volley(edition, unit, mortal_wounds=(number,)))
