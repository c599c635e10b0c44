"""The shell's verbs, as processes: output, messages, exit status."""

from __future__ import annotations

import io
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
        (("report", "unit", "Raiderr", "--out", "x"), "did you mean 'Raider'"),
        (("report", "unit", "Raider", "--data", "nowhere"), "holds no dataset"),
        (("report", "faction", "Orkz", "--out", "x"), "did you mean 'Orks'"),
        (("report", "meta", "--since", "nowhere", "--out", "x"), "holds no dataset"),
        (("report", "list", "nowhere.txt", "--out", "x"), "no file nowhere.txt"),
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


@pytest.mark.parametrize("verb", ["explain", "compare-editions"])
def test_other_verbs_answer_a_line_each_and_go_on_after_an_error(verb):
    lines = [json.dumps(SCENARIO), "[]", json.dumps(SCENARIO)]
    done = killcurve(verb, "-", "--json", stdin="\n".join(lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [("error" in a) for a in answers] == [False, True, False]
    assert answers[0] == answers[2]
    assert done.stderr == "killcurve: scenario 2: [] is not an object with keys\n"


def test_explain_and_compare_in_words():
    told = killcurve("explain", "-", stdin=json.dumps(SCENARIO)).stdout
    assert "hit 2/3 (0.6667)" in told
    covered = {**SCENARIO, "context": {"cover": True}}
    told = killcurve("compare-editions", "-", stdin=json.dumps(covered)).stdout
    assert "cover (RULES.md §12.1)" in told


def test_the_manual_is_there():
    done = killcurve("manual")
    assert done.returncode == 0
    assert "command re-roll" in done.stdout


TOO_MUCH = {
    "attacker": {
        "weapons": [{"count": 60, "attacks": 2, "skill": 3, "strength": 5, "damage": "D3",
                     "keywords": ["sustained hits 1", "devastating wounds"]}],
        "effects": ["command re-roll"],
    },
    "target": {"models": [{"count": 20, "toughness": 4, "save": 3, "wounds": 3}]},
}  # fmt: skip


def test_what_takes_too_long_is_refused_with_the_way_out():
    done = killcurve("solve", "-", "--json", stdin=json.dumps(TOO_MUCH))
    (answer,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert "--unlimited" in answer["error"]
    assert answer["where"] == "attacker.weapons"


def test_a_fault_of_the_product_is_told_in_one_line(monkeypatch, capsys):
    import typer
    from killcurve import cli
    from killcurve.study import solve as room

    def broken(*_, **__):
        raise ZeroDivisionError("none")

    monkeypatch.setattr(room, "solve", broken)
    monkeypatch.setattr("sys.stdin", type("In", (), {"buffer": io.BytesIO(b"{}")}))
    with pytest.raises(typer.Exit) as ended:
        cli.solve("-", json=True)
    assert ended.value.exit_code == 1
    out, err = capsys.readouterr()
    assert "please report" in json.loads(out)["error"]
    assert "Traceback" not in err


@needs_shared
@pytest.mark.parametrize(
    ("verb", "folder", "table", "read"),
    [("points", "points-11e", "datasheets", 1805), ("wahapedia", "wahapedia-10e-2026-01", "weapons", 9159)],
)  # fmt: skip
def test_imports_count_every_row(tmp_path, verb, folder, table, read):
    done = killcurve("import", verb, str(SHARED / "real" / folder), "--into", str(tmp_path / "own"),
                     "--json")  # fmt: skip
    assert done.returncode == 0
    counts = json.loads(done.stdout)
    assert counts[table]["read"] == read
    assert all(c["read"] == c["kept"] + c["set_aside"] for c in counts.values())
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("verb", ["points", "wahapedia"])
def test_an_import_of_nothing_writes_nothing(tmp_path, verb):
    done = killcurve("import", verb, str(tmp_path), "--into", str(tmp_path / "own"))
    assert done.returncode == 1
    assert done.stderr.startswith("killcurve: ")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "own").exists()


def test_data_shows_what_is_loaded_and_where_datasets_differ():
    told = killcurve("data").stdout
    assert told.startswith("wh40kdc ")
    assert "with stat line" in told
    same = killcurve("data", "diff", "default", "default")
    assert same.returncode == 0
    assert "Traceback" not in same.stderr
    nowhere = killcurve("data", "conflicts", "default", "/no/such/folder")
    assert nowhere.returncode == 1
    assert "holds no dataset" in nowhere.stderr


@needs_shared
def test_catalogues_are_imported_and_compared(tmp_path):
    folder = str(tmp_path / "catalogues")
    done = killcurve(
        "import", "bsdata", str(SHARED / "real" / "bsdata-11e"), "--into", folder, "--json"
    )
    counts = json.loads(done.stdout)
    assert counts["datasheets"]["kept"] >= 1000
    assert "Imperium - Space Marines" in done.stderr
    told = killcurve("data", "conflicts", "default", folder).stdout
    assert "values differ" in told
    assert {"wh40kdc", "bsdata"} <= set(told.replace("(", " ").split())
