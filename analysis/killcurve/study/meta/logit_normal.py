"""Random-effects pooling of rates without approximation: the binomial-normal model.

Wins of event i are binomial with log-odds μ + τ z, z of the standard normal law. The likelihood
is an integral for each event, by Gauss–Hermite quadrature around its peak (Stijnen, Hamza and
Özdemir, Statistics in Medicine 2010). Nothing is added to events without wins or losses, and
small events need no normal law for their log-odds. Draws count as half a win and half a loss.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from killcurve.study.meta.intervals import LEVEL

Floats = NDArray[np.float64]

NODES = 21
MOST_TAU, MOST_MU = 3.0, 8.0
"""Log-odds: further than any win rate is spread, or lies."""
STEPS = 25
"""The most of Newton's steps to the peaks of integrands; these are log-concave, and few do."""
SMALL = 1e-3
"""A spread below which there is none."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """The fit of greatest likelihood, in log-odds.

    ``low`` and ``high`` are where the likelihood of ``mu``, with the best ``tau`` for each, has
    fallen by what the t law of k - 1 degrees of freedom allows; ``tau_p`` is the p-value of
    the likelihood-ratio test against no spread (half a chi-square law, as τ cannot be negative).
    """

    events: int
    mu: float
    tau: float
    log_likelihood: float
    low: float
    high: float
    tau_p: float


def fit(wins: ArrayLike, games: ArrayLike, level: float = LEVEL) -> Fitted:
    """Fit the model to events with so many wins in so many games (more than none each).

    Raises:
        ValueError: if there is no event.

    >>> fitted = fit([6, 14, 9, 18, 3], [20, 20, 20, 20, 10])
    >>> round(fitted.mu, 3), round(fitted.tau, 3), round(fitted.tau_p, 4)
    (0.211, 1.0, 0.001)
    """
    w, n = np.asarray(wins, dtype=np.float64), np.asarray(games, dtype=np.float64)
    if len(n) == 0:
        raise ValueError("there is no event to pool")
    centre = _bounded_logit(w, n)
    none = log_likelihood(w, n, centre, 0.0)
    mu, tau, best = _likeliest(w, n, centre, none)
    low, high = _ends(w, n, mu, best, _fall(level, len(n)))
    return Fitted(
        events=len(n),
        mu=mu,
        tau=tau,
        log_likelihood=best,
        low=low,
        high=high,
        tau_p=_p_of_spread(2 * (best - none)),
    )


def log_likelihood(wins: Floats, games: Floats, mu: float, tau: float, nodes: int = NODES) -> float:
    """The log-likelihood of all events, without the binomial coefficients.

    >>> round(log_likelihood(np.array([3.0]), np.array([5.0]), 0.0, 0.0), 4)
    -3.4657
    """
    return _slopes(wins, games, mu, tau, nodes)[0]


def _slopes(
    wins: Floats, games: Floats, mu: float, tau: float, nodes: int = NODES
) -> tuple[float, float, float]:
    """The log-likelihood with its slopes in the mean and in the spread."""
    from scipy.special import expit

    if tau < SMALL:
        level = wins * mu - games * np.logaddexp(0, mu)
        return float(level.sum()), float((wins - games * expit(mu)).sum()), 0.0
    z, logs, parts = _integrands(wins, games, mu, tau, nodes)
    inside = parts.sum(axis=-1)
    off = wins[..., None] - games[..., None] * expit(mu + tau * z)
    slope_mu = ((parts * off).sum(axis=-1) / inside).sum()
    slope_tau = ((parts * off * z).sum(axis=-1) / inside).sum()
    return float((np.log(inside) + logs).sum()), float(slope_mu), float(slope_tau)


def log_likelihoods(
    wins: Floats, games: Floats, mu: Floats, tau: Floats, nodes: int = NODES
) -> Floats:
    """The same for many means and spreads (more than none) at once: a value for each of them."""
    _, logs, parts = _integrands(wins, games, mu[:, None], tau[:, None], nodes)
    return np.asarray((np.log(parts.sum(axis=-1)) + logs).sum(axis=-1))


def _integrands(
    wins: Floats, games: Floats, mu: float | Floats, tau: float | Floats, nodes: int
) -> tuple[Floats, Floats, Floats]:
    """Nodes of each event's integral around its peak, the log of a factor, and the parts."""
    peak, curve = _peaks(wins, games, mu, tau)
    points, weights = _hermite(nodes)
    width = np.sqrt(2 / curve)
    z = peak[..., None] + width[..., None] * points
    at = np.asarray(mu)[..., None] + np.asarray(tau)[..., None] * z
    height = wins[..., None] * at - games[..., None] * np.logaddexp(0, at) - z**2 / 2
    top = height.max(axis=-1)
    parts = weights * np.exp(height - top[..., None] + points**2)
    return z, top + np.log(width / np.sqrt(2 * np.pi)), parts


