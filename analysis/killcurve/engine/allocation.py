"""Who takes the next attack or mortal wound, in every state (RULES.md §5.1, §5.2, §6.3).

A *selection* gives, for each state, the group whose model suffers next; -1 where none is left.
An :data:`Order` is what it follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, permutations
from math import factorial, prod

import numpy as np

from killcurve.engine.budget import spend
from killcurve.engine.states import BoolArray, IntArray, States, states
from killcurve.engine.target import Target

Order = tuple[tuple[int, ...], ...]
"""Sets of the target's groups, in the order in which they are lost; in a set a wounded model
suffers before any other, then the set's own order counts."""


def in_order(space: States, order: Order) -> IntArray:
    """The group that suffers next, for every state."""
    selection = np.full(space.size, -1)
    for together in reversed(order):
        for wounded in (False, True):
            for g in reversed(together):
                selection[space.alive(g) & (space.wounded(g) == wounded)] = g
    return selection


def one_by_one(target: Target, first: int | None = None) -> Order:
    """One model after another: a wounded one goes on suffering, characters come last.

    So are attacks allocated in the 10th edition, and mortal wounds in both (RULES.md §5.2,
    §6.3). ``first`` is a character that precise attacks go to.

    >>> from killcurve.engine.target import ModelGroup
    >>> plain = ModelGroup(count=2, toughness=4, save=3, wounds=1)
    >>> boss = ModelGroup(count=1, toughness=4, save=3, wounds=1, character=True)
    >>> one_by_one(Target((boss, plain))), one_by_one(Target((boss, plain)), first=0)
    (((1,), (0,)), ((0,), (1,), (0,)))
    """
    ranks = [
        tuple(g for g, group in enumerate(target.groups) if group.character is character)
        for character in (False, True)
    ]
    named = [] if first is None else [(first,)]
    return (*named, *(rank for rank in ranks if rank))


def turned(order: Order) -> list[Order]:
    """The order itself, and those in which another group of a rank comes first in it.

    They are what a player may choose among for one model at a time.

    >>> turned(((0, 1), (2,)))
    [((0, 1), (2,)), ((1, 0), (2,))]
    """
    out = [order]
    for together in order:
        for g in together:
            rest = (g, *(other for other in together if other != g))
            out.append(tuple(rest if rank == together else rank for rank in order))
    return list(dict.fromkeys(out))


def allocation_groups(target: Target, kinds: Sequence[object]) -> Order:
    """The groups of save rolls: each character alone, others by equal W, Sv and InSv.

    ``kinds`` tells these of each group, as they hold against the attack.

    >>> from killcurve.engine.target import ModelGroup
    >>> plain = ModelGroup(count=2, toughness=4, save=3, wounds=1)
    >>> boss = ModelGroup(count=1, toughness=4, save=3, wounds=1, character=True)
    >>> allocation_groups(Target((plain, boss, plain)), [(1, 3)] * 3)
    ((0, 2), (1,))
    """
    together: dict[object, list[int]] = {}
    for g, group in enumerate(target.groups):
        together.setdefault((g,) if group.character else (kinds[g],), []).append(g)
    return tuple(tuple(groups) for groups in together.values())


MOST_ORDERS = 720
"""Orders among which the best one is looked for."""


@dataclass(frozen=True, slots=True)
class Orders:
    """The legal orders of a target's living groups: ranks one after the other, each in any order.

    >>> orders = Orders((((0,), (1,)), ((2,),)))
    >>> orders.own, len(orders.every())
    (((0,), (1,), (2,)), 2)
    """

    ranks: tuple[Order, ...]

    @property
    def own(self) -> Order:
        """The order that keeps the target's own one."""
        return tuple(chain.from_iterable(self.ranks))

    def every(self) -> list[Order]:
        """All of them, the own one first.

        Raises:
            ValueError: if they are too many to look at.
        """
        number = prod(factorial(len(rank)) for rank in self.ranks)
        if number > MOST_ORDERS:
            raise ValueError(
                f"the best of {number:,} orders of groups is not solved; of up to {MOST_ORDERS} "
                "it is: name the order in choices.allocation"
            )
        found: list[Order] = [()]
        for rank in self.ranks:
            found = [(*order, *more) for order in found for more in permutations(rank)]
        return found


