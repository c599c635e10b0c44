"""Points that an attack removes, as a law: models slain, by what each of them stands for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from killcurve.engine.pmf import TOLERANCE, FloatArray, Pmf

HALF_A_THOUSANDTH = 5e-4
"""Points that are nearer together than this are equal: shares of a cost are no round numbers."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """What slain models are worth.

    ``by_model``: each counts with its share of the cost. ``bonus`` is a share of the cost that
    the unit is worth on top once nobody is left.

    >>> BY_MODELS.of(5, 100).tolist(), WHOLE_UNITS.of(2, 100).tolist()
    ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], [0.0, 0.0, 100.0])
    >>> Scoring(bonus=0.5).of(2, 100).tolist()
    [0.0, 50.0, 150.0]
    >>> Scoring(bonus=-1)
    Traceback (most recent call last):
    ...
    ValueError: the bonus for a whole unit is -1 of its cost; 0 to 10 are possible
    """

    by_model: bool = True
    bonus: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.bonus <= 10:
            raise ValueError(
                f"the bonus for a whole unit is {self.bonus} of its cost; 0 to 10 are possible"
            )

    def of(self, models: int, cost: float) -> FloatArray:
        """Points for 0, 1, … all models slain of a unit of that cost; shape (models + 1,)."""
        slain = np.arange(models + 1)
        shares = slain / models if self.by_model else np.zeros(models + 1)
        shares = shares + np.where(slain == models, self.bonus, 0.0)
        return np.asarray(shares * cost, dtype=np.float64)


BY_MODELS = Scoring()
"""Each model slain counts with its share of the unit's cost."""

WHOLE_UNITS = Scoring(by_model=False, bonus=1.0)
"""Only a unit of which nobody is left counts, with its cost."""


@dataclass(frozen=True, slots=True, eq=False)
class PointsLaw:
    """P(points = values[i]) = weights[i]; the values never fall, and are no whole numbers."""

    values: FloatArray
    weights: FloatArray

    @property
    def mean(self) -> float:
        """The expected points."""
        return float(self.weights @ self.values)

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return float(np.sqrt(max(0.0, float(self.weights @ (self.values - self.mean) ** 2))))

    def quantile(self, share: float) -> float:
        """The least value up to which that share of the law lies.

        A share that is met up to rounding counts as met.
        """
        return float(self.values[int(np.argmax(np.cumsum(self.weights) >= share - TOLERANCE))])

    def at_least(self, points: float) -> float:
        """P(so many points or more)."""
        return float(self.weights[self.values >= points - HALF_A_THOUSANDTH].sum())


def points_law(slain: Pmf, models: int, cost: float, scoring: Scoring = BY_MODELS) -> PointsLaw:
    """The law of the points that ``slain`` models of a unit of ``models`` are worth.

    >>> law = points_law(Pmf([0.25, 0.5, 0.25]), 2, 90)
    >>> law.mean, law.quantile(0.5), law.at_least(45), law.at_least(46)
    (45.0, 45.0, 0.75, 0.25)
    """
    values = scoring.of(models, cost)[slain.start : slain.stop]
    return PointsLaw(values, slain.weights)
