"""Charges, advances and who comes near enough, against counting dice."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import pytest
from killcurve.engine.checks import CheckReroll
from killcurve.engine.conduct import conduct
from killcurve.engine.edition import EDITIONS, edition
from killcurve.engine.movement import (
    JUST,
    RankBehind,
    advance_roll,
    after_move,
    charge_roll,
    fighting,
    roll_needed,
)

SIX = range(1, 7)
PAIRS = [a + b for a, b in product(SIX, repeat=2)]


@pytest.mark.parametrize(
    ("rules", "distance", "need"),
    [
        ("10e", 9.01, 9),
        ("10e", 9, 8),
        ("10e", 1.5, 1),
        ("10e", 1, 0),
        ("10e", 12, 11),
        ("10e", 12.01, None),
        ("11e", 8.01, 9),
        ("11e", 8, 8),
        ("11e", 2.01, 3),
        ("11e", 2, 0),
        ("11e", 12, 12),
        ("11e", 12.01, None),
    ],
)
def test_the_roll_that_a_charge_needs(rules, distance, need):
    assert roll_needed(distance, edition(rules)) == need


def test_the_other_reading_counts_the_engagement_range():
    assert roll_needed(8.01, edition("11e"), reaches_target=False) == 7
    assert roll_needed(9.01, edition("10e"), reaches_target=True) == 10


def test_a_roll_of_two_never_arrives_in_the_eleventh_edition():
    """Core rules 11.02.01: nobody stands nearer than just beyond 2 inches."""
    near = after_move(5, 6, edition("11e"))
    assert near > 2
    assert near == pytest.approx(2)
    assert charge_roll(2).at_least(roll_needed(near, edition("11e"))) == pytest.approx(35 / 36)


def test_moves_end_unengaged():
    for rules in EDITIONS.values():
        assert after_move(20, 6, rules) == 14
        assert rules.engagement_range < after_move(3, 6, rules) <= rules.engagement_range + JUST
        assert after_move(0.5, 6, rules) == 0.5


@pytest.mark.parametrize("need", range(2, 14))
@pytest.mark.parametrize("modifier", [-2, 0, 1])
def test_charges_by_counting(need, modifier):
    once = F(sum(pair + modifier >= need for pair in PAIRS), 36)
    assert charge_roll(need, modifier=modifier).at_least(need) == pytest.approx(float(once))
    twice = once + (1 - once) * once
    rolled = charge_roll(need, modifier=modifier, reroll=CheckReroll.WHOLE)
    assert rolled.at_least(need) == pytest.approx(float(twice), abs=1e-14)


def test_one_die_of_a_charge_is_not_rolled_again():
    with pytest.raises(ValueError, match="cannot be rolled again"):
        charge_roll(7, reroll=CheckReroll.ONE_DIE)


@pytest.mark.parametrize("need", [None, 2, 5, 6, 9])
def test_advances_by_counting(need):
    """Without a need a roll below the average of a new one is made again."""
    rolled = advance_roll(need=need, reroll=CheckReroll.WHOLE)
    limit = 4 if need is None else need
    for inches in SIX:
        kept = F(1, 6) if inches >= limit else F(0)
        again = F(sum(first < limit for first in SIX), 6) * F(1, 6)
        assert rolled.probability(inches) == pytest.approx(float(kept + again), abs=1e-15)
    assert advance_roll(modifier=2).start == 3


def test_who_is_near_enough_by_counting():
    """A rank 4 inches behind needs 4 more, of which the pile-in brings 3."""
    rules, distance, need = edition("10e"), 7.5, 7
    ranks = (RankBehind(3), RankBehind(4, 4.0), RankBehind(2, 5.5))
    found = fighting(charge_roll(need), need, distance, rules, ranks)
    expected: dict[int, F] = {}
    for pair in PAIRS:
        models = 0
        if pair >= need:
            reached = pair + 3 + 1 - distance
            models = 3 + 4 * (reached >= 4) + 2 * (reached >= 5.5)
        expected[models] = expected.get(models, F(0)) + F(1, 36)
    assert found == pytest.approx({k: float(v) for k, v in expected.items()})
    far = fighting(charge_roll(need), need, distance, rules, ranks, pile_in=0)
    assert sum(m * p for m, p in far.items()) < sum(m * p for m, p in found.items())


@pytest.mark.parametrize(("models", "inches"), [(0, 1.0), (2, -1.0), (2, float("nan"))])
def test_impossible_ranks(models, inches):
    with pytest.raises(ValueError, match="a rank has 1 model or more"):
        RankBehind(models, inches)


def test_every_rule_state_has_its_conduct():
    assert {conduct(rules).arrives_beyond for rules in EDITIONS.values()} == {8, 9}