def declared_orders(space: States, kinds: Sequence[object]) -> Iterator[tuple[BoolArray, Orders]]:
    """The parts of the state space with the orders that the defender may declare for a batch.

    Characters come after the others, in either rank those groups first that have a wounded
    model (RULES.md §5.1).
    """
    groups = allocation_groups(space.target, kinds)
    if len(space.target.groups) == 1:
        yield np.ones(space.size, dtype=bool), Orders((groups,))
        return
    alive = np.stack([np.any([space.alive(g) for g in gs], axis=0) for gs in groups])
    wounded = np.stack([np.any([space.wounded(g) for g in gs], axis=0) for gs in groups])
    flags = np.concatenate([alive, wounded])
    kinds_of_states = np.unique(flags, axis=1).T
    spend(100_000 * len(kinds_of_states))
    for row in kinds_of_states:
        living, hurt = row[: len(groups)], row[len(groups) :]
        yield np.all(flags == row[:, None], axis=0), _legal(space.target, groups, living, hurt)


def _legal(target: Target, groups: Order, living: BoolArray, hurt: BoolArray) -> Orders:
    ranks: dict[tuple[bool, bool], list[tuple[int, ...]]] = {}
    for i in np.flatnonzero(living):
        rank = (target.groups[groups[i][0]].character, not hurt[i])
        ranks.setdefault(rank, []).append(groups[i])
    return Orders(tuple(tuple(ranks[rank]) for rank in sorted(ranks)))


def toughness_of(target: Target, living: frozenset[int]) -> int:
    """The Toughness that attacks meet: the highest among living models that are no characters.

    Among all, where none but characters are left (RULES.md §4).

    >>> from killcurve.engine.target import ModelGroup
    >>> guard = ModelGroup(count=2, toughness=4, save=3, wounds=1)
    >>> boss = ModelGroup(count=1, toughness=5, save=3, wounds=1, character=True)
    >>> [toughness_of(Target((guard, boss)), frozenset(g)) for g in ({0, 1}, {1})]
    [4, 5]
    """
    groups = [target.groups[g] for g in living]
    plain = [group.toughness for group in groups if not group.character]
    return max(plain or [group.toughness for group in groups])


def living_parts(space: States) -> Iterator[tuple[BoolArray, frozenset[int]]]:
    """The parts of the state space by which groups live; the dead unit counts as whole."""
    alive = np.stack([space.alive(g) for g in range(len(space.target.groups))])
    for row in np.unique(alive, axis=1).T:
        living = frozenset(int(g) for g in np.flatnonzero(row))
        everyone = frozenset(range(len(row)))
        yield np.all(alive == row[:, None], axis=0), living or everyone


@lru_cache(maxsize=256)
def reachable(target: Target, firsts: frozenset[int] = frozenset()) -> BoolArray:
    """The states that attacks can lead to from the target's start.

    A wounded model goes on suffering, characters come last but for the ``firsts``.
    """
    space = states(target)
    found = np.zeros(space.size, dtype=bool)
    found[space.start] = True
    moves = list(_moves(space, firsts))
    while True:
        before = int(found.sum())
        for sources, step in moves:
            found[np.flatnonzero(found & sources) + step] = True
        if int(found.sum()) == before:
            return found


def _moves(space: States, firsts: frozenset[int]) -> Iterator[tuple[BoolArray, int]]:
    """(states, step): from these states a model may lose so many wounds."""
    groups = space.target.groups
    hurt_plain = _any(space.wounded(g) for g, group in enumerate(groups) if not group.character)
    # A group goes on suffering in a batch while another one is hurt from the start.
    several_hurt = sum(group.wounds_lost > 0 for group in groups if not group.character) > 1
    any_plain = _any(space.alive(g) for g, group in enumerate(groups) if not group.character)
    for g, group in enumerate(groups):
        may = space.alive(g)
        if group.character and g not in firsts:
            may = may & ~any_plain
        elif not group.character:
            may = may & (space.wounded(g) | ~hurt_plain | several_hurt)
        left = group.wounds - space.lost[g] % group.wounds
        for loss in range(1, group.wounds + 1):
            yield may & (left >= loss), loss * space.strides[g]


def _any(flags: Iterator[BoolArray]) -> BoolArray:
    out: BoolArray | np.bool_ = np.False_
    for flag in flags:
        out = out | flag
    return np.asarray(out)
