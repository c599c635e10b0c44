"""Single values of rows from other sources than the row's own, and where they come from."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from killcurve.tables.dataset import Dataset
from killcurve.tables.origins import Origins, key_of
from killcurve.tables.schemas import SCHEMAS
from killcurve.tables.stacking import LAYER, RANK, UNIT, Frames, Ranks, in_form, ranked

SAYS_NONE = ("invulnerable_save", "invulnerable_save_against", "skill", "keywords", "copies_to")
"""Columns where an empty cell is a value: it has none. Elsewhere it is not known."""

OF_THE_ROW = ("note", "model")
"""Columns that belong to their own row, whatever it leaves open."""

MATCHED = (
    *("factions", "datasheets", "models"),
    *("detachments", "stratagems", "enhancements", "unit_abilities"),
)
"""Tables of which a row of one source is found again in another."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Columns that are taken together, from the first source by its ``field`` where ``known``."""

    columns: tuple[str, ...]
    field: str
    known: pl.Expr


_READ = pl.col("status").cast(pl.String) != "unread"
_READING = ("side", "effects", "status", "unread", "read_from")
STATED: dict[str, tuple[Cells, ...]] = {
    "datasheets": (Cells(("legends",), "legends", pl.lit(True)),),
    "detachments": (
        Cells(
            ("detachment_points", "unique_tag"), "prices", pl.col("detachment_points").is_not_null()
        ),
        Cells(("force_disposition",), "prices", pl.col("force_disposition").is_not_null()),
        Cells(("rules", *_READING), "rules", _READ),
    ),
    "stratagems": (Cells(_READING, "rules", _READ),),
    "enhancements": (
        Cells(("cost",), "prices", pl.col("cost").is_not_null()),
        Cells(("upgrade",), "prices", pl.col("upgrade").is_not_null()),
        Cells(_READING, "rules", _READ),
    ),
    "unit_abilities": (Cells(("gift", "aura", "once_per", "phases", *_READING), "rules", _READ),),
}
"""Cells with a field of their own. Other empty cells are filled by the row's own field."""


def cells_of(table: str, field: str) -> tuple[Cells, ...]:
    """The cells of a table that another source may give, besides the row's own.

    >>> [cells.columns for cells in cells_of("models", "profiles")]
    [('move',), ('leadership',), ('objective_control',)]
    """
    if table not in MATCHED:
        return ()
    stated = STATED.get(table, ())
    taken = {column for cells in stated for column in cells.columns}
    keys = SCHEMAS[table].primary_key()
    empty = [
        name
        for name, column in SCHEMAS[table].columns().items()
        if column.nullable and name not in {*keys, *taken, *SAYS_NONE, *OF_THE_ROW}
    ]
    return (*stated, *(Cells((name,), field, pl.col(name).is_not_null()) for name in empty))


def filled(
    table: str, rows: pl.DataFrame, stack: Frames, ranks: Ranks, field: str
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows with the cells of other layers, and which these are.

    The second frame has a row for each value of another layer: ``table``, ``key``, ``column``,
    ``source``, ``edition``, ``version`` and the number of the layer.
    """
    told = [_origins(table, rows.clear(), ())]
    rows, every = _matched(table, rows), _matched(table, stack[table])
    for cells in cells_of(table, field):
        best = (
            ranked(every, ranks[cells.field])
            .filter(cells.known)
            .sort(RANK)
            .unique(["_match", "_row"], keep="first", maintain_order=True)
            .select("_match", "_row", LAYER, "source", "version", *cells.columns)
        )
        both = rows.join(
            best, on=["_match", "_row"], how="left", suffix="_from", maintain_order="left"
        )
        other = pl.col(f"{LAYER}_from").is_not_null() & (pl.col(f"{LAYER}_from") != pl.col(LAYER))
        differs = [pl.col(c).ne_missing(pl.col(f"{c}_from")) & other for c in cells.columns]
        both = both.with_columns(
            *(d.alias(f"{c}_moved") for c, d in zip(cells.columns, differs, strict=True))
        )
        told.append(_origins(table, both, cells.columns))
        rows = both.with_columns(
            pl.when(f"{c}_moved").then(f"{c}_from").otherwise(c).alias(c) for c in cells.columns
        ).select(rows.columns)
    return rows.drop("_match", "_row"), pl.concat(told)


def _matched(table: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with what they are found by in other layers.

    A stat line is found by its name, or as the only one of its unit in both layers.
    """
    if table != "models":
        keys = SCHEMAS[table].primary_key()
        return rows.with_columns(
            key_of(keys).alias("_match"), pl.col("edition").cast(pl.String).alias("_row")
        )
    unit = pl.concat_str([pl.col(name).cast(pl.String) for name in UNIT], separator="|")
    alone = pl.len().over([*UNIT, LAYER]) == 1
    name = pl.when(alone).then(pl.lit("")).otherwise(in_form(rows["model"]))
    return rows.with_columns(unit.alias("_match"), name.alias("_row"))


def _origins(table: str, rows: pl.DataFrame, columns: tuple[str, ...]) -> pl.DataFrame:
    """Where the moved values come from."""
    key = key_of(SCHEMAS[table].primary_key())
    parts = [
        rows.filter(f"{column}_moved").select(
            pl.lit(table).alias("table"),
            key.alias("key"),
            pl.lit(column).alias("column"),
            pl.col("source_from").alias("source"),
            "edition",
            pl.col("version_from").alias("version"),
        )
        for column in columns
    ]
    schema = {name: kind for name, kind in Origins.create_empty().schema.items() if name != "date"}
    return pl.concat([pl.DataFrame(schema=schema).select(NAMES), *(p.select(NAMES) for p in parts)])


NAMES = ("table", "key", "column", "source", "edition", "version")


def dated(origins: pl.DataFrame, dataset: Dataset) -> pl.DataFrame:
    """Origins with the day of each source's rules, as a table."""
    day = [dataset.day(*pair) for pair in origins.select("source", "version").rows()]
    return (
        origins.with_columns(pl.Series("date", day, dtype=pl.String))
        .select(Origins.column_names())
        .sort(Origins.primary_key())
    )