def _peaks(
    wins: Floats, games: Floats, mu: float | Floats, tau: float | Floats
) -> tuple[Floats, Floats]:
    """Where each event's integrand is greatest, and how it curves there."""
    from scipy.special import expit

    z = np.zeros(np.broadcast_shapes(np.shape(mu), np.shape(tau), wins.shape))
    for _ in range(STEPS):
        p = expit(mu + tau * z)
        curve = games * tau**2 * p * (1 - p) + 1
        step = np.clip((tau * (wins - games * p) - z) / curve, -2, 2)
        z = z + step
        if np.abs(step).max() < 1e-3:
            break
    p = expit(mu + tau * z)
    return z, games * tau**2 * p * (1 - p) + 1


@lru_cache(maxsize=8)
def _hermite(nodes: int) -> tuple[Floats, Floats]:
    points, weights = np.polynomial.hermite.hermgauss(nodes)
    return np.asarray(points), np.asarray(weights)


def _bounded_logit(wins: Floats, games: Floats) -> float:
    from scipy.special import logit

    rate = float(wins.sum() / games.sum())
    return float(np.clip(logit(np.clip(rate, 1e-9, 1 - 1e-9)), -MOST_MU, MOST_MU))


def _best_tau(wins: Floats, games: Floats, mu: float) -> tuple[float, float]:
    """The best spread for a mean, and the log-likelihood there."""
    from scipy.optimize import brentq
    from scipy.special import expit

    p = expit(mu)
    excess = ((wins - games * p) ** 2 - games * p * (1 - p)).sum()
    if excess > 0:  # a small spread is better than none

        def slope(tau: float) -> float:
            return _slopes(wins, games, mu, tau)[2]

        first = 2 * SMALL
        if slope(first) > 0:
            end = slope(MOST_TAU) >= 0
            tau = MOST_TAU if end else float(brentq(slope, first, MOST_TAU, xtol=1e-3))
            return tau, log_likelihood(wins, games, mu, tau)
    return 0.0, log_likelihood(wins, games, mu, 0.0)


def _likeliest(
    wins: Floats, games: Floats, centre: float, none: float
) -> tuple[float, float, float]:
    """The mean and spread of greatest likelihood, and the log-likelihood there."""
    from scipy.optimize import minimize

    tau, _ = _best_tau(wins, games, centre) if len(games) > 1 else (0.0, none)
    if tau == 0:
        return centre, 0.0, none

    def minus(at: Floats) -> tuple[float, Floats]:
        level, slope_mu, slope_tau = _slopes(wins, games, float(at[0]), float(at[1]))
        return -level, np.array([-slope_mu, -slope_tau])

    found = minimize(
        minus,
        [centre, tau],
        jac=True,
        method="L-BFGS-B",
        bounds=[(-MOST_MU, MOST_MU), (2 * SMALL, MOST_TAU)],
        options={"ftol": 1e-14, "gtol": 1e-8},
    )
    if none >= -found.fun:
        return centre, 0.0, none
    return float(found.x[0]), float(found.x[1]), float(-found.fun)


def _fall(level: float, events: int) -> float:
    """By how much the log-likelihood may fall within an interval."""
    from scipy.special import ndtri, stdtrit

    upper = 0.5 + level / 2
    quantile = stdtrit(events - 1, upper) if events > 1 else ndtri(upper)
    return float(quantile) ** 2 / 2


def _ends(wins: Floats, games: Floats, mu: float, best: float, fall: float) -> tuple[float, float]:
    """The means at which the log-likelihood, with the best spread, has fallen by ``fall``."""

    def above(at: float) -> float:
        return _best_tau(wins, games, at)[1] - best + fall

    return _root(above, mu, -1), _root(above, mu, 1)


def _root(above: Callable[[float], float], inside: float, sign: int) -> float:
    """Where a function that is positive at ``inside`` becomes negative, in one direction."""
    from scipy.optimize import brentq

    step, limit = 0.5 * sign, MOST_MU * sign
    outside = inside + step
    while abs(outside) < MOST_MU and above(outside) > 0:
        step *= 2
        outside += step
    if abs(outside) >= MOST_MU:
        outside = limit
        if above(outside) > 0:
            return limit
    return float(brentq(above, inside, outside, xtol=5e-4))


def _p_of_spread(statistic: float) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(1, statistic)) / 2 if statistic > 1e-9 else 1.0
