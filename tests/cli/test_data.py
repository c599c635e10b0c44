"""The shell's verbs about datasets of several sources: what is held, disagreements, exports, Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import polars as pl
import pytest
from killcurve.tables.collection import Collection
from killcurve.tables.dataset import Dataset
from killcurve.tables.layers import split
from killcurve.tables.precedence import Precedence

from tests.cli.test_cli import killcurve
from tests.sources.invented_export import export, write
from tests.tables.changing import MODEL, PRICE, contents, made


@pytest.fixture
def folder(tmp_path):
    """A dataset of two sources, which disagree on a price and a stat line."""
    other = made("bsdata", "2", date="2026-02-02", models=[{**MODEL, "toughness": 5}], points=[{**PRICE, "cost": 90}])  # fmt: skip
    Collection((*split(made()), *split(other))).save(tmp_path / "kept")
    return tmp_path / "kept"


def test_what_is_held(folder):
    told = killcurve("data", "--data", str(folder)).stdout
    assert "rows by table: used of those held" in told
    assert "0 of 1" in told
    assert all(line in told for line in Precedence().in_words())


def test_conflicts_within_a_folder(folder, tmp_path):
    told = killcurve("data", "conflicts", str(folder), "--csv", str(tmp_path / "all.csv"))
    assert "2 values differ: 1 of profiles, 1 of prices, 0 of rules" in told.stdout
    assert "80 (wh40kdc 1 of 2026-01-01)" in told.stdout
    assert pl.read_csv(tmp_path / "all.csv")["used"].to_list() == [4, 80]
    tried = killcurve("data", "conflicts", str(folder), "--order", "prices=bsdata").stdout
    assert "prices: bsdata > field manual" in tried
    assert Dataset.load(folder).points["cost"].to_list() == [80]
    none = killcurve("data", "conflicts", "default")
    assert "no value that both have differs" in none.stdout
    wrong = killcurve("data", "conflicts", str(folder), "--order", "bsdta")
    assert wrong.returncode == 1
    assert wrong.stderr.count("\n") == 1
    assert "did you mean 'bsdata'" in wrong.stderr


def test_the_help_states_the_precedence():
    told = killcurve("data", "conflicts", "--help").stdout
    assert all(line in told for line in Precedence().in_words())


@pytest.mark.parametrize("form", ["parquet", "csv", "arrow", "sqlite"])
def test_exports(folder, tmp_path, form):
    into = tmp_path / ("all.sqlite" if form == "sqlite" else "files")
    done = killcurve("data", "export", str(folder), "--into", str(into), "--as", form)
    assert done.returncode == 0
    paths = done.stdout.splitlines()
    assert len(paths) == (1 if form == "sqlite" else len(list(into.iterdir())))
    none = killcurve("data", "export", str(folder), "--into", str(into), "--edition", "10e")
    assert none.returncode == 1
    assert "only of 11e" in none.stderr


def test_what_is_preferred_in_an_import_is_kept(tmp_path):
    tables = write(tmp_path / "export", export())
    into = tmp_path / "into"
    made("page", edition="10e").save(into)
    done = killcurve("import", "wahapedia", str(tables), "--into", str(into), "--prefer", "wahapedia")  # fmt: skip
    assert done.returncode == 0
    assert Dataset.load(into).prefer == ("wahapedia",)
    wrong = killcurve("import", "wahapedia", str(tables), "--into", str(into), "--prefer", "x=y")
    assert wrong.returncode == 1
    assert "no field 'x'" in wrong.stderr
    killcurve("import", "default", "--into", str(into), "--prefer", "")
    whole = Dataset.load(into)
    assert whole.prefer == ()
    assert whole.editions == ("11e", "10e")


SLOW = """
import sys, time
from killcurve.sources import importing
def slow(folder):
    print("reading", flush=True)
    time.sleep(60)
importing.read_export = slow
from killcurve.cli import run
run()
"""


@pytest.mark.skipif(os.name == "nt", reason="interrupts are others there")
def test_an_interrupted_import_leaves_everything(folder, tmp_path):
    write(tmp_path / "export", export())
    before = contents(folder)
    for into, told in (
        (folder, f"{folder} is as it was"),
        (tmp_path / "new", "nothing was written"),
    ):
        process = subprocess.Popen(
            [sys.executable, "-c", SLOW, "import", "wahapedia", str(tmp_path / "export"), "--into", str(into)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdout.readline() == "reading\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 130
        assert errors == f"killcurve: stopped; {told}\n"
    assert contents(folder) == before
    assert not (tmp_path / "new").exists()


@pytest.mark.skipif(os.name == "nt", reason="there are no such terminals")
def test_progress_is_shown_to_terminals_only(tmp_path):
    import pty

    tables = write(tmp_path / "export", export())
    arguments = [sys.executable, "-c", "from killcurve.cli import run; run()", "import", "wahapedia", str(tables), "--into"]  # fmt: skip
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*arguments, str(tmp_path / "one")], stdout=subprocess.DEVNULL, stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    assert process.wait(timeout=60) == 0
    os.close(ours)
    assert b"reading the export" in shown
    assert "reading the export" not in killcurve(*arguments[3:], str(tmp_path / "two")).stderr
