"""What datasets hold, how two differ and where they disagree, in words for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from killcurve.tables.completeness import completeness, sources
from killcurve.tables.conflicts import PRECEDENCE, PRICES
from killcurve.tables.dataset import Dataset
from killcurve.tables.difference import WHOLE_ROW, not_compared
from killcurve.tables.values import COMPARED

MOST_ROWS = 40
WIDEST = 48
"""Characters of a cell; longer texts are cut."""


def holdings_in_words(dataset: Dataset) -> str:
    """What is loaded, from where, how old and how complete, as two tables of plain text."""
    about = dataset.about
    where = [
        [r["source"], r["version"] or "–", r["date"] or "–", r["edition"], *_numbers(r, _HELD)]
        for r in sources(dataset).rows(named=True)
    ]
    frame = completeness(dataset)
    parts = [
        [
            r["edition"],
            r["faction"] or "(none)",
            *_numbers(r, _PARTS),
            "–" if r["effects"] is None else f"{r['effects']:.0%}",
        ]
        for r in frame.rows(named=True)
    ]
    heads = ["edition", "faction", *(p.replace("_", " ") for p in _PARTS), "effects"]
    return "\n".join(
        [
            f"{about.source} {about.version} of {about.date}",
            *([f"{about.attribution} ({about.licence})"] if about.attribution else []),
            "",
            columns(["source", "version", "date", "edition", *_HELD], where),
            "",
            columns(heads, parts),
            "",
            "effects: the share of stratagems, enhancements and detachment rules that are "
            "modelled, or have nothing to model",
        ]
    )


_HELD = ("tables", "rows", "datasheets", "priced")
_PARTS = ("datasheets", "with_stat_line", "with_weapons", "with_points", "rules")


def _numbers(row: dict[str, Any], names: Sequence[str]) -> list[str]:
    return [f"{row[name]:,}" for name in names]


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
    """The disagreements of :func:`killcurve.tables.conflicts.conflicts`, and what decides them.

    ``order`` is the one that was given there; up to ``most`` rows are shown.
    """
    lines = [
        f"{kind}: {' > '.join(dict.fromkeys((*order, *stated)))}"
        for kind, stated in PRECEDENCE.items()
    ]
    lines.append("of one source the newer version is used")
    if frame.is_empty():
        return "\n".join([*lines, "", "no value that both have differs"])
    prices = int(frame["table"].is_in(PRICES).sum())
    differ = "1 value differs" if frame.height == 1 else f"{frame.height:,} values differ"
    priced = "1 price" if prices == 1 else f"{prices:,} prices"
    lines += ["", f"{differ}: {priced}, {frame.height - prices:,} of profiles"]
    cells = [
        [
            r["faction"],
            r["datasheet"] or "–",
            r["what"],
            r["column"].replace("_", " "),
            *(f"{r[side]} ({r[f'{side}_source']} {r[f'{side}_version']})" for side in _SIDES),
            r["used"],
        ]
        for r in frame.head(most).rows(named=True)
    ]
    lines += ["", columns(["faction", "datasheet", "row", "value", *_SIDES, "used"], cells)]
    if frame.height > most:
        lines.append(f"… and {frame.height - most:,} more")
    return "\n".join(lines)


_SIDES = ("first", "second")


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of plain text; columns of numbers stand to the right.

    >>> print(columns(["unit", "cost"], [["Mole", "5"], ["Old Mole", "125"]]))
    unit      cost
    Mole         5
    Old Mole   125
    """
    cut = [[c if len(c) <= WIDEST else c[: WIDEST - 1] + "…" for c in row] for row in rows]
    lines = [list(heads), *cut]
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    right = [all(_is_number(row[i]) for row in cut) and bool(cut) for i in range(len(heads))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if is_right else cell.ljust(width)
            for cell, width, is_right in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    )


def _is_number(cell: str) -> bool:
    return cell in ("", "–") or cell.strip("+-%").replace(",", "").isdigit()
