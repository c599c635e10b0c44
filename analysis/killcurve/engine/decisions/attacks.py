"""The attacks of one weapon line in the 10th edition, one after the other (RULES.md §2.2, §5.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from killcurve.engine.allocation import Order
from killcurve.engine.attack import AttackDie
from killcurve.engine.decisions.bound import Bound
from killcurve.engine.decisions.game import Game
from killcurve.engine.decisions.links import Chain, Link, Weight
from killcurve.engine.decisions.meters import LineMeters, Meter, Metered
from killcurve.engine.decisions.numbers import rolled_attacks
from killcurve.engine.decisions.one_die import faced
from killcurve.engine.decisions.packets import Packets
from killcurve.engine.decisions.tape import Situation, counted
from killcurve.engine.decisions.waiting import Waiting
from killcurve.engine.parts import Part, parts
from killcurve.engine.pmf import Pmf
from killcurve.engine.roll import Chances, Roll
from killcurve.engine.saves import SaveRoll
from killcurve.engine.weapon import Rolled


class Attacks:
    """The attacks of one weapon line, one after the other."""

    def __init__(
        self, game: Game, bound: Bound, waiting: Waiting, line: int, meters: LineMeters
    ) -> None:
        self._game = game
        self._tape = game.tape
        self._rights = game.rights
        self._bound = bound
        self._waiting = waiting
        self._number = line
        self._line = game.volley.lines[line]
        self._parts = list(parts(game.volley, self._line, per_attack=True))
        self._meters = meters

    def before(self, after: Situation) -> Situation:
        """The situation before the number of attacks is rolled."""
        batch = self._parts[0].shot.batch
        made = [after]

        def attacks(number: Pmf) -> Situation:
            while len(made) < number.stop:
                made.append(self._attack(made[-1]))
            return counted(self._tape, number, made)

        return rolled_attacks(self._game, self._line, batch, attacks, self._meters.attacks)

    def _by_part(self, make: Callable[[Part], Situation]) -> Situation:
        """A situation that depends on which groups live."""
        if len(self._parts) == 1:
            return make(self._parts[0])
        return self._tape.chance(
            [
                (Weight(self._bound.over(part.where.astype(np.float64))), make(part))
                for part in self._parts
            ]
        )

    def _counted(self, after: Situation, *meters: Meter) -> Situation:
        return self._tape.chance([(Chain(tuple(Metered(meter) for meter in meters)), after)])

    def _attack(self, after: Situation) -> Situation:
        return self._by_part(lambda part: self._one_attack(after, part))

    def _one_attack(self, after: Situation, part: Part) -> Situation:
        """A random Strength is rolled once the attack has hit, unless the hit depends on it."""
        dice = part.shot.batch.dice
        hits = {(die.hit, die.hit_roll, die.sustained, die.lethal) for _, die in dice}
        if len(hits) == 1:
            return self._hit_roll(after, part, [(p, i) for i, (p, _) in enumerate(dice)])
        links: list[tuple[Link, Situation]] = [
            (Weight(p), self._hit_roll(after, part, [(1.0, i)])) for i, (p, _) in enumerate(dice)
        ]
        return self._tape.chance(links)

    def _hit_roll(
        self, after: Situation, part: Part, strengths: Sequence[tuple[float, int]]
    ) -> Situation:
        die = part.shot.batch.dice[strengths[0][1]][1]
        hit = self._mixed([(p, self._wound_roll(after, i)) for p, i in strengths])
        critical = self._mixed([(p, self._critical_hit(after, die, i)) for p, i in strengths])
        return self._roll(die.hit, die.hit_roll, Rolled.HITS, (after, hit, critical))

    def _mixed(self, options: Sequence[tuple[float, Situation]]) -> Situation:
        if len(options) == 1:
            return options[0][1]
        links: list[tuple[Link, Situation]] = [(Weight(p), then) for p, then in options]
        return self._tape.chance(links)

    def _roll(
        self,
        chances: Chances,
        roll: Roll | None,
        rolled: Rolled,
        results: tuple[Situation, Situation, Situation],
    ) -> Situation:
        """A hit or wound roll, followed by what its failure, success or critical success brings."""

        def by_result(
            chances: Chances, follow: Sequence[Situation]
        ) -> list[tuple[Link, Situation]]:
            return [(Weight(p), then) for p, then in zip(chances, follow, strict=True)]

        uses = self._rights.usable(self._line, rolled) if roll else []
        if roll is None or not uses:
            return self._tape.chance(by_result(chances, results))
        failed, success, critical = results

        def again(then: Sequence[Situation]) -> Sequence[Situation]:
            once = self._tape.chance(by_result(roll.once(), (*then, critical)))
            return [once, once]

        fresh, stale = faced(
            self._tape,
            uses,
            (failed, success),
            six=(critical, critical),
            again=again,
            best=np.maximum,
        )
        kept = roll.fresh()
        others = [whole - part for whole, part in zip(chances, kept, strict=True)]
        return self._tape.chance(
            [
                *by_result(kept, (*fresh, critical)),
                *by_result(Chances(*others), (*stale, critical)),
            ]
        )

    def _critical_hit(self, after: Situation, die: AttackDie, strength: int) -> Situation:
        """Extra hits are rolled for at once; then comes the critical hit itself, then those."""
        extra = [after]
        for _ in range(die.sustained.stop - 1):
            extra.append(self._wound_roll(extra[-1], strength))

        def first(rest: Situation) -> Situation:
            if die.lethal:
                wounded = self._by_part(lambda part: self._allocated(rest, part, part.shot.saves))
                return self._counted(wounded, self._meters.hits)
            return self._wound_roll(rest, strength)

        pairs = zip(die.sustained.values.tolist(), die.sustained.weights.tolist(), strict=True)
        several = [(p, first(extra[k])) for k, p in pairs if p]
        return self._counted(self._mixed(several), self._meters.critical_hits)

    def _wound_roll(self, after: Situation, strength: int) -> Situation:
        """A wound roll with the Strength of that number, in the circumstances of the moment."""

        def make(part: Part) -> Situation:
            dice = part.shot.batch.dice
            return self._wound_roll_in(after, dice[min(strength, len(dice) - 1)][1], part)

        return self._counted(self._by_part(make), self._meters.hits)

    def _wound_roll_in(self, after: Situation, die: AttackDie, part: Part) -> Situation:
        wounded = self._allocated(after, part, part.shot.saves)
        critical = self._critical_wound(after, wounded, part)
        results = (after, wounded, critical)
        return self._roll(die.wound, die.wound_roll, Rolled.WOUNDS, results)

    def _critical_wound(self, after: Situation, wounded: Situation, part: Part) -> Situation:
        shot = part.shot
        if shot.special is None:
            critical = wounded
        elif shot.special_saves is not None:
            critical = self._allocated(after, part, shot.special_saves)
        else:
            waits = self._tape.chance([(self._waiting.one_more(self._number, shot), after)])
            critical = self._counted(waits, self._meters.wounds, self._meters.unsaved)
        return self._counted(critical, self._meters.critical_wounds)

    def _allocated(self, after: Situation, part: Part, saves: tuple[SaveRoll, ...]) -> Situation:
        """A wounding attack is allocated, saved or not, and does its damage."""
        options = [
            (allowed, self._saved(after, part, saves, order))
            for order, allowed in self._bound.options(self._line.precision)
        ]
        if len(options) == 1:
            return self._counted(options[0][1], self._meters.wounds)
        labels = [(order[0][0],) for order, _ in self._bound.options(self._line.precision)]
        choice = self._tape.choice(options, best=np.minimum, labels=labels)
        return self._counted(choice, self._meters.wounds)

    def _saved(
        self, after: Situation, part: Part, saves: tuple[SaveRoll, ...], order: Order
    ) -> Situation:
        packets = Packets(self._game, self._line, part.shot, self._bound.deal)
        saved = self._tape.chance([(self._bound.allocated_to(order), after)])
        hurt = self._counted(packets.wound(after, order), self._meters.unsaved)
        uses = self._rights.usable(self._line, Rolled.SAVES)
        failing = self._bound.by_group(order, [roll.failure for roll in saves])
        if not uses:
            return self._tape.chance([(Weight(1 - failing), saved), (Weight(failing), hurt)])
        once = self._bound.by_group(order, [roll.failure_once() for roll in saves])
        kept = self._bound.by_group(order, [roll.fresh_failure() for roll in saves])
        useless = self._bound.by_group(order, [float(roll.need > 6) for roll in saves])
        six = self._tape.chance([(Weight(1 - useless), saved), (Weight(useless), hurt)])

        def again(then: Sequence[Situation]) -> Sequence[Situation]:
            rolled = self._tape.chance([(Weight(1 - once), saved), (Weight(once), then[0])])
            return [rolled]

        fresh, stale = faced(self._tape, uses, (hurt,), six=[six], again=again, best=np.minimum)
        return self._tape.chance(
            [
                (Weight(1 - failing), saved),
                (Weight(kept), fresh[0]),
                (Weight(failing - kept), stale[0]),
            ]
        )
