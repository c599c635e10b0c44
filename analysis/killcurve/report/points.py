"""Points of two measures with their names, as popularity and efficiency against win rate.

Names take the first free place beside their points, those furthest out first, and are left out
where there is none: that takes a hundredth of the time that pushing them apart does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from killcurve.charts.bars import as_percent
from killcurve.charts.export import Chart, room, settle
from killcurve.charts.rows import halo
from killcurve.charts.style import colour, faint, ink
from killcurve.charts.words import cleaned, cut, fitted, joined, number, percent, width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

SIZE = 10.0
HIGH = 13.0
"""Points of the letters of names, and of their lines."""
AWAY = 6.0
LONGEST = 150.0
COVERED = 6.0
"""Square points of other names or points that a name may cover: a corner of its box."""

TOLD = 6
"""Rows that alt texts tell of."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure along an axis: its column, those of its interval (or none), and its name."""

    column: str
    label: str
    low: str = ""
    high: str = ""
    is_share: bool = False


def scatter(
    frame: pl.DataFrame, name: str, along: Measure, up: Measure, title: str, subtitle: str
) -> Chart:
    """A point a row, named by a column, with lines for intervals; a dashed line at one half."""
    kept = frame.sort(name)
    ranked = kept.sort([up.column, name], descending=[True, False])
    told = "; ".join(
        f"{row[name]} {_number(row[along.column], along)} and {_number(row[up.column], up)}"
        for row in ranked.head(TOLD).rows(named=True)
    )
    return Chart(
        draw=lambda part: _draw(part, cleaned(kept), name, along, up),
        title=title,
        subtitle=subtitle,
        alt=f"{title}. Scatter of {kept.height} rows by {along.label} and {up.label}. "
        f"Highest first: {told}.",
        data=kept,
        height=800,
    )


def _number(value: float, measure: Measure) -> str:
    return percent(value) if measure.is_share else number(value)


def _draw(part: SubFigure, kept: pl.DataFrame, name: str, along: Measure, up: Measure) -> None:
    axes = part.subplots()
    x, y = kept[along.column].to_list(), kept[up.column].to_list()
    if up.low:
        ends = (kept[up.low].to_list(), kept[up.high].to_list())
        axes.vlines(x, *ends, color=faint(), linewidth=1.0)
    if along.low:
        ends = (kept[along.low].to_list(), kept[along.high].to_list())
        axes.hlines(y, *ends, color=faint(), linewidth=1.0)
    axes.axhline(0.5, color=faint(), linewidth=1.2, linestyle=(0, (4, 3)))
    axes.scatter(x, y, s=38, color=colour(0), zorder=3)
    axes.margins(x=0.06, y=0.06)
    for axis, measure in ((axes.xaxis, along), (axes.yaxis, up)):
        axis.set_label_text(measure.label)
        if measure.is_share:
            as_percent(axis)
    figure = part.get_figure(root=True)
    assert figure is not None
    settle(figure)  # places of names are told in points, once the axes stay where they are
    named = _name(axes, kept[name].to_list(), list(zip(x, y, strict=True)))
    if named < kept.height:
        told = joined(along.label, f"{named} of {kept.height} have room for a name")
        axes.set_xlabel(fitted(told, room(part)[0] - 50))


def _name(axes: Axes, names: list[str], points: list[tuple[float, float]]) -> int:
    """Names beside their points, where they cover nothing; how many have found a place."""
    scale = 72 / axes.figure.dpi
    at = [tuple(scale * axes.transData.transform(point)) for point in points]
    middle = [sum(end) / len(at) for end in zip(*at, strict=True)]
    by_distance = sorted(
        zip(names, points, at, strict=True), key=lambda one: -math.dist(one[2], middle)
    )
    taken: list[Box] = [(px - 4, py - 4, px + 4, py + 4) for px, py in at]
    left, low, right, high = (scale * float(end) for end in axes.bbox.extents)
    ends = (left, low, right, high)
    named = 0
    for name, point, (px, py) in by_distance:
        words = cut(name, LONGEST, SIZE)
        wide = width(words, SIZE)
        places = [
            (dx, dy)
            for dy in (7.5, -7.5, 15.0, -15.0)
            for dx in (AWAY, -AWAY - wide, -wide / 2)
            if dx != -wide / 2 or abs(dy) > 10
        ]
        boxes = [
            (px + dx, py + dy - HIGH / 2, px + dx + wide, py + dy + HIGH / 2) for dx, dy in places
        ]
        costs = [sum(_over(box, other) for other in taken) + _out(box, ends) for box in boxes]
        best = costs.index(min(costs))
        if costs[best] > COVERED:
            continue
        named += 1
        taken.append(boxes[best])
        axes.annotate(
            words,
            point,
            xytext=places[best],
            textcoords="offset points",
            size=SIZE,
            color=ink(),
            va="center",
            ha="left",
            path_effects=halo(),
            zorder=4,
        )
    return named


def _over(one: Box, other: Box) -> float:
    """The area that two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high)


def _out(box: Box, ends: Box) -> float:
    """How much of a box's width and height is outside, as an area."""
    beyond = max(0.0, ends[0] - box[0]) + max(0.0, box[2] - ends[2])
    return HIGH * (beyond + max(0.0, ends[1] - box[1]) + max(0.0, box[3] - ends[3]))
