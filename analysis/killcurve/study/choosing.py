"""Choices between whole ways to play a scenario: each is solved, the best one stands.

These are made before any die is rolled: the order of weapons, whom precise attacks go to, which
option of a rule, how free re-rolls are used. What is chosen during the dice is the engine's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, permutations, product
from math import prod
from typing import Any

from killcurve.engine.dice import Dice
from killcurve.engine.roll import Reroll
from killcurve.rules.abilities import Ability
from killcurve.rules.ability_rules import GRANTS
from killcurve.rules.choices import Choices
from killcurve.rules.effects import Effect
from killcurve.rules.modifiers import Policy
from killcurve.rules.reading import ScenarioError
from killcurve.rules.scenario import Scenario
from killcurve.rules.sides import ArmedModel, Unit
from killcurve.rules.volley import prepare
from killcurve.rules.ways import ways_to_choose

MOST_WAYS = 720


@dataclass(frozen=True, slots=True)
class Way:
    """One way to play: the scenario with everything of this kind fixed, and what was fixed."""

    scenario: Scenario
    chosen: dict[str, Any]


@lru_cache(maxsize=512)
def ways(scenario: Scenario) -> tuple[tuple[Way, ...], ...]:
    """For each way of the attacker the ways that the defender may answer.

    Raises:
        ScenarioError: if there are too many to solve them all.
    """
    attacks = list(_attackers(scenario))
    answers = tuple(tuple(_defenders(way)) for way in attacks)
    number = sum(len(a) for a in answers)
    if number > MOST_WAYS:
        raise ScenarioError(
            f"there are {number} ways to play this; up to {MOST_WAYS} are solved", "choices"
        )
    return answers


def _attackers(scenario: Scenario) -> Iterator[Way]:
    orders = _orders(scenario)
    targets = _precise_targets(scenario)
    pools = _pools(scenario)
    effects = ways_to_choose(scenario.attacker.effects)
    policies = _policies(scenario)
    if prod(map(len, (orders, targets, pools, effects, policies))) > MOST_WAYS:
        raise ScenarioError(
            f"there are more than {MOST_WAYS} ways to play this: choose some of them", "choices"
        )
    everything = product(orders, targets, pools, effects, policies)
    for order, target, pool, (own, texts), policy in everything:
        weapons = [replace(w, policy=p) for w, p in zip(scenario.weapons, policy, strict=True)]
        weapons = [weapons[i] for i in order]
        chosen: dict[str, Any] = {}
        if scenario.choices.order:
            chosen["order"] = [weapon.name for weapon in weapons]
        if scenario.choices.precision is not None:
            chosen["precision"] = target
        if texts:
            chosen["one of"] = list(texts)
        if scenario.choices.reroll == "optimal":
            chosen["reroll"] = [_fishing(weapon) for weapon in weapons]
        if any(weapon.policy.numbers for weapon in weapons):
            chosen["duplicates"] = [
                {name: str(number) for name, number in weapon.policy.numbers} for weapon in weapons
            ]
        if scenario.choices.pools == "optimal":
            chosen["pools"] = pool
        fixed = replace(
            scenario.choices,
            order=(),
            precision=target,
            reroll="as given",
            duplicates=(),
            pools=pool,
        )
        attacker = replace(scenario.attacker, effects=own)
        yield Way(
            replace(scenario, weapons=tuple(weapons), attacker=attacker, choices=fixed), chosen
        )


def _defenders(way: Way) -> Iterator[Way]:
    target = way.scenario.target
    for effects, texts in ways_to_choose(target.effects):
        chosen = dict(way.chosen)
        if texts:
            chosen["defender's one of"] = list(texts)
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


def _pools(scenario: Scenario) -> list[str]:
    if scenario.choices.pools != "optimal":
        return [scenario.choices.pools]
    return ["critical first", "ordinary first"]


def _fishing(weapon: ArmedModel) -> str:
    """How free re-rolls are used, in words."""
    rolls = weapon.policy.fishes
    return f"successes, too: {', '.join(rolls)}" if rolls else "failures"


def _policies(scenario: Scenario) -> list[tuple[Policy, ...]]:
    """Every way to use what the weapons' rules offer, one policy a weapon.

    Raises:
        ScenarioError: if a number is to count that no weapon has.
    """
    named = scenario.choices.duplicates
    numbers = [_numbers(weapon, scenario) for weapon in scenario.weapons]
    if isinstance(named, tuple):
        for ability, number in named:
            if not any(number in found.get(ability, ()) for found in numbers):
                raise ScenarioError(
                    f"no weapon has '{ability} {number}'", f"choices.duplicates.{ability}"
                )
    fishing = scenario.choices.reroll == "optimal"
    each = []
    for weapon, found in zip(scenario.weapons, numbers, strict=True):
        kinds = [[(name, n) for n in _undominated(found[name])] for name in found]
        best = product(*(kind for kind in kinds if len(kind) > 1))
        chosen = [named] if isinstance(named, tuple) else list(best)
        rolls = _subsets(_rerolled(weapon, scenario)) if fishing else [()]
        each.append([Policy(fishes, picked) for fishes in rolls for picked in chosen])
    if prod(map(len, each)) > MOST_WAYS:
        raise ScenarioError(
            f"there are more than {MOST_WAYS} ways to use re-rolls and duplicate abilities: "
            "choose some of them",
            "choices",
        )
    return list(product(*each))


def _numbers(weapon: ArmedModel, scenario: Scenario) -> dict[str, list[Dice]]:
    """The numbers of each ability that a weapon has, printed or granted."""
    granted = [e.amount for e in scenario.attacker.effects if isinstance(e.amount, Ability)]
    found: dict[str, list[Dice]] = {}
    for ability in (*weapon.abilities, *granted):
        if ability.name in GRANTS:
            number = Dice(bonus=1) if ability.amount is None else ability.amount
            found.setdefault(ability.name, [])
            if number not in found[ability.name]:
                found[ability.name].append(number)
    return found


def _undominated(numbers: list[Dice]) -> list[Dice]:
    """Those that no other one is at least as likely to reach any value as."""
    return [a for a in numbers if not any(_dominates(b, a) for b in numbers if b != a)]


def _dominates(b: Dice, a: Dice) -> bool:
    most = max(a.maximum, b.maximum) + 1
    return all(b.pmf.at_least(v) >= a.pmf.at_least(v) - 1e-12 for v in range(most))


def _rerolled(weapon: ArmedModel, scenario: Scenario) -> list[str]:
    """The rolls of a weapon whose re-rolls are free on any result."""
    tally = prepare(replace(scenario, weapons=(weapon,), choices=Choices()), lenient=True)
    (line,) = tally.volley.lines
    either = [line.modifiers, *([line.when_stronger] if line.when_stronger else [])]
    out = []
    if any(m.reroll_hits is Reroll.FAILED for m in either):
        out.append("hits")
    if any(m.reroll_wounds is Reroll.FAILED for m in either):
        out.append("wounds")
    return out


def _subsets(rolls: list[str]) -> list[tuple[str, ...]]:
    return [some for size in range(len(rolls) + 1) for some in combinations(rolls, size)]
