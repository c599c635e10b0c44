"""From words to the engine's inputs: abilities and effects become a weapon line's modifiers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import partial

from killcurve.engine.dice import Dice
from killcurve.engine.roll import Reroll
from killcurve.engine.weapon import Modifiers, Right
from killcurve.rules import ability_rules, effect_rules
from killcurve.rules.abilities import Ability
from killcurve.rules.ability_rules import Unmodelled
from killcurve.rules.account import Contribution, contributed
from killcurve.rules.effects import Effect, without_weaker
from killcurve.rules.situation import Situation
from killcurve.rules.spelling import normal
from killcurve.rules.tally import Tally


@dataclass(frozen=True, slots=True)
class Policy:
    """How a player uses what a weapon's rules offer (RULES.md §1.2, §8.1).

    ``fishes`` names the rolls (``hits``, ``wounds``) whose free re-rolls are used on successes
    that are not critical, too; ``numbers`` the number that counts, by ability, where a weapon has
    an ability several times.
    """

    fishes: tuple[str, ...] = ()
    numbers: tuple[tuple[str, Dice], ...] = ()


AS_GIVEN = Policy()

BIG = frozenset({"monster", "vehicle"})
"""Who may shoot, or be shot at, while engaged: with a penalty."""


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


@dataclass(frozen=True, slots=True)
class Arms:
    """What rules make of a weapon: its modifiers, and what else they grant.

    ``when_stronger`` holds where Strength is above Toughness, ``None`` where no rule asks that.
    ``rights`` are single changes of rolls; ``hazardous`` and ``precise`` name abilities.
    """

    modifiers: Modifiers
    when_stronger: Modifiers | None = None
    rights: tuple[Right, ...] = ()
    hazardous: bool = False
    precise: bool = False


def modifiers(
    weapon: ArmedWith,
    attacker_effects: Iterable[Effect],
    defender_effects: Iterable[Effect],
    situation: Situation,
    *,
    lethal: bool = True,
    policy: Policy = AS_GIVEN,
    unmodelled: list[str] | None = None,
    account: list[Contribution] | None = None,
) -> Arms:
    """What abilities, effects and circumstances make of a weapon's attacks.

    ``lethal`` is whether lethal critical hits wound by themselves where the edition leaves the
    choice. What cannot be computed is added to the list ``unmodelled``, and to the list
    ``account`` what each rule contributed.

    Raises:
        Unmodelled: naming the rule that cannot be computed, when no list is given for it.

    >>> from killcurve.engine.edition import edition
    >>> gun = ArmedWith("Gauss blaster", (Ability.parse("rapid fire 2"),))
    >>> near = Situation(edition("11e"), flags=frozenset({"half_range"}))
    >>> effects = [Effect.parse("reroll hits ones if half_range"), Effect.parse("hit +1")]
    >>> made = modifiers(gun, effects, [], near).modifiers
    >>> made.hit, made.reroll_hits.value, str(made.extra_attacks[0])
    (1, 'ones', '2')
    """
    sides = (("attacker", tuple(attacker_effects)), ("defender", tuple(defender_effects)))
    asks = any(
        clause.kind == "stronger" for _, effects in sides for e in effects for clause in e.condition
    )
    tallies = [
        _tally(weapon, sides, situation, stronger, policy, unmodelled, account)
        for stronger in ((False, True) if asks else (False,))
    ]
    if situation.edition.lethal_is_optional and not lethal:
        for tally in tallies:
            tally.lethal = False
    made = [t.modifiers(situation.edition, situation.target_models) for t in tallies]
    return Arms(
        modifiers=made[0],
        when_stronger=made[1] if asks else None,
        rights=tuple(dict.fromkeys(right for t in tallies for right in t.usable_rights())),
        hazardous=tallies[0].hazardous,
        precise=tallies[0].precise
        and not (tallies[0].hits_automatically and situation.edition.torrent_is_imprecise),
    )


def _tally(
    weapon: ArmedWith,
    sides: tuple[tuple[str, tuple[Effect, ...]], ...],
    situation: Situation,
    stronger: bool,
    policy: Policy,
    unmodelled: list[str] | None,
    account: list[Contribution] | None,
) -> Tally:
    tally = Tally(preferred=_preferred(policy))
    rules: list[tuple[str, Callable[[], None]]] = [
        (text, partial(rule, tally, situation)) for text, rule in _circumstances(weapon, situation)
    ]
    rules += [
        (str(ability), partial(ability_rules.apply, tally, ability, situation))
        for ability in weapon.abilities
    ]
    for side, effects in sides:
        facts = situation.facts[side]
        holding = [
            effect
            for effect in effects
            if weapon.in_scope(effect.scope, situation)
            and all(facts.holds(clause, stronger=stronger) for clause in effect.condition)
        ]
        seen: Counter[Effect] = Counter()
        for effect in without_weaker(holding):
            rule = partial(effect_rules.apply, tally, effect, situation, side, seen[effect])
            rules.append((str(effect), rule))
            seen[effect] += 1
    rules.append(("", partial(_fires, tally, situation)))
    for source, apply in rules:
        before = None if account is None else deepcopy(tally)
        try:
            apply()
        except Unmodelled as error:
            if unmodelled is None:
                raise
            if str(error) not in unmodelled:
                unmodelled.append(str(error))
        if account is not None and before is not None:
            account += contributed(source, before, tally, stronger=stronger)
    for rolls in policy.fishes:
        if getattr(tally, f"reroll_{rolls}") is Reroll.FAILED:
            tally.reroll(rolls, Reroll.NONCRITICAL)
    return tally


def _preferred(policy: Policy) -> dict[str, Dice]:
    return {ability_rules.GRANTS[name]: number for name, number in policy.numbers}


def _fires(tally: Tally, situation: Situation) -> None:
    """Whether the weapon can be fired as it is said to be."""
    barred = not situation.edition.torrent_fires_indirectly
    if tally.indirect and tally.hits_automatically and barred:
        raise Unmodelled("in this rule state a torrent weapon cannot be fired indirectly")


def _circumstances(
    weapon: ArmedWith, situation: Situation
) -> Iterator[tuple[str, Callable[[Tally, Situation], None]]]:
    """What follows from where and how the unit shoots, with its name (RULES.md §3.2)."""
    if not situation.ranged:
        return
    if situation.has("cover"):
        yield "cover", _cover
    if situation.has("snap_shooting"):
        yield "snap shooting", partial(effect_rules.snap, gate=5)
    if situation.has("plunging_fire"):
        yield "plunging fire", _plunging
    close = any(ability.name in ability_rules.CLOSE for ability in weapon.abilities)
    if situation.has("engaged") and not close:
        sides = (situation.attacker_keywords, situation.target_keywords)
        big = [side for side in sides if BIG & side]
        each = len(big) if situation.edition.engaged_penalties_add else min(1, len(big))
        yield from [("engaged", _engaged)] * each


def _cover(tally: Tally, _: Situation) -> None:
    tally.cover = True


def _plunging(tally: Tally, situation: Situation) -> None:
    (tally.ap if situation.edition.plunging_improves_ap else tally.skill).append(1)


def _engaged(tally: Tally, _: Situation) -> None:
    tally.hit.append(-1)
