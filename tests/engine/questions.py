"""Scenarios in few words, and exact laws to compare their answers with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import zip_longest
from math import comb
from typing import Any

import pytest
from killcurve.study.solve import Answer, solve

F = Fraction
TENTH = ("10e", "10e-2023-09", "10e-2023-06")
ALL = ("11e", *TENTH)

Law = Sequence[Fraction]


def weapon(**changes: Any) -> dict[str, Any]:
    """A weapon that hits by itself and wounds Toughness 4 on 2+, changed where told."""
    return {"name": "gun", "attacks": 1, "skill": None, "strength": 8, "damage": 1} | changes


def models(**changes: Any) -> dict[str, Any]:
    """Models of Toughness 4 without a save, changed where told."""
    return {"count": 1, "toughness": 4, "save": 7, "wounds": 1} | changes


def question(*weapons: dict[str, Any], at: Any = None, **other: Any) -> dict[str, Any]:
    """A scenario: the weapons' attacks on the groups ``at``.

    ``effects`` and ``keywords`` are the attacker's, ``against`` and ``target_keywords`` the
    target's, ``attackers`` the attacker's models, ``flags`` those of the context that are set.
    All else goes into the scenario as it is.
    """
    groups = at if isinstance(at, list) else [models() if at is None else at]
    flags = other.pop("flags", ())
    return {
        "edition": other.pop("rules", "11e"),
        "attacker": {
            "weapons": list(weapons),
            "effects": list(other.pop("effects", ())),
            "keywords": list(other.pop("keywords", ())),
            "models": list(other.pop("attackers", ())),
        },
        "target": {
            "models": groups,
            "effects": list(other.pop("against", ())),
            "keywords": list(other.pop("target_keywords", ())),
        },
        "context": dict.fromkeys(flags, True),
        **other,
    }


def answer(*weapons: dict[str, Any], at: Any = None, **other: Any) -> Answer:
    """The answer to such a scenario, its stages as means."""
    return solve(question(*weapons, at=at, **other))


def law(*weapons: dict[str, Any], of: str = "damage", at: Any = None, **other: Any) -> list[float]:
    """The law of ``damage``, ``slain``, ``self_damage`` or of a stage of the first weapon."""
    asked = question(*weapons, at=at, **other)
    if of in ("damage", "slain", "self_damage"):
        return list(solve(asked).to_dict()[of]["pmf"])
    return list(solve(asked, stages="full").to_dict()["stages"][0][of]["pmf"])


def mean(*weapons: dict[str, Any], of: str = "damage", at: Any = None, **other: Any) -> float:
    """The mean of the same."""
    answered = answer(*weapons, at=at, **other).to_dict()
    if of in ("damage", "slain", "self_damage"):
        return float(answered[of]["mean"])
    return float(answered["stages"][0][of])


def same(got: Sequence[float], expected: Iterable[Fraction | float], within: float = 1e-14) -> bool:
    """Whether two laws are the same, whatever zeros follow."""
    pairs = list(zip_longest(got, expected, fillvalue=0))
    return [float(g) for g, _ in pairs] == pytest.approx([float(e) for _, e in pairs], abs=within)


def point(value: int) -> list[Fraction]:
    """The law of a number that is certain."""
    return [F(0)] * value + [F(1)]


def plus(*laws: Law) -> list[Fraction]:
    """The law of the sum of independent numbers."""
    out = [F(1)]
    for each in laws:
        out = [
            sum((out[k] * each[n - k] for k in range(len(out)) if 0 <= n - k < len(each)), F(0))
            for n in range(len(out) + len(each) - 1)
        ]
    return out


def mixed(*parts: tuple[Fraction, Law]) -> list[Fraction]:
    """The mixture of laws with the given chances."""
    rows = zip_longest(*([share * p for p in each] for share, each in parts), fillvalue=F(0))
    return [sum(row, F(0)) for row in rows]


def binomial(dice: int, chance: Fraction) -> list[Fraction]:
    """The law of the successes of so many dice."""
    return [comb(dice, k) * chance**k * (1 - chance) ** (dice - k) for k in range(dice + 1)]


def given_wounds(
    wounds: int, *, of: str = "slain", asked: dict[str, Any] | None = None, **changes: Any
) -> list[float]:
    """The law when so many attacks of one weapon are made and all of them wound.

    Each wounds with 5/6, whatever else it does; what fewer wounds come to is taken off.
    ``changes`` are the weapon's, ``asked`` is all else of the question.
    """
    chance = F(5, 6)
    known: list[list[float]] = [[1.0]]
    for number in range(1, wounds + 1):
        ways = [float(way) for way in binomial(number, chance)]
        rest = law(weapon(attacks=number, **changes), of=of, **(asked or {}))
        for way, fewer in zip(ways, known, strict=False):
            rest = [total - way * less for total, less in zip_longest(rest, fewer, fillvalue=0.0)]
        known.append([r / ways[number] for r in rest])
    return known[wounds]
