"""Loadouts ranked for a mix of targets: weights, spreads and order, by hand and by law."""

from __future__ import annotations

from fractions import Fraction as F
from math import sqrt

import polars as pl
import pytest
from killcurve.engine.target import ModelGroup, Target
from killcurve.study.loadouts import legal_loadouts
from killcurve.study.ranking import (
    BY_TARGET,
    COLUMNS,
    MEASURES,
    mixed,
    rank_loadouts,
)
from killcurve.study.targets import Defender, standard_targets
from killcurve.tables.dataset import DataError

from tests.study.test_loadouts import MOLES, dataset_of, option


def prey(name="prey", toughness=4, save=7, wounds=1, points=60):
    group = ModelGroup(1, toughness, save, wounds)
    return Defender(name, "Newts", name, Target((group,)), frozenset({"infantry"}), points)


def gun(name, **more):
    weapon = {
        "profile": "", "kind": "ranged", "exclusive": False, "range": 24, "attacks": "1",
        "skill": 3, "strength": "4", "ap": 0, "damage": "1", "keywords": [],
    }  # fmt: skip
    return {**MOLES, **weapon, "weapon_id": name.casefold(), "weapon": name, **more}


def moles(**more):
    """A Digger with a pistol, or a cannon that costs 20 more."""
    return dataset_of(
        [option(1, replaces=["Pistol"], choices=["Cannon"], model="Digger")],
        [(1, "Digger", 1, 1)],
        weapons=[gun("Pistol", attacks="4", strength="3"), gun("Cannon", strength="8", ap=-2,
                 damage="3", range=12), gun("Claw", kind="melee", range=0)],
        datasheets=[{**MOLES, "legends": False, "models_min": 1, "models_max": 1}],
        points=[{**MOLES, "models": 1, "models_max": 1, "copies_from": 1, "cost": 80}],
        wargear_costs=[{**MOLES, "item": "Cannon", "cost": 20, "per": "item"}],
        **more,
    )  # fmt: skip


SOFT, HARD = prey("soft", toughness=3), prey("hard", toughness=8, wounds=3, points=150)
HIT = F(4, 6)


