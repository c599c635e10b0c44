"""Mortal wounds that no weapon makes: pools of dice and the ramming stratagems (RULES.md §9)."""

from __future__ import annotations

from .course import Rounds, Step, Worth
from .dice import SIXTH, Law, certain, mapped, spread, successes
from .phrases import Effect
from .scene import Scene, effects, toughness
from .target import State, Table, mortal_wounds, pool_pain

MOST_RAMMED = 6
"""Crushing Impact and Tank Shock: at most so many mortal wounds a unit."""


def pool_law(effect: Effect) -> Law:
    """How many mortal wounds a pool makes: its dice that succeed, or the number itself."""
    law = effect.dice.law()
    if effect.amount:
        law = successes(len(effect.dice.sides), (7 - effect.amount) * SIXTH)
    limit = effect.limit
    return law if limit is None else mapped(law, lambda number: min(number, limit))


def ramming_dice(scene: Scene) -> int:
    """How many D6 are rolled: the attacker's own Toughness; in 2023 the Strength of a melee
    weapon, and two dice more if that is higher than the target's Toughness.
    """
    scenario = scene.scenario
    if scenario.edition in ("11e", "10e"):
        if not scenario.attacker.groups:
            raise ValueError(
                "ramming rolls with the Toughness of attacker.models, and there are none"
            )
        return max(group.toughness for group in scenario.attacker.groups)
    if scenario.phase != "fight" or not scenario.weapons:
        raise NotImplementedError("tank shock of 2023 needs the melee weapons of a fight")
    if any(weapon.strength.random for weapon in scenario.weapons):
        raise NotImplementedError("tank shock of 2023 with a random Strength")
    strength = max(weapon.strength.plus for weapon in scenario.weapons)
    return strength + 2 if strength > toughness(scene) else strength


def rams(scene: Scene) -> list[Effect]:
    """The ramming stratagems in use."""
    found = list(effects(scene, "ram", "crushing impact")) + list(
        effects(scene, "ram", "tank shock")
    )
    if scene.scenario.tenth and any(effect.what == "crushing impact" for effect in found):
        raise NotImplementedError("crushing impact is a stratagem of the 11th edition")
    return found


def rammed(dice: int, chance_sixths: int) -> Law:
    """Mortal wounds from dice of which each has so many faces that hurt."""
    return mapped(successes(dice, chance_sixths * SIXTH), lambda number: min(number, MOST_RAMMED))


def steps(table: Table) -> list[Step | Rounds]:
    """One step a pool, in the order of the effects, the ramming ones last."""
    kinds = [effect for effect in table.scenario.attacker.effects if effect.kind in ("pool", "ram")]

    def one(effect: Effect) -> Step:
        return lambda state, worth: _resolve(table, effect, state, worth)

    return [one(effect) for effect in sorted(kinds, key=lambda effect: effect.kind)]


def _resolve(table: Table, effect: Effect, state: State, worth: Worth) -> Law:
    if not any(state.groups):
        return certain(state)
    scene = Scene(table.scenario, None, state.living)
    if effect.kind == "pool":
        law = pool_law(effect) if effect in effects(scene, "pool") else certain(0)
    else:
        start = Scene(table.scenario, None, table.start.living)
        law = rammed(ramming_dice(start), 2) if effect in rams(scene) else certain(0)
    pain = pool_pain(table, state)
    return spread(law, lambda number: mortal_wounds(table, state, worth, number, pain))
