"""What a scenario's target gets back after the volley, and who of its dead fights (SCENARIO)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from killcurve.engine.dice import Dice
from killcurve.engine.recovery import Heal, Recovery, Return
from killcurve.rules.effects import Effect
from killcurve.rules.scenario import Scenario
from killcurve.rules.volley import holding, situation


def recoveries(scenario: Scenario) -> tuple[Recovery, ...]:
    """The recoveries that hold for the target, in the order given.

    >>> from killcurve.rules.scenario import read_scenario
    >>> scenario = read_scenario({"attacker": {}, "target": {
    ...     "models": [{"count": 5, "toughness": 4, "save": 3, "wounds": 2}],
    ...     "effects": ["heal D3", "return 1 models if half_range"]}})
    >>> [type(recovery).__name__ for recovery in recoveries(scenario)]
    ['Heal']
    """
    found: list[Recovery] = []
    for effect in _held(scenario):
        if isinstance(effect.amount, Dice) and effect.what == "heal":
            found.append(Heal(effect.amount.pmf))
        elif isinstance(effect.amount, Dice) and effect.what == "return models":
            found.append(Return(effect.amount.pmf))
    return tuple(found)


def fights_on_death_need(scenario: Scenario) -> int | None:
    """The D6 result from which a slain model may still fight, ``None`` where no rule lets it.

    Of several rules the best counts: a model fights once.
    """
    needs = [
        effect.amount
        for effect in _held(scenario)
        if effect.what == "fight on death" and isinstance(effect.amount, int)
    ]
    return min(needs, default=None)


def _held(scenario: Scenario) -> Iterator[Effect]:
    """The target's effects that hold; one for a kind of attacks holds against that kind."""
    kind = "ranged" if scenario.ranged else "melee"
    effects = (replace(e, scope=None) if e.scope == kind else e for e in scenario.target.effects)
    return holding(effects, situation(scenario), "defender")
