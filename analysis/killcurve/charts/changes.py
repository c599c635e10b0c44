"""Points changes between two dates: from the old price to the new one, the largest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from killcurve.charts.export import Chart
from killcurve.charts.making import chart_kind
from killcurve.charts.rows import Row, how_many, left_out, place
from killcurve.charts.style import colour, paper
from killcurve.charts.words import cleaned, joined
from killcurve.tables.dataset import DataError

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure

MOST_BARS = 14
UP, DOWN = 1, 0
"""Numbers of colours. Direction, an arrow and a sign say the same as the colour."""


@chart_kind("points-changes", needs=("name", "old", "new"), may=("faction", "what"), empty=True)
def points_changes(
    frame: pl.DataFrame,
    between: str = "two dates",
    *,
    name: str = "datasheet",
    old: str = "old",
    new: str = "new",
    faction: str = "faction",
    what: str = "what",
) -> Chart:
    """The largest changes of units' points, from :func:`killcurve.tables.difference.difference`.

    ``between`` names the two dates (``2025-11-14 and 2026-01-31``). Each unit is shown once,
    with the size and copy that changed most; one that changed alike in several factions once
    for all. ``data`` holds every unit, the largest change first. Frames without the columns
    ``table`` and ``column`` hold nothing but prices.

    Raises:
        DataError: if no unit's points changed.
    """
    units = _by_unit(_prices(frame, name, old, new, faction, what))
    if units.is_empty():
        raise DataError(f"no unit's points changed between {between}: there is nothing to draw")
    shown = units.head(MOST_BARS)
    more = units.height - shown.height
    return Chart(
        draw=lambda part: _draw(part, cleaned(shown)),
        title=_finding(units),
        subtitle=f"Change in points between {between}, the size or copy of each unit that "
        f"changed most{f' · the {shown.height} largest of {units.height}' if more else ''}",
        alt=f"Bars of {shown.height} changes in points. "
        + "; ".join(
            f"{r['datasheet']} {_signed(r['change'])}" for r in _in_order(shown).rows(named=True)
        )
        + ".",
        data=units,
        height=190 + 36 * shown.height,
    )


def _in_order(shown: pl.DataFrame) -> pl.DataFrame:
    """From what became dearest to what became cheapest."""
    return shown.sort(["change", "datasheet", "faction"], descending=[True, False, False])


def _prices(
    frame: pl.DataFrame, name: str, old: str, new: str, faction: str, what: str
) -> pl.DataFrame:
    """Whole prices with their change."""
    if {"table", "column"} <= {*frame.columns}:
        frame = frame.filter((pl.col("table") == "points") & (pl.col("column") == "cost"))
    empty = pl.lit("")
    return frame.select(
        (pl.col(faction) if faction else empty).alias("faction"),
        pl.col(name).alias("datasheet"),
        (pl.col(what) if what else empty).alias("what"),
        pl.col(old).cast(pl.Int64, strict=False).alias("old"),
        pl.col(new).cast(pl.Int64, strict=False).alias("new"),
    ).with_columns(change=pl.col("new") - pl.col("old"))


def _by_unit(costs: pl.DataFrame) -> pl.DataFrame:
    ranked = costs.filter(pl.col("change") != 0).with_columns(pl.col("change").abs().alias("size"))
    return (
        ranked.sort(
            ["size", "change", "datasheet", "faction", "what"],
            descending=[True, True, False, False, False],
        )
        .unique(["faction", "datasheet"], keep="first", maintain_order=True)
        .group_by("datasheet", "what", "old", "new", "change", maintain_order=True)
        .agg(pl.col("faction").str.join("; "))
        .select("faction", "datasheet", "what", "old", "new", "change")
    )


def _finding(units: pl.DataFrame) -> str:
    up, down = (len(units.filter(pl.col("change") * sign > 0)) for sign in (1, -1))
    most = units.row(0, named=True)
    counts = [f"{_count(n)} {word}" for n, word in ((up, "dearer"), (down, "cheaper")) if n]
    return (
        f"{' and '.join(counts)}; {most['datasheet']} changes most: "
        f"{_signed(most['change'])} points"
    )


def _count(number: int) -> str:
    return "1 unit is" if number == 1 else f"{number} units are"


def _signed(change: int) -> str:
    """A change with its sign: ``+20``, ``−15``."""
    return f"+{change}" if change > 0 else f"−{-change}"


def _draw(part: SubFigure, units: pl.DataFrame) -> None:
    rows = _in_order(units.head(how_many(part, units.height))).rows(named=True)
    colours = [colour(UP if row["change"] > 0 else DOWN) for row in rows]
    words = [
        Row(
            row["datasheet"],
            f"{'▲' if row['change'] > 0 else '▼'} {_signed(row['change'])}",
            _detail(row),
        )
        for row in rows
    ]
    shown = left_out(len(rows), units.height, "largest")
    placed = place(part, words, "points: ring old, dot new", shown)
    for mark, row, shade in zip(placed.marks, rows, colours, strict=False):
        placed.axes.plot([row["old"], row["new"]], [mark, mark], color=shade, linewidth=3.2)
        placed.axes.plot([row["old"]], [mark], "o", color=shade, mfc=paper(), mew=1.6, ms=8)
        placed.axes.plot([row["new"]], [mark], "o", color=shade, ms=8)
    ends = [row[end] for row in rows for end in ("old", "new")]
    spread = max(ends) - min(ends)
    placed.axes.set_xlim(min(ends) - 0.04 * spread - 1, max(ends) + 0.04 * spread + 1)


def _detail(row: dict[str, Any]) -> str:
    factions = row["faction"].split("; ")
    where = factions[0] if len(factions) == 1 else f"{len(factions)} factions"
    return joined(f"{row['old']} → {row['new']}", row["what"], where)
