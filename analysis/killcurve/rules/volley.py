"""A checked scenario becomes the engine's volley."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any

from killcurve.engine.decisions.choices import Choices, Objective
from killcurve.engine.pmf import Pmf
from killcurve.engine.target import ModelGroup, Protection, Target
from killcurve.engine.volley import Volley
from killcurve.engine.weapon import WeaponLine
from killcurve.rules.ability_rules import Unmodelled
from killcurve.rules.effect_rules import BESIDE_ATTACKS
from killcurve.rules.effects import Effect, Shift
from killcurve.rules.modifiers import ArmedWith, Arms, modifiers
from killcurve.rules.pools import PoolMaker, hurts_itself, pool_laws, ramming_dice
from killcurve.rules.reading import ScenarioError
from killcurve.rules.scenario import Scenario
from killcurve.rules.selfharm import self_damage
from killcurve.rules.sides import ArmedModel, Unit
from killcurve.rules.situation import Situation

MOST_GROUPS_WITH_KEYWORDS = 6


@dataclass(frozen=True, slots=True)
class Prepared:
    """A volley ready for the engine, with what is left to choose in it.

    ``names`` are those of the volley's groups; ``self_damage`` is the law of wounds that the
    attacker loses by its own doing; ``unmodelled`` lists what a lenient reading leaves out.
    """

    volley: Volley
    choices: Choices
    names: tuple[str, ...]
    self_damage: Pmf
    unmodelled: tuple[str, ...]


@lru_cache(maxsize=512)
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
    where = situation(scenario)
    unmodelled = list(scenario.unmodelled)
    _check_scopes(scenario, unmodelled if lenient else None)
    defence = list(holding(scenario.target.effects, where, "defender"))
    attack = list(holding(scenario.attacker.effects, where, "attacker"))
    named = list(_named_groups(scenario, defence))
    target = Target(tuple(group for _, group, _ in named))
    making = _Making(scenario, where, named, unmodelled if lenient else None)
    lines = making.lines()
    maker = _pool_maker(scenario)
    volley = Volley(
        edition=scenario.edition,
        target=target,
        lines=tuple(line for line, _ in lines),
        mortal_wounds=tuple(pool_laws(attack, maker, target)),
        feel_no_pain=tuple(
            e.amount
            for e in defence
            if e.what == "feel no pain" and e.scope is None and isinstance(e.amount, Protection)
        ),
    )
    dice = 0
    if hurts_itself(scenario.edition, attack):
        dice = ramming_dice(maker, target)
    tests = sum(line.weapon.count for line, hazardous in lines if hazardous)
    return Prepared(
        volley=volley,
        choices=_choices(scenario, volley),
        names=tuple(name for name, _, _ in named),
        self_damage=self_damage(scenario.attacker, tests, dice, scenario.edition),
        unmodelled=tuple(unmodelled),
    )


def _pool_maker(scenario: Scenario) -> PoolMaker:
    groups = scenario.attacker.groups
    return PoolMaker(
        edition=scenario.edition,
        models=sum(group.count for group in groups),
        toughness=max((group.toughness for group in groups), default=None),
        ranged=scenario.ranged,
        strengths=tuple(armed.weapon.strength for armed in scenario.weapons),
    )


def _check_scopes(scenario: Scenario, unmodelled: list[str] | None) -> None:
    """What is done beside attacks cannot be limited to weapons."""
    for side, unit in (("attacker", scenario.attacker), ("target", scenario.target)):
        for effect in unit.effects:
            if effect.what not in BESIDE_ATTACKS or effect.scope in (None, "ranged", "melee"):
                continue
            if unmodelled is None:
                raise ScenarioError(
                    f"'{effect}' is not done by weapons: take 'for {effect.scope}' away",
                    f"{side}.effects",
                )
            unmodelled.append(str(effect))


def situation(scenario: Scenario) -> Situation:
    """The circumstances that a scenario states, its whole target alive."""
    return Situation(
        edition=scenario.edition,
        ranged=scenario.ranged,
        flags=scenario.flags,
        ticked=scenario.ticked,
        distance=scenario.distance,
        attacker_keywords=_all_keywords(scenario.attacker),
        target_keywords=_all_keywords(scenario.target),
        target_models=sum(group.count for group in scenario.target.groups),
        attacker_wounds_left=min(
            (group.wounds - group.wounds_lost for group in scenario.attacker.groups), default=None
        ),
    )


def _all_keywords(unit: Unit) -> frozenset[str]:
    characters = {"character"} if any(group.character for group in unit.groups) else ()
    return unit.keywords.union(*unit.group_keywords, characters)


def _choices(scenario: Scenario, volley: Volley) -> Choices:
    made = scenario.choices
    return Choices(
        objective=Objective(made.objective),
        lethal=made.lethal == "optimal",
        allocation=made.allocation == "optimal",
        rights=volley.rights,
    )


@dataclass(frozen=True, slots=True)
class _Making:
    """Makes the lines of a volley: ``named`` are the target's groups with names and keywords."""

    scenario: Scenario
    where: Situation
    named: list[tuple[str, ModelGroup, frozenset[str]]]
    unmodelled: list[str] | None

    def lines(self) -> list[tuple[WeaponLine, bool]]:
        """Each weapon's line, and whether it is hazardous."""
        out = []
        for i, armed in enumerate(self.scenario.weapons):
            try:
                out.append(self._line(armed))
            except Unmodelled as error:
                raise ScenarioError(str(error), f"attacker.weapons[{i}]") from None
        return out

    def _line(self, armed: ArmedModel) -> tuple[WeaponLine, bool]:
        arms = self._arms(armed, self.where)
        precision = None
        if arms.precise and self.scenario.choices.precision is not None:
            names = [name for name, _, _ in self.named]
            precision = names.index(self.scenario.choices.precision)
        line = WeaponLine(
            armed.weapon,
            arms.modifiers,
            arms.when_stronger,
            precision=precision,
            rights=arms.rights,
            ordinary_first=self.scenario.choices.pools == "ordinary first",
            variants=tuple(self._variants(armed, arms)),
        )
        return line, arms.hazardous

    def _arms(self, armed: ArmedModel, where: Situation) -> Arms:
        return modifiers(
            ArmedWith(armed.name, armed.abilities),
            self.scenario.attacker.effects,
            self.scenario.target.effects,
            where,
            lethal=self.scenario.choices.lethal != "never",
            policy=armed.policy,
            unmodelled=self.unmodelled,
        )

    def _variants(
        self, armed: ArmedModel, whole: Arms
    ) -> Iterator[tuple[frozenset[int], Any, Any]]:
        """What differs while only some groups live, because their keywords are gone."""
        keywords = [k for _, _, k in self.named]
        if len(set(keywords)) < 2 or len(keywords) > MOST_GROUPS_WITH_KEYWORDS:
            return
        for size in range(1, len(keywords)):
            for living in combinations(range(len(keywords)), size):
                left = self.scenario.target.keywords.union(*(keywords[g] for g in living))
                arms = self._arms(armed, replace(self.where, target_keywords=left))
                if (arms.modifiers, arms.when_stronger) != (whole.modifiers, whole.when_stronger):
                    yield frozenset(living), arms.modifiers, arms.when_stronger


