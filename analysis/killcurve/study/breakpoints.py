"""Breakpoints: where one more of a characteristic changes what a weapon does, as grids.

Of a weapon line and a target two characteristics are varied and everything else stays: Strength
against Toughness, AP against saves, damage against wounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl

from killcurve.engine.attack import batch
from killcurve.engine.dice import Dice
from killcurve.engine.pmf import Pmf
from killcurve.engine.roll import wound_need
from killcurve.engine.saves import save_need
from killcurve.engine.shot import save_roll
from killcurve.engine.target import Harm, ModelGroup, Protection
from killcurve.engine.target import best as best_protection
from killcurve.engine.weapon import Weapon
from killcurve.study.aimed import Aimed, aimed, fixed, weapon_line
from killcurve.study.lines import Attacker, Line
from killcurve.study.matchup import Circumstances
from killcurve.study.targets import Defender
from killcurve.tables.dataset import DataError

_WHAT: dict[str, pl.DataType] = {
    "datasheet": pl.String(),
    "weapon": pl.String(),
    "kind": pl.String(),
    "count": pl.Int64(),
    "target": pl.String(),
}

_DOES: dict[str, pl.DataType] = {
    "damage": pl.Float64(),
    "slain": pl.Float64(),
    "destroyed": pl.Float64(),
    "is_own": pl.Boolean(),
    "left_out": pl.List(pl.String()),
}

STRENGTH_TOUGHNESS: dict[str, pl.DataType] = {
    **_WHAT,
    "strength": pl.Int64(),
    "toughness": pl.Int64(),
    "need": pl.Int64(),
    "chance": pl.Float64(),
    **_DOES,
}
"""What :func:`strength_toughness` gives, a row a Strength and Toughness.

``need`` is the wound roll (4 for 4+) before modifiers, of the Strength and Toughness as rules
change them; ``chance`` that of one wound roll with modifiers and re-rolls. ``damage`` are mean
wounds lost, ``slain`` mean models, ``destroyed`` is P(no model is left). ``is_own`` marks what the
weapon and the target have themselves.
"""

SAVE_AP: dict[str, pl.DataType] = {
    **_WHAT,
    "save": pl.Int64(),
    "ap": pl.Int64(),
    "invulnerable": pl.Int64(),
    "need": pl.Int64(),
    "chance": pl.Float64(),
    **_DOES,
}
"""What :func:`save_ap` gives, a row a save (3 for 3+; 7: none), AP and invulnerable save.

``need`` is the save roll needed with the better of the two saves (7: none can be made), ``chance``
that an ordinary wound is not saved; ``invulnerable`` is null without one.
"""

DAMAGE_WOUNDS: dict[str, pl.DataType] = {
    **_WHAT,
    "damage": pl.String(),
    "wounds": pl.Int64(),
    "unsaved": pl.Float64(),
    "attacks": pl.Float64(),
    "waste": pl.Float64(),
    "waste_share": pl.Float64(),
    "is_own": pl.Boolean(),
    "left_out": pl.List(pl.String()),
}
"""What :func:`damage_wounds` gives, a row a damage characteristic and wounds of a model.

