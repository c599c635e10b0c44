"""From wounds to the target's state in the 11th edition: orders, save dice, damage, criticals.

The situation made here has two leading axes, the ordinary wounds n and the special ones m that
a batch has made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp, factorial, log, prod

import numpy as np

from killcurve.engine.allocation import Order, declared_orders, reachable, turned
from killcurve.engine.budget import spend
from killcurve.engine.decisions.game import Game
from killcurve.engine.decisions.links import SAME, Chain, Link, Mixed, Weight
from killcurve.engine.decisions.meters import Meter, Metered
from killcurve.engine.decisions.one_die import best_of
from killcurve.engine.decisions.packets import Packets
from killcurve.engine.decisions.table import Uses
from killcurve.engine.decisions.tape import Options, Situation
from killcurve.engine.parts import Part
from killcurve.engine.pmf import FloatArray
from killcurve.engine.roll import FACES
from killcurve.engine.saves import SaveRoll
from killcurve.engine.shot import selected
from killcurve.engine.states import states
from killcurve.engine.weapon import Rolled, Use, WeaponLine

MOST_CELLS = 20_000


class Saving:
    """The save step of one batch (RULES.md §5.1), with what follows."""

    def __init__(
        self,
        game: Game,
        packets: Packets,
        line: WeaponLine,
        part: Part,
        unsaved: Meter,
    ) -> None:
        self._game = game
        self._tape = game.tape
        self._packets = packets
        self._line = line
        self._part = part
        self._unsaved = unsaved

    def wounds(self, after: Situation, most: tuple[int, int]) -> Situation:
        """The situation with axes (n, m), up to ``most`` wounds of each kind."""
        shot = self._part.shot
        n, m = most
        if shot.special_saves is None:
            ended = self._specials(after, m)
            return self._pool(ended, n, shot.saves)
        # Two pools, each with an axis of its own; the order of groups is declared anew for the
        # one that is saved last.
        (most_first, first), (most_last, last) = (m, shot.special_saves), (n, shot.saves)
        if self._line.ordinary_first:
            (most_first, first), (most_last, last) = (n, shot.saves), (m, shot.special_saves)
        links = []
        space = states(self._part.target)
        met = reachable(self._part.target, self._game.volley.precise)
        for where, orders in declared_orders(space, shot.kinds):
            if not (where & met).any():
                continue
            again = replace(self._part, where=where, orders=orders)
            pool = replace_part(self, again)._pool(after, most_last, last)
            links.append((Weight(where.astype(np.float64)), pool))
        pools = self._pool(self._tape.chance(links), most_first, first)
        swapped = SAME if self._line.ordinary_first else _SwapFirstTwo()
        return self._tape.chance([(swapped, pools)])

    def _specials(self, after: Situation, most: int) -> Situation:
        """The devastating wounds, one after the other: an axis m."""
        now, rows = after, [after]
        for _ in range(most):
            now = self._tape.chance([(Metered(self._unsaved), self._mortal(now))])
            rows.append(now)
        return self._tape.stack(rows)

    def _mortal(self, after: Situation) -> Situation:
        """One devastating wound, on a model that the rules or the defender choose."""
        part = self._part
        orders = [part.mortal_order]
        if self._game.choices.allocation:
            orders = turned(part.mortal_order)
        options: Options = [(SAME, self._packets.devastating(after, order)) for order in orders]
        return options[0][1] if len(options) == 1 else self._tape.choice(options, best=np.minimum)

    def _pool(self, after: Situation, most: int, saves: tuple[SaveRoll, ...]) -> Situation:
        """Save rolls for up to ``most`` wounds, a leading axis; the defender's best order."""
        orders: Sequence[Order] = (self._part.order,)
        if self._game.choices.allocation:
            orders = [self._part.precise(order) for order in self._part.orders.every()]
        options: Options = [(SAME, self._ordered(after, most, saves, order)) for order in orders]
        pool = options[0][1]
        if len(options) > 1:
            labels = [tuple(g for together in order for g in together) for order in orders]
            pool = self._tape.choice(options, best=np.minimum, labels=labels, counted_from=1)
        return pool

    def _ordered(
        self, after: Situation, most: int, saves: tuple[SaveRoll, ...], order: Order
    ) -> Situation:
        several = len(self._game.rights.usable(self._line, Rolled.SAVES)) > 1
        classes = _classes(saves, order, both=several)
        cells = _Cells(self, after, saves, order, classes)
        shares = [c.share for c in classes]
        if _count(most, len(classes)) > MOST_CELLS:
            raise ValueError(
                f"{most} wounds on groups with {len(classes)} kinds of saves have too many "
                "outcomes to choose among; take fewer attacks, or leave the choice out"
            )
        lying = list(_compositions(most, len(classes)))
        spend(len(lying) * (30_000 + 0.5 * most * after.value.size))
        stacked = self._tape.stack([cells.decided(counts) for counts in lying])
        weights = np.array([_multinomial(most, counts, shares) for counts in lying])
        return self._tape.chance([(Mixed(weights.T), stacked)])


