"""Breakpoints: grids, how many it takes, and what one more is worth, by hand and by law."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from itertools import pairwise, product
from math import comb

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from killcurve.engine.dice import Dice
from killcurve.engine.target import ModelGroup, Protection, Target
from killcurve.rules.abilities import Ability
from killcurve.rules.effects import parse_all
from killcurve.study import breakpoints as grids
from killcurve.study.aimed import aimed, weapon_line
from killcurve.study.enough import CHANCES, MOST, needed, smallest
from killcurve.study.enough import COLUMNS as NEEDED
from killcurve.study.lines import Attacker, Line, attacker
from killcurve.study.matchup import Circumstances, engage
from killcurve.study.one_more import (
    CHANGES,
    COLUMNS,
    SUMMARY,
    every_datasheet,
    one_more,
    where_it_matters,
)
from killcurve.study.targets import Defender, defender, standard_targets
from killcurve.tables.dataset import DataError

from tests.study import playing
from tests.study.test_armies import in_play


def line(name="gun", count=1, attacks=1, skill=3, strength=4, ap=0, damage=1, keywords=(),
         kind="ranged", profile=""):  # fmt: skip
    return Line(
        name, profile, kind, count, tuple(Ability.parse(text) for text in keywords), skill,
        Dice.parse(attacks), Dice.parse(strength), ap, Dice.parse(damage),
    )  # fmt: skip


def unit_of(*lines, points=100):
    return Attacker("11e", "Moles", "Diggers", frozenset({"infantry"}), 5, points, tuple(lines))


def prey(count=1, toughness=4, save=4, wounds=1, points=50, **more):
    group = ModelGroup(count, toughness, save, wounds, **more)
    return Defender("prey", "Newts", "Prey", Target((group,)), frozenset({"infantry"}), points)


class TestStrengthAgainstToughness:
    def test_the_table_and_the_chance(self):
        found = grids.strength_toughness(unit_of(line()), None, prey())
        assert dict(found.schema) == grids.STRENGTH_TOUGHNESS
        assert found.height == 16 * 14
        assert found.equals(found.sort("strength", "toughness"))
        for row in found.rows(named=True):
            need = playing.wound_need(row["strength"], row["toughness"])
            assert row["need"] == need
            assert row["chance"] == pytest.approx((7 - need) / 6, abs=1e-12)
            # hit 4/6, wound, not saved 3/6, a single wound
            does = float(F(4, 6) * F(7 - need, 6) * F(3, 6))
            assert row["damage"] == pytest.approx(does, abs=1e-12)
            assert row["destroyed"] == pytest.approx(does, abs=1e-12)
            assert row["is_own"] == (row["strength"] == row["toughness"] == 4)

    def test_modifiers_and_rerolls_are_in_the_chance(self):
        how = Circumstances(attacker_effects=parse_all(["wound +1", "reroll wounds failed"]))
        row = grids.strength_toughness(
            unit_of(line()), "gun", prey(), how, strengths=[4], toughnesses=[8]
        ).row(0, named=True)
        assert (row["need"], row["chance"]) == (6, pytest.approx(float(1 - F(4, 6) ** 2)))

    @settings(max_examples=25, deadline=None)
    @given(st.integers(1, 3), st.integers(1, 4), st.integers(2, 6), st.integers(0, 3),
           st.sampled_from(["1", "2", "D3", "D6"]), st.integers(1, 3))  # fmt: skip
    def test_a_better_strength_never_does_less(self, count, models, save, ap, damage, wounds):
        found = grids.strength_toughness(
            unit_of(line(count=count, attacks=2, ap=-ap, damage=damage)), None,
            prey(models, 4, save, wounds), toughnesses=[4, 7],
        )  # fmt: skip
        for toughness in (4, 7):
            of_it = found.filter(pl.col("toughness") == toughness).sort("strength")
            for what in ("damage", "slain", "destroyed", "chance"):
                assert (of_it[what].diff().drop_nulls() >= -1e-12).all(), what
            assert (of_it["need"].diff().drop_nulls() <= 0).all()

    def test_nothing_else_changes(self, dataset):
        boat, target = attacker(dataset, "Raider"), defender(dataset, "Rhino")
        gun = weapon_line(boat, "Dark lance")
        row = grids.strength_toughness(boat, "Dark lance", target).filter(pl.col("is_own"))
        same = engage(boat, [gun], target).outcome
        assert row["damage"].to_list() == [pytest.approx(same.damage.mean, abs=1e-12)]
        assert row["destroyed"].to_list() == [pytest.approx(same.destroyed, abs=1e-12)]


class TestSaves:
    def test_needs_and_chances(self):
        found = grids.save_ap(unit_of(line(strength=8)), None, prey())
        assert dict(found.schema) == grids.SAVE_AP
        assert found.height == 6 * 7 * 5
        for row in found.rows(named=True):
            need = row["save"] - row["ap"]
            if row["invulnerable"] is not None:
                need = min(need, row["invulnerable"])
            need = min(7, need)
            assert row["need"] == need
            assert row["chance"] == pytest.approx((need - 1) / 6, abs=1e-12)
            does = float(F(4, 6) * F(5, 6) * F(need - 1, 6))
            assert row["damage"] == pytest.approx(does, abs=1e-12)
        assert found.filter(pl.col("is_own")).select("save", "ap", "invulnerable").rows() == [
            (4, 0, None)
        ]

    def test_the_invulnerable_save_that_holds_is_its_own(self):
        ghost = prey(invulnerable=(Protection(5),))
        found = grids.save_ap(unit_of(line(ap=-2)), None, ghost)
        assert found.filter(pl.col("is_own")).select("save", "ap", "invulnerable").rows() == [
            (4, -2, 5)
        ]


class TestDamageAgainstWounds:
    def test_whole_numbers(self):
        found = grids.damage_wounds(unit_of(line(damage=2)), None, prey(wounds=3))
        assert dict(found.schema) == grids.DAMAGE_WOUNDS
        plain = found.filter(pl.col("damage").is_in(["1", "2", "3", "4", "5", "6"]))
        for row in plain.rows(named=True):
            each = int(row["damage"])
            taken = -(-row["wounds"] // each)
            assert row["unsaved"] == pytest.approx(taken)
            # hit 4/6, wound 3/6, not saved 3/6
            assert row["attacks"] == pytest.approx(taken * 6)
            assert row["waste"] == pytest.approx(taken * each - row["wounds"])
            assert row["is_own"] == (each == 2 and row["wounds"] == 3)

    def test_dice_by_going_through_all_rolls(self):
        found = grids.damage_wounds(unit_of(line()), None, prey(), damages=["D6"], wounds=[4])
        row = found.filter(pl.col("damage") == "D6").row(0, named=True)
        taken = lost = F(0)
        for rolls in product(range(1, 7), repeat=4):  # four ones are enough
            total, used = 0, 0
            while total < 4:
                total += rolls[used]
                used += 1
            taken += F(used, 6**4)
            lost += F(total - 4, 6**4)
        assert row["unsaved"] == pytest.approx(float(taken), abs=1e-12)
        assert row["waste"] == pytest.approx(float(lost), abs=1e-12)
        assert row["waste_share"] == pytest.approx(float(lost / (lost + 4)), abs=1e-12)

    def test_feel_no_pain(self):
        tough = prey(wounds=1, feel_no_pain=(Protection(5),))
        row = grids.damage_wounds(unit_of(line()), None, tough, damages=["1"], wounds=[1]).row(
            0, named=True
        )
        # each wound is ignored on 5+: 4/6 get through, so 6/4 are needed, and none is wasted
        assert row["unsaved"] == pytest.approx(1.5)
        assert row["waste"] == pytest.approx(0)
        two = grids.damage_wounds(unit_of(line()), None, tough, damages=["2"], wounds=[1])
        at_two = two.filter(pl.col("damage") == "2").row(0, named=True)
        # of two points at least one gets through with 8/9
        assert at_two["unsaved"] == pytest.approx(9 / 8)

    def test_damage_that_is_no_dice(self):
        with pytest.raises(DataError, match="D7"):
            grids.damage_wounds(unit_of(line()), None, prey(), damages=["D7"])


class TestWhichWeapon:
    def test_names(self):
        both = unit_of(line("axe", kind="melee"), line("gun"), line("gun", count=0, profile="hot"))
        assert weapon_line(both, "AXE").kind == "melee"
        assert weapon_line(both, "gun - hot").profile == "hot"
        assert weapon_line(both, "gun").profile == ""
        with pytest.raises(DataError, match="several weapon lines: name one of axe, gun"):
            weapon_line(both)
        with pytest.raises(DataError, match="no weapon 'gunn'; did you mean 'gun'"):
            weapon_line(both, "gunn")
        profiles = unit_of(line("gun", profile="cold"), line("gun", profile="hot"))
        with pytest.raises(DataError, match="name one of gun - cold, gun - hot"):
            weapon_line(profiles, "gun")

    def test_it_does_what_the_unit_does(self, dataset):
        boyz = attacker(dataset, "Boyz", "Orks")
        how = Circumstances(flags=frozenset({"charged"}))
        for target in standard_targets(dataset)[:5]:
            for one in boyz.default_lines:
                ours = aimed(boyz, one, target, how).outcome()
                same = engage(boyz, [one], target, how).outcome
                assert ours.damage.mean == pytest.approx(same.damage.mean, abs=1e-12)


def tail(number: int, wanted: int, chance: F) -> F:
    """P(at least so many of a number of dice succeed)."""
    return sum(
        (comb(number, k) * chance**k * (1 - chance) ** (number - k)
         for k in range(wanted, number + 1)),
        F(0),
    )  # fmt: skip


class TestNeeded:
    def test_by_hand(self, dataset):
        gun = playing.weapon("gun", attacks=2, skill=3, strength=4)
        mine = in_play(playing.unit(playing.rank(5, gun), name="mine"), points=80)
        lone = prey(wounds=2)
        mine = replace(mine, attacker=replace(mine.attacker, lines=(gun.line,)), faction=None)
        found = needed(dataset, mine, lone)
        assert dict(found.schema) == NEEDED
        assert found.height == 4 * len(CHANCES)
        through = F(4, 6) * F(3, 6) * F(3, 6)
        dice = {"attacks": 1, "weapons": 2, "models": 2, "units": 10}
        for row in found.rows(named=True):
            each = dice[row["what"]]
            chance = F(row["chance"])
            first = next(n for n in range(60) if tail(n * each, 2, through) >= chance)
            reached = [tail(n * each, 2, through) for n in range(first - 1, first + 1)]
            assert row["number"] == first, row
            assert row["reached"] == pytest.approx(float(reached[1]), abs=1e-12)
            assert row["one_fewer"] == pytest.approx(float(reached[0]), abs=1e-12)
        models = found.filter(pl.col("what") == "models")
        assert models["points"].to_list() == [n * 16 for n in models["number"]]

    def test_rapid_fire_is_of_weapons_and_not_of_attacks(self, dataset):
        gun = playing.weapon("gun", attacks=1, skill=2, strength=8, keywords=["rapid fire 1"])
        mine = in_play(playing.unit(playing.rank(1, gun), name="mine"))
        numbers = {}
        for distance in (10, 20):
            found = needed(dataset, mine, prey(6, save=7), distance=distance, chances=[0.5])
            numbers[distance] = dict(found.select("what", "number").rows())
        assert numbers[10]["attacks"] == numbers[20]["attacks"] == numbers[20]["weapons"]
        assert numbers[10]["weapons"] == -(-numbers[20]["weapons"] // 2)
        assert numbers[10]["models"] == numbers[10]["weapons"]
        out = needed(dataset, mine, prey(), distance=30)
        assert out.is_empty()

    def test_copies_cost_what_each_of_them_does(self, dataset):
        # the fourth Raider on costs more than the first three
        found = needed(dataset, "Raider", defender(dataset, "Rhino"), chances=[0.95])
        row = found.filter(pl.col("what") == "units").row(0, named=True)
        assert row["number"] > 4
        first, later = (attacker(dataset, "Raider", copy=n).points for n in (1, 4))
        assert later > first
        assert row["points"] == 3 * first + (row["number"] - 3) * later

    def test_what_cannot_be_done_is_null(self, dataset):
        gun = playing.weapon("gun", attacks=1, skill=6, strength=1)
        mine = in_play(playing.unit(playing.rank(1, gun), name="mine"))
        found = needed(dataset, mine, prey(20, toughness=10, save=2, wounds=3))
        assert found["number"].to_list() == [None] * found.height
        assert found["reached"].null_count() == found.height

    @given(st.integers(1, 60), st.integers(1, 60))
    def test_the_smallest_is_found(self, first, most):
        found = smallest(lambda n: float(n >= first), 0.5, most)
        assert found == (first if first <= most else None)

    def test_more_attacks_are_never_worse(self):
        gun = aimed(unit_of(line(attacks=2, damage="D3")), line(attacks=2, damage="D3"),
                    prey(3, wounds=2))  # fmt: skip
        chances = [gun.with_weapon(count=n).outcome().destroyed for n in range(1, 25)]
        assert all(b >= a - 1e-12 for a, b in pairwise(chances))

    def test_of_asking_wrongly(self, dataset):
        with pytest.raises(DataError, match="between 0 and 1"):
            needed(dataset, "Raider", prey(), chances=[80])
        with pytest.raises(DataError, match="neither"):
            needed(dataset, "Raider", prey(), shooting=False)
        assert set(MOST) == {"attacks", "weapons", "models", "units"}


class TestOneMore:
    def test_by_hand(self):
        found = one_more(unit_of(line(ap=-1, damage=1)), None, [prey(50, wounds=3, points=150)])
        assert dict(found.schema) == COLUMNS
        rows = {row["effect"]: row for row in found.rows(named=True)}
        assert list(rows) == list(CHANGES)
        hit, wound, fail = F(4, 6), F(3, 6), F(4, 6)
        own = hit * wound * fail
        gains = {
            "Strength": hit * F(4, 6) * fail - own,
            "AP": hit * wound * F(5, 6) - own,
            "Damage": own,
            "Attacks": own,
            "to hit": F(5, 6) * wound * fail - own,
            "to wound": hit * F(4, 6) * fail - own,
            "weapons": own,
        }
        losses = {
            "Strength": hit * F(2, 6) * fail - own,
            "AP": hit * wound * F(3, 6) - own,
            "Damage": None,
            "Attacks": None,
            "to hit": F(3, 6) * wound * fail - own,
            "to wound": hit * F(2, 6) * fail - own,
            "weapons": -own,
        }
        for effect, row in rows.items():
            assert row["damage"] == pytest.approx(float(own), abs=1e-12)
            assert row["gain_damage"] == pytest.approx(float(gains[effect]), abs=1e-12), effect
            if losses[effect] is None:
                assert row["loss_damage"] is None
            else:
                assert row["loss_damage"] == pytest.approx(float(losses[effect]), abs=1e-12), effect
        # a model of three wounds falls to nothing that does less than three
        assert rows["Damage"]["gain"] == 0

    def test_points_are_of_the_models_slain(self):
        found = one_more(unit_of(line(strength=8, ap=-6), points=50), None, [prey(2, points=40)])
        row = found.filter(pl.col("effect") == "to hit").row(0, named=True)
        # 20 points a model, for each 100 of 50
        assert row["points_removed_per_100"] == pytest.approx(float(F(4, 6) * F(5, 6) * 40))
        assert row["gain"] == pytest.approx(float(F(1, 6) * F(5, 6) * 40))
        free = one_more(unit_of(line(), points=None), None, [prey()])
        assert free["gain"].null_count() == free.height

    def test_one_more_of_nothing_less(self):
        found = one_more(unit_of(line(strength=1, damage="D6", attacks="2D6")), None, [prey()])
        lost = dict(found.select("effect", "loss_damage").rows())
        assert {name for name, value in lost.items() if value is None} == {
            "Strength", "AP", "Damage", "Attacks",
        }  # fmt: skip

    @settings(max_examples=25, deadline=None)
    @given(st.integers(1, 3), st.integers(2, 6), st.integers(2, 12), st.integers(0, 3),
           st.sampled_from(["1", "2", "D3", "D6+1"]), st.integers(1, 4), st.integers(1, 4))  # fmt: skip
    def test_one_more_is_never_worse(self, count, skill, strength, ap, damage, models, wounds):
        found = one_more(
            unit_of(line(count=count, skill=skill, strength=strength, ap=-ap, damage=damage)),
            None, [prey(models, 5, 3, wounds)],
        )  # fmt: skip
        for what in ("gain_damage", "gain_destroyed"):
            assert (found[what] >= -1e-12).all()
        for what in ("loss_damage", "loss_destroyed"):
            assert (found[what].drop_nulls() <= 1e-12).all()

    def test_where_it_matters(self):
        soft, hard = prey(20, 2, 7), replace(prey(20, 4, 7), name="hard")
        found = where_it_matters(one_more(unit_of(line()), None, [soft, hard]))
        assert dict(found.schema) == SUMMARY
        assert found["gain_damage"].is_sorted(descending=True)
        strength = found.filter(pl.col("effect") == "Strength").row(0, named=True)
        # 4 against 2 wounds on 2+ already; 5 against 4 on 3+ instead of 4+
        assert (strength["targets"], strength["matters"], strength["share"]) == (2, 1, 0.5)
        assert strength["gain_damage"] == pytest.approx(float(F(4, 6) * F(1, 6) / 2))
        assert strength["most_at"] == "hard"
        own = F(4, 6) * (F(5, 6) + F(3, 6)) / 2
        assert strength["relative"] == pytest.approx(float(F(4, 6) * F(1, 6) / 2 / own))

    def test_every_unit_of_a_faction(self, dataset):
        orks = every_datasheet(dataset, "orks")
        names = [target.datasheet for target in orks]
        assert "Boyz" in names
        assert len(names) == len(set(names))
        known = dataset.models.filter(pl.col("faction") == "Orks")["datasheet"].n_unique()
        assert len(orks) == known
        with pytest.raises(DataError, match="no faction"):
            every_datasheet(dataset, "Penguins")
