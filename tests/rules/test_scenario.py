"""Scenario files: what is wrong is named with its place."""

from __future__ import annotations

import copy

import pytest
from killcurve.rules.reading import ScenarioError
from killcurve.study.solve import solve

GOOD = {
    "edition": "11e",
    "phase": "shooting",
    "attacker": {
        "weapons": [
            {"name": "gun", "count": 5, "attacks": 2, "skill": 3, "strength": 5, "ap": -1,
             "damage": 2, "keywords": ["lethal hits", "rapid fire 2"]}
        ],
        "effects": ["reroll hits ones"],
    },
    "target": {
        "keywords": ["infantry"],
        "models": [
            {"name": "trooper", "count": 10, "toughness": 4, "save": 3, "wounds": 2},
            {"name": "captain", "count": 1, "toughness": 4, "save": 3, "invulnerable": 4,
             "wounds": 5, "character": True},
        ],
        "effects": [],
    },
    "context": {"half_range": True, "cover": True},
    "choices": {"lethal": "always", "allocation": ["trooper", "captain"]},
}  # fmt: skip


def changed(path: str, value):
    """The good scenario with one value replaced."""
    data = copy.deepcopy(GOOD)
    place = data
    *parents, last = path.replace("[", ".[").split(".")
    for step in parents:
        place = place[int(step[1:-1]) if step.startswith("[") else step]
    place[int(last[1:-1]) if last.startswith("[") else last] = value
    return data


def test_the_answer_has_the_form_of_the_contract():
    answer = solve(GOOD).to_dict()
    assert set(answer) == {
        "edition", "damage", "slain", "destroyed", "below_starting", "below_half", "self_damage",
        "stages", "choices", "unmodelled",
    }  # fmt: skip
    assert set(answer["stages"][0]) == {
        "weapon", "attacks", "hits", "critical_hits", "wounds", "critical_wounds", "unsaved", "damage",
    }  # fmt: skip
    assert answer["stages"][0]["attacks"] == 20
    assert answer["choices"] == {"lethal": "always", "allocation": ["trooper", "captain"]}
    assert sum(answer["damage"]["pmf"]) == pytest.approx(1, abs=1e-12)
    assert len(answer["damage"]["pmf"]) == 26
    assert len(answer["slain"]["pmf"]) == 12


@pytest.mark.parametrize(
    ("path", "value", "where", "words"),
    [
        ("attacker.weapons[0].attacks", "D7", "attacker.weapons[0].attacks", "D3 and D6"),
        ("attacker.weapons[0].attacks", 10**9, "attacker.weapons[0].attacks", "more digits"),
        ("attacker.weapons[0].attacks", 0, "attacker.weapons[0].attacks", "at least 1"),
        ("attacker.weapons[0].attacks", -1, "attacker.weapons[0].attacks", "neither a number"),
        ("attacker.weapons[0].attacks", None, "attacker.weapons[0].attacks", "missing"),
        ("attacker.weapons[0].skill", 1, "attacker.weapons[0].skill", "2 to 6"),
        ("attacker.weapons[0].skill", "3+", "attacker.weapons[0].skill", "whole number"),
        ("attacker.weapons[0].count", -3, "attacker.weapons[0].count", "1 to"),
        ("attacker.weapons[0].count", True, "attacker.weapons[0].count", "whole number"),
        ("attacker.weapons[0].ap", 2, "attacker.weapons[0].ap", "0 to -10"),
        ("attacker.weapons[0].keywords", ["lethal hit"], "attacker.weapons[0].keywords[0]", "lethal hits"),
        ("attacker.weapons[0].damge", 2, "attacker.weapons[0].damge", "did you mean 'damage'"),
        ("attacker.weapons", {"a": 1}, "attacker.weapons", "not a list"),
        ("attacker.weapons[0]", 5, "attacker.weapons[0]", "not an object"),
        ("attacker.effects", ["hit +1", "hitt +1"], "attacker.effects[1]", "hit \\+1"),
        ("target.models[0].wounds", 0, "target.models[0].wounds", "1 to"),
        ("target.models[0].save", 0, "target.models[0].save", "2 to 7"),
        ("target.models[0].save", None, "target.models[0].save", "missing"),
        ("target.models[0].wounds_lost", 2, "target.models[0].wounds_lost", "0 to 1"),
        ("target.models[0].invulnerable", {"value": 4, "against": "magic"}, "target.models[0].invulnerable", "unknown"),
        ("target.models", [], "target.models", "at least one group"),
        ("edition", "9e", "edition", "there are 11e"),
        ("phase", "charge", "phase", "shooting, fight"),
        ("context.halfrange", True, "context.halfrange", "half_range"),
        ("context.cover", "yes", "context.cover", "neither true nor false"),
        ("choices.allocation", ["troper"], "choices.allocation[0]", "did you mean 'trooper'"),
        ("choices.objective", "glory", "choices.objective", "damage, slain, destroyed"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place(path, value, where, words):
    with pytest.raises(ScenarioError, match=words) as caught:
        solve(changed(path, value))
    assert caught.value.where == where


def test_lenient_lists_what_it_leaves_out():
    data = changed("attacker.effects", ["hit +1", "dance +1"])
    answer = solve(data, lenient=True)
    assert answer.unmodelled == ("dance +1",)
    assert answer.outcome.damage == solve(changed("attacker.effects", ["hit +1"])).outcome.damage


def test_a_target_beyond_what_can_be_summed_is_refused():
    models = [{"count": 100, "toughness": 4, "save": s, "wounds": 50} for s in (2, 3, 4)]
    with pytest.raises(ScenarioError, match="can be summed"):
        solve(changed("target.models", models) | {"choices": {}})
