"""What a unit is for, as far as its datasheet tells: the role that rankings are made within."""

from __future__ import annotations

import polars as pl

from killcurve.tables.dataset import Dataset

TOLD = {
    "epic-hero": "epic hero",
    "character": "character",
    "battleline": "battleline",
    "dedicated-transport": "transport",
}
"""Roles that datasheets name, in our words."""

BY_KEYWORD = (
    ("epic hero", "epic hero"),
    ("character", "character"),
    ("battleline", "battleline"),
    ("dedicated transport", "transport"),
    ("titanic", "titanic"),
    ("fortification", "fortification"),
    ("aircraft", "aircraft"),
    ("monster", "monster"),
    ("vehicle", "vehicle"),
    ("mounted", "mounted"),
    ("infantry", "infantry"),
)
"""Keywords and the role that they mean; the first one that a unit has counts."""

OTHER = "other"
RULE = (
    "A unit's role is the one that its datasheet names (epic hero, character, battleline, "
    "transport); else the first of these keywords that it has: titanic, fortification, aircraft, "
    "monster, vehicle, mounted, infantry."
)


def roles(dataset: Dataset) -> pl.DataFrame:
    """The role of each unit: columns ``faction``, ``unit``, ``role``, one row each.

    >>> import killcurve
    >>> found = roles(killcurve.load())
    >>> dict(found.filter(pl.col("faction") == "Orks").select("unit", "role").rows())["Boyz"]
    'battleline'
    """
    words = dict(BY_KEYWORD)
    order = {word: number for number, (word, _) in enumerate(BY_KEYWORD)}
    first = (
        dataset["keywords"]
        .filter(pl.col("keyword").is_in(list(words)))
        .with_columns(number=pl.col("keyword").replace_strict(order, return_dtype=pl.Int64))
        .sort("number")
        .group_by("faction", "datasheet", maintain_order=True)
        .agg(pl.col("keyword").first().replace_strict(words, return_dtype=pl.String))
    )
    sheets = dataset.datasheets.select("faction", "datasheet", "role").unique(
        ["faction", "datasheet"], keep="first", maintain_order=True
    )
    said = pl.col("role").cast(pl.String).replace_strict(TOLD, default=None, return_dtype=pl.String)
    return (
        sheets.join(first, on=["faction", "datasheet"], how="left")
        .select(
            "faction",
            pl.col("datasheet").alias("unit"),
            pl.coalesce(said, "keyword", pl.lit(OTHER)).alias("role"),
        )
        .sort("faction", "unit")
    )
