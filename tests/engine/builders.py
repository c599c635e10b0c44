"""Short ways to write weapons, targets and volleys in tests."""

from __future__ import annotations

from typing import Any

from killcurve.engine.dice import Dice
from killcurve.engine.edition import edition
from killcurve.engine.resolve import resolve
from killcurve.engine.target import ModelGroup, Protection, Target
from killcurve.engine.volley import Outcome, Volley
from killcurve.engine.weapon import Modifiers, Weapon, WeaponLine


def gun(attacks=1, skill=3, strength=4, ap=0, damage=1, count=1, ranged=True, **modifiers: Any):
    """A weapon line; keyword arguments beyond the profile are modifiers."""
    if isinstance(modifiers.get("sustained"), int | str):
        modifiers["sustained"] = Dice.parse(modifiers["sustained"])
    weapon = Weapon(
        count=count,
        attacks=Dice.parse(attacks),
        skill=skill,
        strength=Dice.parse(strength),
        ap=ap,
        damage=Dice.parse(damage),
        ranged=ranged,
    )
    return WeaponLine(weapon, Modifiers(**modifiers))


def squad(
    count=1, toughness=4, save=7, wounds=1, invulnerable=None, feel_no_pain=None, **more: Any
):
    """A group of models with simple protections."""
    protections = {"invulnerable": invulnerable, "feel_no_pain": feel_no_pain}
    made = {
        name: (Protection(value),) if isinstance(value, int) else (value or ())
        for name, value in protections.items()
    }
    return ModelGroup(count=count, toughness=toughness, save=save, wounds=wounds, **made, **more)


def fire(*lines: WeaponLine, at: ModelGroup | tuple[ModelGroup, ...], rules="11e") -> Outcome:
    """The outcome of weapon lines against groups of models."""
    groups = at if isinstance(at, tuple) else (at,)
    return resolve(Volley(edition(rules), Target(groups), lines))
