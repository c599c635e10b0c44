"""Tables of invented games in every shape: read alike, accounted for, and without a name."""

from __future__ import annotations

import json
import random
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from killcurve.sources.results import Results, read_results
from killcurve.sources.results.headers import meanings
from killcurve.tables.dataset import DataError

FACTIONS = ("Moles", "Owls", "Bats", "T’oads")
NAMES = ("Ann Example", "Bob Invented", "Cy Fictitious", "Dee Madeup")

ONE_ROW = """\
Event,Date,Round,Player 1,Army 1,Score 1,Player 2,Army 2,Score 2
Spring Open,2031-03-01,1,Ann Example,Moles,80,Bob Invented,Owls,60
Spring Open,2031-03-01,1,Cy Fictitious,Bats,55,Dee Madeup,Moles,55
Spring Open,2031-03-02,2,Ann Example,Moles,40,Cy Fictitious,Bats,90
Spring Open,2031-03-02,2,Bob Invented,Owls,70,Dee Madeup,Moles,20
"""

TWO_ROWS = """\
Tournament,Date,Round,Player,Faction,VP,WLD,Opponent,Opp Faction,Opp VP
Spring Open,2031-03-01,1,Ann Example,Moles,80,W,Bob Invented,Owls,60
Spring Open,2031-03-01,1,Bob Invented,Owls,60,L,Ann Example,Moles,80
Spring Open,2031-03-01,1,Cy Fictitious,Bats,55,D,Dee Madeup,Moles,55
Spring Open,2031-03-01,1,Dee Madeup,Moles,55,D,Cy Fictitious,Bats,55
Spring Open,2031-03-02,2,Ann Example,Moles,40,L,Cy Fictitious,Bats,90
Spring Open,2031-03-02,2,Cy Fictitious,Bats,90,W,Ann Example,Moles,40
Spring Open,2031-03-02,2,Bob Invented,Owls,70,W,Dee Madeup,Moles,20
Spring Open,2031-03-02,2,Dee Madeup,Moles,20,L,Bob Invented,Owls,70
"""


def read(folder: Path, *texts: str, name: str = "games.csv", **how) -> Results:
    paths = []
    for number, text in enumerate(texts):
        path = folder / (name if number == 0 else f"{number}-{name}")
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return read_results(paths, factions=how.pop("factions", FACTIONS), **how)


def seen(results: Results) -> list[tuple]:
    """The games from both sides, without numbers of people: what two readings must share."""
    games = results.games
    one = ("faction", "score", "opponent_faction", "opponent_score")
    two = ("opponent_faction", "opponent_score", "faction", "score")
    rows = games.select("event", "date", "round", *one, "result").rows()
    rows += [
        (*r[:3], *r[3:7], 1 - r[7])
        for r in games.select("event", "date", "round", *two, "result").rows()
    ]
    return sorted(rows, key=str)


def settled(results: Results) -> None:
    """Every row has one fate, and everything that is left out has a reason."""
    counts = results.counts()
    assert counts["read"] == counts["kept"] + counts["other_side"] + counts["set_aside"]
    assert counts["kept"] == counts["games"] + counts["standings"]
    assert sum(counts["reasons"].values()) == counts["set_aside"]


def test_both_shapes_tell_the_same_games(tmp_path):
    one, two = read(tmp_path, ONE_ROW), read(tmp_path, TWO_ROWS)
    assert one.games.height == two.games.height == 4
    assert seen(one) == seen(two)
    assert (one.counts()["kept"], two.counts()["other_side"]) == (4, 4)
    draws = one.games.filter(result=0.5).select("faction", "opponent_faction").rows()
    assert [set(pair) for pair in draws] == [{"Bats", "Moles"}]
    settled(one)
    settled(two)


