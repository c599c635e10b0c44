"""The difference of two datasets: prices and profiles that changed, rows that came and went."""

from __future__ import annotations

import polars as pl

from killcurve.tables.dataset import Dataset
from killcurve.tables.values import COMPARED, NOTHING, ROW, held, left_out, paired

COLUMNS: dict[str, pl.DataType] = {
    "table": pl.String(),
    "faction": pl.String(),
    "datasheet": pl.String(),
    "what": pl.String(),
    "column": pl.String(),
    "old": pl.String(),
    "new": pl.String(),
    "change": pl.Int64(),
}
"""What :func:`difference` gives, sorted by the first five."""

WHOLE_ROW = "row"
"""The ``column`` of a row that came or went; its values stand together in one text."""


def difference(old: Dataset, new: Dataset) -> pl.DataFrame:
    """What changed from one dataset to the other; columns are :data:`COLUMNS`.

    ``what`` names the row (``5 models``, ``Claw (melee)``). ``old`` and ``new`` are values as
    text, ``–`` for an empty cell; ``change`` is new less old where both are whole numbers. A
    row that came has no ``old``, one that went no ``new``. Datasets of one edition each are
    compared though the editions differ; of several, the new one's own is compared. Tables of
    which one side has nothing are left out: :func:`not_compared` names them.
    """
    both = paired(old, new, COMPARED, editions(old, new))
    changed = both.filter(pl.col("old") != pl.col("new"))
    one_sided = both.filter(pl.col("old").is_null() | pl.col("new").is_null())
    names = ("faction", "datasheet", "what")
    rows = (
        one_sided.sort(_order())
        .group_by([*ROW, *names], maintain_order=True)
        .agg(_together("old"), _together("new"))
        .with_columns(pl.lit(WHOLE_ROW).alias("column"))
    )
    numbers = [pl.col(side).cast(pl.Int64, strict=False) for side in ("old", "new")]
    return (
        pl.concat([changed.select(rows.columns), rows])
        .with_columns((numbers[1] - numbers[0]).alias("change"))
        .select(pl.col(name).cast(kind) for name, kind in COLUMNS.items())
        .sort([*COLUMNS][:7])
    )


def not_compared(old: Dataset, new: Dataset) -> list[str]:
    """The tables that :func:`difference` leaves out, since one of the datasets has none of it."""
    return left_out(old, new, editions(old, new))


def editions(old: Dataset, new: Dataset) -> tuple[str, str]:
    """The edition of each that is compared: one that both have, else each one's own."""
    for wanted, other in ((new, old), (old, new)):
        if wanted.about.edition in held(other) & (held(wanted) or {wanted.about.edition}):
            return wanted.about.edition, wanted.about.edition
    return old.about.edition, new.about.edition


def _order() -> list[pl.Expr]:
    """Values in the order of their table's columns."""
    names = [f"{table}.{column}" for table, how in COMPARED.items() for column in how.columns]
    number = {name: n for n, name in enumerate(names)}
    of_table = pl.col("table") + "." + pl.col("column")
    return [*map(pl.col, ROW), of_table.replace_strict(number, return_dtype=pl.Int64)]


def _together(side: str) -> pl.Expr:
    """The values of a row as one text, empty cells left out; null if there is no row."""
    named = pl.col("column").str.replace_all("_", " ") + " " + pl.col(side)
    told = named.filter(pl.col(side) != NOTHING).str.join(", ").replace("", NOTHING)
    return pl.when(pl.col(side).is_null().all()).then(None).otherwise(told).alias(side)
