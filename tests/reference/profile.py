"""All numbers of one weapon against one target (RULES.md §2 to §6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from .abilities import Ability
from .damage import DamageRule, damage_rule
from .dice import FACES, Dice
from .hitting import again_faces, capped, hitting, ignores, in_cover
from .reading import Scenario
from .rights import Tokens, rerolls, sixes
from .saving import Defence, defences
from .scene import Scene, best, changed, effects, toughness, with_abilities
from .throwing import Rolling, Tables


@dataclass(frozen=True)
class Profile:
    """One weapon against the target as it stands.

    hit is None for automatic hits; wound holds the tables of the possible Strengths with their
    chances (§2: a random Strength is rolled for each attack).
    """

    hit: Rolling | None
    lethal: bool
    sustained: Dice | None
    wound: Tables
    devastating: bool
    splits: bool
    precision: bool
    defences: tuple[Defence, ...]
    save_again: str
    save_single: Tokens
    save_sixes: Tokens
    damage: DamageRule
    devastating_damage: DamageRule
    scene: Scene
    abilities: tuple[Ability, ...]


def wound_need(strength: int, target: int) -> int:
    """§1.4."""
    if strength >= 2 * target:
        return 2
    if 2 * strength <= target:
        return 6
    return 3 if strength > target else 4 if strength == target else 5


def wounding(scene: Scene, abilities: tuple[Ability, ...]) -> Rolling:
    """The wound die at the Strength and Toughness of the scene (§4)."""
    assert scene.strength is not None
    assert scene.toughness is not None
    amounts = [effect.amount for effect in effects(scene, "modify", "wound")]
    if "lance" in scene.names and scene.scenario.flag("charged"):
        amounts.append(1)
    modifier = capped(amounts, ignores(scene, "wound"))
    criticals = [6, *(effect.amount for effect in effects(scene, "critical", "wounds"))]
    criticals += [
        a.threshold
        for a in abilities
        if a.name == "anti" and scene.target_keywords.intersection(a.against)
    ]
    need = wound_need(scene.strength, scene.toughness)
    lowest = min(criticals)

    def meaning(face: int) -> str:
        if face == 1:
            return "fail"
        if face >= lowest:
            return "critical"
        return "ordinary" if face + modifier >= need else "fail"

    table = tuple(map(meaning, FACES))
    again, single = rerolls(scene, "wounds")
    if "twin-linked" in scene.names and again != "noncritical":
        again = "failed"
    return Rolling(table, again_faces(table, again), single, sixes(scene, "wound"))


def armour_piercing(scene: Scene) -> tuple[int, int]:
    """AP of an ordinary wound and of a critical one, never worse than 0 (§1.3); 10e Plunging Fire
    (§8.2).
    """
    assert scene.weapon is not None
    printed = scene.weapon.ap
    for effect in effects(scene, "set", "ap"):
        printed = effect.dice.plus
    amounts = [effect.amount for effect in effects(scene, "modify", "ap")]
    if scene.scenario.tenth and scene.shooting and scene.scenario.flag("plunging_fire"):
        amounts.append(1)
    ignore = ignores(scene, "ap")
    better = -printed + sum(amount for amount in amounts if amount > 0 or not ignore)
    more = sum(effect.amount for effect in effects(scene, "critical ap"))
    return min(0, -better), min(0, -better - more)


def make_profile(
    scenario: Scenario, index: int, living: tuple[bool, ...], met: tuple[bool, ...]
) -> Profile:
    """Weapon `index` against the living groups; the Toughness is that of the `met` groups (§4)."""
    scene, abilities = with_abilities(Scene(scenario, scenario.weapons[index], living))
    assert scene.weapon is not None
    against = toughness(replace(scene, living=met))
    tables: dict[Rolling, Fraction] = {}
    strengths = scene.weapon.strength.law()
    for printed, chance in strengths.items():
        strength = max(1, changed(scene, "strength", printed))
        at = replace(scene, strength=strength, toughness=against)
        table = wounding(at, abilities)
        tables[table] = tables.get(table, Fraction(0)) + chance
    if len(strengths) == 1:
        scene = at
    ordinary_ap, critical_ap = armour_piercing(scene)
    save_again, save_single = rerolls(scene, "saves")
    half = scene.shooting and scenario.flag("half_range")
    melta = best(abilities, "melta") if half else None
    return Profile(
        hit=hitting(scene),
        lethal="lethal hits" in scene.names,
        sustained=best(abilities, "sustained hits"),
        wound=tuple((chance, table) for table, chance in tables.items()),
        devastating="devastating wounds" in scene.names,
        splits=ordinary_ap != critical_ap,
        precision="precision" in scene.names
        and not (scene.scenario.edition == "11e" and "torrent" in scene.names),  # §8.1, no. 37
        defences=defences(scene, (ordinary_ap, critical_ap), in_cover(scene)),
        save_again=save_again,
        save_single=save_single,
        save_sixes=sixes(scene, "save"),
        damage=damage_rule(scene, melta, False),
        devastating_damage=damage_rule(scene, melta, True),
        scene=scene,
        abilities=abilities,
    )
