"""Ranked bars: what each stratagem adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from killcurve.charts.export import Chart
from killcurve.charts.style import COLOURS, MUTED

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure

MOST_BARS = 12
LEAST_GAIN = 0.005
MOST_CHARACTERS = 135


def ranked_stratagems(frame: pl.DataFrame, unit: str, conditions: str = "") -> Chart:
    """Gain in points removed per command point, from :func:`killcurve.study.stratagem_value`.

    Each bar is the mean over the targets of the frame, for the weapon line that gains most.

    Raises:
        ValueError: if the frame is empty.
    """
    if frame.is_empty():
        raise ValueError(f"no stratagem changes the attacks of {unit}")
    gains = (
        frame.filter(pl.col("cp") > 0)
        .group_by("stratagem", "detachment", "cp", "weapon", "effects", "assumes")
        .agg(pl.col("gain_points_removed_per_cp").mean().alias("gain"))
        .sort(["gain", "stratagem", "weapon"], descending=[True, False, False])
        .unique(["stratagem", "detachment"], keep="first", maintain_order=True)
    )
    ranked = gains.filter(pl.col("gain") >= LEAST_GAIN).head(MOST_BARS)
    return Chart(
        draw=lambda part: _draw(part, ranked),
        title=_finding(ranked, unit),
        subtitle="Expected points removed more than without it, per CP, mean over "
        f"{frame['target'].n_unique()} targets, for the weapon that gains most; its conditions "
        f"are taken to hold{_others(len(gains) - len(ranked))}"
        f"{f' · {conditions}' if conditions else ''}",
        alt=f"Bars of {len(ranked)} stratagems. "
        + "; ".join(
            f"{titled(r['stratagem'])} {amount(r['gain'])}" for r in ranked.rows(named=True)
        )
        + " points removed per command point.",
        data=ranked,
        height=150 + 62 * max(1, len(ranked)),
    )


def _finding(ranked: pl.DataFrame, unit: str) -> str:
    if ranked.is_empty():
        return f"No stratagem of its faction adds points removed to the attacks of {unit}"
    best = ranked.row(0, named=True)
    return (
        f"{titled(best['stratagem'])} adds most to {unit}: "
        f"{amount(best['gain'])} points removed per command point"
    )


def _others(number: int) -> str:
    if number <= 0:
        return ""
    return f" · {number} more add less" if number > 1 else " · 1 more adds less"


def amount(value: float) -> str:
    """A gain with two digits that count: ``0.21``, ``3.4``, ``12``."""
    return f"{value:.2f}" if value < 1 else f"{value:.1f}" if value < 10 else f"{value:.0f}"


def titled(name: str) -> str:
    """A name in capitals as one reads it.

    >>> titled("NIGHT SHIELD"), titled("PROTOCOL OF THE HUNGRY VOID")
    ('Night Shield', 'Protocol of the Hungry Void')
    """
    if not name.isupper():
        return name
    small = {"of", "the", "and", "for", "in", "to", "a"}
    words = [w if w in small else w[:1].upper() + w[1:] for w in name.lower().split()]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def _draw(part: SubFigure, ranked: pl.DataFrame) -> None:
    axes = part.subplots()
    axes.set_axis_off()
    if ranked.is_empty():
        return
    rows = ranked.rows(named=True)
    gains = [row["gain"] for row in rows]
    axes.barh([i + 0.22 for i in range(len(rows))], gains, color=COLOURS[0], height=0.42)
    axes.set_ylim(len(rows) - 0.45, -0.5)
    axes.set_xlim(0, max(gains) * 1.08)
    for i, row in enumerate(rows):
        name = axes.annotate(
            f"{titled(row['stratagem'])} · {row['cp']} CP", (0, i - 0.2), va="center", fontsize=12
        )
        axes.annotate(
            _detail(row),
            (1, 0.5),
            xycoords=name,
            xytext=(10, 0),
            textcoords="offset points",
            va="center",
            fontsize=10,
            color=MUTED,
        )
        axes.annotate(
            f"+{amount(row['gain'])}",
            (row["gain"], i + 0.22),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=12,
            weight="bold",
        )


def _detail(row: dict[str, Any]) -> str:
    """Where it comes from and what it does, cut where the line would end."""
    text = f"{row['detachment'] or 'Core'} · {row['weapon']}: {', '.join(row['effects'])}"
    room = MOST_CHARACTERS - len(row["stratagem"])
    return text if len(text) <= room else text[: room - 1] + "…"
