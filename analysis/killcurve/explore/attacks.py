"""Attacks as scenarios: one question in the form in which it is solved, told and kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from killcurve.rules.effects import Effect
from killcurve.study.as_scenario import groups, weapon_line
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
            "models": groups(target.target),
            "effects": [str(effect) for effect in target_effects],
            "keywords": sorted(target.keywords),
            **({"points": target.points} if target.points else {}),
        },
        "context": {**dict.fromkeys(sorted(flags), True), "ticked": sorted(ticked)},
    }


def weapon(line: Line, count: int) -> Plain:
    """A weapon line of a unit, so many of it."""
    return {**weapon_line(line), "count": count}
