"""Healing, models that return, fights on death: against moving models one by one."""

from __future__ import annotations

import json
from fractions import Fraction as F
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from killcurve.engine.dice import Dice
from killcurve.engine.edition import EDITIONS, edition
from killcurve.engine.pmf import Pmf
from killcurve.engine.recovery import (
    Heal,
    Return,
    after_recovery,
    fights_on_death,
    healed,
    recovered,
    returned,
)
from killcurve.engine.states import states
from killcurve.engine.target import Target
from killcurve.study.solve import in_words, solve

from tests.engine.builders import squad

groups = st.integers(1, 3).flatmap(
    lambda wounds: st.builds(
        squad,
        count=st.integers(1, 3),
        wounds=st.just(wounds),
        wounds_lost=st.integers(0, wounds - 1),
        character=st.booleans(),
    )
)
targets = st.lists(groups, min_size=1, max_size=2).map(lambda g: Target(tuple(g)))
dice = st.sampled_from(["1", "2", "D3", "D6", "2D3"]).map(Dice.parse)
recoveries = st.lists(
    st.one_of(
        dice.map(lambda d: Heal(d.pmf)),
        dice.map(lambda d: Return(d.pmf)),
    ),
    min_size=1,
    max_size=2,
)


def rows_of(target, lost):
    """Each group as the wounds left of its models, those hit first in front."""
    out = []
    for group, gone in zip(target.groups, lost, strict=True):
        before = [group.wounds * i for i in range(group.count)]
        out.append([group.wounds - min(group.wounds, max(0, gone - b)) for b in before])
    return out


def heal(target, rows, points):
    """The living model that has lost most regains wounds."""
    rows = [list(row) for row in rows]
    hurt = [
        (target.groups[g].wounds - left, -g, i)
        for g, row in enumerate(rows)
        for i, left in enumerate(row)
        if 0 < left < target.groups[g].wounds
    ]
    if hurt:
        lost, g, i = max(hurt)
        rows[-g][i] += min(points, lost)
    return rows


def bring_back(target, rows, number, falls_apart):
    """Models come back one at a time, the biggest first."""
    rows = [list(row) for row in rows]
    living = [g for g, row in enumerate(rows) if any(row)]
    plain = [g for g in living if not target.groups[g].character]
    if not living or (falls_apart and not plain):
        return rows
    for _ in range(number):
        dead = [
            (target.groups[g].wounds, -g, i)
            for g, row in enumerate(rows)
            for i, left in enumerate(row)
            if not left and not target.groups[g].character
        ]
        if dead:
            wounds, g, i = max(dead)
            rows[-g][i] = wounds
    return rows


def lost_by(target, rows):
    return [g.total_wounds - sum(row) for g, row in zip(target.groups, rows, strict=True)]


def number_of(space, lost):
    return sum(n * stride for n, stride in zip(lost, space.strides, strict=True))


@given(targets, st.integers(0, 7))
@settings(max_examples=60, deadline=None)
def test_the_maps_against_moving_models(target, number):
    space = states(target)
    heals = healed(space, number)
    backs = {key: returned(space, number, rules) for key, rules in EDITIONS.items()}
    spans = [range(group.total_wounds + 1) for group in target.groups]
    for state, lost in enumerate(product(*spans)):
        rows = rows_of(target, lost)
        assert heals[state] == number_of(space, lost_by(target, heal(target, rows, number)))
        for key, back in backs.items():
            expected = bring_back(target, rows, number, falls_apart=key != "11e")
            assert back[state] == number_of(space, lost_by(target, expected))


def faces(law):
    """(value, chance) of a law of whole dice, the chance a fraction again."""
    return [
        (v, F(p).limit_denominator(1296))
        for v, p in zip(law.values.tolist(), law.weights.tolist(), strict=True)
    ]