def test_games_stand_in_one_orientation_and_order(tmp_path):
    games = read(tmp_path, TWO_ROWS).games
    assert (games["player"] < games["opponent"]).all()
    assert games["game"].to_list() == [1, 2, 3, 4]
    assert games["date"].is_sorted()
    assert {*games["player"], *games["opponent"]} == {1, 2, 3, 4}


@pytest.mark.parametrize("text", [ONE_ROW, TWO_ROWS])
def test_the_order_of_rows_does_not_matter(tmp_path, text):
    head, *rows = text.splitlines()
    expected = read(tmp_path, text).games
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        assert read(tmp_path, "\n".join([head, *rows])).games.equals(expected)


def test_names_of_players_are_nowhere(tmp_path):
    odd = TWO_ROWS + "Spring Open,2031-03-02,3,Ann Example,Moles,no,W,Ann Example,Owls,?\n"
    odd += "Spring Open,never,x,Cy Fictitious,,5,Dee Madeup,Bob Invented,Ann Example\n"
    results = read(tmp_path, odd.replace("Date,", "Notes,").replace("2031-03-01", "Ann Example"))
    frames = (results.games, results.standings, results.rows, results.notes, results.columns)
    told = results.in_words() + json.dumps(results.counts()) + repr(results)
    told += "".join(json.dumps(frame.to_dicts(), default=str) for frame in frames)
    for name in NAMES:
        for word in name.split():
            if word != "Example":
                assert word.lower() not in told.lower(), word


def test_the_same_person_has_one_number_in_all_files(tmp_path):
    other = ONE_ROW.replace("Spring", "Autumn").replace("2031-03", "2031-10")
    games = read(tmp_path, ONE_ROW, other.replace("Ann Example", " ANN  example ")).games
    assert games.height == 8
    assert {*games["player"], *games["opponent"]} == {1, 2, 3, 4}
    spring, autumn = (
        games.filter(event=e).drop("game", "event", "date") for e in ("Spring Open", "Autumn Open")
    )
    assert spring.equals(autumn)


def test_numbers_depend_on_the_whole_table(tmp_path):
    """Whoever has only the names cannot find out the numbers."""
    orders = set()
    for extra in range(12):
        text = ONE_ROW.replace(",90\n", f",9{extra}\n")
        games = read(tmp_path, text).games
        orders.add(tuple(games.select("player", "opponent").rows()))
    assert len(orders) > 3


@pytest.mark.parametrize(
    ("columns", "cells"),
    [
        ("Result", ["W", "l", "Draw"]),
        ("Outcome", ["Win", "LOSS", "tie"]),
        ("Game Result", ["2", "0", "1"]),
        ("Result", ["1", "0", "0.5"]),
        ("Result", ["1", "-1", "0"]),
        ("Result", ["3", "0", "1"]),
        ("W,L,D", ["1,,", ",1,", ",,1"]),
        ("Wins,Losses,Draws", ["1,0,0", "0,1,0", "0,0,1"]),
        ("Winner", ["Ann Example", "Bob Invented", "Draw"]),
        ("Winner", ["Moles", "Owls", "draw"]),
        ("Winner", ["1", "2", "D"]),
        ("Winner", ["Player 1", "player 2", "Tie"]),
        ("Result 2", ["L", "W", "D"]),
        ("VP,Opp VP", ["81,80", '"7,5",8', "5,5"]),
        ("p1_vp,p2_vp", ["81.5,80", "0,1", "0,0"]),
    ],
)  # fmt: skip
def test_results_are_told_in_many_ways(tmp_path, columns, cells):
    rows = [
        f"{number},Ann Example,Moles,Bob Invented,Owls,{cell}"
        for number, cell in enumerate(cells, start=1)
    ]
    head = f"Round,Player A,Faction A,Player B,Faction B,{columns}"
    games = read(tmp_path, "\n".join([head, *rows])).games.sort("round")
    moles = [r if f == "Moles" else 1 - r for f, r in games.select("faction", "result").rows()]
    assert moles == [1, 0, 0.5]


