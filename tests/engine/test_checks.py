"""Rolls made for a unit, hazards beyond weapons: against counting, in fractions."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from killcurve.engine.checks import (
    CheckReroll,
    Kept,
    UnitRoll,
    advance,
    battle_shock,
    charge,
    charge_need,
    command_reroll,
)
from killcurve.engine.dice import Dice
from killcurve.engine.edition import EDITIONS, edition
from killcurve.engine.selfharm import (
    deadly_demise,
    desperate_escape,
    failed_hazards,
    multiplied,
    suffered,
)
from killcurve.engine.target import Target

from tests.engine.builders import squad

SIX = (1, 2, 3, 4, 5, 6)
rolls = st.builds(
    UnitRoll,
    dice=st.sampled_from([2, 3]),
    kept=st.sampled_from(Kept),
    modifier=st.integers(-4, 4),
    reroll=st.sampled_from(CheckReroll),
)


def total(faces, kept, modifier):
    """The best or worst pair is looked for, nothing is sorted."""
    pairs = [sum(pair) for pair in combinations(faces, 2)]
    kept_sum = {"all": sum, "the highest two": lambda _: max(pairs)}.get(
        kept.value, lambda _: min(pairs)
    )
    return max(1, kept_sum(faces) + modifier)


def chance(dice, kept, modifier, reroll, need):
    """P(success), one first roll after the other."""

    def success(faces):
        return total(faces, kept, modifier) >= need

    fresh = F(sum(success(f) for f in product(SIX, repeat=dice)), 6**dice)
    found = F(0)
    for faces in product(SIX, repeat=dice):
        if success(faces):
            after = F(1)
        elif reroll is CheckReroll.NONE:
            after = F(0)
        elif reroll is CheckReroll.WHOLE:
            after = fresh
        else:
            each = []
            for i in range(dice):
                again = [list(faces) for _ in SIX]
                for face, new in zip(SIX, again, strict=True):
                    new[i] = face
                each.append(F(sum(success(tuple(new)) for new in again), 6))
            after = max(each)
        found += after / 6**dice
    return found


@pytest.mark.parametrize("reroll", CheckReroll)
@pytest.mark.parametrize("kept", Kept)
@pytest.mark.parametrize("dice", [2, 3])
def test_every_need_against_counting(dice, kept, reroll):
    for modifier in (-3, 0, 1):
        roll = UnitRoll(dice, kept, modifier, reroll)
        for need in range(-1, 21):
            expected = float(chance(dice, kept, modifier, reroll, need))
            assert roll.passes(need) == pytest.approx(expected, abs=1e-15)
            assert roll.law(need).at_least(need) == pytest.approx(expected, abs=1e-14)


def test_the_law_of_a_whole_roll_made_again():
    law = UnitRoll(reroll=CheckReroll.WHOLE).law(9)
    once = {t: F(6 - abs(t - 7), 36) for t in range(2, 13)}
    fails = sum(p for t, p in once.items() if t < 9)
    for t, p in once.items():
        assert law.probability(t) == pytest.approx(
            float(fails * p + (p if t >= 9 else 0)), abs=1e-15
        )


def test_one_die_again_leaves_the_other_standing():
    law = UnitRoll(reroll=CheckReroll.ONE_DIE).law(12)
    # 12 at once, or one 6 first and a 6 on the other die.
    assert law.probability(12) == pytest.approx(float(F(1, 36) + F(10, 36) / 6), abs=1e-15)
    # Without a 6 nothing helps; then the lower die goes again: 2 is 1 and 1, and a 1 again.
    assert law.probability(2) == pytest.approx(float(F(1, 36) / 6), abs=1e-15)


def test_one_die_of_three_before_any_is_put_aside():
    roll = UnitRoll(dice=3, kept=Kept.LOWEST_TWO, reroll=CheckReroll.ONE_DIE)
    # The two lowest of three 6s: at once, or with two of them and a 6 for the third, or with one
    # other die that already does not count.
    first = F(1, 216)
    pair = F(15, 216)
    assert roll.passes(12) == pytest.approx(float(first + pair / 6), abs=1e-15)


@given(rolls, st.integers(-2, 20))
@settings(max_examples=80, deadline=None)
def test_laws_of_rolls(roll, need):
    law = roll.law(need)
    assert law.weights.sum() == pytest.approx(1, abs=1e-14)
    assert law.start >= 1
    assert roll.passes(need - 1) >= roll.passes(need) - 1e-15
    plain = UnitRoll(roll.dice, roll.kept, roll.modifier)
    assert roll.passes(need) >= plain.passes(need) - 1e-15
    better = UnitRoll(roll.dice, roll.kept, roll.modifier + 1, roll.reroll)
    assert better.passes(need) >= roll.passes(need) - 1e-15


@given(st.integers(-2, 20), st.integers(-4, 4))
@settings(max_examples=40, deadline=None)
def test_a_third_die_helps_or_hurts_by_what_is_kept(need, modifier):
    lowest, two, highest = (
        UnitRoll(dice, kept, modifier).passes(need)
        for dice, kept in [(3, Kept.LOWEST_TWO), (2, Kept.ALL), (3, Kept.HIGHEST_TWO)]
    )
    assert lowest - 1e-15 <= two <= highest + 1e-15


def test_battle_shock_goes_by_the_best_leadership():
    assert battle_shock([8, 6, 7]) == pytest.approx(26 / 36, abs=1e-15)
    assert battle_shock([6], modifier=-1) == battle_shock([7]) == pytest.approx(21 / 36)
    assert battle_shock([8], dice=3) == pytest.approx(1 - 35 / 216, abs=1e-15)
    assert battle_shock([7], reroll=CheckReroll.WHOLE) == pytest.approx(1 - (15 / 36) ** 2)


@pytest.mark.parametrize(
    ("distance", "rules", "need"),
    [
        (9, "11e", 7), (9, "10e", 8), (9, "10e-2023-09", 8), (9, "10e-2023-06", 8),
        (8.1, "11e", 7), (8.0, "11e", 6), (0.1 * 30, "11e", 1), (12.5, "10e", 12), (0, "11e", 0),
    ],
)  # fmt: skip
def test_a_charge_comes_within_engagement_range(distance, rules, need):  # §12.17
    rules = edition(rules)
    assert charge_need(distance, rules) == need
    expected = chance(2, Kept.ALL, 0, CheckReroll.NONE, need)
    assert charge(distance, rules) == pytest.approx(float(expected), abs=1e-15)


def test_charges_are_rolled_again_as_a_whole():  # §9
    for rules in EDITIONS.values():
        assert command_reroll(rules, charge=True) is CheckReroll.WHOLE
    keys = {e.key: command_reroll(e) for e in EDITIONS.values()}
    assert keys.pop("11e") is CheckReroll.ONE_DIE
    assert set(keys.values()) == {CheckReroll.WHOLE}
    with pytest.raises(ValueError, match=r"all of them can \(CheckReroll.WHOLE\)"):
        charge(9, edition("11e"), reroll=CheckReroll.ONE_DIE)
    once = F(21, 36)
    assert charge(9, edition("11e"), reroll=CheckReroll.WHOLE) == pytest.approx(
        float(once + (1 - once) * once), abs=1e-15
    )


def test_advances():
    assert [advance(n) for n in range(9)] == pytest.approx(
        [1, 1, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6, 0, 0], abs=1e-15
    )
    assert advance(7, modifier=2) == pytest.approx(1 / 3)
    again = {advance(4.5, reroll=r) for r in (CheckReroll.WHOLE, CheckReroll.ONE_DIE)}
    assert len(again) == 1
    assert again.pop() == pytest.approx(5 / 9)
    assert UnitRoll(1, reroll=CheckReroll.WHOLE).law(4).mean == pytest.approx(4.25)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: UnitRoll(dice=5), "dice is 5; whole numbers from 1 to 4"),
        (lambda: UnitRoll(dice=2.5), "dice is 2.5"),
        (lambda: UnitRoll(modifier=10**9), "from -20 to 20"),
        (lambda: UnitRoll(1, Kept.LOWEST_TWO), "roll two or more dice"),
        (lambda: UnitRoll(reroll=CheckReroll.ONE_DIE).law(), "give the need"),
        (lambda: battle_shock([]), "no Leadership is given"),
        (lambda: battle_shock([13]), "leadership is 13"),
        (lambda: battle_shock(["6+"]), r"leadership is '6\+'"),
        (lambda: charge(-1, edition("11e")), "distance is -1; inches are"),
        (lambda: charge(float("nan"), edition("11e")), "distance is nan"),
        (lambda: charge("9", edition("11e")), "distance is '9'"),
        (lambda: advance(float("inf")), "inches is inf"),
        (lambda: desperate_escape(Target((squad(2),)), edition("10e"), models=3), "0 to 2 are"),
    ],
)
def test_wrong_inputs_say_what_is_possible(wrong, words):
    with pytest.raises(ValueError, match=words):
        wrong()


def test_hazards():  # §6.5
    eleventh, tenth = edition("11e"), edition("10e")
    assert failed_hazards(2, eleventh).weights.tolist() == pytest.approx([4 / 9, 4 / 9, 1 / 9])
    for rules, often in ((eleventh, F(1, 3)), (tenth, F(1, 6))):
        law = multiplied(failed_hazards(1, rules), rules.hazard_harm_sturdy)
        assert law.probability(3) == pytest.approx(float(often), abs=1e-15)
        assert law.probability(0) == pytest.approx(float(1 - often), abs=1e-15)


@pytest.mark.parametrize("rules", EDITIONS)
@pytest.mark.parametrize("tests", [0, 1, 2, 3])
def test_one_failed_hazard_rolled_again(rules, tests):  # §9
    worst = edition(rules).hazard_fails_on
    expected = [F(0)] * (tests + 1)
    for faces in product(SIX, repeat=tests):
        failed = [i for i, face in enumerate(faces) if face <= worst]
        for again in SIX:
            now = list(faces)
            if failed:
                now[failed[0]] = again
            expected[sum(face <= worst for face in now)] += F(1, 6 ** (tests + 1))
    law = failed_hazards(tests, edition(rules), rerolled=True)
    assert law.weights.tolist() == pytest.approx([float(p) for p in expected], abs=1e-15)


def lost(wounds, unit):
    """Wounds and models lost by models in a row, point by point, no Feel No Pain."""
    models = list(unit)
    dead = 0
    while models and wounds:
        taken = min(wounds, models[0])
        models[0] -= taken
        wounds -= taken
        if not models[0]:
            models.pop(0)
            dead += 1
    return sum(unit) - sum(models), dead


def laws_of(outcomes):
    damage, slain = {}, {}
    for (wounds, models), p in outcomes:
        damage[wounds] = damage.get(wounds, F(0)) + p
        slain[models] = slain.get(models, F(0)) + p
    return damage, slain


def same(law, expected):
    for value in range(max(*expected, law.stop) + 1):
        assert law.probability(value) == pytest.approx(float(expected.get(value, 0)), abs=1e-14)


@pytest.mark.parametrize("sturdy", [False, True])
def test_desperate_escape_by_hazard_rolls(sturdy):  # §6.5
    unit = Target((squad(1, wounds=3, character=True), squad(3, wounds=2, wounds_lost=1)))
    harm = 3 if sturdy else 1
    damage, slain = laws_of(
        (lost(harm * sum(face <= 2 for face in faces), (1, 2, 2, 3)), F(1, 6**4))
        for faces in product(SIX, repeat=4)
    )
    found = desperate_escape(unit, edition("11e"), sturdy=sturdy)
    same(found.damage, damage)
    same(found.slain, slain)


@pytest.mark.parametrize("rules", ["10e", "10e-2023-09", "10e-2023-06"])
def test_desperate_escape_that_destroys_models(rules):  # inferred
    unit = Target((squad(1, wounds=3, character=True), squad(3, wounds=2, wounds_lost=1)))
    row = (1, 2, 2, 3)
    for models in range(5):
        outcomes = []
        for faces in product(SIX, repeat=models):
            dead = sum(face <= 2 for face in faces)
            outcomes.append(((sum(row[:dead]), dead), F(1, 6**models)))
        damage, slain = laws_of(outcomes)
        found = desperate_escape(unit, edition(rules), models=models)
        same(found.damage, damage)
        same(found.slain, slain)


def test_a_reroll_never_hurts_an_escape():
    unit = Target((squad(4, wounds=2),))
    for rules in EDITIONS.values():
        plain, again = (desperate_escape(unit, rules, rerolled=r) for r in (False, True))
        assert all(again.slain.at_least(k) <= plain.slain.at_least(k) + 1e-15 for k in range(5))
        assert again.damage.mean < plain.damage.mean


@pytest.mark.parametrize("wounds", ["1", "3", "D3", "D6", "D3+3"])
def test_deadly_demise(wounds):  # §6.6
    dice = Dice.parse(wounds)
    law = deadly_demise(dice)
    assert law.probability(0) == pytest.approx(5 / 6, abs=1e-15)
    for value in range(1, dice.maximum + 1):
        assert law.probability(value) == pytest.approx(dice.pmf.probability(value) / 6, abs=1e-16)
    expected, unit = {0: F(5, 6)}, (2, 2)
    faces = SIX if dice.sides == 6 else (1, 1, 2, 2, 3, 3)
    for face in faces:
        value = (face if dice.count else 0) + dice.bonus
        gone = lost(value, unit)[0]
        expected[gone] = expected.get(gone, F(0)) + F(1, 36)
    same(suffered(Target((squad(2, wounds=2),)), law), expected)


def test_feel_no_pain_holds_against_what_explodes():
    unit = Target((squad(2, wounds=1, feel_no_pain=4),))
    law = suffered(unit, deadly_demise(Dice.parse(1)))
    assert law.probability(1) == pytest.approx(1 / 12, abs=1e-15)
