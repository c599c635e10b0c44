"""A dataset of two editions: every question is answered in one of them."""

from __future__ import annotations

import killcurve
import pytest
from killcurve.study.lines import attacker
from killcurve.study.targets import defender
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.layers import split
from killcurve.tables.merging import merged

from tests.tables.changing import CLAW, MODEL, PRICE, SHEET, made

GUN = {**CLAW, "weapon_id": "gun", "weapon": "Gun", "kind": "ranged", "range": 12}
OLD = {"faction": "Newts", "datasheet": "Newt"}


@pytest.fixture(scope="module")
def both() -> Dataset:
    tenth = made(
        "wahapedia", "2025-11-14", edition="10e", date="2025-11-14",
        datasheets=[{**SHEET, "models_min": 3}, {**SHEET, **OLD}],
        models=[{**MODEL, "toughness": 9, "wounds": 9}, {**MODEL, **OLD}],
        weapons=[GUN, {**GUN, **OLD}],
        points=[{**PRICE, "cost": 50}, {**PRICE, **OLD}],
    )  # fmt: skip
    return merged([*split(tenth), *split(made(points=[]))])


def test_a_unit_is_taken_from_its_newest_edition(both):
    assert both.editions == ("11e", "10e")
    assert both.find("diggers") == ("Moles", "Diggers")
    assert both.of_unit("weapons", "Moles", "Diggers")["weapon"].to_list() == ["Claw"]
    assert both.of_unit("points", "Moles", "Diggers").is_empty()  # it has a price in the other
    assert both.of_unit("weapons", "Newts", "Newt")["edition"].to_list() == ["10e"]
    assert both.of_unit("weapons", "Moles", "Diggers", "10e")["weapon"].to_list() == ["Gun"]
    assert both.of_unit("weapons", "Nobody", "Nowhere").is_empty()
    assert both.edition_of("Moles", "Diggers") == "11e"
    assert both.edition_of("Nobody", "Nowhere") is None


def test_attackers_and_targets_are_of_one_edition(both):
    unit = attacker(both, "Diggers")
    assert (unit.edition, unit.points, [line.name for line in unit.lines]) == (
        "11e",
        None,
        ["Claw"],
    )
    assert defender(both, "Diggers").target.groups[0].toughness == 4
    older = both.of_edition("10e")
    unit = attacker(older, "Diggers")
    assert (unit.edition, unit.points, [line.name for line in unit.lines]) == ("10e", 50, ["Gun"])
    assert defender(older, "Diggers").target.groups[0].toughness == 9
    assert attacker(both, "Newt").edition == "10e"


def test_a_view_has_one_edition_and_its_sources(both):
    older = both.of_edition("10e")
    assert older.editions == ("10e",)
    assert older.about.footer == "Data: wahapedia 2025-11-14 of 2025-11-14 · 10th edition"
    assert [about.source for about in older.sources] == ["wahapedia"]
    assert both.of_edition().about.edition == "11e"
    assert both.of_edition().datasheets.height == 1
    assert older.of_edition("10e") is older
    with pytest.raises(DataError, match=r"nothing of the edition '9e', only of 11e and 10e"):
        both.of_edition("9e")


def test_the_embedded_default_has_one(dataset):
    assert dataset.of_edition("11e") is dataset
    assert dataset.of_edition() is dataset
    with pytest.raises(DataError, match="only of 11e"):
        dataset.of_edition("10e")


def test_a_name_that_only_the_older_edition_has(both):
    assert both.find("newt") == ("Newts", "Newt")
    with pytest.raises(DataError, match="no unit 'Newt'"):
        both.of_edition("11e").find("Newt")


def test_a_folder_is_loaded_in_an_edition(both, tmp_path):
    both.save(tmp_path)
    assert killcurve.load(tmp_path).editions == ("11e", "10e")
    assert killcurve.load(tmp_path, "10e").editions == ("10e",)
