"""The joint law of two units' states while they strike each other.

A joint law is a float64 array (own states, other states) that sums to one. A strike changes the
struck side only, by a law that depends on what strikes and on the state that is struck; it is
worked out once for each distinct pair of these two.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np

from killcurve.engine.pmf import FloatArray

Kind = TypeVar("Kind", bound=Hashable)


def apart(first: FloatArray, second: FloatArray) -> FloatArray:
    """The joint law of two units that know nothing of each other.

    >>> apart(np.array([0.5, 0.5]), np.array([1.0, 0.0])).tolist()
    [[0.5, 0.0], [0.5, 0.0]]
    """
    return np.asarray(np.multiply.outer(first, second))


def rows_by_kind(joint: FloatArray, kinds: Sequence[Kind | None]) -> dict[Kind, list[int]]:
    """The striking states that can occur, by what strikes in them; ``None`` strikes nothing.

    >>> rows_by_kind(np.array([[0.5], [0.0], [0.5]]), ["gun", "gun", None])
    {'gun': [0]}
    """
    found: dict[Kind, list[int]] = {}
    for row in np.flatnonzero(joint.any(axis=1)).tolist():
        kind = kinds[row]
        if kind is not None:
            found.setdefault(kind, []).append(row)
    return found


def distinct(joint: FloatArray, kinds: Sequence[Kind | None]) -> int:
    """How many pairs of what strikes and what is struck a strike has to work out.

    >>> distinct(np.array([[0.5, 0.0], [0.25, 0.25]]), ["two guns", "one gun"])
    3
    """
    rows = rows_by_kind(joint, kinds)
    return sum(int(joint[own].any(axis=0).sum()) for own in rows.values())


def struck(
    joint: FloatArray,
    kinds: Sequence[Kind | None],
    after: Callable[[Kind, int], FloatArray],
) -> FloatArray:
    """The joint law after the first side has struck the second.

    ``kinds[a]`` is what strikes in state a; ``after(kind, b)`` the law of the struck side's
    states, shape (other states,), when that strikes a unit in state b.

    >>> one_dies = lambda kind, b: np.eye(3)[min(2, b + kind)]
    >>> struck(np.array([[0.5, 0.0, 0.0], [0.25, 0.25, 0.0]]), [1, 2], one_dies).tolist()
    [[0.0, 0.5, 0.0], [0.0, 0.0, 0.5]]
    """
    out = joint.copy()
    for kind, rows in rows_by_kind(joint, kinds).items():
        block = joint[rows]
        met = np.flatnonzero(block.any(axis=0))
        laws = np.array([after(kind, int(b)) for b in met])
        out[rows] = block[:, met] @ laws
    return out


def changed(joint: FloatArray, after: Callable[[int], FloatArray | None]) -> FloatArray:
    """The joint law after the first side alone has changed.

    ``after(a)`` is the law of its states when it was in state a, ``None`` where nothing changes.

    >>> dies = lambda a: np.array([0.0, 1.0])
    >>> changed(np.array([[0.25, 0.75], [0.0, 0.0]]), dies).tolist()
    [[0.0, 0.0], [0.25, 0.75]]
    """
    out = np.zeros_like(joint)
    for row in np.flatnonzero(joint.any(axis=1)).tolist():
        law = after(row)
        if law is None:
            out[row] += joint[row]
        else:
            out += np.multiply.outer(law, joint[row])
    return out
