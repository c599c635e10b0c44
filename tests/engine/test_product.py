"""Simple volleys as one product of two halves: the same as going through them step by step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from killcurve.engine.decisions.choices import Choices
from killcurve.engine.edition import edition
from killcurve.engine.plain import play_plainly
from killcurve.engine.product import product
from killcurve.engine.resolve import asks_for_choices, resolve
from killcurve.engine.roll import Reroll
from killcurve.engine.states import states
from killcurve.engine.target import Target
from killcurve.engine.volley import Volley, outcome

from tests.engine.builders import gun, squad
from tests.engine.test_laws import editions, groups, lines


@given(editions, groups, lines, st.data())
@settings(max_examples=200, deadline=None)
def test_a_product_is_the_volley_step_by_step(rules, group, line, data):
    lost = data.draw(st.integers(0, group.wounds - 1))
    volley = Volley(rules, Target((replace(group, wounds_lost=lost),)), (line,))
    halves = product(volley)
    assume(halves is not None)
    law, stages = play_plainly(volley)
    slowly, quickly = outcome(states(volley.target), law, stages), halves.outcome()
    assert np.abs(quickly.law - slowly.law).max() < 1e-14
    for name in ("damage", "slain"):
        one, other = getattr(quickly, name).from_zero(), getattr(slowly, name).from_zero()
        assert one.shape == other.shape
        assert np.abs(one - other).max() < 1e-14
    assert quickly.destroyed == pytest.approx(slowly.destroyed, abs=1e-14)
    for stage, same in zip(quickly.stages, slowly.stages, strict=True):
        assert stage.damage == pytest.approx(same.damage, abs=1e-12)
        assert replace(stage, damage=0.0) == replace(same, damage=0.0)


def test_most_questions_are_products():
    """One gun at one kind of models; what waits, several groups or lines are not."""
    ten, two = edition("10e"), squad(5)
    assert product(Volley(ten, Target((two,)), (gun(attacks=10),))) is not None
    assert product(Volley(ten, Target((two, squad(1))), (gun(),))) is None
    assert product(Volley(ten, Target((two,)), (gun(), gun()))) is None
    guarded = squad(5, feel_no_pain=5)
    wounds = gun(attacks=10, devastating=True)
    assert product(Volley(ten, Target((guarded,)), (wounds,))) is not None


def test_an_answer_cannot_be_changed_by_its_reader():
    """The next answer to the same question is made of the same halves."""
    volley = Volley(edition("11e"), Target((squad(5),)), (gun(attacks=4),))
    first = resolve(volley)
    for array in (first.law, first.damage.weights, first.slain.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    assert resolve(volley).damage == first.damage


@pytest.mark.parametrize("rules", ["10e", "11e"])
@pytest.mark.parametrize("kind", [Reroll.FAILED, Reroll.NONCRITICAL, Reroll.ONES])
def test_damage_that_is_not_rolled_is_never_rolled_again(rules, kind):
    """Damage rolls that may be made again change a fixed damage in nothing, nor ask for choices."""
    target = Target((squad(4, wounds=3, save=4), squad(1, wounds=5, save=2)))
    fixed = gun(attacks="D6", damage=2, devastating=True)
    again = replace(fixed, modifiers=replace(fixed.modifiers, reroll_damage=kind))
    plain, asked = (Volley(edition(rules), target, (line,)) for line in (fixed, again))
    assert not asks_for_choices(asked, Choices())
    assert np.abs(resolve(asked).law - resolve(plain).law).max() == 0.0
    rolled = gun(attacks="D6", damage="D3", devastating=True)
    rolled = replace(rolled, modifiers=replace(rolled.modifiers, reroll_damage=kind))
    assert resolve(Volley(edition(rules), target, (rolled,))).damage.mean > 0
    assert asks_for_choices(Volley(edition(rules), target, (rolled,)), Choices()) is (
        kind is not Reroll.ONES
    )
