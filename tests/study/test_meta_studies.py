"""Studies of invented results, counted by hand; what is too little is flagged and says why."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest
from killcurve.study.meta import samples, study_results
from killcurve.study.meta.by_event import event_rates, forest, pooled
from killcurve.study.meta.matchups import matchups
from killcurve.study.meta.records import records_of_games, records_of_standings, shares
from killcurve.study.meta.sides import sides, unknown_detachments
from killcurve.study.meta.skill import NO_NUMBERS, NO_REPEATS, ONE_FACTION, skill_adjusted
from killcurve.study.meta.top_finishes import (
    in_winning_position,
    perfect_records,
    undefeated_starts,
)
from killcurve.study.meta.trend import changes, windows
from killcurve.study.meta.win_rates import rated, tally, tally_of_standings, win_rates
from killcurve.tables.dataset import DataError
from killcurve.tables.result_schemas import Games, Standings

from tests.study.test_meta_simulated import simulated

COLUMNS = ["event", "date", "round", "player", "faction", "opponent", "opponent_faction", "result"]
M, O, B = "Moles", "Owls", "Bats"  # noqa: E741
DAY = date(2031, 3, 1)

# Eight players, three rounds: 1 wins all, 2 wins the first two, 3 draws the first.
ROUNDS = [
    ("Open", DAY, 1, 1, M, 5, O, 1.0), ("Open", DAY, 1, 2, M, 6, B, 1.0),
    ("Open", DAY, 1, 3, O, 7, B, 0.5), ("Open", DAY, 1, 4, O, 8, M, 0.0),
    ("Open", DAY, 2, 1, M, 8, M, 1.0), ("Open", DAY, 2, 2, M, 3, O, 1.0),
    ("Open", DAY, 2, 4, O, 5, O, 1.0), ("Open", DAY, 2, 6, B, 7, B, 0.0),
    ("Open", DAY, 3, 1, M, 2, M, 1.0), ("Open", DAY, 3, 3, O, 8, M, 0.0),
]  # fmt: skip


def table(rows: list[tuple], **more) -> pl.DataFrame:
    frame = pl.DataFrame(rows, schema=COLUMNS, orient="row").with_row_index("game", offset=1)
    missing = [name for name in Games.columns() if name not in frame.columns]
    frame = frame.with_columns(pl.lit(None).alias(name) for name in missing)
    return Games.validate(frame.with_columns(**more), cast=True)


def repeated(count: int, result: float, day: date = DAY, event: str = "Open") -> list[tuple]:
    return [(event, day, None, None, M, None, O, result)] * count


def test_tallies_leave_mirrors_out():
    counts = {row.pop("faction"): row for row in tally(table(ROUNDS)).rows(named=True)}
    assert counts[M] == {"games": 5, "mirrors": 2, "wins": 5, "draws": 0, "losses": 0}
    assert counts[O] == {"games": 5, "mirrors": 1, "wins": 0, "draws": 1, "losses": 4}
    assert counts[B] == {"games": 2, "mirrors": 1, "wins": 0, "draws": 1, "losses": 1}


def test_records_tell_starts_in_the_order_of_rounds():
    shuffled = table([*ROUNDS[::-1]])
    rows = records_of_games(shuffled).select(
        "player", "games", "wins", "draws", "losses", "won_first"
    )
    told = {row[0]: row[1:] for row in rows.rows()}
    assert told[1] == (3, 3, 0, 0, 3)
    assert told[2] == (3, 2, 0, 1, 2)
    assert told[3] == (3, 0, 1, 2, 0)
    assert told[4] == (2, 1, 0, 1, 0)
    assert told[7] == (2, 1, 1, 0, 0)
    assert records_of_games(shuffled)["rounds"].unique().to_list() == [3]


def test_two_games_of_one_round_tell_no_start():
    doubled = [*ROUNDS, ("Open", DAY, 1, 1, M, 9, B, 1.0)]
    won = dict(records_of_games(table(doubled)).select("player", "won_first").rows())
    assert won[1] is None
    assert won[2] == 2


def test_shares_count_entries_and_people():
    again = [(("Second", *row[1:])) for row in ROUNDS[:4]]
    frame = shares(records_of_games(table([*ROUNDS, *again])))
    told = {row["faction"]: row for row in frame.rows(named=True)}
    assert (told[M]["entries"], told[M]["people"], told[M]["events"]) == (6, 3, 2)
    assert told[M]["share"] == pytest.approx(6 / 16)
    assert told[M]["undefeated"] == 4  # the second event ended after one round
    assert frame["share_of_games"].sum() == pytest.approx(1)


def test_over_representation_is_a_ratio_of_shares():
    frame = undefeated_starts(records_of_games(table(ROUNDS)), start=2)
    told = {row["faction"]: row for row in frame.rows(named=True)}
    assert (told[M]["players"], told[M]["tops"]) == (3, 2)
    assert told[M]["ratio"] == pytest.approx((2 / 2) / (3 / 8))
    assert told[M]["rate"] == pytest.approx(2 / 3)
    assert told[O]["ratio"] == 0
    assert told[M]["low"] < told[M]["ratio"] <= told[M]["high"]
    assert told[M]["enough"] is False
    assert told[M]["p"] is None
    assert frame["share_of_tops"].sum() == pytest.approx(1)


def test_top_finishes_of_many_players_are_tested():
    won = [(f"e{i}", DAY, 1, 2 * i + 1, M, 2 * i + 2, O, 1.0) for i in range(25)]
    frame = undefeated_starts(records_of_games(table(won)), start=1)
    assert frame["enough"].all()
    assert (frame["p_holm"] < 1e-6).all()


def test_perfect_records_need_no_rounds():
    games = table(ROUNDS).with_columns(round=pl.lit(None, pl.Int64))
    people = records_of_games(games)
    tops = dict(perfect_records(people, games=3).select("faction", "tops").rows())
    assert tops == {B: 0, M: 1, O: 0}
    with pytest.raises(DataError, match="the tables have no rounds; ask for perfect records"):
        undefeated_starts(people)


def test_winning_position_counts_events():
    told = {
        r["faction"]: r
        for r in in_winning_position(records_of_games(table(ROUNDS))).rows(named=True)
    }
    assert told[M] == {"faction": M, "events": 1, "winning_position": 1, "share": 1.0}
    assert told[O]["winning_position"] == 0


def test_events_that_are_too_short_are_told():
    with pytest.raises(DataError, match="no event has 4 rounds, the longest 3; ask for fewer"):
        undefeated_starts(records_of_games(table(ROUNDS)))


def test_few_games_are_shown_but_flagged_and_not_tested():
    frame = win_rates(table(repeated(samples.GAMES - 1, 1.0)))
    assert frame["enough"].to_list() == [False, False]
    assert frame["p"].null_count() == frame["p_holm"].null_count() == 2
    enough = win_rates(table(repeated(samples.GAMES, 1.0)))
    assert enough["enough"].all()
    assert (enough["p"] < 1e-6).all()


def test_intervals_for_all_at_once_are_wider():
    frame = win_rates(simulated(1)[0])
    some = frame.filter("enough")
    assert (some["joint_low"] < some["wilson_low"]).all()
    assert (some["joint_high"] > some["wilson_high"]).all()
    shrunk, plain = frame["high"] - frame["low"], frame["wilson_high"] - frame["wilson_low"]
    assert shrunk.mean() < plain.mean()


def test_detachments_are_armies_of_their_own():
    rows = [("Open", DAY, 1, 1, M, 2, M, 1.0), ("Open", DAY, 2, 1, M, 3, O, 1.0)]
    games = table(rows, detachment=pl.Series(["Diggers", "Diggers"]))
    games = games.with_columns(opponent_detachment=pl.Series(["Night", None]))
    frame = win_rates(games, "detachment")
    told = frame.select("faction", "detachment", "games", "wins", "mirrors").rows()
    assert told == [(M, "Diggers", 2, 2, 0), (M, "Night", 1, 0, 0)]
    assert win_rates(games)["mirrors"].to_list() == [1, 0]
    assert unknown_detachments(games) == 1
    assert sides(games, "detachment").height == 3


def test_forest_rows_stand_from_events_to_predictions():
    rows = [
        row
        for i in range(4)
        for row in repeated(10, 1.0, date(2031, 4 - i, 1), f"e{i}")
        + repeated(5 + i, 0.0, date(2031, 4 - i, 1), f"e{i}")
    ]
    rates = event_rates(table(rows))
    frame = forest(rates, M)
    assert frame["kind"].to_list() == ["event"] * 4 + ["pooled"] * 2 + ["prediction"] * 2
    assert frame["label"].to_list()[:4] == ["e3", "e2", "e1", "e0"]
    assert frame["weight"].drop_nulls().sum() == pytest.approx(1)
    assert frame.filter(kind="pooled")["games"].to_list() == [66, 66]
    first = frame.row(0, named=True)
    assert first["rate"] == pytest.approx(10 / 18)
    assert first["low"] < first["rate"] < first["high"]
    with pytest.raises(DataError, match="no game of 'Mole' against others; did you mean 'Moles'"):
        forest(rates, "Mole")


def test_few_events_are_flagged_and_have_no_prediction():
    rows = repeated(10, 1.0, event="a") + repeated(8, 0.0, event="a") + repeated(9, 0.0, event="b")
    two = pooled(event_rates(table(rows))).filter(faction=M)
    assert two["enough"].to_list() == [False, False]
    assert two["predict_low"].null_count() == 2
    assert two["low"].null_count() == 0
    one = pooled(event_rates(table(repeated(10, 1.0))))
    assert one["low"].null_count() == 4


def test_windows_are_cut_at_dates_or_months():
    rows = repeated(2, 1.0, date(2031, 1, 5)) + repeated(3, 0.0, date(2031, 1, 30))
    rows += repeated(4, 0.5, date(2031, 3, 2))
    months = windows(table(rows)).filter(faction=M)
    assert months.select("start", "end", "games", "rate").rows() == [
        (date(2031, 1, 5), date(2031, 1, 30), 5, 0.4),
        (date(2031, 3, 2), date(2031, 3, 2), 4, 0.5),
    ]
    cut = windows(table(rows), [date(2031, 1, 30)]).filter(faction=M)
    assert cut["games"].to_list() == [2, 7]  # games of the day itself are after it
    assert cut["share"].to_list() == [0.5, 0.5]
    assert not cut["enough"].any()


def test_changes_are_found_where_they_are():
    first, second = date(2031, 2, 1), date(2031, 3, 1)
    rows = []
    for day, won in ((date(2031, 1, 5), 20), (date(2031, 2, 5), 55), (date(2031, 3, 5), 54)):
        rows += repeated(won, 1.0, day) + repeated(80 - won, 0.0, day)
    frame = changes(table(rows), [second, first]).filter(faction=M)
    assert frame["date"].to_list() == [first, second]
    assert frame.select("games_before", "games_after").rows() == [(80, 80), (80, 80)]
    assert frame["change"].to_list() == pytest.approx([35 / 80, -1 / 80])
    assert frame["p_holm"][0] < 1e-6
    assert frame["p_holm"][1] > 0.5
    assert frame["low"][0] > 0.25
    with pytest.raises(DataError, match="no date is given"):
        changes(table(rows), [])


def test_armies_that_are_only_on_one_side_of_a_date():
    rows = repeated(30, 1.0, date(2031, 1, 5))
    row = changes(table(rows), [date(2031, 2, 1)]).row(0, named=True)
    assert (row["after"], row["change"], row["p"], row["enough"]) == (None, None, None, False)


def test_nothing_over_time_without_dates():
    games = table(repeated(3, 1.0)).with_columns(date=pl.lit(None, pl.Date))
    for study in (windows, lambda games: changes(games, [DAY])):
        with pytest.raises(DataError, match="no game has a date"):
            study(games)


def test_skill_says_when_it_cannot_be_told():
    assert skill_adjusted(table(repeated(40, 1.0))).why_not == NO_NUMBERS
    once = [(f"e{i}", DAY, 1, 2 * i + 1, M, 2 * i + 2, O, 1.0) for i in range(30)]
    assert skill_adjusted(table(once)).why_not == NO_REPEATS
    alike = [("e", DAY, i, 1 + i % 3, M, 4 + i % 2, M, 1.0) for i in range(1, 30)]
    assert skill_adjusted(table(alike)).why_not == ONE_FACTION
    assert skill_adjusted(table(alike)).factions.is_empty()


def test_factions_that_never_met_are_of_different_groups():
    rows = [("e", DAY, i, 1 + i % 3, M, 4 + i % 3, O, float(i % 2)) for i in range(1, 20)]
    rows += [("e", DAY, i, 11 + i % 3, B, 14 + i % 3, "Eels", float(i % 2)) for i in range(1, 20)]
    frame = skill_adjusted(table(rows)).factions
    groups = dict(frame.select("faction", "group").rows())
    assert groups[M] == groups[O] != groups[B] == groups["Eels"]
    assert frame["switchers"].sum() == 0


def test_match_ups_need_two_factions():
    alike = [("e", DAY, 1, 1, M, 2, M, 1.0)]
    frame = matchups(table(alike))
    assert frame.is_empty()
    assert {"expected", "shrunk", "p_holm"} <= {*frame.columns}


def test_records_without_games():
    rows = [
        ("Open", DAY, 1, M, 5, 0, 0),
        ("Open", DAY, 2, O, 3, 0, 2),
        ("Open", DAY, 3, O, 1, 1, 3),
    ]
    columns = ["event", "date", "player", "faction", "wins", "draws", "losses"]
    frame = pl.DataFrame(rows, schema=columns, orient="row").with_row_index("entry", offset=1)
    frame = frame.with_columns(edition=pl.lit("8e"), detachment=pl.lit(None))
    standings = Standings.validate(frame, cast=True)
    counts = tally_of_standings(standings)
    assert counts.select("faction", "games", "mirrors", "wins").rows() == [
        (M, 5, None, 5),
        (O, 10, None, 4),
    ]
    assert rated(counts)["rate"].to_list() == [1.0, 0.45]
    assert records_of_standings(standings)["won_first"].to_list() == [5, None, None]
    meta = study_results(Games.create_empty(), standings)
    assert meta.win_rates["rate"].to_list() == [1.0, 0.45]
    assert dict(meta.perfect.select("faction", "tops").rows()) == {M: 1, O: 0}
    assert meta.pooled["events"].to_list() == [1] * 4
    assert meta.missing.keys() == {
        "skill",
        "starts",
        "winning_position",
        "matchups",
        "windows",
        "changes",
    }


def test_starts_are_of_games_where_there_are_some():
    """Of standings only the starts of those who won all are known: they would seem many."""
    games = table(ROUNDS)
    perfect = [("Cup", DAY, 20 + n, O, 3, 0, 0) for n in range(3)]
    columns = ["event", "date", "player", "faction", "wins", "draws", "losses"]
    frame = pl.DataFrame(perfect, schema=columns, orient="row").with_row_index("entry", offset=1)
    frame = frame.with_columns(edition=pl.lit("8e"), detachment=pl.lit(None))
    both = study_results(games, Standings.validate(frame, cast=True))
    alone = study_results(games, Standings.create_empty())
    assert alone.winning_position.height > 0
    assert both.winning_position.equals(alone.winning_position)
    assert both.starts.equals(alone.starts)
    assert both.missing.get("starts") == alone.missing.get("starts")
    entries = dict(both.shares.select("faction", "entries").rows())
    assert entries[O] == dict(alone.shares.select("faction", "entries").rows())[O] + 3


def test_nothing_is_no_study():
    with pytest.raises(DataError, match="no game to study"):
        study_results(Games.create_empty(), Standings.create_empty())
