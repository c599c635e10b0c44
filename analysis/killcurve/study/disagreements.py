"""How two datasets differ and where sources disagree, in words for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from killcurve.study.holdings import columns
from killcurve.tables.conflicts import FIELDS
from killcurve.tables.dataset import Dataset
from killcurve.tables.difference import WHOLE_ROW, not_compared
from killcurve.tables.precedence import Precedence
from killcurve.tables.values import COMPARED

MOST_ROWS = 40


def between(old: Dataset, new: Dataset) -> str:
    """The names of two dates, as titles say them: ``2025-11-14 and 2026-01-31``.

    Datasets of one date are told apart by version, those of two editions name them.
    """
    one, two = old.about, new.about
    if one.edition != two.edition:
        return f"{one.date} ({one.edition}) and {two.date} ({two.edition})"
    if one.date != two.date:
        return f"{one.date} and {two.date}"
    return f"{one.source} {one.version} and {two.source} {two.version}"


def difference_in_words(
    frame: pl.DataFrame, old: Dataset, new: Dataset, most: int = MOST_ROWS
) -> str:
    """The changes of :func:`killcurve.tables.difference.difference` in plain text.

    Counts by table, then up to ``most`` rows of each table, the largest changes first.
    """
    lines = [f"{_named(old)} → {_named(new)}"]
    lines += [
        f"{table.replace('_', ' ')}: not compared, only one of them has any"
        for table in not_compared(old, new)
    ]
    if frame.is_empty():
        return "\n".join([*lines, "no value differs in what both have"])
    tables = [table for table in COMPARED if (frame["table"] == table).any()]
    counts = [[table.replace("_", " "), *_counts(frame, table)] for table in tables]
    lines += ["", columns(["table", "values changed", "rows came", "rows went"], counts)]
    for table in tables:
        rows = _largest_first(frame.filter(pl.col("table") == table))
        cells = [
            [
                r["faction"],
                r["datasheet"] or "–",
                r["what"],
                "" if r["column"] == WHOLE_ROW else r["column"].replace("_", " "),
                "(not there)" if r["old"] is None else r["old"],
                "(not there)" if r["new"] is None else r["new"],
                "" if r["change"] is None else f"{r['change']:+}",
            ]
            for r in rows.head(most).rows(named=True)
        ]
        heads = ["faction", "datasheet", "row", "value", "old", "new", "change"]
        lines += ["", f"{table.replace('_', ' ')}", columns(heads, cells)]
        if rows.height > most:
            lines.append(f"… and {rows.height - most:,} more")
    return "\n".join(lines)


def _named(dataset: Dataset) -> str:
    about = dataset.about
    return f"{about.source} {about.version} of {about.date} ({about.edition})"


def _counts(frame: pl.DataFrame, table: str) -> list[str]:
    rows = frame.filter(pl.col("table") == table)
    came, went = rows["old"].null_count(), rows["new"].null_count()
    return [f"{n:,}" for n in (rows.height - came - went, came, went)]


def _largest_first(rows: pl.DataFrame) -> pl.DataFrame:
    """Changed values before rows that came and went; large changes first."""
    keys = [pl.col("column") == WHOLE_ROW, -pl.col("change").abs()]
    names = ("faction", "datasheet", "what", "column")
    return rows.sort([*keys, *names], nulls_last=True)


def conflicts_in_words(
    frame: pl.DataFrame, order: Sequence[str] = (), most: int = MOST_ROWS
) -> str:
    """The disagreements of :mod:`killcurve.tables.conflicts`, and what decides them.

    ``order`` is what was preferred there; up to ``most`` rows are shown.
    """
    lines = [*Precedence(tuple(order)).in_words(), "of one source the newer version is used"]
    if frame.is_empty():
        return "\n".join([*lines, "", "no value that both have differs"])
    kinds = [FIELDS[table] for table in frame["table"]]
    differ = "1 value differs" if frame.height == 1 else f"{frame.height:,} values differ"
    told = [f"{kinds.count(kind):,} of {kind}" for kind in dict.fromkeys(FIELDS.values())]
    lines += ["", f"{differ}: {', '.join(told)}"]
    several = frame["edition"].n_unique() > 1
    cells = [
        [
            *([r["edition"]] if several else []),
            r["faction"],
            r["datasheet"] or "–",
            r["what"],
            r["column"].replace("_", " "),
            *(_said(r, side) for side in _SIDES),
            r["used"],
        ]
        for r in frame.head(most).rows(named=True)
    ]
    heads = ["faction", "datasheet", "row", "value", *_SIDES, "used"]
    lines += ["", columns(["edition", *heads] if several else heads, cells)]
    if frame.height > most:
        lines.append(f"… and {frame.height - most:,} more (`--csv` writes all of them)")
    return "\n".join(lines)


_SIDES = ("first", "second")


def _said(row: dict[str, Any], side: str) -> str:
    """A value with who says so, and when."""
    version, day = row[f"{side}_version"], row[f"{side}_date"]
    when = f" of {day}" if day and day not in version else ""
    return f"{row[side]} ({row[f'{side}_source']} {version}{when})"
