"""Tables that are not right: what is odd is counted and listed, what is no table is refused."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from killcurve.sources.results import games as pairing
from killcurve.sources.results import read_results
from killcurve.sources.results import statements as telling
from killcurve.tables.dataset import DataError

from tests.sources.test_results import FACTIONS, ONE_ROW, TWO_ROWS, read, settled

HEAD = "Event,Date,Round,Player,Faction,VP,Result,Opponent,Opp Faction,Opp VP\n"
SOUND = "Open,2031-03-01,1,ann,Moles,80,W,bob,Owls,60\n"
MIRROR = "Open,2031-03-01,1,bob,Owls,60,L,ann,Moles,80\n"


def fates(results) -> dict[int, tuple[str, str | None]]:
    return {row: (fate, reason) for _, row, fate, reason in results.rows.rows()}


@pytest.mark.parametrize(
    ("rows", "games", "reasons"),
    [
        (SOUND + MIRROR, 1, {}),
        (SOUND + SOUND, 1, {pairing.DUPLICATE: 1}),
        (SOUND + MIRROR + MIRROR + SOUND, 1, {pairing.DUPLICATE: 2}),
        (SOUND + MIRROR.replace(",L,", ",W,"), 0, {pairing.CONTRADICTION: 2}),
        (SOUND.replace(",W,", ",L,") + MIRROR, 0, {pairing.CONTRADICTION: 2}),
        (SOUND + SOUND.replace(",W,", ",D,"), 0, {pairing.CONTRADICTION: 2}),
        (SOUND + SOUND.replace("Moles", "Bats"), 0, {pairing.OTHER_FACTIONS: 2}),
        (SOUND.replace("bob,Owls,60", "BYE,,"), 0, {telling.BYE: 1}),
        (SOUND.replace("bob,Owls,60", ",,"), 0, {telling.BYE: 1}),
        ("Open,2031-03-01,1,ann,Moles,,,,,\n", 0, {telling.BLANK: 1}),
        (SOUND.replace("bob", "Ann"), 0, {telling.ONESELF: 1}),
        (SOUND.replace(",W,", ",,").replace("60", "").replace("80", ""), 0, {pairing.NO_RESULT: 1}),
        (SOUND.replace("Owls", ""), 0, {pairing.NO_FACTION: 1}),
        (SOUND.replace("Moles", ""), 0, {pairing.NO_FACTION: 1}),
        (SOUND.replace("ann,Moles", ","), 0, {telling.NO_OWN_FACTION: 1}),
        (SOUND + "\n,,,,,,,,,\n" + MIRROR, 1, {"the row is empty": 2}),
        (SOUND + "Open,2031-03-01,1,cy\n", 1, {"the row has 4 cells, not 10": 1}),
        (SOUND + SOUND.replace("\n", ",x\n"), 1, {"the row has 11 cells, not 10": 1}),
    ],
)
def test_rows_that_are_left_out_have_their_reason(tmp_path, rows, games, reasons):
    results = read(tmp_path, HEAD + "Other,,1,x,Bats,1,L,y,Owls,2\n" + rows)
    assert results.games.height == games + 1
    assert results.reasons() == reasons
    settled(results)


def test_contradicting_rows_name_each_other(tmp_path):
    results = read(
        tmp_path, HEAD + SOUND + MIRROR.replace(",L,", ",W,") + SOUND.replace("bob", "cy")
    )
    told = fates(results)
    assert told[2] == ("set aside", f"{pairing.CONTRADICTION}: row 3")
    assert told[3] == ("set aside", f"{pairing.CONTRADICTION}: row 2")
    assert told[4] == ("kept", None)
    assert "(rows 2, 3)" in results.in_words()


@pytest.mark.parametrize(
    ("rows", "note", "expected"),
    [
        (SOUND.replace("60", "99"), "another result than the one that is told", {"result": 1.0}),
        (SOUND + MIRROR.replace("60", "61"), pairing.OTHER_SCORES, {"opponent_score": None}),
        (SOUND.replace("Moles", "Owls") + MIRROR, pairing.OWN_ROW_COUNTS, {"faction": "Owls"}),
        (SOUND.replace(",1,", ",Final,"), "the round is no number", {"round": None}),
        (SOUND.replace("2031-03-01", "soon"), "the date is not understood", {"date": None}),
        (SOUND.replace("2031-03-01", "31/02/2031"), "the date is not understood", {"date": None}),
        (SOUND.replace("2031-03-01", "03/04/2031"), "day or the month first", {"date": None}),
        (SOUND.replace("80", "many"), "the score is no number", {"score": None}),
        (SOUND.replace(",W,", ",yes,"), "the result is not understood", {"result": 1.0}),
        (
            SOUND.replace("Owls", "") + SOUND.replace(",1,", ",2,").replace("ann", "cy"),
            pairing.FROM_OTHER_GAMES,
            {"opponent_faction": "Owls"},
        ),
        (
            SOUND.replace("2031-03-01", "") + SOUND.replace(",1,", ",2,"),
            "that of the event was taken",
            {"date": date(2031, 3, 1)},
        ),
    ],
)  # fmt: skip
def test_what_is_kept_though_odd_is_noted(tmp_path, rows, note, expected):
    sound = "".join(f"Other,2031-06-01,{n},x,Bats,1,L,y,Owls,2\n" for n in (1, 2))
    results = read(tmp_path, HEAD + rows + sound)
    assert any(note in told for told in results.notes["note"])
    games = results.games.filter((pl.col("event") == "Open") & (pl.col("round").fill_null(1) == 1))
    [row] = games.rows(named=True)
    assert expected.items() <= row.items() or expected.items() <= turned(row).items()
    settled(results)


def turned(row: dict) -> dict:
    sides = {"faction": "opponent_faction", "score": "opponent_score"}
    sides |= {theirs: ours for ours, theirs in sides.items()}
    other = {name: row[sides.get(name, name)] for name in row}
    return {**other, "result": 1 - row["result"]}


def test_a_row_without_a_round_belongs_to_the_pairs_only_game(tmp_path):
    results = read(tmp_path, HEAD + SOUND + MIRROR.replace(",1,", ",,"))
    assert results.games["round"].to_list() == [1]
    assert results.counts()["other_side"] == 1


def test_dates_of_many_forms_in_one_column(tmp_path):
    forms = [
        "2031-03-01", "2031-03-01 00:00:00", "2031-03-01T18:30:00Z", "1 Mar 2031", "March 1, 2031",
        "1st March 2031", "Sat, 1 Mar 2031", "20310301", "2031/3/1", "01.03.2031", "01/03/2031",
        "1-3-31", "47908", "47908.0",
    ]  # fmt: skip
    rows = [
        f"Open {number},{form if ',' not in form else chr(34) + form + chr(34)},1,ann,Moles,1,W,bob,Owls,0\n"
        for number, form in enumerate([*forms, "25/12/2031"])
    ]
    results = read(tmp_path, HEAD + "".join(rows))
    dates = results.games.filter(pl.col("event") != f"Open {len(forms)}")["date"]
    assert dates.to_list() == [date(2031, 3, 1)] * len(forms)
    assert results.notes.is_empty()


def test_the_order_of_day_and_month_comes_from_the_column_or_the_user(tmp_path):
    rows = HEAD + SOUND.replace("2031-03-01", "03/04/2031")
    american = rows + SOUND.replace("Open,2031-03-01", "B,12/25/2031")
    both = american + SOUND.replace("Open,2031-03-01", "C,25/12/2031")

    def of_open(text, **how):
        return read(tmp_path, text, **how).games.filter(event="Open")["date"].to_list()

    assert of_open(american) == [date(2031, 3, 4)]
    assert of_open(both) == of_open(rows) == [None]
    assert of_open(rows, told=["Date=date, day first"]) == [date(2031, 4, 3)]
    assert of_open(both, told=["Date=date, month first"]) == [date(2031, 3, 4)]


def test_unknown_factions_are_kept_and_told(tmp_path):
    text = ONE_ROW.replace("Owls", "Owels").replace("Bats", "TOADS").replace("Moles", "moles")
    results = read(tmp_path, text, factions=(*FACTIONS, "Toads"))
    factions = {*results.games["faction"], *results.games["opponent_faction"]}
    assert factions == {"Moles", "Owels", "Toads"}
    assert results.warnings == (
        "unknown faction 'Owels' (cells: 2), kept as it is; the nearest known is 'Owls'",
    )


def test_other_names_of_one_faction(tmp_path):
    text = ONE_ROW.replace("Owls", "Tau").replace("Bats", "t'au empire").replace("Moles", "AdMech")
    known = ("T’au Empire", "Adeptus Mechanicus")
    results = read(tmp_path, text, factions=known)
    assert {*results.games["faction"], *results.games["opponent_faction"]} == {*known}
    assert results.warnings == (
        "'AdMech' was read as 'Adeptus Mechanicus' (cells: 4)",
        "'Tau' was read as 'T’au Empire' (cells: 2)",
    )


def test_one_name_at_distant_dates_is_several_events(tmp_path):
    later = SOUND.replace("2031-03-01", "2032-03-05")
    results = read(tmp_path, HEAD + SOUND + later + SOUND.replace(",1,", ",2,"))
    assert results.games["event"].to_list() == [
        "Open (2031-03-01)", "Open (2031-03-01)", "Open (2032-03-05)",
    ]  # fmt: skip
    assert results.warnings == ("'Open' is taken as 2 events, from 2031-03-01, 2032-03-05",)


def without_players(text: str) -> str:
    drop = ("Player 1", "Player 2", "Player", "Opponent")
    head, *rows = [line.split(",") for line in text.splitlines()]
    kept = [i for i, name in enumerate(head) if name not in drop]
    return "\n".join(",".join(row[i] for i in kept) for row in [head, *rows]) + "\n"


def test_tables_without_players_tell_one_side_or_both(tmp_path):
    one, two = (read(tmp_path, without_players(t)) for t in (ONE_ROW, TWO_ROWS))
    assert one.games.equals(two.games)
    assert one.games["player"].null_count() == 4
    assert two.counts()["other_side"] == 4
    alone = without_players(TWO_ROWS) + "Spring Open,2031-03-02,2,Owls,9,W,Bats,8\n"
    results = read(tmp_path, alone)
    assert results.games.height == 5
    assert results.notes["note"].to_list() == [pairing.ALONE]


def test_one_player_a_row_is_enough_to_number_both(tmp_path):
    lines = [line.split(",") for line in TWO_ROWS.splitlines()]
    where = lines[0].index("Opponent")
    text = "\n".join(",".join(line[:where] + line[where + 1 :]) for line in lines)
    results = read(tmp_path, text)
    games = results.games
    assert {*games["player"], *games["opponent"]} == {1, 2, 3, 4}
    assert results.counts()["other_side"] == games.height == 4


def test_a_file_without_events_is_one(tmp_path):
    text = ONE_ROW.replace("Event,", "Table No,")
    games = read(tmp_path, text, name="club night 11e.csv").games
    assert games["event"].unique().to_list() == ["club night 11e"]
    assert games["edition"].unique().to_list() == ["11e"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "games.xlsx",
            b"PK\x03\x04",
            "is a spreadsheet, which is not read here; save the table as CSV",
        ),
        ("games.ods", b"PK\x03\x04", "is a spreadsheet"),
        ("games.pdf", b"%PDF", "no known ending"),
        ("games.csv", b"", "is empty"),
        ("games.csv", b"Faction,Result\n", "has no rows"),
        ("games.csv", b"Faction,Result\n,\n\n", "nothing but empty rows"),
        ("games.csv", "Faction,Result\nMoles,W\n".encode("utf-16"), "UTF-16"),
        ("games.csv", b"Faction\nM\xf4les\n", "not in UTF-8"),
        ("games.csv", b'Faction,Result\n"' + b"x" * 140_000 + b'",W\n', "field larger"),
        ("games.json", b"{", "is no JSON"),
        ("games.json", b"[" * 100_000, "nested too deeply"),
        ("games.json", b"[]", "holds no list of objects"),
        ("games.json", b'{"a": 1}', "holds no list of objects"),
        ("games.json", b'{"a": [{"x": 1}], "b": [{"x": 1}]}', "holds no list of objects"),
    ],
)
def test_files_that_are_no_tables_are_refused_by_name(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=words) as caught:
        read_results([tmp_path / name])
    assert "games." in str(caught.value)


def test_files_of_one_name_and_files_that_are_not_there(tmp_path):
    (tmp_path / "a").mkdir()
    for folder in (tmp_path, tmp_path / "a"):
        (folder / "games.csv").write_text(ONE_ROW)
    with pytest.raises(DataError, match=r"two files are called games\.csv"):
        read_results([tmp_path / "games.csv", tmp_path / "a" / "games.csv"])
    with pytest.raises(DataError, match="cannot be read"):
        read_results([tmp_path / "none.csv"])


CELLS = st.one_of(
    st.sampled_from(
        ["", "W", "L", "D", "1", "2", "Moles", "Owls", "ann", "bob", "bye", "2031-03-01"]
    ),
    st.text(max_size=6),
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.lists(CELLS, min_size=10, max_size=10), max_size=8))
def test_any_cells_are_read_or_set_aside(tmp_path, rows):
    def cell(text: str) -> str:
        return '"' + text.replace('"', '""').replace("\r", " ").replace("\0", "") + '"'

    text = HEAD + SOUND + "".join(",".join(map(cell, row)) + "\n" for row in rows)
    path = tmp_path / "games.csv"
    path.write_text(text, encoding="utf-8", errors="replace", newline="")
    told = ["Result=result", "VP=score", "Faction=faction", "Opp Faction=opponent faction"]
    results = read_results([path], told=[*told, "Player=player"], factions=FACTIONS)
    settled(results)
    results.in_words()


def test_editions_are_named_by_number(tmp_path):
    assert read(tmp_path, ONE_ROW, edition="9th edition").games["edition"].unique().to_list() == [
        "9e"
    ]
    with pytest.raises(DataError, match="'newest' is no edition; write it as 9e or 11e"):
        read(tmp_path, ONE_ROW, edition="newest")


def test_spreadsheet_formulas_are_no_values(tmp_path):
    text = TWO_ROWS.replace(",W,", ',"=IF(G2=1,""W"","""")",', 1)
    results = read(tmp_path, text)
    assert results.games.height == 4
    assert results.counts()["notes"] == {"the result is not understood": 1}
