"""Reach: chances by counting dice, joined with overwatch and the attack, in fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from itertools import product

import pytest
from killcurve.engine.checks import CheckReroll
from killcurve.engine.movement import RankBehind
from killcurve.rules.effects import Effect
from killcurve.study.approach import Approach, Arrival
from killcurve.study.arming import Use
from killcurve.study.matchup import Circumstances
from killcurve.study.mustering import fielded
from killcurve.study.reach import reach
from killcurve.study.striking import Striker
from killcurve.tables.dataset import DataError

from tests.study import playing
from tests.study.playing import Hand, rank, unit, weapon

PAIRS = [a + b for a, b in product(range(1, 7), repeat=2)]

RUNNERS = unit(
    rank(3, weapon("blade", 2, 3, 4, reach=0), weapon("carbine", skill=4, reach=18,
                                                      keywords=["assault"])),
    name="runners", points=60,
)  # fmt: skip
GUARDS = unit(rank(3, weapon("gun", 2, skill=3), save=5), name="guards", points=90)


def arrives(need, reroll=False):
    once = F(sum(pair >= need for pair in PAIRS), 36)
    return once + (1 - once) * once if reroll else once


def melee(striker=RUNNERS, target=GUARDS, flags=("charged",)):
    how = Circumstances(flags=frozenset(flags))
    return target.space.damage(Striker(striker, target, Use(False), how).strike()).mean


def snap(attacks):
    """P(so many hits of 6, wounds on 4+) of attacks; without a save."""
    law = Counter({0: F(1)})
    for _ in range(attacks):
        more: Counter = Counter()
        for k, p in law.items():
            more[k + 1] += p * F(1, 12)
            more[k] += p * F(11, 12)
        law = more
    return law


@pytest.mark.parametrize(
    ("rules", "arrival", "distance", "need"),
    [
        ("11e", Arrival.RESERVES, 8.5, 9),
        ("10e", Arrival.RESERVES, 9.5, 9),
        ("11e", Arrival.MOVE, 14, 8),
        ("10e", Arrival.MOVE, 14, 7),
        ("11e", Arrival.STAY, 12, 12),
        ("11e", Arrival.MOVE, 4, 3),
        ("10e", Arrival.MOVE, 4, 1),
    ],
)
@pytest.mark.parametrize("reroll", [False, True])
def test_charges_by_counting(rules, arrival, distance, need, reroll):
    approach = Approach(arrival, charge_reroll=CheckReroll.WHOLE if reroll else CheckReroll.NONE)
    how = Circumstances(edition=rules)
    row = reach(RUNNERS, GUARDS, [distance], approach, how).row(0, named=True)
    chance = float(arrives(need, reroll))
    assert row["charge_need"] == need
    assert row["charge"] == pytest.approx(chance, abs=1e-14)
    assert row["reach"] == row["charge"]
    assert row["damage"] == pytest.approx(chance * melee(), abs=1e-12)
    assert row["points_removed"] == pytest.approx(row["slain"] * 30)


@pytest.mark.parametrize(
    ("rules", "distance", "possible"), [("11e", 8, False), ("11e", 8.1, True), ("10e", 9, False)]
)
def test_reserves_keep_their_distance(rules, distance, possible):
    how = Circumstances(edition=rules)
    row = reach(RUNNERS, GUARDS, [distance], Approach(Arrival.RESERVES), how).row(0, named=True)
    assert (row["charge"] > 0) is possible
    assert (row["damage"] > 0) is possible
    near = Approach(Arrival.RESERVES, arrives_beyond=6)
    assert reach(RUNNERS, GUARDS, [distance], near, how)["charge"][0] > 0


def test_advancing_for_an_assault_weapon():
    """M 6, range 18: from 27 inches a 3+ is needed; half range does not matter here."""
    approach = Approach(Arrival.ADVANCE, shoots=True)
    row = reach(RUNNERS, GUARDS, [27], approach).row(0, named=True)
    assert row["in_range"] == pytest.approx(4 / 6)
    assert row["charge"] == 0
    shot = GUARDS.space.damage(Striker(RUNNERS, GUARDS, Use(True, 18)).strike()).mean
    assert row["damage"] == pytest.approx(4 / 6 * shot, abs=1e-13)
    again = Approach(Arrival.ADVANCE, shoots=True, advance_reroll=CheckReroll.WHOLE)
    assert reach(RUNNERS, GUARDS, [27], again)["in_range"][0] == pytest.approx(1 - (2 / 6) ** 2)
    assert reach(RUNNERS, GUARDS, [26.5], again)["in_range"][0] == pytest.approx(1 - (2 / 6) ** 2)
    slow = Approach(Arrival.MOVE, shoots=True)
    assert reach(RUNNERS, GUARDS, [24, 25], slow)["in_range"].to_list() == [1.0, 0.0]


def test_charging_after_an_advance_sums_over_the_roll():
    approach = Approach(Arrival.ADVANCE, charges_after_advance=True)
    row = reach(RUNNERS, GUARDS, [17], approach).row(0, named=True)
    expected = sum(F(1, 6) * arrives(17 - 6 - roll) for roll in range(1, 7))
    assert row["charge"] == pytest.approx(float(expected), abs=1e-14)
    assert row["charge_need"] is None
    assert reach(RUNNERS, GUARDS, [17], Approach(Arrival.ADVANCE))["charge"][0] == 0


def test_effects_move_and_roll_again():
    effects = tuple(map(Effect.parse, ("move +2", "reroll charge failed", "range +6 for ranged")))
    quick = Circumstances(attacker_effects=effects)
    row = reach(RUNNERS, GUARDS, [16], Approach(), quick).row(0, named=True)
    assert row["charge"] == pytest.approx(float(arrives(8, reroll=True)), abs=1e-14)
    far = reach(RUNNERS, GUARDS, [32, 33], Approach(shoots=True), quick)
    assert far["in_range"].to_list() == [1.0, 0.0]
    idle = Circumstances(attacker_effects=(Effect.parse("move +2 if half_range"),))
    assert reach(RUNNERS, GUARDS, [16], Approach(), idle)["charge_need"][0] == 10


def test_half_range_comes_with_the_move():
    melta = unit(rank(1, weapon("melta", 1, 3, 9, -4, 2, reach=12, keywords=["melta 2"])))
    wall = unit(rank(1, wounds=20, toughness=4), name="wall")
    approach = Approach(shoots=True, charges=False)
    frame = reach(melta, wall, [12, 13, 18, 19], approach)
    one, two, three, four = frame["damage"].to_list()
    assert one == pytest.approx(2 * two)
    assert two == pytest.approx(three)
    assert four == 0


def test_overwatch_is_joined_with_the_attack_of_the_survivors():
    """Three runners of one wound; guards fire six attacks that hit on sixes."""
    approach = Approach(overwatch=True)
    row = reach(RUNNERS, GUARDS, [14], approach).row(0, named=True)
    chance, damage, alive, lost = arrives(8), F(0), F(0), F(0)
    runners, guards = Hand(RUNNERS), Hand(GUARDS)
    for hits, part in snap(6).items():
        state = runners.start
        for _ in range(hits):
            state = runners.hurt(state, 1)
        alive += part * (sum(state) > 0)
        lost += part * state.count(0)
        law = Counter({(state, guards.start): F(1)})
        law = playing.volley(law, runners, guards, "melee", True)
        damage += part * chance * sum(p * (3 - sum(o)) for (_, o), p in law.items())
    assert row["alive"] == pytest.approx(float(alive), abs=1e-14)
    assert row["overwatch_slain"] == pytest.approx(float(lost), abs=1e-13)
    assert row["charge"] == pytest.approx(float(alive * chance), abs=1e-14)
    assert row["damage"] == pytest.approx(float(damage), abs=1e-13)
    assert row["points_lost"] == pytest.approx(float(lost) * 20, abs=1e-12)
    far = reach(RUNNERS, GUARDS, [31], approach).row(0, named=True)
    assert far["overwatch_slain"] == 0


def test_snap_shooting_reaches_24_inches_whatever_the_gun():
    snipers = unit(rank(3, weapon("long rifle", 2, skill=3, reach=48)), name="snipers")
    frame = reach(RUNNERS, snipers, [30, 30.5], Approach(overwatch=True))
    lost = frame["overwatch_slain"].to_list()
    assert lost[0] > 0
    assert lost[1] == 0


def test_a_charge_counts_as_one():
    lancers = unit(rank(3, weapon("lance", 2, 3, 4, reach=0, keywords=["lance"])), name="lancers")
    frame = reach(lancers, GUARDS, [14])
    assert frame["damage"][0] == pytest.approx(float(arrives(8)) * melee(lancers), abs=1e-13)
    assert melee(lancers) > melee(lancers, flags=())


def test_shooting_then_charging_is_one_law():
    """What the guns leave is what the blades strike."""
    approach = Approach(shoots=True)
    row = reach(RUNNERS, GUARDS, [14], approach).row(0, named=True)
    runners, guards = Hand(RUNNERS), Hand(GUARDS)
    start = Counter({(runners.start, guards.start): F(1)})
    shot = playing.volley(start, runners, guards, "ranged", True)
    fought = playing.volley(shot, runners, guards, "melee", True)
    chance = arrives(8)

    def dead(law):
        return sum(p for (_, other), p in law.items() if not any(other))

    expected = chance * dead(fought) + (1 - chance) * dead(shot)
    assert row["destroyed"] == pytest.approx(float(expected), abs=1e-13)
    assert row["in_range"] == row["reach"] == 1


def test_ranks_behind_fight_when_the_roll_and_the_pile_in_reach():
    """Two runners stand 4 inches behind one: they need a roll of 9 where the first needs 8."""
    ranks = (RankBehind(1), RankBehind(2, 4.0))
    found = reach(RUNNERS, GUARDS, [14], Approach(ranks=ranks)).row(0, named=True)
    runners, guards = Hand(RUNNERS), Hand(GUARDS)

    def mean(models):
        state = (0,) * (3 - models) + (1,) * models
        law = playing.volley(Counter({(state, guards.start): F(1)}), runners, guards, "melee", True)
        return sum(p * (3 - sum(other)) for (_, other), p in law.items())

    # Engaged within 2 inches: roll + 3 + 2 - 8 >= 4 from a roll of 7 on, so all do with 8.
    assert found["damage"] == pytest.approx(float(arrives(8) * mean(3)), abs=1e-13)
    stuck = Approach(ranks=(RankBehind(1), RankBehind(2, 6.5)), pile_in=3)
    found = reach(RUNNERS, GUARDS, [14], stuck).row(0, named=True)
    expected = (arrives(8) - arrives(10)) * mean(1) + arrives(10) * mean(3)
    assert found["damage"] == pytest.approx(float(expected), abs=1e-13)


def test_both_readings_of_a_charge():
    short = Approach(Arrival.RESERVES, reaches_target=False)
    row = reach(RUNNERS, GUARDS, [8.5], short).row(0, named=True)
    assert row["charge_need"] == 7


@pytest.mark.parametrize("distance", [0, 2, -3, 500, float("nan")])
def test_impossible_distances(distance):
    with pytest.raises(DataError, match="more than 2"):
        reach(RUNNERS, GUARDS, [distance])


def test_a_move_that_nobody_knows_is_named():
    unknown = unit(rank(3, weapon(reach=0), move=None), name="statues")
    with pytest.raises(DataError, match="no Move of model in statues"):
        reach(unknown, GUARDS, [10])
    assert reach(unknown, GUARDS, [10], Approach(move=5))["charge_need"][0] == 5
    assert reach(unknown, GUARDS, [10], Approach(Arrival.STAY))["charge_need"][0] == 10


def test_heavy_weapons_know_whether_the_unit_stays():
    heavy = unit(
        rank(3, weapon("heavy gun", skill=4, reach=48, keywords=["heavy"])), name="heavies"
    )
    still = Circumstances(flags=frozenset({"stationary"}))
    shots = {
        arrival: reach(heavy, GUARDS, [20], Approach(arrival, shoots=True, charges=False), still)
        for arrival in (Arrival.STAY, Arrival.MOVE)
    }
    means = [frame["damage"][0] for frame in shots.values()]
    assert means[0] > means[1]


def test_real_units(dataset):
    boyz, squad = fielded(dataset, "Boyz", models=20), fielded(dataset, "Intercessor Squad")
    frame = reach(boyz, squad, range(3, 25), Approach(shoots=True, overwatch=True))
    assert frame.height == 22
    assert frame["charge"].is_sorted(descending=True)
    assert (frame["reach"] <= frame["alive"] + 1e-12).all()
