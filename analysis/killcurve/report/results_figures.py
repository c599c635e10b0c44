"""Charts of a report on results; titles say only what its tests bear out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from killcurve.charts.export import Chart
from killcurve.charts.forest import forest_plot
from killcurve.charts.lines import trend as trend_chart
from killcurve.charts.matchups import matchup_matrix
from killcurve.report.document import Figure
from killcurve.report.points import Measure, scatter
from killcurve.report.results_parts import Part, others_together
from killcurve.report.results_words import (
    between,
    changed,
    doubt,
    most_played,
    over_represented,
    tops,
)
from killcurve.report.wording import listed, number, percent
from killcurve.study.meta.by_event import EXACT, forest

MATRIX = 14
"""Factions of the matrix of match-ups: those with the most games."""
LINES = 4
"""Factions of the chart over time."""
MOST_CHANGES = 24

SHRUNK = "drawn towards the other factions"


def win_rates(part: Part) -> list[Figure]:
    """Ranked win rates with intervals, of factions with enough games."""
    if part.known.is_empty():
        return []
    chart = forest_plot(
        part.known.select("faction", "shrunk", "low", "high", "games"),
        name="faction", rate="shrunk", kind="", weight="", date="",
    )  # fmt: skip
    subtitle = f"Win rate, {SHRUNK}, with 95 % intervals · draws are half a win"
    return [_figure(part, "win-rates", chart, doubt(part), _mirrors(part, subtitle))]


def _mirrors(part: Part, subtitle: str) -> str:
    return f"{subtitle} · {'without' if part.is_of_games else 'with'} mirrors"


def popularity(part: Part) -> list[Figure]:
    """Win rate against representation; factions with few games are one point."""
    if part.known.is_empty():
        return []
    frame = others_together(part.ranked).select("faction", "shrunk", "low", "high", "games")
    row, best = most_played(part), part.known.row(0, named=True)
    title = f"{row['faction']} is played most ({percent(row['share'], 1)} of games) and "
    title += (
        f"stands highest ({percent(best['shrunk'])})"
        if best["faction"] == row["faction"]
        else f"wins {percent(row['shrunk'])}; {best['faction']} stands highest "
        f"({percent(best['shrunk'])})"
    )
    subtitle = f"Win rate, {SHRUNK}, against the share of games · lines: 95 % intervals"
    chart = scatter(
        frame.with_columns(share=pl.col("games") / pl.col("games").sum()),
        "faction",
        Measure("share", "share of games", is_share=True),
        Measure("shrunk", "win rate", "low", "high", is_share=True),
        title,
        _mirrors(part, subtitle),
    )
    return [Figure(f"{part.stem}popularity", chart)]


def pooled(part: Part) -> list[Figure]:
    """Forest plots over events: of all factions together, and of three by themselves."""
    frame = part.meta.pooled.filter(
        (pl.col("method") == EXACT) & pl.col("enough") & pl.col("low").is_not_null()
    )
    known = part.known.filter(pl.col("faction").is_in(frame["faction"].implode()))
    if known.is_empty():
        return []
    names = dict.fromkeys(
        (known["faction"][0], known["faction"][-1], known.sort("games")["faction"][-1])
    )
    return [
        _figure(
            part,
            f"forest-{place}",
            forest_plot(forest(part.meta.event_rates, name), name),
            _pooled_title(frame.row(by_predicate=pl.col("faction") == name, named=True)),
            "Win rate at each event, plain, with 95 % intervals, and pooled · squares are as large "
            "as their weight · every interval for itself",
        )
        for place, name in enumerate(names, start=1)
    ]


def _pooled_title(row: Mapping[str, Any]) -> str:
    return (
        f"{row['faction']}: {percent(row['rate'])} over {number(row['events'], 'event')} "
        f"({between(row)}); at a further event {between(row, 'predict_low', 'predict_high')}"
    )


def top_finishes(part: Part) -> list[Figure]:
    """Over-representation among top finishes."""
    what, frame, _ = tops(part)
    if frame.is_empty():
        return []
    kept = frame.filter(pl.col("enough") & pl.col("ratio").is_finite() & pl.col("high").is_finite())
    if kept.is_empty():
        return []
    chart = forest_plot(
        kept.sort(["ratio", "faction"], descending=[True, False]).select(
            "faction", "ratio", "low", "high", games="players"
        ),
        name="faction", rate="ratio", kind="", weight="", date="", games="", half=1.0,
        measure="over-representation",
    )  # fmt: skip
    subtitle = f"Share of all {what} over share of all players · 100 %: as many as promised"
    return [_figure(part, "top-finishes", chart, over_represented(what, frame), subtitle)]


def matchups(part: Part) -> list[Figure]:
    """The matrix of match-ups of the factions with the most games."""
    most = part.known.sort(["games", "faction"], descending=[True, False]).head(MATRIX)
    both = [pl.col(c).is_in(most["faction"].implode()) for c in ("faction", "opponent_faction")]
    frame = part.meta.matchups.filter(*both) if part.meta.matchups.height else part.meta.matchups
    if frame.is_empty():
        return []
    tested = frame.filter(
        pl.col("enough")
        & (pl.col("p_holm") < 0.05)
        & (pl.col("faction") < pl.col("opponent_faction"))
    )
    title = f"Match-ups of the {number(most.height, 'faction')} played most: "
    title += (
        f"{tested.height} differ from what both strengths promise"
        if tested.height
        else "none differs demonstrably from what both strengths promise"
    )
    subtitle = (
        "Win rate in % of rows against columns with 95 % intervals, drawn towards what both "
        "factions' strengths promise · without colour: too few games"
    )
    ends = frame.sort(["shrunk", "faction", "opponent_faction"], descending=[True, False, False])
    rows = "; ".join(
        f"{row['faction']} against {row['opponent_faction']} {percent(row['shrunk'])}"
        for row in ends.filter("enough").head(5).rows(named=True)
    )
    chart = replace(matchup_matrix(frame), alt=f"Matrix of win rates. Highest: {rows}.")
    return [_figure(part, "match-ups", chart, title, subtitle)]


def over_time(part: Part) -> list[Figure]:
    """Win rates of the factions played most in each window, and changes at given dates."""
    return [*_trend(part), *_changes(part)]


def _trend(part: Part) -> list[Figure]:
    if part.meta.windows.is_empty():
        return []
    frame = part.meta.windows.filter(pl.col("enough") & pl.col("rate").is_not_null())
    played = frame.group_by("faction").agg(pl.col("games").sum(), n=pl.len())
    most = played.filter(pl.col("n") > 1).sort(["games", "faction"], descending=[True, False])
    if most.is_empty():
        return []
    chosen = most.head(LINES)["faction"]
    kept = frame.filter(pl.col("faction").is_in(chosen.implode()))
    count = kept["start"].n_unique()
    title = f"Win rates of the {len(chosen)} factions played most, in {count} windows of time"
    subtitle = "Plain win rate without mirrors · bands: 95 % intervals, each for itself"
    return [_figure(part, "trend", trend_chart(kept), title, subtitle)]


def _changes(part: Part) -> list[Figure]:
    frame = part.meta.changes
    kept = frame.filter("enough") if frame.height else frame
    if kept.is_empty():
        return []
    several = kept["date"].n_unique() > 1
    name = pl.format("{}, {}", "faction", "date") if several else pl.col("faction")
    largest = kept.sort([pl.col("p"), pl.col("faction")]).head(MOST_CHANGES)
    shown = largest.sort(["change", "faction"], descending=[True, False]).with_columns(label=name)
    chart = forest_plot(
        shown.select("label", "change", "low", "high"),
        rate="change", kind="", weight="", date="", games="", half=0.0,
        measure="change of the win rate",
    )  # fmt: skip
    dates = listed([str(day) for day in sorted({*kept["date"]})])
    subtitle = f"Win rate after less that before {dates} · 95 % intervals, each for itself"
    return [_figure(part, "changes", chart, changed(frame), subtitle)]


def skill(part: Part) -> list[Figure]:
    """Win rates between players of equal skill."""
    kept = part.meta.skill.factions.filter("enough")
    if kept.is_empty():
        return []
    ranked = kept.sort(["rate", "faction"], descending=[True, False])
    chart = forest_plot(
        ranked.select("faction", "rate", "low", "high", "games"),
        name="faction", kind="", weight="", date="",
    )  # fmt: skip
    found = ranked.filter(pl.col("p_holm") < 0.05)["faction"].to_list()
    title = (
        f"With players' skill allowed for, {listed(found)} can be told from the average faction"
        if found
        else "With players' skill allowed for, no faction can be told from the average one"
    )
    subtitle = (
        "Win rate against the average faction between players of equal skill · 95 % intervals"
    )
    return [_figure(part, "skill", chart, title, subtitle)]


def _figure(part: Part, stem: str, chart: Chart, title: str, subtitle: str) -> Figure:
    """The chart under a title that tests bear out; its own claims go from the alt text, too."""
    title = title.rstrip(".")
    plain = chart.alt.replace(f"{chart.title}.", "").replace("  ", " ").strip()
    found = replace(chart, title=title, subtitle=subtitle, alt=f"{title}. {plain}")
    return Figure(f"{part.stem}{stem}", found)
