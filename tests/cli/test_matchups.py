"""The verbs exchange, reach, hold and transport: their output, files and messages."""

from __future__ import annotations

import json
import re

import polars as pl
import pytest
from killcurve.cli import app
from killcurve.study.exchange import frames
from killcurve.study.holding_ground import COLUMNS as HELD
from killcurve.study.reach import COLUMNS as REACHED
from killcurve.study.transports import FIRE
from killcurve.study.wrecks import LOSSES
from killcurve.tables.dataset import DataError
from typer.testing import CliRunner

SQUAD, BOYZ = "Intercessor Squad", "Boyz:10@Orks"
CREW = "Kabalite Warriors:10"

ASKED = [
    (("exchange", SQUAD, BOYZ, "--turns", "2"), frames.SUMMARY, 4),
    (("exchange", SQUAD, BOYZ, "--show", "joint", "--turns", "1"), frames.JOINT, None),
    (("reach", BOYZ, SQUAD, "--from", "9", "--to", "12"), REACHED, 4),
    (("reach", BOYZ, SQUAD, "--at", "9.5", "--rank", "5:2"), REACHED, 1),
    (("hold", SQUAD, BOYZ, "--phase", "both"), HELD, 1),
    (("transport", "Raider", CREW, "--deck", "11", "--at", BOYZ), FIRE, 2),
    (("transport", "Raider", CREW, "--demise", "D3", "--under", SQUAD), LOSSES, 3),
    (("transport", "Raider", CREW, "--combat"), LOSSES, 3),
]


def run(*args):
    """What a command prints; an error of data goes on to the caller."""
    done = CliRunner().invoke(app, list(args))
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.mark.parametrize(("args", "columns", "rows"), ASKED, ids=lambda x: str(x)[:40])
def test_json_csv_and_parquet_hold_the_same_rows(tmp_path, args, columns, rows):
    csv, parquet = tmp_path / "out.csv", tmp_path / "out.parquet"
    done = run(*args, "--json", "--csv", str(csv), "--parquet", str(parquet))
    assert done.exit_code == 0
    told = [json.loads(line) for line in done.stdout.splitlines()]
    frame = pl.read_parquet(parquet)
    assert dict(frame.schema) == columns
    assert told == frame.rows(named=True)
    assert rows is None or frame.height == rows
    assert pl.read_csv(csv).height == frame.height
    assert pl.read_csv(csv).columns == list(columns)


def test_tables_are_for_people():
    told = run("exchange", SQUAD, BOYZ, "--phase", "both").stdout
    assert "turn  side" in told
    assert "turn 1: A charges and fights: 5 × Knives and Fists" in told
    assert "left out: " in told
    assert "control_before" in run("hold", SQUAD, BOYZ).stdout


def test_options_reach_the_study():
    plain = json.loads(run("hold", SQUAD, BOYZ, "--json").stdout)
    helped = json.loads(run("hold", SQUAD, BOYZ, "--json", "--effect", "hit +1").stdout)
    covered = json.loads(run("hold", SQUAD, BOYZ, "--json", "--when", "cover").stdout)
    assert covered["below_starting"] < plain["below_starting"] < helped["below_starting"]
    old = json.loads(run("reach", BOYZ, SQUAD, "--at", "14", "--edition", "10e", "--json").stdout)
    new = json.loads(run("reach", BOYZ, SQUAD, "--at", "14", "--json").stdout)
    assert (old["charge_need"], new["charge_need"]) == (7, 8)
    other = ("--charge-reaches", "engagement")
    assert json.loads(run("reach", BOYZ, SQUAD, "--at", "14", "--json", *other).stdout)["charge_need"] == 6  # fmt: skip


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("exchange", SQUAD, "Boyzz"), "did you mean 'Boyz'"),
        (("exchange", SQUAD, "Boyz:3"), "no size of 3"),
        (("exchange", SQUAD, BOYZ, "--turns", "0"), "give 1 or more"),
        (("exchange", SQUAD, BOYZ, "--edition", "9e"), "there are 11e"),
        (("exchange", SQUAD, BOYZ, "--effect-a", "hitt +1"), "did you mean 'hit +1'"),
        (("exchange", SQUAD, BOYZ, "--when-b", "covr"), "did you mean 'cover'"),
        (("exchange", SQUAD, BOYZ, "--weapon", "Bolt Rifel"), "did you mean 'Bolt Rifle'"),
        (("reach", BOYZ, SQUAD, "--at", "1"), "more than 2"),
        (("reach", BOYZ, SQUAD, "--rank", "x"), "write MODELS:INCHES"),
        (("reach", BOYZ, SQUAD, "--rank", "0:1"), "1 model or more"),
        (("hold", SQUAD, BOYZ, "--dice", "9"), "from 1 to 4"),
        (("transport", "Raider", CREW, "--at", BOYZ), "--deck"),
        (("transport", "Raider", CREW, "--under", BOYZ), "--demise"),
        (("transport", "Raider", CREW), "say one of"),
        (("transport", "Raider", CREW, "--demise", "D7", "--under", BOYZ), "D3 and D6"),
        (("transport", "Raider", "Wracks:10", CREW, "--combat"), "20 spaces and there are 11"),
        (("transport", SQUAD, CREW, "--combat"), "no transport capacity"),
    ],
)
def test_errors_say_what_to_do(args, words):
    with pytest.raises(DataError, match=re.escape(words)):
        run(*args)


def test_every_verb_has_an_example_that_runs():
    import shlex

    from typer.main import get_command

    for name in ("exchange", "reach", "hold", "transport"):
        text = get_command(app).commands[name].help
        example = text.split("Example: killcurve ")[1].splitlines()[0]
        assert run(*shlex.split(example)).exit_code == 0
