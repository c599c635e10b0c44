"""One scenario under every rule state: what changes, and which rule accounts for it."""

from __future__ import annotations

import copy
import random
from dataclasses import fields, replace

import pytest
from killcurve.engine.edition import Edition, edition
from killcurve.rules.edition_changes import ALL_STATES, DIFFERENCES, path
from killcurve.rules.reading import ScenarioError
from killcurve.study.editions import compare_editions, in_words

from tests.engine import scenarios

GUN = {"attacks": 4, "skill": 3, "strength": 4, "ap": -1, "damage": 2}
SQUAD = {"name": "squad", "count": 5, "toughness": 4, "save": 4, "wounds": 2}
BASE = {
    "phase": "shooting",
    "attacker": {"weapons": [GUN], "effects": []},
    "target": {"models": [SQUAD], "effects": []},
    "context": {},
}


def question(*, weapon=None, models=None, mine=(), theirs=(), phase="shooting", **context):
    made = copy.deepcopy(BASE)
    made["phase"] = phase
    made["attacker"]["weapons"] = [{**GUN, **(weapon or {})}]
    made["target"]["models"] = models or [SQUAD]
    made["attacker"]["effects"] = list(mine)
    made["target"]["effects"] = list(theirs)
    made["context"] = context
    return made


LEADER = {"name": "leader", "count": 1, "toughness": 9, "save": 2, "wounds": 4, "character": True}
GUARD = {"name": "guard", "count": 1, "toughness": 3, "save": 5, "wounds": 1}
OWN = {"models": [{"count": 3, "toughness": 6, "save": 3, "wounds": 4}]}

CASES = {
    "cover": question(weapon={"ap": 0}, cover=True),
    "Stealth": question(theirs=["stealth"], mine=["hit -1"]),
    "lethal hits": question(weapon={"keywords": ["lethal hits"]}) | {"choices": {"lethal": "never"}},
    "devastating wounds": question(weapon={"keywords": ["devastating wounds"], "damage": 5}),
    "Hazardous": question(weapon={"keywords": ["hazardous"]}),
    "Hazardous bearers": question(weapon={"keywords": ["hazardous"]}),
    "saves of a batch": question(models=[GUARD, {**SQUAD, "name": "others", "save": 2}]),
    "order of changes": question(models=[{**SQUAD, "wounds": 6}], weapon={"keywords": ["melta 2"]}, theirs=["halve damage"],
                                 half_range=True),
    "limits of BS and WS": question(weapon={"skill": 2}, mine=["skill +1", "hit -1"]),
    "Psychic": question(weapon={"keywords": ["psychic"]}, theirs=["hit -1"]),
    "Cleave": question(weapon={"keywords": ["cleave 1"]}, phase="fight"),
    "Rapid Fire": question(weapon={"attacks": 1, "keywords": ["rapid fire 2"]},
                           mine=["attacks -1"], half_range=True),
    "Extra Attacks": question(weapon={"keywords": ["extra attacks"]}, mine=["attacks +1"],
                              phase="fight"),
    "indirect fire": question(weapon={"keywords": ["indirect fire", "ignores cover"]},
                              indirect=True),
    "snap shooting": question(mine=["reroll hits ones"], snap_shooting=True),
    "plunging fire": question(weapon={"ap": 0}, plunging_fire=True),
    "Command Re-roll": question(weapon={"damage": "2D6"}, mine=["reroll damage one"],
                                models=[{**SQUAD, "wounds": 12, "count": 1}]),
    "Tank Shock": question(weapon={"strength": 9}, mine=["tank shock"], phase="fight"),
}  # fmt: skip


@pytest.mark.parametrize("rule", CASES)
def test_a_rule_is_named_where_it_changes_something(rule):
    asked = copy.deepcopy(CASES[rule])
    if rule.startswith(("Hazardous", "Tank")):
        asked["attacker"] |= OWN
    changes = compare_editions(asked).changes
    assert any(rule == effect.rule for change in changes for effect in change.effects)


def test_toughness_after_bodyguards_die_is_named():
    asked = question(models=[GUARD, LEADER], weapon={"attacks": 3, "strength": 8})
    asked["attacker"]["weapons"] *= 2
    named = [effect.rule for effect in compare_editions(asked).changes[-1].effects]
    assert "Toughness after bodyguards die" in named


def test_what_depends_on_no_edition_changes_nothing():
    comparison = compare_editions(BASE)
    assert all(not change.effects for change in comparison.changes)
    assert in_words(comparison).count("nothing changes") == 3


def test_cover_in_exact_numbers():
    """4 attacks at 3+, wounds on 4+, Sv4+: cover is a save of 3+ (10e) or BS 4+ (11e)."""
    comparison = compare_editions(CASES["cover"])
    mean = {key: measured.damage.mean for key, measured in comparison.states.items()}
    assert mean["10e"] == pytest.approx(4 * 2 / 3 * 1 / 2 * 1 / 3 * 2, abs=1e-12)
    assert mean["11e"] == pytest.approx(4 * 1 / 2 * 1 / 2 * 1 / 2 * 2, abs=1e-12)
    (effect,) = comparison.changes[-1].effects
    assert (effect.rule, effect.source) == ("cover", "§12.1")
    assert effect.by["damage"] == pytest.approx(mean["11e"] - mean["10e"], abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_the_rules_changes_add_up(seed):
    dice = random.Random(seed)
    make = dice.choice(
        [scenarios.scenario, scenarios.with_self_harm, scenarios.with_rights, with_groups]
    )
    asked = make(dice)
    try:
        comparison = compare_editions(asked)
    except ScenarioError:
        return
    for change in comparison.changes:
        for name, whole in change.by.items():
            assert sum(e.by[name] for e in change.effects) == pytest.approx(whole, abs=1e-9)


def with_groups(dice):
    return scenarios.scenario(dice, groups=3)


def test_every_switch_belongs_to_one_difference():
    switches = [switch for difference in DIFFERENCES for switch in difference.switches]
    assert sorted(switches) == sorted(f.name for f in fields(Edition) if f.name != "key")


@pytest.mark.parametrize("start", ALL_STATES)
@pytest.mark.parametrize("goal", ALL_STATES)
def test_the_path_leads_to_the_goal(start, goal):
    now = edition(start)
    for _, _, now in path(edition(start), edition(goal)):  # noqa: B007 - the last one is asked for
        pass
    assert replace(now, key=goal) == edition(goal)


def test_a_state_without_an_answer_is_told_of():
    torrent = question(weapon={"skill": None, "keywords": ["torrent", "indirect fire"]},
                       indirect=True)  # fmt: skip
    comparison = compare_editions(torrent)
    assert list(comparison.failed) == ["10e"]
    assert "indirectly" in comparison.failed["10e"]
    assert "no answer" in in_words(comparison)


def test_a_wrong_scenario_is_an_error_with_its_place():
    with pytest.raises(ScenarioError, match=r"attacker\.weapons\[0\]\.attacks: 'D7'"):
        compare_editions(question(weapon={"attacks": "D7"}))
    with pytest.raises(ScenarioError, match="not an object"):
        compare_editions([])  # type: ignore[arg-type]