def replace_part(saving: Saving, part: Part) -> Saving:
    """The same save step in other circumstances."""
    return Saving(saving._game, saving._packets, saving._line, part, saving._unsaved)


class _Cells:
    """The situations with so many failing dice of each class, one declared order."""

    def __init__(
        self,
        saving: Saving,
        after: Situation,
        saves: tuple[SaveRoll, ...],
        order: Order,
        classes: list[_Class],
    ) -> None:
        self._saving = saving
        self._known: dict[tuple[int, ...], Situation] = {(0,) * len(classes): after}
        self._decided: dict[tuple[tuple[int, ...], int], Situation] = {}
        self._classes = classes
        self._order = order
        last = saves[order[-1][-1]] if order else saves[0]
        up_to = np.array([*(roll.need - 1 for roll in saves), last.need - 1])
        self._up_to = up_to[selected(saving._part.target, order)]

    def plain(self, counts: tuple[int, ...]) -> Situation:
        """The dice are applied in rising order."""
        if counts not in self._known:
            k = next(i for i, count in enumerate(counts) if count)
            rest = self.plain(_less(counts, k))
            self._known[counts] = self._applied(rest, self._classes[k].face)
        return self._known[counts]

    def _applied(self, after: Situation, face: int) -> Situation:
        """One die is applied: it hurts where it fails the save of who comes next."""
        saving = self._saving
        fails = (self._up_to >= face).astype(np.float64)
        hurt = saving._packets.wound(after, self._order)
        failed = Chain((Weight(fails), Metered(saving._unsaved)))
        return saving._tape.chance([(Weight(1 - fails), after), (failed, hurt)])

    def decided(self, counts: tuple[int, ...], rights: int | None = None) -> Situation:
        """The dice lie on the table; the defender may use so many rights, each on one of them."""
        saving = self._saving
        uses = saving._game.rights.usable(saving._line, Rolled.SAVES)
        left = len(uses) if rights is None else rights
        if not left or not any(counts):
            return self.plain(counts)
        if (counts, left) not in self._decided:
            self._decided[counts, left] = self._choice(counts, uses, left)
        return self._decided[counts, left]

    def _choice(self, counts: tuple[int, ...], uses: Uses, left: int) -> Situation:
        options: Options = [(SAME, self.plain(counts))]
        for use, spent in uses:
            for k, count in enumerate(counts):
                if not count:
                    continue
                without = _less(counts, k)
                if use is Use.SIX:
                    options.append((spent, self.decided(self._with_six(without), left - 1)))
                elif self._classes[k].fresh:
                    options.append((spent, self._again(without, left - 1)))
        return best_of(self._saving._tape, options, np.minimum)

    def _again(self, counts: tuple[int, ...], left: int) -> Situation:
        """One more die is rolled; it may not be rolled again."""
        links: list[tuple[Link, Situation]] = []
        failing = 0.0
        for faces, k in _last_of_each_run(self._classes):
            links.append((Weight(faces / 6), self.decided(_more(counts, k), left)))
            failing += faces / 6
        links.append((Weight(1 - failing), self.decided(counts, left)))
        return self._saving._tape.chance(links)

    def _with_six(self, counts: tuple[int, ...]) -> tuple[int, ...]:
        """A 6 saves unless every save of the order fails on it."""
        if self._classes and self._classes[-1].face == 6:
            return _more(counts, len(counts) - 1)
        return counts


