"""The worked numbers of RULES.md §4 and §5: wound rolls, saves, who takes a wound."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from killcurve.engine.edition import edition
from killcurve.engine.losses import settle_sorted
from killcurve.engine.pmf import Pmf
from killcurve.engine.saves import save_need
from killcurve.engine.shot import Packet, packet_map, selected
from killcurve.engine.states import states
from killcurve.engine.target import Target

from tests.engine.builders import squad
from tests.engine.questions import ALL, TENTH, F, given_wounds, law, mean, models, same, weapon


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize(
    ("strength", "toughness", "need"),
    [(4, 8, 6), (4, 7, 5), (8, 4, 2), (7, 4, 3), (3, 5, 5), (3, 6, 6), (12, 6, 2), (12, 7, 3),
     (6, 11, 5), (6, 12, 6), (4, 4, 4)],
)  # fmt: skip
def test_the_wound_table_is_the_same_everywhere(rules, strength, toughness, need):  # §1.4
    got = mean(weapon(strength=strength), of="wounds", at=models(toughness=toughness), rules=rules)
    assert got == pytest.approx(F(7 - need, 6), abs=1e-15)


ANTI = {"strength": 4, "keywords": ["anti-vehicle 4+"]}
STRONGER = ["wound -1 if strength > toughness"]


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize(
    ("armed", "toughness", "asked", "wounds", "critical"),
    [
        (ANTI, 10, {"target_keywords": ["vehicle"]}, F(1, 2), F(1, 2)),
        (ANTI, 10, {"target_keywords": ["monster"]}, F(1, 6), F(1, 6)),
        (ANTI, 10, {"target_keywords": ["vehicle"], "against": ["wound -1"]}, F(1, 2), F(1, 2)),
        ({"strength": 4}, 4, {"effects": ["wound +1"]}, F(2, 3), F(1, 6)),
        ({"strength": 4, "keywords": ["lance"]}, 4, {"flags": ["charged"]}, F(2, 3), F(1, 6)),
        ({"strength": 4, "keywords": ["lance"]}, 4, {}, F(1, 2), F(1, 6)),
        ({}, 4, {"against": ["wound -1"]}, F(2, 3), F(1, 6)),
        ({}, 4, {"against": [*STRONGER, "wound -1"]}, F(2, 3), F(1, 6)),
        ({"strength": 4}, 4, {"effects": ["strength +4"], "against": STRONGER}, F(2, 3), F(1, 6)),
        ({"strength": 4}, 4, {"against": STRONGER}, F(1, 2), F(1, 6)),
        ({}, 4, {"against": [*STRONGER, "toughness +4"]}, F(1, 2), F(1, 6)),
        ({}, 4, {"against": [*STRONGER, "toughness +3"]}, F(1, 2), F(1, 6)),
        ({"strength": 4, "keywords": ["twin-linked"]}, 4, {}, F(3, 4), F(1, 4)),
        ({"strength": 4}, 4, {"effects": ["reroll wounds noncritical"]}, F(7, 12), F(11, 36)),
    ],
)  # fmt: skip
def test_wound_rolls_in_words(rules, armed, toughness, asked, wounds, critical):  # §4
    for of, expected in (("wounds", wounds), ("critical_wounds", critical)):
        got = mean(weapon(**armed), of=of, at=models(toughness=toughness), rules=rules, **asked)
        assert got == pytest.approx(expected, abs=1e-15)


def test_the_highest_toughness_of_a_mixed_unit():  # §4
    """Strength 4 wounds Toughness 5 on 5+, 3 on 3+; two batches of one attack each."""
    unit = [models(name="big", toughness=5), models(name="small", toughness=3)]
    shots = weapon(strength=4), weapon(strength=4)
    assert same(law(*shots, of="slain", at=unit), [F(4, 9), F(1, 3), F(2, 9)])
    for rules in TENTH:
        assert same(law(*shots, of="slain", at=unit, rules=rules), [F(4, 9), F(4, 9), F(1, 9)])


def test_keywords_of_living_models_count_for_the_whole_unit():  # §4
    """Strength 1 needs a 6, but for ANTI-PSYKER 2+ while the psyker lives."""
    unit = [
        models(name="psyker", toughness=8, keywords=["psyker"]),
        models(name="other", toughness=8),
    ]
    both = weapon(attacks=2, strength=1, keywords=["anti-psyker 2+"])
    apart = weapon(strength=1, keywords=["anti-psyker 2+"])
    as_a_batch = [F(1, 36), F(10, 36), F(25, 36)]
    as_they_die = [F(1, 36), F(30, 36), F(5, 36)]
    assert same(law(both, of="slain", at=unit), as_a_batch)
    assert same(law(apart, apart, of="slain", at=unit), as_they_die)
    for rules in TENTH:
        assert same(law(both, of="slain", at=unit, rules=rules), as_they_die)


# §5.1

A, B = models(name="A", save=2), models(name="B", count=4, save=5)


@pytest.mark.parametrize(
    ("wounds", "rules", "order", "slain"),
    [
        (2, "11e", [A, B], [F(25, 36), F(1, 9), F(7, 36)]),
        (2, "11e", [B, A], [F(1, 9), F(4, 9), F(4, 9)]),
        (2, "10e", [A, B], [F(25, 36), F(7, 36), F(1, 9)]),
    ],
)
def test_sorted_and_single_saves(wounds, rules, order, slain):  # §5.1
    got = given_wounds(wounds, asked={"at": order, "rules": rules})
    assert same(got, slain)


@pytest.mark.parametrize(
    ("wounds", "rules", "order", "dead"),
    [
        (1, "11e", [A, B], F(1, 6)),
        (2, "11e", [A, B], F(1, 2)),
        (3, "11e", [A, B], F(23, 24)),
        (1, "11e", [B, A], F(2, 3)),
        (2, "11e", [B, A], F(4, 3)),
        (3, "11e", [B, A], F(2)),
        (2, "10e", [A, B], F(5, 12)),
    ],
)
def test_means_of_sorted_and_single_saves(wounds, rules, order, dead):  # §5.1
    got = given_wounds(wounds, asked={"at": order, "rules": rules})
    assert sum(k * p for k, p in enumerate(got)) == pytest.approx(dead, abs=1e-13)


NEEDS = {"A": 4, "B": 5}
"""Saves against AP -1: A (3+, 4+ invulnerable) and B (4+)."""


def lost(dice):
    """What each group loses when the dice are applied in rising order: the rule, plainly."""
    left = {"A": 2, "B": 10}
    for die in sorted(dice):
        current = "A" if left["A"] else "B"
        if die == 1 or die < NEEDS[current]:
            left[current] -= 1
    return 2 - left["A"], 10 - left["B"]


def test_five_save_dice():  # §5.1
    assert lost([1, 1, 3, 5, 6]) == (2, 1)
    ways = Counter(sum(lost(dice)) for dice in product(range(1, 7), repeat=5))
    unit = [models(name="A", count=2, save=3, invulnerable=4), models(name="B", count=10, save=4)]
    got = given_wounds(5, ap=-1, asked={"at": unit})
    assert same(got, [F(ways[k], 6**5) for k in range(6)], within=1e-13)


@pytest.mark.parametrize(
    "dice", [(1, 1, 3, 5, 6), (2, 2, 2, 4, 4), (1, 4, 4, 4, 6), (3, 4, 5, 5, 5)]
)
def test_save_dice_that_are_known(dice):  # §5.1
    target = Target((squad(2, save=3, invulnerable=4), squad(10, save=4)))
    space, order = states(target), ((0,), (1,))
    wound = packet_map(Packet(Pmf.point(1), (None, None)), target, order)
    law_now = space.from_start()
    for face, number in sorted(Counter(dice).items()):
        joint = np.zeros((number + 1, space.size))
        joint[number] = law_now
        law_now = settle_sorted(
            joint,
            wound,
            selected(target, order),
            fails_up_to=[NEEDS["A"] - 1, NEEDS["B"] - 1, NEEDS["B"] - 1],
            face_law=[float(face == f) for f in range(1, 7)],
        )
    (state,) = np.flatnonzero(law_now > 1e-12)
    assert law_now[state] == pytest.approx(1, abs=1e-14)
    assert (space.lost[0][state], space.lost[1][state]) == lost(dice)


def test_what_a_save_needs_in_the_eleventh():  # §5.1
    eleventh = edition("11e")
    for save, ap, invulnerable in product(range(2, 8), range(-6, 1), (None, 2, 3, 4, 5, 6)):
        needs = [save - ap, *([invulnerable] if invulnerable else [])]
        assert save_need(save, ap, invulnerable, eleventh) == max(2, min(7, *needs))
    assert save_need(5, 0, 6, eleventh, roll_bonus=2) == 3  # no limit to what improves a roll
    assert save_need(5, 0, None, edition("10e"), roll_bonus=2) == 4  # at most 1


WOUNDED = models(name="wounded", wounds=3, wounds_lost=1)
FRESH = models(name="fresh")


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize(
    ("unit", "asked", "slain"),
    [
        ([WOUNDED, FRESH], ["wounded", "fresh"], 0),
        ([WOUNDED, FRESH], ["fresh", "wounded"], 0),  # a group with a wounded model is first
        ([models(name="guard", wounds=2), FRESH | {"character": True}], ["fresh", "guard"], 0),
        ([WOUNDED | {"character": True}, FRESH], ["wounded", "fresh"], 1),  # characters are last
        (
            [WOUNDED | {"character": True}, FRESH | {"character": True}],
            ["fresh", "wounded"],
            0,
        ),
        ([models(name="guard", wounds=2), FRESH], ["fresh", "guard"], 1),
        ([models(name="guard", wounds=2), FRESH], ["guard", "fresh"], 0),
    ],
)
def test_the_order_that_the_defender_may_choose(rules, unit, asked, slain):  # §5.1, §5.2
    choices = {"allocation": asked}
    got = given_wounds(1, asked={"at": unit, "rules": rules, "choices": choices})
    assert same(got, [1 - slain, slain])


# §5.2


@pytest.mark.parametrize(
    ("save", "ap", "invulnerable", "need"),
    [
        (3, 0, None, 3),
        (4, 0, None, 3),
        (3, -1, None, 3),
        (3, -2, 5, 4),
        (2, 0, None, 2),
        (6, 0, 5, 5),  # 5+ either way: cover does not improve the invulnerable save
        (7, 0, 5, 5),
    ],
)
def test_cover_in_words(save, ap, invulnerable, need):  # §5.2
    unit = models(save=save, invulnerable=invulnerable)
    for rules in TENTH:
        for cover in ({"flags": ["cover"]}, {"against": ["cover"]}):
            got = given_wounds(1, ap=ap, asked={"at": unit, "rules": rules, **cover})
            assert same(got, [F(7 - need, 6), F(need - 1, 6)])
    in_the_open = given_wounds(1, ap=ap, asked={"at": unit, "flags": ["cover"]})
    need = min(7, save - ap, invulnerable or 7)
    assert same(in_the_open, [F(7 - need, 6), F(need - 1, 6)])


@pytest.mark.parametrize("rules", ALL)
def test_a_save_is_never_better_than_2(rules):  # §1.3
    """Improved by 1 it is still a 2+, so AP -1 makes it a 3+."""
    unit = models(save=2)
    got = given_wounds(1, ap=-1, asked={"at": unit, "against": ["save +1"], "rules": rules})
    assert same(got, [F(2, 3), F(1, 3)])


@pytest.mark.parametrize("rules", ALL)
def test_ap_is_never_worse_than_0(rules):  # §1.3
    got = given_wounds(1, asked={"at": models(save=4), "against": ["ap -1"], "rules": rules})
    assert same(got, [F(1, 2), F(1, 2)])


@pytest.mark.parametrize("rules", TENTH)
def test_a_saved_attack_binds_its_model(rules):  # §5.2
    """Two attacks: the first wound goes to the 2+ save, and if it is saved so does the second.

    Were the defender free then, the last wound would go to the model that survives it.
    """
    unit = [models(name="fragile", save=2), models(name="naked", wounds=2)]
    got = mean(
        weapon(attacks=2),
        of="slain",
        at=unit,
        rules=rules,
        choices={"allocation": "optimal", "objective": "slain"},
    )
    first, second = F(1, 6), F(5, 6) * F(5, 6) * F(1, 6)
    assert got == pytest.approx(F(5, 6) * (first + second), abs=1e-14)
