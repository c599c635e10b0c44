"""The real tables, where they lie beside the project: every row is accounted for."""

from __future__ import annotations

import time
from functools import cache

import polars as pl
import pytest
from killcurve.sources.results import Results, read_results
from killcurve.study.meta import study_results

from tests.conftest import SHARED, needs_shared
from tests.sources.test_results import settled

pytestmark = needs_shared

GAMES = SHARED / "real" / "results" / "games-9e-2020.csv"
PLAYERS = SHARED / "real" / "results" / "players-8e-2020.csv"


@cache
def of_games() -> Results:
    return read_results([GAMES])


@cache
def of_players() -> Results:
    return read_results([PLAYERS])


def test_every_row_of_the_games_is_kept_or_set_aside():
    results = of_games()
    settled(results)
    counts = results.counts()
    assert (counts["read"], counts["games"], counts["other_side"]) == (4332, 2136, 2136)
    assert counts["reasons"] == {
        "there is neither an opponent nor a result": 41,
        "a bye, there is no opponent": 19,
    }
    assert results.notes.is_empty()


def test_the_games_are_those_of_the_table():
    raw = pl.read_csv(GAMES, infer_schema=False).filter(pl.col("Player 2").is_not_null())
    games = of_games().games
    assert games["event"].n_unique() == raw["Tournament"].n_unique() == 19
    factions = {*games["faction"], *games["opponent_faction"]}
    assert factions == {*raw["Faction"]}
    assert len(factions) == 31
    assert len({*games["player"], *games["opponent"]}) == len({*raw["Player 1"], *raw["Player 2"]})
    results = raw["WLD"].str.to_uppercase().value_counts().sort("WLD")["count"].to_list()
    assert results == [144 // 2, 2100, 2100]
    assert (games["result"] == 0.5).sum() == 36
    scores = raw["VP"].cast(pl.Float64).sum()
    assert games["score"].sum() + games["opponent_score"].sum() == scores
    assert games["edition"].unique().to_list() == ["9e"]


def test_every_row_of_the_players_is_kept_or_set_aside():
    results = of_players()
    settled(results)
    counts = results.counts()
    assert (counts["read"], counts["standings"], counts["games"]) == (6184, 2467, 0)
    assert counts["reasons"] == {
        "a further detachment of an army that has its row": 3712,
        "rows of one player at one event contradict each other": 5,
    }


def test_no_name_of_a_player_comes_out():
    for results in (of_games(), of_players()):
        told = results.in_words() + "".join(map(str, results.columns["examples"].to_list()))
        frames = (results.games, results.standings, results.rows, results.notes)
        assert "player-" not in told + "".join(frame.write_csv() for frame in frames)


@pytest.mark.parametrize("read", [of_games, of_players])
def test_all_studies_take_seconds(read):
    results = read()
    started = time.process_time()
    meta = study_results(results.games, results.standings)
    assert time.process_time() - started < 20
    rates = meta.win_rates
    won, played = rates["wins"].sum() + rates["draws"].sum() / 2, rates["games"].sum()
    if not results.games.is_empty():
        assert won == played / 2
        assert meta.skill.player_sd is not None
    assert meta.pooled.height == 2 * rates.filter(pl.col("games") > 0).height
    assert ((rates["low"] < rates["shrunk"]) & (rates["shrunk"] < rates["high"])).all()
