"""What a scenario's attacker suffers by its own doing (RULES.md §6.5, §9)."""

from __future__ import annotations

from killcurve.engine.edition import Edition
from killcurve.engine.pmf import Pmf
from killcurve.engine.selfharm import (
    bearers_hurt,
    failed_hazards,
    multiplied,
    rammed,
    suffered,
)
from killcurve.engine.target import ModelGroup, Target
from killcurve.rules.reading import ScenarioError
from killcurve.rules.sides import Unit

STURDY = frozenset({"monster", "vehicle"})


def self_damage(unit: Unit, tests: int, ramming_dice: int, edition: Edition) -> Pmf:
    """The law of wounds that the attacker's unit loses to hazards and to ramming.

    Without ``attacker.models`` it is the number of mortal wounds.

    Raises:
        ScenarioError: where models are destroyed whose wounds are not given.
    """
    if edition.hazard_spills:
        each = edition.hazard_harm_sturdy if _all_sturdy(unit) else edition.hazard_harm
        number = multiplied(failed_hazards(tests, edition), each)
        if ramming_dice:
            number = number + rammed(ramming_dice, 6)
        return suffered(Target(unit.groups), number) if unit.groups else number
    failures = failed_hazards(tests, edition)
    if not unit.groups:
        tough = unit.keywords & (STURDY | {"character"})
        if tests and edition.hazard_destroys and not tough:
            raise ScenarioError(
                "a hazardous weapon destroys its bearer: give attacker.models", "attacker.models"
            )
        return multiplied(failures, edition.hazard_harm)
    points = [
        edition.hazard_harm if not edition.hazard_destroys or _tough(unit, g, group) else None
        for g, group in enumerate(unit.groups)
    ]
    return bearers_hurt(Target(unit.groups), failures, points)


def _all_sturdy(unit: Unit) -> bool:
    """Whether every model is a MONSTER or VEHICLE, and none is INFANTRY."""
    own = unit.group_keywords or (frozenset(),)
    everyone = unit.keywords.union(*own)
    return "infantry" not in everyone and all((unit.keywords | k) & STURDY for k in own)


def _tough(unit: Unit, number: int, group: ModelGroup) -> bool:
    """Whether a bearer suffers mortal wounds instead of being destroyed."""
    alone = len(unit.groups) == 1 and "character" in unit.keywords
    own = unit.group_keywords[number] | (unit.keywords & STURDY)
    return group.character or alone or bool(own & (STURDY | {"character"}))
