"""Which units stand far from the field, and how far would be nothing special among so many."""

from __future__ import annotations

import math
from collections.abc import Sequence

import polars as pl

TO_SD = 1.4826
"""What makes a median absolute deviation the standard deviation of a normal law."""

LEVEL = 0.05
FAR = 2.0

MADE = (
    "How far a unit stands from the field: z is the base-2 logarithm of its value less the field's "
    f"median, in units of {TO_SD} times the median absolute deviation, so extremes do not hide "
    "themselves. Called outliers are only units beyond what the farthest of as many draws from a "
    f"normal law would exceed in {LEVEL:.0%} of cases (Bonferroni, over all values that are looked "
    "at). The values are exact, not samples: z measures how unusual a unit is, no chance of error; "
    "and the field need not be normal. Equal units of several factions count once."
)


def threshold(count: int) -> float:
    """The |z| that the farthest of so many normal draws exceeds in 5 % of cases at most.

    >>> round(threshold(1), 2), round(threshold(1000), 2)
    (1.96, 4.06)
    """
    from scipy.special import ndtri

    return float(-ndtri(LEVEL / 2 / max(1, count)))


def expected_far(count: int) -> float:
    """How many of so many normal draws lie beyond :data:`FAR`.

    >>> round(expected_far(1000), 1)
    45.5
    """
    return count * math.erfc(FAR / math.sqrt(2))


def standing(frame: pl.DataFrame, value: str, within: Sequence[str] = ()) -> pl.DataFrame:
    """The frame with ``z`` and ``outlier``; rows without a value above nought have null.

    ``within`` are columns that tell fields apart, each with its own median; the threshold counts
    all values of all of them.

    >>> rows = pl.DataFrame({"value": [1.0, 2.0, 4.0, 8.0, 2.0**40]})
    >>> standing(rows, "value")["outlier"].to_list()
    [False, False, False, False, True]
    """
    positive = pl.col(value) > 0
    log = pl.when(positive).then(pl.col(value).log(2.0))
    made = frame.with_columns(log.alias("_log"))
    over = list(within)
    median = pl.col("_log").median()
    off = made.with_columns(
        (pl.col("_log") - (median.over(over) if over else median)).alias("_off")
    )
    spread = pl.col("_off").abs().median()
    spread = spread.over(over) if over else spread
    z = pl.when(spread > 0).then(pl.col("_off") / (TO_SD * spread))
    most = threshold(made["_log"].count())
    return (
        off.with_columns(z.alias("z"))
        .with_columns((pl.col("z").abs() > most).alias("outlier"))
        .drop("_log", "_off")
    )


def once(ranks: pl.DataFrame) -> pl.DataFrame:
    """Equal units of several factions once: the first faction's, in the order that they have."""
    keyed = ranks.with_columns(pl.col("value").round(6).alias("_value"))
    same = ["unit", "models", "points", "_value"]
    return keyed.unique(same, keep="first", maintain_order=True).drop("_value")
