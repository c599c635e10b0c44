"""Studies: frames whose numbers are those of single answers."""

from __future__ import annotations

import polars as pl
import pytest
from killcurve.rules.effects import Effect
from killcurve.study.efficiency import efficiency
from killcurve.study.lines import attacker, cost
from killcurve.study.matchup import Circumstances, attack
from killcurve.study.solve import solve
from killcurve.study.stratagem_value import Stratagem, attack_stratagems, stratagem_value
from killcurve.study.survival import survival
from killcurve.study.targets import defender, standard_targets


def test_default_counts_and_costs(dataset):
    swarm = attacker(dataset, "Gargoyles")
    assert {line.name: line.count for line in swarm.lines} == {
        "Fleshborer": 10,
        "Blinding venom": 10,
    }
    assert (swarm.models, swarm.points) == (10, 80)
    knight = attacker(dataset, "Acastus Knight Porphyrion")
    counts = {line.name: line.count for line in knight.lines}
    assert counts["Acastus autocannon"] == 2
    assert counts["Lascannon"] == 0
    assert [cost(dataset, "Drukhari", "Raider", 1, copy) for copy in (1, 3, 4)] == [75, 75, 85]
    assert cost(dataset, "Tyranids", "Gargoyles", 11) == 155


def test_standard_targets(dataset):
    targets = {t.name: t for t in standard_targets(dataset)}
    assert len(targets) == 11
    assert targets["Guardsmen (GEQ)"].target.models == 10
    assert targets["Terminators (TEQ)"].target.groups[0].invulnerable[0].value == 4
    knight = targets["Questoris Knight"]
    assert knight.target.groups[0].invulnerable[0].against.value == "ranged"


def test_mixed_units_have_a_group_a_stat_line(dataset):
    celestine = defender(dataset, "Saint Celestine")
    assert sorted((g.count, g.wounds) for g in celestine.target.groups) == [(1, 5), (2, 2)]


def test_efficiency_equals_the_scenario(dataset):
    units = [attacker(dataset, "Royal Warden")]
    targets = [t for t in standard_targets(dataset) if t.name == "Intercessors (MEQ)"]
    row = (
        efficiency(units, targets)
        .filter(pl.col("weapon") == "Relic gauss blaster")
        .row(0, named=True)
    )
    answer = solve(
        {
            "attacker": {"weapons": [{"attacks": 2, "skill": 3, "strength": 5, "ap": -1, "damage": 2,
                                      "keywords": ["lethal hits", "rapid fire 2"]}]},
            "target": {"keywords": ["infantry"],
                       "models": [{"count": 5, "toughness": 5, "save": 3, "wounds": 2}]},
        }
    ).outcome  # fmt: skip
    assert row["damage"] == answer.damage.mean
    assert row["slain"] == answer.slain.mean
    assert row["points_removed"] == pytest.approx(answer.slain.mean * 80 / 5)
    assert row["points_removed_per_100"] == pytest.approx(answer.slain.mean * 80 / 5 * 100 / 50)
    assert (row["damage_p10"], row["damage_p90"]) == (
        answer.damage.quantile(0.1), answer.damage.quantile(0.9),
    )  # fmt: skip


def test_every_default_line_meets_every_target(dataset):
    units = [attacker(dataset, n) for n in ("Raider", "Gargoyles")]
    frame = efficiency(units, standard_targets(dataset))
    assert frame.height == 4 * 11
    assert frame.null_count().sum_horizontal()[0] == 0
    assert (frame["damage_p10"] <= frame["damage_p90"]).all()


def test_a_stratagem_gains_over_the_same_circumstances(dataset):
    warden = attacker(dataset, "Royal Warden")
    targets = standard_targets(dataset)
    frame = stratagem_value(dataset, [warden], targets)
    tyrant = frame.filter(
        (pl.col("stratagem") == "PROTOCOL OF THE CONQUERING TYRANT")
        & (pl.col("weapon") == "Relic gauss blaster")
    )
    assert tyrant.height == len(targets)
    assert tyrant["assumes"].to_list()[0] == ["half_range", "leading"]
    row = tyrant.filter(pl.col("target") == "Intercessors (MEQ)").row(0, named=True)
    near = Circumstances(flags=frozenset({"half_range"}))
    line = next(line for line in warden.lines if line.kind == "ranged")
    target = next(t for t in targets if t.name == "Intercessors (MEQ)")
    assert row["damage_without"] == attack(warden, [line], target, near).outcome.damage.mean
    helped = near.helped([Effect.parse("reroll hits failed")], "attacker")
    assert row["damage"] == attack(warden, [line], target, helped).outcome.damage.mean
    assert row["gain_damage"] == pytest.approx(row["damage"] - row["damage_without"])


def test_attack_stratagems_never_hurt(dataset):
    units = [attacker(dataset, n) for n in ("Raider", "Royal Warden", "Memnyr Strategist")]
    frame = stratagem_value(dataset, units, standard_targets(dataset))
    assert not frame.is_empty()
    assert frame["gain_damage"].min() >= -1e-12


def test_stratagems_need_their_keywords(dataset):
    raider = attacker(dataset, "Raider")
    used = [s.name for s in attack_stratagems(dataset, raider)]
    assert "DEADLY DEBUT" in used or used
    limited = dataset.stratagems.filter(pl.col("used_by").list.len() > 0)
    for row in limited.filter(pl.col("faction") == "Drukhari").rows(named=True):
        wanted = [set(w.split(" + ")) for w in row["used_by"]]
        if row["name"] in used:
            assert any(w <= raider.keywords for w in wanted)


def test_choices_of_a_stratagem_are_tried_one_by_one():
    choice = Stratagem(
        "X",
        "",
        1,
        frozenset(),
        (Effect.parse("one of (lethal hits | hit +1, wound +1)"),),
        "modelled",
    )
    assert [[str(e) for e in v] for v in choice.variants()] == [
        ["lethal hits"],
        ["hit +1", "wound +1"],
    ]


def test_survival_frame(dataset):
    line = attacker(dataset, "Raider").default_lines[0]
    result = attack(attacker(dataset, "Raider"), [line], standard_targets(dataset)[1])
    frame = survival({"x": result.outcome.slain}, most=5)
    assert frame["chance"].to_list() == pytest.approx(
        [result.outcome.slain.at_least(k) for k in range(6)]
    )
