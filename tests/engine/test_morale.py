"""Battle-shock and objective control over a unit's states, against sums in fractions."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from killcurve.engine.checks import UnitRoll
from killcurve.engine.edition import edition
from killcurve.engine.morale import control, control_left, failing, must_test
from killcurve.engine.states import states
from killcurve.engine.target import Target

from tests.engine.builders import squad

UNIT = Target((squad(count=3, wounds=1), squad(count=1, wounds=3, toughness=5)))


def fails(leadership):
    return F(sum(a + b < leadership for a, b in product(range(1, 7), repeat=2)), 36)


@pytest.mark.parametrize("rules", ["11e", "10e"])
def test_who_tests_and_who_fails(rules):
    """Four models: two left are at half, one left is below it."""
    space = states(UNIT)
    found = must_test(space, edition(rules))
    best = failing(space, [[7, 7, 6], [8]], UnitRoll())
    for state in range(space.size):
        left = 4 - space.dead[0][state] - space.dead[1][state]
        expected = 0 < left <= 2 if rules == "11e" else left == 1
        assert found[state] == expected
        known = [[7, 7, 6][space.dead[0][state]]] if space.alive(0)[state] else []
        known += [8] if space.alive(1)[state] else []
        wanted = fails(min(known)) if known else 0
        assert best[state] == pytest.approx(float(wanted), abs=1e-15)


def test_control_is_that_of_the_living_and_nothing_when_shocked():
    space = states(UNIT)
    held = control(space, [[6, 4, 2, 0], [5, 0]])
    law = np.full(space.size, 1 / space.size)
    shocked = np.linspace(0, 1, space.size)
    found = control_left(law, held, shocked)
    for value in range(12):
        expected = sum(
            law[s] * ((1 - shocked[s]) * (held[s] == value) + shocked[s] * (value == 0))
            for s in range(space.size)
        )
        assert found.probability(value) == pytest.approx(expected, abs=1e-15)
    assert found.weights.sum() == pytest.approx(1, abs=1e-14)
    assert held[space.destroyed] == 0


def test_each_number_of_dead_has_its_leadership():
    with pytest.raises(ValueError, match="3 models and 1 Leaderships"):
        failing(states(UNIT), [[7], [8]], UnitRoll())
