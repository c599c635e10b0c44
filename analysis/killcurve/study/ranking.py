"""Choosing a loadout: legal ones ranked by what they do to a mix of targets.

A *mix* gives each target a weight; the unit attacks one target, which is drawn with these
weights, alone and while it is fresh.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from killcurve.engine.pmf import FloatArray
from killcurve.study.armies.attacking import Band, at_distance, left_out, striker
from killcurve.study.armies.units import ArmyUnit, datasheet_in_play
from killcurve.study.arming import in_words
from killcurve.study.efficiency import per_100
from killcurve.study.loadouts import Loadouts, legal_loadouts
from killcurve.study.loadouts.telling import loadout_table
from killcurve.study.matchup import Circumstances
from killcurve.study.targets import Defender
from killcurve.tables.dataset import DataError, Dataset

COLUMNS: dict[str, pl.DataType] = {
    "faction": pl.String(),
    "datasheet": pl.String(),
    "rank": pl.Int64(),
    "loadout": pl.Int64(),
    "default": pl.Boolean(),
    "models": pl.Int64(),
    "points": pl.Int64(),
    "weapons": pl.String(),
    "attack": pl.String(),
    "damage": pl.Float64(),
    "points_removed": pl.Float64(),
    "points_removed_sd": pl.Float64(),
    "points_removed_per_100": pl.Float64(),
    "points_of_wounds": pl.Float64(),
    "points_of_wounds_per_100": pl.Float64(),
    "destroyed": pl.Float64(),
    "best_at": pl.List(pl.String()),
    "left_out": pl.List(pl.String()),
}
"""What :func:`rank_loadouts` gives, a row a loadout, the best first.

``loadout`` is its number among those that are compared, 1 the default. All numbers are those of a
target drawn from the mix: ``damage`` mean wounds lost, ``points_removed`` the mean points of the
models slain, ``points_removed_sd`` their standard deviation (of the draw and of the dice, which
are independent of it), ``points_of_wounds`` the points of the mean share of its wounds that the
target loses, ``destroyed`` P(no model of it is left). What ends in ``_per_100`` is for each 100
points of the loadout. ``best_at`` names the targets of the mix to which no other loadout does
more by the measure that ranks.
"""

BY_TARGET: dict[str, pl.DataType] = {
    "faction": pl.String(),
    "datasheet": pl.String(),
    "rank": pl.Int64(),
    "loadout": pl.Int64(),
    "target": pl.String(),
    "weight": pl.Float64(),
    "used": pl.List(pl.String()),
    "damage": pl.Float64(),
    "slain": pl.Float64(),
    "destroyed": pl.Float64(),
    "points_removed": pl.Float64(),
    "points_removed_sd": pl.Float64(),
    "points_removed_per_100": pl.Float64(),
    "points_of_wounds": pl.Float64(),
    "points_of_wounds_per_100": pl.Float64(),
}
"""What :func:`rank_by_target` gives, a row a loadout and target of the mix.