class TestRanking:
    def test_by_hand(self):
        found = rank_loadouts(moles(), "Diggers", mixed([SOFT, HARD], {"soft": 2, "hard": 1}))
        assert dict(found.loadouts.schema) == COLUMNS
        assert dict(found.by_target.schema) == BY_TARGET
        pistol = 1 - (1 - HIT * F(3, 6)) ** 4  # one of four is enough for the soft one
        # hit 4/6, wound 3/6 (8 against 8): three wounds at once
        cannon = {"soft": HIT * F(5, 6), "hard": HIT * F(3, 6)}
        rows = {row["loadout"]: row for row in found.loadouts.rows(named=True)}
        assert (rows[1]["points"], rows[2]["points"]) == (80, 100)
        assert rows[1]["points_removed"] == pytest.approx(float(F(2, 3) * pistol * 60
                + F(1, 3) * self.three_of_four() * 150), abs=1e-12)  # fmt: skip
        mean = F(2, 3) * cannon["soft"] * 60 + F(1, 3) * cannon["hard"] * 150
        assert rows[2]["points_removed"] == pytest.approx(float(mean), abs=1e-12)
        squares = F(2, 3) * cannon["soft"] * 3600 + F(1, 3) * cannon["hard"] * 22500
        assert rows[2]["points_removed_sd"] == pytest.approx(sqrt(squares - mean**2), abs=1e-9)
        assert rows[2]["points_removed_per_100"] == pytest.approx(float(mean), abs=1e-12)
        assert rows[2]["destroyed"] == pytest.approx(
            float(F(2, 3) * cannon["soft"] + F(1, 3) * cannon["hard"]), abs=1e-12
        )
        assert found.loadouts["rank"].to_list() == [1, 2]
        assert found.loadouts["points_removed_per_100"].is_sorted(descending=True)
        by_target = found.by_target.filter(pl.col("loadout") == 2)
        assert by_target.select("target", "weight").rows() == [
            ("soft", pytest.approx(2 / 3)), ("hard", pytest.approx(1 / 3)),
        ]  # fmt: skip
        assert by_target["destroyed"].to_list() == pytest.approx(
            [float(cannon["soft"]), float(cannon["hard"])]
        )
        assert rows[2]["best_at"] == ["hard"]

    @staticmethod
    def three_of_four():
        """P(three or four of four pistol shots wound the hard one): 3 against 8 on 6."""
        each = HIT * F(1, 6)
        return 4 * each**3 * (1 - each) + each**4

    def test_range_and_phase(self):
        mix = mixed([SOFT])
        far = rank_loadouts(moles(), "Diggers", mix, distance=20).loadouts
        assert dict(far.select("loadout", "damage").rows())[2] == 0
        assert far["loadout"].to_list() == [1, 2]
        fight = rank_loadouts(moles(), "Diggers", mix, shooting=False, fighting=True).loadouts
        both = rank_loadouts(moles(), "Diggers", mix, fighting=True).loadouts
        assert fight["attack"].unique().to_list() == ["fight"]
        assert both["attack"].unique().to_list() == ["any range + fight"]
        shot = {1: 1 - (1 - HIT * F(3, 6)) ** 4, 2: HIT * F(5, 6)}
        claw = HIT * F(4, 6)
        for row in both.rows(named=True):
            alone = shot[row["loadout"]]
            assert row["destroyed"] == pytest.approx(float(1 - (1 - alone) * (1 - claw)))

    @pytest.mark.parametrize("by", MEASURES)
    def test_it_is_ranked_by_what_is_asked_for(self, by):
        found = rank_loadouts(moles(), "Diggers", mixed([SOFT, HARD]), by=by).loadouts
        assert found[by].is_sorted(descending=True)

    def test_all_legal_loadouts_are_there(self, dataset):
        squad = "Terminator Squad"
        found = rank_loadouts(dataset, squad, mixed(standard_targets(dataset)[:2]))
        legal = legal_loadouts(dataset, squad)
        assert sorted(found.loadouts["loadout"]) == list(range(1, len(legal.shown) + 1))
        assert found.by_target.height == 2 * len(legal.shown)
        assert found.told == legal.told
        weighted = found.by_target.group_by("loadout").agg(
            (pl.col("weight") * pl.col("points_removed")).sum().alias("mean")
        )
        both = found.loadouts.join(weighted, on="loadout")
        assert (both["mean"] - both["points_removed"]).abs().max() < 1e-12

    def test_a_mix_of_one_is_that_target(self, dataset):
        target = standard_targets(dataset)[1]
        alone = rank_loadouts(dataset, "Raider", mixed([target]))
        rows = alone.loadouts.join(alone.by_target, on="loadout", suffix="_alone")
        for what in ("points_removed", "points_removed_sd", "destroyed", "damage"):
            assert (rows[what] - rows[f"{what}_alone"]).abs().max() < 1e-9

    def test_without_a_price(self):
        free = prey(points=None)
        found = rank_loadouts(moles(), "Diggers", mixed([free]))
        assert found.loadouts["points_removed_per_100"].to_list() == [None, None]
        assert found.loadouts["loadout"].to_list() == [1, 2]

    def test_progress_is_told(self):
        told = []
        rank_loadouts(moles(), "Diggers", mixed([SOFT]), progress=lambda *n: told.append(n))
        assert told == [(1, 2), (2, 2)]


class TestMix:
    def test_weights_are_shares(self):
        assert [w for _, w in mixed([SOFT, HARD])] == [0.5, 0.5]
        assert [(t.name, w) for t, w in mixed([SOFT, HARD], {"hard": 3, "soft": 0})] == [
            ("hard", 1.0)
        ]

    @pytest.mark.parametrize(
        ("weights", "words"),
        [
            ({"none": 1}, "there are soft, hard"),
            ({"soft": -1}, "give 0 or more"),
            ({"soft": float("nan")}, "give 0 or more"),
            ({"soft": 0}, "no target of the mix"),
        ],
    )
    def test_wrong_ones(self, weights, words):
        with pytest.raises(DataError, match=words):
            mixed([SOFT, HARD], weights)

    def test_wrong_questions(self):
        with pytest.raises(DataError, match="take one of points_removed_per_100"):
            rank_loadouts(moles(), "Diggers", mixed([SOFT]), by="luck")
        with pytest.raises(DataError, match="neither"):
            rank_loadouts(moles(), "Diggers", mixed([SOFT]), shooting=False)
