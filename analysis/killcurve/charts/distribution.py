"""Bars of distributions: how likely each value is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from killcurve.charts.bars import as_percent
from killcurve.charts.export import Chart, room
from killcurve.charts.making import chart_kind
from killcurve.charts.style import colour, ink, muted
from killcurve.charts.words import cleaned, fitted, joined, number, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

PANEL = 78.0
"""Points of one series' panel at least."""

ONE = "_one"

WIDE = 0.82
"""Of the room from value to value that a bar takes."""


@chart_kind("distribution", needs=("value", "chance"), may=("series",))
def distribution_bars(
    frame: pl.DataFrame,
    *,
    value: str = "k",
    chance: str = "probability",
    series: str = "series",
    what: str = "models slain",
    conditions: str = "",
    furthest: int = 0,
    highest: float = 0.0,
    told: str = "",
) -> Chart:
    """Bars of the chance of each value; several series stand below each other on one axis.

    Axes go up to the value ``furthest`` and the chance ``highest`` at least. The title is about
    the series ``told``, the first one if none is named.
    Chances of a series should add up to 1: its mean, told and marked, is reckoned from them.
    """
    if not series:
        frame, series = frame.with_columns(pl.lit("").alias(ONE)), ONE
    laws = frame.sort([series, value], maintain_order=True).filter(pl.col(chance) >= 0)
    names = laws[series].unique(maintain_order=True).to_list()
    found = {name: _of(laws.filter(pl.col(series) == name), value, chance) for name in names}
    first = told if told in found else next(iter(found))
    mean, likely, at = found[first]
    whose = f"{first[:1].upper()}{first[1:]}: " if first else ""
    lines = "; ".join(
        joined(f"{name} mean {number(m)}, most often {number(v)} ({percent(p)})")
        for name, (m, v, p) in found.items()
    )
    return Chart(
        draw=lambda part: _draw(
            part, cleaned(laws), (value, chance, series), what, (furthest, highest)
        ),
        title=f"{whose}{number(mean)} {what} on average; the likeliest result, {number(likely)}, "
        f"comes {percent(at)} of the time",
        subtitle=joined(f"Chance of each number of {what}, exact; the triangle marks the mean",
                        conditions),
        alt=f"Bars of the chance of each number of {what}. {lines}.",
        data=laws.drop(ONE) if series == ONE else laws,
    )  # fmt: skip


def _of(law: pl.DataFrame, value: str, chance: str) -> tuple[float, float, float]:
    """The mean, the likeliest value and its chance."""
    total = float(law[chance].sum()) or 1.0
    mean = float((law[value] * law[chance]).sum()) / total
    likely = law.sort([chance, value], descending=[True, False]).row(0, named=True)
    return mean, float(likely[value]), float(likely[chance])


def _draw(
    part: SubFigure,
    laws: pl.DataFrame,
    columns: tuple[str, str, str],
    what: str,
    reach: tuple[int, float],
) -> None:
    value, chance, series = columns
    wide, high = room(part)
    names = laws[series].unique(maintain_order=True).to_list()
    shown = names[: max(1, int((high - 24) / PANEL))]
    panels = part.subplots(len(shown), 1, sharex=True, squeeze=False)[:, 0]
    for i, (name, axes) in enumerate(zip(shown, panels, strict=True)):
        law = laws.filter(pl.col(series) == name).sort(value)
        _bars(axes, law, value, chance, i)
        axes.set_ylim(top=max(axes.get_ylim()[1], 1.16 * reach[1]))
        if name:
            axes.set_title(fitted(name, wide - 56, bold=True), loc="left", color=ink(), pad=4)
        as_percent(axes.yaxis)
        axes.locator_params(axis="y", nbins=4 if len(shown) == 1 else 3)
    if reach[0]:
        panels[-1].update_datalim([(reach[0] + WIDE / 2, 0.0)])  # as a bar there would
        panels[-1].autoscale_view(scaley=False)
    _whole(panels[-1], laws[value])
    left = f"{len(shown)} of {len(names)} shown" if len(shown) < len(names) else ""
    panels[-1].set_xlabel(fitted(joined(what, left), wide - 40))


def _bars(axes: Axes, law: pl.DataFrame, value: str, chance: str, i: int) -> None:
    at, chances = law[value].to_numpy(), law[chance].to_numpy()
    step = float((at[1:] - at[:-1]).min()) if len(at) > 1 else 1.0
    axes.bar(at, chances, width=WIDE * step, color=colour(i))
    axes.set_ylim(0, 1.16 * float(chances.max() or 1.0))
    mean, _, _ = _of(law, value, chance)
    axes.plot(
        [mean], [0], "^", color=ink(), ms=8, clip_on=False, zorder=4,
        mec=muted(), transform=axes.get_xaxis_transform(),
    )  # fmt: skip


def _whole(axes: Axes, values: pl.Series) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=values.dtype.is_integer()))
