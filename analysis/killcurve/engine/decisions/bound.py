"""Who may take the next attack in the 10th edition, when the defender chooses (RULES.md §5.2).

A model that has lost wounds, or has had an attack allocated to it, goes on taking them. The
former shows in the target's state; the latter is kept beside it: an *extended* state is
(place, state), with place 0 for nobody and g + 1 for the model of group g that is next.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from killcurve.engine.allocation import Order, one_by_one
from killcurve.engine.budget import spend
from killcurve.engine.decisions.links import SAME, Link, Step
from killcurve.engine.decisions.one_die import best_of
from killcurve.engine.decisions.tape import Options, Situation, Tape, counted
from killcurve.engine.packets import DENSE_UP_TO, Map
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.shot import Packet, packet_map, selected
from killcurve.engine.states import BoolArray, states
from killcurve.engine.target import Target

Option = tuple[Order, Link]
"""An order in which an attack is allocated, and the link that forbids it where it is illegal."""


class Bound:
    """The states of a 10th-edition target; extended ones where the defender is ``free``."""

    def __init__(self, tape: Tape, target: Target, *, free: bool) -> None:
        self._tape = tape
        self._target = target
        self._space = states(target)
        self._free = free and len(target.groups) > 1
        self._places = len(target.groups) + 1 if self._free else 1
        self._maps: dict[tuple[Packet, Order], Map] = {}

    def over(self, by_state: FloatArray) -> FloatArray:
        """An array of states, the same at all places."""
        return np.tile(by_state, self._places)

    def start(self) -> FloatArray:
        """The law of the fresh target, no attack allocated yet."""
        law = np.zeros(self._places * self._space.size)
        law[self._space.start] = 1.0
        return law

    def forget(self, law: FloatArray) -> FloatArray:
        """The law of the states alone."""
        return np.asarray(law.reshape(self._places, -1).sum(axis=0))

    def by_group(self, order: Order, values: list[float]) -> FloatArray:
        """For each state the value of the group that suffers next, the last one at the end."""
        chosen = np.array([*values, values[order[-1][-1]]])[selected(self._target, order)]
        return self.over(chosen)

    def options(self, first: int | None) -> list[Option]:
        """How an attack may be allocated; ``first`` is whom precise attacks go to."""
        return self._options(first, attacks=True)

    def packet_options(self, packet: Packet, first: int | None) -> list[Option]:
        """How a devastating wound may be; the points of one that spills go their own ways."""
        if packet.spills:
            return [(one_by_one(self._target, first), SAME)]
        return self._options(first, attacks=True)

    def mortal(self, after: Situation, packet: Packet, first: int | None) -> Situation:
        """One mortal wound, on whom the rules or the defender choose.

        Who had attacks allocated does not matter.
        """
        options: Options = [
            (allowed, self._tape.chance([(Step(self._map_of(packet, order)), after)]))
            for order, allowed in self._options(first, attacks=False)
        ]
        return best_of(self._tape, options, np.minimum)

    def deal(self, after: Situation, packet: Packet, *, order: Order) -> Situation:
        """A model suffers the packet, or several do where its damage spills."""
        if not (packet.spills and self._free):
            return self._tape.chance([(Step(self._map_of(packet, order)), after)])
        first = order[0][0] if len(order[0]) == 1 and order[0][0] in order[-1] else None
        point = replace(packet, damage=Pmf.point(1), spills=False)
        rest = [after]
        for _ in range(packet.damage.stop - 1):
            rest.append(self.mortal(rest[-1], point, first))
        return counted(self._tape, packet.damage, rest)

    def _options(self, first: int | None, *, attacks: bool) -> list[Option]:
        usual = one_by_one(self._target, first)
        if not self._free:
            return [(usual, SAME)]
        may = np.stack([self._may_take(g, first, attacks=attacks) for g in self._groups])
        nobody = ~may.any(axis=0)
        return [(((g,), *usual), Allowed((may[g] | nobody).reshape(-1))) for g in self._groups]

    @property
    def _groups(self) -> range:
        return range(len(self._target.groups))

    def _may_take(self, group: int, first: int | None, *, attacks: bool) -> BoolArray:
        """(place, state): whether a model of the group may be next."""
        spend(150_000 + 20 * self._space.size * self._places)
        found = self._found()
        out = np.stack([found[group]] * self._places)
        if attacks:
            space = self._space
            hurt = np.any([found[g] & space.wounded(g) for g in self._groups], axis=0)
            for g in self._groups:
                goes_on = found[g] & ~hurt
                out[g + 1] = np.where(goes_on, g == group, out[g + 1])
        if first is not None:
            out = np.where(self._space.alive(first), group == first, out)
        return out

    def _found(self) -> list[BoolArray]:
        """For each group where its models are among those of which one must be chosen."""
        space, groups = self._space, self._target.groups
        alive = [space.alive(g) for g in self._groups]
        any_plain = np.any(
            [a for a, group in zip(alive, groups, strict=True) if not group.character]
            or [np.zeros(space.size, dtype=bool)],
            axis=0,
        )
        pool = [
            a & (~any_plain if group.character else any_plain)
            for a, group in zip(alive, groups, strict=True)
        ]
        hurt = np.any([p & space.wounded(g) for g, p in enumerate(pool)], axis=0)
        return [p & (space.wounded(g) | ~hurt) for g, p in enumerate(pool)]

    def allocated_to(self, order: Order) -> Link:
        """An attack was allocated and saved: its model goes on."""
        if not self._free:
            return SAME
        return Placed(selected(self._target, order) + 1, self._places)

    def _map_of(self, packet: Packet, order: Order) -> Map:
        """What a packet does to every (extended) state."""
        if not self._free:
            return packet_map(packet, self._target, order)
        key = (packet, order)
        if key not in self._maps:
            self._maps[key] = self._extended(packet_map(packet, self._target, order), order)
        return self._maps[key]

    def _extended(self, step: Map, order: Order) -> Map:
        """The same map with places: the model goes on unless it died."""
        from scipy import sparse

        size = self._space.size
        entries = sparse.coo_array(step)
        before, after = entries.coords
        group = selected(self._target, order)[before]
        dead = np.stack([*self._space.dead, np.zeros(size, dtype=np.int64)])
        died = dead[group, after] > dead[group, before]
        place = np.where(died | (group < 0), 0, group + 1)
        rows = np.concatenate([p * size + before for p in range(self._places)])
        columns = np.tile(place * size + after, self._places)
        chances = np.tile(entries.data, self._places)
        shape = (size * self._places,) * 2
        whole = sparse.csr_array(sparse.coo_array((chances, (rows, columns)), shape=shape))
        return whole if shape[0] > DENSE_UP_TO else np.asarray(whole.todense())


@dataclass(frozen=True, slots=True, eq=False)
class Allowed:
    """Infinitely bad for the defender where it is not allowed."""

    where: BoolArray

    def pull(self, value: FloatArray) -> FloatArray:
        """The value where it is allowed."""
        return np.where(self.where, value, math.inf)

    def push(self, law: FloatArray) -> FloatArray:
        """Nothing comes from where it is not allowed."""
        return law


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Every state goes to the given place; ``places[s]`` is the place of state s."""

    to: np.ndarray
    places: int

    def pull(self, value: FloatArray) -> FloatArray:
        """The value at the new place."""
        split = value.reshape(*value.shape[:-1], self.places, -1)
        chosen = np.take_along_axis(split, self._index(split), axis=-2)
        return np.broadcast_to(chosen, split.shape).reshape(value.shape)

    def push(self, law: FloatArray) -> FloatArray:
        """The law at the new places."""
        split = law.reshape(*law.shape[:-1], self.places, -1)
        out = np.zeros_like(split)
        total = split.sum(axis=-2, keepdims=True)
        np.put_along_axis(out, self._index(split), total, axis=-2)
        return out.reshape(law.shape)

    def _index(self, split: FloatArray) -> np.ndarray:
        shape = (*split.shape[:-2], 1, split.shape[-1])
        return np.broadcast_to(self.to, shape)
