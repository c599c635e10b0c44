"""The verbs of charts: files, the same again, kinds, the gallery, messages."""

from __future__ import annotations

import json

import polars as pl
import pytest
from killcurve.charts import gallery as gallery_room
from killcurve.charts.kinds import KINDS
from killcurve.cli import app
from killcurve.cli.charts import read_frame
from killcurve.tables.dataset import DataError
from typer.testing import CliRunner

ROWS = pl.DataFrame(
    {"unit": ["Mole", "Newt", "Badger"], "share": [0.5, 0.25, None], "seen": ["2026-01-02"] * 3}
)
WAY = ("--source", "my games", "--date", "2026-08-20", "--edition", "11e")


def run(*args):
    """What a command prints; an error of data goes on to the caller."""
    done = CliRunner().invoke(app, ["chart", *map(str, args)])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture
def frame(tmp_path):
    path = tmp_path / "frame.csv"
    ROWS.write_csv(path)
    return path


def test_a_chart_and_the_same_again(frame, tmp_path):
    asked = ("ranked-bars", "--from", frame, "--set", "name=unit", "--set", "value=share")
    more = ("--set", "share=yes", "--set", "measure=of games", "--title", "Moles win", "--alt", "Bars",
            "--preset", "square", "--style", "dark", "--format", "svg,png")  # fmt: skip
    done = run(*asked, *more, *WAY, "--out", tmp_path / "out" / "one")
    assert done.exit_code == 0, done.output
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written == {"one.svg", "one.png", "one.txt", "one.csv", "one.json"}
    assert done.stdout.split() == [
        str(tmp_path / "out" / f"one.{e}") for e in ("svg", "png", "txt", "csv", "json")
    ]
    told = json.loads((tmp_path / "out" / "one.json").read_text())
    assert told["footer"].startswith("Data: my games of 2026-08-20 · 11th edition · killcurve ")
    assert (told["preset"], told["style"], told["title"]) == ("square", "dark", "Moles win")
    run("again", tmp_path / "out" / "one.json", "--out", tmp_path / "two" / "one")
    for path in (tmp_path / "out").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes(), path.name


def test_without_a_date_the_way_out_is_told(frame, tmp_path):
    with pytest.raises(DataError, match=r"no date of its data.*--date"):
        run("ranked-bars", "--from", frame, "--set", "name=unit", "--set", "value=share",
            "--source", "x", "--out", tmp_path / "one")  # fmt: skip
    assert not (tmp_path / "one.svg").exists()


def test_wrong_columns_are_told_with_near_names(frame, tmp_path):
    with pytest.raises(DataError, match=r"column 'shar'.*did you mean 'share'"):
        run("ranked-bars", "--from", frame, "--set", "name=unit", "--set", "value=shar", *WAY,
            "--out", tmp_path / "one")  # fmt: skip
    with pytest.raises(DataError, match="'value' is no setting: write NAME=VALUE"):
        run("ranked-bars", "--from", frame, "--set", "value", *WAY, "--out", tmp_path / "one")
    assert run("pie", "--from", frame).exit_code == 2


def test_kinds_are_listed_with_columns():
    rows = [json.loads(line) for line in run("kinds", "--json").stdout.splitlines()]
    assert [row["kind"] for row in rows] == list(KINDS)
    assert "kind=kind" in next(row["also"] for row in rows if row["kind"] == "forest")
    assert "log-ratio" in run("kinds").stdout
    assert all(name in run("--help").stdout for name in KINDS)


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "json", "jsonl"])
def test_frames_are_read_by_their_ending(tmp_path, ending):
    path = tmp_path / f"frame.{ending}"
    write = {
        "csv": ROWS.write_csv, "tsv": lambda p: ROWS.write_csv(p, separator="\t"),
        "parquet": ROWS.write_parquet, "json": ROWS.write_json, "jsonl": ROWS.write_ndjson,
    }  # fmt: skip
    write[ending](path)
    read = read_frame(path)
    assert read.drop("seen").equals(ROWS.drop("seen"))
    assert read.schema["seen"] == (pl.String if ending == "parquet" else pl.Date)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("x.xlsx", "", "ends in none of"), ("x.parquet", "no", "is no PARQUET"),
        ("x.json", "[1]", "not every row is an object"), ("x.json", "{", "is no JSON of rows"),
        ("x.csv", "", "is no CSV of rows"), ("missing.csv", None, "cannot be read"),
        ("missing.json", None, "cannot be read: No such file"),
    ],
)  # fmt: skip
def test_files_that_are_no_frames_are_told(tmp_path, name, content, problem):
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=problem):
        read_frame(tmp_path / name)


def test_the_gallery_is_a_page_of_its_own(monkeypatch, tmp_path):
    few = {name: KINDS[name] for name in ("tornado", "log-ratio")}
    monkeypatch.setattr(gallery_room, "KINDS", few)
    out = tmp_path / "gallery"
    assert run("gallery", "--out", out, "--preset", "square").stdout.split()[-1] == str(
        out / "index.html"
    )
    page = (out / "index.html").read_text()
    pictures = {path.name for path in out.glob("*.png")}
    assert pictures == {f"{k}-square-{s}.png" for k in few for s in ("light", "dark")}
    assert all(f'src="{name}"' in page for name in pictures)
    assert page.count(' alt="') == 4
    assert 'alt=""' not in page
    assert "http" not in page
