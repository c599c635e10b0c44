"""What the attacker does to itself: Hazardous and Crushing Impact (RULES.md §6.5, §9)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from .dice import SIXTH, Law, certain, mapped, spread, successes, total
from .pools import rammed, ramming_dice, rams
from .reading import Group, Scenario
from .scene import Scene, unit_keywords
from .target import Models, State, Table, suffer

HEAVY = frozenset({"monster", "vehicle"})


def self_damage(table: Table) -> Law:
    """Law of the wounds the attacking unit loses; without attacker.models simply of its mortal
    wounds.
    """
    scenario = table.scenario
    tests = sum(
        weapon.count
        for index, weapon in enumerate(scenario.weapons)
        if "hazardous" in table.profile(index, table.start).scene.names
    )
    if scenario.tenth:
        return _tenth_hazards(scenario, tests)
    scene = Scene(scenario, None, table.start.living)
    each = 3 if _all_heavy(scenario) else 1
    hazards = mapped(successes(tests, 2 * SIXTH), lambda failed: each * failed)
    rolled = [rammed(ramming_dice(scene), 1) for _ in rams(scene)]

    def harm(state: State) -> Law:
        group = next_model(scenario, state)
        return suffer(state, group, 1, _pain(scenario, group))

    return _suffered(scenario, total([hazards, *rolled]), harm)


def _all_heavy(scenario: Scenario) -> bool:
    """11e: every model is a MONSTER or VEHICLE, and nothing in the unit is INFANTRY."""
    unit = scenario.attacker
    everyone = unit_keywords(unit, (True,) * len(unit.groups))
    each = [unit.keywords | group.keywords for group in unit.groups] or [unit.keywords]
    return "infantry" not in everyone and all(keywords & HEAVY for keywords in each)


def start_state(scenario: Scenario) -> State:
    """The attacker's models before anything happens."""

    def models(group: Group) -> Models:
        whole = [group.wounds] * (group.count - 1)
        return tuple(sorted([group.wounds - group.wounds_lost, *whole]))

    return State(tuple(models(group) for group in scenario.attacker.groups))


def next_model(scenario: Scenario, state: State) -> int:
    """Wounded non-CHARACTER, non-CHARACTER, wounded CHARACTER, CHARACTER; in listed order."""
    groups = scenario.attacker.groups

    def rank(index: int) -> tuple[bool, bool]:
        return groups[index].character, state.groups[index][0] == groups[index].wounds

    return min((index for index in range(len(groups)) if state.groups[index]), key=rank)


def next_bearer(scenario: Scenario, state: State) -> int:
    """10e: a wounded bearer, a non-CHARACTER, then a CHARACTER; every model may be a bearer."""
    groups = scenario.attacker.groups

    def rank(index: int) -> tuple[bool, bool]:
        return state.groups[index][0] == groups[index].wounds, groups[index].character

    return min((index for index in range(len(groups)) if state.groups[index]), key=rank)


def _pain(scenario: Scenario, group: int) -> Fraction:
    """Feel No Pain of the model that is hurt, against mortal wounds."""
    own = scenario.attacker.groups[group].feel_no_pain
    if own is None or own.against not in ("", "mortal"):
        return Fraction(0)
    return (7 - min(7, max(2, own.value))) * SIXTH


def _suffered(scenario: Scenario, number: Law, harm: Callable[[State], Law]) -> Law:
    """Wounds lost when `harm` happens `number` times, one after the other."""
    if not scenario.attacker.groups:
        return number
    start = start_state(scenario)

    def times(count: int) -> Law:
        law = certain(start)
        for _ in range(count):
            law = spread(law, lambda state: harm(state) if any(state.groups) else certain(state))
        return law

    whole = sum(map(sum, start.groups))
    return mapped(spread(number, times), lambda state: whole - sum(map(sum, state.groups)))


def _tenth_hazards(scenario: Scenario, tests: int) -> Law:
    """10e: a failure on a 1. Late: 3 mortal wounds on the bearer, no spill. 2023: the bearer is
    destroyed, a CHARACTER, MONSTER or VEHICLE suffers 3 mortal wounds instead.
    """
    failures = successes(tests, SIXTH)
    late = scenario.edition == "10e"
    unit = scenario.attacker
    if not unit.groups:
        if tests and not late and not unit.keywords & (HEAVY | {"character"}):
            raise ValueError(
                "hazardous destroys the bearer: its wounds are needed in attacker.models"
            )
        return mapped(failures, lambda failed: 3 * failed)

    def tough(group: Group) -> bool:
        own = group.keywords | (unit.keywords & HEAVY)
        alone = len(unit.groups) == 1 and "character" in unit.keywords
        return late or group.character or alone or bool(own & (HEAVY | {"character"}))

    def harm(state: State) -> Law:
        bearer = next_bearer(scenario, state)
        if tough(unit.groups[bearer]):
            return suffer(state, bearer, 3, _pain(scenario, bearer))
        return suffer(state, bearer, state.groups[bearer][0], Fraction(0))

    return _suffered(scenario, failures, harm)
