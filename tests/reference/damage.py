"""The Damage of one attack: order of modifiers, re-rolls (RULES.md §1.3, §6.1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from .dice import NO_DICE, Dice, Law, certain, mapped, roll
from .phrases import Effect
from .scene import Scene, effects

Tokens = tuple[str, ...]


@dataclass(frozen=True)
class DamageRule:
    """How a damage roll becomes points.

    dice is the characteristic (already replaced where a rule sets it); again: free re-rolls;
    once, single, sixes: names of things used up (`damage = 0 once`, `reroll damage one`, `set one
    damage to 6`).
    """

    tenth: bool
    dice: Dice
    plus: int
    minus: int
    halves: int
    again: str
    once: Tokens
    single: Tokens
    sixes: Tokens

    def points(self, rolled: int) -> int:
        """§1.3: 11e adds, divides, subtracts; 10e divides, adds, subtracts. Rounded up, at least 1.

        A Damage set to 0 stays 0.
        """
        if not self.dice.random and self.dice.plus == 0:
            return 0
        value = Fraction(rolled)
        divisor = Fraction(2**self.halves)
        value = value / divisor + self.plus if self.tenth else (value + self.plus) / divisor
        return max(1, math.ceil(value - self.minus))


Counts = Callable[[Effect, bool], bool]
"""Effect and whether it worsens the Damage -> whether it changes this attack."""


def damage_rule(scene: Scene, melta: Dice | None, devastating: bool) -> DamageRule:
    """Collect what changes the Damage of this weapon against this target.

    In 11e a devastating wound is never allocated, so "when allocated" does not touch it (§6.4).
    """
    deaf = any(True for _ in effects(scene, "ignore", "damage"))
    unallocated = devastating and not scene.scenario.tenth

    def counts(effect: Effect, worsens: bool) -> bool:
        return not (effect.allocated and unallocated) and not (worsens and deaf)

    dice, once = _replaced(scene, counts)
    added = [e.amount for e in effects(scene, "modify", "damage") if counts(e, e.amount < 0)]
    if melta is not None:
        if melta.random:
            raise NotImplementedError("melta with a dice expression")
        added.append(melta.plus)
    again, single = rerolls(scene, "damage")
    return DamageRule(
        tenth=scene.scenario.tenth,
        dice=dice,
        plus=sum(amount for amount in added if amount > 0),
        minus=-sum(amount for amount in added if amount < 0),
        halves=sum(counts(effect, True) for effect in effects(scene, "halve", "damage")),
        again=again,
        once=once,
        single=single,
        sixes=tuple(effect.token for effect in effects(scene, "set one", "damage")),
    )


def _replaced(scene: Scene, counts: Counts) -> tuple[Dice, Tokens]:
    """The Damage after rules that set it, and the tokens of `damage = 0 once`.

    The attacker's rules come first, then the defender's; 0 stays 0.
    """
    assert scene.weapon is not None
    dice = scene.weapon.damage
    once: Tokens = ()
    for effect in effects(scene, "set", "damage"):
        if not counts(effect, effect.side == "defender"):
            continue
        if effect.once and effect.dice != NO_DICE:
            raise NotImplementedError("damage set once to something else than 0")
        if effect.once:
            once = (*once, effect.token)
        elif dice != NO_DICE:
            dice = effect.dice
    return dice, once


def rerolls(scene: Scene, what: str) -> tuple[str, Tokens]:
    """The strongest free re-roll that holds, and the tokens of the single ones."""
    found = list(effects(scene, "reroll", what))
    kinds = {effect.how for effect in found}
    again = next((kind for kind in ("noncritical", "failed", "ones") if kind in kinds), "none")
    if again == "noncritical" and what in ("damage", "attacks", "saves"):
        raise ValueError(f"reroll {what} noncritical: only hits and wounds can be critical")
    return again, tuple(effect.token for effect in found if effect.how == "one")


@lru_cache(maxsize=4096)
def damage_points(rule: DamageRule, tokens: Tokens) -> Law:
    """Law of (points, tokens left) for one damaging attack."""
    for name in rule.once:
        if name in tokens:
            return certain((0, without(tokens, name)))
    if rule.dice.random:
        for name in rule.sixes:
            if name in tokens:
                if len(rule.dice.sides) > 1:
                    raise NotImplementedError("set one damage to 6 for a roll of several dice")
                highest = rule.dice.sides[0] + rule.dice.plus
                return certain((rule.points(highest), without(tokens, name)))
    spare = tuple(name for name in rule.single if name in tokens)

    def result(rolled: tuple[int, int]) -> tuple[int, Tokens]:
        value, used = rolled
        return rule.points(value), (without(tokens, spare[0]) if used else tokens)

    return mapped(roll(rule.dice, rule.again, spare), result)


def without(tokens: Tokens, name: str) -> Tokens:
    """The tokens left after one is used."""
    return tuple(token for token in tokens if token != name)
