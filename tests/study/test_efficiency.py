"""Efficiency as a distribution: worked numbers in fractions, and what holds for any units."""

from __future__ import annotations

from fractions import Fraction as F
from math import sqrt

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from killcurve.engine.pmf import Pmf
from killcurve.study.armed import combatant, standard_combatants, together, used_against
from killcurve.study.efficiency import COLUMNS, UNIT_COLUMNS, efficiency, unit_efficiency
from killcurve.study.lines import attacker
from killcurve.study.matchup import Circumstances, engage
from killcurve.study.removed import WHOLE_UNITS, Scoring, points_law
from killcurve.study.targets import defender
from killcurve.tables.dataset import DataError

from tests.study.standing import binomial, hurt, rank, squad, standing, unit, weapon

GUN = weapon(attacks=2, skill=3, strength=4)
GRUNTS = squad(2, name="grunts", points=60, toughness=4, save=5)
THROUGH = hurt(3, 4, 4)


def only(frame: pl.DataFrame) -> dict:
    """The one row of a frame."""
    assert frame.height == 1
    return frame.row(0, named=True)


def row_of(own, target, **asked) -> dict:
    """What one unit does to another when shooting."""
    return only(unit_efficiency([own], [target.target], phases=["shooting"], **asked))


class TestNumbersByHand:
    def test_the_law_of_two_attacks(self):
        assert F(2, 9) == THROUGH
        law = binomial(2, THROUGH)
        row = row_of(squad(1, GUN, points=50), GRUNTS)
        assert row["slain"] == pytest.approx(float(2 * THROUGH), abs=1e-12)
        assert row["points_removed"] == pytest.approx(float(60 * THROUGH), abs=1e-12)
        sd = sqrt(2 * THROUGH * (1 - THROUGH))
        assert row["slain_sd"] == pytest.approx(sd, abs=1e-12)
        assert row["damage_sd"] == pytest.approx(sd, abs=1e-12)
        assert row["points_removed_sd"] == pytest.approx(30 * sd, abs=1e-10)
        assert row["destroyed"] == pytest.approx(float(law[2]), abs=1e-12)
        assert row["earned_back"] == pytest.approx(float(law[2]), abs=1e-12)

    @pytest.mark.parametrize(("own", "needed"), [(30, 1), (31, 2), (60, 2), (61, 3)])
    def test_points_earned_back(self, own, needed):
        row = row_of(squad(1, GUN, points=own), GRUNTS)
        chance = sum(binomial(2, THROUGH)[needed:])
        assert row["earned_back"] == pytest.approx(float(chance), abs=1e-12)

    def test_shares_of_a_cost_that_are_no_whole_points(self):
        three = squad(3, name="three", points=100, toughness=4, save=5)
        row = row_of(squad(1, weapon(attacks=3, skill=3), points=100), three)
        assert row["earned_back"] == pytest.approx(float(THROUGH**3), abs=1e-12)

    def test_quantiles_are_those_of_the_law(self):
        law = binomial(2, THROUGH)
        assert law[0] < F(9, 10) < law[0] + law[1]
        row = row_of(squad(1, GUN, points=50), GRUNTS)
        names = ("slain_p10", "slain_p50", "slain_p90")
        assert [row[name] for name in names] == [0, 0, 1]
        assert [row[f"points_removed_p{q}"] for q in (10, 50, 90)] == [0, 0, 30]
        assert row["points_removed_per_100_p90"] == 60
        assert row["damage_per_100_p90"] == 2

    def test_what_is_for_each_100_points(self):
        row = row_of(squad(1, GUN, points=50), GRUNTS)
        for name in ("damage", "points_removed"):
            for part in ("", "_sd", "_p10", "_p90"):
                assert row[f"{name}_per_100{part}"] == pytest.approx(2 * row[f"{name}{part}"])

    def test_damage_beyond_the_last_wound_is_lost(self):
        row = row_of(squad(1, weapon(skill=3, damage=3)), squad(1, toughness=4, save=5))
        assert row["damage"] == pytest.approx(float(THROUGH), abs=1e-12)

    def test_whole_units_and_a_bonus(self):
        law = binomial(2, THROUGH)
        own = squad(1, GUN, points=50)
        whole = row_of(own, GRUNTS, scoring=WHOLE_UNITS)
        assert whole["points_removed"] == pytest.approx(float(60 * law[2]), abs=1e-12)
        assert whole["points_removed_p90"] == 0
        more = row_of(own, GRUNTS, scoring=Scoring(bonus=0.5))
        expected = 30 * law[1] + 90 * law[2]
        assert more["points_removed"] == pytest.approx(float(expected), abs=1e-12)
        lines = efficiency([own.attacker], [GRUNTS.target], scoring=WHOLE_UNITS)
        assert only(lines)["points_removed"] == pytest.approx(float(60 * law[2]), abs=1e-12)


