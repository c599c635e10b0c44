"""Survival curves: P(at least k models slain) for the weapons of one match-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from killcurve.charts.export import Chart
from killcurve.charts.lines import legend, line
from killcurve.charts.making import chart_kind
from killcurve.charts.words import cleaned, joined, percent
from killcurve.tables.dataset import DataError

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure


@chart_kind("survival", needs=("k", "chance", "series"))
def survival_curves(
    frame: pl.DataFrame,
    attacker: str = "the attacker",
    target: str = "the target",
    conditions: str = "",
    what: str = "models",
    *,
    k: str = "k",
    chance: str = "chance",
    series: str = "series",
) -> Chart:
    """The curves of :func:`killcurve.study.survival.survival`, one line a series.

    The title reads off the series that most often costs at least one. ``what`` are models,
    which are slain, or what else the target loses, such as wounds.

    Raises:
        DataError: if no row tells the chance of at least one.
    """
    curves = frame.rename({k: "k", chance: "chance", series: "series"})
    ones = curves.filter(pl.col("k") == 1)
    if ones.is_empty():
        raise DataError(f"no row has {k} = 1: the chance of at least one is what the title tells")
    at_one = ones.sort(["chance", "series"], descending=[True, False]).row(0, named=True)
    name = at_one["series"]
    with_it = name.lower() if name[:1].isupper() and not name.isupper() else name
    title = f"{at_least_one(at_one['chance'], what, target, attacker)} {_by_means_of(with_it)}"
    chances = ", ".join(
        f"{row['series']} {percent(row['chance'])}" for row in ones.rows(named=True)
    )
    slay, slain = ("slay", "slain") if what == "models" else ("remove", "removed")
    return Chart(
        draw=lambda part: _draw(part, cleaned(curves), what),
        title=title,
        subtitle=joined(f"Chance to {slay} at least so many {what}, exact", conditions),
        alt=f"Falling curves of the chance that at least k {what} of {target} are {slain} by "
        f"{attacker}. "
        f"At least one: {chances}.",
        data=curves,
    )


def at_least_one(chance: float, what: str, target: str, attacker: str) -> str:
    """The chance that something is lost, as a sentence for one attacker or many.

    >>> at_least_one(0.25, "wounds", "Rhino", "5 Immortals")
    'At least one wound of Rhino is lost 25 % of the time to 5 Immortals'
    """
    one = {"models": "one model", "wounds": "one wound"}.get(what, f"one of {what}")
    lost, to = ("slain", "by") if what == "models" else ("lost", "to")
    return f"At least {one} of {target} is {lost} {percent(chance)} of the time {to} {attacker}"


def _by_means_of(series: str) -> str:
    return series if series.startswith("with ") else f"with {series}"


def _draw(part: SubFigure, frame: pl.DataFrame, what: str) -> None:
    axes = part.subplots()
    most = int(frame["k"].max() or 1)  # type: ignore[arg-type]
    for i, (name, series) in enumerate(frame.group_by("series", maintain_order=True)):
        line(axes, series["k"].to_list(), series["chance"].to_list(), i, str(name[0]))
    axes.set_xlim(-0.02 * most, most * 1.02)
    axes.set_ylim(0, 1.03)
    axes.set_yticks([i / 5 for i in range(6)], [f"{i * 20} %" for i in range(6)])
    axes.set_xticks(range(0, most + 1, 1 + most // 12))
    axes.set_xlabel(f"at least this many {what}{' slain' if what == 'models' else ' lost'}")
    legend(part, axes)
