"""Win rates without mirrors: draws as half a win, with intervals of three kinds.

``rate`` is plain: (wins + draws / 2) / games, with Wilson's interval. ``shrunk`` draws it
towards the others (:mod:`killcurve.study.meta.shrinkage`), the more the fewer games there are;
``low`` and ``high`` are its interval, the one to show. ``joint_low`` and ``joint_high`` hold
for all factions at once. p-values are for a rate of one half.

Games of one player are not independent. ``design_effect`` is by how much that inflates the
variance, for the whole table (1 at least); all intervals but Wilson's count games divided by it.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from killcurve.study.meta import samples
from killcurve.study.meta.intervals import LEVEL, wilson
from killcurve.study.meta.multiplicity import with_adjusted
from killcurve.study.meta.shrinkage import fit_prior, shrink
from killcurve.study.meta.sides import KEYS, By, sides, sorted_by

Floats = NDArray[np.float64]


def tally(games: pl.DataFrame, by: By = "faction") -> pl.DataFrame:
    """Games, wins, draws and losses of each army without mirrors; mirrors apart.

    ``games`` counts those that are no mirrors; ``mirrors`` are games (not sides of games).
    """
    other = ~pl.col("mirror")
    frame = sides(games, by).group_by(KEYS[by]).agg(
        games=other.sum().cast(pl.Int64),
        mirrors=(pl.col("mirror").sum() // 2).cast(pl.Int64),
        wins=(other & (pl.col("result") == 1)).sum().cast(pl.Int64),
        draws=(other & (pl.col("result") == 0.5)).sum().cast(pl.Int64),
        losses=(other & (pl.col("result") == 0)).sum().cast(pl.Int64),
    )  # fmt: skip
    return sorted_by(frame, KEYS[by])


def tally_of_standings(standings: pl.DataFrame, by: By = "faction") -> pl.DataFrame:
    """The same from players' records, in which mirrors cannot be told (``mirrors`` is null).

    A mirror adds a win and a loss to its faction and so draws its rate towards one half.
    """
    counts = [pl.col(name).sum() for name in ("wins", "draws", "losses")]
    frame = standings.drop_nulls(KEYS[by][-1]).group_by(KEYS[by]).agg(counts)
    frame = frame.with_columns(
        games=pl.sum_horizontal("wins", "draws", "losses"),
        mirrors=pl.lit(None, pl.Int64),
    )
    columns = (*KEYS[by], "games", "mirrors", "wins", "draws", "losses")
    return sorted_by(frame.select(columns), KEYS[by])


def design_effect(games: pl.DataFrame, by: By = "faction") -> float:
    """By how much players that play several games inflate the variance of win rates.

    The variance between the totals of players over that of independent games, over all armies;
    1 where there are no numbers of players, or less variance than of independent games.
    """
    told = sides(games, by).filter(~pl.col("mirror"))
    counts = {"wins": 1.0, "draws": 0.5, "losses": 0.0}
    people = told.group_by(*KEYS[by], "player", maintain_order=True).agg(
        (pl.col("result") == value).sum().alias(name) for name, value in counts.items()
    )
    return design_effect_of_records(people, by)


def design_effect_of_records(records: pl.DataFrame, by: By = "faction") -> float:
    """The same from wins, draws and losses of each player with each army."""
    known = records.drop_nulls(["player", KEYS[by][-1]])
    people = known.group_by(*KEYS[by], "player", maintain_order=True).agg(
        pl.col("wins", "draws", "losses").sum()
    )
    n = pl.col("wins") + pl.col("draws") + pl.col("losses")
    score = pl.col("wins") + pl.col("draws") / 2
    rate = score.sum().over(KEYS[by]) / n.sum().over(KEYS[by])
    spread = people.with_columns(
        together=(score - n * rate) ** 2,
        alone=pl.col("wins") * (1 - rate) ** 2
        + pl.col("draws") * (0.5 - rate) ** 2
        + pl.col("losses") * rate**2,
    )
    army = spread.group_by(KEYS[by], maintain_order=True).agg(
        pl.col("together", "alone").sum(), people=pl.len()
    )
    several = army.filter(pl.col("people") > 1)
    together = float((several["together"] * several["people"] / (several["people"] - 1)).sum())
    alone = float(several["alone"].sum())
    return max(1.0, together / alone) if alone else 1.0


def win_rates(games: pl.DataFrame, by: By = "faction", level: float = LEVEL) -> pl.DataFrame:
    """The win rate of each army, one row each, sorted by name; see the module for columns."""
    return rated(tally(games, by), design_effect(games, by), level)


def rated(counts: pl.DataFrame, design: float = 1.0, level: float = LEVEL) -> pl.DataFrame:
    """A frame of :func:`tally` with rates, intervals and tests."""
    frame = counts.with_columns(
        score=pl.col("wins") + pl.col("draws") / 2,
        enough=pl.col("games") >= samples.GAMES,
        design_effect=pl.lit(design),
    )
    score, n = (frame[c].to_numpy().astype(np.float64) for c in ("score", "games"))
    enough = frame["enough"].to_numpy()
    low, high = wilson(score, n, level)
    joint = wilson(score / design, n / design, 1 - (1 - level) / max(int(enough.sum()), 1))
    rate, *ends = _shrunk(score / design, n / design, level)
    values = {
        "rate": np.where(n > 0, score / np.maximum(n, 1), np.nan),
        "wilson_low": low,
        "wilson_high": high,
        "shrunk": rate,
        "low": ends[0],
        "high": ends[1],
        "joint_low": joint[0],
        "joint_high": joint[1],
        "p": np.where(enough, _p_of_half(score / design, n / design), np.nan),
    }
    made = frame.drop("score").with_columns(
        [pl.Series(name, value, nan_to_null=True) for name, value in values.items()]
    )
    return with_adjusted(made)


def _shrunk(score: Floats, n: Floats, level: float) -> tuple[Floats, Floats, Floats]:
    if not n.sum():
        nothing = np.full(len(n), np.nan)
        return nothing, nothing, nothing
    return shrink(fit_prior(score, n), score, n, level)


def _p_of_half(score: Floats, n: Floats) -> Floats:
    """Two-sided p-values of the score test for a rate of one half."""
    from scipy.special import ndtr

    z = np.abs(score - n / 2) / np.sqrt(np.maximum(n, 1e-12) / 4)
    return np.asarray(2 * ndtr(-z))
