"""A damaging attack in which players may have a say: the damage roll, and doing without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

import numpy as np

from killcurve.engine.allocation import Order
from killcurve.engine.change import Change
from killcurve.engine.damage import damage_roll
from killcurve.engine.decisions.game import Game
from killcurve.engine.decisions.links import SAME, Link, Step, Weight
from killcurve.engine.decisions.one_die import best_of, faced
from killcurve.engine.decisions.tape import Options, Situation, Tape
from killcurve.engine.pmf import Pmf
from killcurve.engine.roll import Reroll
from killcurve.engine.shot import Packet, Shot, packet_map
from killcurve.engine.target import Target
from killcurve.engine.weapon import Rolled, Use, WeaponLine


class Deal(Protocol):
    """Makes the situation before a packet is suffered from the one after it."""

    def __call__(self, after: Situation, packet: Packet, *, order: Order) -> Situation:
        """Allocated in an order."""
        ...


class Packets:
    """What follows a failed save (or a devastating wound) of one line."""

    def __init__(
        self,
        game: Game,
        line: WeaponLine,
        shot: Shot,
        deal: Deal,
    ) -> None:
        self._tape = game.tape
        self._edition = game.edition
        self._shot = shot
        self._deal = deal
        uses = game.rights.usable(line, Rolled.DAMAGE)
        self._on_roll: list[tuple[Use, Link]] = [
            (use, spend) for use, spend in uses if not use.spares
        ]
        if shot.reroll_damage in (Reroll.FAILED, Reroll.NONCRITICAL):
            self._on_roll.append((Use.REROLL, SAME))
        self._none = [(use, spend) for use, spend in uses if use.spares]

    def wound(self, after: Situation, order: Order) -> Situation:
        """The situation in which a save has failed, before the damage is rolled."""
        deal = partial(self._deal, after, order=order)
        rolled = self._rolled(self._shot.ordinary, self._shot.damage_change, deal)
        return self._spared(after, rolled, self._none)

    def devastating(self, after: Situation, order: Order) -> Situation:
        """The situation in which a devastating wound is suffered, before its damage is rolled."""
        assert self._shot.special is not None
        deal = partial(self._deal, after, order=order)
        rolled = self._rolled(self._shot.special, self._shot.special_change, deal)
        allocated = not self._edition.allocated_changes_spare_devastating
        reaching = [each for each in self._none if allocated or each[0] is Use.NO_DAMAGE]
        return self._spared(after, rolled, reaching)

    def _spared(
        self, after: Situation, rolled: Situation, rights: Sequence[tuple[Use, Link]]
    ) -> Situation:
        """The defender may do without the damage."""
        options: Options = [(SAME, rolled), *((spend, after) for _, spend in rights)]
        return best_of(self._tape, options, np.minimum)

    def _rolled(
        self, packet: Packet, change: Change, deal_packet: Callable[[Packet], Situation]
    ) -> Situation:
        shot = self._shot
        if not self._on_roll:
            return deal_packet(packet)
        results = damage_roll(shot.damage, change, self._edition)
        dealt: dict[int, Situation] = {}

        def deal(damage: int) -> Situation:
            if damage not in dealt:
                dealt[damage] = deal_packet(replace(packet, damage=Pmf.point(damage)))
            return dealt[damage]

        def roll(law: Pmf) -> Situation:
            pairs = zip(law.values.tolist(), law.weights.tolist(), strict=True)
            return self._tape.chance([(Weight(p), deal(int(d))) for d, p in pairs if p])

        single = all(result.one_again == result.again for result in results)
        if not single and len(self._on_roll) > 1:
            raise ValueError("several re-rolls of a damage roll of several dice are not solved")
        whole_roll = single or (Use.REROLL, SAME) in self._on_roll
        by_die = not whole_roll and self._edition.rerolls_one_die

        def again(then: Sequence[Situation]) -> Sequence[Situation]:
            pairs = zip(results, then, strict=True)
            whole = self._tape.chance([(Weight(r.chance), follows) for r, follows in pairs])
            return [roll(result.one_again) if by_die else whole for result in results]

        ends = [deal(result.damage) for result in results]
        fresh, stale = faced(
            self._tape,
            self._on_roll,
            ends,
            six=[deal(result.six) for result in results],
            again=again,
            best=np.maximum,
        )
        if shot.reroll_damage is Reroll.ONES:
            rolled = again(stale)
            fresh = [rolled[i] if results[i].one else fresh[i] for i in range(len(fresh))]
        pairs = zip(results, fresh, strict=True)
        return self._tape.chance([(Weight(r.chance), follows) for r, follows in pairs])


def dealt_plainly(tape: Tape, target: Target) -> Deal:
    """Packets over the target's own states."""

    def deal(after: Situation, packet: Packet, *, order: Order) -> Situation:
        return tape.chance([(Step(packet_map(packet, target, order)), after)])

    return deal
