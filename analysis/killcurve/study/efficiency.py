"""What a unit's weapons do per 100 points, against many targets, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from killcurve.study.lines import Attacker, Line
from killcurve.study.matchup import Circumstances, Result, engage
from killcurve.study.targets import Defender

COLUMNS: dict[str, pl.DataType] = {
    "faction": pl.String(),
    "datasheet": pl.String(),
    "weapon": pl.String(),
    "kind": pl.String(),
    "count": pl.Int64(),
    "points": pl.Int64(),
    "target": pl.String(),
    "target_models": pl.Int64(),
    "target_points": pl.Int64(),
    "damage": pl.Float64(),
    "slain": pl.Float64(),
    "destroyed": pl.Float64(),
    "damage_p10": pl.Int64(),
    "damage_p90": pl.Int64(),
    "points_removed": pl.Float64(),
    "damage_per_100": pl.Float64(),
    "points_removed_per_100": pl.Float64(),
    "unmodelled": pl.List(pl.String()),
}
"""What :func:`efficiency` gives: means of exact distributions, P(destroyed), the 10–90 % band."""


def efficiency(
    units: Iterable[Attacker],
    targets: Sequence[Defender],
    how: Circumstances = Circumstances(),
) -> pl.DataFrame:
    """One row a default weapon line and target; columns are :data:`COLUMNS`.

    Per-100-points columns divide by the cost of the attacking unit at its smallest size.
    """
    rows = [
        _row(unit, line, engage(unit, [line], target, how))
        for unit in units
        for line in unit.default_lines
        for target in targets
    ]
    return pl.DataFrame(rows, schema=COLUMNS)


def _row(unit: Attacker, line: Line, result: Result) -> dict[str, Any]:
    outcome, target = result.outcome, result.defender
    removed = result.points_removed
    return {
        "faction": unit.faction,
        "datasheet": unit.datasheet,
        "weapon": line.name,
        "kind": line.kind,
        "count": line.count,
        "points": unit.points,
        "target": target.name,
        "target_models": target.target.models,
        "target_points": target.points,
        "damage": outcome.damage.mean,
        "slain": outcome.slain.mean,
        "destroyed": outcome.destroyed,
        "damage_p10": outcome.damage.quantile(0.1),
        "damage_p90": outcome.damage.quantile(0.9),
        "points_removed": removed,
        "damage_per_100": per_100(outcome.damage.mean, unit.points),
        "points_removed_per_100": per_100(removed, unit.points),
        "unmodelled": list(result.unmodelled),
    }


def per_100(value: float | None, points: int | None) -> float | None:
    """A value for each 100 points of cost; ``None`` where either is unknown or free.

    >>> per_100(3.0, 150), per_100(1.0, None)
    (2.0, None)
    """
    return None if value is None or not points else 100 * value / points
