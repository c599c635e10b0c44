"""Points changes between two dates: bars to the right are dearer, to the left cheaper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from killcurve.charts.export import Chart
from killcurve.charts.style import COLOURS, MUTED
from killcurve.tables.dataset import DataError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

MOST_BARS = 14
UP, DOWN = COLOURS[1], COLOURS[0]
"""Direction, an arrow and a sign say the same as the colour."""

ROOM = 1.45
"""The axis as a multiple of the longest bar on its side, so that names fit at its foot."""


def points_changes(frame: pl.DataFrame, between: str) -> Chart:
    """The largest changes of units' points, from :func:`killcurve.tables.difference.difference`.

    ``between`` names the two dates (``2025-11-14 and 2026-01-31``). Each unit is shown once,
    with the size and copy that changed most; one that changed alike in several factions once
    for all. ``data`` holds every unit, the largest change first.

    Raises:
        DataError: if no unit's points changed.
    """
    units = _by_unit(frame)
    if units.is_empty():
        raise DataError(f"no unit's points changed between {between}: there is nothing to draw")
    shown = units.head(MOST_BARS).sort(
        ["change", "datasheet", "faction"], descending=[True, False, False]
    )
    more = units.height - shown.height
    return Chart(
        draw=lambda part: _draw(part, shown),
        title=_finding(units),
        subtitle=f"Change in points between {between}, the size or copy of each unit that "
        f"changed most{f' · the {shown.height} largest of {units.height}' if more else ''}",
        alt=f"Bars of {shown.height} changes in points. "
        + "; ".join(f"{r['datasheet']} {_signed(r['change'])}" for r in shown.rows(named=True))
        + ".",
        data=units,
        height=190 + 36 * shown.height,
    )


def _by_unit(frame: pl.DataFrame) -> pl.DataFrame:
    costs = frame.filter((pl.col("table") == "points") & (pl.col("column") == "cost"))
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


def _draw(part: SubFigure, shown: pl.DataFrame) -> None:
    axes = part.subplots()
    axes.set_axis_off()
    rows = shown.rows(named=True)
    changes = [row["change"] for row in rows]
    colours = [UP if change > 0 else DOWN for change in changes]
    widest = max(map(abs, changes))
    axes.barh(range(len(rows)), changes, color=colours, height=0.62)
    axes.axvline(0, color=MUTED, linewidth=1)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(-ROOM * widest, ROOM * widest)
    for i, row in enumerate(rows):
        _label(axes, i, row)


def _label(axes: Axes, i: int, row: dict[str, Any]) -> None:
    """The name opposite the bar, and the change at the bar's end."""
    up = row["change"] > 0
    outward, inward = ("left", "right") if up else ("right", "left")
    step = 1 if up else -1
    name = axes.annotate(
        _cut(row["datasheet"], 34),
        (0, i),
        xytext=(-8 * step, 0),
        textcoords="offset points",
        ha=inward,
        va="center",
        fontsize=12,
    )
    axes.annotate(
        _cut(_detail(row), 32),
        (0 if up else 1, 0.5),
        xycoords=name,
        xytext=(-8 * step, 0),
        textcoords="offset points",
        ha=inward,
        va="center",
        fontsize=10,
        color=MUTED,
    )
    value = axes.annotate(
        f"{'▲' if up else '▼'} {_signed(row['change'])}",
        (row["change"], i),
        xytext=(6 * step, 0),
        textcoords="offset points",
        ha=outward,
        va="center",
        fontsize=12,
        weight="bold",
    )
    axes.annotate(
        f"{row['old']} → {row['new']}",
        (1 if up else 0, 0.5),
        xycoords=value,
        xytext=(8 * step, 0),
        textcoords="offset points",
        ha=outward,
        va="center",
        fontsize=10,
        color=MUTED,
    )


def _detail(row: dict[str, Any]) -> str:
    factions = row["faction"].split("; ")
    where = factions[0] if len(factions) == 1 else f"{len(factions)} factions"
    return f"{where} · {row['what']}"


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1] + "…"
