"""Rights that are used up: single re-rolls, `set one … to 6`, `damage = 0 once`.

Each stands in the state as a token until its owner uses it. Equal phrases have equal tokens.
"""

from __future__ import annotations

from collections.abc import Iterable

from .phrases import Effect
from .reading import Scenario, Weapon
from .scene import Scene, effects

Tokens = tuple[str, ...]

HARM = frozenset({"saves", "save", "damage"})
"""What rights may change once hits and wounds are settled."""


def is_right(effect: Effect) -> bool:
    """Whether the effect is used up by its first use."""
    return effect.kind == "set one" or effect.how == "one" or effect.once


def without(tokens: Tokens, name: str) -> Tokens:
    """The tokens left after one is used."""
    place = tokens.index(name)
    return tokens[:place] + tokens[place + 1 :]


def kept(tokens: Tokens, useful: Iterable[str]) -> Tokens:
    """The tokens that are still of use: states that differ in others are equal."""
    return tuple(token for token in tokens if token in useful)


def all_tokens(scenario: Scenario) -> Tokens:
    """One token a right of either side."""
    both = scenario.attacker.effects + scenario.target.effects
    return tuple(effect.token for effect in both if is_right(effect))


def useful(scenario: Scenario, weapon: Weapon, harm_only: bool = False) -> frozenset[str]:
    """The rights that might be used while this weapon attacks, whatever the conditions say;
    harm_only: those of saves and damage.
    """
    both = scenario.attacker.effects + scenario.target.effects

    def of_use(effect: Effect) -> bool:
        if effect.scope.startswith('"') and effect.scope.strip('"') != weapon.name:
            return False
        if effect.kind == "command":
            return True
        if harm_only and effect.what not in HARM:
            return False
        if effect.what == "attacks":
            return weapon.attacks.random
        if effect.what == "damage" and not effect.once:
            return rolls_damage(scenario, weapon)
        return True

    return frozenset(effect.token for effect in both if is_right(effect) and of_use(effect))


def rolls_damage(scenario: Scenario, weapon: Weapon) -> bool:
    """Whether the Damage of a weapon may be random."""
    both = scenario.attacker.effects + scenario.target.effects
    return weapon.damage.random or any(
        effect.kind == "set" and effect.what == "damage" and effect.dice.random for effect in both
    )


def rerolls(scene: Scene, what: str) -> tuple[str, Tokens]:
    """The strongest free re-roll that holds, and the tokens of the single ones."""
    found = list(effects(scene, "reroll", what))
    kinds = {effect.how for effect in found}
    again = next((kind for kind in ("noncritical", "failed", "ones") if kind in kinds), "none")
    if again == "noncritical" and what in ("attacks", "saves"):
        raise ValueError(f"reroll {what} noncritical: only hits and wounds can be critical")
    single = [effect for effect in found if effect.how == "one"]
    single += [
        effect
        for effect in effects(scene, "command")
        if (effect.side == "defender") == (what == "saves")
    ]
    return again, _names(single)


def sixes(scene: Scene, what: str) -> Tokens:
    """The tokens of `set one … to 6`."""
    return _names(effects(scene, "set one", what))


def _names(found: Iterable[Effect]) -> Tokens:
    return tuple(dict.fromkeys(effect.token for effect in found))
