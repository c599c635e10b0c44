"""How much of the rules is computed: counts by source, faction, kind of rule and status."""

from __future__ import annotations

from collections.abc import Collection

import polars as pl

from killcurve.tables.dataset import Dataset
from killcurve.tables.schemas import STATUSES

KINDS = {
    "stratagems": "stratagem",
    "enhancements": "enhancement",
    "detachments": "detachment",
    "unit_abilities": "ability",
}
"""Tables of rules, and what one of their rows is."""


def coverage(dataset: Dataset) -> pl.DataFrame:
    """One row each edition, faction (empty for core rules), source and kind of rule.

    Columns: those four, ``rules`` (how many), and of them by status ``modelled``, ``partial``,
    ``unmodelled``, ``none`` (bears on no attack), ``unread``.
    """
    status = pl.col("status").cast(pl.String)
    keys = ["edition", "faction", "source", "kind"]
    rows = pl.concat(
        dataset[table].select(
            pl.col("edition").cast(pl.String),
            "faction",
            "source",
            pl.lit(kind).alias("kind"),
            status,
        )
        for table, kind in KINDS.items()
    )
    return (
        rows.group_by(keys)
        .agg(
            pl.len().cast(pl.Int64).alias("rules"),
            *((pl.col("status") == name).sum().cast(pl.Int64).alias(name) for name in STATUSES),
        )
        .sort(keys)
    )


def coverage_line(dataset: Dataset, factions: Collection[str] | None = None) -> str:
    """One line for under a report: how much of the factions' rules is computed.

    Core rules count for every faction; rules that bear on no attack are left out.

    >>> from killcurve.tables.dataset import About
    >>> coverage_line(Dataset(About("x", "1", "11e", "2026-01-01"), {}))
    'Rules that bear on attacks: none known'
    """
    found = coverage(dataset)
    if factions is not None:
        found = found.filter(pl.col("faction").is_in([*factions, ""]))
    counts = {name: int(found[name].sum()) for name in STATUSES if name != "none"}
    total = sum(counts.values())
    if not total:
        return "Rules that bear on attacks: none known"
    parts = [
        f"{counts['modelled']:,} of {total:,} computed ({counts['modelled'] / total:.0%})",
        f"{counts['partial']:,} in part",
        f"{counts['unmodelled']:,} not",
        f"{counts['unread']:,} not read",
    ]
    return f"Rules that bear on attacks: {', '.join(parts)}"
