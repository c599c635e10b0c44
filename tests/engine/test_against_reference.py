"""The engine against the slow reference in fractions, on generated scenarios of every kind."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest
from killcurve.rules.reading import ScenarioError
from killcurve.study.solve import solve

from tests.engine import scenarios
from tests.reference.solve import solve as slow

BLOCKS = 10

KINDS = {
    "one group": (scenarios.scenario, 900),
    "several groups": (partial(scenarios.scenario, groups=3), 300),
    "self harm": (scenarios.with_self_harm, 300),
    "precision": (scenarios.with_precision, 200),
    "best choices": (scenarios.with_best_choices, 250),
    "rights": (scenarios.with_rights, 150),
    "rights, several groups": (partial(scenarios.with_rights, groups=2), 100),
}
"""Each kind of scenario with how many of it are compared: over two thousand in all."""


def difference(question) -> float:
    """The largest difference of any bin; 0 where both refuse the scenario."""
    try:
        expected = slow(question)
    except (ValueError, NotImplementedError):
        with pytest.raises(ScenarioError):
            solve(question)
        return 0.0
    answer = solve(question).to_dict()
    worst = abs(float(expected["destroyed"]) - answer["destroyed"])
    for key in ("damage", "slain", "self_damage"):
        wanted = [float(p) for p in expected[key]]
        got = answer[key]["pmf"]
        size = max(len(wanted), len(got))
        wanted += [0.0] * (size - len(wanted))
        got += [0.0] * (size - len(got))
        worst = max([worst, *(abs(a - b) for a, b in zip(wanted, got, strict=True))])
    return worst


@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("kind", KINDS)
def test_engine_equals_the_reference(kind, block):
    make, number = KINDS[kind]
    for i in range(number // BLOCKS):
        question = make(random.Random(f"{kind} {block} {i}"))
        assert difference(question) < 1e-12, question


ATTACK_NUMBERS = 100


def with_attack_numbers(dice: random.Random) -> dict[str, Any]:
    """A scenario in which one roll of a random number of attacks may be made again."""
    question = scenarios.with_rights(dice, groups=dice.randint(1, 2))
    attacker, target = question["attacker"], question["target"]
    rights = {*scenarios.RIGHTS, *scenarios.DEFENDERS_RIGHTS}
    for unit in (attacker, target):
        unit["effects"] = [phrase for phrase in unit["effects"] if phrase not in rights]
    attacker["effects"].append("reroll attacks one")
    weapon = attacker["weapons"][0]
    weapon["attacks"] = dice.choice(("D3", "D6", "2D3", "D3+1"))
    small = weapon["attacks"] == "D3"
    weapon["count"] = dice.choice((1, 1, 2)) if small else 1
    words = [w for w in weapon["keywords"] if small or "sustained" not in w]
    if dice.random() < 0.5:
        words = [w for w in words if "rapid" not in w and w != "extra attacks"] + ["rapid fire D3"]
        question["context"]["half_range"] = True
        question["phase"] = "shooting"
    weapon["keywords"] = words
    if dice.random() < 0.2:
        attacker["effects"].append(dice.choice(("reroll attacks ones", "reroll attacks failed")))
    if dice.random() < 0.1:
        attacker["effects"].append("attacks -1")
    return question


def test_engine_equals_the_reference_on_numbers_of_attacks():
    refused = 0
    for i in range(ATTACK_NUMBERS):
        question = with_attack_numbers(random.Random(f"attack numbers {i}"))
        try:
            assert difference(question) < 1e-12, question
        except ScenarioError as error:
            if "not solved" not in error.message:
                raise
            refused += 1
    assert refused < ATTACK_NUMBERS / 10
