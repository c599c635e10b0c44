"""What a dataset holds: from where, how old, and how much of each faction is there."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from killcurve.tables.collection import Collection
from killcurve.tables.dataset import Dataset
from killcurve.tables.merging import DERIVED
from killcurve.tables.schemas import SCHEMAS, STATUSES

PARTS = {"with_stat_line": "models", "with_weapons": "weapons", "with_points": "points"}
RULES = ("stratagems", "enhancements", "detachments")
UNIT = ("edition", "faction", "datasheet")


def sources(dataset: Dataset) -> pl.DataFrame:
    """The sources of a dataset: one row each edition, source, version.

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
    silent = [
        {"edition": about.edition, "source": about.source, "version": about.version}
        for about in dataset.sources
    ]
    if silent:
        of_none = pl.DataFrame(silent, schema=dict.fromkeys(key, pl.String))
        counted = counted.join(of_none, on=key, how="full", coalesce=True).fill_null(0)
    dates = [dataset.day(*pair) for pair in counted.select("source", "version").rows()]
    dated = counted.with_columns(pl.Series("date", dates, dtype=pl.String))
    return dated.select(*key, "date", "tables", "rows", "datasheets", "priced").sort(key)


def _units(table: str) -> pl.Expr:
    return pl.col("unit").filter(pl.col("table") == table).n_unique().cast(pl.Int64)


def rows_by_table(dataset: Dataset, collection: Collection | None = None) -> pl.DataFrame:
    """How many rows of each table are from each source: one row each table, source and edition.

    Columns: ``table``, ``source``, ``edition``, ``used`` and ``held``: how many the layers of the
    ``collection`` have, null without one. A row counts for the source of the row; values that
    others gave are in the table ``origins``. Tables that are made of others are left out.
    """
    key = ["table", "source", "edition"]
    counts = _counted([dataset]).rename({"len": "used"})
    if collection is None:
        return counts.with_columns(pl.lit(None, pl.Int64).alias("held"))
    held = _counted([layer.dataset for layer in collection.layers]).rename({"len": "held"})
    both = counts.join(held, on=key, how="full", coalesce=True)
    return both.with_columns(pl.col("used", "held").fill_null(0)).sort(key)


def _counted(datasets: Sequence[Dataset]) -> pl.DataFrame:
    rows = pl.concat(
        dataset[table].select(
            pl.lit(table).alias("table"), "source", pl.col("edition").cast(pl.String)
        )
        for dataset in datasets
        for table in SCHEMAS
        if table not in DERIVED
    )
    key = ["table", "source", "edition"]
    return rows.group_by(key).len().with_columns(pl.col("len").cast(pl.Int64)).sort(key)


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
