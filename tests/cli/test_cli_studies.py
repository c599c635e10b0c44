"""The verbs efficiency, durability and matrix: their output, files and messages."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace

import polars as pl
import pytest
from killcurve.cli import app
from killcurve.study.armed import combatant, standard_combatants
from killcurve.study.durability import COLUMNS as NEEDED
from killcurve.study.efficiency import UNIT_COLUMNS, unit_efficiency
from killcurve.study.matrix import COLUMNS as MET
from killcurve.tables.dataset import DataError
from typer.main import get_command
from typer.testing import CliRunner

SQUAD, BOYZ = "Intercessor Squad", "Boyz:20@Orks"

ASKED = [
    (("efficiency", "Raider", BOYZ, "--target", "MEQ", "--phase", "shooting"), UNIT_COLUMNS, 2),
    (("efficiency", SQUAD, "--by", "all", "--target", "Boyz"), UNIT_COLUMNS, 8),
    (("efficiency", "Raider", "--phase", "shooting"), UNIT_COLUMNS, 11),
    (("durability", BOYZ, "--attacker", SQUAD, "--phase", "fight", "--chance", "0.5"), NEEDED, 2),
    (("matrix", "Raider", "Boyz", SQUAD), MET, 6),
    (("matrix", "Raider", "--standard"), MET, 11),
    (("matrix", "Raider", SQUAD, "--target", BOYZ), MET, 2),
]


def run(*args):
    """What a command prints; an error of data goes on to the caller."""
    done = CliRunner().invoke(app, list(args))
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def told(*args) -> list[dict]:
    """The rows that a command prints as JSON."""
    return [json.loads(line) for line in run(*args, "--json").stdout.splitlines()]


@pytest.mark.parametrize(("args", "columns", "rows"), ASKED, ids=lambda x: str(x)[:50])
def test_json_csv_and_parquet_hold_the_same_rows(tmp_path, args, columns, rows):
    csv, parquet = tmp_path / "out.csv", tmp_path / "out.parquet"
    found = told(*args, "--csv", str(csv), "--parquet", str(parquet))
    frame = pl.read_parquet(parquet)
    assert dict(frame.schema) == columns
    if "log_ratio" in columns:  # JSON has no infinity
        finite = pl.when(pl.col("log_ratio").is_finite()).then("log_ratio")
        assert found == frame.with_columns(finite.alias("log_ratio")).rows(named=True)
    else:
        assert found == frame.rows(named=True)
    assert frame.height == rows
    assert pl.read_csv(csv).height == rows
    assert pl.read_csv(csv).columns == list(columns)


def test_numbers_are_those_of_the_study(dataset):
    own, target = combatant(dataset, "Raider"), standard_combatants(dataset)[0]
    expected = unit_efficiency([own], [target.target], phases=["shooting"])
    asked = ("efficiency", "Raider", "--target", target.name, "--phase", "shooting")
    assert told(*asked) == expected.rows(named=True)


def test_options_reach_the_study():
    asked = ("efficiency", SQUAD, "--target", "MEQ", "--phase", "shooting")
    [plain] = told(*asked)
    [helped] = told(*asked, "--effect", "hit +1")
    [covered] = told(*asked, "--when", "cover")
    assert covered["damage"] < plain["damage"] < helped["damage"]
    [ten] = told(*asked, "--models", "10")
    assert (plain["models"], ten["models"]) == (5, 10)
    [named] = told("efficiency", f"{SQUAD}:10", *asked[2:], "--models", "5")
    assert named == ten
    [whole] = told(*asked, "--scoring", "whole")
    assert whole["points_removed"] == pytest.approx(plain["destroyed"] * plain["target_points"])
    [more] = told(*asked, "--bonus", "1")
    both = plain["points_removed"] + whole["points_removed"]
    assert more["points_removed"] == pytest.approx(both)
    early, late = (told("efficiency", "Raider", *asked[2:], "--copy", n)[0] for n in "14")
    assert (early["copy"], late["copy"]) == (1, 4)
    assert early["points"] < late["points"]


def test_cover_is_another_thing_in_the_10th_edition():
    asked = ("efficiency", SQUAD, "--target", "GEQ", "--phase", "shooting", "--when", "cover")
    [new], [old] = told(*asked), told(*asked, "--edition", "10e")
    assert new["damage"] != old["damage"]


def test_the_matrix_of_a_faction_is_mirrored():
    rows = told("matrix", "--faction", "Leagues of Votann", "--phase", "shooting")
    ratios = {(row["attacker"], row["target"]): row["log_ratio"] for row in rows}
    assert len(ratios) == len(rows) > 100
    for (one, other), ratio in ratios.items():
        back = ratios[other, one]
        assert (ratio is None) is (back is None)
        assert ratio is None or ratio == -back


def test_tables_are_for_people():
    shown = run("durability", SQUAD, "--attacker", "GEQ", "--phase", "shooting").stdout
    assert "9 × Lasgun" in shown
    assert "mean_hits" in shown
    assert "log_ratio" in run("matrix", "Raider", "Boyz").stdout


def test_what_is_missing_is_told_on_standard_error(monkeypatch):
    done = run("efficiency", "Broodlord", "Raider", "--phase", "shooting", "--target", "MEQ")
    assert done.exit_code == 0
    assert "Broodlord has no weapon for shooting" in done.stderr
    import killcurve.study.armed as room

    def free(*args, **asked):
        made = combatant(*args, **asked)
        return replace(made, attacker=replace(made.attacker, points=None))

    monkeypatch.setattr(room, "combatant", free)
    done = run("efficiency", "Raider", "--target", "Boyz", "--json")
    assert "the data has no cost of Raider, Boyz" in done.stderr
    assert json.loads(done.stdout.splitlines()[0])["damage_per_100"] is None


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("efficiency", "Boyzz"), "did you mean 'Boyz'"),
        (("efficiency", "Boyz:3"), "no size of 3"),
        (("efficiency", "Boyz", "--target", "Guardsmn (GEQ)"), "did you mean 'Guardsmen (GEQ)'"),
        (("efficiency", "Boyz", "--effect", "hitt +1"), "did you mean 'hit +1'"),
        (("efficiency", "Boyz", "--when", "covr"), "did you mean 'cover'"),
        (("efficiency", "Boyz", "--edition", "9e"), "there are 11e"),
        (("efficiency", "Boyz", "--enhancement", "Nonsense"), "no enhancement 'Nonsense'"),
        (("durability", "Boyz", "--chance", "1"), "between 0 and 1"),
        (("durability", "Boyz", "--attacker", "Boyzz"), "did you mean 'Boyz'"),
        (("matrix", "--faction", "Orcs"), "did you mean 'Orks'"),
        (("matrix",), "--everything"),
        (("matrix", "Boyz"), "nobody to meet"),
    ],
)
def test_errors_say_what_to_do(args, words):
    with pytest.raises(DataError, match=re.escape(words)):
        run(*args)


def test_units_without_weapons_say_so():
    with pytest.raises(DataError, match="has a weapon for shooting or fight"):
        run("efficiency", "Mucolid Spores")
    with pytest.raises(DataError, match="has a weapon for shooting"):
        run("efficiency", "Broodlord", "--phase", "shooting")


@pytest.mark.parametrize("name", ["efficiency", "durability", "matrix"])
def test_every_verb_has_an_example_that_runs(name):
    text = get_command(app).commands[name].help
    example = text.split("Example: killcurve ")[1].splitlines()[0]
    assert run(*shlex.split(example)).exit_code == 0
