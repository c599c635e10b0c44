"""Real exports, catalogues and points as one dataset: units are joined, in any order."""

from __future__ import annotations

import polars as pl
import pytest
from killcurve.sources.bsdata import read_catalogues
from killcurve.sources.importing import import_bsdata, import_default, import_points
from killcurve.sources.wahapedia import read_export
from killcurve.tables.collection import Collection
from killcurve.tables.conflicts import conflicts_within
from killcurve.tables.dataset import Dataset
from killcurve.tables.layers import split
from killcurve.tables.naming import faction_key, loose_key
from killcurve.tables.schemas import SCHEMAS

from tests.conftest import SHARED

REAL = SHARED / "real"
pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="the real inputs are not here")


@pytest.fixture(scope="module")
def tenth() -> Collection:
    read = (read_export(REAL / "wahapedia-10e-2025-11"), read_catalogues(REAL / "bsdata-10e"))
    return Collection(tuple(layer for dataset, _ in read for layer in split(dataset)))


@pytest.fixture(scope="module")
def tenth_merged(tenth) -> Dataset:
    return tenth.merged()


class TestTenthEdition:
    def test_units_of_both_sources_are_one(self, tenth, tenth_merged):
        exported, catalogued = (layer.dataset.datasheets for layer in tenth.layers)
        assert (exported.height, catalogued.height) == (1675, 1891)
        assert tenth_merged.datasheets.height == 1911
        assert tenth_merged.datasheets["source"].value_counts().sort("source").rows() == [
            ("bsdata", 236),
            ("wahapedia", 1675),
        ]

    def test_no_unit_stands_there_twice(self, tenth_merged):
        names = [
            (faction_key(faction), loose_key(name))
            for faction, name in tenth_merged.datasheets.select("faction", "datasheet").rows()
        ]
        twice = {name for name in names if names.count(name) > 1}
        assert twice == {
            ("chaos daemons", "hellflayer")
        }  # the export has Hellflayer and Hellflayers

    def test_factions_of_two_names_are_one(self, tenth_merged):
        factions = set(tenth_merged.datasheets["faction"])
        assert {"Space Marines", "Imperial Agents"} <= factions
        assert not {"Adeptus Astartes", "Agents of the Imperium"} & factions

    def test_a_unit_has_its_weapons_from_one_source(self, tenth_merged):
        unit = ["faction", "datasheet"]
        for table in ("weapons", "models", "points", "compositions"):
            sources = tenth_merged[table].group_by(unit).agg(pl.col("source").n_unique())
            assert sources["source"].max() == 1, table

    def test_where_the_catalogues_have_a_shared_weapons_skill(self, tenth):
        """A Captain shoots his plasma pistol at 2+; the shared profile has 3+."""
        found = conflicts_within(tenth).filter(
            (pl.col("datasheet") == "Captain") & (pl.col("column") == "skill")
        )
        pistols = found.filter(pl.col("what").str.contains("Plasma pistol"))
        assert set(pistols["used"]) == {"2"}
        assert set(pistols["second"]) == {"3"}
        assert set(pistols["used_source"]) == {"wahapedia"}

    def test_disagreements_are_few(self, tenth):
        found = conflicts_within(tenth)
        assert 400 < found.height < 700
        assert found.filter(pl.col("used") != pl.col("first")).is_empty()


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The default, catalogues and points of the 11th edition in two orders."""
    made = []
    for name, order in (("one", "dbp"), ("two", "dpb")):
        into = tmp_path_factory.mktemp(name) / "into"
        for step in order:
            if step == "d":
                import_default(into)
            elif step == "b":
                import_bsdata(REAL / "bsdata-11e", into)
            else:
                import_points(REAL / "points-11e", into)
        made.append(into)
    return made


class TestEleventhEdition:
    def test_the_order_does_not_matter(self, folders):
        one, two = map(Dataset.load, folders)
        assert one.about == two.about
        for table, schema in SCHEMAS.items():
            assert one[table].equals(two[table]), table
            assert schema.is_valid(one[table]), table

    def test_units_are_joined(self, folders, dataset):
        whole = Dataset.load(folders[0])
        (catalogued,) = (
            layer.dataset.datasheets
            for layer in Collection.load(folders[0]).layers
            if layer.about.source == "bsdata"
        )
        assert dataset.datasheets.height == 1096
        assert whole.datasheets.height == 1505
        assert 1096 + catalogued.height - 1505 == 691  # units that both have

    def test_prices_are_those_of_the_field_manual(self, folders):
        whole = Dataset.load(folders[0])
        counts = dict(whole.points["source"].value_counts().rows())
        assert counts["field manual"] > 1900
        found = conflicts_within(Collection.load(folders[0]))
        costs = found.filter((pl.col("table") == "points") & (pl.col("column") == "cost"))
        used = costs.filter(pl.col("used_source") == "field manual")
        assert used.height > 0.9 * costs.height
        assert set(used["used_date"]) == {"2026-07-22"}

    def test_points_found_units_that_only_the_catalogues_have(self, folders, dataset):
        whole = Dataset.load(folders[1])
        new = whole.datasheets.join(dataset.datasheets, on=["faction", "datasheet"], how="anti")
        priced = whole.points.filter(pl.col("source") == "field manual")
        assert priced.join(new, on=["faction", "datasheet"], how="semi").height > 100
