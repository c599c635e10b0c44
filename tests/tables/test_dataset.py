"""Datasets: finding, saving, merging, and rows that break a contract."""

from __future__ import annotations

import killcurve
import polars as pl
import pytest
from killcurve.tables.building import checked, frame
from killcurve.tables.dataset import About, DataError, Dataset
from killcurve.tables.schemas import SCHEMAS

from tests.tables.changing import contents

ABOUT = About("test", "1", "11e", "2026-01-01")
WEAPON = {
    "faction": "Moles", "datasheet": "Digger", "weapon_id": "claw", "weapon": "Claw", "profile": "",
    "kind": "melee", "exclusive": False, "range": 0, "attacks": "D6+1", "skill": 3,
    "strength": "4", "ap": -1, "damage": "1", "keywords": ["lethal hits"],
}  # fmt: skip
WHERE = {"source": "test", "edition": "11e", "version": "1"}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"attacks": "D7"}, "attacks: regex"),
        ({"skill": 1}, "skill: min"),
        ({"skill": None}, "a weapon without skill is torrent"),
        ({"ap": 1}, "ap: max"),
        ({"weapon": None}, "weapon: nullability"),
        ({"kind": "thrown"}, "kind: nullability"),
    ],
)
def test_a_row_that_breaks_the_contract_is_set_aside_and_counted(change, reason):
    good, reasons = checked(
        "weapons", frame("weapons", [WEAPON, {**WEAPON, "weapon_id": "x", **change}], **WHERE)
    )
    assert good["weapon_id"].to_list() == ["claw"]
    assert reasons == {reason: 1}


def test_equal_rows_count_once_and_rows_with_the_same_key_are_counted():
    rows = [WEAPON, WEAPON, {**WEAPON, "attacks": "2"}]
    good, reasons = checked("weapons", frame("weapons", rows, **WHERE))
    assert good.height == 1
    assert reasons == {"another row has the same key": 1}


def test_every_table_survives_saving_and_loading(dataset, tmp_path):
    dataset.save(tmp_path / "first")
    again = Dataset.load(tmp_path / "first")
    assert again.about == dataset.about
    for table, schema in SCHEMAS.items():
        assert again[table].equals(dataset[table])
        assert schema.is_valid(again[table])
    second = tmp_path / "second"
    again.save(second)
    assert contents(tmp_path / "first") == contents(second)


def test_names_are_found_in_any_spelling(dataset):
    assert dataset.find("royal WARDEN") == ("Necrons", "Royal Warden")
    assert dataset.find("c'tan shard of the nightbringer", "necrons")[0] == "Necrons"


@pytest.mark.parametrize(
    ("name", "faction", "words"),
    [
        ("Intercesor Squad", None, "did you mean 'Intercessor Squad'"),
        ("Royal Warden", "Necron", "did you mean 'Necrons'"),
        ("Royal Warden", "Drukhari", "no unit 'Royal Warden'"),
        ("", None, "no unit ''"),
    ],
)
def test_a_name_that_is_not_there_gets_suggestions(dataset, name, faction, words):
    with pytest.raises(DataError, match=words):
        dataset.find(name, faction)


def test_a_folder_without_a_dataset_says_what_makes_one(tmp_path):
    with pytest.raises(DataError, match="killcurve import"):
        killcurve.load(tmp_path)
    with pytest.raises(DataError, match="no table 'weapon'; did you mean 'weapons'"):
        Dataset(ABOUT, {})["weapon"]


def test_effects_are_taken_apart(dataset):
    effects = dataset["effects"]
    assert effects.filter(pl.col("phrase") == "").is_empty()
    phrase = effects.filter(pl.col("what") == "reroll hits").row(0, named=True)
    assert phrase["phrase"].startswith("reroll hits")
