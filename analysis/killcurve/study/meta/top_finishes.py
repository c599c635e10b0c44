"""Undefeated starts, and who is over-represented among them.

A start of X-0 is X games won before any that was not; byes are no games. Only events at which
somebody played X games count. Over-representation is the share of an army among X-0 starts over
its share among players; 1 means as many as its numbers promise. The share of players is known
and not a sample, so the interval is that of the other share (Wilson), and its test is Fisher's:
could as many X-0 starts as these fall to such a share of players by chance?
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from killcurve.study.meta import samples
from killcurve.study.meta.intervals import LEVEL, wilson
from killcurve.study.meta.multiplicity import with_adjusted
from killcurve.study.meta.sides import KEYS, By, sorted_by
from killcurve.tables.dataset import DataError

Floats = NDArray[np.float64]

STARTS = 4
"""Games won in a row from the first: what people call a 4-0 start."""


def undefeated_starts(
    records: pl.DataFrame, by: By = "faction", start: int = STARTS, level: float = LEVEL
) -> pl.DataFrame:
    """Each army's players, X-0 starts, their share and over-representation.

    ``rate`` is the share of its players with an X-0 start (with Wilson's interval); ``ratio``
    is over-representation. Records come from :mod:`killcurve.study.meta.records`.

    Raises:
        DataError: if nothing is known of starts, or no event is long enough.
    """
    return _represented(_long_enough(records, start), pl.col("won_first") >= start, by, level)


def perfect_records(
    records: pl.DataFrame, by: By = "faction", games: int = STARTS, level: float = LEVEL
) -> pl.DataFrame:
    """The same of those who won all their games at the event, ``games`` at least.

    This needs no rounds: it is what standings tell of top finishes.
    """
    long = records.filter(pl.col("rounds") >= games)
    top = (pl.col("wins") == pl.col("games")) & (pl.col("games") >= games)
    return _represented(long, top, by, level)


def in_winning_position(records: pl.DataFrame, by: By = "faction") -> pl.DataFrame:
    """At how many events each army had somebody undefeated before the last round.

    ``events`` are those of at least 3 rounds that the army came to; ``share`` is
    ``winning_position`` (events) over them.

    Raises:
        DataError: if nothing is known of starts.
    """
    known = _long_enough(records, 3)
    keys = KEYS[by]
    events = known.drop_nulls(keys[-1]).group_by(*keys, "event").agg(
        there=(pl.col("won_first") >= pl.col("rounds") - 1).any()
    )  # fmt: skip
    frame = events.group_by(keys).agg(
        events=pl.len().cast(pl.Int64), winning_position=pl.col("there").sum().cast(pl.Int64)
    )
    return sorted_by(frame.with_columns(share=pl.col("winning_position") / pl.col("events")), keys)


def _long_enough(records: pl.DataFrame, start: int) -> pl.DataFrame:
    known = records.drop_nulls("won_first")
    if known.height < records.height / 2:
        raise DataError(
            "undefeated starts are not known: the tables have no rounds; ask for perfect records"
        )
    long = known.filter(pl.col("rounds") >= start)
    if long.is_empty():
        most = max(records["rounds"], default=0)
        raise DataError(f"no event has {start} rounds, the longest {most}; ask for fewer")
    return long


def _represented(players: pl.DataFrame, top: pl.Expr, by: By, level: float) -> pl.DataFrame:
    keys = KEYS[by]
    known = players.drop_nulls(keys[-1]).with_columns(top=top.fill_null(value=False))
    frame = known.group_by(keys).agg(
        players=pl.len().cast(pl.Int64), tops=pl.col("top").sum().cast(pl.Int64)
    )
    frame = sorted_by(frame, keys).with_columns(
        share_of_players=pl.col("players") / pl.col("players").sum(),
        share_of_tops=pl.col("tops") / pl.col("tops").sum(),
        enough=pl.col("players") >= samples.PLAYERS,
    )
    n, x = (frame[name].to_numpy().astype(np.float64) for name in ("players", "tops"))
    share, all_tops = n / max(n.sum(), 1), x.sum()
    rate_low, rate_high = wilson(x, n, level)
    low, high = wilson(x, np.full(len(x), all_tops), level)
    p = np.where(frame["enough"].to_numpy(), _fisher(n, x), np.nan)
    ends = {
        "rate": x / n,
        "rate_low": rate_low,
        "rate_high": rate_high,
        "ratio": x / max(all_tops, 1) / share if all_tops else np.full(len(x), np.nan),
        "low": low / share,
        "high": high / share if all_tops else np.full(len(x), np.inf),
        "p": p if all_tops else np.full(len(x), np.nan),
    }
    made = frame.with_columns(
        [pl.Series(name, value, nan_to_null=True) for name, value in ends.items()]
    )
    return with_adjusted(made)


def _fisher(players: Floats, tops: Floats) -> Floats:
    """Two-sided p-values of so many tops among so many players, given both totals."""
    from scipy.stats import fisher_exact

    n, x = players.astype(int), tops.astype(int)
    rest_n, rest_x = n.sum() - n, x.sum() - x
    tables = zip(x, n - x, rest_x, rest_n - rest_x, strict=True)
    return np.array([fisher_exact([[a, b], [c, d]])[1] for a, b, c, d in tables])
