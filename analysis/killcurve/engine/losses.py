"""The target half: where a law of wounds takes the target's state.

A *joint* law is an array whose first axis counts dice (or packets) still to be resolved and
whose last axis runs over the target's states; axes between them count what waits longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from killcurve.engine.budget import hold, spend
from killcurve.engine.packets import Map, gated
from killcurve.engine.pmf import FloatArray
from killcurve.engine.states import IntArray


def joined(law: FloatArray, start: FloatArray) -> FloatArray:
    """The joint law of independent counts and state: ``law.shape + start.shape``.

    >>> joined(np.array([[0.5], [0.5]]), np.array([1.0, 0.0])).shape
    (2, 1, 2)
    """
    hold(4 * law.size * start.size)
    spend(_cell(law.size * start.size) * law.size * start.size)
    return np.asarray(np.multiply.outer(law, start))


def settle(joint: FloatArray, step: Map) -> FloatArray:
    """Resolve what the first axis counts, equal steps: the sum of joint[n] step^n.

    >>> settle(np.array([[0.5, 0.0], [0.5, 0.0]]), np.array([[0.0, 1.0], [0.0, 1.0]])).tolist()
    [0.5, 0.5]
    """
    result: FloatArray = joint[-1]
    for part in joint[-2::-1]:
        result = moved(result, step) + part
    return result


def settle_counts(counts: FloatArray, start: FloatArray, step: Map) -> FloatArray:
    """``settle(joined(counts, start), step)``, without all of it in memory at once.

    >>> step = np.array([[0.0, 1.0], [0.0, 1.0]])
    >>> settle_counts(np.array([0.5, 0.5]), np.array([1.0, 0.0]), step).tolist()
    [0.5, 0.5]
    """
    result = joined(counts[-1], start)
    for count in counts[-2::-1]:
        result = moved(result, step) + joined(count, start)
    return result


class Steps:
    """One step, and its powers from single states as far as they were asked for.

    Most volleys start from one state: then the target half is a table, ``losses[n, s]``, and the
    law is a product with the counts.

    >>> steps = Steps(np.array([[0.0, 1.0], [0.0, 1.0]]))
    >>> steps.settle(np.array([0.5, 0.5]), np.array([1.0, 0.0])).tolist()
    [0.5, 0.5]
    """

    def __init__(self, step: Map) -> None:
        self.step = step
        self._tables: dict[int, FloatArray] = {}

    def settle(self, counts: FloatArray, start: FloatArray) -> FloatArray:
        """What :func:`settle_counts` gives."""
        if start.ndim == 1:
            place = int(start.argmax())
            if start[place] == 1.0:
                losses = self.table(place, len(counts), start.size)
                if losses is not None:
                    return np.asarray(counts.T @ losses)
        return settle_counts(counts, start, self.step)

    def table(self, place: int, rows: int, size: int) -> FloatArray | None:
        """The laws after 0, 1, … ``rows`` - 1 steps from one state: shape (rows, size).

        ``None`` where that is more than is kept.
        """
        if rows * size > MOST_KEPT:
            return None
        known = self._tables.get(place)
        if known is None:
            known = np.zeros((1, size))
            known[0, place] = 1.0
        if len(known) < rows:
            made = [*known]
            while len(made) < rows:
                made.append(moved(made[-1], self.step))
            known = np.array(made)
            self._tables[place] = known
        return known[:rows]


MOST_KEPT = 50_000
"""Probabilities that one table of powers may hold."""


def moved(law: FloatArray, step: Map) -> FloatArray:
    """The law after one step; ``law`` is (..., states).

    Numbers so small that processors are slow with them become nought.
    """
    spend(_work(law, step))
    after = np.asarray((law.reshape(-1, law.shape[-1]) @ step).reshape(law.shape))
    after[np.abs(after) < TINY] = 0.0
    return after


def _work(law: FloatArray, step: Map) -> float:
    """Estimated nanoseconds of one step."""
    rows, size = law.size // law.shape[-1], law.shape[-1]
    cell = _cell(law.size)
    if isinstance(step, np.ndarray):
        work = 4_000 + 0.15 * size**2 + rows * size * (cell + 0.06 * size)
    else:
        work = 70_000 + rows * (cell * size + 1.3 * step.nnz)
    return float(work * 4 if np.iscomplexobj(law) else work)


def _cell(cells: int) -> float:
    """Estimated nanoseconds for one number of an array: large ones wait for memory."""
    return 4.0 if cells < 100_000 else 15.0


TINY = 1e-150
"""No chance at all; floats below 1e-308 make every sum with them slow."""


def settle_sorted(
    joint: FloatArray,
    packet: Map,
    selection: IntArray,
    fails_up_to: Sequence[int],
    face_law: Sequence[float],
    mark: complex = 1.0,
) -> FloatArray:
    """Resolve a batch whose save dice are applied in rising order (RULES.md §5.1).

    The first axis counts save dice. ``fails_up_to[g]`` is the highest face that fails for a
    model of group g, and last where nobody is left; ``face_law[v - 1]`` is the chance of face
    v, ``mark`` counts dice that fail. A die that does not fail the
    group it meets changes nothing, and none after it can.

    Faces are taken class by class: within a class each group reacts to all of them alike.
    The dice left after a class are those that showed more.
    """
    fails = np.array(fails_up_to)[selection]
    remaining = 1.0
    for fail, share in _face_classes(fails_up_to, face_law):
        step = gated(packet, (fails >= fail).astype(np.float64), mark)
        joint = _take_class(joint, step, min(1.0, share / remaining) if remaining > 0 else 0.0)
        remaining -= share
    return np.asarray(joint.sum(axis=0))


def _face_classes(fails_up_to: Sequence[int], face_law: Sequence[float]) -> list[tuple[int, float]]:
    """(highest face, chance) of each run of faces that every group treats alike."""
    edges = [0, *sorted(set(fails_up_to))]
    return [(high, float(sum(face_law[low:high]))) for low, high in pairwise(edges)]


def _take_class(joint: FloatArray, step: Map, share: float) -> FloatArray:
    """Each of the r dice left is of this class with chance ``share``; those make a step each."""
    most = joint.shape[0] - 1
    chances = _binomial_table(most, share).reshape(most + 1, most + 1, *(1,) * (joint.ndim - 1))
    out = (chances[:, 0] * joint).astype(np.result_type(joint, step.dtype))
    for taken in range(1, most + 1):
        joint = moved(joint, step)
        spend(_cell(joint.size) * joint.size)
        out[: most + 1 - taken] += chances[taken:, taken] * joint[taken:]
    return out


def _binomial_table(most: int, share: float) -> FloatArray:
    """P(k of r dice) for r and k from 0 to ``most``, one row an r."""
    table = np.zeros((most + 1, most + 1))
    table[0, 0] = 1.0
    for r in range(1, most + 1):
        table[r, : r + 1] = table[r - 1, : r + 1] * (1 - share)
        table[r, 1 : r + 1] += table[r - 1, :r] * share
    return table
