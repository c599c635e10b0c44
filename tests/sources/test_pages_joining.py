"""Datasets of pages: provenance, stat lines from the default, several pages together."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from killcurve.sources.pages import read_pages
from killcurve.tables.building import build
from killcurve.tables.dataset import About, Dataset

from tests.sources.invented import NEW, OLD, Sheet


def write(folder: Path, sheet: Sheet, name: str = "page.txt") -> Path:
    path = folder / name
    path.write_text(sheet.text(), encoding="utf-8")
    return path


def default(faction: str = "Iron Choir") -> Dataset:
    """A dataset that knows the invented unit."""
    unit = {"faction": faction, "datasheet": "Anvil Guard"}
    gun = {**unit, "weapon_id": "storm-gun-of-the-choir", "kind": "ranged"}
    stats = {"range": 24, "attacks": "2", "skill": 3, "strength": "5", "ap": -1, "damage": "2"}
    lost = {**gun, "weapon_id": "lost-gun", "weapon": "Lost gun"}
    more = {"exclusive": False, "profile": "", "keywords": [], **stats}
    model = {**unit, "model": "Anvil Guard"}
    return build(
        About("made", "7", "11e", "2026-08-01", "CC-BY-4.0", "the makers"),
        {
            "datasheets": [{**unit, "legends": False}],
            "models": [{**model, "toughness": 5, "save": 3, "wounds": 3, "move": 5}],
            "weapons": [{**gun, "weapon": "Storm gun", **more}, {**lost, **more}],
            "keywords": [{**unit, "keyword": "iron choir", "is_faction": True}],
            "compositions": [{**model, "tier": 1, "count_min": 5, "count_max": 5}],
            "default_weapons": [
                {**model, "weapon_id": "storm-gun-of-the-choir", "count": 1},
                {**model, "weapon_id": "lost-gun", "count": 1},
            ],
        },
    )


class TestJoining:
    def test_stat_lines_keep_where_they_come_from(self, tmp_path):
        made, warnings = read_pages([write(tmp_path, NEW)], default())
        [line] = made.models.rows(named=True)
        assert (line["source"], line["version"], line["toughness"]) == ("made", "7", 5)
        assert made.datasheets["note"].to_list() == ["stat line from made 7 (Iron Choir)"]
        assert made.about.attribution == "the makers"
        assert "page.txt: the page has no 'Lost gun', a default weapon of 'Anvil Guard'" in warnings

    def test_default_weapons_have_the_ids_of_the_page(self, tmp_path):
        made, _ = read_pages([write(tmp_path, NEW)], default())
        assert made["default_weapons"]["weapon_id"].to_list() == ["storm-gun"]

    def test_the_faction_of_the_keywords_is_tried_next(self, tmp_path):
        page = write(tmp_path, replace(NEW, title="Bell Cult – Anvil Guard"))
        made, _ = read_pages([page], default())
        assert made.models["faction"].to_list() == ["Bell Cult"]
        assert made.datasheets["note"].to_list() == ["stat line from made 7 (Iron Choir)"]
        found, _ = read_pages([page], default("Choirs of Iron"))
        assert found.datasheets["note"].to_list() == ["stat line from made 7 (Choirs of Iron)"]

    def test_a_stat_line_of_another_edition_is_noted(self, tmp_path):
        made, _ = read_pages([write(tmp_path, OLD)], default())
        assert made.datasheets["note"].to_list() == ["stat line from made 7 (Iron Choir, 11e)"]

    def test_a_unit_that_is_not_there_is_kept(self, tmp_path):
        page = write(tmp_path, replace(NEW, title="Iron Choir – Bell Cart"))
        made, _ = read_pages([page], default())
        [note] = made.datasheets["note"].to_list()
        assert note == "no stat line: made 7 has no Bell Cart of Iron Choir or IRON CHOIR"
        [note] = read_pages([page], None)[0].datasheets["note"].to_list()
        assert note.startswith("no stat line: no default dataset")

    def test_rows_have_the_day_of_the_file_and_the_edition_of_the_page(self, tmp_path):
        new, old = write(tmp_path, NEW), write(tmp_path, replace(OLD, title="A – B"), "old.txt")
        os.utime(new, (0, 1_700_000_000))
        os.utime(old, (0, 1_600_000_000))
        made, _ = read_pages([old, new], None)
        assert made.datasheets.select("edition", "source", "version").rows() == [
            ("10e", "page", "2020-09-13"),
            ("11e", "page", "2023-11-14"),
        ]
        assert (made.about.edition, made.about.version) == ("11e", "2023-11-14")

    def test_pages_of_one_faction_share_their_stratagems(self, tmp_path):
        new = write(tmp_path, NEW)
        other = write(tmp_path, replace(NEW, title="Iron Choir – Bell Cart"), "other.txt")
        os.utime(new, (0, 1_700_000_000))
        made, _ = read_pages([other, new], None)
        assert made.stratagems.height == len(NEW.tricks)
        assert made.set_aside == {}

    def test_a_dataset_of_pages_is_saved_and_loaded(self, tmp_path):
        made, _ = read_pages([write(tmp_path, NEW)], default())
        made.save(tmp_path / "kept")
        again = Dataset.load(tmp_path / "kept")
        assert again.weapons.equals(made.weapons)
        assert again["texts"].equals(made["texts"])

    def test_effects_are_listed(self, tmp_path):
        made, _ = read_pages([write(tmp_path, NEW)], None)
        effects = made["effects"]
        assert effects.filter(name="FIRE OVERWATCH")["phrase"].to_list() == ["snap shooting"]
