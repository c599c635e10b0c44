"""What a unit's weapons do per 100 points, against many targets, exactly: means and spreads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from killcurve.engine.pmf import Pmf
from killcurve.study.armed import KIND_OF_PHASE, Combatant, in_words, used_against
from killcurve.study.lines import Attacker, Line
from killcurve.study.matchup import Circumstances, Result, engage
from killcurve.study.removed import BY_MODELS, PointsLaw, Scoring, points_law
from killcurve.study.targets import Defender

_INTEGERS, _FLOATS = pl.Int64(), pl.Float64()

_OUTCOME: dict[str, pl.DataType] = {
    "target": pl.String(),
    "target_models": pl.Int64(),
    "target_points": pl.Int64(),
    "damage": _FLOATS,
    "damage_sd": _FLOATS,
    "damage_p10": _INTEGERS,
    "damage_p50": _INTEGERS,
    "damage_p90": _INTEGERS,
    "slain": _FLOATS,
    "slain_sd": _FLOATS,
    "slain_p10": _INTEGERS,
    "slain_p50": _INTEGERS,
    "slain_p90": _INTEGERS,
    "destroyed": _FLOATS,
    "points_removed": _FLOATS,
    "points_removed_sd": _FLOATS,
    "points_removed_p10": _FLOATS,
    "points_removed_p50": _FLOATS,
    "points_removed_p90": _FLOATS,
    "earned_back": _FLOATS,
    "damage_per_100": _FLOATS,
    "damage_per_100_sd": _FLOATS,
    "damage_per_100_p10": _FLOATS,
    "damage_per_100_p90": _FLOATS,
    "points_removed_per_100": _FLOATS,
    "points_removed_per_100_sd": _FLOATS,
    "points_removed_per_100_p10": _FLOATS,
    "points_removed_per_100_p90": _FLOATS,
    "unmodelled": pl.List(pl.String()),
    "incomplete": pl.List(pl.String()),
}

COLUMNS: dict[str, pl.DataType] = {
    "faction": pl.String(),
    "datasheet": pl.String(),
    "weapon": pl.String(),
    "kind": pl.String(),
    "count": pl.Int64(),
    "models": pl.Int64(),
    "points": pl.Int64(),
    **_OUTCOME,
}
"""What :func:`efficiency` gives.

``models`` and ``points`` are the attacking unit's size and cost. ``damage`` (wounds removed),
``slain`` (models) and ``points_removed`` are means of exact laws; ``_sd`` are their standard
deviations, ``_p10``, ``_p50`` and ``_p90`` the least values up to which 10, 50 and 90 % of the
law lie. ``destroyed`` is P(no model is left), ``earned_back`` P(points removed ≥ the attacker's
own cost). What ends in ``_per_100`` is for each 100 points of the attacker. Points are null where
a cost is not known. ``unmodelled`` names effects that are left out, ``incomplete`` abilities of
either unit that are not, or not wholly, expressed as effects.
"""

UNIT_COLUMNS: dict[str, pl.DataType] = {
    "faction": pl.String(),
    "datasheet": pl.String(),
    "models": pl.Int64(),
    "copy": pl.Int64(),
    "enhancement": pl.String(),
    "points": pl.Int64(),
    "phase": pl.String(),
    "scope": pl.String(),
    "weapon": pl.String(),
    "count": pl.Int64(),
    **_OUTCOME,
}
"""What :func:`unit_efficiency` gives: :data:`COLUMNS`, and what the unit is.