def test_other_forms_of_files(tmp_path):
    expected = seen(read(tmp_path, ONE_ROW))
    tabs = read(tmp_path, ONE_ROW.replace(",", "\t"), name="games.tsv")
    semicolons = read(tmp_path, "\ufeff" + ONE_ROW.replace(",", ";").replace("\n", "\r\n"))
    head, *rows = [line.split(",") for line in ONE_ROW.splitlines()]
    objects = [dict(zip(head, row, strict=True)) for row in rows]
    for item in objects:
        item["Round"] = int(item["Round"])
    many = json.dumps({"made": "by hand", "games": objects})
    lines = "\n".join(map(json.dumps, objects))
    assert seen(tabs) == seen(semicolons) == expected
    assert seen(read(tmp_path, many, name="games.json")) == expected
    assert seen(read(tmp_path, lines, name="games.jsonl")) == expected


def test_objects_within_objects(tmp_path):
    item = {"event": "Open", "round": 1, "winner": 1}
    item |= {"player1": {"name": "Ann Example", "faction": "Moles", "vp": 7}}
    item |= {"player2": {"name": "Bob Invented", "faction": "Owls", "vp": None}}
    results = read(tmp_path, json.dumps([item, 3]), name="games.json")
    [game] = results.games.rows(named=True)
    assert {game["faction"], game["opponent_faction"]} == {"Moles", "Owls"}
    assert results.reasons() == {"it is no object with names and values": 1}


def test_the_preview_says_what_was_taken_as_what(tmp_path):
    text = (
        TWO_ROWS.replace("Date,", "Secret,")
        .replace("\n", ",\n")
        .replace("Opp VP,", "Opp VP,Mission")
    )
    columns = read(tmp_path, text, edition="9e").columns
    meaning = dict(columns.drop_nulls("column").select("column", "meaning").rows())
    assert meaning["Opp Faction"] == "opponent faction"
    assert meaning["WLD"] == "result"
    assert meaning["Mission"] is meaning["Secret"] is None
    lacking = columns.filter(pl.col("column").is_null())["meaning"].to_list()
    assert lacking == ["date", "detachment", "edition"]
    examples = dict(columns.drop_nulls("column").select("column", "examples").rows())
    assert examples["Player"] == examples["Opponent"] == examples["Secret"] == []
    assert examples["Faction"] == ["Moles", "Owls", "Bats"]


def test_the_user_may_say_what_columns_are(tmp_path):
    text = (
        ONE_ROW.replace("Army 1", "Side").replace("Army 2", "Other Side").replace("Score 2", "Sc2")
    )
    told = ["Side=faction", "Other Side = opponent faction", "Sc2=opponent score"]
    assert seen(read(tmp_path, text, told=told)) == seen(read(tmp_path, ONE_ROW))
    swapped = ["Army 1=opponent faction", "Army 2=faction"]
    games = read(tmp_path, ONE_ROW, told=swapped)
    assert seen(games) != seen(read(tmp_path, ONE_ROW))
    no_dates = read(tmp_path, ONE_ROW, told=["Date=ignored"]).games
    assert no_dates["date"].null_count() == 4


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("Army", "no mapping; write COLUMN=MEANING"),
        ("Army 1=factoin", "did you mean 'faction'"),
        ("Army 9=faction", "no file has a column 'Army 9'; did you mean 'Army 2' or 'Army 1'"),
        ("Date=date, year first", "day first or month first"),
        ("Army 1=faction, day first", "only a date has a form"),
    ],
)
def test_wrong_mappings_are_told(tmp_path, told, words):
    with pytest.raises(DataError, match=words):
        read(tmp_path, ONE_ROW, told=[told])


