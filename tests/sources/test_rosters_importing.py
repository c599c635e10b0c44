"""Lists in a user's folder: beside its dataset, once each, all of them or none."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from killcurve.sources.importing import import_rosters
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.roster_schemas import ROSTERS, RosterProfiles, RosterStatLines
from killcurve.tables.rosters import Roster, names
from killcurve.tables.schemas import SCHEMAS, Models, Weapons

from tests.sources import invented_lists as lists


def folder(path: Path, **files: str) -> list[Path]:
    found = []
    for name, content in files.items():
        found.append(path / f"{name}.txt")
        found[-1].write_text(content, encoding="utf-8")
    return found


def held(path: Path) -> dict[str, bytes]:
    return {str(p.relative_to(path)): p.read_bytes() for p in path.rglob("*") if p.is_file()}


@pytest.fixture
def into(tmp_path) -> Path:
    lists.host().save(tmp_path / "mine")
    return tmp_path / "mine"


def test_lists_are_kept_beside_the_dataset(tmp_path, into):
    before = Dataset.load(into)
    done = import_rosters(folder(tmp_path, one=lists.GW_11, two=lists.WTC), into)
    after = Dataset.load(into)
    assert names(after) == ["one", "two"]
    assert done.counts()["roster_units"] == {"read": 10, "kept": 10, "set_aside": 0}
    assert after.about.source == before.about.source
    for table in set(SCHEMAS) - set(ROSTERS):
        assert after[table].equals(before[table])
    for table in ROSTERS:
        assert after[table].equals(done.dataset[table])


def test_a_list_of_the_same_name_is_replaced(tmp_path, into):
    lost = lists.GW_11.replace("Fangs", "Void fangs")
    import_rosters(folder(tmp_path, one=lost, two=lists.WTC), into)
    assert Dataset.load(into)["roster_unplaced"].height == 1
    short = lists.GW_11.split("OTHER")[0]
    import_rosters(folder(tmp_path, one=short), into)
    after = Dataset.load(into)
    assert names(after) == ["one", "two"]
    assert len(Roster.of(after, "one").units) == 2
    assert len(Roster.of(after, "two").units) == 5
    assert after["roster_unplaced"].is_empty()


def test_importing_again_changes_nothing(tmp_path, into):
    files = folder(tmp_path, one=lists.GW_11)
    import_rosters(files, into)
    before = held(into)
    import_rosters(files, into)
    assert held(into) == before


def test_lists_stay_when_other_data_are_imported(tmp_path, into):
    from killcurve.sources.importing import import_points

    from tests.sources.test_points import CHOIR
    from tests.sources.test_points import base as choir

    choir().save(into)
    import_rosters(folder(tmp_path, one=lists.GW_11.replace("Ember Host", "Iron Choir")), into)
    (tmp_path / "mfm").mkdir()
    (tmp_path / "mfm" / "choir.yaml").write_text(CHOIR)
    import_points(tmp_path / "mfm", into)
    assert names(Dataset.load(into)) == ["one"]


def test_an_empty_folder_gets_the_default(tmp_path, dataset):
    text = "Army (85 points)\n\nDrukhari\n\nRaider (85 points)\n  • 1x Dark lance\n"
    import_rosters(folder(tmp_path, one=text), tmp_path / "new")
    after = Dataset.load(tmp_path / "new")
    assert after["weapons"].equals(dataset["weapons"])
    assert Roster.of(after).units[0].datasheet == "Raider"


def test_another_dataset_gives_the_names(tmp_path, into):
    done = import_rosters(folder(tmp_path, one=lists.GW_11), None, into)
    assert done.dataset["roster_units"]["faction"].unique().to_list() == [lists.HOST]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine", "one.txt"]


def test_one_bad_file_and_nothing_is_written(tmp_path, into):
    before = held(into)
    with pytest.raises(DataError, match=r"bad\.txt is no army list"):
        import_rosters(folder(tmp_path, one=lists.GW_11, bad="Hello"), into)
    assert held(into) == before
    with pytest.raises(DataError, match=r"bad\.txt"):
        import_rosters(folder(tmp_path, bad="Hello"), tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_list_of_an_edition_that_the_dataset_lacks_is_told(tmp_path, into):
    done = import_rosters(folder(tmp_path, one=lists.GW_10), None, into)
    assert done.warnings == (
        "one.txt: the list is of the 10th edition, the dataset of the 11th: names and prices may "
        "have changed",
    )
    row = done.dataset["rosters"].row(0, named=True)
    assert (row["edition"], row["list_edition"], row["data_version"]) == ("11e", "10e", "v886")


def test_profiles_have_the_columns_of_their_tables():
    place = {"source", "edition", "version", "roster", "unit"}
    for own, like in ((RosterStatLines, Models), (RosterProfiles, Weapons)):
        columns = {n: str(c.dtype) for n, c in own.columns().items() if n not in place}
        wanted = {n: str(c.dtype) for n, c in like.columns().items() if n not in place}
        assert columns == {n: t for n, t in wanted.items() if n not in ("faction", "datasheet")}


def killcurve(*args: str, cwd: Path):
    return subprocess.run(
        [sys.executable, "-c", "from killcurve.cli import run; run()", *args],
        capture_output=True, text=True, timeout=120, check=False, cwd=cwd,
    )  # fmt: skip


def test_the_verb(tmp_path, into):
    folder(tmp_path, one=lists.GW_11.replace("640", "650"), bad="Hello")
    shown = killcurve("import", "roster", "one.txt", "--data", "mine", cwd=tmp_path)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "its units add up to 640: 10 less" in shown.stdout
    assert "written" not in shown.stdout
    counted = killcurve("import", "roster", "one.txt", "--into", "mine", "--json", cwd=tmp_path)
    counts = json.loads(counted.stdout)
    assert counts["rosters"] == {"read": 1, "kept": 1, "set_aside": 0}
    assert set(counts) == {"rosters", "roster_units", "roster_models", "roster_weapons"}
    assert names(Dataset.load(into)) == ["one"]
    kept = killcurve("import", "roster", "one.txt", "--into", "mine", cwd=tmp_path)
    assert kept.stdout.endswith("written to mine\n")
    refused = killcurve("import", "roster", "one.txt", "bad.txt", "--data", "mine", cwd=tmp_path)
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert refused.stderr.startswith("killcurve: bad.txt is no army list: no line of it has a unit")
    assert len(refused.stderr.splitlines()) == 1