class TestWholeUnits:
    def test_lines_hit_what_the_lines_before_left(self):
        light, heavy = weapon("light", skill=3), weapon("rifle", skill=3, strength=8, damage=2)
        own = squad(1, light, heavy)
        row = row_of(own, squad(1, wounds=2, toughness=4, save=5, points=10))
        p, q = hurt(3, 4, 4), hurt(3, 2, 4)
        assert row["destroyed"] == pytest.approx(float(q), abs=1e-12)
        assert row["damage"] == pytest.approx(float(2 * q + p * (1 - q)), abs=1e-12)
        assert (row["weapon"], row["count"]) == ("1 × light; 1 × rifle", 2)

    def test_a_model_fights_with_its_best_weapon_and_extra_ones(self):
        claw = weapon("claw", attacks=2, strength=4, reach=0)
        fist = weapon("fist", attacks=1, strength=8, reach=0)
        tail = weapon("tail", strength=4, reach=0, keywords=("extra attacks",))
        beast = squad(2, claw, fist, tail, name="beast")
        soft, hard = squad(9, toughness=4, name="soft"), squad(9, toughness=8, name="hard")
        frame = unit_efficiency([beast], [soft.target, hard.target], phases=["fight"])
        assert frame["weapon"].to_list() == ["2 × claw; 2 × tail", "2 × fist; 2 × tail"]
        assert unit_efficiency([beast], [soft.target], phases=["shooting"]).is_empty()

    def test_pistols_or_the_others_and_one_profile(self):
        pistol = weapon("pistol", keywords=("pistol",))
        low = weapon("gun", profile="low", exclusive=True, weapon_id="gun")
        high = weapon("gun", profile="high", attacks=3, exclusive=True, weapon_id="gun")
        row = row_of(squad(3, pistol, low, high), GRUNTS)
        assert row["weapon"] == "3 × gun - high"
        by_line = unit_efficiency(
            [squad(3, pistol, low, high)], [GRUNTS.target], phases=["shooting"], scopes=["line"]
        )
        assert by_line["weapon"].to_list() == ["3 × pistol", "3 × gun - low", "3 × gun - high"]
        assert by_line["scope"].unique().to_list() == ["line"]

    def test_ties_go_to_what_is_listed_first(self):
        first, second = (weapon(name, reach=0) for name in ("first", "second"))
        lines = together(squad(1, first, second), "fight", GRUNTS.target, lambda _: 1 / 3)
        assert [line.weapon for line in lines] == ["first"]

    def test_worth_is_asked_only_where_there_is_a_choice(self):
        def never(line):
            raise AssertionError(line)

        own = squad(2, weapon("gun"), weapon("cannon"))
        assert [line.count for line in together(own, "shooting", GRUNTS.target, never)] == [2, 2]

    def test_prey_is_asked_for_anew(self):
        lance = weapon("lance", keywords=("hunter monster",))
        own = squad(1, lance)
        prey = standing(unit(rank(1), name="prey", keywords=("monster",)))
        ties = [together(own, "shooting", t.target, lambda _: 1.0) for t in (GRUNTS, prey)]
        assert [len(lines) for lines in ties] == [0, 1]

    def test_a_model_may_carry_two_of_a_weapon(self):
        row = row_of(squad(3, weapon("gun", count=2)), GRUNTS)
        assert (row["weapon"], row["count"]) == ("6 × gun", 6)

    def test_models_of_which_weapons_are_not_known(self):
        own = standing(unit(rank(2, GUN), rank(1, name="leader"), name="mob"))
        row = row_of(own, GRUNTS)
        assert row["unmodelled"] == ["the data has no weapons of leader (mob)"]

    def test_circumstances_reach_the_attack(self):
        own = squad(1, GUN)
        covered = row_of(own, GRUNTS, how=Circumstances(flags=frozenset({"cover"})))
        assert covered["damage"] == pytest.approx(float(2 * hurt(4, 4, 4)), abs=1e-12)