The unit costs what the ``copy``-th one of its army does, with its ``enhancement`` (null: none).
``scope`` is ``unit`` (all its weapons of the ``phase``, one after the other) or ``line`` (one of
them); ``weapon`` says in words what was used, ``count`` how many weapons that are.
"""

SCOPES = ("unit", "line")


def efficiency(
    units: Iterable[Attacker],
    targets: Sequence[Defender],
    how: Circumstances = Circumstances(),
    scoring: Scoring = BY_MODELS,
) -> pl.DataFrame:
    """One row a default weapon line and target, as they are given; columns are :data:`COLUMNS`.

    Per-100-points columns divide by the whole cost of the attacking unit.

    >>> import killcurve
    >>> from killcurve.study.lines import attacker
    >>> from killcurve.study.targets import standard_targets
    >>> data = killcurve.load()
    >>> frame = efficiency([attacker(data, "Raider")], standard_targets(data))
    >>> bool((frame["damage_p10"] <= frame["damage_p90"]).all())
    True
    """
    rows = [
        {
            "faction": unit.faction,
            "datasheet": unit.datasheet,
            "weapon": line.name,
            "kind": line.kind,
            "count": line.count,
            "models": unit.models,
            "points": unit.points,
            **_outcome(engage(unit, [line], target, how), unit.points, scoring),
        }
        for unit in units
        for line in unit.default_lines
        for target in targets
    ]
    return pl.DataFrame(rows, schema=COLUMNS)


def unit_efficiency(
    units: Iterable[Combatant],
    targets: Sequence[Defender],
    how: Circumstances = Circumstances(),
    *,
    phases: Sequence[str] = ("shooting", "fight"),
    scopes: Sequence[str] = ("unit",),
    scoring: Scoring = BY_MODELS,
) -> pl.DataFrame:
    """One row a unit, phase and target for all its weapons together, or each line of them.

    A whole unit uses what its models may use together: one melee weapon each (and those with
    Extra Attacks), pistols or the other guns, one profile of each weapon; of these what does most
    damage to the target. Lines follow each other in the data's order. A unit without weapons of
    a phase has no row there. Columns are :data:`UNIT_COLUMNS`.

    >>> import killcurve
    >>> from killcurve.study.armed import combatant
    >>> data = killcurve.load()
    >>> squad = combatant(data, "Intercessor Squad", models=10)
    >>> frame = unit_efficiency([squad], [squad.target], phases=["shooting"])
    >>> frame.select("weapon", "count", "points").rows()
    [('10 × Bolt Rifle - Focused Fire; 1 × Grenade Launcher - Krak', 11, 150)]
    """
    rows = [
        row
        for unit in units
        for phase in phases
        for target in targets
        for row in _unit_rows(unit, phase, target, how, scopes, scoring)
    ]
    return pl.DataFrame(rows, schema=UNIT_COLUMNS)


def _unit_rows(
    unit: Combatant,
    phase: str,
    target: Defender,
    how: Circumstances,
    scopes: Sequence[str],
    scoring: Scoring,
) -> Iterable[dict[str, Any]]:
    own = unit.attacker
    uses: list[tuple[str, tuple[Line, ...]]] = []
    if "unit" in scopes:
        uses.append(("unit", used_against(unit, phase, target, how)))
    if "line" in scopes:
        uses += [("line", (line,)) for line in unit.lines(phase)]
    for scope, lines in uses:
        if not lines:
            continue
        assert {line.kind for line in lines} == {KIND_OF_PHASE[phase]}
        row = _outcome(engage(own, lines, target, how), own.points, scoring)
        if scope == "unit":
            row["unmodelled"] += unit.unknown
        yield {
            "faction": own.faction,
            "datasheet": own.datasheet,
            "models": own.models,
            "copy": unit.copy,
            "enhancement": unit.enhancement,
            "points": own.points,
            "phase": phase,
            "scope": scope,
            "weapon": "; ".join(in_words(lines)),
            "count": sum(line.count for line in lines),
            **row,
        }


def _outcome(result: Result, points: int | None, scoring: Scoring) -> dict[str, Any]:
    """The columns that tell what an attack of a unit of so many points does."""
    outcome, target = result.outcome, result.defender
    damage, slain = outcome.damage, outcome.slain
    removed = None
    if target.points is not None:
        removed = points_law(slain, target.target.models, target.points, scoring)
    return {
        "target": target.name,
        "target_models": target.target.models,
        "target_points": target.points,
        **_spread("damage", damage),
        **_spread("slain", slain),
        "destroyed": outcome.destroyed,
        **_spread("points_removed", removed),
        "earned_back": None if removed is None or not points else removed.at_least(points),
        **_per_100("damage", damage, points),
        **_per_100("points_removed", removed, points),
        "unmodelled": list(result.unmodelled),
        "incomplete": list(result.incomplete),
    }


def _spread(name: str, law: Pmf | PointsLaw | None) -> dict[str, float | None]:
    quantiles = {f"{name}_p{round(100 * share)}": share for share in (0.1, 0.5, 0.9)}
    return {
        name: None if law is None else law.mean,
        f"{name}_sd": None if law is None else law.sd,
        **{key: None if law is None else law.quantile(share) for key, share in quantiles.items()},
    }


def _per_100(name: str, law: Pmf | PointsLaw | None, points: int | None) -> dict[str, float | None]:
    spread = {f"{name}_per_100{key.removeprefix(name)}": v for key, v in _spread(name, law).items()}
    return {
        key: per_100(value, points) for key, value in spread.items() if not key.endswith("_p50")
    }


def per_100(value: float | None, points: int | None) -> float | None:
    """A value for each 100 points of cost; ``None`` where either is unknown or free.

    >>> per_100(3.0, 150), per_100(1.0, None)
    (2.0, None)
    """
    return None if value is None or not points else 100 * value / points