def test_two_columns_cannot_be_one_thing(tmp_path):
    with pytest.raises(DataError, match="both 'Army 1' and 'Army 2' are said to be faction"):
        read(tmp_path, ONE_ROW, told=["Army 1=faction", "Army 2=faction"])
    twice = ONE_ROW.replace("Army 1", "Army 1,Faction").replace("Moles,80", "Moles,Moles,80")
    twice = twice.replace("Bats,55", "Bats,Bats,55").replace("Moles,40", "Moles,Moles,40")
    twice = twice.replace("Owls,70", "Owls,Owls,70")
    results = read(tmp_path, twice)
    why = dict(results.columns.drop_nulls("column").select("column", "why").rows())
    assert why["Army 1"] == "'Faction' was taken as faction"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "A,B\n1,2\n",
            "no column for a faction nor for the faction of the opponent nor for a result",
        ),
        ("Player,Faction,VP\nx,Moles,1\n", "nor for a result|the faction of the opponent"),
        ("Faction,Opp Faction,VP\nMoles,Owls,7\n", "for a result .or both scores, or a winner."),
        ("Faction A,Faction B,Result\nMoles,Owls,round\n", "for a result"),
        ("Faction A,Faction B,Result\n1,2,W\n", "for a faction nor for the faction of the opp"),
    ],
)
def test_missing_columns_are_named(tmp_path, text, words):
    with pytest.raises(DataError, match=words) as caught:
        read(tmp_path, text)
    assert "its columns are" in str(caught.value)


def test_names_of_columns():
    assert [m for m, _ in meanings("Player 2 Faction")][:1] == ["opponent faction"]
    assert [m for m, _ in meanings("opponentDetachment")] == ["opponent detachment"]
    assert [m for m, _ in meanings("Army List")] == []
    assert [m for m, _ in meanings("First Result")] == []


def test_games_since_a_day(tmp_path):
    text = ONE_ROW.replace("Spring Open,2031-03-01,1,Cy", "Old,,1,Cy")
    results = read(tmp_path, text).since(date(2031, 3, 2))
    assert results.games.height == 2
    assert results.warnings[-1] == (
        "since 2031-03-02: 1 earlier rows of the tables are left out, and 1 without a date"
    )
    with pytest.raises(DataError, match="no game has a date"):
        read(tmp_path, ONE_ROW, told=["Date=ignored"]).since(date(2031, 3, 2))


def test_records_of_players_at_events(tmp_path):
    text = """\
Player,Faction,Detachment,Primary,Wins,Losses,Draws,Games,Tournament,Date
Ann Example,Moles,Diggers,1.0,3,1,1,5,Open,2031-05-01
Ann Example,Owls,Night,,3,1,1,5,Open,2031-05-01
Bob Invented,Owls,Night,1.0,5,0,0,5,Open,2031-05-01
Cy Fictitious,Bats,,1.0,1,3,0,5,Open,2031-05-01
Dee Madeup,Bats,,1.0,1,3,1,5,Open,2031-05-01
Dee Madeup,Bats,,1.0,2,3,0,5,Open,2031-05-01
Eve Imagined,Bats,,1.0,0,0,0,5,Open,2031-05-01
Fay Imagined,Bats,,1.0,x,0,0,5,Open,2031-05-01
Gus Imagined,,,1.0,1,0,0,5,Open,2031-05-01
"""
    results = read(tmp_path, text)
    rows = results.standings.select("faction", "detachment", "wins", "draws", "losses").rows()
    expected = [("Moles", "Diggers", 3, 1, 1), ("Owls", "Night", 5, 0, 0), ("Bats", None, 1, 0, 3)]
    assert sorted(rows, key=str) == sorted(expected, key=str)
    assert results.games.is_empty()
    assert results.reasons() == {
        "a further detachment of an army that has its row": 1,
        "rows of one player at one event contradict each other": 2,
        "the player has no game": 1,
        "wins, draws and losses are not all numbers": 1,
        "the faction of the player is not told": 1,
    }
    assert results.notes["note"].to_list() == ["wins, draws and losses do not add up to the games"]
    settled(results)
