"""What one damaging attack or one mortal wound does to every state: maps as matrices.

A row vector of state probabilities times such a matrix is the law afterwards.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from killcurve.engine.budget import spend
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.states import IntArray, States

if TYPE_CHECKING:
    from scipy import sparse

Map: TypeAlias = "FloatArray | sparse.csr_array"
"""A square matrix over states whose rows sum to one; sparse ones, which take long to import, are
made of large targets only."""

DENSE_UP_TO = 400


@lru_cache(maxsize=4096)
def felt(damage: Pmf, feel_no_pain: int | None) -> Pmf:
    """The law of the points that are not ignored; one D6 for each (RULES.md §6.2).

    >>> felt(Pmf.point(2), 5).weights.round(6).tolist()
    [0.111111, 0.444444, 0.444444]
    """
    if feel_no_pain is None:
        return damage
    ignored = (7 - feel_no_pain) / 6
    out = np.zeros(damage.stop)
    point: FloatArray = np.ones(1)
    for value in range(damage.stop):
        out[: value + 1] += damage.probability(value) * point
        point = np.convolve(point, [ignored, 1 - ignored])
    return Pmf(out)


def one_model(states: States, selection: IntArray, points: tuple[Pmf, ...]) -> Map:
    """The map of one packet that one model suffers, the rest of it lost (RULES.md §6.1).

    ``points[g]`` is the law of the wounds the packet takes from a model of group g that has
    enough of them; ``selection`` says which group suffers in each state.

    >>> from killcurve.engine.states import states
    >>> from killcurve.engine.target import ModelGroup, Target
    >>> pair = states(Target((ModelGroup(count=2, toughness=4, save=3, wounds=2),)))
    >>> one_model(pair, np.array([0, 0, 0, 0, -1]), (Pmf.point(3),))[0].tolist()
    [0.0, 0.0, 1.0, 0.0, 0.0]
    """
    moves: list[tuple[IntArray, IntArray, FloatArray]] = []
    for g, group in enumerate(states.target.groups):
        rows = np.flatnonzero(selection == g)
        left = group.wounds - states.lost[g][rows] % group.wounds
        law, tails = points[g].from_zero(), points[g].survival()
        for loss in range(min(len(law) - 1, group.wounds) + 1):
            # A model with more wounds left loses exactly these; one with just these dies.
            for here, chance in ((left > loss, law[loss]), (left == loss, tails[loss])):
                start = rows[here]
                moves.append((start, start + loss * states.strides[g], np.full(len(start), chance)))
    none_left = np.flatnonzero(selection < 0)
    moves.append((none_left, none_left, np.ones(len(none_left))))
    return _matrix(states.size, moves)


def spilling(
    states: States, selection: IntArray, damage: Pmf, feel_no_pain: tuple[int | None, ...]
) -> Map:
    """The map of ``damage`` mortal wounds, suffered one at a time by whoever is selected then."""
    single = one_model(states, selection, tuple(felt(Pmf.point(1), f) for f in feel_no_pain))
    total = identity(states.size) * damage.weights[-1]
    for value in range(damage.stop - 2, -1, -1):
        total = multiplied(total, single)
        total = total + identity(states.size) * damage.probability(value)
    return total


def gated(packet: Map, chance: FloatArray, mark: complex = 1.0) -> Map:
    """The map of a packet that happens with ``chance[s]`` in state s, and else changes nothing.

    A ``mark`` counts how often it happens (:mod:`killcurve.engine.spectrum`).

    >>> gated(np.array([[0.0, 1.0], [0.0, 1.0]]), np.array([0.25, 1.0])).tolist()
    [[0.75, 0.25], [0.0, 1.0]]
    """
    if isinstance(packet, np.ndarray):
        out = packet * (chance * mark)[:, None]
        out[np.diag_indices_from(out)] += 1 - chance
        return out
    from scipy import sparse

    return sparse.csr_array(
        sparse.diags_array(chance * mark) @ packet + sparse.diags_array(1 - chance)
    )


def multiplied(first: Map, then: Map) -> Map:
    """One map after the other."""
    if isinstance(first, np.ndarray):
        spend(10_000 + 0.5 * first.size * first.shape[0])
    else:
        spend(100_000 + 200 * first.nnz)
    return first @ then


def identity(size: int) -> Map:
    """The map that changes nothing."""
    if size <= DENSE_UP_TO:
        return np.eye(size)
    from scipy import sparse

    return sparse.eye_array(size, format="csr")


def _matrix(size: int, moves: list[tuple[IntArray, IntArray, FloatArray]]) -> Map:
    """The map with the given (from, to, chance) entries, added up."""
    rows, columns, chances = (np.concatenate(parts) for parts in zip(*moves, strict=True))
    if size > DENSE_UP_TO:
        from scipy import sparse

        return sparse.csr_array(sparse.coo_array((chances, (rows, columns)), shape=(size, size)))
    matrix = np.zeros((size, size))
    np.add.at(matrix, (rows, columns), chances)
    return matrix
