"""Who takes the next attack or mortal wound, in every state (RULES.md §5.1, §5.2, §6.3).

A *selection* gives, for each state, the group whose model suffers next; -1 where none is left.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from killcurve.engine.edition import Edition
from killcurve.engine.states import BoolArray, IntArray, States
from killcurve.engine.target import Target

Order = tuple[tuple[int, ...], ...]
"""Allocation groups in the order in which they are lost; each lists the target's groups in it."""


def in_order(states: States, order: Order) -> IntArray:
    """The first allocation group with a model left; in it a wounded model before any other."""
    selection = np.full(states.size, -1)
    for together in reversed(order):
        for wounded in (False, True):
            for g in reversed(together):
                selection[states.alive(g) & (states.wounded(g) == wounded)] = g
    return selection


def one_by_one(states: States) -> IntArray:
    """One model after another: a wounded one goes on suffering, characters come last.

    Within the same rank the target's own order decides. So are attacks allocated in the 10th
    edition, and mortal wounds in both (RULES.md §5.2, §6.3).
    """
    ranks = tuple(
        tuple(g for g, group in enumerate(states.target.groups) if group.character is character)
        for character in (False, True)
    )
    return in_order(states, ranks)


def allocation_groups(target: Target) -> Order:
    """The groups of save rolls: each character alone, others by equal W, Sv and InSv.

    >>> from killcurve.engine.target import ModelGroup
    >>> plain = ModelGroup(count=2, toughness=4, save=3, wounds=1)
    >>> boss = ModelGroup(count=1, toughness=4, save=3, wounds=1, character=True)
    >>> allocation_groups(Target((plain, boss, plain)))
    ((0, 2), (1,))
    """
    together: dict[object, list[int]] = {}
    for g, group in enumerate(target.groups):
        alike = (group.wounds, group.save, group.invulnerable)
        together.setdefault((g,) if group.character else alike, []).append(g)
    return tuple(tuple(groups) for groups in together.values())


def batch_orders(states: States, edition: Edition) -> Iterator[tuple[BoolArray, Order | None]]:
    """The parts of the state space in which a batch is allocated alike, with its order.

    In the 11th edition the order of allocation groups is declared for the batch: characters
    after the others, in either rank those with a wounded model first; the state at the
    batch's start decides (RULES.md §5.1). In the 10th attacks go one by one: the order ``None``.
    """
    everywhere = np.ones(states.size, dtype=bool)
    groups = allocation_groups(states.target)
    if not edition.sorted_saves or len(states.target.groups) == 1:
        yield everywhere, None
        return
    alive = np.stack([np.any([states.alive(g) for g in gs], axis=0) for gs in groups])
    wounded = np.stack([np.any([states.wounded(g) for g in gs], axis=0) for gs in groups])
    flags = np.concatenate([alive, wounded])
    for row in np.unique(flags, axis=1).T:
        living, hurt = row[: len(groups)], row[len(groups) :]
        here = np.all(flags == row[:, None], axis=0)
        yield here, (_declared(states.target, groups, living, hurt) if living.any() else None)


def _declared(target: Target, groups: Order, living: BoolArray, hurt: BoolArray) -> Order:
    """The living groups in the defender's order, made legal."""
    ranked = sorted(
        np.flatnonzero(living),
        key=lambda i: (target.groups[groups[i][0]].character, not hurt[i], i),
    )
    return tuple(groups[i] for i in ranked)


def toughness_parts(
    states: States, change: int, edition: Edition
) -> Iterator[tuple[BoolArray, int]]:
    """The parts of the state space with one Toughness, ``change`` added to each model's.

    The highest among living models that are not characters, or among all when none is left.
    The 10th edition reads it once, before the unit's first attack (RULES.md §4).
    """
    groups = states.target.groups
    values = np.zeros(states.size, dtype=np.int64)
    for character in (True, False):
        rank = np.zeros(states.size, dtype=np.int64)
        for g, group in enumerate(groups):
            if group.character is character:
                rank[states.alive(g)] = np.maximum(rank, group.toughness)[states.alive(g)]
        values = np.where(rank > 0, rank, values)
    if not edition.toughness_per_batch:
        values[:] = values[states.start]
    values[states.destroyed] = values[states.start]
    for value in np.unique(values):
        yield values == value, max(1, int(value) + change)
