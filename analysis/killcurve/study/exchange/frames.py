"""Exchanges as frames: turn by turn, the joint law of what is left, and the points swing."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from killcurve.engine.pmf import FloatArray
from killcurve.study.exchange.schedule import Side
from killcurve.study.exchange.solving import Exchange

SUMMARY: dict[str, pl.DataType] = {
    "turn": pl.Int64(),
    "side": pl.String(),
    "unit": pl.String(),
    "models": pl.Int64(),
    "points": pl.Int64(),
    "wounds_lost": pl.Float64(),
    "models_lost": pl.Float64(),
    "models_lost_sd": pl.Float64(),
    "models_lost_p10": pl.Int64(),
    "models_lost_p50": pl.Int64(),
    "models_lost_p90": pl.Int64(),
    "destroyed": pl.Float64(),
    "points_lost": pl.Float64(),
    "swing": pl.Float64(),
    "swing_sd": pl.Float64(),
    "swing_p10": pl.Float64(),
    "swing_p50": pl.Float64(),
    "swing_p90": pl.Float64(),
}
"""What :func:`summary` gives, one row a turn and side, losses counted from the beginning.

``swing`` is the points that the enemy has lost less those that the side has lost itself.
"""

SAME_POINTS = 1e-6
"""Points by which two swings may differ and be the same."""


def summary(found: Exchange) -> pl.DataFrame:
    """Means, quantiles and P(destroyed) of both sides at the end of each turn.

    Columns are :data:`SUMMARY`; those about points are null where a unit has no cost.
    """
    turns = sorted({strike.turn for strike in found.strikes})
    rows = [_row(found, turn, side) for turn in turns for side in Side]
    return pl.DataFrame(rows, schema=SUMMARY)


def _row(found: Exchange, turn: int, side: Side) -> dict[str, Any]:
    after = found.after_turn(turn)
    unit, slain = found.unit(side), found.slain(side, after)
    each = unit.points_per_model
    row: dict[str, Any] = {
        "turn": turn,
        "side": side.value,
        "unit": unit.name,
        "models": unit.models,
        "points": unit.points,
        "wounds_lost": found.damage(side, after).mean,
        "models_lost": slain.mean,
        "models_lost_sd": slain.sd,
        "models_lost_p10": slain.quantile(0.1),
        "models_lost_p50": slain.quantile(0.5),
        "models_lost_p90": slain.quantile(0.9),
        "destroyed": found.destroyed(side, after),
        "points_lost": None if each is None else slain.mean * each,
    }
    points = _swing(found, after)
    if points is not None:
        values, chances = points
        sign = 1.0 if side is Side.A else -1.0
        values, chances = sign * values[:: int(sign)] + 0.0, chances[:: int(sign)]
        mean = float(values @ chances)
        row |= {
            "swing": mean,
            "swing_sd": float(np.sqrt(max(0.0, float(chances @ (values - mean) ** 2)))),
            **{f"swing_p{n}": _quantile(values, chances, n / 100) for n in (10, 50, 90)},
        }
    return row


def _quantile(values: FloatArray, chances: FloatArray, share: float) -> float:
    """The smallest value that is not exceeded with that chance."""
    reached = np.cumsum(chances) >= share - 1e-12
    return float(values[int(np.argmax(reached))])


def _swing(found: Exchange, after: int = -1) -> tuple[FloatArray, FloatArray] | None:
    """The points B has lost less those A has lost, rising, with their chances."""
    ours, theirs = (found.unit(side).points_per_model for side in Side)
    if ours is None or theirs is None:
        return None
    chances = _slain(found, after)
    own, other = (np.arange(size) for size in chances.shape)
    points = (other * theirs)[None, :] - (own * ours)[:, None]
    keys, places = np.unique(np.round(points / SAME_POINTS), return_inverse=True)
    total = np.zeros(len(keys))
    np.add.at(total, places.ravel(), chances.ravel())
    kept = total > 0
    return keys[kept] * SAME_POINTS + 0.0, total[kept]


def _slain(found: Exchange, after: int = -1) -> FloatArray:
    """P(so many of A slain, so many of B slain); shape (models of A + 1, models of B + 1)."""
    law = found.laws[after]
    spaces = [found.unit(side).space for side in Side]
    sizes = [found.unit(side).models + 1 for side in Side]
    out = np.zeros((sizes[0], law.shape[1]))
    np.add.at(out, spaces[0].all_dead.total.astype(int), law)
    both = np.zeros((sizes[1], sizes[0]))
    np.add.at(both, spaces[1].all_dead.total.astype(int), out.T)
    return both.T


def swing(found: Exchange) -> pl.DataFrame:
    """The law of the points swing at the end, from A's side.

    Columns ``points`` (B's losses less A's), ``probability`` and ``at_least``; no rows where a
    unit has no cost.
    """
    schema = {"points": pl.Float64, "probability": pl.Float64, "at_least": pl.Float64}
    points = _swing(found)
    if points is None:
        return pl.DataFrame(schema=schema)
    values, chances = points
    tails = np.minimum(1.0, np.cumsum(chances[::-1])[::-1])
    columns = dict(zip(schema, (values, chances, tails), strict=True))
    return pl.DataFrame(columns, schema=schema)


JOINT: dict[str, pl.DataType] = {
    "turn": pl.Int64(),
    "a_models_left": pl.Int64(),
    "a_wounds_lost": pl.Int64(),
    "b_models_left": pl.Int64(),
    "b_wounds_lost": pl.Int64(),
    "probability": pl.Float64(),
}
"""What :func:`joint` gives: one row for each pair of states that can occur at a turn's end.

``wounds_lost`` are those of the models that are left.
"""


def joint(found: Exchange, turn: int | None = None) -> pl.DataFrame:
    """The joint law of what is left of both sides, after each turn or one of them.

    Units of several groups of models may have several rows with the same numbers; they are
    added up.
    """
    turns = sorted({strike.turn for strike in found.strikes} if turn is None else {turn})
    return (
        pl.concat([_joint(found, each) for each in turns])
        .group_by(list(JOINT)[:-1])
        .agg(pl.col("probability").sum())
        .sort(list(JOINT)[:-1], descending=[False, True, False, True, False])
    )


def _joint(found: Exchange, turn: int) -> pl.DataFrame:
    law = found.laws[found.after_turn(turn)]
    own, other = np.nonzero(law)
    columns: dict[str, Any] = {"turn": np.full(len(own), turn)}
    for side, places in zip(Side, (own, other), strict=True):
        unit = found.unit(side)
        space, name = unit.space, side.value.lower()
        hurt = np.sum(
            [
                lost - dead * group.wounds
                for lost, dead, group in zip(
                    space.lost, space.dead, space.target.groups, strict=True
                )
            ],
            axis=0,
        )
        columns[f"{name}_models_left"] = unit.models - space.all_dead.total[places].astype(int)
        columns[f"{name}_wounds_lost"] = hurt[places]
    return pl.DataFrame({**columns, "probability": law[own, other]}, schema=JOINT)
