"""What changed since another dataset, as a section: prices first, then everything else by count."""

from __future__ import annotations

import polars as pl

from killcurve.charts.changes import points_changes
from killcurve.report.document import Column, Figure, Section, Table
from killcurve.report.wording import listed, number
from killcurve.tables.dataset import Dataset
from killcurve.tables.difference import difference, not_compared

PRICES = (
    Column("faction", "Faction"),
    Column("datasheet", "Unit"),
    Column("what", "Size"),
    Column("old", "Before"),
    Column("new", "Now"),
    Column("change", "Change", "signed", 0),
)
OTHERS = (
    Column("table", "Table"),
    Column("faction", "Faction"),
    Column("datasheet", "Unit"),
    Column("what", "What"),
    Column("column", "Value"),
    Column("old", "Before"),
    Column("new", "Now"),
)
MOST = 300
"""Rows of a table on the page; the files have all."""


def changed(old: Dataset, new: Dataset, faction: str | None = None) -> pl.DataFrame:
    """The difference of two datasets, of one faction or all, sorted by key."""
    found = difference(old, new)
    return found if faction is None else found.filter(pl.col("faction") == faction)


def prices(found: pl.DataFrame) -> pl.DataFrame:
    """The rows in which the price of a unit changed, the largest change first."""
    rows = found.filter((pl.col("table") == "points") & (pl.col("column") == "cost"))
    known = rows.filter(pl.col("change").is_not_null() & (pl.col("change") != 0))
    by = ["change", "faction", "datasheet", "what"]
    return known.sort(
        pl.col("change").abs().alias("size"), *by[1:], descending=[True, *[False] * 3]
    )


def told(found: pl.DataFrame, since: str) -> str:
    """The changes of prices in a sentence."""
    rows = prices(found)
    if rows.is_empty():
        return f"No unit's price changed since {since}."
    units = rows.group_by("faction", "datasheet").agg(
        dearer=(pl.col("change") > 0).any(), cheaper=(pl.col("change") < 0).any()
    )
    dearer = units.filter(pl.col("dearer") & ~pl.col("cheaper")).height
    cheaper = units.filter(pl.col("cheaper") & ~pl.col("dearer")).height
    both = units.height - dearer - cheaper
    mixed = f", {both} both by size or copy" if both else ""
    top = rows.row(0, named=True)
    return (
        f"Since {since}, {number(units.height, 'unit')} changed in price: {dearer} became dearer, "
        f"{cheaper} cheaper{mixed}. The largest change is {top['datasheet']} ({top['what']}), "
        f"{top['old']} to {top['new']} points."
    )


def section(found: pl.DataFrame, old: Dataset, new: Dataset, since: str) -> Section:
    """The section on all changes."""
    cost = prices(found)
    rest = found.join(cost, on=["table", "faction", "datasheet", "what", "column"], how="anti",
                      nulls_equal=True)  # fmt: skip
    figures: tuple[Figure, ...] = ()
    if cost.height:
        between = f"{old.about.date} and {new.about.date}"
        figures = (Figure("points-changes", points_changes(cost, between)),)
    tables = []
    if cost.height:
        tables.append(_cut(f"Prices that changed since {since}", cost, PRICES))
    if rest.height:
        tables.append(_cut("Everything else that changed", rest, OTHERS))
    words = [told(found, since)]
    if rest.height:
        by = rest.group_by("table").len().sort("table")
        parts = [f"{count:,} in {table.replace('_', ' ')}" for table, count in by.rows()]
        words.append(f"Beside these prices, values changed, came or went: {listed(parts, 12)}.")
    left = not_compared(old, new)
    if left:
        names = listed([name.replace("_", " ") for name in left], 12)
        words.append(f"Not compared, since one of the datasets has none of it: {names}.")
    return Section(f"What changed since {since}", tuple(words), figures, tuple(tables))


def _cut(caption: str, frame: pl.DataFrame, columns: tuple[Column, ...]) -> Table:
    note = f"The first {MOST} of {frame.height:,} rows." if frame.height > MOST else ""
    return Table(caption, frame.head(MOST), columns, note, more=frame.height > 15)


def since_words(old: Dataset) -> str:
    """Another dataset as sentences name it."""
    about = old.about
    return f"{about.source} {about.version} of {about.date}"
