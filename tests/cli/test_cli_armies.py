"""The verbs army, breakpoints, needed, one-more, rank-loadouts: output, files and messages."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import killcurve
import polars as pl
import pytest
from killcurve.sources.rosters import read_rosters
from killcurve.study import breakpoints, enough, one_more, ranking
from killcurve.study.armies import units
from killcurve.study.armies.output import COLUMNS, WEAK
from killcurve.study.armies.redundancy import COLUMNS as REDUNDANCY
from killcurve.tables.dataset import DataError

from tests.cli.test_matchups import run

ROSTER = """\
Hunters (255 points)

Orks
Incursion (1000 points)

Boyz (75 points)
• 9x Boy
  • 9x Choppa
    9x Slugga
• 1x Boss Nob
  • 1x Power klaw
    1x Slugga

Boyz (75 points)
• 9x Boy
  • 9x Choppa
    9x Slugga
• 1x Boss Nob
  • 1x Power klaw
    1x Slugga

Paper Tigers (50 points)
• 3x Paper claws
"""


@pytest.fixture
def roster(tmp_path):
    path = tmp_path / "hunters.txt"
    path.write_text(ROSTER, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("options", "columns", "rows"),
    [
        (("--target", "MEQ"), "output", 3 * 7),
        (("--target", "MEQ", "--total", "--distance", "12"), "output", 2),
        (("--show", "weak", "--phase", "fight"), "weak", 11),
        (("--show", "redundancy", "--target", "MEQ", "--copies", "2"), "redundancy", 3),
        (("--show", "units"), "units", 3),
    ],
)
def test_an_army_in_four_views(tmp_path, roster, options, columns, rows):
    csv, parquet = tmp_path / "out.csv", tmp_path / "out.parquet"
    done = run("army", roster, *options, "--json", "--csv", str(csv), "--parquet", str(parquet))
    assert done.exit_code == 0
    told = [json.loads(line) for line in done.stdout.splitlines()]
    frame = pl.read_parquet(parquet)
    contracts = {
        "output": COLUMNS, "weak": WEAK, "redundancy": REDUNDANCY, "units": units.COLUMNS,
    }  # fmt: skip
    assert dict(frame.schema) == contracts[columns]
    assert told == frame.rows(named=True)
    assert frame.height == rows == pl.read_csv(csv).height


def test_people_are_told_what_is_left_out(roster):
    told = run("army", roster, "--target", "MEQ", "--total").stdout
    assert "the whole list" in told
    assert "3 Paper Tigers (left out): " in told
    assert "the dataset has no datasheet for it" in told
    assert "\nleft out: " in told


def test_redundancy_is_of_shooting_unless_told(roster):
    args = ("army", roster, "--show", "redundancy", "--target", "GEQ", "--copies", "1", "--json")
    rows = [json.loads(line) for line in run(*args).stdout.splitlines()]
    assert {row["attack"] for row in rows} == {"any range"}
    near = [json.loads(line) for line in run(*args, "--phase", "both").stdout.splitlines()]
    assert {row["attack"] for row in near} == {"any range + fight"}
    assert near[1]["best"] > rows[1]["best"]


def test_a_list_of_a_folder_by_name(tmp_path, roster):
    base = killcurve.load()
    lists, _ = read_rosters([Path(roster)], base)
    folder = tmp_path / "data"
    replace(base, tables={**base.tables, **lists.tables}).save(folder)
    of_folder = ("--data", str(folder), "--show", "units", "--json")
    of_file = run("army", roster, "--show", "units", "--json").stdout
    assert run("army", "hunters", *of_folder).stdout == of_file
    assert run("army", "--roster", "hunters", *of_folder).stdout == of_file
    assert run("army", *of_folder).stdout == of_file
    with pytest.raises(DataError, match=r"there is no roster 'hunterz'.*hunters"):
        run("army", "hunterz", *of_folder)
    args = ("Boyz (2)", "MEQ", "--phase", "fight", "--chance", "0.5", "--json")
    of_list = run("needed", *args, "--roster", "hunters", "--data", str(folder)).stdout
    assert "Power Klaw" in of_list or "Power klaw" in of_list


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("army", "no-such-file.txt"), "no file no-such-file.txt"),
        (("army", "nobody"), "no roster 'nobody'"),
        (("army", "x", "--roster", "y"), "and not both"),
        (("needed", "Raider", "Rino"), "did you mean.*standard targets are"),
        (("needed", "Raider", "Rhino", "--chance", "2"), "between 0 and 1"),
        (("breakpoints", "Raider"), "several weapon lines"),
        (("one-more", "Raider", "--weapon", "lanse"), "no weapon 'lanse'"),
        (("rank-loadouts", "Raider", "--mix", "MEQ=much"), "TARGET=WEIGHT"),
        (("rank-loadouts", "Raider", "--mix", "MEQ=0"), "above 0"),
    ],
)
def test_what_is_wrong_is_said(args, words):
    with pytest.raises(DataError, match=words):
        run(*args)


def test_a_list_has_no_such_unit(roster):
    with pytest.raises(DataError, match=r"hunters has no unit 'Gretchin'.*Boyz \(1\), Boyz"):
        run("needed", "Gretchin", "MEQ", "--roster", roster)
    with pytest.raises(DataError, match="Paper Tigers cannot be computed"):
        run("needed", "3", "MEQ", "--roster", roster)


LANCE = ("Raider", "--weapon", "Dark lance")


@pytest.mark.parametrize(
    ("args", "columns", "rows"),
    [
        (("breakpoints", *LANCE, "--target", "Rhino"), breakpoints.STRENGTH_TOUGHNESS, 224),
        (("breakpoints", *LANCE, "--grid", "sv-ap"), breakpoints.SAVE_AP, 210),
        (("breakpoints", *LANCE, "--grid", "d-w"), breakpoints.DAMAGE_WOUNDS, None),
        (("needed", "Raider", "Rhino"), enough.COLUMNS, 12),
        (("needed", "Boyz:20@Orks", "MEQ", "--phase", "both"), enough.COLUMNS, None),
        (("one-more", *LANCE), one_more.COLUMNS, 77),
        (("one-more", *LANCE, "--target", "MEQ", "--target", "Boyz"), one_more.COLUMNS, 14),
        (("one-more", *LANCE, "--show", "summary"), one_more.SUMMARY, 7),
        (("one-more", *LANCE, "--against", "Imperial Knights"), one_more.SUMMARY, 7),
        (("rank-loadouts", "Raider"), ranking.COLUMNS, 2),
        (("rank-loadouts", "Raider", "--show", "targets", "--mix", "MEQ=2", "--mix",
          "Rhino (transport)=1"), ranking.BY_TARGET, 4),
    ],
    ids=lambda one: " ".join(one)[:60] if isinstance(one, tuple) else "",
)  # fmt: skip
def test_json_csv_and_parquet_hold_the_same_rows(tmp_path, args, columns, rows):
    csv, parquet = tmp_path / "out.csv", tmp_path / "out.parquet"
    done = run(*args, "--json", "--csv", str(csv), "--parquet", str(parquet))
    assert done.exit_code == 0
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    frame = pl.read_parquet(parquet)
    assert dict(frame.schema) == columns
    assert told == frame.rows(named=True)
    assert rows is None or frame.height == rows
    assert pl.read_csv(csv).height == frame.height


def test_options_reach_the_studies():
    def first(*args):
        return json.loads(run(*args, "--json").stdout.splitlines()[0])

    plain = first("needed", "Raider", "Rhino", "--chance", "0.5")
    helped = first("needed", "Raider", "Rhino", "--chance", "0.5", "--effect", "hit +1")
    assert helped["number"] < plain["number"]
    far = run("needed", "Raider", "Rhino", "--distance", "60", "--json").stdout
    assert far.strip() == ""
    covered = first("one-more", *LANCE, "--when", "cover")
    assert covered["damage"] < first("one-more", *LANCE)["damage"]
    shares = run(
        "rank-loadouts", "Raider", "--mix", "MEQ=3", "--mix", "TEQ", "--show", "targets", "--json"
    ).stdout.splitlines()
    assert [json.loads(row)["weight"] for row in shares] == [0.75, 0.25] * 2
    assert "2 loadouts, all shown" in run("rank-loadouts", "Raider", "--mix", "MEQ").stdout
