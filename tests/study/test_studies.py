"""Studies: frames whose numbers are those of single answers."""

from __future__ import annotations

import polars as pl
import pytest
from killcurve.rules.effects import Effect
from killcurve.study.armed import combatant, standard_combatants
from killcurve.study.army_rules import Rule, options
from killcurve.study.efficiency import efficiency
from killcurve.study.lines import attacker, cost
from killcurve.study.matchup import Circumstances, attack
from killcurve.study.solve import solve
from killcurve.study.survival import survival
from killcurve.study.targets import defender, standard_targets
from killcurve.study.usable import usable
from killcurve.study.worth import rules_worth

PHASES = ("shooting", "fight")


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
    warden = combatant(dataset, "Royal Warden")
    (line,) = warden.lines("shooting")
    own = {"C'tan Shard (monster)": "damage -1 when allocated"}
    for target in standard_combatants(dataset):
        worth = rules_worth(dataset, warden, target, "shooting", sides=["attacker"])
        (row,) = worth.filter(name="PROTOCOL OF THE CONQUERING TYRANT").rows(named=True)
        assert row["assumes"] == ["half_range", "leading"]
        assert row["weapons"] == ["1 × Relic gauss blaster"]
        tough = [Effect.parse(own[target.name])] if target.name in own else []
        near = Circumstances(flags=frozenset({"half_range"})).helped(tough, "defender")
        helped = near.helped([Effect.parse("reroll hits failed")], "attacker")
        without, with_it = (
            attack(warden.attacker, [line], target.target, how) for how in (near, helped)
        )
        assert row["damage_without"] == without.outcome.damage.mean
        assert row["damage"] == with_it.outcome.damage.mean
        assert row["gain_damage"] == pytest.approx(row["damage"] - row["damage_without"])
        removed = with_it.points_removed - without.points_removed
        assert row["gain_points_removed"] == pytest.approx(removed, abs=1e-12)


def test_attack_stratagems_never_hurt(dataset):
    targets = standard_combatants(dataset)[::3]
    frames = [
        rules_worth(dataset, combatant(dataset, name), target, phase, sides=["attacker"])
        for name in ("Raider", "Royal Warden", "Memnyr Strategist")
        for phase in PHASES
        for target in targets
    ]
    gains = pl.concat(frames).filter(kind="stratagem")
    assert gains["unit"].n_unique() == 3
    assert gains.filter(pl.col("why_not").is_null())["gain_damage"].null_count() == 0
    assert gains["gain_damage"].min() >= -1e-12
    assert gains["gain_damage"].max() > 0.1


def holds(words: str, keywords: frozenset[str]) -> bool:
    """Whether keywords joined by " + " hold, some of them "not" to be had."""
    said = [(word.removeprefix("not "), not word.startswith("not ")) for word in words.split(" + ")]
    return all((word in keywords) == wanted for word, wanted in said)


def test_stratagems_need_their_keywords(dataset):
    """Of those that ask for keywords, what a unit has the keywords for is found, and no other."""
    sisters, foes = (combatant(dataset, n) for n in ("Battle Sisters Squad", "Boyz"))
    keywords = sisters.attacker.keywords
    asking = dataset.stratagems.filter(
        (pl.col("faction") == sisters.attacker.faction)
        & (pl.col("used_by").list.len() > 0)
        & (pl.col("status") != "none")
    )
    allowed = {
        (row["detachment"], row["name"]): any(holds(words, keywords) for words in row["used_by"])
        for row in asking.rows(named=True)
    }
    assert set(allowed.values()) == {True, False}
    key = ["detachment", "name"]
    listed = usable(dataset, "Battle Sisters Squad").filter(kind="stratagem").select(key).rows()
    assert {name for name, may in allowed.items() if may} == set(listed) & set(allowed)
    frames = [rules_worth(dataset, sisters, foes, p, sides=["attacker"]) for p in PHASES]
    counted = set(pl.concat(frames).filter(kind="stratagem").select(key).rows())
    assert counted <= set(listed)
    assert counted & set(allowed)


def test_choices_of_a_stratagem_are_tried_one_by_one():
    choice = Rule(
        "stratagem",
        "X",
        "",
        "attacker",
        (Effect.parse("one of (lethal hits | hit +1, wound +1)"),),
    )
    assert [
        ([str(e) for e in effects], taken) for effects, taken in options(choice, "attacker")
    ] == [
        (["lethal hits"], "lethal hits"),
        (["hit +1", "wound +1"], "hit +1, wound +1"),
    ]


def test_survival_frame(dataset):
    line = attacker(dataset, "Raider").default_lines[0]
    result = attack(attacker(dataset, "Raider"), [line], standard_targets(dataset)[1])
    frame = survival({"x": result.outcome.slain}, most=5)
    assert frame["chance"].to_list() == pytest.approx(
        [result.outcome.slain.at_least(k) for k in range(6)]
    )
