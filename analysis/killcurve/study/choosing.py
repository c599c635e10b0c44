"""Choices between whole ways to play a scenario: each is solved, the best one stands.

These are made before any die is rolled: the order of weapons, whom precise attacks go to, which
option of a rule, how free re-rolls are used. What is chosen during the dice is the engine's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations, product
from math import prod
from typing import Any

from killcurve.rules.effects import Effect
from killcurve.rules.reading import ScenarioError
from killcurve.rules.scenario import Scenario, Unit

MOST_WAYS = 500


@dataclass(frozen=True, slots=True)
class Way:
    """One way to play: the scenario with everything of this kind fixed, and what was fixed."""

    scenario: Scenario
    chosen: dict[str, Any]


def ways(scenario: Scenario) -> list[list[Way]]:
    """For each way of the attacker the ways that the defender may answer.

    Raises:
        ScenarioError: if there are too many to solve them all.
    """
    attacks = list(_attackers(scenario))
    answers = [list(_defenders(way)) for way in attacks]
    number = sum(len(a) for a in answers)
    if number > MOST_WAYS:
        raise ScenarioError(
            f"there are {number} ways to play this; up to {MOST_WAYS} are solved", "choices"
        )
    return answers


def _attackers(scenario: Scenario) -> Iterator[Way]:
    orders = _orders(scenario)
    targets = _precise_targets(scenario)
    rerolls = ("as given", "optimal") if scenario.choices.reroll == "optimal" else ("as given",)
    effects = _options(scenario.attacker.effects)
    if prod(map(len, (orders, targets, rerolls, effects))) > MOST_WAYS:
        raise ScenarioError(
            f"there are more than {MOST_WAYS} ways to play this: choose some of them", "choices"
        )
    for order, target, reroll, (own, texts) in product(orders, targets, rerolls, effects):
        chosen: dict[str, Any] = {}
        weapons = tuple(scenario.weapons[i] for i in order)
        if scenario.choices.order:
            chosen["order"] = [weapon.name for weapon in weapons]
        if scenario.choices.precision is not None:
            chosen["precision"] = target
        if texts:
            chosen["one of"] = texts
        if scenario.choices.reroll == "optimal":
            chosen["reroll"] = "failed" if reroll == "as given" else "noncritical"
        used = _fishing(own) if reroll == "optimal" else own
        yield Way(
            replace(
                scenario,
                weapons=weapons,
                attacker=replace(scenario.attacker, effects=used),
                choices=replace(scenario.choices, order=(), precision=target, reroll="as given"),
            ),
            chosen,
        )


def _defenders(way: Way) -> Iterator[Way]:
    target = way.scenario.target
    for effects, texts in _options(target.effects):
        chosen = dict(way.chosen)
        if texts:
            chosen["defender's one of"] = texts
        answered = replace(way.scenario, target=_with(target, effects))
        yield Way(answered, chosen)


def _with(unit: Unit, effects: tuple[Effect, ...]) -> Unit:
    return replace(unit, effects=effects)


def _orders(scenario: Scenario) -> list[tuple[int, ...]]:
    places = range(len(scenario.weapons))
    if scenario.choices.order != "optimal":
        first = tuple(i for i in scenario.choices.order if isinstance(i, int))
        return [(*first, *(i for i in places if i not in first))]
    if len(places) > 6:
        raise ScenarioError(
            f"the best order of {len(places)} weapons is not solved; of up to 6 it is",
            "choices.order",
        )
    return list(permutations(places))


def _precise_targets(scenario: Scenario) -> list[str | None]:
    if scenario.choices.precision != "optimal":
        return [scenario.choices.precision]
    unit = scenario.target
    named = [n for n, group in zip(unit.names, unit.groups, strict=True) if group.character]
    return [None, *named]


def _options(effects: tuple[Effect, ...]) -> list[tuple[tuple[Effect, ...], list[str]]]:
    """The effects for each way to take the options they offer, with the texts of those taken."""
    parts: list[list[tuple[tuple[Effect, ...], list[str]]]] = []
    for effect in effects:
        if effect.what != "one of" or not isinstance(effect.amount, tuple):
            parts.append([((effect,), [])])
            continue
        options = []
        for option in effect.amount:
            taken = tuple(
                replace(
                    e,
                    scope=e.scope or effect.scope,
                    condition=tuple(dict.fromkeys(e.condition + effect.condition)),
                )
                for e in option
            )
            options.append((taken, [", ".join(str(e) for e in option)]))
        parts.append(options)
    return [
        (tuple(e for taken, _ in choice for e in taken), [t for _, texts in choice for t in texts])
        for choice in product(*parts)
    ]


def _fishing(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """The effects with free re-rolls used on everything that is not critical."""
    out = []
    for effect in effects:
        if effect.what in ("reroll hits", "reroll wounds") and effect.amount == "failed":
            out.append(replace(effect, amount="noncritical"))
        else:
            out.append(effect)
    out.append(Effect("reroll wounds", "noncritical", scope="twin-linked"))
    return tuple(out)