``unsaved`` is the mean number of unsaved wounds that a fresh model takes to fall, ``attacks`` the
mean number of attacks for that against the target (null where none gets through), ``waste`` the
mean damage that is lost on the model beyond its last wound, ``waste_share`` that as a share of all
damage which is not ignored. The target's Feel No Pain counts.
"""

STRENGTHS, TOUGHNESSES = tuple(range(1, 17)), tuple(range(1, 15))
SAVES, APS, INVULNERABLES = tuple(range(2, 8)), tuple(range(0, -7, -1)), (None, 6, 5, 4, 3)
DAMAGES = ("1", "2", "3", "4", "5", "6", "D3", "D3+1", "D6", "D6+1", "D6+2", "2D6")
WOUNDS = tuple(range(1, 25))


def strength_toughness(
    unit: Attacker,
    weapon: str | None,
    target: Defender,
    how: Circumstances = Circumstances(),
    *,
    strengths: Iterable[int] = STRENGTHS,
    toughnesses: Iterable[int] = TOUGHNESSES,
) -> pl.DataFrame:
    """What a weapon line does at each Strength against each Toughness of the target's models.

    Columns are :data:`STRENGTH_TOUGHNESS`.

    Raises:
        DataError: if the unit has no such weapon line.

    >>> import killcurve
    >>> from killcurve.study.lines import attacker
    >>> from killcurve.study.targets import defender
    >>> data = killcurve.load()
    >>> boat, squad = attacker(data, "Raider"), defender(data, "Boyz")
    >>> grid = strength_toughness(boat, "Dark lance", squad, strengths=[5], toughnesses=[2, 5, 11])
    >>> grid["need"].to_list()
    [2, 4, 6]
    """
    line = weapon_line(unit, weapon)
    start = aimed(unit, line, target, how)
    own = start.line.weapon.strength
    met = {group.toughness for group in target.target.groups}
    rows = []
    for strength in sorted(set(strengths)):
        armed = start.with_weapon(strength=fixed(strength))
        for toughness in sorted(set(toughnesses)):
            here = armed.with_models(toughness=toughness)
            need, chance = _wounding(here, strength, toughness)
            rows.append(
                {
                    **_names(unit, line, target),
                    "strength": strength,
                    "toughness": toughness,
                    "need": need,
                    "chance": chance,
                    **_does(here),
                    "is_own": own == fixed(strength) and met == {toughness},
                }
            )
    return pl.DataFrame(rows, schema=STRENGTH_TOUGHNESS)


def _wounding(here: Aimed, strength: int, toughness: int) -> tuple[int, float]:
    """The table's need of the usual Strength, and the chance of one wound roll."""
    modifiers = here.line.modifiers
    changed = modifiers.toughness_from(toughness)
    made = batch(here.line, changed, here.rules)
    chance = sum(p * (die.wound.success + die.wound.critical) for p, die in made.dice)
    strengths = modifiers.strength.law(fixed(strength), here.rules)
    usual = int(strengths.values[int(np.argmax(strengths.weights))])
    return wound_need(usual, changed), float(chance)


def save_ap(
    unit: Attacker,
    weapon: str | None,
    target: Defender,
    how: Circumstances = Circumstances(),
    *,
    saves: Iterable[int] = SAVES,
    aps: Iterable[int] = APS,
    invulnerables: Iterable[int | None] = INVULNERABLES,
) -> pl.DataFrame:
    """What a weapon line does at each AP against each save, and invulnerable save, of the target.

    Columns are :data:`SAVE_AP`.

    Raises:
        DataError: if the unit has no such weapon line.
    """
    line = weapon_line(unit, weapon)
    start = aimed(unit, line, target, how)
    own = {_saves(group, start.line.weapon) for group in target.target.groups}
    rows = []
    for save in sorted(set(saves)):
        for ap in sorted(set(aps), reverse=True):
            for invulnerable in sorted(set(invulnerables), key=lambda value: -(value or 7)):
                protected = () if invulnerable is None else (Protection(invulnerable),)
                here = start.with_weapon(ap=ap).with_models(save=save, invulnerable=protected)
                need = _save_needed(here)
                rows.append(
                    {
                        **_names(unit, line, target),
                        "save": save,
                        "ap": ap,
                        "invulnerable": invulnerable,
                        "need": need,
                        "chance": _unsaved(here),
                        **_does(here),
                        "is_own": ap == start.line.weapon.ap and own == {(save, invulnerable)},
                    }
                )
    return pl.DataFrame(rows, schema=SAVE_AP)


def _saves(group: ModelGroup, weapon: Weapon) -> tuple[int, int | None]:
    return group.save, best_protection(group.invulnerable, _harm(weapon))


def _harm(weapon: Weapon) -> Harm:
    return Harm(ranged=weapon.ranged, psychic=weapon.psychic)


def _save_needed(here: Aimed) -> int:
    modifiers, weapon, group = here.line.modifiers, here.line.weapon, here.target.groups[0]
    return save_need(
        modifiers.save_from(group.save),
        modifiers.ap_from(weapon.ap),
        best_protection(group.invulnerable + modifiers.invulnerable, _harm(weapon)),
        here.rules,
        cover=modifiers.cover and weapon.ranged,
        roll_bonus=modifiers.save_roll,
    )


