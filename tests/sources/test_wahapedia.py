"""Wahapedia exports as tables: every quirk of an invented one, in all the forms that are about."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from killcurve.sources.importing import import_wahapedia, summary
from killcurve.sources.wahapedia import Reading, read_export, read_files
from killcurve.study.efficiency import efficiency
from killcurve.study.lines import attacker
from killcurve.study.targets import defender
from killcurve.tables.dataset import Dataset

from tests.sources.invented_export import FORMS, export, export_11, write


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    return read_files(write(tmp_path_factory.mktemp("old"), export()))


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    return read_files(write(tmp_path_factory.mktemp("new"), export_11()))


def rows(reading: Reading, table: str, datasheet: str | None = None) -> list[dict[str, Any]]:
    frame = reading.dataset[table]
    if datasheet is not None:
        frame = frame.filter(pl.col("datasheet") == datasheet)
    return frame.rows(named=True)


class TestForms:
    @pytest.mark.parametrize("form", FORMS)
    @pytest.mark.parametrize("made", [export, export_11])
    def test_all_forms_give_the_same_tables(self, tmp_path, made, form):
        plain, _ = read_export(write(tmp_path / "plain", made()))
        other, _ = read_export(write(tmp_path / form, made(), form))
        assert other.about == plain.about
        assert other.set_aside == plain.set_aside
        for table, frame in plain.tables.items():
            assert other[table].equals(frame), table

    def test_where_it_comes_from(self, old, new):
        about = old.dataset.about
        assert (about.source, about.edition) == ("wahapedia", "10e")
        assert (about.version, about.date) == ("2031-02-03 04:05:06", "2031-02-03")
        assert new.dataset.about.edition == "11e"
        assert set(new.dataset.weapons["edition"]) == {"11e"}

    def test_newlines_in_fields_stay_in_their_row(self, new):
        [rope] = [t for t in rows(new, "texts") if t["name"] == "Rope"]
        assert rope["text"] == "It has\n\nmuch rope."


class TestAccounts:
    @pytest.mark.parametrize("which", ["old", "new"])
    def test_every_row_of_every_file_is_accounted_for(self, which, request):
        reading: Reading = request.getfixturevalue(which)
        made = export() if which == "old" else export_11()
        assert {name.removesuffix(".csv") for name in reading.files} == set(made)
        for name, account in reading.files.items():
            told = dict(account)
            assert told.pop("read") == len(made[name.removesuffix(".csv")]) - 1
            assert sum(told.values()) == account["read"], name

    def test_reasons(self, old):
        aside = old.dataset.set_aside
        nobody = "its datasheet is no unit of Datasheets.csv"
        assert aside["datasheets"] == {"it is an example, and no unit (virtual)": 1}
        assert aside["models"] == {nobody: 1}
        weapons = dict(aside["weapons"])
        assert weapons.pop(nobody) == 1
        assert weapons.pop("the same row stands there twice") == 1
        assert weapons.pop("an empty row, of a unit without weapons") == 1
        assert weapons == {
            "attacks: regex": 1,
            "a weapon without skill is torrent": 1,
        }
        assert aside["weapon_keywords"] == {"its number is missing or wrong": 1}
        assert aside["keywords"] == {
            "it is empty": 1,
            "the unit has the keyword already": 1,
            nobody: 1,
        }
        assert aside["points"] == {
            "another mix of as many models": 1,
            "no price of a number of models": 1,
        }
        assert aside["wargear_options"] == {
            "it says that there is none": 1,
            "a footnote to options": 1,
        }
        assert aside["detachments"] == {"the faction has another detachment of this name": 1}
        assert list(aside["stratagems"].values()) == [1]


class TestUnits:
    def test_a_second_datasheet_of_a_name_gets_its_source(self, old):
        found = {r["datasheet"]: r["legends"] for r in rows(old, "datasheets")}
        assert found == {
            "Anvil Guard": False,
            "Bell Scouts": False,
            "Bell Scouts (Legends)": True,
            "Great Bell": False,
        }

    def test_datasheets(self, old):
        guard, scouts, _, bell = rows(old, "datasheets")
        assert (guard["role"], guard["models_min"], guard["models_max"]) == ("battleline", 5, 20)
        assert scouts["role"] == "epic-hero"
        assert scouts["note"] == "invulnerable save of Bell Scouts: 3+ against melee attacks"
        assert (bell["role"], bell["transport_capacity"]) == ("fortification", 7)
        assert bell["note"] == "the export has no points of it"

    def test_stat_lines(self, old):
        sergeant, guard = rows(old, "models", "Anvil Guard")
        assert (sergeant["toughness"], sergeant["move"], sergeant["leadership"]) == (5, 5, 6)
        assert (sergeant["invulnerable_save"], sergeant["invulnerable_save_against"]) == (
            5,
            "ranged",
        )
        assert guard["invulnerable_save"] is None
        [scout] = rows(old, "models", "Bell Scouts")
        assert scout["model"] == "Bell Scouts"
        assert (scout["move"], scout["save"], scout["objective_control"]) == (20, 7, None)
        assert (scout["invulnerable_save"], scout["invulnerable_save_against"]) == (4, None)
        assert rows(old, "models", "Great Bell")[0]["move"] is None

    def test_keywords(self, old):
        assert [(r["keyword"], r["is_faction"]) for r in rows(old, "keywords", "Anvil Guard")] == [
            ("infantry", False),
            ("iron choir", True),
        ]

    def test_compositions(self, old):
        found = [
            (r["tier"], r["model"], r["statline"], r["count_min"], r["count_max"])
            for r in rows(old, "compositions", "Anvil Guard")
        ]
        assert found == [
            (1, "Bell Sergeant", "BELL SERGEANT", 1, 1),
            (1, "Guards", "GUARD", 4, 4),
            (2, "Bell Sergeant", "BELL SERGEANT", 1, 1),
            (2, "Guards", "GUARD", 9, 19),
        ]
        assert old.dataset.set_aside["compositions"] == {
            "a heading between alternative sizes": 1,
            "it is not a number of models": 1,
        }

    def test_default_weapons(self, old):
        found = [
            (r["model"], r["weapon_id"], r["count"])
            for r in rows(old, "default_weapons", "Anvil Guard")
        ]
        assert found == [
            ("Bell Sergeant", "pike", 2),
            ("Bell Sergeant", "storm-gun", 1),
            ("Guards", "storm-gun", 1),
        ]
        assert sum(old.dataset.set_aside["default_weapons"].values()) == 1

    def test_options(self, old):
        [option] = rows(old, "wargear_options", "Anvil Guard")
        assert option["choices"] == ["Storm gun", "bell"]
        assert option["text"].endswith(":\n- 1 storm gun\n- 1 bell")


class TestWeapons:
    def test_profiles_exclude_each_other(self, old):
        sweep, thrust, gun = rows(old, "weapons", "Anvil Guard")
        assert (sweep["weapon"], sweep["profile"], sweep["exclusive"]) == ("Pike", "sweep", True)
        assert (thrust["weapon_id"], thrust["profile"], thrust["skill"]) == ("pike", "thrust", 3)
        assert (sweep["strength"], thrust["kind"], thrust["range"]) == ("7", "melee", 0)
        assert (gun["attacks"], gun["damage"], gun["ap"]) == ("D6", "D3+1", 0)
        assert gun["keywords"] == ["rapid fire 2", "heavy"]
        assert not gun["exclusive"]

    def test_an_unknown_ability_is_kept_by_name_and_the_weapon_still_works(self, old):
        thrust = rows(old, "weapons", "Anvil Guard")[1]
        assert thrust["keywords"] == ["lance", "anti-fly 2+"]
        found = {
            r["keyword"]: (r["known"], r["threshold"])
            for r in rows(old, "weapon_keywords", "Anvil Guard")
        }
        assert found["humming"] == (False, None)
        assert found["anti-fly 2+"] == (True, 2)

    def test_one_name_with_other_values_is_another_weapon(self, old):
        found = [
            (r["weapon_id"], r["range"], r["skill"], r["strength"], r["profile"])
            for r in rows(old, "weapons", "Bell Scouts")
        ]
        assert found == [("sling", 12, None, "2D6", "1-2"), ("sling-2", 0, None, "9", "")]

    def test_limits_of_the_11th_edition(self, new):
        gun = rows(new, "weapons", "Anvil Guard")[2]
        assert gun["keywords"] == ["blast 1", "lethal hits: non-monster/vehicle", "anti-fly 2+"]


class TestPoints:
    def test_sizes(self, old):
        found = [(r["models"], r["models_max"], r["cost"]) for r in rows(old, "points")]
        assert found == [(5, 5, 90), (6, 10, 170), (5, 5, 40)]

    def test_other_armies_and_additions(self, old):
        [allied] = rows(old, "allied_points")
        assert (allied["army"], allied["datasheet"], allied["cost"]) == (
            "Imperium",
            "Bell Scouts",
            55,
        )
        [drummer] = rows(old, "wargear_costs")
        assert (drummer["item"], drummer["cost"], drummer["per"]) == ("Drummer", 15, "model")

    def test_copies_of_the_11th_edition(self, new):
        columns = ("models", "models_max", "copies_from", "copies_to", "cost")
        found = [tuple(r[c] for c in columns) for r in rows(new, "points")]
        assert found == [(5, 5, 1, 2, 90), (5, 5, 3, None, 100), (6, 10, 1, 2, 170)]
        extra = [(r["item"], r["cost"], r["per"]) for r in rows(new, "wargear_costs")]
        assert extra == [("Drum", 10, "item"), ("Twin Bell", 5, "item")]
        assert new.dataset.set_aside["points"] == {
            "a heading over prices, and no price": 6,
            "another price for as many models, of another page of the unit": 1,
            "the same price again, of another page of the unit": 2,
        }


class TestRules:
    def test_stratagems(self, old):
        core, peal = rows(old, "stratagems")
        assert (core["name"], core["faction"], core["detachment"]) == ("FIRE OVERWATCH", "", "")
        assert core["effects"] == ["snap shooting"]
        assert (peal["detachment"], peal["type"], peal["cp"]) == (
            "Bell Foundry",
            "battle-tactic",
            2,
        )
        assert (peal["phase"], peal["turn"]) == (["shooting", "fight"], "either")
        assert (peal["effects"], peal["status"]) == ([], "unread")

    def test_core_stratagems_of_the_11th_edition_are_the_toolkits(self, new):
        core = [r for r in rows(new, "stratagems") if not r["detachment"]]
        assert {r["source"] for r in core} == {"killcurve"}
        assert "CRUSHING IMPACT" in {r["name"] for r in core}

    def test_detachments(self, old, new):
        [foundry] = rows(old, "detachments")
        assert (foundry["rules"], foundry["detachment_points"]) == (["Peals"], None)
        [foundry] = rows(new, "detachments")
        assert (foundry["detachment_points"], foundry["force_disposition"]) == (2, "take and hold")

    def test_enhancements(self, old, new):
        assert [(r["name"], r["cost"]) for r in rows(old, "enhancements")] == [
            ("Golden Rope", 40),
            ("Tin Rope", 0),
        ]
        assert {r["upgrade"] for r in rows(new, "enhancements")} == {True}

    def test_texts(self, old):
        found = {(r["kind"], r["name"]): r["text"] for r in rows(old, "texts")}
        assert found["core ability", "Loud 5+"] == "It is loud."
        assert found["ability", "Rope"] == 'It has 5" of rope.'
        assert found["stratagem", "LAST PEAL"] == "WHEN: Now.\nEFFECT: Ring."
        assert found["damaged", "DAMAGED: 1-4 WOUNDS REMAINING"] == "It rings less."
        assert ("enhancement", "Tin Rope") not in found


class TestImporting:
    def test_studies_work_on_it(self, tmp_path):
        result = import_wahapedia(write(tmp_path / "export", export()), tmp_path / "into")
        assert result.counts()["models"] == {"read": 6, "kept": 5, "set_aside": 1}
        assert '"weapons": {"read": 11, "kept": 6, "set_aside": 5}' in summary(result, as_json=True)
        data = Dataset.load(tmp_path / "into")
        guard = attacker(data, "anvil guard")
        assert {line.name: line.count for line in guard.lines}["Storm gun"] == 5
        table = efficiency([guard], [defender(data, "Great Bell"), defender(data, "Bell Scouts")])
        assert table["damage"].min() > 0
        assert set(table["points"]) == {90}

    def test_it_merges_with_what_the_folder_holds(self, tmp_path):
        import_wahapedia(write(tmp_path / "10", export()), tmp_path / "into")
        import_wahapedia(write(tmp_path / "11", export_11()), tmp_path / "into")
        data = Dataset.load(tmp_path / "into")
        assert data.datasheets["edition"].value_counts().sort("edition").rows() == [
            ("10e", 4),
            ("11e", 4),
        ]
