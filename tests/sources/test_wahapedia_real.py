"""The two real exports, where they lie beside the project: counts and values read by hand."""

from __future__ import annotations

import time

import polars as pl
import pytest
from killcurve.sources.importing import import_wahapedia
from killcurve.sources.wahapedia import Reading, read_files
from killcurve.study.efficiency import efficiency
from killcurve.study.lines import attacker
from killcurve.study.targets import defender
from killcurve.tables.dataset import Dataset

from tests.conftest import SHARED, needs_shared

pytestmark = needs_shared
REAL = SHARED / "real"


@pytest.fixture(scope="module")
def november() -> Reading:
    start = time.perf_counter()
    reading = read_files(REAL / "wahapedia-10e-2025-11")
    print(f"read in {time.perf_counter() - start:.1f} s")
    return reading


@pytest.fixture(scope="module")
def january() -> Reading:
    return read_files(REAL / "wahapedia-10e-2026-01")


class TestCounts:
    def test_rows_read(self, november):
        read = {name.removesuffix(".csv"): told["read"] for name, told in november.files.items()}
        assert len(read) == 20
        assert read["Datasheets"] == 1676
        assert read["Datasheets_wargear"] == 9139
        assert read["Datasheets_models"] == 1780
        assert read["Stratagems"] == 1290
        assert read["Datasheets_stratagems"] == 74102
        assert november.warnings == ()

    @pytest.mark.parametrize("which", ["november", "january"])
    def test_rows_kept_and_set_aside_are_the_rows_read(self, which, request):
        for name, told in request.getfixturevalue(which).files.items():
            parts = dict(told)
            read = parts.pop("read")
            assert sum(parts.values()) == read, name
            assert all(number >= 0 for number in parts.values()), name

    def test_what_is_kept(self, november):
        data = november.dataset
        assert data.datasheets.height == 1675
        assert data.models.height == 1776
        assert data.weapons.height == 8954
        assert data.stratagems.height == 1282
        assert data["enhancements"].height == 797
        assert data["detachments"].height == 227
        assert int(data.datasheets["legends"].sum()) == 568
        assert set(data.set_aside["weapons"]) == {
            "an empty row, of a unit without weapons",
            "its datasheet is no unit of Datasheets.csv",
        }
        assert data["weapon_keywords"].filter(~pl.col("known"))["ability"].n_unique() == 12

    def test_the_later_export_has_plain_keywords_and_no_points(self, january):
        assert january.dataset.about.version == "2026-01-31 22:11:01"
        assert january.warnings == ("Datasheets_models_cost.csv is missing: units have no points",)
        assert january.dataset.points.is_empty()
        found = january.dataset["weapon_keywords"].filter(~pl.col("known"))["ability"]
        assert found.n_unique() == 12


class TestValues:
    def test_weapons_of_the_pages(self, november):
        columns = ("weapon", "attacks", "skill", "strength", "ap", "damage", "keywords")
        found = {
            row["weapon"]: tuple(row[c] for c in columns[1:])
            for row in november.dataset.of_unit(
                "weapons", "Imperial Knights", "Acastus Knight Porphyrion"
            ).rows(named=True)
        }
        assert found["Helios defence missiles"] == (
            *("3", 3, "10", -2, "D6"),
            ["anti-fly 2+", "heavy"],
        )
        assert found["Titanic feet"] == ("6", 4, "10", -1, "2", [])

    def test_sizes_and_loadouts(self, november):
        data = november.dataset
        faction, gretchin = data.find("Gretchin")
        assert data.of_unit("datasheets", faction, gretchin)["models_min"].to_list() == [11]
        assert {line.name: line.count for line in attacker(data, "Boyz").lines}["Slugga"] == 10

    def test_most_units_have_their_default_weapons(self, november):
        data = november.dataset
        keys = ["faction", "datasheet"]
        armed = data.weapons.select(keys).unique()
        bare = armed.join(data["default_weapons"], on=keys, how="anti")
        assert armed.height == 1656
        assert bare.height <= 5


class TestStudies:
    def test_efficiency_of_an_imported_unit(self, tmp_path):
        result = import_wahapedia(REAL / "wahapedia-10e-2025-11", tmp_path)
        assert result.counts()["models"] == {"read": 1780, "kept": 1776, "set_aside": 4}
        data = Dataset.load(tmp_path)
        unit, target = attacker(data, "Royal Warden"), defender(data, "Intercessor Squad")
        table = efficiency([unit], [target])
        assert set(table["weapon"]) == {"Relic gauss blaster", "Close combat weapon"}
        assert table["damage"].min() > 0
        assert set(table["points"]) == {unit.points}

    def test_every_unit_with_weapons_can_attack(self, november):
        data = november.dataset
        for faction, name in (
            data.datasheets.select("faction", "datasheet").sample(60, seed=7).rows()
        ):
            assert attacker(data, name, faction).datasheet.casefold() == name.casefold()
