"""Random scenarios for comparing the engine with the slow reference."""

from __future__ import annotations

import random
from typing import Any

EDITIONS = ("11e", "10e", "10e-2023-09", "10e-2023-06")
KEYWORDS = (
    "lethal hits", "sustained hits 1", "sustained hits 2", "sustained hits D3",
    "devastating wounds", "anti-infantry 4+", "anti-vehicle 3+", "twin-linked", "torrent",
    "rapid fire 1", "rapid fire D3", "melta 2", "heavy", "lance", "blast", "cleave 1",
    "ignores cover", "indirect fire", "psychic", "conversion", "assault", "pistol",
    "lethal hits: non-monster/vehicle", "devastating wounds: infantry", "anti-character 3+",
    "precision", "hazardous", "sustained hits 1: character", "extra attacks",
)  # fmt: skip
ATTACKER = (
    "hit +1", "hit -1", "wound +1", "wound -1", "skill +1", "skill -1", "attacks +1", "attacks -1",
    "strength +2", "damage +1", "damage = 3", "ap +1", "reroll hits ones", "reroll hits failed",
    "reroll hits noncritical", "reroll wounds ones", "reroll wounds failed",
    "reroll wounds noncritical", "critical hits 5+", "critical wounds 5+", "critical wound ap +1",
    "lethal hits", "sustained hits 1", "devastating wounds", "anti-monster 4+", "ignores cover",
    "ignore hit modifiers", "ignore skill modifiers", "ignore wound modifiers",
    "ignore damage modifiers", "hit +1 if half_range", "wound +1 if target is infantry",
    "strength +1 for ranged", "lethal hits for melee", "mortal wounds 3D6 on 4+",
    "mortal wounds D3", "mortal wounds 4D6 on 5+ max 2", "snap shooting",
)  # fmt: skip
DEFENDER = (
    "hit -1", "wound -1", "ap -1", "damage -1", "halve damage", "damage = 1",
    "damage -1 when allocated", "toughness +1", "save +1", "wounds +1", "invulnerable 4+",
    "invulnerable 5+ against ranged", "feel no pain 5+", "feel no pain 4+ against mortal",
    "cover", "stealth", "reroll saves ones", "reroll saves failed",
    "wound -1 if strength > toughness", "hit -1 if attacker is psyker",
)  # fmt: skip
RIGHTS = (
    "reroll hits one", "reroll wounds one", "reroll damage one", "reroll attacks one",
    "set one hit to 6", "set one wound to 6", "set one damage to 6", "command re-roll",
)  # fmt: skip
DEFENDERS_RIGHTS = (
    "reroll saves one", "set one save to 6", "damage = 0 once", "damage = 0 once when allocated",
    "command re-roll",
)  # fmt: skip
REROLLS = (
    "reroll damage ones", "reroll damage failed", "reroll attacks ones", "reroll attacks failed",
)  # fmt: skip
CONTEXT = (
    "half_range", "cover", "stationary", "charged", "snap_shooting", "indirect", "spotted",
    "plunging_fire", "long_range", "target_on_objective",
)  # fmt: skip


def scenario(dice: random.Random, *, groups: int = 1, attacks: int = 5) -> dict[str, Any]:
    """One valid scenario, small enough for the reference."""
    phase = dice.choice(("shooting", "fight"))
    weapons = [_weapon(dice, attacks) for _ in range(dice.choice((1, 1, 2)))]
    effects = _some(dice, ATTACKER, 3)
    for weapon in weapons:
        # The reference rolls a random Strength for every wound roll, the engine for every attack:
        # the same where an attack makes one wound roll at most.
        words = [*weapon["keywords"], *effects]
        if dice.random() < 0.15 and not any("sustained" in word for word in words):
            weapon["strength"] = "D6+2"
    return {
        "edition": dice.choice(EDITIONS),
        "phase": phase,
        "attacker": {
            "weapons": weapons,
            "keywords": dice.sample(("psyker", "infantry", "vehicle"), dice.randint(0, 2)),
            "effects": effects,
        },
        "target": {
            "keywords": dice.sample(
                ("infantry", "vehicle", "monster", "psyker"), dice.randint(0, 2)
            ),
            "models": [_models(dice, g) for g in range(dice.randint(1, groups))],
            "effects": _some(dice, DEFENDER, 2),
        },
        "context": {flag: True for flag in CONTEXT if dice.random() < 0.15},
        "choices": {"lethal": dice.choice(("always", "never"))},
    }


