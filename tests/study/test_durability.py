"""Durability: smallest numbers and mean hits, worked out in fractions, and the caps."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from killcurve.engine.target import MOST_WOUNDS
from killcurve.study.armed import standard_combatants
from killcurve.study.durability import COLUMNS, Siege, durability, least
from killcurve.study.engagements import Engagements
from killcurve.study.matchup import Circumstances
from killcurve.tables.dataset import DataError

from tests.study.standing import binomial, hurt, rank, squad, standing, unit, weapon

GUN = weapon(attacks=2, skill=3, strength=4)
THROUGH = hurt(3, 4, 4)
LONE = squad(1, name="lone", points=90, toughness=4, save=5)


def rows(target, own, **asked) -> list[dict]:
    """What one attacker needs when shooting: the whole unit's rows, then those of its lines."""
    frame = durability([target.target], [own], phases=["shooting"], **asked)
    assert dict(frame.schema) == COLUMNS
    return frame.rows(named=True)


def first(chance: F, after) -> int:
    """The smallest number after which the chance is reached, one by one."""
    number = 1
    while after(number) < chance:
        number += 1
    return number


class TestNumbersByHand:
    def test_attacks_weapons_and_units_for_a_model_of_one_wound(self):
        own = squad(3, GUN, name="three", points=45)
        found = rows(LONE, own, chances=(0.5, 0.8, 0.95))
        for row in found:
            chance = F(row["chance"]).limit_denominator(100)

            def kills(number, each=1):
                return 1 - (1 - THROUGH) ** (number * each)

            units = first(chance, lambda n: kills(n, 6))
            assert (row["units"], row["models"], row["points"]) == (units, 3 * units, 45 * units)
            if row["scope"] == "unit":
                assert (row["attacks"], row["weapons"]) == (None, None)
                continue
            assert row["attacks"] == first(chance, kills)
            assert row["weapons"] == first(chance, lambda n: kills(n, 2))
        assert [row["scope"] for row in found] == ["unit"] * 3 + ["line"] * 3
        assert [row["attacks"] for row in found[3:]] == [3, 7, 12]
        assert found[0]["destroyed"] == pytest.approx(float(1 - (1 - THROUGH) ** 6), abs=1e-12)
        assert found[0]["points_lost"] == pytest.approx(90 * found[0]["destroyed"])
        assert all(row["reason"] is None for row in found)

    def test_a_chance_that_is_just_met_counts(self):
        sure = squad(1, weapon(skill=None, strength=8, attacks=1))
        half = squad(1, toughness=4, save=4)  # 5/6 · 1/2 an attack
        chance = 1 - (1 - 5 / 12) ** 3
        found = rows(half, sure, chances=(chance,))
        assert [row["units"] for row in found] == [3, 3]

    def test_several_models_of_several_wounds(self):
        pair = squad(2, name="pair", toughness=4, save=5, wounds=2)
        line = rows(pair, squad(1, GUN), chances=(0.8,))[1]
        attacks = first(F(4, 5), lambda n: sum(binomial(n, THROUGH)[4:]))
        assert line["attacks"] == attacks

    @pytest.mark.parametrize(("damage", "mean"), [(1, 4 * 3), (2, 2 * 3), (3, 2 * 3)])
    def test_mean_hits(self, damage, mean):
        pair = squad(2, name="pair", points=60, toughness=4, save=5, wounds=2)
        line = rows(pair, squad(1, weapon(skill=6, damage=damage)), chances=(0.5,))[1]
        assert hurt(1, 4, 4) == F(1, 3)
        assert line["mean_hits"] == pytest.approx(mean, abs=1e-9)
        assert line["points_per_effective_wound"] == pytest.approx(60 / mean)

    def test_mean_hits_of_random_damage(self):
        tank = squad(1, name="tank", toughness=4, save=5, wounds=4)
        line = rows(tank, squad(1, weapon(damage="D3")), chances=(0.5,))[1]
        need = [F(0)]
        for left in range(1, 5):  # each unsaved wound takes 1, 2 or 3 of what is left
            need.append(1 + sum(need[max(0, left - d)] for d in (1, 2, 3)) / 3)
        assert line["mean_hits"] == pytest.approx(float(3 * need[4]), abs=1e-9)

    def test_critical_hits_play_no_part_in_mean_hits(self):
        plain, keen = (
            rows(LONE, squad(1, weapon(skill=4, keywords=words)), chances=(0.5,))[1]
            for words in ((), ("lethal hits", "sustained hits 2", "rapid fire 3"))
        )
        assert keen["mean_hits"] == plain["mean_hits"] == pytest.approx(3)
        assert keen["attacks"] < plain["attacks"]

    def test_attacks_are_counted_without_more_dice(self):
        near = Circumstances(flags=frozenset({"half_range"}))
        gun = weapon(attacks=2, skill=3, keywords=("rapid fire 2",))
        frame = durability(
            [LONE.target], [squad(1, gun)], near, chances=[0.95], phases=["shooting"]
        )
        line = frame.row(1, named=True)
        assert (line["attacks"], line["weapons"]) == (12, 3)

    def test_blast_counts_the_models_that_are_left(self):
        five = squad(5, name="five", toughness=4, save=5)
        mortar = weapon(attacks=1, skill=3, keywords=("blast",))
        siege = _siege(squad(1, mortar), five)
        alive = {5: F(1)}
        for number in range(1, 8):
            after: dict[int, F] = {}
            for left, chance in alive.items():
                law = binomial(2 if left >= 5 else 1, THROUGH)
                for slain, part in enumerate(law):
                    key = max(0, left - slain)
                    after[key] = after.get(key, F(0)) + chance * part
            alive = after
            assert siege.after_units(number) == pytest.approx(float(alive.get(0, 0)), abs=1e-12)

    def test_models_that_save_differently(self):
        mixed = standing(
            unit(rank(1, toughness=4, save=5), rank(1, name="boss", toughness=4, save=3))
        )
        line = rows(mixed, squad(1, weapon(skill=3)), chances=(0.5,))[1]
        # Wounds go to the first model until it is dead, then to the other one.
        assert line["mean_hits"] == pytest.approx(1 / (1 / 2 * 4 / 6) + 1 / (1 / 2 * 2 / 6))


