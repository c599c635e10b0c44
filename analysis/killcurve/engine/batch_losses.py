"""The tables of target halves: powers of maps from a start, row after row."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np

from killcurve.engine.allocation import Order, declared_orders, in_order, one_by_one
from killcurve.engine.batch_attack import binomial_laws
from killcurve.engine.decisions.tape import MARGIN
from killcurve.engine.losses import TINY, moved
from killcurve.engine.packets import Map, gated, one_model, spilling
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.roll import FACES
from killcurve.engine.saves import SaveRoll
from killcurve.engine.shot import Kind, Packet
from killcurve.engine.states import BoolArray, States, states
from killcurve.engine.target import Target

Harm: TypeAlias = tuple[Pmf, ...] | Packet
"""What a wound does: the law of the wounds a model loses, by group; or a packet that spills."""

Region: TypeAlias = tuple[BoolArray, Order]
"""States, and the order in which groups suffer there."""


class SavePool(NamedTuple):
    """Save rolls of each group for equal wounds, and what an unsaved one does, in an order."""

    saves: tuple[SaveRoll, ...]
    order: Order
    harm: Harm
    sorted_saves: bool


def harm_map(space: States, order: Order, harm: Harm) -> Map:
    """What one wound does to every state, models suffering in that order."""
    return _harm_map(space.target, order, harm)


@lru_cache(maxsize=512)
def _harm_map(target: Target, order: Order, harm: Harm) -> Map:
    space = states(target)
    selection = in_order(space, order)
    if isinstance(harm, Packet):
        return spilling(space, selection, harm.damage, harm.feel_no_pain)
    return one_model(space, selection, harm)


@lru_cache(maxsize=512)
def _orders_from(target: Target, kinds: tuple[Kind, ...]) -> tuple[Region, ...]:
    return tuple((where, orders.own) for where, orders in declared_orders(states(target), kinds))


def orders_from(space: States, kinds: tuple[Kind, ...], sorted_saves: bool) -> tuple[Region, ...]:
    """The parts of the state space with the order that the defender declares there."""
    if sorted_saves:
        return _orders_from(space.target, kinds)
    return ((np.ones(space.size, dtype=bool), one_by_one(space.target)),)


MOST_CELLS = 2_000_000
"""So many numbers one table of ways to sort dice may have."""


def powers(step: Map, start: FloatArray, most: int) -> FloatArray:
    """The laws after 0 to ``most`` equal steps, each time twice as many.

    >>> powers(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([1.0, 0.0]), 2).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.25, 0.75]]
    """
    laws = np.zeros((most + 1, len(start)))
    laws[0] = start
    if not isinstance(step, np.ndarray):  # the powers of a sparse map are not sparse
        for row in range(most):
            laws[row + 1] = moved(laws[row], step)
        return laws
    known = 1
    while known <= most:
        more = min(known, most + 1 - known)
        laws[known : known + more] = moved(laws[:more], step)
        known += more
        if known <= most:
            step = step @ step
            step[step < TINY] = 0.0
    return laws


def pool_laws(space: States, pool: SavePool, most: int, start: FloatArray) -> FloatArray:
    """The laws after 0 to ``most`` wounds that are saved together; shape (most + 1, states)."""
    step = harm_map(space, pool.order, pool.harm)
    selection = in_order(space, pool.order)
    everyone = [*pool.saves, pool.saves[pool.order[-1][-1] if pool.order else 0]]
    if not pool.sorted_saves or len(set(pool.saves)) == 1:
        failures = np.array([roll.failure for roll in everyone])[selection]
        return powers(gated(step, failures), start, most)
    first = pool.saves[pool.order[0][0] if pool.order else 0]
    faces = [first.face_law(face) for face in FACES]
    need = np.array([roll.need - 1 for roll in everyone])
    classes = [
        (gated(step, (need[selection] >= high).astype(np.float64)), sum(faces[low:high]))
        for low, high in pairwise([0, *sorted(set(need.tolist()))])
    ]
    return sorted_laws(classes, start, most)


def sorted_laws(classes: Sequence[tuple[Map, float]], start: FloatArray, most: int) -> FloatArray:
    """The laws after 0 to ``most`` dice that are sorted into classes, all of one before the next.

    A class is the map that each of its dice makes, and the chance that a die is of it; dice of no
    class change nothing. Shape (most + 1, states).

    >>> half = np.array([[0.0, 1.0], [0.0, 1.0]])
    >>> sorted_laws([(half, 0.5)], np.array([1.0, 0.0]), 2).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.25, 0.75]]
    """
    if (most + 1) * comb(most + len(classes), len(classes)) > MOST_CELLS:
        return _first_class_first(classes, start, most)
    # One row for each way to have dice in the classes so far, however many there are in all.
    laws, taken = start[None, :], np.zeros(1, dtype=np.int64)
    dice = np.arange(most + 1)
    chances = np.ones((most + 1, 1))
    remaining = 1.0
    for step, share in classes:
        found, numbers, origin = [laws], [np.zeros_like(taken)], [np.arange(len(taken))]
        for number in range(1, most + 1):
            room = taken[origin[-1]] + number <= most
            if not room.any():
                break
            found.append(moved(found[-1][room], step))
            origin.append(origin[-1][room])
            numbers.append(np.full(len(origin[-1]), number))
        rows, new = np.concatenate(origin), np.concatenate(numbers)
        table = binomial_laws(most, min(1.0, share / remaining) if remaining > 0 else 0.0)
        left = dice[:, None] - taken[rows]
        chances = chances[:, rows] * np.where(left >= 0, table[np.maximum(left, 0), new], 0.0)
        laws, taken = np.concatenate(found), taken[rows] + new
        remaining -= share
    return np.asarray(chances @ laws)


def _first_class_first(
    classes: Sequence[tuple[Map, float]], start: FloatArray, most: int
) -> FloatArray:
    """As :func:`sorted_laws`, one number of dice of the first class after the other."""
    (step, share), *others = classes
    rest = [(each, min(1.0, part / (1 - share))) for each, part in others] if share < 1 else []
    table = binomial_laws(most, share)
    out = np.zeros((most + 1, len(start)))
    for number, law in enumerate(powers(step, start, most)):
        left = most - number
        after = sorted_laws(rest, law, left) if rest else np.tile(law, (left + 1, 1))
        out[number:] += table[number:, number, None] * after
    return out


def then_special(ordinary: FloatArray, step: Map, most: int) -> FloatArray:
    """Each law followed by 0 to ``most`` devastating wounds; shape (rows (most + 1), states)."""
    laws = [ordinary]
    for _ in range(most):
        laws.append(moved(laws[-1], step))
    return np.stack(laws, axis=1).reshape(-1, ordinary.shape[-1])


def two_pools(
    space: States,
    first: tuple[SavePool, int],
    last: tuple[Sequence[tuple[BoolArray, SavePool]], int],
    *,
    swapped: bool,
) -> FloatArray:
    """Two pools of saves one after the other, the order declared anew for the last one.

    Shape ((most of the first + 1) (most of the last + 1), states), or ``swapped``.
    """
    (pool, most), (pools, most_last) = first, last
    after_first = pool_laws(space, pool, most, space.from_start())
    laws = np.zeros((most + 1, most_last + 1, space.size))
    for where, again in pools:
        for count, law in enumerate(np.where(where, after_first, 0.0)):
            if law.any():
                laws[count] += pool_laws(space, again, most_last, law)
    if swapped:
        laws = np.swapaxes(laws, 0, 1)
    return laws.reshape(-1, space.size)


def decided_laws(space: States, harm: Sequence[tuple[float, Pmf]], most: int) -> FloatArray:
    """The laws after 0 to ``most`` unsaved wounds on equal models, damage rolls looked at.

    Each may be made again once, and is where that is worth more damage in all, as many wounds
    following as do: the dice of a batch's saves lie on the table by then (RULES.md §5.1).
    """
    maps = [np.asarray(harm_map(space, ((0,),), (points,))) for _, points in harm]
    again = np.zeros((space.size, space.size))
    for (chance, _), step in zip(harm, maps, strict=True):
        again += chance * step
    worth = space.all_lost.total
    ahead = np.eye(space.size)
    laws = [ahead[space.start]]
    for _ in range(most):
        kept = [step @ worth for step in maps]
        rolled = again @ worth
        one, value = np.zeros_like(ahead), np.zeros(space.size)
        for (chance, _), stay, stands in zip(harm, maps, kept, strict=True):
            better = rolled > stands + MARGIN * stands
            one += chance * np.where(better[:, None], again, stay)
            value += chance * np.where(better, rolled, stands)
        ahead, worth = one @ ahead, value
        laws.append(ahead[space.start])
    return np.array(laws)