class TestCosts:
    def test_what_asks_for_an_unknown_cost_is_null(self):
        free = row_of(squad(1, GUN, points=None), GRUNTS)
        assert free["points_removed"] == pytest.approx(float(60 * THROUGH))
        assert free["earned_back"] is None
        assert free["damage_per_100"] is None
        unknown = row_of(squad(1, GUN), squad(2, points=None))
        nulls = [name for name, value in unknown.items() if value is None]
        assert set(nulls) == {"enhancement", "target_points", "earned_back"} | {
            name for name in UNIT_COLUMNS if name.startswith("points_removed")
        }

    def test_size_copy_and_enhancement(self, dataset):
        small = combatant(dataset, "Raider")
        late = combatant(dataset, "Raider", copy=4)
        frame = unit_efficiency([small, late], [GRUNTS.target], phases=["shooting"])
        assert frame["copy"].to_list() == [1, 4]
        assert frame["points"].to_list() == [small.attacker.points, late.attacker.points]
        assert small.attacker.points < late.attacker.points == late.target.points
        same = frame["points_removed"].to_list()
        assert same[0] == same[1]
        assert frame["earned_back"].to_list()[0] >= frame["earned_back"].to_list()[1]
        ten = combatant(dataset, "Intercessor Squad", models=10)
        assert ten.target.target.models == ten.attacker.models == 10
        with pytest.raises(DataError, match="no enhancement"):
            combatant(dataset, "Raider", enhancement="No Such Thing")


def test_frames_keep_their_contract(dataset):
    units = standard_combatants(dataset)
    targets = [one.target for one in units]
    assert [t.name for t in targets] == [one.name for one in units]
    lines = efficiency([attacker(dataset, "Raider")], targets)
    assert dict(lines.schema) == COLUMNS
    whole = unit_efficiency(units[:2], targets[:2], scopes=["unit", "line"])
    assert dict(whole.schema) == UNIT_COLUMNS


def test_a_single_line_is_the_same_either_way(dataset):
    own, target = combatant(dataset, "Raider"), defender(dataset, "Boyz")
    by_line = unit_efficiency([own], [target], scopes=["line"])
    plain = efficiency([own.attacker], [target])
    for name in ("damage_sd", "earned_back", "points_removed_per_100_p90"):
        assert sorted(by_line[name]) == sorted(plain[name])


@st.composite
def units(draw):
    guns = draw(
        st.lists(
            st.builds(
                weapon,
                name=st.sampled_from(["a", "b", "c"]),
                attacks=st.sampled_from([1, 2, "D3"]),
                skill=st.integers(2, 6),
                strength=st.integers(2, 9),
                ap=st.integers(-3, 0),
                damage=st.sampled_from([1, 2, "D3"]),
                reach=st.sampled_from([0, 24]),
            ),
            min_size=1,
            max_size=3,
            unique_by=lambda carried: carried.weapon_id,
        )
    )
    model = {
        "toughness": draw(st.integers(3, 8)),
        "save": draw(st.integers(3, 7)),
        "wounds": draw(st.integers(1, 3)),
    }
    return squad(draw(st.integers(1, 4)), *guns, points=draw(st.integers(1, 200)), **model)


@settings(max_examples=40, deadline=None)
@given(units(), units())
def test_laws_of_any_units(own, other):
    for row in unit_efficiency([own], [other.target]).rows(named=True):
        lines = used_against(own, row["phase"], other.target)
        outcome = engage(own.attacker, lines, other.target).outcome
        assert row["damage"] == outcome.damage.mean
        cost = own.attacker.points
        assert row["earned_back"] <= row["points_removed"] / cost + 1e-12  # Markov's inequality
        assert row["earned_back"] <= outcome.slain.at_least(1) + 1e-12
        for name in ("damage", "slain", "points_removed"):
            assert row[f"{name}_p10"] <= row[f"{name}_p50"] <= row[f"{name}_p90"]
        assert row["points_removed"] <= other.target.points + 1e-9


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=6), st.integers(1, 300))
def test_a_law_of_points_has_the_moments_of_the_law_of_models(weights, cost):
    total = sum(weights)
    slain = Pmf([weight / total for weight in weights])
    models = len(weights)
    law = points_law(slain, models, cost)
    assert law.mean == pytest.approx(slain.mean * cost / models)
    assert law.sd == pytest.approx(slain.sd * cost / models, abs=1e-9)
    assert law.quantile(0.5) == pytest.approx(slain.quantile(0.5) * cost / models)
    assert law.at_least(0) == pytest.approx(1)
    assert law.at_least(cost / models) == pytest.approx(slain.at_least(1))