def with_self_harm(dice: random.Random) -> dict[str, Any]:
    """A scenario whose attacker hurts itself."""
    question = scenario(dice)
    attacker = question["attacker"]
    for weapon in attacker["weapons"]:
        weapon["keywords"] = [*weapon["keywords"], "hazardous"]
    attacker["models"] = [
        {**_models(dice, g), "keywords": dice.sample(("vehicle", "monster", "infantry"), 1)}
        for g in range(dice.randint(1, 2))
    ]
    if question["edition"] == "11e" and dice.random() < 0.5:
        attacker["effects"].append("crushing impact")
    if question["edition"] == "10e" and dice.random() < 0.5:
        attacker["effects"].append("tank shock")
    return question


def with_rights(dice: random.Random, *, groups: int = 1) -> dict[str, Any]:
    """A small scenario in which some rolls may be changed once, at the best moment."""
    question = scenario(dice, groups=groups, attacks=3)
    weapons = question["attacker"]["weapons"]
    for weapon in weapons:
        weapon["count"] = 1 if weapon["attacks"] == 3 or len(weapons) > 1 else weapon["count"]
    for _ in range(dice.choice((1, 1, 2))):
        if dice.random() < 0.6:
            question["attacker"]["effects"].append(dice.choice((*RIGHTS, *REROLLS)))
        else:
            question["target"]["effects"].append(dice.choice(DEFENDERS_RIGHTS))
    question["choices"]["objective"] = dice.choice(("damage", "slain", "destroyed"))
    return question


def with_best_choices(dice: random.Random) -> dict[str, Any]:
    """A small scenario with choices left to the players."""
    question = scenario(dice, groups=2, attacks=2)
    for weapon in question["attacker"]["weapons"]:
        weapon["count"] = 1
    question["choices"] = {
        "lethal": dice.choice(("always", "never", "optimal")),
        "allocation": dice.choice(((), "optimal")),
        "objective": dice.choice(("damage", "slain", "destroyed")),
    }
    if not question["choices"]["allocation"]:
        del question["choices"]["allocation"]
    return question


def with_precision(dice: random.Random) -> dict[str, Any]:
    """A scenario whose attacks may be precise, at a unit that a character leads."""
    question = scenario(dice, groups=2)
    leader = {**_models(dice, 9), "name": "leader", "count": 1, "character": True}
    question["target"]["models"].append(leader)
    if dice.random() < 0.7:
        question["attacker"]["weapons"][0]["keywords"].append("precision")
    question["choices"]["precision"] = dice.choice((None, "leader"))
    return question


def _some(dice: random.Random, phrases: tuple[str, ...], most: int) -> list[str]:
    return dice.sample(phrases, dice.randint(0, most))


def _weapon(dice: random.Random, attacks: int) -> dict[str, Any]:
    return {
        "count": dice.randint(1, 2),
        "attacks": dice.choice((1, 2, min(3, attacks), "D3")),
        "skill": dice.choice((None, 2, 3, 4, 5, 6)),
        "strength": dice.choice((3, 4, 5, 8, 12, 8)),
        "ap": -dice.randint(0, 4),
        "damage": dice.choice((1, 2, 3, "D3", "D6", "D3+1")),
        "keywords": _some(dice, KEYWORDS, 3),
    }


def _models(dice: random.Random, number: int) -> dict[str, Any]:
    wounds = dice.randint(1, 4)
    return {
        "name": f"group {number}",
        "count": dice.randint(1, 3 if number == 0 else 2),
        "toughness": dice.choice((3, 4, 5, 8)),
        "save": dice.randint(2, 7),
        "invulnerable": dice.choice((None, None, 4, {"value": 5, "against": "melee"})),
        "feel_no_pain": dice.choice(
            (None, None, 5, {"value": 4, "against": "mortal"}, {"value": 5, "against": "psychic"})
        ),
        "wounds": wounds,
        "wounds_lost": dice.choice((0, 0, wounds - 1)),
        "character": number > 0 and dice.random() < 0.5,
    }
