"""The sentences that open a report on units, made of its numbers."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from killcurve.charts.words import titled
from killcurve.report.unit_numbers import PER_100, Numbers
from killcurve.report.wording import listed, number, percent

SAME = 1e-9


def summary(one: Numbers, *, several: bool) -> tuple[str, ...]:
    """The most important first; of several units fewer sentences each."""
    told = [told for told in (_attack(one), _withstands(one)) if told]
    rules = [told for told in (_rule(one, "attacker"), _rule(one, "defender")) if told]
    return tuple(told + rules[:1] if several else told + rules)


def points(value: float) -> str:
    """Points as sentences tell them.

    >>> points(0.04), points(3.14159), points(42.4), points(0.0)
    ('under 0.1', '3.1', '42', '0')
    """
    if 0 < value < 0.1:
        return "under 0.1"
    return f"{value:.1f}".removesuffix(".0") if value < 10 else f"{value:,.0f}"


def costs(one: Numbers) -> str:
    """The unit with its size and cost."""
    own = one.unit.attacker
    cost = "cost not known" if own.points is None else f"{own.points} points"
    return f"{one.unit.name} ({own.faction}, {number(own.models, 'model')}, {cost})"


def _attack(one: Numbers) -> str:
    if one.does.is_empty():
        return f"{costs(one)} has no weapons in the data."
    if one.best is None or one.worst is None:
        return f"{costs(one)}: without a cost nothing can be told per point."
    best, worst = _value(one.best), _value(one.worst)
    said = (
        f"{costs(one)} does most for its points to {one.best['target']}: "
        f"{points(best)} points of wounds for each 100 of its own in one {_phase(one.best)}"
    )
    if one.worst["target"] == one.best["target"] or best - worst < SAME:
        return f"{said}."
    return f"{said}; least to {one.worst['target']}, {points(worst)}."


def _phase(row: dict[str, object]) -> str:
    return "round of shooting" if row["phase"] == "shooting" else "fight"


def _value(row: dict[str, object]) -> float:
    return float(str(row[PER_100]))


def _withstands(one: Numbers) -> str:
    if one.unit.defender is None:
        return f"The data has no stat line of {one.unit.name}, so nothing is told of what it bears."
    if one.threat is None:
        return ""
    said = (
        f"Of the panel, {one.threat['attacker']} does most to {one.unit.name} for its points: "
        f"{points(_value(one.threat))} points of its wounds for each 100 that attack"
    )
    need = needed(one, str(one.threat["attacker"]), str(one.threat["phase"]))
    return f"{said}{need}."


def needed(one: Numbers, attacker: str, phase: str) -> str:
    """How many of an attacker remove the unit, for a sentence."""
    rows = one.durability.filter(
        (pl.col("attacker") == attacker)
        & (pl.col("phase") == phase)
        & (pl.col("scope") == "unit")
        & pl.col("units").is_not_null()
    ).sort("chance")
    if rows.is_empty():
        return ""
    row = rows.row(-1, named=True)
    what = "attack" if row["units"] == 1 else "attacks"
    return f"; {row['units']} such {what} destroy it with {percent(row['chance'])} or more"


def _rule(one: Numbers, side: str) -> str:
    """The stratagem that gains most per command point."""
    return next(_rules(one, side), "")


def _rules(one: Numbers, side: str) -> Iterator[str]:
    if one.worth.is_empty():
        return
    rows = one.worth.filter(
        (pl.col("side") == side)
        & (pl.col("kind") == "stratagem")
        & (pl.col("gain_points_removed_per_cp") > SAME)
    ).sort(["gain_points_removed_per_cp", "name"], descending=[True, False])
    if rows.is_empty():
        return
    row = rows.row(0, named=True)
    whose = f" ({row['detachment']})" if row["detachment"] else ""
    attack = (
        f"its attack on {row['against']} in the {row['phase']} phase"
        if side == "attacker"
        else f"the attack of {row['against']} in the {row['phase']} phase"
    )
    does = "removes" if side == "attacker" else "saves"
    held = listed(row["assumes"], 4)
    taken = f", taking to hold: {held}" if row["assumes"] else ""
    yield (
        f"Of the stratagems that are computed, {titled(row['name'])}{whose} {does} most for "
        f"{one.unit.name} in {attack}: {points(row['gain_points_removed_per_cp'])} points per "
        f"command point{taken}."
    )
