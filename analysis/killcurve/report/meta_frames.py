"""The numbers of a report on the whole game."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from killcurve.report.field import Field, by_role, ranked
from killcurve.report.outliers import once, standing
from killcurve.report.unit_numbers import PER_100

LEAST_UNITS = 5
"""Units of a faction, at least, for its median to be ranked."""


@dataclass(frozen=True, slots=True)
class Game:
    """What a report on the whole game tells of.

    ``attack`` and ``tough`` are all units ranked, equal ones of several factions once, with ``z``
    and ``outlier``; ``targets`` the field's quantiles target by target, ``far`` the units that
    are outliers at a target; ``factions`` medians, ``roles`` and ``tough_roles`` the best of each.
    """

    attack: pl.DataFrame
    tough: pl.DataFrame
    targets: pl.DataFrame
    far: pl.DataFrame
    factions: pl.DataFrame
    roles: pl.DataFrame
    tough_roles: pl.DataFrame
    does: pl.DataFrame
    suffers: pl.DataFrame

    def frames(self) -> dict[str, pl.DataFrame]:
        """All of them, by the names of their files."""
        return {
            "attack": self.attack,
            "durability": self.tough,
            "field-by-target": self.targets,
            "outliers-by-target": self.far,
            "factions": self.factions,
            "roles": self.roles,
            "roles-durability": self.tough_roles,
            "attacks": self.does,
            "attacks-on-them": self.suffers,
        }


def game(whole: Field) -> Game:
    """Everything that is reported of a field."""
    attack = standing(ranked(once(whole.attack.drop("rank"))), "value")
    tough = standing(ranked(once(whole.tough.drop("rank")), lowest=True), "value")
    kept = attack.select("faction", "unit", "models", "points")
    each = _each(whole.does, kept)
    return Game(
        attack=attack,
        tough=tough,
        targets=_targets(each),
        far=_far(each),
        factions=_factions(whole),
        roles=by_role(attack),
        tough_roles=by_role(tough),
        does=whole.does,
        suffers=whole.suffers,
    )


def _each(does: pl.DataFrame, kept: pl.DataFrame) -> pl.DataFrame:
    """The better phase of each unit that is kept at each target, with its standing there."""
    names = {"attacker_faction": "faction", "attacker": "unit", "attacker_models": "models",
             "attacker_points": "points", PER_100: "value"}  # fmt: skip
    rows = does.filter(pl.col("best")).rename(names)
    joined = rows.join(kept, on=kept.columns, how="semi").select(
        "target", "faction", "unit", "models", "points", "phase", "weapon", "value", "left_out"
    )
    return standing(joined, "value", within=["target"])


def _targets(each: pl.DataFrame) -> pl.DataFrame:
    """Quantiles of the field at each target, and who leads there."""
    value = pl.col("value")
    top = pl.struct("unit", "faction", "value").sort_by(
        ["value", "unit", "faction"], descending=[True, False, False]
    )
    shares = (0.1, 0.25, 0.5, 0.75, 0.9)
    return (
        each.group_by("target")
        .agg(
            units=pl.len().cast(pl.Int64),
            **{f"p{round(100 * s)}": value.quantile(s, "linear") for s in shares},
            highest=value.max(),
            leader=top.first().struct.field("unit"),
            leader_faction=top.first().struct.field("faction"),
            outliers=pl.col("outlier").sum().cast(pl.Int64),
        )
        .sort("target")
    )


def _far(each: pl.DataFrame) -> pl.DataFrame:
    order = ["z", "target", "unit", "faction"]
    return each.filter(pl.col("outlier")).sort(order, descending=[True, *[False] * 3])


def _factions(whole: Field) -> pl.DataFrame:
    """Medians and quartiles of each faction's units, its own copies of shared ones among them."""
    value = pl.col("value")
    attack = whole.attack.group_by("faction").agg(
        units=pl.len().cast(pl.Int64),
        median=value.median(),
        low=value.quantile(0.25, "linear"),
        high=value.quantile(0.75, "linear"),
        best=pl.col("unit").first(),
    )
    tough = whole.tough.group_by("faction").agg(
        tough_units=pl.len().cast(pl.Int64),
        tough_median=value.median(),
        tough_low=value.quantile(0.25, "linear"),
        tough_high=value.quantile(0.75, "linear"),
        toughest=pl.col("unit").first(),
    )
    both = attack.join(tough, on="faction", how="full", coalesce=True)
    return both.sort(["median", "faction"], descending=[True, False], nulls_last=True)
