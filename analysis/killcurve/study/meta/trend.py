"""Win rates over time: windows, and changes at given dates such as those of dataslates.

A change at a date compares the games since the date before it with those until the date after
it. It is tested by the likelihood ratio of two rates against one (one degree of freedom), and
p-values are adjusted for all factions and dates at once. A change in time is no proof of its
cause: other things change at the same dates, and players choose armies.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
import polars as pl
from numpy.typing import NDArray

from killcurve.study.meta import samples
from killcurve.study.meta.intervals import LEVEL, newcombe, wilson
from killcurve.study.meta.multiplicity import with_adjusted
from killcurve.study.meta.sides import KEYS, By, sides
from killcurve.study.meta.win_rates import design_effect
from killcurve.tables.dataset import DataError

Floats = NDArray[np.float64]

EVERY = "1mo"


def windows(
    games: pl.DataFrame,
    dates: Sequence[date] = (),
    by: By = "faction",
    every: str = EVERY,
    level: float = LEVEL,
) -> pl.DataFrame:
    """The win rate of each army in each window of time, without mirrors, and its popularity.

    Windows are cut at ``dates``, or, without any, are as long as ``every`` says (``"1mo"``,
    ``"2w"``). ``start`` and ``end`` are the first and last day with a game in the window;
    ``share`` is the army's share of all sides of games, mirrors included.

    Raises:
        DataError: if no game has a date.
    """
    told = _dated(games, by)
    keys = (*KEYS[by], "window")
    if dates:
        cuts = pl.Series(sorted(dates)).cast(pl.Date)
        window = pl.Series(cuts.search_sorted(told["date"], side="right")).cast(pl.Int64)
        told = told.with_columns(window=window)
    else:
        told = told.with_columns(window=pl.col("date").dt.truncate(every).rank("dense") - 1)
    told = told.with_columns(
        start=pl.col("date").min().over("window"),
        end=pl.col("date").max().over("window"),
        whole=pl.len().over("window"),
    )
    other = ~pl.col("mirror")
    frame = told.group_by(keys).agg(
        pl.col("start", "end").first(),
        games=other.sum().cast(pl.Int64),
        score=pl.col("result").filter(other).sum(),
        share=pl.len() / pl.col("whole").first(),
    ).sort(keys)  # fmt: skip
    n = frame["games"].to_numpy()
    low, high = wilson(frame["score"].to_numpy(), n, level)
    return frame.select(
        pl.exclude("window", "score"),
        rate=pl.when(pl.col("games") > 0).then(pl.col("score") / pl.col("games")),
        low=pl.Series(low),
        high=pl.Series(high),
        enough=pl.col("games") >= samples.GAMES_OF_WINDOW,
    )


def changes(
    games: pl.DataFrame, dates: Sequence[date], by: By = "faction", level: float = LEVEL
) -> pl.DataFrame:
    """How each army's win rate changed at each date: one row an army and date.

    ``before`` and ``after`` are rates, ``change`` their difference with Newcombe's interval
    ``low`` to ``high``, ``ratio`` the likelihood-ratio statistic. Games of a date itself count
    as after it. Games are counted divided by the design effect of the whole table.

    Raises:
        DataError: if no game has a date, or there is no date to look at.
    """
    if not dates:
        raise DataError("no date is given at which to look for changes")
    told = _dated(games, by).filter(~pl.col("mirror"))
    ends = [date.min, *sorted(dates), date.max]
    parts = [_around(told, KEYS[by], ends[i : i + 3]) for i in range(len(ends) - 2)]
    frame = pl.concat(parts).sort(*KEYS[by], "date")
    design = design_effect(games, by)
    w, n, v, m = (
        frame[name].to_numpy().astype(np.float64) / design
        for name in ("score_after", "games_after", "score_before", "games_before")
    )
    low, high = newcombe(w, n, v, m, level)
    ratio = _likelihood_ratio(w, n, v, m)
    enough = np.minimum(n, m) * design >= samples.GAMES_OF_WINDOW
    both = (n > 0) & (m > 0)
    before, after = v / np.maximum(m, 1e-12), w / np.maximum(n, 1e-12)
    values = {
        "before": np.where(m > 0, before, np.nan),
        "after": np.where(n > 0, after, np.nan),
        "change": np.where(both, after - before, np.nan),
        "low": np.where(both, low, np.nan),
        "high": np.where(both, high, np.nan),
        "ratio": np.where(both, ratio, np.nan),
        "p": np.where(enough, _beyond(ratio), np.nan),
    }
    made = frame.select(*KEYS[by], "date", "games_before", "games_after").with_columns(
        *(pl.Series(name, value, nan_to_null=True) for name, value in values.items()),
        enough=pl.Series(enough),
    )
    return with_adjusted(made)


def _dated(games: pl.DataFrame, by: By) -> pl.DataFrame:
    told = sides(games, by).drop_nulls("date")
    if told.is_empty():
        raise DataError("no game has a date, so nothing can be said over time")
    return told


def _around(told: pl.DataFrame, keys: Sequence[str], ends: Sequence[date]) -> pl.DataFrame:
    """Games and scores of each army on either side of the middle of three dates."""
    first, middle, last = ends
    near = told.filter((pl.col("date") >= first) & (pl.col("date") < last))
    after = pl.col("date") >= middle
    return near.group_by(keys).agg(
        date=pl.lit(middle),
        games_before=(~after).sum().cast(pl.Int64),
        games_after=after.sum().cast(pl.Int64),
        score_before=pl.col("result").filter(~after).sum(),
        score_after=pl.col("result").filter(after).sum(),
    )


def _likelihood_ratio(w: Floats, n: Floats, v: Floats, m: Floats) -> Floats:
    """Twice the log-likelihood of two rates over that of one."""
    from scipy.special import xlogy

    def level(won: Floats, played: Floats) -> Floats:
        some = np.maximum(played, 1e-12)
        return np.asarray(xlogy(won, won / some) + xlogy(played - won, (played - won) / some))

    return np.maximum(0.0, 2 * (level(w, n) + level(v, m) - level(w + v, n + m)))


def _beyond(ratio: Floats) -> Floats:
    from scipy.special import chdtrc

    return np.asarray(chdtrc(1, ratio))
