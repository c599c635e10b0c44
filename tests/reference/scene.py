"""When an effect holds: scopes and conditions (SCENARIO.md, "Conditions follow with `if`")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from .abilities import Ability
from .dice import Dice
from .phrases import Effect
from .reading import Group, Scenario, Unit, Weapon

FLAGS = frozenset(
    {
        "half_range",
        "cover",
        "stationary",
        "charged",
        "snap_shooting",
        "indirect",
        "spotted",
        "plunging_fire",
        "target_below_half",
        "target_below_starting",
        "target_on_objective",
        "attacker_on_objective",
        "leading",
        "long_range",
        "closest_target",
        "engaged",
    }
)


def unit_keywords(unit: Unit, living: tuple[bool, ...]) -> frozenset[str]:
    """Union over the unit and its living models; a living CHARACTER group brings `character`
    (§4).
    """
    keywords = set(unit.keywords)
    for group, alive in zip(unit.groups, living, strict=True):
        if alive:
            keywords |= group.keywords
            if group.character:
                keywords.add("character")
    return frozenset(keywords)


@dataclass(frozen=True)
class Scene:
    """One weapon (None: no weapon, a pool) facing the target with some of its groups alive."""

    scenario: Scenario
    weapon: Weapon | None
    living: tuple[bool, ...]
    names: frozenset[str] = frozenset()
    strength: int | None = None
    toughness: int | None = None
    target_keywords: frozenset[str] = field(init=False)
    attacker_keywords: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        attacker = self.scenario.attacker
        everyone = (True,) * len(attacker.groups)
        object.__setattr__(
            self, "target_keywords", unit_keywords(self.scenario.target, self.living)
        )
        object.__setattr__(self, "attacker_keywords", unit_keywords(attacker, everyone))

    @property
    def shooting(self) -> bool:
        """Ranged attacks; the other phase makes melee attacks."""
        return self.scenario.phase == "shooting"


def _in_scope(effect: Effect, scene: Scene) -> bool:
    """`for melee`, `for ranged`, `for psychic` (an ability of the weapon), `for "a weapon's
    name"`.
    """
    if not effect.scope:
        return True
    if scene.weapon is None:
        raise NotImplementedError(f"the scope 'for {effect.scope}' where no weapon attacks")
    if effect.scope in ("melee", "ranged"):
        return scene.shooting == (effect.scope == "ranged")
    if effect.scope.startswith('"'):
        return scene.weapon.name == effect.scope.strip('"')
    return effect.scope in scene.names


def _who(name: str, effect: Effect, scene: Scene) -> frozenset[str]:
    """The keywords of `target`, `attacker` or `unit` (the unit that uses the rule)."""
    if name == "target" or (name == "unit" and effect.side == "defender"):
        return scene.target_keywords
    return scene.attacker_keywords


def _condition(text: str, effect: Effect, scene: Scene) -> bool:
    words = text.lower()
    if words.startswith('"'):
        return _flag(words.strip('"'), scene)
    if words in FLAGS:
        return scene.scenario.flag(words)
    if words in ("unit_below_half", "unit_below_starting"):
        return _flag(words.replace("unit", "target") if effect.side == "defender" else words, scene)
    if re.fullmatch(r"(not )?within \d+", words):
        raise NotImplementedError(f"distances are not part of a scenario: {text}")
    keyword = re.fullmatch(r"(target|unit|attacker) is (not )?(.+)", words)
    if keyword:
        wanted = {word.strip() for word in keyword[3].split(" or ")}
        return bool(wanted & _who(keyword[1], effect, scene)) != bool(keyword[2])
    compare = re.fullmatch(r"strength (>|<|>=|<=|=) toughness", words)
    if compare:
        return _strength_compares(compare[1], scene)
    raise ValueError(f"unknown condition: {text!r}")


def _flag(name: str, scene: Scene) -> bool:
    """A condition that only a person can tell, or that is not among the flags: it must be given."""
    given = dict(scene.scenario.context)
    if name in FLAGS or name in given:
        return given.get(name, False)
    raise NotImplementedError(f"the condition {name!r} is not told by the scenario")


def _strength_compares(sign: str, scene: Scene) -> bool:
    if scene.strength is None or scene.toughness is None:
        raise NotImplementedError("strength and toughness compared before the strength is settled")
    s, t = scene.strength, scene.toughness
    return {">": s > t, "<": s < t, ">=": s >= t, "<=": s <= t, "=": s == t}[sign]


def holds(effect: Effect, scene: Scene) -> bool:
    """Whether scope and all conditions hold."""
    return _in_scope(effect, scene) and all(
        _condition(text, effect, scene) for text in effect.conditions
    )


def effects(scene: Scene, kind: str, what: str = "") -> Iterator[Effect]:
    """The effects of both sides of this kind that hold, attacker's first."""
    for effect in scene.scenario.attacker.effects + scene.scenario.target.effects:
        if effect.kind == kind and effect.what == what and holds(effect, scene):
            yield effect


def with_abilities(scene: Scene) -> tuple[Scene, tuple[Ability, ...]]:
    """The scene that knows the weapon's abilities, and those that work against this target.

    A granted ability may bring another one into scope (`blast 1 for torrent`), so this goes round
    until nothing is added.
    """
    assert scene.weapon is not None
    printed = found = scene.weapon.abilities
    while True:
        scene = replace(scene, names=frozenset(ability.name for ability in found))
        granted = tuple(e.ability for e in effects(scene, "ability") if e.ability is not None)
        again = printed + granted
        if len(again) == len(found):
            break
        found = again
    working = tuple(ability for ability in found if ability.works_against(scene.target_keywords))
    return replace(scene, names=frozenset(ability.name for ability in working)), working


def best(abilities: tuple[Ability, ...], name: str) -> Dice | None:
    """Duplicates never add: the instance with the highest mean counts (24.02)."""
    amounts = [ability.amount for ability in abilities if ability.name == name]
    return max(amounts, key=Dice.mean) if amounts else None


def changed(
    scene: Scene,
    what: str,
    value: int,
    improves: int = 1,
    ignore: bool = False,
    named_only: bool = False,
) -> int:
    """A characteristic after set, then added modifiers; the effects' sign counts `improves`
    times.

    `ignore` leaves out the worsening ones, `named_only` all but those that name the weapon. Sets:
    the attacker's, then the defender's replaces it.
    """

    def counts(effect: Effect) -> bool:
        return not named_only or effect.scope.startswith('"')

    for effect in filter(counts, effects(scene, "set", what)):
        if effect.dice.random:
            raise NotImplementedError(f"{what} set to a dice expression")
        value = effect.dice.plus
    amounts = [effect.amount for effect in filter(counts, effects(scene, "modify", what))]
    return value + improves * sum(amount for amount in amounts if amount > 0 or not ignore)


def toughness(scene: Scene) -> int:
    """The target's Toughness for a wound roll (§4): highest of the living bodyguards, else of the
    living.
    """
    living = [
        group
        for group, alive in zip(scene.scenario.target.groups, scene.living, strict=True)
        if alive
    ]
    bodyguards = [group for group in living if not group.character]

    def value(group: Group) -> int:
        return max(1, changed(scene, "toughness", group.toughness))

    return max(map(value, bodyguards or living))
