"""What a list does, unit by unit and in all, to each target in each band of range.

The list's numbers are sums of its units' means, each against a fresh target. Its weakest
match-ups are those in which it does least beside a field of units that attack the same targets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from killcurve.engine.pmf import FloatArray
from killcurve.rules.effects import Effect
from killcurve.study.armies.attacking import Band, bands, left_out, signature, striker
from killcurve.study.armies.units import Army, ArmyUnit, datasheet_in_play
from killcurve.study.arming import in_words
from killcurve.study.efficiency import per_100
from killcurve.study.matchup import Circumstances
from killcurve.study.targets import Defender
from killcurve.tables.dataset import Dataset

COLUMNS: dict[str, pl.DataType] = {
    "roster": pl.String(),
    "unit": pl.Int64(),
    "name": pl.String(),
    "points": pl.Int64(),
    "band": pl.String(),
    "far": pl.Float64(),
    "target": pl.String(),
    "target_models": pl.Int64(),
    "target_points": pl.Int64(),
    "weapons": pl.List(pl.String()),
    "damage": pl.Float64(),
    "slain": pl.Float64(),
    "destroyed": pl.Float64(),
    "points_removed": pl.Float64(),
    "points_removed_per_100": pl.Float64(),
    "points_of_wounds": pl.Float64(),
    "points_of_wounds_per_100": pl.Float64(),
    "left_out": pl.List(pl.String()),
}
"""What :func:`output` gives: a row a unit, band of range and target; unit 0 is the whole list.

``far`` is the band's far end in inches, null for fighting; ``weapons`` are those that the unit
uses there. ``damage`` are mean wounds lost, ``slain`` mean models, ``destroyed`` is P(no model is
left), ``points_removed`` the points of the mean models slain. The list's ``damage``, ``slain`` and
``points_removed`` are sums over its units that are in play, each against a fresh target; its
``destroyed`` is null, and ``points_removed_per_100`` is by the cost of those units.
"""

WEAK: dict[str, pl.DataType] = {
    "roster": pl.String(),
    "band": pl.String(),
    "far": pl.Float64(),
    "weakness": pl.Int64(),
    "target": pl.String(),
    "points_of_wounds_per_100": pl.Float64(),
    "field_per_100": pl.Float64(),
    "ratio": pl.Float64(),
}
"""What :func:`weakest` gives: a row a band and target, the weakest match-up (1) of a band first.