def holding(effects: Iterable[Effect], where: Situation, side: str) -> Iterator[Effect]:
    """The effects whose conditions hold for a side, but for those of some weapons only."""
    facts = where.facts[side]
    kinds = (None, "ranged" if where.ranged else "melee")
    for effect in effects:
        if effect.scope in kinds and all(
            facts.holds(clause, stronger=False) for clause in effect.condition
        ):
            yield effect


def _named_groups(
    scenario: Scenario, defence: list[Effect]
) -> Iterator[tuple[str, ModelGroup, frozenset[str]]]:
    """The target's groups in the defender's order, with wounds that effects add."""
    unit = scenario.target
    allocation = scenario.choices.allocation
    wanted = [n for n in allocation if n in unit.names] if allocation != "optimal" else []
    order = sorted(
        range(len(unit.groups)),
        key=lambda g: wanted.index(unit.names[g]) if unit.names[g] in wanted else len(wanted),
    )
    for g in order:
        group = _with_wounds(unit.groups[g], defence)
        own = unit.group_keywords[g]
        if not group.character:
            yield unit.names[g], group, own
            continue
        # Each character is a group of its own; one of them may be wounded.
        own = own | {"character"}
        yield unit.names[g], replace(group, count=1), own
        for _ in range(group.count - 1):
            yield unit.names[g], replace(group, count=1, wounds_lost=0), own


def _with_wounds(group: ModelGroup, defence: list[Effect]) -> ModelGroup:
    wounds = group.wounds
    changes = [e.amount for e in defence if e.what == "wounds" and isinstance(e.amount, Shift)]
    for change in sorted(changes, key=lambda change: change.sign != "="):
        if not change.by.is_fixed:
            raise ScenarioError(f"'wounds {change}' is not a certain number", "target.effects")
        wounds = change.by.bonus if change.sign == "=" else wounds + change.signed
    wounds = max(1, wounds)
    if group.wounds_lost >= wounds:
        raise ScenarioError(
            f"a model that has lost {group.wounds_lost} wounds cannot go on with {wounds} in all",
            "target.effects",
        )
    return replace(group, wounds=wounds)
