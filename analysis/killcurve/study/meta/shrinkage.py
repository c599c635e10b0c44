"""Rates of many groups at once, each drawn towards all: a beta prior made of the data.

The wins of a group are binomial, the rates of groups are spread like a beta law. Its mean and
spread are those of greatest likelihood. With few groups, or few games, the data leave open how
much groups differ; intervals go through all spreads, each with its likelihood, so that they are
not too narrow where the likeliest spread is none at all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from killcurve.study.meta.intervals import LEVEL

Floats = NDArray[np.float64]

SPREADS, MEANS = 24, 7
"""How many spreads and means the intervals go through."""
NEGLIGIBLE = 9.0
"""Log-likelihood below the greatest from which on a prior counts for nothing."""
HALVINGS = 26


@dataclass(frozen=True, slots=True)
class Prior:
    """A beta prior: ``mean`` and standard deviation ``sd`` of greatest likelihood.

    ``means``, ``concentrations`` and ``weights`` are the priors that the intervals go through;
    a prior with mean m and concentration k is Beta(km, k(1 - m)).
    """

    mean: float
    sd: float
    means: Floats
    concentrations: Floats
    weights: Floats


def fit_prior(wins: ArrayLike, games: ArrayLike) -> Prior:
    """The prior of greatest likelihood for groups with so many wins in so many games.

    Wins need not be whole: draws are halves. Groups without games say nothing.

    >>> prior = fit_prior([55, 45, 52, 48], [100] * 4)
    >>> round(prior.mean, 3), round(prior.sd, 3)
    (0.5, 0.0)
    """
    w, n = np.asarray(wins, dtype=np.float64), np.asarray(games, dtype=np.float64)
    w, n = w[n > 0], n[n > 0]
    total = float(n.sum())
    centre = (float(w.sum()) + 0.5) / (total + 1)
    between = _between(w, n, centre) / max(len(n), 1)
    half = 5 * np.sqrt(centre * (1 - centre) / max(total, 1) + between)
    means = np.clip(centre + np.linspace(-1, 1, MEANS) * half, 0.002, 0.998)
    spreads = _worth(w, n, means, np.linspace(0, 0.49, 4 * SPREADS + 1)[1:])
    m, s = (grid.ravel() for grid in np.meshgrid(means, spreads, indexing="ij"))
    k = np.maximum(m * (1 - m) / s**2 - 1, 1e-3)
    level = _likelihood(w, n, m, k)
    weights = np.exp(level - level.max())
    kept = weights > np.exp(-NEGLIGIBLE)
    mean, sd = _likeliest(w, n, centre, float(m[level.argmax()]), float(s[level.argmax()]))
    return Prior(mean, sd, m[kept], k[kept], weights[kept] / weights[kept].sum())


def _between(w: Floats, n: Floats, centre: float) -> float:
    """A rough variance of rates beyond that of chance."""
    if len(n) < 2:
        return 0.01
    excess = ((w / n - centre) ** 2 - centre * (1 - centre) / n) * n
    return max(float(excess.sum() / n.sum()), 0.0)


def _worth(w: Floats, n: Floats, means: Floats, coarse: Floats) -> Floats:
    """The middles of equal steps of spread, over those that are not negligible."""
    m, s = np.meshgrid(means, coarse, indexing="ij")
    k = np.maximum(m * (1 - m) / s**2 - 1, 1e-3)
    level = _likelihood(w, n, m.ravel(), k.ravel()).reshape(m.shape).max(axis=0)
    last = coarse[np.flatnonzero(level > level.max() - NEGLIGIBLE)[-1]]
    return np.asarray((np.arange(SPREADS) + 0.5) * (last / SPREADS))


def _likelihood(w: Floats, n: Floats, m: Floats, k: Floats) -> Floats:
    """The log-likelihood of each prior, for all groups together."""
    from scipy.special import betaln

    a, b = (k * m)[:, None], (k * (1 - m))[:, None]
    return np.asarray((betaln(a + w, b + n - w) - betaln(a, b)).sum(axis=1))


def _likeliest(
    w: Floats, n: Floats, centre: float, mean: float, spread: float
) -> tuple[float, float]:
    """The mean and spread of greatest likelihood; a spread of 0 is the binomial law."""
    from scipy.optimize import minimize
    from scipy.special import expit, logit, xlogy

    def minus(at: Floats) -> float:
        m, k = expit(at[:1]), np.exp(at[1:])
        return -float(_likelihood(w, n, m, k)[0])

    k = max(mean * (1 - mean) / spread**2 - 1, 1e-3)
    found = minimize(minus, [logit(mean), np.log(k)], method="L-BFGS-B", bounds=[(-7, 7), (-7, 14)])
    m, k = float(expit(found.x[0])), float(np.exp(found.x[1]))
    none = float((xlogy(w, centre) + xlogy(n - w, 1 - centre)).sum())
    if none >= -found.fun - 1e-6 or found.x[1] > 13:
        return float(w.sum() / n.sum()), 0.0
    return m, float(np.sqrt(m * (1 - m) / (k + 1)))


def shrink(
    prior: Prior, wins: ArrayLike, games: ArrayLike, level: float = LEVEL
) -> tuple[Floats, Floats, Floats]:
    """Each group's rate given the prior, with the ends of its interval.

    >>> prior = fit_prior([60, 40, 52, 48, 3], [100, 100, 100, 100, 3])
    >>> rate, low, high = shrink(prior, [3], [3])
    >>> bool(0.5 < rate[0] < 0.6), bool(low[0] > 0.35), bool(high[0] < 0.95)
    (True, True, True)
    """
    w, n = np.asarray(wins, dtype=np.float64), np.asarray(games, dtype=np.float64)
    m = np.broadcast_to(prior.means, (len(w), len(prior.means)))
    return mixture(w, n, m, prior.concentrations, prior.weights, level)


def mixture(
    w: Floats, n: Floats, means: Floats, concentrations: Floats, weights: Floats, level: float
) -> tuple[Floats, Floats, Floats]:
    """Means and quantiles of mixtures of beta laws after wins and games have been seen.

    ``means`` has a row for each group and a column for each of the priors.
    """
    from scipy.special import betainc

    a = concentrations * means + w[:, None]
    b = concentrations * (1 - means) + (n - w)[:, None]
    rate = ((a / (a + b)) * weights).sum(axis=1)
    ends = []
    for wanted in ((1 - level) / 2, (1 + level) / 2):
        low, high = np.zeros(len(w)), np.ones(len(w))
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            below = (betainc(a, b, middle[:, None]) * weights).sum(axis=1) < wanted
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        ends.append((low + high) / 2)
    return rate, ends[0], ends[1]
