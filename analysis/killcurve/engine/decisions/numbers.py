"""The number of attacks, with a right to make one of its rolls again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from killcurve.engine.attack import Batch
from killcurve.engine.change import kept_and_again
from killcurve.engine.decisions.game import Game
from killcurve.engine.decisions.links import SAME, Link, Weight
from killcurve.engine.decisions.meters import Meter, Metered, MeteredLaw
from killcurve.engine.decisions.tape import Situation
from killcurve.engine.dice import Dice
from killcurve.engine.law import mixture
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.roll import Reroll
from killcurve.engine.weapon import Rolled, WeaponLine

MOST_ROLLS = 12
"""Dice of one number of attacks that several rights may change."""


def rolled_attacks(
    game: Game,
    line: WeaponLine,
    batch: Batch,
    attacks: Callable[[Pmf], Situation],
    meter: Meter,
) -> Situation:
    """The situation before the number of attacks is rolled.

    ``attacks`` makes the situation before that law of a number of attack dice. A right makes
    the lowest roll again, where that is better: one die, or in the 10th edition a weapon's roll.

    Raises:
        ValueError: if several rights meet many dice, or something reduces a number of several.
    """
    tape, uses = game.tape, game.rights.usable(line, Rolled.ATTACKS)
    if not uses or _printed(line).is_fixed:
        number = batch.number()
        return tape.chance([(MeteredLaw(meter, number), attacks(number))])
    roll = _roll(game, line)
    more = _more(line, batch, roll)
    certain = batch.attacks.start * batch.weapons

    @cache
    def total(number: int) -> Situation:
        return tape.chance([(Metered(meter, number), attacks(Pmf.point(number)))])

    @cache
    def decided(lowest: tuple[int, ...], shown: int) -> Situation:
        """Before the player looks at the rolls; of ``lowest`` each may still be made again."""
        if not lowest:
            return total(shown)
        without = shown - lowest[0]
        again = tape.chance(
            [(Weight(p), decided(lowest[1:], without + v)) for v, p in enumerate(roll.law) if p]
        )
        options: list[tuple[Link, Situation]] = [(SAME, total(shown))]
        options += [(spend, again) for _, spend in uses]
        return tape.choice(options, best=np.maximum)

    links: list[tuple[Link, Situation]] = []
    for (lowest, together), chance in roll.lowest_and_sum(batch.weapons, len(uses)).items():
        for extra, share in zip(more.values.tolist(), more.weights.tolist(), strict=True):
            links.append((Weight(chance * share), decided(lowest, certain + together + extra)))
    return tape.chance(links)


@dataclass(frozen=True, slots=True)
class _Roll:
    """What one roll adds to the least number: as it stands first, after a free re-roll, in general.

    ``each`` is how many such rolls a weapon makes.
    """

    fresh: FloatArray
    stale: FloatArray
    law: FloatArray
    each: int

    def lowest_and_sum(self, weapons: int, kept: int) -> dict[tuple[tuple[int, ...], int], float]:
        """P(so many lowest rolls that may still be made again, sum of all rolls)."""
        rolls = self.each * weapons
        return self._one_lowest(rolls) if kept == 1 else self._several_lowest(rolls, kept)

    def _several_lowest(self, rolls: int, kept: int) -> dict[tuple[tuple[int, ...], int], float]:
        if rolls > MOST_ROLLS:
            raise ValueError(
                f"several re-rolls of a number of attacks that {rolls} dice make are not solved; "
                f"up to {MOST_ROLLS} are"
            )
        found: dict[tuple[tuple[int, ...], int], float] = {((), 0): 1.0}
        for _ in range(rolls):
            after: dict[tuple[tuple[int, ...], int], float] = {}
            for (lowest, together), chance in found.items():
                for v in range(len(self.law)):
                    with_it = tuple(sorted((*lowest, v))[:kept])
                    for lows, share in ((with_it, self.fresh[v]), (lowest, self.stale[v])):
                        key = (lows, together + v)
                        after[key] = after.get(key, 0.0) + chance * float(share)
            found = after
        return {key: chance for key, chance in found.items() if chance > 0}

    def _one_lowest(self, rolls: int) -> dict[tuple[tuple[int, ...], int], float]:
        size = len(self.law)
        at_least = []
        for low in range(size + 1):
            one = self.stale + np.where(np.arange(size) >= low, self.fresh, 0.0)
            law = np.ones(1)
            for _ in range(rolls):
                law = np.convolve(law, one)
            at_least.append(law)
        laws: list[tuple[tuple[int, ...], FloatArray]] = [((), at_least[size])]
        laws += [((low,), at_least[low] - at_least[low + 1]) for low in range(size)]
        return {
            (low, int(total)): float(law[total])
            for low, law in laws
            for total in np.flatnonzero(law > 1e-18)
        }


def _printed(line: WeaponLine) -> Dice:
    """The dice that are rolled for the number of attacks; dice added to it stand as they fall."""
    replaced = line.modifiers.attacks.replaced
    return line.weapon.attacks if replaced is None else replaced


def _roll(game: Game, line: WeaponLine) -> _Roll:
    printed, change = _printed(line), replace(line.modifiers.attacks, added_dice=())
    free = line.modifiers.reroll_attacks
    whole = change.law(printed, game.edition)
    if printed.count > 1 and game.edition.rerolls_one_die:
        if len(whole.weights) != len(printed.pmf.weights) or free is not Reroll.NONE:
            raise ValueError(
                "a re-roll of one die of several is not solved where their sum is reduced "
                "or re-rolled as well"
            )
        die = np.full(printed.sides, 1 / printed.sides)
        return _Roll(die, np.zeros(printed.sides), die, printed.count)
    fresh, stale = np.zeros((2, len(whole.weights)))
    kept, again = kept_and_again(printed, free)
    for i, value in enumerate(printed.pmf.values.tolist()):
        place = change.apply(value, game.edition) - whole.start
        fresh[place] += kept[i]
        stale[place] += again[i]
    return _Roll(fresh, stale, whole.weights, 1)


def _more(line: WeaponLine, batch: Batch, roll: _Roll) -> Pmf:
    """What dice beside the rolls of A add to the least number of attacks of all weapons."""
    dice = (*line.modifiers.extra_attacks, *line.modifiers.attacks.added_dice)
    one = Pmf.point(0)
    for each in dice:
        one = one + Pmf(each.pmf.weights)
    if len(batch.attacks.weights) != roll.each * (len(roll.law) - 1) + len(one.weights):
        raise ValueError("a re-roll of a reduced number of attacks with more dice is not solved")
    return Pmf(mixture(Pmf.point(batch.weapons), one.weights[:, None])[:, 0])
