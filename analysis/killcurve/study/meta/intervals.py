"""Intervals for rates: Wilson's for one, Newcombe's for the difference of two.

Draws count as half a win. A rate with draws varies less than one without, so these intervals are
then a little too wide, never too narrow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
LEVEL = 0.95


def normal_quantile(level: float) -> float:
    """The half width of a two-sided interval of the normal law, in standard deviations.

    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    from scipy.special import ndtri

    return float(ndtri(0.5 + level / 2))


def wilson(wins: ArrayLike, games: ArrayLike, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Wilson's score interval; 0 to 1 where there are no games.

    >>> [round(float(end), 4) for end in wilson(81, 263)]
    [0.2553, 0.3662]
    """
    w, n = np.asarray(wins, dtype=np.float64), np.asarray(games, dtype=np.float64)
    z = normal_quantile(level)
    some = np.maximum(n, 1e-12)
    rate = w / some
    centre = (rate + z * z / (2 * some)) / (1 + z * z / some)
    half = z / (1 + z * z / some) * np.sqrt(rate * (1 - rate) / some + z * z / (4 * some * some))
    low, high = np.clip(centre - half, 0, 1), np.clip(centre + half, 0, 1)
    return np.where(n > 0, low, 0.0), np.where(n > 0, high, 1.0)


def newcombe(
    wins: ArrayLike, games: ArrayLike, wins_before: ArrayLike, games_before: ArrayLike,
    level: float = LEVEL,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Newcombe's interval for the difference of two rates: the first minus the one before.

    >>> [round(float(end), 4) for end in newcombe(56, 70, 48, 80)]
    [0.0524, 0.3339]
    """
    w, n = np.asarray(wins, dtype=np.float64), np.asarray(games, dtype=np.float64)
    v, m = np.asarray(wins_before, dtype=np.float64), np.asarray(games_before, dtype=np.float64)
    rate, before = w / np.maximum(n, 1e-12), v / np.maximum(m, 1e-12)
    low, high = wilson(w, n, level)
    low_before, high_before = wilson(v, m, level)
    change = rate - before
    down = np.sqrt((rate - low) ** 2 + (high_before - before) ** 2)
    up = np.sqrt((high - rate) ** 2 + (before - low_before) ** 2)
    return change - down, change + up
