"""Several sources in one folder: in any order, again, older, preferred; pages and points among them."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import permutations

import pytest
from killcurve.sources.importing import (
    import_bsdata,
    import_community,
    import_default,
    import_pages,
    import_points,
    import_wahapedia,
)
from killcurve.tables.collection import Collection
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.schemas import SCHEMAS

from tests.sources.invented import NEW, OLD
from tests.sources.invented_export import export, export_11
from tests.sources.invented_export import write as write_export
from tests.sources.test_bsdata import write as write_catalogues
from tests.sources.test_points import CHOIR
from tests.sources.test_wheel import DATA, UNIT, wheel
from tests.tables.changing import contents

DIGGERS = [{**UNIT, "id": f"u{i}", "name": name} for i, name in enumerate(["Anvil's Guard", "Wolf Singers"])]  # fmt: skip


@pytest.fixture
def sources(tmp_path):
    """An import of each kind: a function of the folder it goes into."""
    page = tmp_path / "page.txt"
    page.write_text(NEW.text(), encoding="utf-8")
    os.utime(page, (1_790_000_000, 1_790_000_000))
    tenth = tmp_path / "old.txt"
    tenth.write_text(OLD.text(), encoding="utf-8")
    os.utime(tenth, (1_700_000_000, 1_700_000_000))
    manual = tmp_path / "manual"
    manual.mkdir()
    (manual / "choir.yaml").write_text(CHOIR, encoding="utf-8")
    units = [
        {**unit, "faction_id": "choir", "faction_keywords": ["Iron Choir"]} for unit in DIGGERS
    ]
    data = {**DATA, "factions": [{"id": "choir", "name": "Iron Choir"}], "units": units}
    archive = wheel(tmp_path, data)
    ten = write_export(tmp_path / "ten", export())
    eleven = write_export(tmp_path / "eleven", export_11())
    catalogues = write_catalogues(tmp_path / "catalogues", 11, "json")
    for path in catalogues.iterdir():
        os.utime(path, (1_780_000_000, 1_780_000_000))
    return {
        "page": lambda into: import_pages([page], into),
        "older page": lambda into: import_pages([tenth], into),
        "points": lambda into: import_points(manual, into),
        "community": lambda into: import_community(archive, into),
        "wahapedia 10e": lambda into: import_wahapedia(ten, into),
        "wahapedia 11e": lambda into: import_wahapedia(eleven, into),
        "bsdata": lambda into: import_bsdata(catalogues, into),
    }


def same(one, other):
    assert one.about == other.about
    assert one.set_aside == other.set_aside
    for table in SCHEMAS:
        assert one[table].equals(other[table]), table


@pytest.mark.parametrize(
    "names",
    [
        ("community", "points", "wahapedia 11e"),
        ("page", "wahapedia 10e", "older page"),
        ("community", "bsdata", "page", "points"),
    ],
)
def test_in_any_order_and_again(sources, tmp_path, names):
    """Points first would bring the embedded default: they come into a folder that has units."""
    first = None
    orders = [o for o in permutations(names) if o[0] != "points"]
    for number, order in enumerate(orders[:: max(1, len(orders) // 3)]):
        into = tmp_path / f"order-{number}"
        for name in order:
            sources[name](into)
        before = contents(into)
        sources[order[number % len(order)]](into)
        assert contents(into) == before
        whole = Dataset.load(into)
        for table, schema in SCHEMAS.items():
            assert schema.is_valid(whole[table])
        first = first or whole
        same(whole, first)


def test_units_of_all_sources_are_one_each(sources, tmp_path):
    for name in ("wahapedia 11e", "page", "points"):
        sources[name](tmp_path / "into")
    whole = Dataset.load(tmp_path / "into")
    guard = whole.datasheets.filter(datasheet="Anvil Guard")
    assert guard.select("faction", "edition", "source").rows() == [("Iron Choir", "11e", "page")]
    assert set(whole.of_unit("weapons", "Iron Choir", "Anvil Guard")["source"]) == {"page"}
    assert set(whole.of_unit("models", "Iron Choir", "Anvil Guard")["source"]) == {"wahapedia"}


def test_points_go_to_units_that_come_later(sources, tmp_path):
    """As if they had been there: the lists are kept and read anew."""
    sources["wahapedia 11e"](tmp_path / "into")
    early = sources["points"](tmp_path / "into")
    assert early.dataset.points.is_empty()
    sources["community"](tmp_path / "into")
    whole = Dataset.load(tmp_path / "into")
    assert whole.of_unit("points", "Iron Choir", "Anvil's Guard")["source"].unique().to_list() == [
        "field manual"
    ]


def test_an_older_version_leaves_the_newer_one(sources, tmp_path):
    older = export()
    older["Last_update"][1][0] = "2030-01-01 00:00:00"
    older["Datasheets_models"][1][3] = "9"
    sources["wahapedia 10e"](tmp_path / "into")
    before = contents(tmp_path / "into")
    result = import_wahapedia(write_export(tmp_path / "older", older), tmp_path / "into")
    assert contents(tmp_path / "into") == before
    assert (
        "holds wahapedia 2031-02-03 04:05:06 of 2031-02-03, which is newer" in result.warnings[-1]
    )
    newer = tmp_path / "other"
    import_wahapedia(tmp_path / "older", newer)
    result = sources["wahapedia 10e"](newer)
    assert not any("which is newer" in warning for warning in result.warnings)
    same(Dataset.load(newer), Dataset.load(tmp_path / "into"))


def test_what_is_preferred_is_kept_and_obeyed(sources, tmp_path):
    into = tmp_path / "into"
    sources["page"](into)
    import_wahapedia(tmp_path / "eleven", into, prefer=["wahapedia"])
    assert set(Dataset.load(into).weapons["source"]) == {"wahapedia"}
    sources["page"](into)
    whole = Dataset.load(into)
    assert whole.prefer == ("wahapedia",)
    assert set(whole.of_unit("weapons", "Iron Choir", "Anvil Guard")["source"]) == {"wahapedia"}
    import_wahapedia(tmp_path / "eleven", into, prefer=[])
    assert set(Dataset.load(into).of_unit("weapons", "Iron Choir", "Anvil Guard")["source"]) == {
        "page"
    }


def test_a_wish_that_is_none_writes_nothing(sources, tmp_path):
    with pytest.raises(DataError, match="did you mean 'wahapedia'"):
        import_wahapedia(tmp_path / "ten", tmp_path / "into", prefer=["wahapdia"])
    assert not (tmp_path / "into").exists()
    sources["page"](tmp_path / "into")
    before = contents(tmp_path / "into")
    with pytest.raises(DataError, match="no source 'x'"):
        import_wahapedia(tmp_path / "ten", tmp_path / "into", prefer=["x"])
    assert contents(tmp_path / "into") == before


def test_a_page_borrows_only_what_nobody_has(tmp_path):
    """A page of the 10th edition has no stat line; one of the default's edition stands in."""
    page = tmp_path / "warden.txt"
    page.write_text(replace(OLD, title="Necrons – Royal Warden").text(), encoding="utf-8")
    import_pages([page], tmp_path / "into")
    whole = Dataset.load(tmp_path / "into")
    (line,) = whole.of_unit("models", "Necrons", "Royal Warden").rows(named=True)
    assert (line["edition"], line["source"]) == ("10e", "wh40kdc")
    assert line["version"].endswith(" (11e)")
    names = [layer.name for layer in Collection.load(tmp_path / "into").layers]
    assert names == ["borrowed-10e", "page-10e"]
    tables = export()
    tables["Factions"][1][1] = "Necrons"
    sheet = tables["Datasheets"]
    sheet[1][sheet[0].index("name")] = "Royal Warden"
    import_wahapedia(write_export(tmp_path / "ten-more", tables), tmp_path / "into")
    lines = Dataset.load(tmp_path / "into").of_unit("models", "Necrons", "Royal Warden")
    assert set(lines["source"]) == {"wahapedia"}


def test_the_default_is_one_source_among_others(sources, tmp_path, dataset):
    import_default(tmp_path / "into")
    alone = Dataset.load(tmp_path / "into")
    for table in SCHEMAS:
        assert alone[table].equals(dataset[table]), table
    assert alone.about == dataset.about
    sources["wahapedia 10e"](tmp_path / "into")
    both = Dataset.load(tmp_path / "into")
    assert both.editions == ("11e", "10e")
    same_sheets = both.of_edition("11e")
    for table in SCHEMAS:
        assert same_sheets[table].equals(dataset[table]), table


def test_steps_are_told(tmp_path):
    told = []
    import_default(tmp_path / "into", tell=told.append)
    assert told == ["loading the embedded default", "joining the sources", "writing the tables"]
