"""Random-effects pooling after DerSimonian and Laird: effects of several studies as one.

Each study has an effect and the variance of its error; true effects differ between studies with
variance τ². The method of moments gives τ² without iteration (Controlled Clinical Trials, 1986).
Q tests whether effects differ at all, I² is the share of variance that is not chance, and the
prediction interval is where the true effect of a further study lies (Higgins, Thompson and
Spiegelhalter 2009, with the t law of k - 2 degrees of freedom).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from killcurve.study.meta.intervals import LEVEL, normal_quantile

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pooled:
    """Effects of ``studies`` studies as one, on their own scale.

    ``low`` and ``high`` are the usual interval, by the normal law; ``hk_low`` and ``hk_high``
    that of Hartung and Knapp, which keeps its level with few studies. ``q`` has ``studies - 1``
    degrees of freedom and the p-value ``q_p``; ``i2`` is a share. ``predict_low`` and
    ``predict_high`` are null for fewer than three studies. ``weights`` add up to 1.
    """

    studies: int
    effect: float
    error: float
    low: float
    high: float
    hk_low: float | None
    hk_high: float | None
    tau2: float
    q: float
    q_p: float
    i2: float
    predict_low: float | None
    predict_high: float | None
    weights: Floats


def dersimonian_laird(effects: ArrayLike, variances: ArrayLike, level: float = LEVEL) -> Pooled:
    """Pool effects with the variances of their errors (all positive).

    Raises:
        ValueError: if there is no study.

    >>> pooled = dersimonian_laird([0.1, 0.3, 0.8], [0.01, 0.02, 0.03])
    >>> round(pooled.effect, 4), round(pooled.tau2, 4), round(pooled.i2, 3)
    (0.3798, 0.0942, 0.837)
    """
    y, v = np.asarray(effects, dtype=np.float64), np.asarray(variances, dtype=np.float64)
    k = len(y)
    if k == 0:
        raise ValueError("there is no study to pool")
    fixed = 1 / v
    q = float((fixed * (y - (fixed * y).sum() / fixed.sum()) ** 2).sum())
    scale = float(fixed.sum() - (fixed**2).sum() / fixed.sum())
    tau2 = max(0.0, (q - (k - 1)) / scale) if k > 1 else 0.0
    weights = 1 / (v + tau2)
    total = float(weights.sum())
    effect, error = float((weights * y).sum()) / total, total**-0.5
    z = normal_quantile(level)
    knapp = _hartung_knapp(y, weights, effect, level)
    predict = _half_t(level, k - 2) * (tau2 + error**2) ** 0.5 if k > 2 else None
    return Pooled(
        studies=k,
        effect=effect,
        error=error,
        low=effect - z * error,
        high=effect + z * error,
        hk_low=None if knapp is None else effect - knapp,
        hk_high=None if knapp is None else effect + knapp,
        tau2=tau2,
        q=q,
        q_p=_beyond(q, k - 1),
        i2=max(0.0, 1 - (k - 1) / q) if q > 0 else 0.0,
        predict_low=None if predict is None else effect - predict,
        predict_high=None if predict is None else effect + predict,
        weights=weights / total,
    )


def _hartung_knapp(y: Floats, weights: Floats, effect: float, level: float) -> float | None:
    """The half width of the interval of Hartung and Knapp, never narrower than the t law's."""
    k = len(y)
    if k < 2:
        return None
    spread = float((weights * (y - effect) ** 2).sum()) / (k - 1)
    return _half_t(level, k - 1) * float(np.sqrt(max(spread, 1.0) / float(weights.sum())))


def _half_t(level: float, freedom: int) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.5 + level / 2))


def _beyond(q: float, freedom: int) -> float:
    """The chance of a chi-square value of at least ``q``."""
    from scipy.special import chdtrc

    return float(chdtrc(freedom, q)) if freedom else 1.0


def log_odds(wins: ArrayLike, games: ArrayLike) -> tuple[Floats, Floats]:
    """Log-odds of rates with the variances of their errors.

    Where all games or none are won, half a win and half a loss are added.

    >>> effects, variances = log_odds([5, 3], [10, 3])
    >>> effects.round(4).tolist(), variances.round(4).tolist()
    ([0.0, 1.9459], [0.4, 2.2857])
    """
    w, n = np.asarray(wins, dtype=np.float64), np.asarray(games, dtype=np.float64)
    extra = np.where((w <= 0) | (w >= n), 0.5, 0.0)
    won, lost = w + extra, n - w + extra
    return np.log(won / lost), 1 / won + 1 / lost
