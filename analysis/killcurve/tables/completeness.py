"""What a dataset holds: from where, how old, and how much of each faction is there."""

from __future__ import annotations

import re

import polars as pl

from killcurve.tables.dataset import Dataset
from killcurve.tables.schemas import SCHEMAS, STATUSES

PARTS = {"with_stat_line": "models", "with_weapons": "weapons", "with_points": "points"}
RULES = ("stratagems", "enhancements", "detachments")
UNIT = ("edition", "faction", "datasheet")


def sources(dataset: Dataset) -> pl.DataFrame:
    """The sources of a dataset's rows: one row each edition, source, version.

    Columns: ``edition``, ``source``, ``version``, ``date`` (of the newest rules in it; null
    where neither the version nor the dataset tells), ``tables`` (how many), ``rows``,
    ``datasheets`` (that the source describes), ``priced`` (that it has points for).
    """
    key = ("edition", "source", "version")
    rows = pl.concat(
        dataset[table].select(
            pl.col("edition").cast(pl.String),
            "source",
            "version",
            pl.lit(table).alias("table"),
            pl.concat_str("faction", pl.lit("|"), "datasheet").alias("unit")
            if "datasheet" in dataset[table].columns
            else pl.lit(None, pl.String).alias("unit"),
        )
        for table in SCHEMAS
    )
    counted = rows.group_by(key).agg(
        pl.col("table").n_unique().cast(pl.Int64).alias("tables"),
        pl.len().cast(pl.Int64).alias("rows"),
        _units("datasheets").alias("datasheets"),
        _units("points").alias("priced"),
    )
    about = dataset.about
    dates = [
        _date(version) or (about.date if version == about.version else None)
        for version in counted["version"]
    ]
    dated = counted.with_columns(pl.Series("date", dates, dtype=pl.String))
    return dated.select(*key, "date", "tables", "rows", "datasheets", "priced").sort(key)


def _units(table: str) -> pl.Expr:
    return pl.col("unit").filter(pl.col("table") == table).n_unique().cast(pl.Int64)


def _date(version: str) -> str | None:
    """The day that a version is named after.

    >>> _date("2025-11-14 19:35:22"), _date("1.4.5")
    ('2025-11-14', None)
    """
    found = re.search(r"\d{4}-\d\d-\d\d", version)
    return found[0] if found else None


def completeness(dataset: Dataset) -> pl.DataFrame:
    """How complete each faction is: one row each edition and faction with datasheets or rules.

    Columns: ``edition``, ``faction`` (empty for what belongs to none), ``datasheets``, of them
    ``with_stat_line``, ``with_weapons``, ``with_points``, ``complete`` (all three); ``rules``
    (stratagems, enhancements, detachments), of them by status ``modelled``, ``partial``,
    ``unmodelled``, ``none`` (nothing to model), ``unread``; ``effects``, the share of rules that
    are modelled or have nothing to model, null where there are none.
    """
    sheets = _of_edition(dataset, "datasheets").select(UNIT).unique()
    for column, table in PARTS.items():
        there = _of_edition(dataset, table).select(UNIT).unique()
        sheets = sheets.join(
            there.with_columns(pl.lit(True).alias(column)), on=UNIT, how="left"
        ).with_columns(pl.col(column).fill_null(False))
    units = sheets.group_by("edition", "faction").agg(
        pl.len().cast(pl.Int64).alias("datasheets"),
        *(pl.col(column).sum().cast(pl.Int64) for column in PARTS),
        pl.all_horizontal(*PARTS).sum().cast(pl.Int64).alias("complete"),
    )
    status = pl.col("status")
    rules = (
        pl.concat(
            _of_edition(dataset, table).select("edition", "faction", "status") for table in RULES
        )
        .with_columns(status.cast(pl.String))
        .group_by("edition", "faction")
        .agg(
            pl.len().cast(pl.Int64).alias("rules"),
            *((status == name).sum().cast(pl.Int64).alias(name) for name in STATUSES),
        )
    )
    share = (pl.col("modelled") + pl.col("none")) / pl.col("rules")
    counts = pl.all().exclude("edition", "faction")
    return (
        units.join(rules, on=["edition", "faction"], how="full", coalesce=True)
        .with_columns(counts.fill_null(0))
        .with_columns(pl.when(pl.col("rules") > 0).then(share).alias("effects"))
        .sort("edition", "faction")
    )


def _of_edition(dataset: Dataset, table: str) -> pl.DataFrame:
    return dataset[table].with_columns(pl.col("edition").cast(pl.String))
