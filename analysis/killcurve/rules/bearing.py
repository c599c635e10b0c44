"""Whom an effect helps: the unit that attacks, or the one that is attacked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from killcurve.rules.effect_rules import ATTACKERS_ONLY, RULES, improves_attacks
from killcurve.rules.effects import Effect, Shift


def flat(effects: Iterable[Effect]) -> Iterator[Effect]:
    """The effects, those among which one may choose included."""
    for effect in effects:
        if effect.what == "one of" and isinstance(effect.amount, tuple):
            for option in effect.amount:
                yield from flat(option)
        yield effect


def protects(effect: Effect) -> bool:
    """Whether an effect changes attacks against the unit that has it.

    >>> [protects(Effect.parse(p)) for p in ("hit -1", "lethal hits", "save +1", "hit +1")]
    [True, False, True, False]
    """
    shift = effect.amount
    helps_attacker = (
        isinstance(shift, Shift)
        and shift.sign == "+"
        and effect.what in ("hit", "wound", "skill", "ap", "attacks", "strength", "damage")
    )
    return effect.what in RULES and effect.what not in ATTACKERS_ONLY and not helps_attacker


def helps_attacks(effect: Effect, side: str) -> bool:
    """Whether an effect of a rule of that ``side`` makes its unit's own attacks better.

    Of a rule for both sides, what worsens attacks is meant for those against the unit.

    >>> [helps_attacks(Effect.parse(p), "both") for p in ("hit -1", "hit +1", "lethal hits")]
    [False, True, True]
    """
    worsens = side == "both" and isinstance(effect.amount, Shift) and effect.amount.sign == "-"
    return improves_attacks(effect) and not worsens
