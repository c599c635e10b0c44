"""The verb ``results``, as a process: the account, the table, files, messages."""

from __future__ import annotations

import json
import subprocess
import sys

import polars as pl
import pytest

from tests.sources.test_results import NAMES, ONE_ROW


def killcurve(*args):
    return subprocess.run(
        [sys.executable, "-c", "from killcurve.cli import run; run()", "results", *map(str, args)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text(ONE_ROW.replace("Bats", "Orks"), encoding="utf-8")
    return path


def test_the_account_and_the_table(games, tmp_path):
    done = killcurve(games, "--csv", tmp_path / "out.csv", "--rows", tmp_path / "rows.csv")
    assert done.returncode == 0, done.stderr
    assert "4 rows read: 4 kept" in done.stdout
    assert "'Army 2' is the opponent faction" in done.stdout
    assert "unknown faction 'Moles'" in done.stdout
    assert "unknown faction 'Orks'" not in done.stdout
    assert "Win rates of factions" in done.stdout
    frame = pl.read_csv(tmp_path / "out.csv")
    assert frame["faction"].to_list() == ["Moles", "Orks", "Owls"]
    assert frame["rate"].to_list() == [0.375, 0.75, 0.5]
    assert pl.read_csv(tmp_path / "rows.csv")["fate"].to_list() == ["kept"] * 4
    for name in NAMES:
        assert name not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("by", "key"),
    [("faction", "faction"), ("matchup", "opponent_faction"), ("event", "method")],
)
def test_json_is_all_that_stands_on_standard_output(games, by, key):
    done = killcurve(games, "--by", by, "--json", "--since", "2031-03-01")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert rows
    assert all(key in row for row in rows)
    assert "4 rows read" in done.stderr


def test_columns_are_mapped_by_the_user(games):
    games.write_text(games.read_text().replace("Army 1", "Ours"))
    done = killcurve(games)
    assert done.returncode == 1
    assert "games.csv has no column for a faction; its columns are 'Event'" in done.stderr
    done = killcurve(games, "--map", "Ours=faction")
    assert done.returncode == 0
    assert "'Ours' is the faction (you said so" in done.stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--by", "detachment"), "no side of a game names its detachment; ask --by faction"),
        (("--since", "2032-01-01"), "no game left to study"),
        (("--map", "Army 2=army"), "'army' is no meaning of a column"),
    ],
)
def test_errors_are_one_line_and_exit_1(games, args, words):
    done = killcurve(games, *args)
    assert done.returncode == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_files_that_cannot_be_written_are_told(games, tmp_path):
    (tmp_path / "there").write_text("")
    done = killcurve(games, "--rows", tmp_path / "there" / "rows.csv")
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
