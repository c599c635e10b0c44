"""Attacks as scenarios: one question in the form in which it is solved, told and kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from killcurve.engine.target import Against, Protection
from killcurve.rules.effects import Effect
from killcurve.study.lines import Line
from killcurve.study.targets import Defender

Plain = dict[str, Any]
"""Plain values, ready for JSON: a scenario, or a part of one."""


def scenario(
    *,
    edition: str,
    phase: str,
    weapons: Sequence[Plain],
    target: Defender,
    effects: Iterable[Effect] = (),
    target_effects: Iterable[Effect] = (),
    keywords: Iterable[str] = (),
    points: int | None = None,
    flags: Iterable[str] = (),
    ticked: Iterable[str] = (),
) -> Plain:
    """The question what these weapons do to a target.

    >>> from killcurve.explore.targets import TargetState, own_target
    >>> from killcurve.study.solve import solve
    >>> target = own_target(TargetState("own", count=11, wounds=1))
    >>> gun = {"name": "gun", "attacks": "10", "skill": 3, "strength": "4", "damage": "1"}
    >>> asked = scenario(edition="11e", phase="shooting", weapons=[gun], target=target)
    >>> round(solve(asked).outcome.damage.mean, 9) == round(10 / 9, 9)
    True
    """
    return {
        "edition": edition,
        "phase": phase,
        "attacker": {
            "weapons": list(weapons),
            "effects": [str(effect) for effect in effects],
            "keywords": sorted(keywords),
            **({"points": points} if points else {}),
        },
        "target": {
            "models": _models(target),
            "effects": [str(effect) for effect in target_effects],
            "keywords": sorted(target.keywords),
            **({"points": target.points} if target.points else {}),
        },
        "context": {**dict.fromkeys(sorted(flags), True), "ticked": sorted(ticked)},
    }


def weapon(line: Line, count: int) -> Plain:
    """A weapon line of a unit, so many of it."""
    return {
        "name": line.name,
        "count": count,
        "attacks": str(line.attacks),
        "skill": line.skill,
        "strength": str(line.strength),
        "ap": line.ap,
        "damage": str(line.damage),
        "keywords": [str(ability) for ability in line.abilities],
    }


def _models(target: Defender) -> list[Plain]:
    return [
        {
            "name": f"group {number}",
            "count": group.count,
            "toughness": group.toughness,
            "save": group.save,
            "wounds": group.wounds,
            "invulnerable": _protection(group.invulnerable),
            "feel_no_pain": _protection(group.feel_no_pain),
        }
        for number, group in enumerate(target.target.groups, start=1)
    ]


def _protection(protections: tuple[Protection, ...]) -> int | Plain | None:
    """A group's protection as a scenario has it: the best that works against everything.

    One with a scope stands where there is no other.
    """
    general = [p for p in protections if p.against is Against.ALL]
    chosen = min(general or protections, key=lambda p: p.value, default=None)
    if chosen is None or chosen.against is Against.ALL:
        return None if chosen is None else chosen.value
    return {"value": chosen.value, "against": chosen.against.value}


def scoped_protections(target: Defender) -> tuple[Effect, ...]:
    """What a scenario's groups cannot say: protections beside their first, as effects."""
    beside = {
        (what, p)
        for group in target.target.groups
        for what, given in (
            ("invulnerable", group.invulnerable),
            ("feel no pain", group.feel_no_pain),
        )
        if len(given) > 1
        for p in given
    }
    return tuple(Effect(what, p) for what, p in sorted(beside, key=str))
