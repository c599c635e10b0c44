"""A checked scenario becomes the engine's volley."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from killcurve.engine.pmf import Pmf
from killcurve.engine.pools import at_most, successes
from killcurve.engine.target import ModelGroup, Protection, Target
from killcurve.engine.volley import Volley
from killcurve.engine.weapon import Modifiers, WeaponLine
from killcurve.rules.ability_rules import Unmodelled
from killcurve.rules.effects import Effect, MortalPool, Shift
from killcurve.rules.modifiers import ArmedWith, modifiers
from killcurve.rules.reading import ScenarioError
from killcurve.rules.scenario import ArmedModel, Scenario
from killcurve.rules.situation import Situation

MOST_POOL_DICE = 100


@dataclass(frozen=True, slots=True)
class Prepared:
    """A volley ready for the engine, and what of the scenario it leaves out."""

    volley: Volley
    unmodelled: tuple[str, ...]


def prepare(scenario: Scenario, *, lenient: bool = False) -> Prepared:
    """Turn a scenario's words into what the engine takes.

    Raises:
        ScenarioError: naming the rule that cannot be computed, unless ``lenient``.

    >>> from killcurve.rules.scenario import read_scenario
    >>> prepared = prepare(read_scenario({
    ...     "attacker": {"weapons": [{"attacks": 2, "skill": 3, "strength": 4, "damage": 1}]},
    ...     "target": {"models": [{"count": 5, "toughness": 4, "save": 3, "wounds": 2}]}}))
    >>> prepared.volley.lines[0].weapon.skill
    3
    """
    where = _situation(scenario)
    unmodelled = list(scenario.unmodelled)
    collected = unmodelled if lenient else None
    lines = []
    for i, armed in enumerate(scenario.weapons):
        try:
            lines.append(_line(armed, scenario, where, collected))
        except Unmodelled as error:
            raise ScenarioError(str(error), f"attacker.weapons[{i}]") from None
    defence = tuple(_holding(scenario.target.effects, where, "defender"))
    return Prepared(
        Volley(
            edition=scenario.edition,
            target=Target(tuple(_groups(scenario, defence))),
            lines=tuple(lines),
            mortal_wounds=tuple(_pools(scenario, where)),
            modifiers=Modifiers(
                feel_no_pain=tuple(
                    e.amount
                    for e in defence
                    if e.what == "feel no pain" and isinstance(e.amount, Protection)
                )
            ),
        ),
        tuple(unmodelled),
    )


def _situation(scenario: Scenario) -> Situation:
    return Situation(
        edition=scenario.edition,
        ranged=scenario.ranged,
        flags=scenario.flags,
        ticked=scenario.ticked,
        distance=scenario.distance,
        attacker_keywords=scenario.attacker.keywords,
        target_keywords=scenario.target.keywords,
        target_models=sum(group.count for group in scenario.target.groups),
    )


def _line(
    armed: ArmedModel, scenario: Scenario, where: Situation, unmodelled: list[str] | None
) -> WeaponLine:
    always, when_stronger = modifiers(
        ArmedWith(armed.name, armed.abilities),
        scenario.attacker.effects,
        scenario.target.effects,
        where,
        lethal=scenario.choices.lethal != "never",
        unmodelled=unmodelled,
    )
    return WeaponLine(armed.weapon, always, when_stronger)


def _holding(effects: Iterable[Effect], where: Situation, side: str) -> Iterator[Effect]:
    """The effects without weapon scope whose conditions hold."""
    facts = where.facts[side]
    for effect in effects:
        if effect.scope is None and all(
            facts.holds(clause, stronger=False) for clause in effect.condition
        ):
            yield effect


def _groups(scenario: Scenario, defence: tuple[Effect, ...]) -> Iterator[ModelGroup]:
    """The target's groups in the defender's order, with wounds that effects add."""
    unit = scenario.target
    wanted = [name for name in scenario.choices.allocation if name in unit.names]
    order = sorted(
        range(len(unit.groups)),
        key=lambda g: wanted.index(unit.names[g]) if unit.names[g] in wanted else len(wanted),
    )
    more = sum(
        e.amount.signed for e in defence if e.what == "wounds" and isinstance(e.amount, Shift)
    )
    for g in order:
        group = replace(unit.groups[g], wounds=max(1, unit.groups[g].wounds + more))
        if not group.character:
            yield group
            continue
        # Each character is a group of its own; one of them may be wounded.
        yield replace(group, count=1)
        for _ in range(group.count - 1):
            yield replace(group, count=1, wounds_lost=0)


def _pools(scenario: Scenario, where: Situation) -> Iterator[Pmf]:
    for effect in _holding(scenario.attacker.effects, where, "attacker"):
        if effect.what != "mortal wounds":
            continue
        assert isinstance(effect.amount, MortalPool)
        try:
            yield pool_law(effect.amount, scenario)
        except ValueError as error:
            raise ScenarioError(str(error), "attacker.effects") from None


def pool_law(pool: MortalPool, scenario: Scenario) -> Pmf:
    """The law of the mortal wounds of a pool.

    Raises:
        ValueError: if it is sized by models and the attacker's are not given.
    """
    if pool.on is None:
        law = pool.dice.pmf
        return law if pool.most is None else at_most(law, pool.most)
    dice = pool.dice.count
    if pool.per_model:
        models = sum(group.count for group in scenario.attacker.groups)
        if not models:
            raise ValueError(f"'mortal wounds {pool}' counts models: give attacker.models")
        dice *= models
    if dice > MOST_POOL_DICE:
        raise ValueError(f"a pool of {dice} dice is beyond the {MOST_POOL_DICE} that are summed")
    return successes(dice, pool.on, pool.most)
