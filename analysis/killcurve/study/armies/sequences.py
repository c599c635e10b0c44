"""How many copies of a target attacks destroy that are made one after the other, exactly.

An *attack* is a map: a float64 array (states, states) whose row s is the law of a copy's states
when it is attacked in state s; the last state is that in which nobody is left. In a *sequence*
each attack goes at the copy that has been attacked last until it is destroyed, then at a fresh
one. *Stages* are lists of attacks, those of one stage made before those of the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from killcurve.engine.pmf import FloatArray

MOST_VALUES = 10_000_000
"""Values held while the best sequence is sought: sets of attacks × states × copies."""

Stages = Sequence[Sequence[FloatArray]]


def in_order(attacks: Sequence[FloatArray], start: int, copies: int) -> FloatArray:
    """The law of the copies destroyed when attacks are made in their order; (copies + 1,).

    The last number is the chance of ``copies`` or more.

    >>> half = np.array([[0.5, 0.5], [0.0, 1.0]])
    >>> in_order([half, half], 0, 2).tolist()
    [0.25, 0.5, 0.25]
    """
    states = attacks[0].shape[0] if attacks else start + 2
    law = np.zeros((copies + 1, states))
    law[0, start] = 1.0
    for attack in attacks:
        after = law @ attack
        fallen = after[:, -1].copy()
        after[:, -1] = 0.0
        after[1:, start] += fallen[:-1]
        after[-1] = law[-1]
        after[-1, start] += fallen[-2]
        law = after
    return np.asarray(law.sum(axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """The chances of at least 0, 1, 2, … copies, each under the sequence that is best for it.

    ``optimal`` is whether no sequence is better.
    """

    at_least: FloatArray
    optimal: bool


def best(stages: Stages, start: int, copies: int) -> Best:
    """P(at least k copies are destroyed) for k = 0 … ``copies``, each by its best sequence.

    Which attack of a stage is made next is chosen with what is left of the current copy in
    sight. Where the sets of attacks are too many to go through all of them, the weakest attacks
    of a stage are made before its others, or after them, in their order (the better of the two):
    then ``optimal`` is false, and the chances are ones that can be had.

    >>> half, sure = (np.array([[1 - p, p], [0.0, 1.0]]) for p in (0.5, 1.0))
    >>> best([[half, sure]], 0, 2).at_least.tolist()
    [1.0, 1.0, 0.5]
    """
    states = next((a.shape[0] for stage in stages for a in stage), start + 2)
    ways = [_values(stages, states, start, copies, weak_first=first) for first in (True, False)]
    attacks = [attack for stage in stages for attack in stage]
    plain = np.cumsum(in_order(attacks, start, copies)[::-1])[::-1]
    values = np.maximum.reduce([value[:, start] for value, _ in ways])
    optimal = all(is_all for _, is_all in ways)
    return Best(values if optimal else np.maximum(values, plain), optimal)


def _values(
    stages: Stages, states: int, start: int, copies: int, *, weak_first: bool
) -> tuple[FloatArray, bool]:
    """P(at least k more copies) by state of the current one, (copies + 1, states)."""
    value = np.zeros((copies + 1, states))
    value[0] = 1.0
    _next_copy(value, start)
    optimal = True
    for stage in reversed(stages):
        chosen, fixed = _those_to_choose(stage, states * (copies + 1))
        optimal = optimal and not fixed
        if weak_first:
            value = _chosen(value, chosen, start)
        for attack in reversed(fixed):
            value = value @ attack.T
            _next_copy(value, start)
        if not weak_first:
            value = _chosen(value, chosen, start)
    return value, optimal


def _next_copy(value: FloatArray, start: int) -> None:
    """Where the current copy is gone, one fewer is needed, from a fresh one on."""
    for more in range(1, value.shape[0]):
        value[more, ..., -1] = value[more - 1, ..., start]
    value[0, ..., -1] = 1.0


def _those_to_choose(
    stage: Sequence[FloatArray], each: int
) -> tuple[list[FloatArray], list[FloatArray]]:
    """The attacks whose order is chosen, and the weakest ones, for which there is no room."""
    chosen = list(range(len(stage)))
    by_strength = sorted(chosen, key=lambda n: float(stage[n][0] @ np.arange(stage[n].shape[0])))
    fixed: set[int] = set()
    while _sets([stage[n] for n in chosen]) * each > MOST_VALUES:
        fixed.add(by_strength[len(fixed)])
        chosen = [n for n in range(len(stage)) if n not in fixed]
    return [stage[n] for n in chosen], [stage[n] for n in sorted(fixed)]


def _sets(attacks: Sequence[FloatArray]) -> int:
    number = 1
    for _, count in _alike(attacks):
        number *= count + 1
    return number


def _alike(attacks: Sequence[FloatArray]) -> list[tuple[FloatArray, int]]:
    """Equal attacks once, with how many there are."""
    found: dict[bytes, tuple[FloatArray, int]] = {}
    for attack in attacks:
        key = attack.tobytes()
        found[key] = (attack, found[key][1] + 1 if key in found else 1)
    return list(found.values())


def _chosen(after: FloatArray, attacks: Sequence[FloatArray], start: int) -> FloatArray:
    """The value before a stage whose next attack is always the best one; ``after`` is that after.

    Sets of attacks that are still to be made are numbers in a mixed base; a set's value is the
    best, over its attacks, of that attack's mean value of the set without it.
    """
    kinds = _alike(attacks)
    copies, states = after.shape
    held = np.zeros((copies, _sets(attacks), states))
    held[:, 0] = after
    for layer in _layers([count for _, count in kinds]):
        best_here = np.zeros((copies, len(layer), states))
        step = 1
        for attack, count in kinds:
            has = layer // step % (count + 1) > 0
            made = held[:, layer[has] - step] @ attack.T
            best_here[:, has] = np.maximum(best_here[:, has], made)
            step *= count + 1
        held[:, layer] = best_here
        part = held[:, layer]
        _next_copy(part, start)
        held[:, layer] = part
    return np.asarray(held[:, -1])


def _layers(counts: Sequence[int]) -> Iterator[np.ndarray]:
    """The sets with 1, 2, … attacks, by number."""
    size = int(np.prod([count + 1 for count in counts], dtype=np.int64))
    numbers = np.arange(size)
    total = np.zeros(size, dtype=np.int64)
    step = 1
    for count in counts:
        total += numbers // step % (count + 1)
        step *= count + 1
    for made in range(1, sum(counts) + 1):
        yield numbers[total == made]
