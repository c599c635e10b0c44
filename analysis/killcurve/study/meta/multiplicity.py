"""Many tests at once: p-values adjusted for how many there are.

Of 30 factions without any difference one or two look different at 5 %. Holm's values keep the
chance of *any* false alarm below the level; those of Benjamini and Hochberg the expected share
of false alarms among all alarms. Tests that were not made (null) do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Step = Callable[[Floats], Floats]


def holm(p: Floats) -> Floats:
    """Adjusted p-values by Holm's step-down rule; NaN stays.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(4).tolist()
    [0.03, 0.06, 0.06]
    """
    return _adjusted(p, _step_down)


def benjamini_hochberg(p: Floats) -> Floats:
    """Adjusted p-values by the step-up rule of Benjamini and Hochberg; NaN stays.

    >>> benjamini_hochberg(np.array([0.01, 0.04, 0.03])).round(4).tolist()
    [0.03, 0.04, 0.04]
    """
    return _adjusted(p, _step_up)


def _adjusted(p: Floats, rule: Step) -> Floats:
    values = np.asarray(p, dtype=np.float64)
    out = np.full_like(values, np.nan)
    made = np.flatnonzero(np.isfinite(values))
    order = made[np.argsort(values[made], kind="stable")]
    out[order] = np.minimum(1.0, rule(values[order]))
    return out


def _step_down(ordered: Floats) -> Floats:
    factors = np.arange(len(ordered), 0, -1)
    stepped: Floats = np.maximum.accumulate(ordered * factors)
    return stepped


def _step_up(ordered: Floats) -> Floats:
    count = len(ordered)
    factors = count / np.arange(1, count + 1)
    stepped: Floats = np.minimum.accumulate((ordered * factors)[::-1])[::-1]
    return stepped


def with_adjusted(frame: pl.DataFrame, columns: Sequence[str] = ("p",)) -> pl.DataFrame:
    """The frame with ``p_holm`` and ``p_bh`` behind each column of p-values (null: not tested)."""
    for name in columns:
        p = frame[name].to_numpy().astype(np.float64)
        frame = frame.with_columns(
            pl.Series(f"{name}_holm", holm(p), nan_to_null=True),
            pl.Series(f"{name}_bh", benjamini_hochberg(p), nan_to_null=True),
        )
    return frame
