"""From attack dice to wounds in the 11th edition, with the attacker's choices on the way.

All dice of a batch lie on the table before a choice is made about them (RULES.md §9). Counters
are axes of a situation's value: r hits that will roll to wound, c critical hits, n and m
ordinary and special wounds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from killcurve.engine import law as laws
from killcurve.engine.attack import AttackDie
from killcurve.engine.budget import hold, spend
from killcurve.engine.decisions.game import Game
from killcurve.engine.decisions.links import SAME, Among, Chain, Link, Only, Shift, Spread, Weight
from killcurve.engine.decisions.meters import LineMeters, Meter, Metered, by_place
from killcurve.engine.decisions.numbers import rolled_attacks
from killcurve.engine.decisions.packets import Packets, dealt_plainly
from killcurve.engine.decisions.saving import Saving
from killcurve.engine.decisions.table import (
    STALE_FAILURE,
    STALE_SUCCESS,
    DiceTable,
    Kind,
    Uses,
)
from killcurve.engine.decisions.tape import Options, Situation
from killcurve.engine.parts import Part, parts
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.roll import Chances, Roll
from killcurve.engine.states import IntArray
from killcurve.engine.weapon import Rolled, Use, WeaponLine

Dice = tuple[tuple[float, AttackDie], ...]

BEYOND = 1e-18
"""Counts that are this unlikely to be reached are left out: far below what a float adds up."""


@dataclass(frozen=True, slots=True)
class _Sizes:
    """The lengths of the axes.

    ``r`` and ``c`` count hits that will roll to wound and critical hits, ``rolls`` wound rolls,
    ``n`` and ``m`` ordinary and special wounds.
    """

    r: int
    c: int
    rolls: int
    n: int
    m: int


class Batches:
    """Makes the situation before a line of a volley from the one after it."""

    def __init__(self, game: Game, line: WeaponLine, meters: LineMeters) -> None:
        self._game = game
        self._tape = game.tape
        self._rights = game.rights
        self._line = line
        self._meters = meters

    def before(self, after: Situation) -> Situation:
        """The situation before the batch, in every state of the target."""
        size = after.value.shape[-1]
        links: list[tuple[Link, Situation]] = []
        for part in parts(self._game.volley, self._line):
            here = np.flatnonzero(part.where)
            links.append((Only(here, size), self._part(after, part, here)))
        return self._tape.chance(links)

    def _part(self, after: Situation, part: Part, here: IntArray) -> Situation:
        """The situation before the batch in the states ``here``, which are all that it has."""
        shot, line = part.shot, self._line
        dice = shot.batch.dice
        die = dice[0][1]
        if len(dice) > 1 and die.sustained.stop > 1:
            raise ValueError(
                "choices about attacks with a random Strength and sustained hits are not solved"
            )
        sizes = self._sizes(part)
        uses = self._rights.usable(line, Rolled.WOUNDS)
        table = DiceTable([d.wound_roll for _, d in dice if d.wound_roll], uses)
        packets = Packets(self._game, line, shot, dealt_plainly(self._tape, part.target))
        saving = Saving(self._game, packets, line, part, self._meters.unsaved)
        wounds = saving.wounds(after, (sizes.n - 1, sizes.m - 1))
        wounds = self._tape.chance([(Among(here, after.value.shape[-1]), wounds)])
        wounds = self._counted(wounds, self._meters.wounds, (0, 1))
        if die.special_criticals:
            wounds = self._counted(wounds, self._meters.critical_wounds, (1,))
        rolling = self._wound_rolls(wounds, dice, sizes, table, uses)
        if die.lethal:
            rolling = self._counted(rolling, self._meters.automatic, (1,))
        decided = self._lethal(rolling, die, sizes)
        decided = self._counted(decided, self._meters.hits, (0, 1))
        decided = self._counted(decided, self._meters.critical_hits, (1,))
        return self._attacks(decided, die, part, sizes)

    def _sizes(self, part: Part) -> _Sizes:
        """As many of each as matter: more have a chance below :data:`BEYOND`.

        Each right may change one die, and so add the hits of a critical one to every count.
        """
        batch = part.shot.batch
        first = batch.dice[0][1]
        extra = first.sustained.stop - 1
        rights = len(self._line.rights)
        number = batch.number()
        if self._rights.usable(self._line, Rolled.ATTACKS):
            number = Pmf.point(number.stop - 1)

        def most(of_one: FloatArray) -> int:
            law = laws.mixture(number, of_one[:, None])[:, 0]
            at_least = np.cumsum(law[::-1])[::-1]
            matters = int(np.count_nonzero(at_least > BEYOND))
            return min(len(law), matters + rights * (1 + extra))

        hit = first.hit
        rolling = hit.critical * np.append(first.sustained.from_zero(), 0.0)
        rolling[0] += hit.failure
        rolling[1] += hit.success
        every = hit.critical * np.append(0.0, first.sustained.from_zero())
        every[0] += hit.failure
        every[1] += hit.success
        lethal, rolled = (
            laws.weighted(*((p, replace(die, lethal=way).law()) for p, die in batch.dice))
            for way in (True, False)
        )
        c = most(np.array([1 - hit.critical, hit.critical])) if hit.critical else 1
        n = most(rolled.sum(axis=1))
        if first.lethal:
            n = max(n, c, most(lethal.sum(axis=1)))
        return _Sizes(
            r=most(rolling),
            c=c,
            rolls=most(every),
            n=n,
            m=most(rolled.sum(axis=0)) if first.special_criticals else 1,
        )

    def _counted(self, after: Situation, meter: Meter, axes: tuple[int, ...]) -> Situation:
        """A meter of what some axes count together."""
        shape = after.value.shape
        counts = sum(by_place(shape[axis], axis, len(shape)) for axis in axes)
        return self._tape.chance([(Metered(meter, counts, once=True), after)])

    # Wounds

    def _wound_rolls(
        self, wounds: Situation, dice: Dice, sizes: _Sizes, table: DiceTable, uses: Uses
    ) -> Situation:
        """Axes (rolls, automatic wounds): so many hits roll to wound, so many wound already."""
        special = dice[0][1].special_criticals
        meter = Metered(self._meters.critical_wounds)
        critical = Shift(2, 1) if special else Chain((meter, Shift(1, 1)))
        now = self._table(
            wounds,
            table,
            uses,
            more=Shift(1, 1),
            fewer=Shift(1, -1, -math.inf),
            critical=[critical],
        )
        links: list[tuple[Link, Situation]] = []
        for rolls in range(sizes.rolls):
            links.append((_Rolls(rolls, sizes, table), now))
            now = self._one_wound_roll(now, dice, table, critical)
        return self._tape.chance(links)

    def _one_wound_roll(
        self, after: Situation, dice: Dice, table: DiceTable, critical: Link
    ) -> Situation:
        links: list[tuple[Link, Situation]] = []
        for p, die in dice:
            for lies, chance in _lying(table, die.wound, die.wound_roll):
                up = (Shift(1, 1),) if lies.success else ()
                links.append((Chain((Weight(p * chance), table.adding(lies), *up)), after))
            links.append((Chain((Weight(p * die.wound.critical), critical)), after))
        return self._tape.chance(links)

    # Hits

    def _lethal(self, rolling: Situation, die: AttackDie, sizes: _Sizes) -> Situation:
        """Axes (r, c): which of the critical hits wound by themselves."""
        if not die.lethal:
            return self._tape.chance([(_Automatic(0, sizes), rolling)])
        if not self._game.choices.lethal:
            return self._tape.chance([(_Automatic(None, sizes), rolling)])
        options: Options = [(_Automatic(None, sizes), rolling)]
        options += [(_Automatic(k, sizes), rolling) for k in range(sizes.c)]
        return self._tape.choice(options, best=np.maximum)

    def _table(
        self,
        left_alone: Situation,
        table: DiceTable,
        uses: Uses,
        *,
        more: Link,
        fewer: Link,
        critical: Sequence[Link],
    ) -> Situation:
        """The dice lie on the table (the first axis); the attacker may use rights on some.

        ``more`` and ``fewer`` count an ordinary success, ``critical`` a critical one.
        """
        now = self._tape.stack([left_alone] * table.size)
        for _ in uses:
            below = now
            six = self._tape.chance([(link, below) for link in critical])
            options: Options = [(SAME, below)]
            for use, spent in uses:
                for kind in table.kinds:
                    taken = (spent, table.taking(kind), *([fewer] if kind.success else []))
                    if use is Use.SIX:
                        options.append((Chain(taken), six))
                    elif kind.again is not None:
                        again = kind.again
                        failed = Chain((Weight(again.failure), table.adding(STALE_FAILURE)))
                        made = Chain((Weight(again.success), table.adding(STALE_SUCCESS), more))
                        links = [Chain((Weight(again.critical), link)) for link in critical]
                        rolled = self._tape.chance([(k, below) for k in (failed, made, *links)])
                        options.append((Chain(taken), rolled))
            now = self._tape.choice(options, best=np.maximum)
        return now

    # Attacks

    def _attacks(self, decided: Situation, die: AttackDie, part: Part, sizes: _Sizes) -> Situation:
        """The number of attacks is rolled, then all hit dice; rights may be used on some."""
        uses = self._rights.usable(self._line, Rolled.HITS) if die.hit_roll else []
        table = DiceTable([die.hit_roll] if die.hit_roll else [], uses)
        pairs = zip(die.sustained.values.tolist(), die.sustained.weights.tolist(), strict=True)
        critical = [Chain((Weight(p), Shift(1, int(k)), Shift(2, 1))) for k, p in pairs if p]
        fewer = Shift(1, -1, -math.inf)
        hits = self._table(decided, table, uses, more=Shift(1, 1), fewer=fewer, critical=critical)

        hit_laws = _HitLaws(die, sizes, table, critical)

        def rolled(number: Pmf) -> Situation:
            return self._tape.chance([(Spread(hit_laws.of(number)), hits)])

        return rolled_attacks(self._game, self._line, part.shot.batch, rolled, self._meters.attacks)


def _lying(table: DiceTable, chances: Chances, roll: Roll | None) -> Iterator[tuple[Kind, float]]:
    """What an uncritical die may leave on the table, with its chance."""
    fresh = Chances(0.0, 0.0, 0.0) if roll is None else roll.fresh()
    once = None if roll is None else roll.once()
    for success, whole, kept in (
        (False, chances.failure, fresh.failure),
        (True, chances.success, fresh.success),
    ):
        yield table.kind(success, once), kept
        yield table.kind(success, None), whole - kept


class _HitLaws:
    """P(table, r, c) of numbers of attack dice, each made from that of one die less."""

    def __init__(
        self, die: AttackDie, sizes: _Sizes, table: DiceTable, critical: Sequence[Link]
    ) -> None:
        law = np.zeros((table.size, sizes.r, sizes.c))
        law[table.empty, 0, 0] = 1.0
        self._known = [law]
        lying = _lying(table, die.hit, die.hit_roll)
        self._kinds = [(table.adding(kind), kind.success, p) for kind, p in lying if p]
        self._critical = [(die.hit.critical, link) for link in critical if die.hit.critical]

    def of(self, number: Pmf) -> FloatArray:
        """The law of a random number of dice."""
        while len(self._known) < number.stop:
            self._known.append(self._one_more(self._known[-1]))
        out = np.zeros_like(self._known[0])
        for dice in range(number.start, number.stop):
            out += number.probability(dice) * self._known[dice]
        return out

    def _one_more(self, law: FloatArray) -> FloatArray:
        spend(40_000 + 20 * law.size)
        hold(law.size * len(self._known))
        more = np.zeros_like(law)
        for adding, success, p in self._kinds:
            lain = p * adding.push(law)
            more += Shift(1, 1).push(lain) if success else lain
        for p, link in self._critical:
            more += p * link.push(law)
        return more


@dataclass(frozen=True, slots=True)
class _Automatic:
    """From (r, c) to (rolls, automatic): so many critical hits wound by themselves.

    ``count`` is how many; ``None`` stands for all. More than there are is no option.
    """

    count: int | None
    sizes: _Sizes

    def pull(self, value: FloatArray) -> FloatArray:
        """The value of the wound rolls that follow."""
        out = np.full((self.sizes.r, self.sizes.c, *value.shape[2:]), -math.inf)
        for c in range(self.sizes.c):
            k = c if self.count is None else self.count
            if k <= c:
                there = value[c - k : c - k + self.sizes.r, k]
                out[: len(there), c] = there
                out[len(there) :, c] = 0.0  # so many hits do not come about
        return out

    def push(self, law: FloatArray) -> FloatArray:
        """The law of the wound rolls that follow."""
        out = np.zeros((self.sizes.rolls, self.sizes.c, *law.shape[2:]), law.dtype)
        for c in range(self.sizes.c):
            k = c if self.count is None else self.count
            if k <= c:
                there = out[c - k : c - k + self.sizes.r, k]
                there += law[: len(there), c]
        return out


@dataclass(frozen=True, slots=True)
class _Rolls:
    """From (rolls, automatic), in its row of rolls, to (table, n, m) before they are made."""

    rolls: int
    sizes: _Sizes
    table: DiceTable

    def pull(self, value: FloatArray) -> FloatArray:
        """The row of so many rolls."""
        out = np.zeros((self.sizes.rolls, self.sizes.c, *value.shape[3:]))
        there = value[self.table.empty, : self.sizes.c, 0]
        out[self.rolls, : len(there)] = there
        return out

    def push(self, law: FloatArray) -> FloatArray:
        """Automatic wounds are ordinary wounds."""
        out = np.zeros((self.table.size, self.sizes.n, self.sizes.m, *law.shape[2:]), law.dtype)
        here = min(self.sizes.c, self.sizes.n)
        out[self.table.empty, :here, 0] = law[self.rolls, :here]
        return out
