"""Lines: a measure over a characteristic or over time, one line a loadout, faction or weapon."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import polars as pl

from killcurve.charts.bars import as_percent
from killcurve.charts.export import Chart, narrow, room
from killcurve.charts.making import chart_kind
from killcurve.charts.style import DASHES, MARKERS, colour
from killcurve.charts.words import cleaned, cut, fitted, joined, listed, number, percent, widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

MOST_LINES = 8


@chart_kind("lines", needs=("x", "y", "series"), may=("low", "high"))
def lines_over(
    frame: pl.DataFrame,
    *,
    x: str = "toughness",
    y: str = "damage",
    series: str = "loadout",
    low: str = "low",
    high: str = "high",
    measure: str = "damage",
    over: str = "toughness of the target",
    conditions: str = "",
    share: bool = False,
) -> Chart:
    """One line a series; the title tells which is best where.

    Bands from ``low`` to ``high`` are shaded where the frame has them.
    """
    kept = frame.filter(pl.col(y).is_not_null()).sort([series, x])
    reign = _reign(kept, x, y, series)
    told = percent if share else number
    ends = "; ".join(
        f"{name[0]} from {told(of[y][0])} to {told(of[y][-1])}"
        for name, of in kept.group_by(series, maintain_order=True)
    )
    return Chart(
        draw=lambda part: _draw(part, cleaned(kept), (x, y, series, low, high), (over, measure),
                                share),
        title=f"Most {measure} by {x}: {listed(reign)}",
        subtitle=joined(f"{measure[:1].upper() + measure[1:]} over the {over}",
                        "bands: 95 %" if low and high else "", conditions),
        alt=f"{kept[series].n_unique()} lines of {measure} over the {over}. {ends}.",
        data=kept,
    )  # fmt: skip


@chart_kind("trend", needs=("x", "y", "series"), may=("low", "high"))
def trend(
    frame: pl.DataFrame,
    *,
    x: str = "start",
    y: str = "rate",
    series: str = "faction",
    low: str = "low",
    high: str = "high",
    measure: str = "win rate",
    conditions: str = "",
) -> Chart:
    """Rates over time, from :func:`killcurve.study.meta.trend.windows`, with their intervals."""
    kept = frame.filter(pl.col(y).is_not_null()).sort([series, x])
    moves = (
        kept.group_by(series)
        .agg(first=pl.col(y).first(), last=pl.col(y).last())
        .with_columns(move=pl.col("last") - pl.col("first"))
        .sort([pl.col("move").abs(), pl.col(series)], descending=[True, False])
    )
    most = moves.row(0, named=True)
    told = "; ".join(
        f"{row[series]} from {percent(row['first'])} to {percent(row['last'])}"
        for row in moves.rows(named=True)
    )
    return Chart(
        draw=lambda part: _draw(part, cleaned(kept), (x, y, series, low, high), ("", measure),
                                True),
        title=f"Largest move of {measure}: {most[series]}, from {percent(most['first'])} to "
        f"{percent(most['last'])}",
        subtitle=joined(f"{measure[:1].upper() + measure[1:]} in each window of time",
                        "bands: 95 % intervals" if low and high else "", conditions),
        alt=f"{moves.height} lines of {measure} over time. {told}.",
        data=kept,
    )  # fmt: skip


def _reign(kept: pl.DataFrame, x: str, y: str, series: str) -> list[str]:
    """Which series is best over which stretch of x, in order."""
    best = (
        kept.sort([x, y, series], descending=[False, True, False])
        .unique([x], keep="first", maintain_order=True)
        .sort(x)
    )
    stretches: list[tuple[str, list[Any]]] = []
    for name, at in best.select(series, x).iter_rows():
        if stretches and stretches[-1][0] == name:
            stretches[-1][1].append(at)
        else:
            stretches.append((name, [at]))
    if len(stretches) == 1:
        return [f"{stretches[0][0]} everywhere"]
    shown = stretches if len(stretches) <= 4 else stretches[:3]
    return [
        f"{name} {at[0]}" if at[0] == at[-1] else f"{name} {at[0]} to {at[-1]}"
        for name, at in shown
    ] + (["others beyond"] if len(stretches) > 4 else [])


def _draw(
    part: SubFigure,
    kept: pl.DataFrame,
    columns: tuple[str, str, str, str, str],
    words: tuple[str, str],
    share: bool,
) -> None:
    x, y, series, low, high = columns
    axes = part.subplots()
    tops = kept.group_by(series).agg(pl.col(y).max().alias("_"))
    order = tops.sort(["_", series], descending=[True, False])
    names = order[series].to_list()
    shown = names[:MOST_LINES]
    for i, name in enumerate(shown):
        of = kept.filter(pl.col(series) == name)
        at = of[x].to_list()
        line(axes, at, of[y].to_list(), i, name)
        if low and high:
            ends = (of[low].to_list(), of[high].to_list())
            axes.fill_between(at, *ends, color=colour(i), alpha=0.15, linewidth=0)
    if share:
        as_percent(axes.yaxis)
    else:
        axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
    left = f"{len(shown)} of {len(names)} lines shown" if len(shown) < len(names) else ""
    label = fitted(joined(words[0], left), room(part)[0] - 40)
    axes.set_xlabel(label)
    _along(axes, kept[x])
    legend(part, axes)


def line(axes: Axes, x: list[Any], y: list[Any], i: int, name: str) -> None:
    """One line of a series by its number: colour, marker and dash of its own."""
    axes.plot(
        x, y, color=colour(i), marker=MARKERS[i % len(MARKERS)], label=name,
        linestyle=DASHES[i % len(DASHES)],
    )  # fmt: skip


def _along(axes: Axes, values: pl.Series) -> None:
    """Numbers of the axis of x: whole ones, or days that do not crowd."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    if isinstance(values[0], date):
        days = values.unique().sort().to_list()
        step = -(-len(days) // 6)
        axes.set_xticks(days[::step], [f"{day:%d %b\n%Y}" for day in days[::step]])
    elif values.dtype == pl.String:
        return
    else:
        axes.xaxis.set_major_locator(MaxNLocator(nbins=10, integer=values.dtype.is_integer()))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda at, _: f"{at:g}"))


def legend(part: SubFigure, axes: Axes) -> None:
    """The names of lines: to the right, or above where the picture is narrow; cut to fit."""
    handles, labels = axes.get_legend_handles_labels()
    wide, _ = room(part)
    if narrow(part):
        longest = widest(labels)
        free = wide - 48
        columns = max(1, min(3, len(labels), int((free + 12) / (longest + 44))))
        told = [cut(label, free / columns - 44) for label in labels]
        axes.legend(handles, told, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=columns,
                    handlelength=2.4, borderpad=0.2, labelspacing=0.3,
                    columnspacing=1.2)  # fmt: skip
        return
    told = [fitted(label, 0.24 * wide, lines=3) for label in labels]
    axes.legend(handles, told, loc="upper left", bbox_to_anchor=(1.0, 1.0), handlelength=2.8,
                labelspacing=0.9, borderaxespad=0.6)  # fmt: skip
