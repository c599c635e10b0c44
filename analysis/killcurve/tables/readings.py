"""Where sources say different things of what one rule does: text against description."""

from __future__ import annotations

import polars as pl

from killcurve.rules.spelling import normal
from killcurve.tables.collection import Collection
from killcurve.tables.naming import faction_key
from killcurve.tables.stacking import in_form

RULES = {
    "stratagems": ("detachment", "name"),
    "enhancements": ("detachment", "name"),
    "detachments": ("detachment",),
    "unit_abilities": ("datasheet", "ability"),
}
"""Tables of rules, with the columns that name a rule within its faction."""

COLUMNS: dict[str, pl.DataType] = {
    "edition": pl.String(),
    "faction": pl.String(),
    "table": pl.String(),
    "owner": pl.String(),
    "rule": pl.String(),
    "source": pl.String(),
    "read_from": pl.String(),
    "status": pl.String(),
    "effects": pl.List(pl.String()),
}
"""What :func:`different_readings` gives: one row a rule and source."""


def different_readings(collection: Collection) -> pl.DataFrame:
    """The rules of which sources of one edition say different effects, each with what it says.

    Columns are :data:`COLUMNS`; ``owner`` is the rule's detachment or datasheet. Rules that only
    one source has read are left out, and so are those on which all agree.
    """
    rows = [
        _said(table, layer.dataset[table], place)
        for layer in collection.layers
        for table, place in RULES.items()
    ]
    keys = [f"_{column}" for column in ("edition", "faction", "table", "owner", "rule")]
    said = pl.concat(rows).filter(pl.col("status") != "unread")
    said = said.with_columns(
        pl.col("edition").alias("_edition"),
        in_form(said["faction"], faction_key).alias("_faction"),
        pl.col("table").alias("_table"),
        *(in_form(said[column], normal).alias(f"_{column}") for column in ("owner", "rule")),
        pl.col("effects").list.sort().list.join(", ").alias("_effects"),
    )
    differ = (pl.col("source").n_unique().over(keys) > 1) & (
        pl.col("_effects").n_unique().over(keys) > 1
    )
    return said.filter(differ).sort([*keys, "source"]).select(*COLUMNS)


def _said(table: str, frame: pl.DataFrame, place: tuple[str, ...]) -> pl.DataFrame:
    return frame.select(
        pl.col("edition").cast(pl.String),
        "faction",
        pl.lit(table).alias("table"),
        pl.col(place[0]).alias("owner"),
        pl.col(place[-1]).alias("rule"),
        "source",
        pl.col("read_from").cast(pl.String),
        pl.col("status").cast(pl.String),
        "effects",
    )
