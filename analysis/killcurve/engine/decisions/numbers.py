"""The number of attacks, with a right to make one of its rolls again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from killcurve.engine.attack import Batch
from killcurve.engine.change import kept_and_again
from killcurve.engine.decisions.game import Game
from killcurve.engine.decisions.meters import Meter, Metered, MeteredLaw
from killcurve.engine.decisions.tape import SAME, Link, Situation, Weight
from killcurve.engine.dice import Dice
from killcurve.engine.law import mixture
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.roll import Reroll
from killcurve.engine.weapon import Rolled, WeaponLine


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
        ValueError: if several re-rolls meet, or something reduces a number of several dice.
    """
    tape, uses = game.tape, game.rights.usable(line, Rolled.ATTACKS)
    if not uses or _printed(line).is_fixed:
        number = batch.number()
        return tape.chance([(MeteredLaw(meter, number), attacks(number))])
    if len(uses) > 1:
        raise ValueError("several re-rolls of one number of attacks are not solved")
    roll = _roll(game, line)
    more = _more(line, batch, roll)
    certain = batch.attacks.start * batch.weapons

    @cache
    def total(number: int) -> Situation:
        return tape.chance([(Metered(meter, number), attacks(Pmf.point(number)))])

    links: list[tuple[Link, Situation]] = []
    for (lowest, together), chance in roll.lowest_and_sum(batch.weapons).items():
        for extra, share in zip(more.values.tolist(), more.weights.tolist(), strict=True):
            shown = certain + together + extra
            options: list[tuple[Link, Situation]] = [(SAME, total(shown))]
            if lowest is not None:
                without = shown - lowest
                again = [(Weight(p), total(without + v)) for v, p in enumerate(roll.law) if p]
                options += [(spend, tape.chance(again)) for _, spend in uses]
            links.append((Weight(chance * share), tape.choice(options, best=np.maximum)))
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

    def lowest_and_sum(self, weapons: int) -> dict[tuple[int | None, int], float]:
        """P(lowest roll that may still be made again, sum of all rolls)."""
        size, rolls = len(self.law), self.each * weapons
        at_least = []
        for low in range(size + 1):
            one = self.stale + np.where(np.arange(size) >= low, self.fresh, 0.0)
            law = np.ones(1)
            for _ in range(rolls):
                law = np.convolve(law, one)
            at_least.append(law)
        laws: list[tuple[int | None, FloatArray]] = [(None, at_least[size])]
        laws += [(low, at_least[low] - at_least[low + 1]) for low in range(size)]
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
