"""What a faction's stratagems and enhancements are worth to its units, gathered over them."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from killcurve.charts.words import titled
from killcurve.report.account import Tell
from killcurve.report.document import Column
from killcurve.report.field import Field
from killcurve.report.unit_numbers import PER_100, comparable
from killcurve.study.armed import Combatant
from killcurve.study.worth.alone import REROLL
from killcurve.study.worth.many import Asked, worth_of_each
from killcurve.tables.dataset import Dataset

SAME = 1e-9
STRATAGEMS = (
    Column("name", "Stratagem"),
    Column("detachment", "Detachment"),
    Column("side", "As"),
    Column("cp", "CP", "whole"),
    Column("users", "Units that may", "whole"),
    Column("helps", "Gain from it", "whole"),
    Column("median", "Median gain per CP", "number", 2),
    Column("mean", "Mean gain per CP", "number", 2),
    Column("beats", "Beat a re-roll", "whole"),
    Column("best", "Most for"),
    Column("best_gain", "Its gain per CP", "number", 2),
    Column("assumes", "Taken to hold for it"),
)
ENHANCEMENTS = (
    Column("name", "Enhancement"),
    Column("detachment", "Detachment"),
    Column("side", "As"),
    Column("cost", "Points", "cost"),
    Column("users", "Bearers", "whole"),
    Column("helps", "Gain from it", "whole"),
    Column("median", "Median gain per 100", "number"),
    Column("pays", "Pays for", "whole"),
    Column("best", "Most for"),
    Column("best_gain", "Its gain per 100", "number"),
    Column("assumes", "Taken to hold for it"),
)
MADE = (
    "What stratagems and enhancements are worth: for each unit with a cost, one attack is looked "
    "at as attacker (on the panel's target that it does most to for its points, in the better "
    "phase) and one as defender (by the panel's unit that does most to it for its points). Each "
    "rule counts alone; its conditions are taken to hold, with and without it. Gains are points "
    "removed, or saved, more than without. “Beat a re-roll”: of how many units the gain per CP is "
    "above that of Command Re-roll at its best moment in the same attack. “Pays for”: for how many "
    "bearers the enhancement adds more for each point of its cost than the bearer removes for "
    "each point of its own. Other targets give other numbers; units that a bearer joins, rules "
    "that give an attack of their own and what does not bear on attacks are not looked at."
)


def gather(
    dataset: Dataset, units: Sequence[Combatant], others: Sequence[Combatant], found: Field,
    tell: Tell,
) -> pl.DataFrame:  # fmt: skip
    """The rows of :mod:`killcurve.study.worth` for each unit's two attacks."""
    panel = {other.name: other for other in others}
    best = _strongest(found.does, "attacker")
    threat = _strongest(found.suffers, "target")
    asked: list[Asked] = []
    for unit in units:
        attack, against = best.get(unit.name), threat.get(unit.name)
        if attack is not None:
            asked.append(Asked(unit, panel[attack["target"]], attack["phase"], "attacker"))
        if against is not None and unit.attacker.points:
            asked.append(Asked(panel[against["attacker"]], unit, against["phase"], "defender"))
    made = worth_of_each(
        dataset, asked, lambda done, of: tell(f"what rules are worth in {of} attacks: {done} done")
    )
    frames = [_told(rows, each) for rows, each in zip(made, asked, strict=True)]
    return pl.concat(frames) if frames else pl.DataFrame()


def _strongest(rows: pl.DataFrame, of: str) -> dict[str, dict[str, str]]:
    """The match-up of each unit with the highest value, in the better phase."""
    other = "target" if of == "attacker" else "attacker"
    known = rows.filter(pl.col("best") & pl.col(PER_100).is_not_null())
    first = known.sort([PER_100, other], descending=[True, False]).unique(
        of, keep="first", maintain_order=True
    )
    return {row[of]: row for row in first.select(of, other, "phase").rows(named=True)}


def _told(made: pl.DataFrame, asked: Asked) -> pl.DataFrame:
    defends = asked.side == "defender"
    unit, other = (asked.target, asked.unit) if defends else (asked.unit, asked.target)
    removed = pl.col("points_removed_without")
    points = unit.attacker.points or 0
    own = (100 * removed / points) if points else pl.lit(None, dtype=pl.Float64)
    again = pl.col("effects").list.join("; ") == REROLL
    yardstick = pl.col("gain_points_removed").filter(again).first().alias("reroll")
    return comparable(made).with_columns(
        pl.lit(other.name).alias("against"),
        pl.lit(asked.phase).alias("phase"),
        own.alias("own_per_100"),
        yardstick,
    )


def stratagems(worth: pl.DataFrame) -> pl.DataFrame:
    """One row a stratagem and side, by the median gain per CP of those units that gain at all."""
    return _gathered(worth, "stratagem", "gain_points_removed_per_cp", "cp").sort(
        ["median", "name", "detachment", "side"], descending=[True, False, False, False]
    )


def enhancements(worth: pl.DataFrame) -> pl.DataFrame:
    """One row an enhancement and side, by the median gain per 100 points of bearers that gain."""
    return _gathered(worth, "enhancement", "gain_points_removed_per_100", "cost").sort(
        ["median", "name", "detachment", "side"], descending=[True, False, False, False]
    )


def _gathered(worth: pl.DataFrame, kind: str, gain: str, price: str) -> pl.DataFrame:
    if worth.is_empty():
        return worth
    rows = worth.filter((pl.col("kind") == kind) & pl.col(gain).is_not_null())
    helped = pl.col(gain).filter(pl.col(gain) > SAME)
    best_first = {"by": [gain, "unit"], "descending": [True, False]}
    top = pl.struct("unit", gain, "assumes").sort_by(**best_first).first()
    per_cp = pl.col("gain_points_removed") / pl.col("cp")
    return (
        rows.group_by("name", "detachment", "side", price)
        .agg(
            users=pl.col("unit").n_unique().cast(pl.Int64),
            helps=helped.len().cast(pl.Int64),
            median=helped.median(),
            mean=pl.col(gain).mean(),
            beats=(per_cp > pl.col("reroll") + SAME).sum().cast(pl.Int64),
            pays=(pl.col(gain) > pl.col("own_per_100")).sum().cast(pl.Int64),
            best=top.struct.field("unit"),
            best_gain=top.struct.field(gain),
            assumes=top.struct.field("assumes"),
        )
        .filter(pl.col("helps") > 0)
        .with_columns(
            pl.col("name").map_elements(titled, return_dtype=pl.String),
            pl.when(pl.col("detachment") == "").then(pl.lit("core")).otherwise("detachment")
            .alias("detachment"),
            pl.when(pl.col("side") == "attacker").then("pays").alias("pays"),
        )
    )  # fmt: skip
