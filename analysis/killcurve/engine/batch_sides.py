"""A weapon line taken apart: how many attacks it makes, what one does, and what a wound does.

Lines that differ elsewhere share a side, so that what follows from it is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

from killcurve.engine.change import UNCHANGED
from killcurve.engine.dice import Dice
from killcurve.engine.edition import Edition
from killcurve.engine.roll import Reroll
from killcurve.engine.weapon import Modifiers, Weapon, WeaponLine

_ONE = Dice(bonus=1)

_NUMBER: dict[str, Any] = {
    "attacks": UNCHANGED,
    "extra_attacks": (),
    "reroll_attacks": Reroll.NONE,
}
"""What of the modifiers decides how many attacks there are, as it is where nothing is changed."""

_HIT: dict[str, Any] = {
    "skill": 0,
    "skill_set": None,
    "cover": False,
    "hit": 0,
    "hit_gate": 1,
    "only_gate_counts": False,
    "critical_hits": 6,
    "critical_hits_if_successful": None,
    "reroll_hits": Reroll.NONE,
    "sustained": None,
    "lethal": False,
}
"""What decides about hit rolls: nothing, where attacks hit by themselves."""

_UNTIL_WOUNDED: dict[str, Any] = {
    **{name: usual for name, usual in _HIT.items() if name != "cover"},
    "hits_automatically": False,
    "bars_hit_rerolls": False,
    "strength": UNCHANGED,
    "wound": 0,
    "critical_wounds": 6,
    "reroll_wounds": Reroll.NONE,
    "toughness": 0,
    "toughness_set": None,
}
"""What decides about hits and wounds only."""

_SAVED: dict[str, Any] = {
    "ap": 0,
    "ap_set": None,
    "save": 0,
    "save_set": None,
    "save_roll": 0,
    "reroll_saves": Reroll.NONE,
    "invulnerable": (),
    "bars_hit_rerolls": False,
}
"""What decides about saves only."""

_HURT: dict[str, Any] = {
    "damage": UNCHANGED,
    "damage_when_allocated": UNCHANGED,
    "reroll_damage": Reroll.NONE,
    "feel_no_pain": (),
    "bars_hit_rerolls": False,
}
"""What decides about damage only. What is named nowhere here stays on every side."""

_STRENGTH = ("strength", "toughness", "toughness_set")
"""What of the modifiers decides whether Strength is above Toughness."""


class Sides(NamedTuple):
    """A line as far as the number of attacks, one attack die, a save and damage depend on it.

    ``number`` and ``die`` make the attack half, ``save`` and ``damage`` the target half.
    """

    number: WeaponLine
    die: WeaponLine
    save: WeaponLine
    damage: WeaponLine


def sides(line: WeaponLine, edition: Edition) -> Sides:
    """Take a line apart; each side is a line with everything that it does not ask for as usual.

    The line is taken by itself: rights, variants and precise attacks are left out.

    >>> heavy = Weapon(count=2, attacks=Dice.parse(3), skill=4, strength=Dice.parse(8), ap=-2,
    ...                damage=Dice.parse("D6"))
    >>> other = Weapon(count=2, attacks=Dice.parse(3), skill=4, strength=Dice.parse(8), ap=0,
    ...                damage=Dice.parse("D6"))
    >>> from killcurve.engine.edition import edition
    >>> apart = [sides(WeaponLine(weapon), edition("11e")) for weapon in (heavy, other)]
    >>> [one == same for one, same in zip(*apart)]
    [True, True, False, True]
    """
    weapon, plain, strong = line.weapon, line.modifiers, line.when_stronger
    hits_covered = edition.cover_worsens_skill and weapon.ranged
    saves_covered = not edition.cover_worsens_skill and weapon.ranged
    kind = weapon.ranged, weapon.psychic
    return Sides(
        number=_number_side(weapon.count, weapon.attacks, _number(plain)),
        die=_die_side(
            weapon.skill,
            weapon.strength,
            _die(plain, hits_covered),
            None if strong is None else _die(strong, hits_covered),
        ),
        save=_save_side(
            weapon.ap,
            kind,
            line.ordinary_first,
            *_wounded(partial(_saved, covered=saves_covered), line),
        ),
        damage=_damage_side(weapon.damage, kind, *_wounded(_hurt, line)),
    )


def _wounded(
    side: Callable[[Modifiers], Modifiers], line: WeaponLine
) -> tuple[Modifiers, Modifiers | None, Dice]:
    """The modifiers of a side of wounds, and the Strength that decides between them."""
    plain = side(line.modifiers)
    strong = None if line.when_stronger is None else side(line.when_stronger)
    if strong is None or strong == plain:
        return plain, None, _ONE
    asking = {name: getattr(line.modifiers, name) for name in _STRENGTH}
    return replace(plain, **asking), replace(strong, **asking), line.weapon.strength


@lru_cache(maxsize=65_536)
def _number_side(count: int, attacks: Dice, modifiers: Modifiers) -> WeaponLine:
    return WeaponLine(Weapon(count, attacks, None, _ONE, 0, _ONE), modifiers)


@lru_cache(maxsize=65_536)
def _die_side(
    skill: int | None, strength: Dice, plain: Modifiers, strong: Modifiers | None
) -> WeaponLine:
    weapon = Weapon(1, _ONE, skill, strength, 0, _ONE)
    return WeaponLine(weapon, plain, None if strong == plain else strong)


@lru_cache(maxsize=65_536)
def _save_side(
    ap: int,
    kind: tuple[bool, bool],
    ordinary_first: bool,
    plain: Modifiers,
    strong: Modifiers | None,
    strength: Dice,
) -> WeaponLine:
    weapon = Weapon(1, _ONE, None, strength, ap, _ONE, *kind)
    return WeaponLine(weapon, plain, strong, ordinary_first=ordinary_first)


@lru_cache(maxsize=65_536)
def _damage_side(
    damage: Dice,
    kind: tuple[bool, bool],
    plain: Modifiers,
    strong: Modifiers | None,
    strength: Dice,
) -> WeaponLine:
    return WeaponLine(Weapon(1, _ONE, None, strength, 0, damage, *kind), plain, strong)


@lru_cache(maxsize=65_536)
def _number(modifiers: Modifiers) -> Modifiers:
    return Modifiers(**{name: getattr(modifiers, name) for name in _NUMBER})


@lru_cache(maxsize=65_536)
def _die(modifiers: Modifiers, covered: bool) -> Modifiers:
    usual: dict[str, Any] = {**_NUMBER, **_SAVED, **_HURT}
    if modifiers.hits_automatically:
        usual |= _HIT
    elif not covered:
        usual["cover"] = False
    return replace(modifiers, **usual, critical_wound_ap=_apart(modifiers))


@lru_cache(maxsize=65_536)
def _saved(modifiers: Modifiers, covered: bool) -> Modifiers:
    usual: dict[str, Any] = {**_NUMBER, **_UNTIL_WOUNDED, **_HURT}
    if not covered:
        usual["cover"] = False
    return replace(modifiers, **usual)


@lru_cache(maxsize=65_536)
def _hurt(modifiers: Modifiers) -> Modifiers:
    without = {**_NUMBER, **_UNTIL_WOUNDED, **_SAVED, "cover": False}
    return replace(modifiers, **without, critical_wound_ap=_apart(modifiers))


def _apart(modifiers: Modifiers) -> int:
    """Critical wounds are kept apart or not, whatever their AP is."""
    return min(1, abs(modifiers.critical_wound_ap))