def _unsaved(here: Aimed) -> float:
    """The chance that an ordinary wound is not saved: that of the line without critical wounds."""
    return save_roll(here.line, here.line.modifiers, here.target.groups[0], here.rules, 0).failure


def damage_wounds(
    unit: Attacker,
    weapon: str | None,
    target: Defender,
    how: Circumstances = Circumstances(),
    *,
    damages: Iterable[str] = DAMAGES,
    wounds: Iterable[int] = WOUNDS,
) -> pl.DataFrame:
    """How many unsaved wounds and attacks one model takes at each damage, and what is wasted.

    The weapon's own damage is among the ``damages``. Columns are :data:`DAMAGE_WOUNDS`.

    Raises:
        DataError: if the unit has no such weapon line, or a damage is no dice expression.
    """
    line = weapon_line(unit, weapon)
    start = aimed(unit, line, target, how)
    own, of_models = line.damage, {group.wounds for group in target.target.groups}
    try:
        asked = {Dice.parse(text) for text in damages} | {own}
    except ValueError as error:
        raise DataError(f"the damage {error}") from None
    through = _through(start)
    rows = []
    for dice in sorted(asked, key=lambda d: (d.mean, str(d))):
        law = _damage(start, dice)
        for size in sorted(set(wounds)):
            taken = _to_fall(law, size)
            lost = taken * law.mean - size
            rows.append(
                {
                    **_names(unit, line, target),
                    "damage": str(dice),
                    "wounds": size,
                    "unsaved": taken,
                    "attacks": taken / through if through else None,
                    "waste": max(0.0, lost),
                    "waste_share": max(0.0, lost / (taken * law.mean)),
                    "is_own": dice == own and of_models == {size},
                    "left_out": list(start.left_out),
                }
            )
    return pl.DataFrame(rows, schema=DAMAGE_WOUNDS)


def _through(start: Aimed) -> float:
    """Unsaved wounds for each attack against the target."""
    stage = start.outcome().stages[0]
    return stage.unsaved / stage.attacks if stage.attacks else 0.0


def _damage(start: Aimed, dice: Dice) -> Pmf:
    """The law of the damage of one unsaved wound, once Feel No Pain has ignored some of it."""
    modifiers, group = start.line.modifiers, start.target.groups[0]
    ignored = best_protection(group.feel_no_pain + modifiers.feel_no_pain, _harm(start.line.weapon))
    law = modifiers.damage_when_allocated.law(dice, start.rules, modifiers.reroll_damage)
    if ignored is None:
        return law
    through = Pmf([(7 - ignored) / 6, (ignored - 1) / 6])
    total = np.zeros(int(law.values[-1]) + 1)
    each = Pmf.point(0)
    chances = law.from_zero()
    for points, chance in enumerate(chances):
        own = each.from_zero()
        total[: len(own)] += chance * own
        if points + 1 < len(chances):
            each = each + through
    return Pmf(total)


def _to_fall(law: Pmf, wounds: int) -> float:
    """The mean number of unsaved wounds until a model of so many wounds falls.

    >>> [_to_fall(Dice.parse("2").pmf, size) for size in (1, 2, 3)]
    [1.0, 1.0, 2.0]
    >>> round(_to_fall(Dice.parse("D3").pmf, 2), 12)  # 1 + 1/3
    1.333333333333
    """
    chances = law.from_zero()
    none = float(chances[0])
    means = [0.0]
    for left in range(1, wounds + 1):
        more = sum(
            float(chances[points]) * means[left - points]
            for points in range(1, min(left, len(chances) - 1) + 1)
        )
        means.append((1 + more) / (1 - none))
    return means[wounds]


def _names(unit: Attacker, line: Line, target: Defender) -> dict[str, Any]:
    return {
        "datasheet": unit.datasheet,
        "weapon": line.name,
        "kind": line.kind,
        "count": max(1, line.count),
        "target": target.name,
    }


def _does(here: Aimed) -> dict[str, Any]:
    outcome = here.outcome()
    return {
        "damage": outcome.damage.mean,
        "slain": outcome.slain.mean,
        "destroyed": outcome.destroyed,
        "left_out": list(here.left_out),
    }


GRIDS: Sequence[str] = ("s-t", "sv-ap", "d-w")
"""The grids that the shell names: Strength × Toughness, save × AP, damage × wounds."""
