"""Frames on their way out: tables, JSON lines, CSV and Parquet."""

from __future__ import annotations

import json

import polars as pl
import pytest
from killcurve.cli.output import as_csv, as_table, show
from killcurve.tables.dataset import DataError
from polars.testing import assert_frame_equal

FRAME = pl.DataFrame(
    {
        "unit": ["Mole", "Old Mole", "Mole, young"],
        "army": ["Moles"] * 3,
        "cost": [5, 1250, None],
        "chance": [0.5, 1e-9, float("nan")],
        "rules": [["digs", "hides"], [], None],
        "elite": [True, False, None],
    }
)


def test_tables_stand_upright_or_in_columns():
    lines = as_table(FRAME).splitlines()
    assert lines[0] == "army: Moles"
    assert lines[2].split() == ["unit", "cost", "chance", "rules", "elite"]
    assert lines[3] == "Mole             5  0.5000  digs; hides  yes"
    assert lines[4] == "Old Mole     1,250   1e-09  –            no"
    assert lines[5] == "Mole, young      –       –  –            –"
    assert as_table(FRAME[:1]).splitlines()[0] == "unit    Mole"


def test_wide_tables_go_on_in_blocks():
    told = as_table(FRAME, width=30)
    blocks = told.split("\n\n")[1:]
    assert len(blocks) > 1
    assert all(block.startswith("unit") for block in blocks)
    assert max(map(len, told.splitlines())) <= 30
    words = {word for block in blocks for word in block.splitlines()[0].split()}
    assert words == set(FRAME.columns) - {"army"}


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([12.5, 3.0], ["12.50", "3.00"]),
        ([123456.7, 3.0], ["123,457", "3"]),
        ([2.0, 3.0], ["2", "3"]),
        ([-0.0, 0.25], ["0.0000", "0.2500"]),
    ],
)
def test_numbers_of_a_column_have_the_same_decimals(values, told):
    table = as_table(pl.DataFrame({"x": values}))
    assert [line.strip() for line in table.splitlines()[1:]] == told


def test_json_lines_hold_plain_values(capsys):
    show(FRAME, json=True)
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[0]["rules"] == ["digs", "hides"]
    assert rows[2]["chance"] is None
    assert [row["cost"] for row in rows] == [5, 1250, None]


def test_files_hold_every_value(tmp_path, capsys):
    csv, parquet = tmp_path / "a" / "out.csv", tmp_path / "out.parquet"
    show(FRAME, csv=csv, parquet=parquet)
    assert_frame_equal(pl.read_parquet(parquet), FRAME)
    back = pl.read_csv(csv)
    assert back["unit"].to_list() == FRAME["unit"].to_list()
    assert back["rules"].to_list() == ["digs; hides", "", None]
    assert back["chance"][1] == 1e-9
    out, err = capsys.readouterr()
    assert "army: Moles" in out
    assert err.count("wrote") == 2
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["a", "out.csv", "out.parquet"]


def test_what_cannot_be_written_is_told(tmp_path, capsys):
    blocked = tmp_path / "file"
    blocked.write_text("old")
    with pytest.raises(DataError, match="cannot be written"):
        show(FRAME, csv=blocked / "out.csv")
    assert blocked.read_text() == "old"
    assert capsys.readouterr().out == ""


def test_a_failed_file_leaves_the_old_one(tmp_path, monkeypatch):
    path = tmp_path / "out.csv"
    path.write_text("old")
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "no space")))
    with pytest.raises(DataError, match="no space"):
        show(FRAME, csv=path)
    assert path.read_text() == "old"


def test_nothing_is_told_of_no_rows(capsys):
    show(FRAME.clear())
    assert capsys.readouterr().out == "no rows\n"
    show(FRAME.clear(), json=True)
    assert capsys.readouterr().out.strip() == ""
    assert as_csv(FRAME.clear()).decode().strip() == ",".join(FRAME.columns)
