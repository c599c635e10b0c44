"""Win rate against representation: who wins often, and who is played often."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from killcurve.charts.bars import as_percent
from killcurve.charts.export import Chart, narrow, room, settle
from killcurve.charts.making import chart_kind
from killcurve.charts.rows import halo
from killcurve.charts.style import colour, faint, ink
from killcurve.charts.words import cleaned, cut, fitted, joined, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

MOST_NAMES = {False: 40, True: 8}
"""Of points with a name beside them; in narrow pictures only those furthest out."""


@chart_kind("popularity", needs=("name", "rate", "games"), may=("low", "high"))
def popularity(
    frame: pl.DataFrame,
    *,
    name: str = "faction",
    rate: str = "shrunk",
    games: str = "games",
    low: str = "low",
    high: str = "high",
    conditions: str = "",
) -> Chart:
    """Win rate against the share of games, from :func:`killcurve.study.meta.win_rates.rated`.

    Intervals are lines through the points. ``rate`` with ``low`` and ``high`` is what is shrunk
    towards the others there; the plain ones are ``rate``, ``wilson_low`` and ``wilson_high``.
    """
    kept = (
        frame.filter(pl.col(rate).is_finite() & (pl.col(games) > 0))
        .with_columns(share=pl.col(games) / pl.col(games).sum())
        .sort([rate, name], descending=[True, False])
    )
    best, most = kept.row(0, named=True), kept.sort(["share", name]).row(-1, named=True)
    told = "; ".join(
        f"{row[name]} wins {percent(row[rate])} with {percent(row['share'])} of games"
        for row in kept.head(6).rows(named=True)
    )
    return Chart(
        draw=lambda part: _draw(part, cleaned(kept), (name, rate, low, high)),
        title=f"Highest win rate: {best[name]}, {percent(best[rate])}; most played: {most[name]}, "
        f"{percent(most['share'])} of games, with {percent(most[rate])}",
        subtitle=joined("Win rate, draws as half a win, against the share of games",
                        "lines: 95 % intervals" if low and high else "", conditions),
        alt=f"Scatter of {kept.height} {name}s by win rate and share of games. Highest first: "
        f"{told}.",
        data=kept,
        height=800,
    )  # fmt: skip


def _draw(part: SubFigure, kept: pl.DataFrame, columns: tuple[str, str, str, str]) -> None:
    name, rate, low, high = columns
    axes = part.subplots()
    x, y = kept["share"].to_list(), kept[rate].to_list()
    if low and high:
        axes.vlines(x, kept[low].to_list(), kept[high].to_list(), color=faint(), linewidth=1.0)
    axes.axhline(0.5, color=faint(), linewidth=1.2, linestyle=(0, (4, 3)))
    axes.update_datalim(list(zip(x, y, strict=True)))
    axes.autoscale_view()
    axes.margins(x=0.1, y=0.1)
    axes.set_xlim(left=0)
    as_percent(axes.xaxis)
    as_percent(axes.yaxis)
    axes.set_ylabel("win rate")
    names = MOST_NAMES[narrow(part)]
    shown = f"the {names} furthest out are named" if kept.height > names else ""
    axes.set_xlabel(fitted(joined("share of games", shown), room(part)[0] - 50))
    _name(part, axes, _far_out(kept, rate, names), (name, rate), (x, y))


def _far_out(kept: pl.DataFrame, rate: str, most: int) -> list[dict[str, Any]]:
    """The rows furthest from the middle of both measures."""
    far = sum(
        ((pl.col(c) - pl.col(c).mean()) / pl.max_horizontal(pl.col(c).std().fill_null(0.0), 1e-9))
        ** 2
        for c in (rate, "share")
    )
    ranked = kept.with_columns(far=far).sort(["far", "share", rate], descending=True)
    return ranked.head(most).rows(named=True)


def _name(
    part: SubFigure,
    axes: Axes,
    rows: list[dict[str, Any]],
    columns: tuple[str, str],
    points: tuple[list[float], list[float]],
) -> None:
    """Names beside their points, moved apart; always alike, since no clock decides."""
    from adjustText import adjust_text  # type: ignore[import-untyped]

    name, rate = columns
    over = _overlay(part, axes)
    most = (0.28 if narrow(part) else 0.34) * room(part)[0]
    words = [
        over.text(
            row["share"], row[rate], cut(row[name], most), color=ink(), size=10, path_effects=halo()
        )
        for row in rows
    ]
    dots = over.scatter(*points, s=38, color=colour(0), zorder=5)  # never under a name
    adjust_text(
        words, objects=dots, ax=over, iter_lim=400, expand=(1.15, 1.4),
        arrowprops={"arrowstyle": "-", "color": faint(), "linewidth": 0.8}, ensure_inside_axes=True,
    )  # fmt: skip


def _overlay(part: SubFigure, axes: Axes) -> Axes:
    """Unseen axes of the whole figure over those of a part, where they stay: it knows no parts."""
    figure = part.get_figure(root=True)
    assert figure is not None
    settle(figure)
    box = axes.bbox.transformed(figure.transFigure.inverted())
    over = figure.add_axes(box.bounds, xlim=axes.get_xlim(), ylim=axes.get_ylim())
    over.set_axis_off()
    over.set_zorder(5)  # above the parts, which have grounds of their own
    return over
