"""Win rates of pairs of factions: their strengths, and what is special about each pair.

The log-odds of a pair are the difference of two strengths and an effect of its own, of the normal
law with mean 0. How far such effects are spread is not known: every spread counts by its
(Laplace) likelihood, after strengths and effects are integrated out. Draws count as halves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SPREADS = 30
MOST_SPREAD = 1.2
"""Log-odds: a spread of pairs' effects that is beyond any game's."""
STRENGTH_SD = 1.0
"""How far strengths are spread beforehand: it only keeps them finite."""
STEPS = 50
CLOSE = 1e-10
HALVINGS = 40


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs, each once: the numbers of both factions (from 0), games, and the first's score."""

    first: Ints
    second: Ints
    games: Floats
    score: Floats
    factions: int


@dataclass(frozen=True, slots=True)
class Fit:
    """Log-odds of each pair for one spread: ``odds`` with ``error``; ``promise`` has no effect.

    ``leverage`` is how much of a pair's own games is in its promise.
    """

    odds: Floats
    error: Floats
    promise: Floats
    leverage: Floats
    level: float


@dataclass(frozen=True, slots=True)
class PairRates:
    """For each pair: the ``rate`` with its interval, the one that strengths promise, a p-value.

    ``spread`` is the mean of the spread of effects over its likelihood, in log-odds.
    """

    rate: Floats
    low: Floats
    high: Floats
    promise: Floats
    p: Floats
    spread: float


def pair_rates(pairs: Pairs, level: float) -> PairRates:
    """Rates of all pairs, drawn towards what strengths promise."""
    from scipy.special import expit, ndtr

    spreads = (np.arange(SPREADS) + 0.5) * (MOST_SPREAD / SPREADS)
    fits = [fitted(pairs, float(spread)) for spread in spreads]
    logs = np.array([fit.level for fit in fits])
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    odds, error = (np.array([getattr(fit, name) for fit in fits]).T for name in ("odds", "error"))
    ends = [_quantile(odds, error, weights, q) for q in ((1 - level) / 2, (1 + level) / 2)]
    plain = fitted(pairs, 0.0)
    promised = expit(plain.promise)
    left = pairs.games * promised * (1 - promised) * np.maximum(1 - plain.leverage, 1e-9)
    p = 2 * ndtr(-np.abs(pairs.score - pairs.games * promised) / np.sqrt(left))
    return PairRates(
        rate=np.asarray((_mean_rate(odds, error) * weights).sum(axis=1)),
        low=expit(ends[0]),
        high=expit(ends[1]),
        promise=promised,
        p=np.asarray(p),
        spread=float((spreads * weights).sum()),
    )


def fitted(pairs: Pairs, spread: float) -> Fit:
    """Newton's method on the penalised likelihood for one spread of effects (0: none)."""
    from scipy.special import expit

    count = len(pairs.games)
    design = np.zeros((count, pairs.factions))
    design[np.arange(count), pairs.first] = 1
    design[np.arange(count), pairs.second] = -1
    tight = 1 / spread**2 if spread else np.inf
    strength, effect = np.zeros(pairs.factions), np.zeros(count)
    for _ in range(STEPS):
        p = expit(design @ strength + effect)
        weight = pairs.games * p * (1 - p)
        off = pairs.score - pairs.games * p
        own = weight + tight
        free = weight * (1 - weight / own) if spread else weight
        curve = design.T @ (design * free[:, None]) + np.eye(pairs.factions) / STRENGTH_SD**2
        of_effect = off - tight * effect if spread else np.zeros(count)
        of_strength = design.T @ (off - weight / own * of_effect) - strength / STRENGTH_SD**2
        step = np.linalg.solve(curve, of_strength)
        effect_step = (of_effect - weight * (design @ step)) / own
        strength, effect = strength + step, effect + effect_step
        if max(np.abs(step).max(), np.abs(effect_step).max()) < CLOSE:
            break
    spread_of = np.einsum("ij,jk,ik->i", design, np.linalg.inv(curve), design)
    odds = design @ strength + effect
    level = float((pairs.score * odds - pairs.games * np.logaddexp(0, odds)).sum())
    level -= float((strength**2).sum()) / (2 * STRENGTH_SD**2)
    level -= float(np.linalg.slogdet(curve)[1]) / 2
    if spread:
        level -= float((effect**2).sum()) * tight / 2 + float(np.log(own / tight).sum()) / 2
    error = np.sqrt((1 - weight / own) ** 2 * spread_of + 1 / own)
    return Fit(odds, error, design @ strength, weight * spread_of, level)


NODES = np.array([-1.7320508075688772, 0.0, 1.7320508075688772])
NODE_WEIGHTS = np.array([1 / 6, 2 / 3, 1 / 6])
"""Of the normal law, exact for polynomials of degree five."""


def _mean_rate(odds: Floats, error: Floats) -> Floats:
    """The mean of a rate whose log-odds are normal."""
    from scipy.special import expit

    return np.asarray((expit(odds[..., None] + error[..., None] * NODES) * NODE_WEIGHTS).sum(-1))


def _quantile(odds: Floats, error: Floats, weights: Floats, wanted: float) -> Floats:
    """Quantiles of mixtures of normal laws: a row for each pair, a column for each law."""
    from scipy.special import ndtr

    low, high = np.full(len(odds), -20.0), np.full(len(odds), 20.0)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        below = (ndtr((middle[:, None] - odds) / error) * weights).sum(axis=1) < wanted
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.asarray((low + high) / 2)
