"""Hazard rolls as laws of a unit's states, for whoever goes on from there (RULES.md §6.5)."""

from __future__ import annotations

from functools import lru_cache

from killcurve.engine.edition import Edition
from killcurve.engine.losses import joined, settle
from killcurve.engine.packets import felt, one_model
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.selfharm import failed_hazards, multiplied
from killcurve.engine.shot import selected
from killcurve.engine.states import states
from killcurve.engine.target import Harm, Target, best
from killcurve.engine.volley import Volley, suffer_mortal_wounds


@lru_cache(maxsize=2048)
def after_hazards(
    unit: Target, tests: int, edition: Edition, *, sturdy: bool = False, tough: bool = False
) -> FloatArray:
    """The law of a unit's states after so many hazard rolls; shape (states,).

    ``sturdy`` is a unit of monsters and vehicles alone, ``tough`` one whose models suffer mortal
    wounds where others that bear a hazardous weapon are destroyed (characters are, whatever is
    said). Before the 11th edition any model may bear one: wounded ones come first, characters
    last, and nothing spills.

    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.target import ModelGroup
    >>> pair = Target((ModelGroup(count=2, toughness=4, save=3, wounds=1),))
    >>> after_hazards(pair, 2, edition("11e")).round(6).tolist()
    [0.444444, 0.444444, 0.111111]
    """
    failures = failed_hazards(tests, edition)
    start = states(unit).from_start()
    if edition.hazard_spills:
        each = edition.hazard_harm_sturdy if sturdy else edition.hazard_harm
        volley = Volley(edition, unit, mortal_wounds=(multiplied(failures, each),))
        return suffer_mortal_wounds(start, volley)
    harm = Harm(ranged=None, mortal=True)
    laws = tuple(
        Pmf.point(group.wounds)
        if edition.hazard_destroys and not (tough or sturdy or group.character)
        else felt(Pmf.point(edition.hazard_harm), best(group.feel_no_pain, harm))
        for group in unit.groups
    )
    order = tuple(sorted(range(len(unit.groups)), key=lambda g: unit.groups[g].character))
    step = one_model(states(unit), selected(unit, (order,)), laws)
    return settle(joined(failures.from_zero(), start), step)
