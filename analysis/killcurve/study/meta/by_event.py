"""Win rates pooled over events, in two ways, and frames that are ready for forest plots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from killcurve.rules.spelling import did_you_mean
from killcurve.study.meta import logit_normal, samples
from killcurve.study.meta.intervals import LEVEL, wilson
from killcurve.study.meta.pooling import dersimonian_laird, log_odds
from killcurve.study.meta.prediction import prediction
from killcurve.study.meta.sides import KEYS, By, sides
from killcurve.tables.dataset import DataError

MOMENTS, EXACT = "DerSimonian-Laird", "binomial-normal"

POOLED = pl.Schema(
    {
        "method": pl.String(),
        "events": pl.Int64(),
        "games": pl.Int64(),
        "rate": pl.Float64(),
        "low": pl.Float64(),
        "high": pl.Float64(),
        "predict_low": pl.Float64(),
        "predict_high": pl.Float64(),
        "tau2": pl.Float64(),
        "q": pl.Float64(),
        "p": pl.Float64(),
        "i2": pl.Float64(),
        "enough": pl.Boolean(),
    }
)
"""Columns of :func:`pooled` behind those of the army."""

FOREST = pl.Schema(
    {
        "kind": pl.String(),
        "label": pl.String(),
        "date": pl.Date(),
        "games": pl.Int64(),
        "wins": pl.Int64(),
        "draws": pl.Int64(),
        "rate": pl.Float64(),
        "low": pl.Float64(),
        "high": pl.Float64(),
        "weight": pl.Float64(),
    }
)
"""Columns of :func:`forest`."""


def event_rates(games: pl.DataFrame, by: By = "faction", level: float = LEVEL) -> pl.DataFrame:
    """The win rate of each army at each event, without mirrors, with Wilson's interval."""
    told = sides(games, by).filter(~pl.col("mirror"))
    counts = told.group_by(*KEYS[by], "event").agg(
        date=pl.col("date").min(),
        wins=(pl.col("result") == 1).sum(),
        draws=(pl.col("result") == 0.5).sum(),
        losses=(pl.col("result") == 0).sum(),
    )
    return _rated(counts, by, level)


def event_rates_of_standings(
    standings: pl.DataFrame, by: By = "faction", level: float = LEVEL
) -> pl.DataFrame:
    """The same from players' records, in which mirrors cannot be told and are in."""
    known = standings.drop_nulls(KEYS[by][-1])
    counts = known.group_by(*KEYS[by], "event").agg(
        pl.col("date").min(), pl.col("wins", "draws", "losses").sum()
    )
    return _rated(counts, by, level)


def _rated(counts: pl.DataFrame, by: By, level: float) -> pl.DataFrame:
    whole = counts.with_columns(pl.col("wins", "draws", "losses").cast(pl.Int64))
    frame = whole.with_columns(
        games=pl.sum_horizontal("wins", "draws", "losses"),
        score=pl.col("wins") + pl.col("draws") / 2,
    ).sort(*KEYS[by], "date", "event", nulls_last=True)
    low, high = wilson(frame["score"].to_numpy(), frame["games"].to_numpy(), level)
    return frame.with_columns(
        rate=pl.col("score") / pl.col("games"), low=pl.Series(low), high=pl.Series(high)
    )


def pooled(rates: pl.DataFrame, by: By = "faction", level: float = LEVEL) -> pl.DataFrame:
    """Each army's :func:`event_rates` as one: two rows, one by each method, in :data:`POOLED`.

    Log-odds are pooled and given back as rates. ``tau2`` is the variance of log-odds between
    events, ``p`` the p-value of there being none (of ``q``, and of the likelihood ratio), ``i2``
    a share. A further event's true rate lies between ``predict_low`` and ``predict_high``.
    ``low`` and ``high`` are by Hartung and Knapp, and by the profile likelihood; both need two
    events at least. The prediction of the first method is the usual one, which is too narrow
    where the spread is estimated too small; that of the second goes through all spreads.
    """
    rows = [
        {**dict(zip(KEYS[by], army, strict=True)), **row}
        for army, frame in rates.group_by(KEYS[by], maintain_order=True)
        for row in _both(frame, level)
    ]
    keys: dict[str, pl.DataType] = {key: pl.String() for key in KEYS[by]}
    return pl.DataFrame(rows, schema={**keys, **POOLED})


def _both(frame: pl.DataFrame, level: float) -> Iterator[dict[str, Any]]:
    """The two rows of one army."""
    score, n = frame["score"].to_numpy(), frame["games"].to_numpy()
    counts = {
        "events": frame.height,
        "games": int(n.sum()),
        "enough": frame.height >= samples.EVENTS,
    }
    moments = dersimonian_laird(*log_odds(score, n), level)
    yield {
        **counts,
        "method": MOMENTS,
        "rate": _rate(moments.effect),
        "low": _rate(moments.hk_low),
        "high": _rate(moments.hk_high),
        "predict_low": _rate(moments.predict_low),
        "predict_high": _rate(moments.predict_high),
        "tau2": moments.tau2,
        "q": moments.q,
        "p": moments.q_p,
        "i2": moments.i2,
    }
    exact = logit_normal.fit(score, n, level)
    several = frame.height > 1
    predicted = prediction(exact, score, n, level) or (None, None)
    yield {
        **counts,
        "method": EXACT,
        "rate": _rate(exact.mu),
        "low": _rate(exact.low) if several else None,
        "high": _rate(exact.high) if several else None,
        "predict_low": _rate(predicted[0]),
        "predict_high": _rate(predicted[1]),
        "tau2": exact.tau**2,
        "q": None,
        "p": exact.tau_p,
        "i2": None,
    }


def _rate(log_odds: float | None) -> float | None:
    from scipy.special import expit

    return None if log_odds is None else float(expit(log_odds))


def forest(rates: pl.DataFrame, faction: str, level: float = LEVEL) -> pl.DataFrame:
    """The rows of a forest plot of one faction, from top to bottom, in :data:`FOREST`.

    ``rates`` are :func:`event_rates` by faction.

    ``kind`` is ``event`` (by date, with Wilson's interval and the weight in the pooled rate),
    ``pooled`` (one row a method, ``label`` names it) or ``prediction`` (one row a method).

    Raises:
        DataError: if the faction has no game but mirrors.
    """
    of_events = rates.filter(pl.col("faction") == faction)
    if of_events.is_empty():
        factions = sorted({*rates["faction"]})
        raise DataError(
            f"there is no game of {faction!r} against others{did_you_mean(faction, factions)}"
        )
    score, n = of_events["score"].to_numpy(), of_events["games"].to_numpy()
    weights = dersimonian_laird(*log_odds(score, n), level).weights
    events = of_events.with_columns(
        kind=pl.lit("event"), label=pl.col("event"), weight=pl.Series(weights)
    )
    counts = {name: int(of_events[name].sum()) for name in ("games", "wins", "draws")}
    rows: list[dict[str, Any]] = []
    for row in _both(of_events, level):
        told = {"label": row["method"], "rate": row["rate"], **counts}
        ends = {"low": row["low"], "high": row["high"]}
        rows.append({**told, **ends, "kind": "pooled"})
        ends = {"low": row["predict_low"], "high": row["predict_high"]}
        rows.append({**told, **ends, "kind": "prediction"})
    rows.sort(key=lambda row: str(row["kind"]))
    below = pl.DataFrame(rows, schema=FOREST)
    return pl.concat([events.select(*FOREST).cast(FOREST), below])