``weight`` is the target's share of the mix, ``used`` what the loadout uses against it.
"""

MEASURES = (
    "points_removed_per_100",
    "points_of_wounds_per_100",
    "points_removed",
    "points_of_wounds",
    "damage",
    "destroyed",
)
"""What loadouts may be ranked by; the first one unless told."""

Mix = Sequence[tuple[Defender, float]]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Ranked:
    """Ranked loadouts: ``loadouts`` and ``by_target`` are frames, ``told`` which were compared."""

    loadouts: pl.DataFrame
    by_target: pl.DataFrame
    told: str


def mixed(targets: Sequence[Defender], weights: Mapping[str, float] | None = None) -> Mix:
    """Targets with their shares of a mix: equal ones, or the weights that are given by name.

    Targets without a weight, or with 0, are not in it.

    Raises:
        DataError: for a name that no target has, a weight below 0, or none above it.

    >>> import killcurve
    >>> from killcurve.study.targets import standard_targets
    >>> some = standard_targets(killcurve.load())
    >>> [(t.name, w) for t, w in mixed(some, {"Guardsmen (GEQ)": 3, "Rhino (transport)": 1})]
    [('Guardsmen (GEQ)', 0.75), ('Rhino (transport)', 0.25)]
    """
    known = {target.name: target for target in targets}
    weights = dict.fromkeys(known, 1.0) if weights is None else dict(weights)
    for name, weight in weights.items():
        if name not in known:
            raise DataError(f"there is no target {name!r} in the mix; there are {', '.join(known)}")
        if not (np.isfinite(weight) and weight >= 0):
            raise DataError(f"the weight of {name} is {weight}: give 0 or more")
    total = sum(weights.values())
    if not total:
        raise DataError("no target of the mix has a weight above 0")
    return [(known[name], weight / total) for name, weight in weights.items() if weight]


def rank_loadouts(
    dataset: Dataset,
    name: str,
    mix: Mix,
    faction: str | None = None,
    how: Circumstances = Circumstances(),
    *,
    models: int | None = None,
    limit: int = 100,
    shooting: bool = True,
    fighting: bool = False,
    distance: float | None = None,
    by: str = MEASURES[0],
    progress: Progress | None = None,
) -> Ranked:
    """Legal loadouts of a unit, the best for a mix of targets first.

    In both phases the unit shoots, then fights what is left of the same target. ``distance`` in
    inches says which weapons reach; ``by`` is one of :data:`MEASURES`. Where there are more
    loadouts than ``limit``, those that go as far as possible in one exchange or several are
    compared (:func:`killcurve.study.loadouts.legal_loadouts`).

    Raises:
        DataError: if there is no such unit, size or measure, or no phase is asked for.

    >>> import killcurve
    >>> from killcurve.study.targets import standard_targets
    >>> data = killcurve.load()
    >>> tank = mixed(standard_targets(data), {"Rhino (transport)": 1})
    >>> found = rank_loadouts(data, "Raider", tank, by="points_of_wounds")
    >>> found.loadouts["weapons"][0].split(", ")[1]
    '1 × Dark lance'
    """
    if by not in MEASURES:
        raise DataError(f"loadouts cannot be ranked by {by!r}: take one of {', '.join(MEASURES)}")
    if not (shooting or fighting):
        raise DataError("neither shooting nor fighting is asked for: take one of them, or both")
    bands = [at_distance(distance)] if shooting else []
    bands += [at_distance(None, ranged=False)] if fighting else []
    owner, datasheet = dataset.find(name, faction)
    found = legal_loadouts(dataset, datasheet, owner, models=models, limit=limit)
    table = loadout_table(dataset, found)
    rows, parts = [], []
    for number, loadout in enumerate(found.shown, start=1):
        unit = datasheet_in_play(dataset, datasheet, owner, number=number, loadout=loadout)
        made = [_at(unit, target, weight, bands, how) for target, weight in mix]
        parts += made
        rows.append(_mixed_row(unit, made, bands, table.row(number - 1, named=True)))
        if progress is not None:
            progress(number, len(found.shown))
    return _ranked(rows, parts, by, found)


def _at(
    unit: ArmyUnit, target: Defender, weight: float, bands: Sequence[Band], how: Circumstances
) -> dict[str, Any]:
    """What a loadout does to one target."""
    law: FloatArray | None = None
    used: list[str] = []
    missing: list[str] = []
    for band in bands:
        made = striker(unit, target, band, how)
        law = made.strike(law)
        used += in_words(made.unit, made.arms)
        missing += left_out(made, unit, target)
    assert law is not None
    space = made.enemy.space
    slain, damage = space.slain(law), space.damage(law).mean
    each = target.points_per_model
    removed = None if each is None else slain.mean * each
    worn = None if target.points is None else damage / space.can_lose * target.points
    return {
        "faction": unit.faction,
        "datasheet": unit.datasheet,
        "loadout": unit.number,
        "target": target.name,
        "weight": weight,
        "used": used,
        "damage": damage,
        "slain": slain.mean,
        "destroyed": float(law[space.destroyed]),
        "points_removed": removed,
        "points_removed_sd": None if each is None else slain.sd * each,
        "points_removed_per_100": per_100(removed, unit.points),
        "points_of_wounds": worn,
        "points_of_wounds_per_100": per_100(worn, unit.points),
        "left_out": missing,
    }


def _mixed_row(
    unit: ArmyUnit,
    made: Sequence[dict[str, Any]],
    bands: Sequence[Band],
    told: Mapping[str, Any],
) -> dict[str, Any]:
    """The same for a target drawn from the mix."""
    means = {
        what: _mean((row["weight"], row[what]) for row in made)
        for what in (*MEASURES, "damage", "destroyed")
    }
    return {
        "faction": unit.faction,
        "datasheet": unit.datasheet,
        "loadout": unit.number,
        "default": unit.number == 1,
        "models": unit.models,
        "points": unit.points,
        "weapons": told["weapons"],
        "attack": " + ".join(band.name for band in bands),
        **means,
        "points_removed_sd": _spread(made, means["points_removed"]),
        "left_out": list(dict.fromkeys(one for row in made for one in row["left_out"])),
    }


def _mean(parts: Iterator[tuple[float, float | None]]) -> float | None:
    total = 0.0
    for weight, value in parts:
        if value is None:
            return None
        total += weight * value
    return total


def _spread(made: Sequence[dict[str, Any]], mean: float | None) -> float | None:
    """The standard deviation of a mixture: of the dice at each target, and between targets."""
    if mean is None:
        return None
    squares = sum(
        row["weight"] * (row["points_removed_sd"] ** 2 + row["points_removed"] ** 2) for row in made
    )
    return float(np.sqrt(max(0.0, squares - mean**2)))


def _ranked(
    rows: list[dict[str, Any]], parts: list[dict[str, Any]], by: str, found: Loadouts
) -> Ranked:
    """Best first; equal ones in the order of their numbers, those that cannot be told last."""
    most: dict[str, float] = {}
    for part in parts:
        most[part["target"]] = max(most.get(part["target"], -1.0), part[by] or 0.0)
    for row in rows:
        row["best_at"] = [
            part["target"]
            for part in parts
            if part["loadout"] == row["loadout"]
            and (part[by] or 0.0) >= most[part["target"]] - 1e-12
        ]
    # Rounding must not decide between loadouts that do the same.
    rows.sort(key=lambda row: (row[by] is None, -round(row[by] or 0.0, 10), row["loadout"]))
    places = {row["loadout"]: number for number, row in enumerate(rows, start=1)}
    for row in (*rows, *parts):
        row["rank"] = places[row["loadout"]]
    parts.sort(key=lambda part: part["rank"])
    return Ranked(
        pl.DataFrame(rows, schema=COLUMNS), pl.DataFrame(parts, schema=BY_TARGET), found.told
    )
