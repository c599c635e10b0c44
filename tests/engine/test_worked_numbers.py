"""The worked numbers of RULES.md, one by one."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from killcurve.engine.attack import hit_roll
from killcurve.engine.change import Change
from killcurve.engine.dice import Dice
from killcurve.engine.edition import edition
from killcurve.engine.pools import successes
from killcurve.engine.roll import Reroll, Roll, wound_need
from killcurve.engine.saves import save_need
from killcurve.engine.target import Against, Protection
from killcurve.engine.weapon import Modifiers

from tests.engine.builders import fire, gun, squad


def hits(need, /, rules="11e", **modifiers):
    chances = hit_roll(need, True, Modifiers(**modifiers), edition(rules)).chances()
    return chances.success + chances.critical


@pytest.mark.parametrize(
    ("reroll", "hit", "critical"),
    [
        ("none", F(2, 3), F(1, 6)),
        ("ones", F(7, 9), F(7, 36)),
        ("failed", F(8, 9), F(2, 9)),
        ("noncritical", F(13, 18), F(11, 36)),
    ],
)
def test_reroll_of_a_3_plus(reroll, hit, critical):  # §1.2
    chances = Roll(3, reroll=Reroll(reroll)).chances()
    assert chances.success + chances.critical == pytest.approx(hit, abs=1e-15)
    assert chances.critical == pytest.approx(critical, abs=1e-15)


@pytest.mark.parametrize(
    ("sustained", "reroll", "mean"),
    [
        (1, "none", F(5, 6)),
        (1, "ones", F(35, 36)),
        (1, "failed", F(10, 9)),
        (1, "noncritical", F(37, 36)),
        (2, "none", F(1)),
        (2, "ones", F(7, 6)),
        (2, "failed", F(4, 3)),
        (2, "noncritical", F(4, 3)),
    ],
)
def test_expected_hits_with_sustained(sustained, reroll, mean):  # §1.2
    out = fire(gun(sustained=sustained, reroll_hits=Reroll(reroll)), at=squad(5))
    assert out.stages[0].hits == pytest.approx(mean, abs=1e-14)


@pytest.mark.parametrize(
    ("rules", "change", "faces"),
    [
        ("11e", Change(added=2, divisor=2, removed=1), [1, 1, 2, 2, 3, 3]),
        ("10e", Change(added=2, divisor=2, removed=1), [2, 2, 3, 3, 4, 4]),
        ("11e", Change(divisor=2, removed=1), [1, 1, 1, 1, 2, 2]),
        ("10e", Change(divisor=2, removed=1), [1, 1, 1, 1, 2, 2]),
        ("11e", Change(replaced=Dice(bonus=1), added=2), [3] * 6),
        ("10e", Change(replaced=Dice(bonus=1), added=2), [3] * 6),
    ],
)
def test_order_of_damage_modifiers(rules, change, faces):  # §1.3
    law = change.law(Dice.parse("D6"), edition(rules))
    values = [v for v, p in zip(law.values, law.weights, strict=True) for _ in range(round(6 * p))]
    assert values == sorted(faces)


def test_melta_halved_on_average():  # §1.3
    change = Change(added=2, divisor=2)
    means = [change.law(Dice.parse("D6"), edition(e)).mean for e in ("11e", "10e")]
    assert means == pytest.approx([3, 4], abs=1e-12)


@pytest.mark.parametrize(
    ("strength", "toughness", "need"),
    [
        (4, 8, 6),
        (4, 7, 5),
        (8, 4, 2),
        (7, 4, 3),
        (3, 5, 5),
        (3, 6, 6),
        (12, 6, 2),
        (12, 7, 3),
        (6, 11, 5),
        (6, 12, 6),
        (4, 4, 4),
    ],
)
def test_wound_table(strength, toughness, need):  # §1.4
    assert wound_need(strength, toughness) == need


@pytest.mark.parametrize(
    ("chance", "expected"),
    [
        (hits(3, cover=True), F(1, 2)),
        (hits(3, cover=True, hit=1), F(2, 3)),
        (hits(3, cover=True, hit=0), F(1, 2)),
        (hits(3, cover=True, hit=-1), F(1, 3)),
        (hits(6, cover=True), F(1, 6)),
        (hits(6, cover=True, hit=-1), F(1, 6)),
        (hits(2, skill=1), F(5, 6)),
        (hits(2, skill=1, hit=-1), F(2, 3)),
        (hits(3, rules="10e", hit=-2), F(1, 2)),
        (hits(3, rules="10e", skill=-1, hit=-1), F(1, 3)),
        (hits(3, hit_gate=5, cover=True), F(1, 6)),
        (hits(2, hit_gate=3, cover=True), F(1, 2)),
        (hits(4, hit_gate=3, cover=True), F(1, 3)),
        (hits(6, hit_gate=3), F(1, 6)),
        (hits(5, hit_gate=3, cover=True, hit=1), F(1, 3)),
        (hits(6, hit_gate=3, cover=True, hit=1), F(1, 3)),
    ],
)
def test_hit_table(chance, expected):  # §3.4
    assert chance == pytest.approx(expected, abs=1e-15)


def test_hits_while_snap_shooting_with_sustained():  # §3.4
    line = gun(sustained=1, hit_gate=5, only_gate_counts=True)
    assert fire(line, at=squad(5)).stages[0].hits == pytest.approx(1 / 3, abs=1e-15)


@pytest.mark.parametrize(
    ("roll", "wound", "critical"),
    [
        (Roll(6, critical=4), F(1, 2), F(1, 2)),
        (Roll(6), F(1, 6), F(1, 6)),
        (Roll(4, modifier=1), F(2, 3), F(1, 6)),
        (Roll(2, modifier=-1), F(2, 3), F(1, 6)),
        (Roll(4, reroll=Reroll.FAILED), F(3, 4), F(1, 4)),
        (Roll(4, reroll=Reroll.NONCRITICAL), F(7, 12), F(11, 36)),
    ],
)
def test_wound_rolls(roll, wound, critical):  # §4
    chances = roll.chances()
    assert chances.success + chances.critical == pytest.approx(wound, abs=1e-15)
    assert chances.critical == pytest.approx(critical, abs=1e-15)


SORTED = (squad(1, save=2), squad(4, save=5))


@pytest.mark.parametrize(
    ("wounds", "groups", "slain"),
    [
        (2, SORTED, [F(25, 36), F(1, 9), F(7, 36)]),
        (2, SORTED[::-1], [F(1, 9), F(4, 9), F(4, 9)]),
    ],
)
def test_sorted_save_dice(wounds, groups, slain):  # §5.1
    out = fire(gun(wounds, skill=None, strength=8), at=groups)
    hit = F(5, 6)
    # Each attack wounds on 2+; compare given that both did: undo the mixture.
    both = out.slain.weights[:3]
    one = fire(gun(1, skill=None, strength=8), at=groups).slain.weights
    expected = [0.0] * 3
    alone = [float(w) for w in one]
    alone[0] = 1 - (1 - alone[0]) / float(hit)
    alone[1] = 1 - alone[0]
    for k in range(3):
        expected[k] = float(hit**2) * float(slain[k])
        expected[k] += 2 * float(hit * (1 - hit)) * (alone[k] if k < 2 else 0.0)
    expected[0] += float((1 - hit) ** 2)
    assert both.tolist() == pytest.approx(expected, abs=1e-14)


def test_saves_one_by_one_are_another_law():  # §5.1, §5.2
    line = gun(2, skill=None, strength=8)
    batch, single = (fire(line, at=SORTED, rules=r) for r in ("11e", "10e"))
    assert batch.slain.mean == pytest.approx(85 / 216, abs=1e-14)
    assert single.slain.mean < batch.slain.mean


@pytest.mark.parametrize(
    ("save", "ap", "invulnerable", "need"),
    [(3, 0, None, 3), (4, 0, None, 3), (3, -1, None, 3), (3, -2, 5, 4), (2, 0, None, 2)],
)
def test_cover_in_the_tenth(save, ap, invulnerable, need):  # §5.2
    assert save_need(save, ap, invulnerable, edition("10e"), cover=True) == need


def test_random_damage_does_not_spill():  # §6.1
    out = fire(gun(2, skill=None, strength=8, damage="D6"), at=squad(3, wounds=3))
    unsaved = F(5, 6)
    two = [F(1, 36), F(19, 36), F(4, 9)]
    one = [F(1, 3), F(2, 3), F(0)]
    expected = [
        (1 - unsaved) ** 2 * (k == 0) + 2 * unsaved * (1 - unsaved) * one[k] + unsaved**2 * two[k]
        for k in range(3)
    ]
    assert out.slain.weights[:3].tolist() == pytest.approx([float(x) for x in expected], abs=1e-14)


def test_plain_attack():  # §6.1
    out = fire(gun(10), at=squad(11, save=3))
    assert out.stages[0].unsaved == pytest.approx(10 / 9, abs=1e-14)


@pytest.mark.parametrize(
    ("damage", "wounds", "dead"),
    [(3, 3, F(8, 27)), (3, 2, F(20, 27)), (3, 1, F(26, 27)), (2, 2, F(4, 9))],
)
def test_feel_no_pain(damage, wounds, dead):  # §6.2
    out = fire(
        gun(1, skill=None, strength=8, damage=damage), at=squad(2, wounds=wounds, feel_no_pain=5)
    )
    assert out.slain.probability(1) == pytest.approx(float(F(5, 6) * dead), abs=1e-14)


@pytest.mark.parametrize(
    ("rules", "damage", "slain"),
    [("10e-2023-06", 3, 1), ("10e-2023-09", 2, 1), ("10e", 2, 1), ("11e", 2, 1)],
)
def test_one_devastating_critical(rules, damage, slain):  # §6.4
    line = gun(skill=None, strength=8, damage=3, devastating=True, critical_wounds=2)
    out = fire(line, at=squad(5, save=2, wounds=2), rules=rules)
    assert out.damage.probability(0) == pytest.approx(1 / 6)
    assert out.damage.probability(damage) == pytest.approx(5 / 6)
    assert out.slain.probability(slain) == pytest.approx(5 / 6)


def test_when_devastating_wounds_land():  # §6.4
    first = gun(2, skill=None, strength=8, damage=2, devastating=True, critical_wounds=4)
    second = gun(1, skill=None, strength=8, damage=3)
    means = [fire(first, second, at=squad(5, wounds=3), rules=r).slain.mean for r in ("11e", "10e")]
    assert means == pytest.approx([55 / 36, 5 / 4], abs=1e-14)


def test_devastating_wounds_and_damage_taken_off_when_allocated():  # §6.4
    change = Change(removed=1)
    line = gun(
        skill=None, strength=8, damage=3, devastating=True, critical_wounds=2,
        damage_when_allocated=change,
    )  # fmt: skip
    means = {
        r: fire(line, at=squad(1, save=2, wounds=6), rules=r).damage.mean for r in ("11e", "10e")
    }
    assert means == pytest.approx({"11e": 3 * 5 / 6, "10e": 2 * 5 / 6})


def test_feel_no_pain_against_mortal_wounds_and_devastating():  # §6.4
    target = squad(1, save=2, wounds=3, feel_no_pain=(Protection(5, Against.MORTAL),))
    line = gun(skill=None, strength=8, damage=3, devastating=True, critical_wounds=2)
    means = {
        r: fire(line, at=target, rules=r).damage.mean
        for r in ("10e-2023-06", "10e-2023-09", "10e", "11e")
    }
    expected = {"10e-2023-06": 2, "10e-2023-09": 3, "10e": 2, "11e": 2}
    assert means == pytest.approx({k: v * 5 / 6 for k, v in expected.items()}, abs=1e-14)


def test_pools():  # §9
    assert (64 * successes(6, 4).weights).round(9).tolist() == [1, 6, 15, 20, 15, 6, 1]
    crushing = successes(10, 5, most=6)
    assert crushing.mean == pytest.approx(195446 / 59049, abs=1e-14)
    assert crushing.probability(6) == pytest.approx(1507 / 19683, abs=1e-15)
    assert successes(14, 5, most=6).mean == pytest.approx(2358182 / 531441, abs=1e-14)


def test_toughness_of_an_attached_unit():  # §4
    groups = (squad(1, toughness=4), squad(1, toughness=8, wounds=4, character=True))
    lines = (gun(1, skill=None, strength=8), gun(1, skill=None, strength=4))
    tenth = fire(*lines, at=groups, rules="10e")
    assert tenth.damage.weights[:3].tolist() == pytest.approx([1 / 12, 1 / 2, 5 / 12])
    eleventh = fire(*lines, at=groups)
    # Once the guard is dead the leader's T8 counts: 5/6 * 5/6 no more damage, 6s only.
    assert eleventh.damage.weights[:3].tolist() == pytest.approx(
        [1 / 12, 1 / 12 + 5 / 6 * 5 / 6, 5 / 36]
    )