``points_of_wounds_per_100`` is the list's, ``field_per_100`` that of the field's units together
(the points of the wounds they take over the points they cost), ``ratio`` the one over the other: 1
is as much as the field. Wounds count, since large targets fall to several units together. Null
where the field does nothing, or a cost is unknown; these come last.
"""

WHOLE = "the whole list"
OF_POINTS = ("points_removed", "points_of_wounds")


def output(
    found: Army,
    targets: Sequence[Defender],
    how: Circumstances = Circumstances(),
    where: Sequence[Band] | None = None,
) -> pl.DataFrame:
    """What a list does to targets in each band; columns are :data:`COLUMNS`.

    Weapons are those that do most damage there, of those that reach the band's far end; what
    has half of its range there counts as within half range. ``where`` are the bands, all that
    :func:`~killcurve.study.armies.attacking.bands` gives unless told.
    """
    where = bands() if where is None else where
    rows = [row for unit in found.in_play for row in _unit_rows(found, unit, targets, how, where)]
    rows += _sums(found, rows, targets, where)
    place = {band.name: number for number, band in enumerate(where)}
    order = {target.name: number for number, target in enumerate(targets)}
    rows.sort(key=lambda row: (row["unit"], place[row["band"]], order[row["target"]]))
    return pl.DataFrame(rows, schema=COLUMNS)


def _unit_rows(
    found: Army,
    unit: ArmyUnit,
    targets: Sequence[Defender],
    how: Circumstances,
    where: Sequence[Band],
) -> Iterable[dict[str, Any]]:
    by_distance = _asks_distance(unit, targets, how)
    for target in targets:
        known: dict[object, dict[str, Any]] = {}
        for band in where:
            key = (band if by_distance else None, signature(unit, band))
            if key not in known:
                known[key] = _attack(unit, target, band, how)
            yield {
                "roster": found.name,
                "unit": unit.number,
                "name": unit.name,
                "points": unit.points,
                "band": band.name,
                "far": band.far,
                **known[key],
            }


def _attack(unit: ArmyUnit, target: Defender, band: Band, how: Circumstances) -> dict[str, Any]:
    made = striker(unit, target, band, how)
    law: FloatArray = made.strike()
    space = made.enemy.space
    slain = space.slain(law).mean
    each = target.points_per_model
    removed = None if each is None else slain * each
    damage = space.damage(law).mean
    worn = None if target.points is None else damage / space.can_lose * target.points
    return {
        "target": target.name,
        "target_models": target.target.models,
        "target_points": target.points,
        "weapons": in_words(made.unit, made.arms),
        "damage": damage,
        "slain": slain,
        "destroyed": float(law[space.destroyed]),
        "points_removed": removed,
        "points_removed_per_100": per_100(removed, unit.points),
        "points_of_wounds": worn,
        "points_of_wounds_per_100": per_100(worn, unit.points),
        "left_out": left_out(made, unit, target),
    }


def _asks_distance(unit: ArmyUnit, targets: Iterable[Defender], how: Circumstances) -> bool:
    """Whether any effect holds at some distances only."""
    own = unit.attacker.rules if unit.attacker else ()
    effects: list[Effect] = [*how.attacker_effects, *how.target_effects]
    effects += [e for rule in own for e in rule.effects]
    effects += [e for target in targets for rule in target.rules for e in rule.effects]
    return any("within" in str(effect) for effect in effects)


def _sums(
    found: Army,
    rows: Sequence[dict[str, Any]],
    targets: Sequence[Defender],
    where: Sequence[Band],
) -> Iterable[dict[str, Any]]:
    points = sum(unit.points or 0 for unit in found.in_play)
    for band in where:
        for target in targets:
            mine = [r for r in rows if r["band"] == band.name and r["target"] == target.name]
            priced = [row for row in mine if row["points"] is not None]
            yield {
                "roster": found.name,
                "unit": 0,
                "name": WHOLE,
                "points": points,
                "band": band.name,
                "far": band.far,
                "target": target.name,
                "target_models": target.target.models,
                "target_points": target.points,
                "weapons": [],
                "damage": _sum(row["damage"] for row in mine),
                "slain": _sum(row["slain"] for row in mine),
                "destroyed": None,
                **{what: _sum(row[what] for row in mine) for what in OF_POINTS},
                **{
                    f"{what}_per_100": per_100(_sum(row[what] for row in priced), points)
                    for what in OF_POINTS
                },
                "left_out": list(dict.fromkeys(one for row in mine for one in row["left_out"])),
            }


def _sum(values: Iterable[float | None]) -> float | None:
    known = list(values)
    return None if None in known else float(sum(value or 0.0 for value in known))


def panel(dataset: Dataset) -> Army:
    """The dataset's standard targets as a field that attacks: each once, as it is by default."""
    rows = dataset.target_profiles.sort("number").rows(named=True)
    units = [
        datasheet_in_play(
            dataset, row["datasheet"], row["faction"], number=number, models=row["models"]
        )
        for number, row in enumerate(rows, start=1)
    ]
    return Army("the standard targets", None, dataset.about.edition, tuple(units))


def weakest(
    found: Army,
    field: Army,
    targets: Sequence[Defender],
    how: Circumstances = Circumstances(),
    where: Sequence[Band] | None = None,
) -> pl.DataFrame:
    """The targets at which a list does least beside a field, by band; columns are :data:`WEAK`.

    ``field`` are units that attack the same targets in the same way, such as :func:`panel`.
    """
    where = bands() if where is None else where
    ours = output(found, targets, how, where).filter(pl.col("unit") == 0)
    theirs = output(field, targets, how, where).filter(pl.col("unit") == 0)
    rows: list[dict[str, Any]] = []
    for band in where:
        pairs = zip(
            ours.filter(pl.col("band") == band.name).rows(named=True),
            theirs.filter(pl.col("band") == band.name).rows(named=True),
            strict=True,
        )
        here = [_beside(own, other) for own, other in pairs]
        here.sort(key=lambda row: (row["ratio"] is None, row["ratio"] or 0.0, row["target"]))
        rows += [{**row, "weakness": number} for number, row in enumerate(here, start=1)]
    return pl.DataFrame(rows, schema=WEAK)


def _beside(own: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    mine, theirs = own["points_of_wounds_per_100"], other["points_of_wounds_per_100"]
    return {
        "roster": own["roster"],
        "band": own["band"],
        "far": own["far"],
        "target": own["target"],
        "points_of_wounds_per_100": mine,
        "field_per_100": theirs,
        "ratio": mine / theirs if mine is not None and theirs else None,
    }
