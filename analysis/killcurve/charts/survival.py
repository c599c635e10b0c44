"""Survival curves: P(at least k models slain) for the weapons of one match-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from killcurve.charts.export import Chart
from killcurve.charts.style import COLOURS, DASHES, MARKERS

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure


def survival_curves(
    frame: pl.DataFrame, attacker: str, target: str, conditions: str = "", what: str = "models"
) -> Chart:
    """The curves of :func:`killcurve.study.survival.survival`, one line a series.

    The title reads off the series that most often slays at least one.
    """
    at_one = frame.filter(pl.col("k") == 1).sort("chance", descending=True).row(0, named=True)
    one = {"models": "a model", "wounds": "a wound"}.get(what, f"one of {what}")
    name = at_one["series"]
    with_it = name.lower() if name[:1].isupper() and not name.isupper() else name
    title = (
        f"{attacker} costs {target} at least {one} "
        f"{at_one['chance']:.0%} of the time {_by_means_of(with_it)}"
    )
    chances = ", ".join(
        f"{row['series']} {row['chance']:.0%}"
        for row in frame.filter(pl.col("k") == 1).rows(named=True)
    )
    return Chart(
        draw=lambda part: _draw(part, frame, what),
        title=title,
        subtitle=f"Chance to slay at least so many {what}, exact"
        f"{f' · {conditions}' if conditions else ''}",
        alt=f"Falling curves of the chance that {attacker} slays at least k {what} of {target}. "
        f"At least one: {chances}.",
        data=frame,
    )


def _by_means_of(series: str) -> str:
    if series.startswith("with "):
        return series
    return f"with {series}" if series.startswith("all ") else f"with its {series}"


def _draw(part: SubFigure, frame: pl.DataFrame, what: str) -> None:
    axes = part.subplots()
    most = int(frame["k"].max() or 1)
    for i, (name, series) in enumerate(frame.group_by("series", maintain_order=True)):
        axes.plot(
            series["k"].to_numpy(),
            series["chance"].to_numpy(),
            color=COLOURS[i % len(COLOURS)],
            marker=MARKERS[i % len(MARKERS)],
            linestyle=DASHES[i % len(DASHES)],
            label=str(name[0]),
        )
    axes.set_xlim(-0.02 * most, most * 1.02)
    axes.set_ylim(0, 1.03)
    axes.set_yticks([i / 5 for i in range(6)], [f"{i * 20}%" for i in range(6)])
    axes.set_xticks(range(0, most + 1, 1 + most // 16))
    axes.set_xlabel(f"at least this many {what}{' slain' if what == 'models' else ' lost'}")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)
