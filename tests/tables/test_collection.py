"""The layers of a folder: renewed, kept, written in one step, and told apart again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from killcurve.tables.collection import Collection
from killcurve.tables.conflicts import conflicts, conflicts_within
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.layers import Layer, renewed, split
from killcurve.tables.schemas import SCHEMAS

from tests.tables.changing import CLAW, MODEL, PRICE, SHEET, UNIT, contents, made


def layer(*args, **rows):
    (one,) = split(made(*args, **rows))
    return one


def dated(source, day, **rows):
    return layer(source, day, date=day, **rows)


NEWT = {"faction": "Newts", "datasheet": "Newt"}


class TestRenewing:
    @pytest.mark.parametrize("turned", [False, True])
    def test_the_newest_version_of_a_source_stays_whatever_comes_first(self, turned):
        old = dated("wahapedia", "2025-11-14", datasheets=[SHEET, {**SHEET, **NEWT}])
        new = dated("wahapedia", "2026-01-31", models=[{**MODEL, "toughness": 5}], points=[])
        first, second = (new, old) if turned else (old, new)
        whole = renewed(renewed(None, first, whole=True), second, whole=True)
        assert whole.about.version == "2026-01-31"
        assert whole.dataset.models["toughness"].to_list() == [5]
        assert whole.dataset.datasheets.height == 1  # what the new one has not any more is gone
        points = whole.dataset.points.select("version", "cost").rows()
        assert points == [("2025-11-14", 80)]  # but not a whole table

    @pytest.mark.parametrize("turned", [False, True])
    def test_pages_are_replaced_unit_by_unit(self, turned):
        both = {"datasheets": [SHEET, {**SHEET, **NEWT}], "points": [PRICE, {**PRICE, **NEWT}]}
        old = dated("page", "2026-02-01", wargear_options=[{**UNIT, "option": 1, "replaces": [], "choices": ["Rope"]}], **both)  # fmt: skip
        new = dated("page", "2026-03-01", points=[{**PRICE, "cost": 95}])
        pair = (new, old) if turned else (old, new)
        whole = renewed(*pair, whole=False).dataset
        assert whole.points.select("datasheet", "cost", "version").rows() == [
            ("Diggers", 95, "2026-03-01"),
            ("Newt", 80, "2026-02-01"),
        ]
        assert whole["wargear_options"].is_empty()

    def test_a_page_is_as_old_as_itself(self):
        """Not as the newest page of the folder."""
        pages = renewed(
            dated("page", "2026-01-01"),
            dated("page", "2026-05-01", datasheets=[{**SHEET, **NEWT}], models=[], weapons=[], points=[], enhancements=[]),
            whole=False,
        )  # fmt: skip
        again = renewed(pages, dated("page", "2026-03-01", points=[{**PRICE, "cost": 95}]), whole=False)  # fmt: skip
        assert again.dataset.points["cost"].to_list() == [95]
        assert again.about.version == "2026-05-01"

    def test_of_equal_versions_the_last_reading_stays(self):
        again = renewed(layer(), layer(points=[{**PRICE, "cost": 95}]), whole=True)
        assert again.dataset.points["cost"].to_list() == [95]

    def test_an_older_version_changes_nothing(self):
        new = replace(dated("wahapedia", "2026-01-31"), folder="kept")
        assert renewed(new, dated("wahapedia", "2025-11-14"), whole=True) is new


class TestSplitting:
    def test_editions_and_borrowed_rows(self):
        page = made("page", edition="10e", models=[{**MODEL, "source": "wh40kdc", "version": "1 (11e)"}])  # fmt: skip
        own, lent = split(page)
        assert (own.name, lent.name, lent.about.version) == ("page-10e", "borrowed-10e", "1 (11e)")
        assert own.dataset.models.is_empty()
        assert lent.dataset.models.height == 1
        assert lent.dataset.points.is_empty()

    def test_rows_of_the_toolkit_belong_to_the_source_that_brings_them(self):
        core = {"faction": "", "detachment": "", "name": "DIG", "cp": 1, "phase": [], "used_by": [], "effects": [], "status": "none", "source": "killcurve", "version": ""}  # fmt: skip
        (own,) = split(made("wahapedia", stratagems=[core]))
        assert own.dataset.stratagems.height == 1

    def test_a_merged_dataset_without_layers(self):
        merged = Collection((layer(), dated("bsdata", "2026-02-02", datasheets=[{**SHEET, **NEWT}]))).merged()  # fmt: skip
        parts = split(merged)
        assert [(p.name, p.about.date, p.borrowed) for p in parts] == [
            ("bsdata-11e", "2026-02-02", False),
            ("wh40kdc-11e", "2026-01-01", False),
        ]
        again = Collection(tuple(parts)).merged()
        assert again.datasheets.equals(merged.datasheets)


class TestFolders:
    def make(self):
        other = dated("bsdata", "2026-02-02", models=[{**MODEL, "toughness": 5}])
        return Collection((layer(), other))

    def test_what_is_saved_is_loaded(self, tmp_path):
        made_of = self.make().preferring(["bsdata"])
        whole = made_of.save(tmp_path)
        again = Collection.load(tmp_path)
        assert again.prefer == ("bsdata",)
        assert [one.name for one in again.layers] == ["bsdata-11e", "wh40kdc-11e"]
        for one in made_of.layers:
            (kept,) = (other for other in again.layers if other.name == one.name)
            assert kept.about == one.about
            assert all(kept.dataset[table].equals(one.dataset[table]) for table in SCHEMAS)
        loaded = Dataset.load(tmp_path)
        assert (loaded.about, loaded.sources, loaded.prefer) == (
            whole.about,
            whole.sources,
            whole.prefer,
        )
        assert all(loaded[table].equals(whole[table]) for table in SCHEMAS)
        assert loaded.models["toughness"].to_list() == [5]

    def test_saving_again_changes_no_byte(self, tmp_path):
        self.make().save(tmp_path)
        before = contents(tmp_path)
        Collection.load(tmp_path).save(tmp_path)
        self.make().save(tmp_path)
        assert contents(tmp_path) == before

    def test_what_is_not_named_any_more_is_removed(self, tmp_path):
        self.make().save(tmp_path)
        (tmp_path / "notes.txt").write_text("mine")
        (tmp_path / "tables-of-mine").write_text("mine")
        Collection((layer(),)).save(tmp_path)
        assert [p.name[:12] for p in (tmp_path / "layers").iterdir()] == ["wh40kdc-11e-"]
        assert len([p for p in tmp_path.glob("tables-*") if p.is_dir()]) == 1
        assert (tmp_path / "notes.txt").read_text() == (tmp_path / "tables-of-mine").read_text()

    def test_raw_files_are_kept(self, tmp_path):
        Collection((replace(layer(), raw={"list.yaml": b"name: x\n"}),)).save(tmp_path)
        (kept,) = Collection.load(tmp_path).layers
        assert kept.raw == {"list.yaml": b"name: x\n"}

    def test_a_dataset_without_layers_is_taken_apart(self, tmp_path):
        made().save(tmp_path)
        (only,) = Collection.load(tmp_path).layers
        assert (only.name, only.folder) == ("wh40kdc-11e", "")

    def test_a_changed_layer_is_noticed(self, tmp_path):
        self.make().save(tmp_path)
        path = next((tmp_path / "layers").rglob("models.parquet"))
        path.write_bytes(path.read_bytes()[:-20])
        with pytest.raises(DataError, match="is missing or was changed"):
            Collection.load(tmp_path)
        assert Dataset.load(tmp_path).models.height == 1

    @pytest.mark.parametrize(
        ("file", "content", "words"),
        [
            ("weapons.parquet", None, r"weapons\.parquet is missing"),
            ("weapons.parquet", b"PAR1", r"weapons\.parquet is damaged"),
            ("weapons.parquet", "points.parquet", r"weapons\.parquet has other columns"),
            ("../about.json", b"{", r"about\.json cannot be read"),
            ("../about.json", b"[]", "tables of version None"),
            ("../about.json", b'{"schema": 1}', "tables of version 1,"),
        ],
    )
    def test_a_damaged_folder_is_told(self, tmp_path, file, content, words):
        made().save(tmp_path)
        tables = next(tmp_path.glob("tables-*"))
        path = tables / file
        if content is None:
            path.unlink()
        else:
            other = (tables / content).read_bytes() if isinstance(content, str) else content
            path.write_bytes(other)
        with pytest.raises(DataError, match=words):
            Dataset.load(tmp_path)

    def test_wishes_that_are_none_are_refused(self):
        with pytest.raises(DataError, match="there is no source 'bsdta'"):
            self.make().preferring(["bsdta"])


class TestConflicts:
    def test_who_says_what_is_not_used(self):
        third = dated("wahapedia", "2026-03-03", models=[{**MODEL, "toughness": 6}], points=[{**PRICE, "cost": 85}])  # fmt: skip
        collection = Collection((*TestFolders().make().layers, third))
        said = ["column", "first", "first_source", "first_date", "second", "second_source", "second_date"]  # fmt: skip
        assert conflicts_within(collection).select(said).rows() == [
            ("toughness", "4", "wh40kdc", "2026-01-01", "5", "bsdata", "2026-02-02"),
            ("toughness", "4", "wh40kdc", "2026-01-01", "6", "wahapedia", "2026-03-03"),
            ("cost", "85", "wahapedia", "2026-03-03", "80", "bsdata", "2026-02-02"),
            ("cost", "85", "wahapedia", "2026-03-03", "80", "wh40kdc", "2026-01-01"),
        ]
        tried = conflicts_within(collection, order=["profiles=bsdata"])
        assert tried.filter(column="toughness")["used"].to_list() == ["5", "5"]
        assert conflicts_within(collection.preferring(["bsdata"]))["used"].unique().sort().to_list() == ["5", "80"]  # fmt: skip

    def test_a_value_of_another_source_than_its_row_is_told_as_its(self):
        trick = [{"faction": "Moles", "detachment": "Tunnels", "name": "Deep Dig", "cost": 25, "effects": [], "status": "unread"}]  # fmt: skip
        manual = dated("field manual", "2026-02-02", enhancements=trick)
        (row,) = conflicts_within(Collection((layer(), manual))).rows(named=True)
        assert (row["used"], row["used_source"], row["second"], row["second_source"]) == (
            "25", "field manual", "20", "wh40kdc",
        )  # fmt: skip

    def test_other_spellings_are_the_same_unit(self):
        other = {"faction": "MOLES", "datasheet": "Digger"}
        rows = {
            "datasheets": [{**SHEET, **other}],
            "models": [{**MODEL, **other, "toughness": 5}],
            "weapons": [{**CLAW, **other}],
            "points": [{**PRICE, **other}],
        }
        frame = conflicts_within(Collection((layer(), dated("bsdata", "2026-02-02", **rows))))
        assert frame.select("datasheet", "second").rows() == [("Diggers", "5")]

    def test_editions_are_apart(self):
        tenth = layer("bsdata", "2", edition="10e", models=[{**MODEL, "toughness": 5}])
        collection = Collection((layer(), tenth))
        assert conflicts_within(collection).is_empty()
        assert conflicts_within(collection, edition="10e").is_empty()
        with pytest.raises(DataError, match="nothing of the edition '9e', only of 11e and 10e"):
            conflicts_within(collection, edition="9e")

    def test_both_forms_agree(self):
        """Two datasets beside each other, and the same two in one folder."""
        first, second = self.pair()
        within = conflicts_within(Collection((*split(first), *split(second))))
        beside = conflicts(first, second)
        assert within.select("what", "column", "used", "used_source").equals(
            beside.select("what", "column", "used", "used_source")
        )
        assert within.height == 3

    def pair(self):
        other = made(
            "bsdata", "2026-02-02", date="2026-02-02",
            models=[{**MODEL, "toughness": 5, "invulnerable_save": 4}],
            points=[{**PRICE, "cost": 90}],
        )  # fmt: skip
        return made(), other


def test_borrowed_rows_are_no_disagreement():
    lent = Layer(made(models=[{**MODEL, "toughness": 9}]), borrowed=True)
    assert conflicts_within(Collection((layer("bsdata"), lent))).is_empty()