class _SwapFirstTwo:
    """The first two axes in the other order."""

    def pull(self, value: FloatArray) -> FloatArray:
        """Swapped back."""
        return np.swapaxes(value, 0, 1)

    def push(self, law: FloatArray) -> FloatArray:
        """Swapped."""
        return np.swapaxes(law, 0, 1)


@dataclass(frozen=True, slots=True)
class _Class:
    """Dice that fail for the same groups: the highest face of their run, and their share.

    ``fresh`` dice have not been re-rolled; the others may not be any more.
    """

    face: int
    share: float
    fresh: bool


def _classes(saves: tuple[SaveRoll, ...], order: Order, *, both: bool) -> list[_Class]:
    """The classes of save dice, in rising order; ``both`` keeps a place for re-rolled ones."""
    first = saves[order[0][0]] if order else saves[0]
    out = []
    for low, high in pairwise([0, *sorted({roll.need - 1 for roll in saves})]):
        run = [face for face in FACES if low < face <= high]
        share, fresh = sum(map(first.face_law, run)), sum(map(first.fresh_law, run))
        if fresh:
            out.append(_Class(high, fresh, fresh=True))
        if share - fresh > 1e-15 or not fresh or both:
            out.append(_Class(high, max(0.0, share - fresh), fresh=False))
    return out


def _last_of_each_run(classes: list[_Class]) -> list[tuple[int, int]]:
    """(faces, place) of each run of faces; where it is split, of its re-rolled dice."""
    places = {c.face: k for k, c in enumerate(classes)}
    low, out = 0, []
    for face, k in places.items():
        out.append((face - low, k))
        low = face
    return out


def _compositions(most: int, classes: int) -> list[tuple[int, ...]]:
    """All counts of classes that add up to ``most`` or less."""
    if not classes:
        return [()]
    return [(n, *rest) for n in range(most + 1) for rest in _compositions(most - n, classes - 1)]


def _count(most: int, classes: int) -> int:
    return prod(range(most + 1, most + classes + 1)) // factorial(classes)


def _multinomial(most: int, counts: tuple[int, ...], shares: Sequence[float]) -> FloatArray:
    """P(counts | n dice) for n from 0 to ``most``."""
    failing = sum(counts)
    out = np.zeros(most + 1)
    saved = max(0.0, 1.0 - sum(shares))
    chance = 1.0
    for count, share in zip(counts, shares, strict=True):
        chance *= share**count
    arrangements = factorial(failing) // prod(factorial(count) for count in counts)
    number = np.arange(failing + 1, most + 1)
    if chance == 0.0 or (saved == 0.0 and most > failing):
        out[failing] = exp(log(arrangements) + log(chance)) if chance > 0 else 0.0
        return out
    # In logarithms: neither the arrangements nor the growth need fit a float.
    growth = np.cumsum(np.log(saved * number / (number - failing))) if len(number) else number
    start = log(arrangements) + log(chance)
    out[failing:] = np.exp(np.concatenate([[start], start + growth]))
    return out


def _less(counts: tuple[int, ...], k: int) -> tuple[int, ...]:
    return (*counts[:k], counts[k] - 1, *counts[k + 1 :])


def _more(counts: tuple[int, ...], k: int) -> tuple[int, ...]:
    return (*counts[:k], counts[k] + 1, *counts[k + 1 :])
