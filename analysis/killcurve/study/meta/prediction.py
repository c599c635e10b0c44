"""Where the true rate of a further event lies, by the binomial-normal model.

The usual formula takes the spread between events as known and estimated without error. With the
numbers of games that factions have at events it is often estimated as none, and such intervals
then miss much more than they should. Here all means and spreads count, each by its likelihood.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from killcurve.study.meta.intervals import LEVEL
from killcurve.study.meta.logit_normal import MOST_TAU, Fitted, log_likelihoods

Floats = NDArray[np.float64]

MEANS, SPREADS, NODES = 15, 20, 11
REACH = 1.6
"""How far means reach beyond the ends of their interval, in half widths."""
NEGLIGIBLE = 9.0
"""Log-likelihood below the greatest from which on a spread counts for nothing."""
HALVINGS = 40


def prediction(
    fitted: Fitted, wins: ArrayLike, games: ArrayLike, level: float = LEVEL
) -> tuple[float, float] | None:
    """The log-odds between which the true rate of a further event lies; null below three events.

    >>> from killcurve.study.meta.logit_normal import fit
    >>> wins, games = [6, 14, 9, 18, 3], [20, 20, 20, 20, 10]
    >>> low, high = prediction(fit(wins, games), wins, games)
    >>> bool(low < -2 and high > 2)
    True
    """
    from scipy.special import ndtr

    if fitted.events < 3:
        return None
    w, n = np.asarray(wins, dtype=np.float64), np.asarray(games, dtype=np.float64)
    mu, tau, weights = _weighed(fitted, w, n)

    def below(at: float) -> float:
        return float((weights * ndtr((at - mu) / tau)).sum())

    return _quantile(below, (1 - level) / 2), _quantile(below, (1 + level) / 2)


def _weighed(fitted: Fitted, w: Floats, n: Floats) -> tuple[Floats, Floats, Floats]:
    """Means and spreads on a grid, with their likelihoods as weights."""
    below, above = fitted.mu - fitted.low, fitted.high - fitted.mu
    means = np.linspace(fitted.mu - REACH * below, fitted.mu + REACH * above, MEANS)
    coarse = np.linspace(0, MOST_TAU, SPREADS + 1)[1:]
    level = log_likelihoods(w, n, np.full(SPREADS, fitted.mu), coarse, NODES)
    worth = np.flatnonzero(level > max(level.max(), fitted.log_likelihood) - NEGLIGIBLE)
    last = coarse[min(worth[-1] + 1, SPREADS - 1)] if len(worth) else coarse[0]
    spreads = (np.arange(SPREADS) + 0.5) * (last / SPREADS)
    mu, tau = (grid.ravel() for grid in np.meshgrid(means, spreads))
    level = log_likelihoods(w, n, mu, tau, NODES)
    weights = np.exp(level - level.max())
    return mu, tau, weights / weights.sum()


def _quantile(below: Callable[[float], float], wanted: float) -> float:
    low, high = -20.0, 20.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < wanted else (low, middle)
    return (low + high) / 2
