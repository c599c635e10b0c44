"""Frames of the studies are drawn as they come: columns have their default names."""

from __future__ import annotations

import polars as pl
import pytest
from killcurve.charts.export import finished
from killcurve.charts.kinds import kind, make
from killcurve.charts.presets import PRESETS
from killcurve.charts.style import house_style
from killcurve.study import efficiency, worth
from killcurve.study.exchange import frames
from killcurve.study.meta.by_event import FOREST, event_rates, forest
from killcurve.study.meta.matchups import matchups
from killcurve.study.meta.trend import windows
from killcurve.study.meta.win_rates import win_rates
from killcurve.tables import difference

from tests.charts.reading import faults
from tests.study.test_meta_simulated import simulated

GAMES = simulated(3, factions=6, people=40, events=4, per_event=24, draws=0.1, skill_sd=0.5)[0]
GAMES = GAMES.with_columns(
    date=pl.date(2031, 1, 1) + pl.duration(days=20 * pl.col("event").str.slice(6).cast(pl.Int64))
)


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("exchange-turns", frames.SUMMARY), ("exchange-joint", frames.JOINT), ("forest", FOREST),
        ("points-changes", difference.COLUMNS), ("efficiency", efficiency.COLUMNS),
        ("stratagem-value", worth.COLUMNS), ("heat-map", None), ("log-ratio", None),
        ("survival", {"series", "k", "chance"}),
    ],
)  # fmt: skip
def test_default_names_are_those_of_the_studies(name, columns):
    of = kind(name)
    matrix = {"attacker", "target", "points_removed_per_100", "log_ratio"}
    assert {*of.needs.values()} <= {*(columns or matrix)}
    if name in {"forest", "points-changes", "exchange-joint"}:
        assert {*of.may.values()} <= {*columns}


@pytest.mark.parametrize("preset", ["web", "square"])
@pytest.mark.parametrize(
    ("name", "study"),
    [
        ("match-ups", matchups), ("popularity", win_rates), ("trend", windows),
        ("forest", lambda games: forest(event_rates(games), games["faction"].sort()[0])),
    ],
)  # fmt: skip
def test_simulated_tournaments_are_drawn(name, study, preset):
    chart = make(name, study(GAMES))
    with house_style():
        assert not faults(finished(chart, "Data: simulated of 2031-01-01", PRESETS[preset]))


def test_an_exchange_is_drawn_from_its_law():
    swing = pl.DataFrame(
        {"points": [-60.0, 0.0, 80.0], "probability": [0.2, 0.3, 0.5], "at_least": [1.0, 0.8, 0.5]}
    )
    chart = make("distribution", swing, value="points", what="points swing")
    assert "28 points swing on average; the likeliest result, 80, comes 50 %" in chart.title
    with house_style():
        assert not faults(finished(chart, "Data: x of 2031-01-01", PRESETS["web"]))
