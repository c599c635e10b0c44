"""What was counted and what was set aside while results were read, as a section of a report."""

from __future__ import annotations

import polars as pl

from killcurve.report.document import Column, Section, Table
from killcurve.report.wording import number
from killcurve.sources.results import Results
from killcurve.sources.results.ledger import general

MOST_ROWS = 6
"""Numbers of rows that are named for one reason."""

COUNTED = {"file": pl.String(), "kept": pl.Int64(), "other_side": pl.Int64(),
           "set_aside": pl.Int64(), "read": pl.Int64()}  # fmt: skip
REASONS = {"what": pl.String(), "why": pl.String(), "rows": pl.Int64(), "which": pl.String()}


def section(read: Results) -> Section:
    """The account of a reading."""
    counts = read.counts()
    aside = counts["set_aside"]
    told = (
        f"{number(counts['read'], 'row')} read: {counts['kept']:,} kept, "
        f"{number(counts['other_side'], 'row')} that tell the other side of a game once more, "
        f"{counts['set_aside']:,} set aside"
    )
    tables = [
        Table(
            "Rows of each file",
            by_file(read),
            (
                Column("file", "File"),
                Column("read", "Read", "whole"),
                Column("kept", "Kept", "whole"),
                Column("other_side", "Other sides", "whole"),
                Column("set_aside", "Set aside", "whole"),
            ),
        ),
        Table(
            "Rows set aside or mended, and why",
            reasons(read),
            (
                Column("what", "What became of them"),
                Column("why", "Why"),
                Column("rows", "Rows", "whole"),
                Column("which", "Which rows"),
            ),
        ),
        Table(
            "Columns, and what they were taken as",
            read.columns,
            (
                Column("file", "File"),
                Column("column", "Column"),
                Column("meaning", "Taken as"),
                Column("why", "Why, or what is not there without it"),
                Column("filled", "Filled", "percent", 0),
            ),
            more=True,
        ),
        *_warnings(read),
    ]
    return Section(
        "What was counted, and what was set aside",
        (f"{told}.", "Names of players became numbers when the tables were read; this report "
         "holds neither.") if aside or read.rows.height else (f"{told}.",),
        (),
        tuple(table for table in tables if table.frame.height),
    )  # fmt: skip


def by_file(read: Results) -> pl.DataFrame:
    """How many rows of each file were read, kept, merged and set aside: one row a file."""
    fate = pl.col("fate").cast(pl.String)
    frame = read.rows.group_by("file").agg(
        kept=(fate == "kept").sum(),
        other_side=(fate == "other side").sum(),
        set_aside=(fate == "set aside").sum(),
        read=pl.len(),
    )
    return frame.select(*COUNTED).cast(COUNTED).sort("file")  # type: ignore[arg-type]


def reasons(read: Results) -> pl.DataFrame:
    """Every reason and note with its number of rows and the first of them, the most common first.

    ``what`` is ``set aside`` or ``kept``.
    """
    aside = read.rows.filter(pl.col("fate").cast(pl.String) == "set aside").select(
        "file", "row", why=pl.col("reason").map_elements(general, return_dtype=pl.String),
        what=pl.lit("set aside"),
    )  # fmt: skip
    noted = read.notes.select("file", "row", why="note", what=pl.lit("kept"))
    rows = pl.concat([aside, noted]).sort("file", "row")
    several = rows["file"].n_unique() > 1
    place = pl.format("{} of {}", "row", "file") if several else pl.col("row").cast(pl.String)
    frame = rows.with_columns(place=place).group_by("what", "why").agg(
        rows=pl.len(),
        first=pl.col("place").head(MOST_ROWS).str.join(", "),
    )  # fmt: skip
    more = pl.when(pl.col("rows") > MOST_ROWS).then(pl.lit(", …")).otherwise(pl.lit(""))
    told = frame.with_columns(which=pl.col("first") + more).select(*REASONS).cast(REASONS)  # type: ignore[arg-type]
    return told.sort(["what", "rows", "why"], descending=[True, True, False])


def _warnings(read: Results) -> list[Table]:
    frame = pl.DataFrame({"warning": list(read.warnings)}, schema={"warning": pl.String()})
    return [Table("Unknown names, and other warnings", frame, (Column("warning", "Warning"),))]
