"""Units against a panel, and match-ups as scenarios: the same numbers as one by one."""

from __future__ import annotations

import polars as pl
import pytest
from killcurve.study.armed import combatant, used_against
from killcurve.study.as_scenario import as_scenario
from killcurve.study.efficiency import unit_efficiency
from killcurve.study.matchup import Circumstances
from killcurve.study.panel import COLUMNS, MEAN, means, strikes
from killcurve.study.solve import solve

NAMES = ("Boyz", "Intercessor Squad", "Raider", "Royal Warden")


@pytest.fixture(scope="module")
def units(dataset):
    return [combatant(dataset, name) for name in NAMES]


@pytest.fixture(scope="module")
def found(units):
    return strikes(units, units)


def test_each_row_is_that_of_the_unit_alone(units, found):
    alone = unit_efficiency(units, [unit.target for unit in units])
    keys = {"datasheet": "attacker", "target": "target", "phase": "phase"}
    joined = found.join(alone, left_on=list(keys.values()), right_on=list(keys), suffix="_alone")
    assert joined.height == found.height == alone.height
    for name in ("damage", "destroyed", "points_removed", "points_removed_per_100"):
        assert (joined[name] - joined[f"{name}_alone"]).abs().max() < 1e-9
    for end in ("p10", "p90"):
        lost = joined[f"damage_{end}"] / joined["damage"] * joined["points_of_wounds_per_100"]
        off = (joined[f"points_of_wounds_per_100_{end}"] - lost).filter(joined["damage"] > 0)
        assert off.abs().max() < 1e-9
    assert found.schema == pl.Schema(COLUMNS)


def test_the_better_phase_is_the_one_with_more_damage(found):
    for pair in found.partition_by("attacker", "target"):
        assert pair["best"].sum() == 1
        assert pair.filter(pl.col("best"))["damage"][0] == pair["damage"].max()


def test_means_are_over_the_others_once_each(found):
    made = means(found)
    assert made.schema == pl.Schema(MEAN)
    boyz = found.filter(pl.col("best") & (pl.col("attacker") == "Boyz"))
    row = made.filter(pl.col("unit") == "Boyz").row(0, named=True)
    assert row["value"] == pytest.approx(boyz["points_of_wounds_per_100"].mean(), abs=1e-12)
    assert row["against"] == len(NAMES)
    assert row["most"] == boyz["points_of_wounds_per_100"].max()
    suffered = means(found, "target").filter(pl.col("unit") == "Boyz")["value"][0]
    on_it = found.filter(pl.col("best") & (pl.col("target") == "Boyz"))
    assert suffered == pytest.approx(on_it["points_of_wounds_per_100"].mean(), abs=1e-12)


def test_units_without_a_cost_have_no_mean(found):
    free = found.with_columns(
        attacker_points=pl.when(pl.col("attacker") == "Boyz").then(0).otherwise("attacker_points")
    )
    assert "Boyz" not in means(free)["unit"].to_list()


@pytest.mark.parametrize("flags", [frozenset(), frozenset({"cover", "half_range"})])
def test_a_scenario_of_a_match_up_gives_its_numbers(units, flags):
    how = Circumstances(flags=flags)
    alone = unit_efficiency(units, [unit.target for unit in units], how, phases=["shooting"])
    rows = {(r["datasheet"], r["target"]): r for r in alone.rows(named=True)}
    for unit in units:
        for other in units:
            lines = used_against(unit, "shooting", other.target, how)
            outcome = solve(
                as_scenario(unit.attacker, lines, other.target, how), lenient=True
            ).outcome
            row = rows[unit.name, other.name]
            assert outcome.damage.mean == pytest.approx(row["damage"], abs=1e-9)
            assert outcome.destroyed == pytest.approx(row["destroyed"], abs=1e-9)
