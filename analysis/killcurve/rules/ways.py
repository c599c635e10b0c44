"""Effects that leave something to choose, as definite ones: one way for each choice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from killcurve.rules.effects import Effect

Way = tuple[tuple[Effect, ...], tuple[str, ...]]
"""Definite effects, and the options that were taken, in words."""


def ways_to_choose(effects: Iterable[Effect]) -> list[Way]:
    """The effects for each way to take the options they offer, with the options in words.

    >>> offered = [Effect.parse("one of (hit +1 | wound +1) for melee if charged")]
    >>> [(str(effects[0]), taken) for effects, taken in ways_to_choose(offered)]
    [('hit +1 for melee if charged', ('hit +1',)), ('wound +1 for melee if charged', ('wound +1',))]
    """
    parts: list[list[Way]] = []
    for effect in effects:
        if effect.what != "one of" or not isinstance(effect.amount, tuple):
            parts.append([((effect,), ())])
            continue
        parts.append([(_limited(o, effect), (", ".join(map(str, o)),)) for o in effect.amount])
    return [
        (tuple(e for taken, _ in way for e in taken), tuple(t for _, texts in way for t in texts))
        for way in product(*parts)
    ]


def _limited(option: tuple[Effect, ...], by: Effect) -> tuple[Effect, ...]:
    """An option under the scope and the conditions of the choice that offers it."""
    return tuple(
        replace(
            effect,
            scope=effect.scope or by.scope,
            condition=tuple(dict.fromkeys(effect.condition + by.condition)),
        )
        for effect in option
    )
