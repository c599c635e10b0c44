"""Units against the panel and the panel against them, ranked: what a faction and a game share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from killcurve.report.account import Tell
from killcurve.report.document import Column
from killcurve.report.roles import roles
from killcurve.report.wording import listed
from killcurve.study.armed import Combatant
from killcurve.study.panel import means, strikes
from killcurve.tables.dataset import Dataset

LEAST = 3
"""Units of a role, at least, for a best and a worst one to be named."""

ATTACK = (
    Column("rank", "#", "whole"),
    Column("unit", "Unit"),
    Column("role", "Role"),
    Column("points", "Points", "cost"),
    Column("value", "Per 100", "number"),
    Column("low", "10 %", "number"),
    Column("high", "90 %", "number"),
    Column("phase", "Mostly"),
    Column("most_told", "Most to"),
)
TOUGH = (
    Column("rank", "#", "whole"),
    Column("unit", "Unit"),
    Column("role", "Role"),
    Column("points", "Points", "cost"),
    Column("value", "Loses per 100", "number"),
    Column("low", "10 %", "number"),
    Column("high", "90 %", "number"),
    Column("most_told", "Most by"),
)
BY_ROLE = (
    Column("role", "Role"),
    Column("units", "Units", "whole"),
    Column("median", "Median", "number"),
    Column("best", "Best"),
    Column("best_value", "Its value", "number"),
    Column("worst", "Last"),
    Column("worst_value", "Its value", "number"),
)
RANKED = (
    "Value: points of wounds for each 100 points, the mean over the panel with each target counted "
    "once. 10 % and 90 %: the means of the quantiles of one attack, so how far luck carries in a "
    "single attack, not how sure the mean is: that is exact."
)
SUFFERED = (
    "Points of its wounds that a unit loses for each 100 points of the panel that attack it, the "
    "mean over the panel: the fewer, the tougher for its cost."
)


@dataclass(frozen=True, slots=True)
class Field:
    """Units and what they do and suffer.

    ``does`` and ``suffers`` are rows of :data:`killcurve.study.panel.COLUMNS`; ``attack`` and
    ``tough`` their means with roles, ranked from the best. ``unarmed`` have no weapons in the
    data, ``bare`` no stat line, ``unpriced`` no cost above nought: names with their factions.
    """

    units: tuple[tuple[str, str], ...]
    does: pl.DataFrame
    suffers: pl.DataFrame
    attack: pl.DataFrame
    tough: pl.DataFrame
    unarmed: tuple[str, ...]
    bare: tuple[str, ...]
    unpriced: tuple[str, ...]


def field(
    dataset: Dataset, units: Sequence[Combatant], others: Sequence[Combatant], tell: Tell
) -> Field:
    """Everything of some units against the panel."""
    tell(f"{len(units)} units attack the panel")
    does = strikes(units, others, progress=lambda *_: tell(f"{len(units)} units attack the panel"))
    suffers = strikes(
        others, units, progress=lambda done, of: tell(f"the panel attacks unit {done} of {of}")
    )
    known = roles(dataset)
    attack = means(does).join(known, on=["faction", "unit"], how="left")
    tough = means(suffers, "target").join(known, on=["faction", "unit"], how="left")
    return Field(
        units=tuple((unit.attacker.faction, unit.name) for unit in units),
        does=does,
        suffers=suffers,
        attack=ranked(attack),
        tough=ranked(tough, lowest=True),
        unarmed=tuple(unit.name for unit in units if not unit.attacker.default_lines),
        bare=tuple(unit.name for unit in units if unit.defender is None),
        unpriced=tuple(unit.name for unit in units if not unit.attacker.points),
    )


def ranked(frame: pl.DataFrame, *, lowest: bool = False) -> pl.DataFrame:
    """From the best down, with ``rank`` in front; equals stand by name."""
    by = frame.with_columns(pl.col("value").round(9).alias("_by"))
    order = by.sort(["_by", "faction", "unit"], descending=[not lowest, False, False])
    place = pl.col("_by").rank("min", descending=not lowest).cast(pl.Int64)
    return order.select(place.alias("rank"), *frame.columns)


def told(ranks: pl.DataFrame) -> pl.DataFrame:
    """Ranked units for a table: the match-up that stands out in words."""
    return ranks.with_columns(most_told=pl.format("{}: {}", "most_with", pl.col("most").round(1)))


def losing_most(rows: pl.DataFrame, name: str) -> str:
    """The finding of a chart of losses: who loses most."""
    ordered = rows.sort(["value", name], descending=[True, False])
    parts = [f"{row[name]} {row['value']:.0f}" for row in ordered.head(2).rows(named=True)]
    return f"Of each 100 points of attackers, most is lost by {listed(parts)}"


def by_role(ranks: pl.DataFrame) -> pl.DataFrame:
    """The best and the last of each role that has several units; ``ranks`` are from the best."""
    return (
        ranks.group_by("role", maintain_order=True)
        .agg(
            units=pl.len().cast(pl.Int64),
            median=pl.col("value").median(),
            best=pl.col("unit").first(),
            best_value=pl.col("value").first(),
            worst=pl.col("unit").last(),
            worst_value=pl.col("value").last(),
        )
        .filter(pl.col("units") >= LEAST)
        .sort("role")
    )


def left_out(found: Field) -> list[list[str]]:
    """The rules left out of each attack."""
    return [*found.does["left_out"].to_list(), *found.suffers["left_out"].to_list()]
