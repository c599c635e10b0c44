"""A weapon line made ready against the part of the state space it meets: packets and saves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from killcurve.engine import allocation
from killcurve.engine.allocation import Order
from killcurve.engine.attack import Batch, batch, modifiers_at
from killcurve.engine.change import UNCHANGED, Change
from killcurve.engine.dice import Dice
from killcurve.engine.edition import Devastating, Edition
from killcurve.engine.hashing import Remembers, hashed_once
from killcurve.engine.losses import Steps
from killcurve.engine.packets import Map, felt, one_model, spilling
from killcurve.engine.pmf import Pmf
from killcurve.engine.roll import Reroll
from killcurve.engine.saves import SaveRoll, save_need
from killcurve.engine.states import IntArray, states
from killcurve.engine.target import Harm, ModelGroup, Target, best
from killcurve.engine.weapon import Modifiers, WeaponLine

Kind = tuple[int, int, "int | None"]
"""W, Sv and InSv of a model, as they hold against an attack."""

_ONE = Dice(bonus=1)
_NO_BATCH = Batch(0, Pmf.point(0), ())


@hashed_once
@dataclass(frozen=True, slots=True)
class Packet(Remembers):
    """A damaging attack that has got through: what a model of each group loses by it.

    ``points[g]`` is the law of points of damage for group g, Feel No Pain taken off. Damage
    that ``spills`` goes on to the next model point by point: ``damage`` and ``feel_no_pain``
    say how.
    """

    damage: Pmf
    feel_no_pain: tuple[int | None, ...]
    spills: bool = False

    @property
    def points(self) -> tuple[Pmf, ...]:
        """The laws of the wounds it takes from a model with enough of them, by group."""
        return tuple(felt(self.damage, value) for value in self.feel_no_pain)

    def map(self, target: Target, order: Order) -> Map:
        """What it does to every state; see :func:`packet_map`."""
        return packet_map(self, target, order)


@lru_cache(maxsize=512)
def packet_map(packet: Packet, target: Target, order: Order) -> Map:
    """The map of a packet over the target's states, its models suffering in that order."""
    space = states(target)
    selection = selected(target, order)
    if packet.spills:
        return spilling(space, selection, packet.damage, packet.feel_no_pain)
    return one_model(space, selection, packet.points)


@lru_cache(maxsize=256)
def packet_steps(packet: Packet, target: Target, order: Order) -> Steps:
    """The map of a packet with its powers."""
    return Steps(packet_map(packet, target, order))


@lru_cache(maxsize=512)
def selected(target: Target, order: Order) -> IntArray:
    """The group that suffers next, for every state; see :mod:`killcurve.engine.allocation`."""
    space = states(target)
    return allocation.in_order(space, order)


@hashed_once
@dataclass(frozen=True, slots=True)
class Shot(Remembers):
    """One weapon line against one Toughness: its batch of attacks and what follows them.

    ``saves[g]`` are the rolls of group g against ordinary wounds, ``kinds[g]`` its W, Sv and
    InSv as they hold here: groups of one kind save together (RULES.md §5.1). ``special`` is what
    critical wounds do when they are kept apart: a packet that no save stops (devastating), or
    the ordinary one against ``special_saves`` (a better AP). ``damage`` is the printed
    characteristic with its changes, for those who look at the roll, and ``reroll_damage`` the
    re-roll that every damage roll has.
    """

    batch: Batch
    saves: tuple[SaveRoll, ...]
    kinds: tuple[Kind, ...]
    ordinary: Packet
    special: Packet | None = None
    special_saves: tuple[SaveRoll, ...] | None = None
    damage: Dice = _ONE
    damage_change: Change = UNCHANGED
    special_change: Change = UNCHANGED
    reroll_damage: Reroll = Reroll.NONE

    def after_wounding(self) -> Shot:
        """The shot as far as it matters once its critical wounds are made.

        Shots that differ in how they hit and wound, or in their saves, become equal.
        """
        special = self.special or self.ordinary
        return replace(
            self,
            batch=_NO_BATCH,
            saves=(),
            kinds=(),
            ordinary=special,
            damage_change=self.special_change,
        )


