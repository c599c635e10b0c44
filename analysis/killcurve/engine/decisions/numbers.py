"""The number of attacks, with a right to make one of its rolls again."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from killcurve.engine.attack import Batch
from killcurve.engine.decisions.rights import Rights
from killcurve.engine.decisions.table import Uses
from killcurve.engine.decisions.tape import SAME, Link, Situation, Tape, Weight
from killcurve.engine.pmf import Pmf
from killcurve.engine.roll import Reroll
from killcurve.engine.weapon import Rolled, WeaponLine


def attack_rerolls(rights: Rights, line: WeaponLine) -> Uses:
    """The rights to re-roll a number of attacks; none where every low one is re-rolled anyway.

    Raises:
        ValueError: if there are several, or one beside a re-roll of ones.
    """
    uses = rights.usable(line, Rolled.ATTACKS)
    anyway = line.modifiers.reroll_attacks
    if anyway in (Reroll.FAILED, Reroll.NONCRITICAL):
        return []
    if len(uses) > 1 or (uses and anyway is Reroll.ONES):
        raise ValueError("several re-rolls of one number of attacks are not solved")
    return uses


def rolled_attacks(
    tape: Tape,
    batch: Batch,
    uses: Uses,
    attacks: Callable[[Pmf], Situation],
) -> Situation:
    """The situation before the number of attacks is rolled.

    ``attacks`` makes the situation before that law of a number of attack dice. A right makes
    the lowest weapon's roll again, where that is better.
    """
    if not uses or len(batch.attacks.weights) == 1:
        return attacks(batch.number())
    roll = Pmf(batch.attacks.weights)
    certain = batch.attacks.start * batch.weapons

    @cache
    def total(number: int) -> Situation:
        return attacks(Pmf.point(number))

    links: list[tuple[Link, Situation]] = []
    for (lowest, together), chance in _lowest_and_sum(roll, batch.weapons).items():
        again = tape.chance(
            [
                (Weight(p), total(certain + together - lowest + int(v)))
                for v, p in zip(roll.values, roll.weights, strict=True)
                if p
            ]
        )
        options: list[tuple[Link, Situation]] = [(SAME, total(certain + together))]
        options += [(spend, again) for _, spend in uses]
        links.append((Weight(chance), tape.choice(options, best=np.maximum)))
    return tape.chance(links)


def _lowest_and_sum(roll: Pmf, rolls: int) -> dict[tuple[int, int], float]:
    """P(lowest roll, sum of rolls) of several equal rolls."""
    out: dict[tuple[int, int], float] = {}
    at_least = []
    for low in range(len(roll.weights) + 1):
        law = np.ones(1)
        for _ in range(rolls):
            law = np.convolve(law, np.where(roll.values >= low, roll.weights, 0.0))
        at_least.append(law)
    for low in range(len(roll.weights)):
        exactly = at_least[low] - at_least[low + 1]
        for total in np.flatnonzero(exactly > 1e-18):
            out[low, int(total)] = float(exactly[total])
    return out
