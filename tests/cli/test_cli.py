"""The shell's verbs, as processes: output, messages, exit status."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.conftest import SHARED, needs_shared

SCENARIO = {
    "attacker": {"weapons": [{"attacks": 10, "skill": 3, "strength": 4, "damage": 1}]},
    "target": {"models": [{"count": 11, "toughness": 4, "save": 3, "wounds": 1}]},
}


def killcurve(*args, stdin=""):
    return subprocess.run(
        [sys.executable, "-c", "from killcurve.cli import run; run()", *args],
        input=stdin, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_answers_a_line_each_and_goes_on_after_an_error():
    wrong = json.loads(json.dumps(SCENARIO))
    wrong["attacker"]["weapons"][0]["attacks"] = "D7"
    lines = [json.dumps(SCENARIO), "{broken", json.dumps(wrong), "", json.dumps(SCENARIO)]
    done = killcurve("solve", "-", "--json", stdin="\n".join(lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [("error" in a) for a in answers] == [False, True, True, False]
    assert answers[2]["where"] == "attacker.weapons[0].attacks"
    assert answers[0] == answers[3]
    assert "Traceback" not in done.stderr
    assert "scenario 3" in done.stderr


@pytest.mark.parametrize("name", ["one.json", "one.toml", "many.jsonl"])
def test_files_of_every_form(tmp_path, name):
    path = tmp_path / name
    if name.endswith("toml"):
        path.write_text(
            "[[attacker.weapons]]\nattacks = 10\nskill = 3\nstrength = 4\ndamage = 1\n"
            "[[target.models]]\ncount = 11\ntoughness = 4\nsave = 3\nwounds = 1\n"
        )
    else:
        path.write_text(json.dumps(SCENARIO) + "\n")
    done = killcurve("solve", str(path), "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["damage"]["mean"] == pytest.approx(10 / 9)


def test_words_for_people():
    done = killcurve("solve", "-", stdin=json.dumps(SCENARIO))
    assert "1.1111 on average" in done.stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("solve", "nowhere.json"), "no file"),
        (("report", "units", "Raiderr", "--out", "x"), "did you mean 'Raider'"),
        (("report", "units", "--data", "nowhere"), "holds no dataset"),
    ],
)
def test_errors_are_one_line_and_exit_1(tmp_path, monkeypatch, args, words):
    monkeypatch.chdir(tmp_path)
    done = killcurve(*args)
    assert done.returncode == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_importing_the_package_is_quick():
    """Under 0.3 s beyond the interpreter is a promise; that no heavy library loads is its reason."""
    code = (
        "import sys, killcurve; "
        "print([m for m in ('polars', 'scipy', 'pandas', 'matplotlib', 'numpy', 'wh40kdc') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@needs_shared
def test_the_conformance_check_runs():
    cases = (SHARED / "cases" / "attacks.jsonl").read_text(encoding="utf-8").splitlines()[:40]
    some = [json.loads(line)["scenario"] for line in cases]
    done = killcurve("solve", "-", "--json", stdin="\n".join(json.dumps(s) for s in some))
    assert len(done.stdout.splitlines()) == 40
