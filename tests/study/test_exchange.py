"""Exchanges: against all courses of the dice in fractions, and against single attacks."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F

import numpy as np
import pytest
from killcurve.engine.edition import edition
from killcurve.rules.effects import Effect
from killcurve.study.arming import Use
from killcurve.study.exchange import (
    Side,
    Strike,
    exchange,
    joint,
    schedule,
    solving,
    summary,
    swing,
)
from killcurve.study.lines import attacker
from killcurve.study.matchup import Circumstances, attack
from killcurve.study.mustering import fielded
from killcurve.study.striking import Striker
from killcurve.tables.dataset import DataError

from tests.study import playing
from tests.study.playing import Hand, rank, unit, weapon

RULES = edition("11e")

GUNNERS = unit(
    rank(2, weapon("rifle", attacks=2, skill=3), name="rifleman", save=5),
    rank(1, weapon("cannon", skill=4, strength=8, ap=-2, damage=2), name="gunner", save=5),
    name="gunners", points=60,
)  # fmt: skip
BRUTES = unit(
    rank(2, weapon("stubber", skill=5, strength=5), weapon("axe", 2, 3, 5, -1, "D3", reach=0),
         toughness=5, save=4, wounds=3),
    name="brutes", points=70,
)  # fmt: skip


def states_of(found, side):
    """The states of a side as wounds left, model by model."""
    hand, space = Hand(found.unit(side)), found.unit(side).space
    out = []
    for lost in space.all_lost.total.astype(int):
        state = hand.start
        for _ in range(lost):
            state = hand.hurt(state, 1)
        out.append(state)
    return out


def assert_same(found, after, expected):
    """Every pair of states has the chance that it has by hand."""
    ours, theirs = (states_of(found, side) for side in Side)
    law = found.laws[after]
    seen = F(0)
    for a, own in enumerate(ours):
        for b, other in enumerate(theirs):
            assert law[a, b] == pytest.approx(float(expected[own, other]), abs=1e-13)
            seen += expected[own, other]
    assert seen == 1


@pytest.mark.parametrize("first", Side)
def test_shooting_in_turn_is_the_sum_over_all_dice(first):
    found = exchange(GUNNERS, BRUTES, schedule(3, RULES, first=first))
    a, b = Hand(GUNNERS), Hand(BRUTES)
    law = Counter({(a.start, b.start): F(1)})
    for turn in range(3):
        by_a = (turn % 2 == 0) is (first is Side.A)
        law = playing.volley(law, a if by_a else b, b if by_a else a, "ranged", by_a)
        assert_same(found, turn + 1, law)


def test_a_charge_is_answered_by_those_who_are_left():
    knives = unit(rank(3, weapon("knife", 2, 3, 4, reach=0)), name="knives")
    found = exchange(knives, BRUTES, schedule(1, RULES, shooting=False, fighting=True))
    a, b = Hand(knives), Hand(BRUTES)
    law = playing.volley(Counter({(a.start, b.start): F(1)}), a, b, "melee", True)
    law = playing.volley(law, b, a, "melee", False)
    assert_same(found, 2, law)


def test_one_shot_and_hazardous_weapons():
    risky = unit(
        rank(2, weapon("plasma", 1, 3, 7, keywords=["hazardous"]), wounds=2, save=5),
        name="risky",
    )
    rockets = unit(
        rank(
            2, weapon("rocket", 1, 3, 8, keywords=["one shot"]), weapon("pistol", 1, 4, 4), save=6
        ),
        name="rockets",
    )
    found = exchange(rockets, risky, schedule(3, RULES))
    a, b = Hand(rockets), Hand(risky)
    law = Counter({(a.start, b.start): F(1)})
    for turn in range(3):
        by_a = turn % 2 == 0
        own, other = (a, b) if by_a else (b, a)
        law = playing.volley(law, own, other, "ranged", by_a, first=turn == 0)
        law = playing.hazards(law, own, "ranged", by_a)
        assert_same(found, turn + 1, law)


def test_means_quantiles_and_swing_are_those_of_the_joint_law():
    found = exchange(GUNNERS, BRUTES, schedule(2, RULES))
    a, b = Hand(GUNNERS), Hand(BRUTES)
    law = playing.volley(Counter({(a.start, b.start): F(1)}), a, b, "ranged", True)
    law = playing.volley(law, b, a, "ranged", False)
    points: Counter = Counter()
    for (own, other), chance in law.items():
        points[F(70, 2) * other.count(0) - F(60, 3) * own.count(0)] += chance
    told = swing(found)
    expected = sorted((float(v), float(c)) for v, c in points.items() if c)
    assert told["points"].to_list() == pytest.approx([v for v, _ in expected])
    assert told["probability"].to_list() == pytest.approx([c for _, c in expected], abs=1e-13)
    mean = float(sum(v * c for v, c in points.items()))
    rows = summary(found).filter(turn=2).rows(named=True)
    assert [row["swing"] for row in rows] == pytest.approx([mean, -mean])
    assert rows[0]["swing_p10"] == pytest.approx(quantile(expected, 0.1))
    assert rows[1]["swing_p10"] == pytest.approx(
        quantile(sorted((-v, c) for v, c in expected), 0.1)
    )
    gone = float(sum(c for (own, _), c in law.items() if not any(own)))
    assert rows[0]["destroyed"] == pytest.approx(gone, abs=1e-13)
    assert rows[0]["points_lost"] == pytest.approx(20 * rows[0]["models_lost"])


def quantile(pairs, share):
    reached = 0.0
    for value, chance in pairs:
        reached += chance
        if reached >= share - 1e-12:
            return value
    raise AssertionError


def test_the_joint_frame_holds_every_pair_once():
    found = exchange(GUNNERS, BRUTES, schedule(2, RULES))
    frame = joint(found, 2)
    assert frame["probability"].sum() == pytest.approx(1, abs=1e-12)
    keys = frame.select("a_models_left", "a_wounds_lost", "b_models_left", "b_wounds_lost")
    assert keys.is_unique().all()
    dead = frame.filter(b_models_left=0)["probability"].sum()
    assert dead == pytest.approx(found.destroyed(Side.B))
    assert joint(found)["turn"].unique().to_list() == [1, 2]


UNITS = [
    ("Intercessor Squad", "Boyz", {}),
    ("Terminator Squad", "Intercessor Squad", {}),
    ("Raider", "Gargoyles", {}),
    ("Intercessor Squad", "Boyz", {"attacker_effects": ("hit +1", "lethal hits")}),
    ("Intercessor Squad", "Boyz", {"edition": "10e", "flags": frozenset({"half_range", "cover"})}),
]


@pytest.mark.parametrize(("name", "enemy", "how"), UNITS)
@pytest.mark.parametrize("ranged", [True, False])
def test_one_strike_is_an_attack(dataset, name, enemy, how, ranged):
    how = dict(how)
    if "attacker_effects" in how:
        how["attacker_effects"] = tuple(map(Effect.parse, how["attacker_effects"]))
    given = Circumstances(**how)
    ours, theirs = fielded(dataset, name), fielded(dataset, enemy)
    strike = Strike(1, Side.A, ranged)
    found = exchange(ours, theirs, [strike], (given, Circumstances(edition=given.edition)))
    used = {
        c.line: c for weapons in Striker(ours, theirs, Use(ranged), given).arms for c in weapons
    }
    counts = {
        line: sum(r.count * c.count for r in ours.ranks for c in r.weapons if c.line == line)
        for line in used
    }
    single = attacker(dataset, name)
    lines = [replaced for line in single.lines if (replaced := counted(line, counts))]
    outcome = attack(single, lines, theirs.defender, given).outcome
    assert found.slain(Side.B).weights == pytest.approx(outcome.slain.weights, abs=1e-12)
    assert found.damage(Side.B).weights == pytest.approx(outcome.damage.weights, abs=1e-12)
    assert found.destroyed(Side.B) == pytest.approx(outcome.destroyed, abs=1e-12)
    assert found.slain(Side.A).mean == 0


def counted(line, counts):
    from dataclasses import replace

    count = counts.get(replace(line, count=1))
    return replace(line, count=count) if count else None


def test_what_is_left_answers(dataset):
    """The answer of the survivors is the mixture of the attacks of so many models."""
    ours, theirs = fielded(dataset, "Intercessor Squad"), fielded(dataset, "Boyz", models=10)
    found = exchange(ours, theirs, schedule(2, RULES))
    striker = Striker(theirs, ours, Use(True))
    mean = 0.0
    for state, chance in enumerate(found.law(Side.B, 1)):
        kind = striker.kinds()[state]
        if kind is not None:
            law = striker.after(kind, ours.space.start)
            mean += chance * ours.space.damage(law).mean
    assert found.damage(Side.A).mean == pytest.approx(mean, abs=1e-12)
    assert found.law(Side.B, 1) == pytest.approx(found.law(Side.B, 2), abs=1e-12)


def test_the_law_of_pairs_is_not_that_of_two_strangers(dataset):
    ours, theirs = fielded(dataset, "Intercessor Squad"), fielded(dataset, "Boyz", models=10)
    found = exchange(ours, theirs, schedule(2, RULES))
    product = np.multiply.outer(found.law(Side.A), found.law(Side.B))
    assert np.abs(found.laws[-1] - product).max() > 1e-3
    assert found.laws[-1].sum() == pytest.approx(1, abs=1e-12)


def test_once_engaged_only_pistols_fire_and_who_fights_first_is_the_rule_states():
    armed = unit(
        rank(2, weapon("rifle", skill=3), weapon("pistol", keywords=["pistol"]),
             weapon("knife", reach=0)),
        name="armed",
    )  # fmt: skip
    eleventh = exchange(armed, armed, schedule(2, RULES, fighting=True))
    assert eleventh.weapons[0] == ("2 × rifle",)
    assert eleventh.weapons[3] == ("2 × pistol",)
    assert [s.by.value for s in eleventh.strikes] == ["A", "A", "B", "B", "B", "A"]
    tenth = schedule(2, edition("10e"), fighting=True)
    assert [s.by.value for s in tenth] == ["A", "A", "B", "B", "A", "B"]
    assert [s.charged for s in tenth] == [False, True, False, False, False, False]


def test_lance_counts_when_charging_only():
    lancers = unit(rank(2, weapon("lance", 2, 3, 4, reach=0, keywords=["lance"])), name="lancers")
    one, two = (
        exchange(lancers, BRUTES, [Strike(1, Side.A, ranged=False, engaged=True, charged=charged)])
        for charged in (True, False)
    )
    assert one.damage(Side.B).mean == pytest.approx(1.5 * two.damage(Side.B).mean)


def test_rules_about_strength_follow_the_states():
    """An effect while the unit is below half-strength works for the survivors alone."""
    below = Circumstances(attacker_effects=(Effect.parse("hit +1 if unit_below_half"),))
    plain = exchange(BRUTES, GUNNERS, schedule(2, RULES))
    angry = exchange(BRUTES, GUNNERS, schedule(2, RULES), (Circumstances(), below))
    striker = Striker(GUNNERS, BRUTES, Use(True), below)
    kinds = striker.kinds()
    assert [bool(kind and kind.flags) for kind in kinds] == [False, False, True, False]
    assert angry.damage(Side.A).mean > plain.damage(Side.A).mean
    fresh = Striker(GUNNERS, BRUTES, Use(True), below).strike()
    assert fresh == pytest.approx(Striker(GUNNERS, BRUTES, Use(True)).strike())


def test_weapons_are_chosen_within_the_rules():
    pick = unit(
        rank(1, weapon("gun", profile="weak", exclusive=True, weapon_id="g"),
             weapon("gun", skill=2, profile="strong", exclusive=True, weapon_id="g"),
             weapon("far", reach=36), weapon("pistol", 3, keywords=["pistol"]),
             weapon("hunter", 9, keywords=["hunter vehicle"])),
        name="pick",
    )  # fmt: skip
    found = exchange(pick, GUNNERS, [Strike(1, Side.A, True)])
    assert found.weapons == (("1 × pistol",),)
    found = exchange(pick, GUNNERS, [Strike(1, Side.A, True)], distance=30)
    assert found.weapons == (("1 × far",),)
    found = exchange(pick, GUNNERS, [Strike(1, Side.A, True)], only=["Gun - Weak", "far"])
    assert found.weapons == (("1 × gun - weak", "1 × far"),)
    tank = unit(*pick.ranks, name="tank", keywords=("vehicle",))
    found = exchange(tank, GUNNERS, [Strike(1, Side.A, True)])
    assert found.weapons == (("1 × gun - strong", "1 × far", "1 × pistol"),)
    with pytest.raises(DataError, match="did you mean 'pistol'"):
        exchange(pick, GUNNERS, [Strike(1, Side.A, True)], only=["pistoll"])


def test_half_range_follows_the_distance():
    rapid = unit(rank(2, weapon("rifle", reach=24, keywords=["rapid fire 1"])), name="rapid")
    tough = unit(rank(30, save=7), name="crowd")
    far, near = (exchange(rapid, tough, [Strike(1, Side.A, True)], distance=d) for d in (13, 12))
    assert near.damage(Side.B).mean == pytest.approx(2 * far.damage(Side.B).mean)


def test_what_cannot_be_summed_is_refused(monkeypatch):
    monkeypatch.setattr(solving, "MOST_PAIRS", 10)
    with pytest.raises(DataError, match=r"gunners and brutes have 4 × 7 states together; 10 can"):
        exchange(GUNNERS, BRUTES, schedule(1, RULES))
    monkeypatch.setattr(solving, "MOST_PAIRS", 1000)
    monkeypatch.setattr(solving, "MOST_VOLLEYS", 1)
    with pytest.raises(DataError, match="1 volleys and"):
        exchange(GUNNERS, BRUTES, schedule(2, RULES))


def test_two_rule_states_are_not_mixed():
    old = unit(*BRUTES.ranks, name="old", edition="10e")
    with pytest.raises(DataError, match="say which one both follow"):
        exchange(GUNNERS, old, schedule(1, RULES))
    both = Circumstances(edition="11e")
    assert exchange(GUNNERS, old, schedule(1, RULES), (both, both)).edition is RULES


@pytest.mark.parametrize(("turns", "kinds", "words"), [(0, (True, True), "1 or more"), (1, (False, False), "neither")])  # fmt: skip
def test_impossible_schedules(turns, kinds, words):
    with pytest.raises(ValueError, match=words):
        schedule(turns, RULES, shooting=kinds[0], fighting=kinds[1])


def test_rules_that_are_left_out_are_named():
    how = Circumstances(attacker_effects=(Effect.parse("mortal wounds D3"),))
    bare = unit(rank(1), name="bare")
    found = exchange(bare, GUNNERS, schedule(2, RULES), (how, Circumstances()))
    assert found.unmodelled == (
        "the effect 'mortal wounds D3' (beside attacks)",
        "the data has no weapons of model (bare)",
    )
    assert found.weapons[0] == ()
    assert found.damage(Side.B).mean == 0


def test_units_without_a_cost_have_no_swing():
    free = unit(*GUNNERS.ranks, name="free", points=None)
    found = exchange(free, BRUTES, schedule(1, RULES))
    assert swing(found).is_empty()
    assert summary(found)["swing"].null_count() == 2