class TestLimits:
    def test_what_is_out_of_reach_is_null_with_a_reason(self):
        wall = squad(1, name="wall", toughness=30, save=2, wounds=MOST_WOUNDS)
        feeble = squad(1, weapon(skill=6, strength=1))
        line = rows(wall, feeble, chances=(0.5,))[1]
        assert [line[name] for name in ("attacks", "weapons", "units", "models", "points")] == [None] * 5  # fmt: skip
        assert line["reason"] == "more than 1,000 attacks; more than 200 weapons; more than 1,000 units"  # fmt: skip
        # 100 wounds at 1/6 · 1/6 a hit
        assert line["mean_hits"] == pytest.approx(3600)

    def test_an_attacker_without_a_cost(self):
        row = rows(LONE, squad(1, GUN, points=None), chances=(0.5,))[0]
        assert (row["units"], row["points"]) == (2, None)
        assert row["reason"] == "the attacker's cost is not known"

    def test_a_target_without_a_cost(self):
        row = rows(squad(1, points=None), squad(1, GUN), chances=(0.5,))[1]
        assert (row["points_lost"], row["points_per_effective_wound"]) == (None, None)
        assert row["mean_hits"] is not None

    @pytest.mark.parametrize("chance", [0, 1, 1.5])
    def test_chances_are_between_0_and_1(self, chance):
        with pytest.raises(DataError, match="between 0 and 1"):
            rows(LONE, squad(1, GUN), chances=(chance,))

    def test_too_many_states(self):
        horde = standing(unit(rank(20, wounds=3), rank(20, name="other", wounds=4)))
        with pytest.raises(DataError, match="take fewer models"):
            rows(horde, squad(1, GUN))

    def test_no_weapons_no_row(self):
        assert durability([LONE.target], [squad(1, GUN)], phases=["fight"]).is_empty()

    def test_progress_may_end_it(self):
        class Stopped(Exception):
            pass

        told = []

        def stop(done, of):
            told.append((done, of))
            if done == 1:
                raise Stopped

        with pytest.raises(Stopped):
            durability([LONE.target] * 3, [squad(1, GUN)], progress=stop)
        assert told == [(0, 3), (1, 3)]


def _siege(own, target) -> Siege:
    return Siege(Engagements(), own.attacker, own.lines("shooting"), target.target)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(1, 3),
    st.integers(1, 3),
    st.sampled_from([1, 2, "D3", "D6"]),
    st.integers(2, 6),
    st.integers(3, 10),
    st.sampled_from([(), ("devastating wounds",), ("sustained hits 1",), ("lethal hits",)]),
    st.sampled_from(["11e", "10e"]),
)
def test_more_never_does_less(models, wounds, damage, skill, strength, words, edition):
    gun = weapon(skill=skill, strength=strength, damage=damage, keywords=words)
    own = squad(1, gun, edition=edition)
    siege = _siege(own, squad(models, toughness=5, save=4, wounds=wounds))
    for after in (siege.after_attacks, siege.after_weapons, siege.after_units):
        chances = [after(number) for number in range(1, 12)]
        assert all(low <= high + 1e-12 for low, high in pairwise(chances))
        for chance in (0.1, 0.5):
            found = least(after, chance, 11)
            reached = [n for n, value in enumerate(chances, 1) if value >= chance]
            assert found == (reached[0] if reached else None)
    # One attack a weapon, one weapon a unit: all three are the same attacks.
    assert siege.after_weapons(7) == pytest.approx(siege.after_attacks(7), abs=1e-12)
    assert siege.after_units(7) == pytest.approx(siege.after_attacks(7), abs=1e-12)


def test_standard_attackers_against_a_unit(dataset):
    units = standard_combatants(dataset)
    frame = durability([units[0].target], units[:3], chances=[0.5, 0.95])
    assert frame["attacker"].unique().len() == 3
    keys = ["attacker", "phase", "scope", "weapon"]
    for _, part in frame.group_by(keys):
        needed = part.sort("chance")["units"].to_list()
        assert needed[0] <= needed[1]
