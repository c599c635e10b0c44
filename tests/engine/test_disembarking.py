"""Leaving transports and hazards of a unit, against enumeration in fractions."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import pytest
from killcurve.engine.dice import Dice
from killcurve.engine.disembarking import Leaving, escape, hurt_leaving
from killcurve.engine.edition import EDITIONS, edition
from killcurve.engine.hazards import after_hazards
from killcurve.engine.selfharm import bearers_hurt, failed_hazards, multiplied, suffered
from killcurve.engine.states import states
from killcurve.engine.target import Target

from tests.engine.builders import squad

SIX = range(1, 7)


def enumerated(models, each, fails_on, harm, demise):
    """P(wounds lost) roll by roll: every model, then the explosion and its D3."""
    law = {}
    for rolls in product(SIX, repeat=models):
        lost = harm * sum(roll <= fails_on for roll in rolls)
        for boom, size in product(SIX, (1, 2, 3)):
            total = lost + (size if demise and boom == 6 else 0)
            total = min(total, models * each)
            law[total] = law.get(total, F(0)) + F(1, 6**models * 18)
    return law


@pytest.mark.parametrize(
    ("rules", "how", "sturdy", "fails_on", "harm", "reached"),
    [
        ("11e", Leaving.DESTROYED, False, 2, 1, True),
        ("11e", Leaving.FAR, False, 2, 1, True),
        ("11e", Leaving.COMBAT, False, 2, 1, False),
        ("11e", Leaving.DESTROYED, True, 2, 3, True),
        ("10e", Leaving.DESTROYED, False, 1, 1, False),
        ("10e", Leaving.FAR, True, 3, 1, False),
    ],
)
def test_leaving_roll_by_roll(rules, how, sturdy, fails_on, harm, reached):
    unit = Target((squad(count=3, wounds=2),))
    found = escape(unit, edition(rules), how, demise=Dice.parse("D3"), sturdy=sturdy)
    expected = enumerated(3, 2, fails_on, harm, reached)
    for state, chance in enumerate(found.law):
        assert chance == pytest.approx(float(expected.get(state, 0)), abs=1e-14)
    assert found.law.sum() == pytest.approx(1, abs=1e-14)


def test_an_explosion_only_adds():
    unit = Target((squad(count=5, wounds=1),))
    found = escape(unit, edition("11e"), demise=Dice.parse(2))
    space = states(unit)
    quiet, loud = space.slain(found.quiet), space.slain(found.exploded)
    assert all(loud.at_least(k + 2) >= quiet.at_least(k) - 1e-12 for k in range(4))
    assert found.explodes == pytest.approx(1 / 6)
    assert escape(unit, edition("11e")).explodes == 0
    assert escape(unit, edition("11e"), Leaving.COMBAT, demise=Dice.parse(2)).explodes == 0


@pytest.mark.parametrize("rules", ["10e", "10e-2023-09", "10e-2023-06"])
def test_combat_disembarkation_came_with_the_eleventh_edition(rules):
    with pytest.raises(ValueError, match="no combat disembarkation"):
        hurt_leaving(5, edition(rules), Leaving.COMBAT)


def test_feel_no_pain_helps_those_who_leave():
    plain, hardy = (Target((squad(count=4, feel_no_pain=fnp),)) for fnp in (None, 5))
    means = [states(u).slain(escape(u, edition("11e")).law).mean for u in (plain, hardy)]
    assert means[1] == pytest.approx(means[0] * 2 / 3)


@pytest.mark.parametrize("rules", EDITIONS)
@pytest.mark.parametrize("sturdy", [False, True])
def test_hazards_as_laws_of_states_are_the_known_laws_of_wounds(rules, sturdy):
    state = edition(rules)
    unit = Target((squad(count=2, wounds=2, feel_no_pain=5), squad(wounds=4, character=True)))
    law = after_hazards(unit, 3, state, sturdy=sturdy)
    failures = failed_hazards(3, state)
    if state.hazard_spills:
        each = state.hazard_harm_sturdy if sturdy else state.hazard_harm
        known = suffered(unit, multiplied(failures, each))
    else:
        destroyed = state.hazard_destroys and not sturdy
        known = bearers_hurt(unit, failures, [None if destroyed else 3, 3])
    found = states(unit).damage(law)
    assert found.weights == pytest.approx(known.weights, abs=1e-14)
