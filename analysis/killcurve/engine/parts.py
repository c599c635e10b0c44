"""The parts of the state space in which a weapon line does the same thing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from killcurve.engine.allocation import (
    Order,
    Orders,
    declared_orders,
    living_parts,
    one_by_one,
    reachable,
    toughness_of,
)
from killcurve.engine.edition import Edition
from killcurve.engine.packets import Map
from killcurve.engine.pmf import FloatArray
from killcurve.engine.saves import SaveRoll
from killcurve.engine.shot import Packet, Shot, packet_map, packet_steps, selected, shot
from killcurve.engine.states import BoolArray, States, states
from killcurve.engine.target import Target
from killcurve.engine.volley import Volley
from killcurve.engine.weapon import WeaponLine


@dataclass(frozen=True, slots=True)
class Part:
    """States in which a line meets one Toughness, one set of living groups and one order.

    ``orders`` are those that the defender may declare (11th edition) or the one way of going
    on model by model (10th); ``order`` is the own one. ``everywhere`` tells that they are all
    states, ``saves_differ`` that it matters which group a wound goes to.
    """

    where: BoolArray
    everywhere: bool
    saves_differ: bool
    orders: Orders
    shot: Shot
    target: Target
    sorted_saves: bool
    precision: int | None = None

    @property
    def order(self) -> Order:
        """The defender's own order, with the character that precise attacks go to in front."""
        return self.precise(self.orders.own)

    def precise(self, order: Order) -> Order:
        """An order with the named character in front."""
        if self.precision is None or not any(self.precision in groups for groups in order):
            return order
        return ((self.precision,), *order)

    @property
    def mortal_order(self) -> Order:
        """The order in which mortal wounds of these attacks are suffered."""
        return one_by_one(self.target, self.precision)

    def start(self, law: FloatArray) -> FloatArray:
        """The law of the states of this part."""
        return law if self.everywhere else np.where(self.where, law, 0.0)

    def failures(self, saves: tuple[SaveRoll, ...]) -> FloatArray:
        """For each state the chance that the model to suffer next fails its save.

        Where none is left it is as if the last one still were there.
        """
        last = saves[self.order[-1][-1]] if self.order else saves[0]
        chances = np.array([*(roll.failure for roll in saves), last.failure])
        return chances[selected(self.target, self.order)]

    def settled(self, counts: FloatArray, start: FloatArray, packet: Packet) -> FloatArray:
        """The law after so many packets, allocated as attacks of this part are."""
        return packet_steps(packet, self.target, self.order).settle(counts, start)

    def packet(self, packet: Packet) -> Map:
        """The map of a packet, allocated as attacks of this part are."""
        return packet_map(packet, self.target, self.order)


def parts(volley: Volley, line: WeaponLine, *, per_attack: bool = False) -> tuple[Part, ...]:
    """The parts that cover what of the state space the volley can reach.

    In the 11th edition Toughness and order are read for the batch. In the 10th Toughness
    stands from the unit's first attack on; what depends on keywords is read for each attack,
    which only ``per_attack`` asks for.
    """
    return _parts(volley.target, volley.edition, volley.precise, line, per_attack)


@lru_cache(maxsize=1024)
def _parts(
    target: Target,
    edition: Edition,
    precise: frozenset[int],
    line: WeaponLine,
    per_attack: bool,
) -> tuple[Part, ...]:
    return tuple(_all_parts(target, edition, precise, line, per_attack))


def _all_parts(
    target: Target,
    edition: Edition,
    precise: frozenset[int],
    line: WeaponLine,
    per_attack: bool,
) -> Iterator[Part]:
    space = states(target)
    fresh = frozenset(range(len(space.target.groups)))
    single = len(space.target.groups) == 1
    met_at_all = np.True_ if single else reachable(space.target, precise)
    splits = edition.toughness_per_batch or (per_attack and bool(line.variants))
    regions = list(living_parts(space)) if splits else [(np.ones(space.size, dtype=bool), fresh)]
    for there, living in _joined_where_alike(regions, space.target, line, edition):
        met = living if edition.toughness_per_batch else fresh
        toughness = line.modifiers.toughness_from(toughness_of(space.target, met))
        now = line.against(living)
        ready = shot(now, toughness, space.target, edition)
        for where, orders in _orders(space, edition, ready):
            here = there & where
            if (here & met_at_all).any():
                yield Part(
                    here,
                    bool(here.all()),
                    len(set(ready.saves)) > 1,
                    orders,
                    ready,
                    space.target,
                    edition.sorted_saves,
                    line.precision,
                )


def _joined_where_alike(
    regions: list[tuple[BoolArray, frozenset[int]]],
    target: Target,
    line: WeaponLine,
    edition: Edition,
) -> Iterator[tuple[BoolArray, frozenset[int]]]:
    """Regions joined where the line meets the same Toughness and modifiers."""
    joined: dict[object, tuple[BoolArray, frozenset[int]]] = {}
    for where, living in regions:
        toughness = toughness_of(target, living) if edition.toughness_per_batch else 0
        key = (toughness, line.against(living))
        if key in joined:
            joined[key] = (joined[key][0] | where, joined[key][1])
        else:
            joined[key] = (where, living)
    yield from joined.values()


def _orders(space: States, edition: Edition, ready: Shot) -> Iterator[tuple[BoolArray, Orders]]:
    if edition.sorted_saves:
        yield from declared_orders(space, ready.kinds)
    else:
        yield np.ones(space.size, dtype=bool), Orders((one_by_one(space.target),))
