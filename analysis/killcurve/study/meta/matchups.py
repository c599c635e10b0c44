"""Factions against each other: rates, drawn towards what their strengths promise.

Most pairs have few games. What two factions' strengths against everybody promise is the centre
to which their rate is drawn, the more the fewer games they have and the less pairs differ from
such promises at all (:mod:`killcurve.study.meta.pair_effects`). p-values ask whether a pair
differs from its promise.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from killcurve.study.meta import samples
from killcurve.study.meta.intervals import LEVEL, wilson
from killcurve.study.meta.multiplicity import with_adjusted
from killcurve.study.meta.pair_effects import Pairs, pair_rates
from killcurve.study.meta.sides import sides

PAIR = ("faction", "opponent_faction")


def matchups(games: pl.DataFrame, level: float = LEVEL) -> pl.DataFrame:
    """One row for each ordered pair of factions that met (no mirrors), sorted by names.

    Columns: ``games``, ``wins``, ``draws``, ``losses``, ``rate`` with Wilson's interval,
    ``expected`` of the strengths, ``shrunk`` with its interval ``low`` to ``high``, ``enough``,
    and p-values of ``rate`` against ``expected``, adjusted for the number of pairs. Both rows
    of a pair say the same: rates add up to 1.
    """
    counts = _counts(games)
    once = counts.filter(pl.col("faction") < pl.col("opponent_faction"))
    if once.is_empty():
        return _turned_too(_rated(once, np.zeros((5, 0)), level)).sort(PAIR)
    factions = sorted({*counts["faction"]})
    place = {name: number for number, name in enumerate(factions)}
    first, second = (np.array([place[name] for name in once[c]], dtype=np.int64) for c in PAIR)
    n, score = once["games"].to_numpy().astype(np.float64), once["score"].to_numpy()
    found = pair_rates(Pairs(first, second, n, score, len(factions)), level)
    values = np.stack([found.promise, found.rate, found.low, found.high, found.p])
    return _turned_too(_rated(once, values, level)).sort(PAIR)


def _counts(games: pl.DataFrame) -> pl.DataFrame:
    """Games and results of each ordered pair."""
    return sides(games).filter(~pl.col("mirror")).group_by(PAIR).agg(
        games=pl.len().cast(pl.Int64),
        wins=(pl.col("result") == 1).sum().cast(pl.Int64),
        draws=(pl.col("result") == 0.5).sum().cast(pl.Int64),
        losses=(pl.col("result") == 0).sum().cast(pl.Int64),
        score=pl.col("result").sum(),
    ).sort(PAIR)  # fmt: skip


def _rated(once: pl.DataFrame, values: np.ndarray, level: float) -> pl.DataFrame:
    """Each pair once with its rates and p-values."""
    low, high = wilson(once["score"].to_numpy(), once["games"].to_numpy(), level)
    names = ("expected", "shrunk", "low", "high", "p")
    found = dict(zip(names, values, strict=True))
    enough = once["games"] >= samples.GAMES_OF_PAIR
    p = pl.Series(np.where(enough.to_numpy(), found.pop("p"), np.nan), nan_to_null=True)
    made = once.with_columns(
        rate=pl.col("score") / pl.col("games"),
        wilson_low=pl.Series(low),
        wilson_high=pl.Series(high),
        **{name: pl.Series(value) for name, value in found.items()},
        enough=enough,
        p=p,
    )
    return with_adjusted(made.drop("score"))


TURNED = {
    "faction": "opponent_faction",
    "opponent_faction": "faction",
    "wins": "losses",
    "losses": "wins",
    "wilson_low": "wilson_high",
    "wilson_high": "wilson_low",
    "low": "high",
    "high": "low",
}
"""What stands in which column when a pair is seen from its other side."""
RATES = ("rate", "wilson_low", "wilson_high", "expected", "shrunk", "low", "high")


def _turned_too(once: pl.DataFrame) -> pl.DataFrame:
    """Each pair from both sides."""
    other = once.with_columns((1 - pl.col(name)).alias(name) for name in RATES)
    return pl.concat([once, other.rename(TURNED).select(once.columns)])