def test_heal_and_return_in_the_order_given():
    """Five W2 models lose 5 wounds: two dead, one hurt."""
    target = Target((squad(5, wounds=2),))
    space = states(target)
    law = np.zeros(space.size)
    law[5] = 1
    d3 = Dice.parse("D3").pmf
    for chain in ((Heal(d3), Return(d3)), (Return(d3), Heal(d3))):
        damage, slain = {}, {}
        for (a, p), (b, q) in product(faces(d3), faces(d3)):
            rows = rows_of(target, (5,))
            for step, value in zip(chain, (a, b), strict=True):
                if isinstance(step, Heal):
                    rows = heal(target, rows, value)
                else:
                    rows = bring_back(target, rows, value, falls_apart=False)
            (lost,) = lost_by(target, rows)
            dead = sum(not left for left in rows[0])
            damage[lost] = damage.get(lost, F(0)) + p * q
            slain[dead] = slain.get(dead, F(0)) + p * q
        found = after_recovery(space, law, chain, edition("11e"))
        for got, want in ((found.damage, damage), (found.slain, slain)):
            for value in range(11):
                assert got.probability(value) == pytest.approx(float(want.get(value, 0)), abs=1e-15)


@given(targets, recoveries, st.sampled_from(sorted(EDITIONS)), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_laws_of_recovery(target, chain, key, seed):
    space = states(target)
    law = np.random.default_rng(seed).dirichlet(np.ones(space.size))
    law[np.sum(space.lost, axis=0) < sum(g.wounds_lost for g in target.groups)] = 0
    law /= law.sum()
    after = recovered(space, law, chain, edition(key))
    assert after.sum() == pytest.approx(1, abs=1e-13)
    assert (after >= 0).all()
    assert after[space.destroyed] == pytest.approx(law[space.destroyed], abs=1e-13)
    found = after_recovery(space, law, chain, edition(key))
    gross = space.damage(law), space.slain(law)
    for net, whole in zip(found, gross, strict=True):
        assert net.weights.sum() == pytest.approx(1, abs=1e-12)
        for k in range(whole.stop + 1):
            assert net.at_least(k) <= whole.at_least(k) + 1e-12


def test_what_was_lost_before_counts_as_nothing():
    target = Target((squad(1, wounds=6, wounds_lost=4),))
    space = states(target)
    found = after_recovery(space, space.from_start(), [Heal(Pmf.point(3))], edition("11e"))
    assert found.damage.weights.tolist() == [1, 0, 0]


def test_a_big_number_of_healing_is_cut_at_what_is_lost():
    target = Target((squad(1, wounds=6),))
    space = states(target)
    law = np.zeros(7)
    law[5] = 1
    chain = [Heal(Dice.parse("20D6+500").pmf), Return(Dice.parse("20D6+500").pmf)]
    assert after_recovery(space, law, chain, edition("11e")).damage.mean == 0


@pytest.mark.parametrize("need", range(1, 7))
def test_fights_on_death_against_counting(need):
    slain = [F(1, 2), F(0), F(1, 8), F(3, 8)]
    p = F(7 - need, 6)
    expected = [
        sum(q * comb(n, k) * p**k * (1 - p) ** (n - k) for n, q in enumerate(slain) if n >= k)
        for k in range(4)
    ]
    law = fights_on_death(Pmf([float(q) for q in slain]), need)
    got = np.pad(law.from_zero(), (0, 4 - law.stop))
    assert got.tolist() == pytest.approx([float(q) for q in expected], abs=1e-15)


@pytest.mark.parametrize("need", [0, 7])
def test_no_other_needs(need):
    with pytest.raises(ValueError, match=r"1\+ to 6\+ are possible"):
        fights_on_death(Pmf.point(1), need)


def scenario(*effects, mortal="D3", phase="shooting", own=(), rules="11e"):
    return {
        "edition": rules,
        "phase": phase,
        "attacker": {"weapons": [], "effects": [f"mortal wounds {mortal}", *own]},
        "target": {
            "models": [{"count": 3, "toughness": 4, "save": 3, "wounds": 2}],
            "effects": list(effects),
        },
    }


def test_answers_before_and_after():
    plain = solve(scenario()).to_dict()
    found = solve(scenario("heal 1", "return 1 models")).to_dict()
    new = found.pop("after_recovery")
    assert found == plain
    # 1 wound: healed. 2: one dead, back. 3: one dead and one hurt: both mended.
    assert new["damage"]["pmf"] == pytest.approx([1, 0, 0, 0, 0, 0, 0], abs=1e-15)
    assert new["slain"]["pmf"] == pytest.approx([1, 0, 0, 0], abs=1e-15)
    json.dumps(new)


@pytest.mark.parametrize(
    ("effects", "damage", "slain"),
    [
        (["heal D3"], [F(1, 3), 0, F(2, 3)], [F(1, 3), F(2, 3)]),
        (["return 1 models"], [F(1, 3), F(2, 3)], [1]),
        (["heal 1 if half_range", "return 1 models"], [F(1, 3), F(2, 3)], [1]),
        (["heal 1 for ranged"], [F(1, 3), 0, F(2, 3)], [F(1, 3), F(2, 3)]),
    ],
)
def test_recoveries_by_hand(effects, damage, slain):
    found = solve(scenario(*effects)).to_dict()["after_recovery"]
    for got, want in ((found["damage"]["pmf"], damage), (found["slain"]["pmf"], slain)):
        padded = [float(q) for q in want] + [0.0] * (len(got) - len(want))
        assert got == pytest.approx(padded, abs=1e-15)


@pytest.mark.parametrize(
    "effects", [[], ["heal 1 if half_range"], ["heal 1 for melee"], ["save +1"]]
)
def test_no_key_without_a_rule(effects):
    assert not {"after_recovery", "fights_on_death"} & set(solve(scenario(*effects)).to_dict())


def test_the_attackers_own_change_nothing():
    own = ["heal D3", "return 1 models", "fight on death 4+"]
    assert solve(scenario(own=own)).to_dict() == solve(scenario()).to_dict()


def test_a_destroyed_unit_stays_destroyed():
    found = solve(scenario("return 3 models", mortal="9")).to_dict()
    assert found["after_recovery"]["slain"]["mean"] == pytest.approx(3)


@pytest.mark.parametrize(("rules", "slain"), [("11e", 0), ("10e", 3), ("10e-2023-06", 3)])
def test_bodyguards_of_a_lone_leader(rules, slain):  # inferred
    data = scenario("return 3 models", mortal="6", rules=rules)
    data["target"]["models"].append(
        {"name": "leader", "count": 1, "toughness": 4, "save": 3, "wounds": 3, "character": True}
    )
    assert solve(data).to_dict()["after_recovery"]["slain"]["mean"] == pytest.approx(slain)


def test_characters_do_not_come_back():
    data = scenario("return 3 models", mortal="2")
    data["attacker"]["weapons"] = [
        {"attacks": 20, "skill": None, "strength": 12, "ap": -6, "damage": 9,
         "keywords": ["precision"]}
    ]  # fmt: skip
    data["target"]["models"].append(
        {"name": "leader", "count": 1, "toughness": 4, "save": 7, "wounds": 3, "character": True}
    )
    data["target"]["models"][0] |= {"count": 20, "wounds": 9}
    data["choices"] = {"precision": "leader"}
    answer = solve(data)
    space = states(answer.prepared.volley.target)
    after = recovered(space, answer.outcome.law, [Return(Pmf.point(3))], edition("11e"))
    leader = next(g for g, group in enumerate(space.target.groups) if group.character)
    gone = ~space.alive(leader)
    assert after[gone].sum() == pytest.approx(answer.outcome.law[gone].sum(), abs=1e-12)
    assert answer.outcome.law[gone].sum() > 0.9


def test_fights_on_death_in_an_answer():
    found = solve(scenario("fight on death 4+", phase="fight")).to_dict()
    assert found["fights_on_death"]["pmf"] == pytest.approx([2 / 3, 1 / 3, 0, 0], abs=1e-15)
    best = solve(scenario("fight on death 4+", "fight on death 2+", mortal="9")).to_dict()
    assert best["fights_on_death"]["mean"] == pytest.approx(2.5)
    assert best["slain"]["mean"] == pytest.approx(3)


def test_words_for_people():
    words = in_words(solve(scenario("heal 1", "fight on death 4+")))
    assert "recovered to" in words
    assert "fights on death: 0.3333 models" in words
    assert "recovered" not in in_words(solve(scenario()))
