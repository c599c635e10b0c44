"""The sweep: its rows are single attacks, its combinations what a unit may have, its work linear."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import killcurve
import numpy as np
import polars as pl
import pytest
from killcurve.engine.batch import Attacks, outcomes
from killcurve.rules.conditions import FLAGS
from killcurve.rules.effects import Effect
from killcurve.study.army_rules import Rule
from killcurve.study.sweep.arming import RIGHTS
from killcurve.study.sweep.effect_sets import Army, EffectSet
from killcurve.study.sweep.plan import make_plan
from killcurve.study.sweep.run import sweep
from killcurve.tables.dataset import DataError, Dataset

from tests.study.sweeping import any_rows, asked_singly, error, part_of

LIMIT = 40


@pytest.fixture(scope="module")
def world(dataset):
    return part_of(dataset)


@pytest.fixture(scope="module")
def folder(world, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweep") / "out"
    told = []
    swept = sweep(
        world, folder, faction="necrons", limit=LIMIT, full=True, workers=1, say=told.append
    )
    assert any("distinct pairs" in line for line in told)
    assert swept.computed == swept.distinct < swept.combinations
    return folder


@pytest.fixture(scope="module")
def swept(folder):
    return killcurve.load_sweep(folder)


def test_rows_are_single_attacks(world, folder):
    rows = any_rows(folder, 150, seed=1)
    assert len(rows) == 150
    helps = Counter(row["help"] for row in rows)
    assert {"none", "stratagem", "detachment", "detachment and stratagem"} <= set(helps)
    assert any(row["target_help"] != "none" for row in rows)
    for row in rows:
        assert error(row, asked_singly(world, row, FLAGS)) < 1e-12
        alone = asked_singly(world, {**row, "effects": [], "target_effects": []}, FLAGS).outcome
        assert row["damage_without"] == pytest.approx(alone.damage.mean, abs=1e-12)
        assert row["slain_without"] == pytest.approx(alone.slain.mean, abs=1e-12)
        assert row["destroyed_without"] == pytest.approx(alone.destroyed, abs=1e-12)


def test_distributions_on_request(swept):
    rows = swept.results.filter(target="Raider", help="none", context="").collect()
    assert rows.height
    for row in rows.to_dicts():
        law = row["damage_pmf"]
        assert sum(law) == pytest.approx(1, abs=1e-12)
        assert np.dot(law, range(len(law))) == pytest.approx(row["damage"], abs=1e-12)
        assert law[-1] == row["destroyed"]
        assert len(row["slain_pmf"]) == row["target_models"] + 1


def test_points(swept):
    rows = swept.results.filter(target="Raider", help="enhancement").collect()
    assert rows.height
    assert (rows["cost"] > 0).all()
    for row in rows.head(40).to_dicts():
        removed = row["slain"] * row["target_points"] / row["target_models"]
        assert row["points_removed"] == pytest.approx(removed)
        own = row["points"] + (row["cost"] or 0)
        assert row["points_removed_per_100"] == pytest.approx(100 * removed / own)


def test_gains_are_of_those_who_have_help(swept):
    gains = swept.gains.filter(target="Raider").collect()
    assert gains.filter((pl.col("help") == "none") & (pl.col("target_help") == "none")).is_empty()
    assert gains["gain_damage"].max() > 0 > gains["gain_damage"].min()
    for row in gains.head(30).to_dicts():
        assert row["gain_slain"] == row["slain"] - row["slain_without"]


def test_contexts_are_those_that_change_something(swept):
    lines = swept.results.filter(target="Raider", target_help="none", help="none").collect()
    by_weapon = lines.group_by("datasheet", "weapon", "profile", "kind", "abilities").agg("context")
    for kind, abilities, contexts in by_weapon.select("kind", "abilities", "context").rows():
        assert "" in contexts
        flags = {flag for context in contexts for flag in context.split(", ") if flag}
        assert ("cover" in flags) == (
            kind == "ranged" and not {"torrent", "ignores cover"} & set(abilities)
        )
        rapid = any(a.startswith(("rapid fire", "melta")) for a in abilities)
        assert ("half_range" in flags) == rapid
        assert ("stationary" in flags) == ("heavy" in abilities)
        assert ("charged" in flags) == ("lance" in abilities)


def test_what_is_left_out_is_told(swept):
    left_out = swept.left_out.collect()
    rights = left_out.filter(pl.col("reason") == RIGHTS)
    assert "COMMAND RE-ROLL" in rights["stratagem"].to_list()
    computed = swept.effect_sets.collect()
    assert "COMMAND RE-ROLL" not in computed["stratagem"].to_list()


def test_a_plan_counts_each_pair_once(world):
    plan = make_plan(world, limit=4)
    for first, last in zip(plan.starts, plan.starts[1:], strict=False):
        met = plan.met[first:last]
        assert (np.diff(met) > 0).all()
    assert len(set(plan.target_halves)) == len(plan.target_halves)
    gates = [half.gate for half in plan.target_halves]
    assert gates == sorted(gates)
    assert set(plan.met.tolist()) == set(range(len(plan.attack_laws)))
    assert f"{plan.distinct:,} distinct pairs" in plan.describe()


def test_work_grows_with_distinct_outcomes(world):
    """Work is counted, not timed: as many multiplications for each outcome, small plan or large."""
    each = {}
    for limit in (1, 6, 24):
        plan = make_plan(world, limit=limit)
        each[plan.distinct] = plan.cells / plan.distinct
    assert max(each) > 4 * min(each)
    assert max(each.values()) < 4 * min(each.values())


def test_a_plan_has_one_digest(world):
    same = [make_plan(world, limit=3).digest() for _ in range(2)]
    assert same[0] == same[1]
    other = make_plan(world, limit=4).digest()
    assert other != same[0]


def test_other_rule_states(world):
    for rules in ("10e", "10e-2023-06"):
        plan = make_plan(part_of(world, ("Drukhari",)), rules, limit=6)
        attacks = Attacks(plan.attack_laws)
        for half, low, high in zip(plan.target_halves, plan.starts, plan.starts[1:], strict=False):
            found = outcomes(attacks, half, plan.met[low:high])
            assert np.allclose(found.damage.sum(axis=1), 1, atol=1e-12, rtol=0)


# Which effects a unit may have together


def rule(kind, name, detachment="", effects=("hit +1",), **more):
    return Rule(kind, name, detachment, "attacker", tuple(map(Effect.parse, effects)), **more)


def army(world, *rules, detachments=()):
    made = Army(world, "Necrons", "11e", "11e")
    made._own.rules = rules
    made._own.detachments = {
        name: {"detachment_points": points, "unique_tag": tag} for name, points, tag in detachments
    }
    return made


def test_legal_pairs_of_a_detachment_and_a_stratagem(world):
    found = army(
        world,
        rule("detachment", "One", "One"),
        rule("stratagem", "core"),
        rule("stratagem", "own", "One"),
        rule("stratagem", "cheap", "Two"),
        rule("stratagem", "dear", "Three"),
        rule("stratagem", "tagged", "Tagged"),
        detachments=[("One", 1, "tag"), ("Two", 2, None), ("Three", 3, None), ("Tagged", 1, "tag")],
    ).attacking
    pairs = [s.rules[1].name for s in found if len(s.rules) == 2]
    assert pairs == ["core", "own", "cheap"]
    assert [s.rules[0].name for s in found if len(s.rules) == 1] == [
        "One", "core", "own", "cheap", "dear", "tagged",
    ]  # fmt: skip


def test_each_option_is_a_set_of_its_own(world):
    offered = rule(
        "stratagem", "choice", effects=["one of (hit +1 | wound +1) for melee if charged"]
    )
    found = army(world, offered).attacking
    assert [(s.choice, [str(e) for e in s.effects]) for s in found] == [
        ("hit +1", ["hit +1 for melee if charged"]),
        ("wound +1", ["wound +1 for melee if charged"]),
    ]


def test_who_may_have_enhancements(world):
    made = Army(world, "Necrons", "11e", "11e")
    enhancement = next(r for r in made.rules if r.kind == "enhancement" and r.bearers)
    hero = frozenset({"character", "infantry"})
    assert enhancement.may_be_used_by(hero)
    assert not enhancement.may_be_used_by(hero | {"epic hero"})
    assert not enhancement.may_be_used_by(frozenset({"infantry"}))
    upgrade = replace(enhancement, bearers=())
    assert upgrade.may_be_used_by(frozenset({"infantry"}))


def test_effects_that_can_never_hold_are_dropped():
    effects = (
        "hit +1 for melee",
        "wound +1 if unit is monster",
        'ap +1 for "Big Gun"',
        "lethal hits",
    )
    made = EffectSet("attacker", effects=tuple(map(Effect.parse, effects)))
    small, big = frozenset({"infantry"}), frozenset({"monster"})

    def reaching(*asked):
        return [str(e) for e in made.reaching(*asked).effects]

    assert reaching(small, "ranged", "gun") == ["lethal hits"]
    assert reaching(big, "melee", "claw") == [
        "hit +1 for melee",
        "wound +1 if unit is monster",
        "lethal hits",
    ]
    assert reaching(small, "ranged", "big gun") == ['ap +1 for "Big Gun"', "lethal hits"]


# What is refused


def test_an_unknown_faction(world):
    with pytest.raises(DataError, match="did you mean 'Necrons'"):
        make_plan(world, faction="Necrones")


def test_another_sweep_is_not_overwritten(world, folder):
    with pytest.raises(DataError, match="holds another sweep"):
        sweep(world, folder, limit=1, workers=1)


def test_a_folder_with_other_files_is_not_touched(world, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(DataError, match="not empty"):
        sweep(world, tmp_path, limit=1, workers=1)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_folder_without_a_sweep(tmp_path):
    with pytest.raises(DataError, match="holds no sweep"):
        killcurve.load_sweep(tmp_path)


def test_a_sweep_that_is_not_complete(folder, tmp_path):
    import shutil

    shutil.copytree(folder, tmp_path / "half")
    next((tmp_path / "half" / "results").iterdir()).unlink()
    with pytest.raises(DataError, match="run the same"):
        killcurve.load_sweep(tmp_path / "half")


def test_a_dataset_without_weapons():
    with pytest.raises(DataError, match="no weapon"):
        make_plan(Dataset(killcurve.load().about, {}, {}))
