"""Scenarios in few words, for the tests of the reference."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .solve import solve

F = Fraction
TENTH = ("10e", "10e-2023-09", "10e-2023-06")
ALL = ("11e", *TENTH)


def models(count: int = 40, **other: Any) -> dict[str, Any]:
    """A group without armour that any Strength 8 weapon wounds on 2+."""
    return {"name": "models", "count": count, "toughness": 4, "save": 7, "wounds": 1} | other


def ask(
    edition: str = "11e", weapon: dict[str, Any] | None = None, target: Any = None, **other: Any
) -> dict[str, Any]:
    """A scenario of one automatic-hit S8 weapon, changed where told."""
    basic = {"attacks": 1, "skill": None, "strength": 8, "damage": 1}
    keys = (
        "attacker_effects",
        "target_effects",
        "attacker_keywords",
        "attacker_models",
        "keywords",
        "weapons",
    )
    groups = target if isinstance(target, list) else [target or models()]
    return {
        "edition": edition,
        "attacker": {
            "weapons": other.get("weapons", [basic | (weapon or {})]),
            "effects": other.get("attacker_effects", []),
            "keywords": other.get("attacker_keywords", []),
            "models": other.get("attacker_models", []),
        },
        "target": {
            "keywords": other.get("keywords", ["infantry"]),
            "models": groups,
            "effects": other.get("target_effects", []),
        },
    } | {key: value for key, value in other.items() if key not in keys}


def mean(law: list[F]) -> F:
    return sum((number * chance for number, chance in enumerate(law)), F(0))


def damage(*args: Any, **other: Any) -> F:
    """Mean damage; an attack that hits removes 5/6 wounds unless the target is changed."""
    return mean(solve(ask(*args, **other))["damage"])


def hit(*args: Any, **other: Any) -> F:
    """Mean hits of one attack die."""
    return damage(*args, **other) / F(5, 6)