@lru_cache(maxsize=4096)
def shot(line: WeaponLine, toughness: int, target: Target, edition: Edition) -> Shot:
    """Make a line ready against a target of that (changed) Toughness.

    Raises:
        ValueError: if Strength is random and decides about saves or damage as well.
    """
    modifiers = _after_wounding(line, toughness, edition)
    devastating = modifiers.devastating
    special, special_saves = None, None
    if devastating:
        special = _packet(line, modifiers, target, edition, devastating=True)
    elif modifiers.critical_wound_ap:
        special = _packet(line, modifiers, target, edition, devastating=False)
        special_saves = _saves(line, modifiers, target, edition, modifiers.critical_wound_ap)
    return Shot(
        batch=batch(line, toughness, edition),
        saves=_saves(line, modifiers, target, edition, 0),
        kinds=tuple(_kind(line, modifiers, group) for group in target.groups),
        ordinary=_packet(line, modifiers, target, edition, devastating=False),
        special=special,
        special_saves=special_saves,
        damage=line.weapon.damage,
        damage_change=modifiers.damage_when_allocated,
        special_change=_damage_change(modifiers, edition, devastating=devastating),
        reroll_damage=modifiers.reroll_damage,
    )


def _saves(
    line: WeaponLine, modifiers: Modifiers, target: Target, edition: Edition, ap_bonus: int
) -> tuple[SaveRoll, ...]:
    return tuple(save_roll(line, modifiers, group, edition, ap_bonus) for group in target.groups)


def _damage_change(modifiers: Modifiers, edition: Edition, *, devastating: bool) -> Change:
    spared = devastating and edition.allocated_changes_spare_devastating
    return modifiers.damage if spared else modifiers.damage_when_allocated


def save_roll(
    line: WeaponLine, modifiers: Modifiers, group: ModelGroup, edition: Edition, ap_bonus: int
) -> SaveRoll:
    """The save that a model of the group makes against one wound of this line."""
    weapon = line.weapon
    _, save, invulnerable = _kind(line, modifiers, group)
    return SaveRoll(
        need=save_need(
            save,
            modifiers.ap_from(weapon.ap) - ap_bonus,
            invulnerable,
            edition,
            cover=modifiers.cover and weapon.ranged,
            roll_bonus=modifiers.save_roll,
        ),
        reroll=modifiers.reroll_saves,
    )


def _kind(line: WeaponLine, modifiers: Modifiers, group: ModelGroup) -> Kind:
    harm = Harm(ranged=line.weapon.ranged, psychic=line.weapon.psychic)
    invulnerable = best(group.invulnerable + modifiers.invulnerable, harm)
    return group.wounds, modifiers.save_from(group.save), invulnerable


def _packet(
    line: WeaponLine, modifiers: Modifiers, target: Target, edition: Edition, *, devastating: bool
) -> Packet:
    kind = edition.devastating
    mortal = devastating and kind is not Devastating.UNSAVEABLE_DAMAGE
    change = _damage_change(modifiers, edition, devastating=devastating)
    ones = modifiers.reroll_damage is Reroll.ONES
    law = change.law(line.weapon.damage, edition, Reroll.ONES if ones else Reroll.NONE)
    harm = Harm(ranged=line.weapon.ranged, psychic=line.weapon.psychic, mortal=mortal)
    return Packet(
        damage=law,
        feel_no_pain=tuple(
            best(group.feel_no_pain + modifiers.feel_no_pain, harm) for group in target.groups
        ),
        spills=devastating and kind is Devastating.SPILLING_MORTALS,
    )


def _after_wounding(line: WeaponLine, toughness: int, edition: Edition) -> Modifiers:
    """The modifiers that saves and damage are made with."""
    strengths = line.modifiers.strength.law(line.weapon.strength, edition).values.tolist()
    found = [modifiers_at(line, strength, toughness) for strength in strengths]
    if len({replace(m, **_BEFORE_SAVES) for m in found}) > 1:
        raise ValueError(
            "a random Strength cannot decide about saves or damage by whether it is above Toughness"
        )
    return found[0]


_BEFORE_SAVES: dict[str, Any] = {
    "hit": 0,
    "wound": 0,
    "skill": 0,
    "critical_hits": 6,
    "critical_wounds": 6,
    "reroll_hits": Reroll.NONE,
    "reroll_wounds": Reroll.NONE,
    "sustained": None,
    "lethal": False,
    "attacks": UNCHANGED,
    "reroll_attacks": Reroll.NONE,
    "strength": UNCHANGED,
}
"""What of the modifiers plays no part once an attack has wounded."""
