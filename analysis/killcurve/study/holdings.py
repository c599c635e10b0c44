"""What datasets hold, from where and how old, in words for people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

import polars as pl

from killcurve.tables.collection import Collection
from killcurve.tables.completeness import completeness, rows_by_table, sources
from killcurve.tables.dataset import Dataset
from killcurve.tables.precedence import Precedence
from killcurve.tables.schemas import SCHEMAS

WIDEST = 48
"""Characters of a cell; longer texts are cut."""


def holdings_in_words(
    dataset: Dataset, collection: Collection | None = None, today: date | None = None
) -> str:
    """What is loaded, from where, how old and how complete, as tables of plain text.

    With the ``collection`` of the layers that the dataset was merged of, it tells how many rows
    of each are used.
    """
    about = dataset.about
    held = sources(dataset).rows(named=True)
    where = [
        [
            *(r["source"], r["version"] or "–", r["date"] or "–"),
            _age(r["date"], today or datetime.now(UTC).date()),
            *(r["edition"], *_numbers(r, _HELD)),
        ]
        for r in held
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
            columns(["source", "version", "date", "days old", "edition", *_HELD], where),
            "",
            *_by_table(dataset, collection),
            "",
            *(_precedence(dataset) if len(held) > 1 else []),
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


def _age(day: str | None, today: date) -> str:
    """Days since a date; a dash where it is unknown.

    >>> _age("2026-01-31", date(2026, 2, 2)), _age(None, date(2026, 2, 2))
    ('2', '–')
    """
    try:
        return f"{(today - date.fromisoformat(day or '')).days:,}"
    except ValueError:
        return "–"


def _by_table(dataset: Dataset, collection: Collection | None) -> list[str]:
    """The rows of each table by source; with layers, how many of those that each holds."""
    counts = rows_by_table(dataset, collection)
    heads = dict.fromkeys(
        f"{source} {edition}"
        for edition, source in counts.select("edition", "source").unique().sort(pl.all()).rows()
    )
    found: dict[str, dict[str, str]] = {}
    for table, source, edition, used, held in counts.rows():
        found.setdefault(table, {})[f"{source} {edition}"] = _used(used, held)
    cells = [
        [table.replace("_", " "), *(found[table].get(head, "") for head in heads)]
        for table in SCHEMAS
        if table in found
    ]
    told = "rows by table" if collection is None else "rows by table: used of those held"
    return [told, columns(["table", *heads], cells)]


def _used(used: int, held: int | None) -> str:
    """How many rows are used, of how many.

    >>> _used(5, 5), _used(3, 1200), _used(0, 0), _used(7, None)
    ('5', '3 of 1,200', '', '7')
    """
    if not used and not held:
        return ""
    return f"{used:,}" if held in (None, used) else f"{used:,} of {held:,}"


def _precedence(dataset: Dataset) -> list[str]:
    """Which source is believed, and how that is changed."""
    prefers = f"preferred here: {', '.join(dataset.prefer)}" if dataset.prefer else ""
    return [
        "which source is believed (`killcurve import … --prefer SOURCE` changes it)",
        *Precedence(dataset.prefer).in_words(),
        *([prefers] if prefers else []),
        "",
    ]


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
