"""Efficiency of factions beside their win rates, and how far the two go together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from killcurve.study.efficiency import efficiency
from killcurve.study.lines import attacker
from killcurve.study.sweep.load import Sweep
from killcurve.study.targets import standard_targets
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.naming import faction_key

Floats = NDArray[np.float64]

UNITS: dict[str, pl.DataType] = {
    "faction": pl.String(),
    "datasheet": pl.String(),
    "targets": pl.Int64(),
    "value": pl.Float64(),
}
"""Efficiency of units, a row each.

``value`` is the mean over ``targets`` targets of the points that the unit's best default weapon
line removes on average for each 100 points of the unit, without help.
"""

FACTIONS: dict[str, pl.DataType] = {
    "faction": pl.String(),
    "units": pl.Int64(),
    "efficiency": pl.Float64(),
    "low_efficiency": pl.Float64(),
    "high_efficiency": pl.Float64(),
}
"""Efficiency of factions: the median of their units' values, and between which values half lie."""

RESAMPLES = 4000
SEED = 40_000
FEWEST = 5
"""Factions below which no interval of a correlation is told."""

VALUE = "points_removed_per_100"


def units_of_sweep(sweep: Sweep, dataset: Dataset) -> pl.DataFrame:
    """:data:`UNITS` from a sweep, asked lazily for the standard targets of the dataset alone.

    Raises:
        DataError: if the sweep has none of the standard targets.
    """
    wanted = dataset.target_profiles.select(target_faction="faction", target="datasheet").lazy()
    alone = (pl.col("help") == "none") & (pl.col("target_help") == "none")
    rows = sweep.results.filter(alone & pl.col("default") & (pl.col("context") == ""))
    best = (
        rows.join(wanted, on=["target_faction", "target"], how="semi")
        .group_by("faction", "datasheet", "target_faction", "target")
        .agg(pl.col(VALUE).max())
        .collect(engine="in-memory")
    )
    if best.is_empty():
        raise DataError("the sweep has none of the standard targets; sweep without --limit")
    return _of_units(best, ["target_faction", "target"])


def units_of_study(
    dataset: Dataset, factions: Iterable[str], progress: Callable[[str], None] = lambda _: None
) -> pl.DataFrame:
    """:data:`UNITS` of all units of some factions, solved against the standard targets."""
    keys = {faction_key(name) for name in factions}
    sheets = dataset.datasheets.select("faction", "datasheet").unique().sort("faction", "datasheet")
    targets = standard_targets(dataset)
    frames = []
    for name in sheets["faction"].unique(maintain_order=True):
        if faction_key(name) not in keys:
            continue
        progress(f"efficiency of {name}")
        of = sheets.filter(pl.col("faction") == name)["datasheet"]
        units = (attacker(dataset, sheet, name) for sheet in of)
        frames.append(efficiency(units, targets).select("faction", "datasheet", "target", VALUE))
    if not frames:
        return pl.DataFrame(schema=UNITS)
    best = pl.concat(frames).group_by("faction", "datasheet", "target").agg(pl.col(VALUE).max())
    return _of_units(best, ["target"])


def _of_units(best: pl.DataFrame, target: list[str]) -> pl.DataFrame:
    known = best.drop_nulls(VALUE).sort("faction", "datasheet", *target)
    frame = known.group_by("faction", "datasheet", maintain_order=True).agg(
        targets=pl.len(), value=pl.col(VALUE).mean()
    )
    return frame.cast(UNITS).sort("faction", "datasheet")  # type: ignore[arg-type]


def of_factions(units: pl.DataFrame) -> pl.DataFrame:
    """:data:`FACTIONS` from :data:`UNITS`.

    >>> units = pl.DataFrame({"faction": ["A"] * 3, "datasheet": ["x", "y", "z"],
    ...     "targets": [1] * 3, "value": [1.0, 5.0, 3.0]})
    >>> of_factions(units).rows()
    [('A', 3, 3.0, 2.0, 4.0)]
    """
    frame = units.group_by("faction").agg(
        units=pl.len(),
        efficiency=pl.col("value").median(),
        low_efficiency=pl.col("value").quantile(0.25, "linear"),
        high_efficiency=pl.col("value").quantile(0.75, "linear"),
    )
    return frame.cast(FACTIONS).sort("faction")  # type: ignore[arg-type]


def joined(rates: pl.DataFrame, factions: pl.DataFrame) -> pl.DataFrame:
    """Win rates (:func:`killcurve.study.meta.win_rates.rated`) beside :data:`FACTIONS`.

    One row a faction with enough games that has both, sorted by name.
    """
    key = pl.col("faction").map_elements(faction_key, return_dtype=pl.String).alias("_key")
    ours = rates.filter("enough").select("faction", "games", "shrunk", "low", "high", key)
    theirs = factions.with_columns(key).drop("faction")
    return ours.join(theirs, on="_key").drop("_key").sort("faction")


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rank correlation with a bootstrap interval over factions; null where too few."""

    rho: float | None
    low: float | None
    high: float | None
    factions: int


def spearman(x: Floats, y: Floats, seed: int = SEED, level: float = 0.95) -> Correlation:
    """How far two measures rank factions alike.

    The interval is the percentile bootstrap's: factions are drawn anew, with a fixed seed.

    >>> up = spearman(np.arange(8.0), np.arange(8.0) ** 2)
    >>> up.rho, up.high, spearman(np.arange(2.0), np.arange(2.0)).rho
    (1.0, 1.0, None)
    """
    n = len(x)
    if n < 3:
        return Correlation(None, None, None, n)
    (rho,) = _rank_correlations(x[None, :], y[None, :])
    if not np.isfinite(rho) or n < FEWEST:
        return Correlation(float(rho) if np.isfinite(rho) else None, None, None, n)
    drawn = np.random.default_rng(seed).integers(0, n, (RESAMPLES, n))
    found = _rank_correlations(x[drawn], y[drawn])
    ends = np.quantile(found[np.isfinite(found)], [(1 - level) / 2, (1 + level) / 2])
    return Correlation(round(float(rho), 12), float(ends[0]), float(ends[1]), n)


def _rank_correlations(x: Floats, y: Floats) -> Floats:
    """Spearman's correlation of each row; not a number where a row does not vary."""
    from scipy.stats import rankdata

    a, b = rankdata(x, axis=1), rankdata(y, axis=1)
    a, b = a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True)
    spread = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    return np.where(spread > 0, (a * b).sum(axis=1) / np.where(spread > 0, spread, 1), np.nan)
