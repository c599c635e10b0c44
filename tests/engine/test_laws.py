"""Laws that hold for every attack, on generated inputs."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from killcurve.engine.change import Change
from killcurve.engine.dice import Dice
from killcurve.engine.edition import EDITIONS
from killcurve.engine.resolve import resolve
from killcurve.engine.roll import Reroll
from killcurve.engine.target import Against, ModelGroup, Protection, Target
from killcurve.engine.volley import Volley
from killcurve.engine.weapon import Modifiers, Weapon, WeaponLine

dice = st.sampled_from(["1", "2", "3", "D3", "D6", "D6+2", "2D3", "6"]).map(Dice.parse)
protections = st.lists(
    st.builds(Protection, st.integers(3, 6), st.sampled_from(Against)), max_size=2
).map(tuple)
groups = st.builds(
    ModelGroup,
    count=st.integers(1, 4),
    toughness=st.integers(2, 12),
    save=st.integers(2, 7),
    wounds=st.integers(1, 4),
    invulnerable=protections,
    feel_no_pain=protections,
    character=st.booleans(),
)
targets = st.lists(groups, min_size=1, max_size=2).map(lambda g: Target(tuple(g)))
modifiers = st.builds(
    Modifiers,
    skill=st.integers(-2, 2),
    hit=st.integers(-2, 2),
    wound=st.integers(-2, 2),
    ap=st.integers(-1, 2),
    critical_hits=st.integers(4, 6),
    critical_wounds=st.integers(2, 6),
    reroll_hits=st.sampled_from(Reroll),
    reroll_wounds=st.sampled_from(Reroll),
    sustained=st.one_of(st.none(), st.sampled_from(["1", "2", "D3"]).map(Dice.parse)),
    lethal=st.booleans(),
    devastating=st.booleans(),
    critical_wound_ap=st.integers(0, 1),
    cover=st.booleans(),
    damage=st.builds(
        Change, added=st.integers(0, 2), divisor=st.integers(1, 2), removed=st.integers(0, 1)
    ),
).map(lambda m: replace(m, damage_when_allocated=m.damage))
weapons = st.builds(
    Weapon,
    count=st.integers(1, 3),
    attacks=dice,
    skill=st.one_of(st.none(), st.integers(2, 6)),
    strength=st.sampled_from(["3", "4", "8", "D6+2"]).map(Dice.parse),
    ap=st.integers(-3, 0),
    damage=dice,
    ranged=st.booleans(),
)
lines = st.builds(WeaponLine, weapons, modifiers)
editions = st.sampled_from(list(EDITIONS.values()))


@given(editions, targets, st.lists(lines, min_size=1, max_size=2))
@settings(max_examples=150, deadline=None)
def test_every_law_sums_to_one_and_stays_within_the_target(edition, target, volley):
    out = resolve(Volley(edition, target, tuple(volley)))
    total = sum(g.total_wounds for g in target.groups)
    for law, most in ((out.damage, total), (out.slain, target.models)):
        assert math.isclose(law.weights.sum(), 1, abs_tol=1e-12)
        assert (law.weights >= 0).all()
        assert law.start >= 0
        assert law.stop <= most + 1
    assert out.destroyed == pytest.approx(out.damage.probability(total), abs=1e-13)
    assert out.destroyed == pytest.approx(out.slain.probability(target.models), abs=1e-13)


def dominates(more, less) -> bool:
    """Whether one law is at least the other at every level (first-order)."""
    most = max(more.stop, less.stop)
    return all(more.at_least(k) >= less.at_least(k) - 1e-12 for k in range(most))


@given(editions, groups, lines, st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_a_better_save_never_helps_the_attacker(edition, group, line, by):
    if group.save - by < 2:
        return
    better = replace(group, save=group.save - by)
    worse_out, better_out = (
        resolve(Volley(edition, Target((g,)), (line,))).damage for g in (group, better)
    )
    assert dominates(worse_out, better_out)


@given(editions, groups, lines)
@settings(max_examples=100, deadline=None)
def test_a_better_skill_and_one_more_weapon_never_hurt_the_attacker(edition, group, line):
    target = Target((group,))
    base = resolve(Volley(edition, target, (line,))).damage
    more = replace(line, weapon=replace(line.weapon, count=line.weapon.count + 1))
    assert dominates(resolve(Volley(edition, target, (more,))).damage, base)
    # With failures re-rolled a worse skill re-rolls more dice, and finds more critical hits.
    plain = line.modifiers.reroll_hits in (Reroll.NONE, Reroll.ONES)
    if line.weapon.skill is not None and line.weapon.skill > 2 and plain:
        skilled = replace(line, weapon=replace(line.weapon, skill=line.weapon.skill - 1))
        assert dominates(resolve(Volley(edition, target, (skilled,))).damage, base)


@given(editions, groups, lines)
@settings(max_examples=100, deadline=None)
def test_splitting_a_batch_of_a_simple_target_changes_nothing(edition, group, line):
    plain = replace(line.modifiers, devastating=False, critical_wound_ap=0)
    one = WeaponLine(replace(line.weapon, count=1), plain)
    three = WeaponLine(replace(line.weapon, count=3), plain)
    target = Target((group,))
    together = resolve(Volley(edition, target, (three,)))
    apart = resolve(Volley(edition, target, (one, one, one)))
    np.testing.assert_allclose(
        _padded(together.damage, apart.damage.stop),
        _padded(apart.damage, together.damage.stop),
        atol=1e-12,
    )


def _padded(law, size):
    weights = law.from_zero()
    return np.append(weights, np.zeros(max(0, size - len(weights))))


@given(editions, targets, lines)
@settings(max_examples=60, deadline=None)
def test_the_order_of_equal_weapons_does_not_matter(edition, target, line):
    volley = (line, line)
    out = resolve(Volley(edition, target, volley))
    again = resolve(Volley(edition, target, volley[::-1]))
    assert out.damage == again.damage


@given(groups, lines)
@settings(max_examples=60, deadline=None)
def test_means_of_the_stages_fall(group, line):
    stage = resolve(Volley(EDITIONS["11e"], Target((group,)), (line,))).stages[0]
    assert stage.hits <= stage.attacks * (1 + 3) + 1e-12
    assert stage.critical_hits <= stage.hits + 1e-12
    assert stage.wounds <= stage.hits + 1e-12
    assert stage.critical_wounds <= stage.wounds + 1e-12
    assert stage.unsaved <= stage.wounds + 1e-12
