"""The Damage of one attack: order of modifiers, re-rolls, rights (RULES.md §1.3, §6.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from .course import Worth, pick
from .dice import (
    NO_DICE,
    Dice,
    Law,
    Roll,
    Shown,
    first_roll,
    fresh,
    lowest,
    mapped,
    others,
    rolled,
    showing,
    spread,
)
from .phrases import Effect
from .rights import Tokens, kept, rerolls, sixes, without
from .scene import Scene, effects


@dataclass(frozen=True)
class DamageRule:
    """How a damage roll becomes points.

    dice is the characteristic (already replaced where a rule sets it); again: free re-rolls;
    once, single, sixes: tokens of rights (`damage = 0 once`, `reroll damage one`, `set one damage
    to 6`).
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
        parts = 1 << self.halves
        value = rolled if self.tenth else rolled + self.plus
        value = -(-value // parts) + (self.plus if self.tenth else 0)
        return max(1, value - self.minus)

    def offers(self, tokens: Tokens) -> bool:
        """Whether anybody has something to choose for a damage roll."""
        rights = self.single + self.sixes if self.dice.random else ()
        best = self.dice.random and self.again in ("failed", "noncritical")
        return best or bool(kept(tokens, self.once + rights))


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
        sixes=sixes(scene, "damage"),
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


class Use(NamedTuple):
    """A re-roll or change of a damage roll: its token (none if it is free), the dice that lie
    still, and those rolled again.
    """

    name: str
    still: Roll
    again: tuple[int, ...]


def dealt(
    rule: DamageRule, tokens: Tokens, follow: Callable[[int, Tokens], Law], worth: Worth
) -> Law:
    """One damaging attack. The defender may turn its Damage to 0 before the roll; the attacker sees
    the roll and may change it; `follow` tells from the points and the tokens left what comes next.
    """
    if not rule.offers(tokens):
        return spread(points_rolled(rule), lambda points: follow(points, tokens))

    @cache
    def left_alone(points: int, left: Tokens) -> Law:
        return follow(points, left)

    @cache
    def used(use: Use, left: Tokens) -> Law:
        after = without(left, use.name) if use.name else left
        rolls = rolled(use.again, False)
        return spread(rolls, lambda new: decided(tuple(sorted(use.still + new)), after))

    def decided(roll: Roll, left: Tokens) -> Law:
        def outcome(use: Use | None) -> Law:
            if use is not None:
                return used(use, left)
            return left_alone(rule.points(showing(roll) + rule.dice.plus), left)

        return pick([None, *_uses(rule, roll, left)], outcome, worth, 1)

    def unless(name: str | None) -> Law:
        if name is not None:
            return follow(0, without(tokens, name))
        return spread(_seen(rule), lambda roll: decided(roll, tokens))

    return pick([None, *dict.fromkeys(kept(tokens, rule.once))], unless, worth, -1)


def _seen(rule: DamageRule) -> Law:
    """Law of the Roll both players see; a total of 1 was re-rolled before where that is free."""
    return first_roll(rule.dice, "ones" if rule.again == "ones" else "none")


@lru_cache(maxsize=4096)
def points_rolled(rule: DamageRule) -> Law:
    """Law of the points where nobody has anything to choose."""
    return mapped(_seen(rule), lambda roll: rule.points(showing(roll) + rule.dice.plus))


def _uses(rule: DamageRule, roll: Roll, tokens: Tokens) -> Iterator[Use]:
    """What may be done to a roll: the whole of it again for free, then the rights.

    A single re-roll takes the whole roll in 10e, its lowest die in 11e (§9, §13.8).
    """
    whole = tuple(die.sides for die in roll)
    if rule.again in ("failed", "noncritical") and fresh(roll):
        yield Use("", (), whole)
    usable = list(dict.fromkeys(tokens)) if roll else []
    for name in usable:
        if name in rule.single and rule.tenth and fresh(roll):
            yield Use(name, (), whole)
        low = lowest(roll)
        if name in rule.single and not rule.tenth and low is not None:
            yield Use(name, others(roll, low), (low.sides,))
    for name in usable:
        if name in rule.sixes:
            if len(roll) > 1:
                raise NotImplementedError("set one damage to 6 for a roll of several dice")
            sides = roll[0].sides
            yield Use(name, (Shown(sides, sides, False),), ())
