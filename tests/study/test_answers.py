"""What an answer tells beside the laws: points, choices in words."""

from __future__ import annotations

import pytest
from killcurve.study.solve import in_words, solve

ASKED = {
    "attacker": {
        "weapons": [{"name": "gun", "attacks": 6, "skill": 3, "strength": 4, "damage": 1}],
        "points": 50,
    },
    "target": {
        "models": [{"name": "squad", "count": 10, "toughness": 4, "save": 7, "wounds": 1}],
        "points": 80,
    },
}


def test_points_carry_efficiency():
    """Six attacks at 3+ and 4+ without a save slay two models of ten, 8 points each."""
    found = solve(ASKED).to_dict()["efficiency"]
    assert found == pytest.approx(
        {"points_removed": 16, "points_removed_per_100": 32, "damage_per_100": 4}
    )
    alone = {**ASKED, "attacker": {"weapons": ASKED["attacker"]["weapons"]}}
    assert solve(alone).to_dict()["efficiency"] == pytest.approx({"points_removed": 16})
    unknown = {**ASKED, "target": {"models": ASKED["target"]["models"]}}
    assert "efficiency" not in solve(unknown).to_dict()
    assert "points    16.00 removed on average" in in_words(solve(ASKED))


def test_command_rerolls_of_both_sides_are_told_apart():
    asked = {
        **ASKED,
        "attacker": {**ASKED["attacker"], "effects": ["command re-roll"]},
        "target": {
            "models": [{"count": 10, "toughness": 4, "save": 4, "wounds": 1}],
            "effects": ["command re-roll"],
        },
    }
    chosen = solve(asked).choices
    assert {"command re-roll", "defender's command re-roll"} <= set(chosen)
    assert chosen["command re-roll"] != chosen["defender's command re-roll"]


def test_choices_are_told_without_brackets_and_quotes():
    leader = {"name": "boss", "toughness": 4, "save": 3, "wounds": 4, "character": True}
    asked = {
        **ASKED,
        "target": {"models": [*ASKED["target"]["models"], leader]},
        "choices": {"precision": None, "order": "optimal"},
    }
    words = in_words(solve(asked))
    assert "chosen    allocation: squad, boss" in words
    assert "chosen    order: gun" in words
