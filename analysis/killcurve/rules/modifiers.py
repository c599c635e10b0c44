"""From words to the engine's inputs: abilities and effects become a weapon line's modifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from killcurve.engine.weapon import Modifiers
from killcurve.rules import ability_rules, effect_rules
from killcurve.rules.abilities import Ability
from killcurve.rules.ability_rules import Unmodelled
from killcurve.rules.effects import Effect, without_weaker
from killcurve.rules.situation import Situation
from killcurve.rules.spelling import normal
from killcurve.rules.tally import Tally


@dataclass(frozen=True, slots=True)
class ArmedWith:
    """What rules ask of a weapon: its name and its printed abilities."""

    name: str
    abilities: tuple[Ability, ...]

    def in_scope(self, scope: str | None, situation: Situation) -> bool:
        """Whether an effect ``for scope`` reaches the weapon.

        >>> from killcurve.engine.edition import edition
        >>> gun = ArmedWith("Bolt rifle", (Ability.parse("heavy"),))
        >>> shooting = Situation(edition("11e"))
        >>> [gun.in_scope(s, shooting) for s in (None, "melee", "heavy", '"bolt rifle"')]
        [True, False, True, True]
        """
        if scope is None:
            return True
        if scope in ("ranged", "melee"):
            return situation.ranged is (scope == "ranged")
        if scope.startswith('"'):
            return normal(scope.strip('"')) == normal(self.name)
        return any(ability.name == scope for ability in self.abilities)


def modifiers(
    weapon: ArmedWith,
    attacker_effects: Iterable[Effect],
    defender_effects: Iterable[Effect],
    situation: Situation,
    *,
    lethal: bool = True,
    unmodelled: list[str] | None = None,
) -> tuple[Modifiers, Modifiers | None]:
    """The modifiers of a weapon's attacks, and those that hold where Strength is above Toughness.

    The second is ``None`` where no rule asks that. ``lethal`` is whether lethal critical hits
    wound by themselves where the edition leaves the choice. What cannot be computed is added
    to the list ``unmodelled``.

    Raises:
        Unmodelled: naming the rule that cannot be computed, when no list is given for it.

    >>> from killcurve.engine.edition import edition
    >>> gun = ArmedWith("Gauss blaster", (Ability.parse("rapid fire 2"),))
    >>> near = Situation(edition("11e"), flags=frozenset({"half_range"}))
    >>> effects = [Effect.parse("reroll hits ones if half_range"), Effect.parse("hit +1")]
    >>> always, when_stronger = modifiers(gun, effects, [], near)
    >>> always.hit, always.reroll_hits.value, str(always.extra_attacks[0]), when_stronger
    (1, 'ones', '2', None)
    """
    sides = (("attacker", tuple(attacker_effects)), ("defender", tuple(defender_effects)))
    asks = any(
        clause.kind == "stronger" for _, effects in sides for e in effects for clause in e.condition
    )
    variants = [
        _modifiers(weapon, sides, situation, stronger, lethal, unmodelled)
        for stronger in ((False, True) if asks else (False,))
    ]
    return variants[0], variants[1] if asks else None


def _modifiers(
    weapon: ArmedWith,
    sides: tuple[tuple[str, tuple[Effect, ...]], ...],
    situation: Situation,
    stronger: bool,
    lethal: bool,
    unmodelled: list[str] | None,
) -> Modifiers:
    tally = Tally(cover=situation.ranged and situation.has("cover"))
    _circumstances(tally, situation)
    rules: list[Callable[[], None]] = [
        partial(ability_rules.apply, tally, ability, situation) for ability in weapon.abilities
    ]
    for side, effects in sides:
        facts = situation.facts[side]
        holding = [
            effect
            for effect in effects
            if weapon.in_scope(effect.scope, situation)
            and all(facts.holds(clause, stronger=stronger) for clause in effect.condition)
        ]
        rules += [
            partial(effect_rules.apply, tally, effect, situation, side)
            for effect in without_weaker(holding)
        ]
    for rule in rules:
        try:
            rule()
        except Unmodelled as error:
            if unmodelled is None:
                raise
            if str(error) not in unmodelled:
                unmodelled.append(str(error))
    if situation.edition.lethal_is_optional and not lethal:
        tally.lethal = False
    return tally.modifiers(situation.edition, situation.target_models)


def _circumstances(tally: Tally, situation: Situation) -> None:
    """What follows from where and how the unit shoots (RULES.md §3.2)."""
    if not situation.ranged:
        return
    if situation.has("snap_shooting"):
        effect_rules.snap(tally, situation, gate=5)
    if situation.has("plunging_fire"):
        (tally.ap if situation.edition.plunging_improves_ap else tally.skill).append(1)
