"""Options of wargear and leaders from every source: who may, what goes, what comes, how often."""

from __future__ import annotations

import json

import pytest
from killcurve.rules.spelling import normal
from killcurve.sources import community
from killcurve.sources.bsdata import read_catalogues
from killcurve.sources.wahapedia import read_files
from killcurve.sources.wahapedia.option_texts import Vocabulary, read
from killcurve.study.loadouts import default_loadout, legal_loadouts
from killcurve.tables.building import checked, frame

from tests.conftest import SHARED, needs_shared
from tests.sources.invented_export import export, write
from tests.sources.test_bsdata import at_least, gun, line

KINDS = {"guard": ["Guard", "Guards"], "guards": ["Guard", "Guards"], "bell sergeant": ["Sergeant"]}
KNOWN = Vocabulary(
    ["Storm gun", "Pike", "Horn and drum", "Twin bolas"],
    lambda name: KINDS.get(normal(name), []),
    {"Guard": {"Storm gun": 2}},
)


def told(text):
    """The rows of a text without what is empty."""
    rows = read(text, KNOWN)
    if rows is None:
        return None
    kept = [{k: v for k, v in row.items() if v not in (None, [])} for row in rows]
    return [{k: v for k, v in row.items() if (k, v) != ("kind", "exchange")} for row in kept]


class TestTexts:
    @pytest.mark.parametrize(
        ("text", "row"),
        [
            ("This model’s pike can be replaced with 1 storm gun.",
             {"replaces": ["Pike"], "choices": ["Storm gun"]}),
            ("This model’s 2 storm guns can be replaced with 2 pikes and 1 lamp.",
             {"replaces": ["Storm gun"] * 2, "choices": ["Pike + Pike + lamp"]}),
            ("This model’s pike and storm gun can be replaced with one of the following:\n"
             "- 1 horn and drum\n- 1 twin bolas and 1 lamp*",
             {"replaces": ["Pike", "Storm gun"],
              "choices": ["Horn and drum", "Twin bolas + lamp"]}),
            ("This model’s pike can be replaced with 1 lamp and one of the following:\n"
             "- 1 storm gun\n- 1 twin bolas",
             {"replaces": ["Pike"], "choices": ["lamp + Storm gun", "lamp + Twin bolas"]}),
            ("Any number of models can each have their pike replaced with 1 storm gun.",
             {"replaces": ["Pike"], "choices": ["Storm gun"]}),
            ("1 model’s pike can be replaced with 1 storm gun.",
             {"replaces": ["Pike"], "choices": ["Storm gun"], "at_most": 1}),
            ("Up to two models can each have their pike replaced with 1 storm gun.",
             {"replaces": ["Pike"], "choices": ["Storm gun"], "at_most": 2}),
            ("The Bell Sergeant’s pike can be replaced with 1 storm gun.",
             {"model": "Sergeant", "replaces": ["Pike"], "choices": ["Storm gun"]}),
            ("For every 5 models in this unit, 1 model’s pike can be replaced with 1 storm gun.",
             {"replaces": ["Pike"], "choices": ["Storm gun"], "times": 1, "per_models": 5}),
            ("For every 5 models in this unit, up to 2 models can each replace their pike with "
             "1 storm gun.",
             {"replaces": ["Pike"], "choices": ["Storm gun"], "times": 2, "per_models": 5}),
            ("If this unit contains 10 models, 1 model’s pike can be replaced with 1 storm gun.",
             {"replaces": ["Pike"], "choices": ["Storm gun"], "times": 1, "per_models": 10,
              "at_most": 1}),
            ("All of the models in this unit can each have their pike replaced with 1 storm gun.",
             {"replaces": ["Pike"], "choices": ["Storm gun"], "together": True}),
            ("This model can be equipped with up to 2 additional storm guns.",
             {"choices": ["Storm gun"], "each": 2}),
            ("This unit can be equipped with 1 lamp.", {"choices": ["lamp"], "at_most": 1}),
            ("For every 3 models in this unit, it can have 1 lamp.",
             {"choices": ["lamp"], "times": 1, "per_models": 3}),
            ("2 of this model’s pikes can be replaced with 2 storm guns.",
             {"replaces": ["Pike", "Pike"], "choices": ["Storm gun + Storm gun"]}),
            ("Each of this model’s storm guns can be replaced with 1 pike.",
             {"replaces": ["Storm gun"], "choices": ["Pike"], "each": 2}),
            ("1 model equipped with a pike can be equipped with 1 lamp (that model’s pike cannot "
             "be replaced).",
             {"choices": ["lamp"], "at_most": 1, "needs": ["Pike"]}),
            ("1 model that is not equipped with a pike or a storm gun can be equipped with 1 lamp.",
             {"choices": ["lamp"], "at_most": 1, "without": ["Pike", "Storm gun"]}),
            ("If this model is equipped with 1 lamp, its pike can be replaced with 1 storm gun.",
             {"replaces": ["Pike"], "choices": ["Storm gun"], "needs": ["lamp"]}),
        ],
    )  # fmt: skip
    def test_one_exchange(self, text, row):
        assert told(text) == [row]

    def test_one_kind_under_two_names(self):
        text = "Any number of Guards can each have their pike replaced with 1 storm gun."
        assert [row["model"] for row in told(text)] == ["Guard", "Guards"]

    def test_several_without_duplicates(self):
        text = (
            "This model can be equipped with up to two of the following, but cannot take "
            "duplicates:\n- 1 pike\n- 1 lamp"
        )
        assert told(text) == [
            {"choices": ["Pike", "lamp"], "each": 2},
            {"kind": "limit", "choices": ["Pike"], "each": 1},
            {"kind": "limit", "choices": ["lamp"], "each": 1},
        ]

    def test_any_of_several(self):
        text = "This model can be equipped with any of the following:\n- 1 pike\n- 1 lamp"
        assert told(text) == [{"choices": ["Pike"]}, {"choices": ["lamp"]}]

    @pytest.mark.parametrize(
        "text",
        [
            "The Captain’s pike can be replaced with 1 storm gun.",
            "This model’s pike or storm gun can be replaced with 1 lamp.",
            "This model’s pike can be replaced with two different weapons from the list:\n- 1 lamp",
            "For each pike this model is equipped with, it can be equipped with 1 lamp.",
            "Each of this model’s pikes can be replaced with 1 lamp.",
            "This model can ring.",
            "This model’s pike can be replaced with one of the following:",
            "Any number of models can each be equipped with 99 lamps.",
            "",
        ],
    )
    def test_what_is_not_understood_is_left_alone(self, text):
        assert told(text) is None


class TestWahapedia:
    @pytest.fixture(scope="class")
    @classmethod
    def reading(cls, tmp_path_factory):
        made = export()
        sheet, options = made["Datasheets"][1], made["Datasheets_options"]
        guard = sheet[0]
        options[2:2] = [
            [guard, "5", "•", "1 Guard’s storm gun can be replaced with 1 pike."],
            [guard, "6", "•", "The Guard’s hat can be lent."],
            [guard, "7", "•", "Any number of Guards can each have their tin hat replaced with "
             "1 pike."],
        ]  # fmt: skip
        return read_files(write(tmp_path_factory.mktemp("export"), made))

    def test_options_with_their_texts(self, reading):
        rows = reading.dataset["wargear_options"].rows(named=True)
        assert [(r["kind"], r["model"], r["at_most"], r["text"] is None) for r in rows] == [
            ("exchange", None, None, False),
            ("exchange", "Guards", 1, False),
            (None, None, None, False),
            ("exchange", "Guards", None, False),
            ("carried", "Guards", None, True),
        ]
        assert (rows[2]["replaces"], rows[2]["choices"]) == ([], [])
        assert rows[4]["choices"] == ["tin hat"]

    def test_what_was_not_read_is_noted(self, reading):
        note = reading.dataset.datasheets["note"].to_list()[0]
        assert "not all of its wargear options were read" in note
        assert "a footnote to its wargear options was not read" in note

    def test_the_loadouts_follow(self, reading):
        found = legal_loadouts(reading.dataset, "Anvil Guard")
        assert found.unread == 1
        carried = [dict(one.weapons) | dict(one.wargear) for one in found.shown]
        assert carried[0] == {"pike": 2, "storm-gun": 5, "tin hat": 4}
        assert {"pike": 7, "storm-gun": 4} in carried

    def test_leaders(self, reading):
        rows = reading.dataset["leader_attachments"].select("faction", "leader", "bodyguard")
        assert rows.rows() == [("Iron Choir", "Great Bell", "Anvil Guard")]

    def test_leaders_of_units_that_are_not_there(self, tmp_path):
        made = export()
        made["Datasheets_leader"] += [["000000999", "000000001"], ["000000003", "000000001"]]
        reading = read_files(write(tmp_path, made))
        assert reading.files["Datasheets_leader.csv"] == {
            "read": 3,
            "kept": 1,
            "its datasheet is no unit of Datasheets.csv": 1,
            "the same row stands there twice": 1,
        }


def bundle(options=(), budgets=(), models=None, **unit):
    """A bundle with one unit of Diggers and its Boss."""
    weapons = ("claw", "claw-diggers", "drill", "flare", "saw")
    profile = {"name": "x", "range": "Melee", "stats": {"A": 1, "WS": 3, "S": 4, "AP": 0, "D": 1}}
    names = {"claw-diggers": "Claw"}
    line = {"M": 5, "T": 4, "Sv": 3, "W": 2, "Ld": 6, "OC": 2, "invuln_sv": None}
    own = {"faction_id": "moles", "unit_id": "diggers"}
    return {
        "factions": [{"id": "moles", "name": "Moles"}],
        "units": [
            {
                "id": name, "faction_id": "moles", "name": name.title(), "keywords": keywords,
                "faction_keywords": [], "profiles": [{"name": "Digger", **line}],
                "weapon_ids": ["claw-diggers", "drill", "flare", "saw"],
                "wargear_budgets": list(budgets) if name == "diggers" else [],
                **(unit if name == "diggers" else {}),
            }
            for name, keywords in (("diggers", ["Beast"]), ("worms", ["Beast", "Slow"]))
        ],
        "weapons": [
            {"id": w, "faction_id": "moles", "name": names.get(w, w.title()), "profiles": [profile]}
            for w in weapons
        ],
        "unit_compositions": [
            {**own, "models": models or [
                {"name": "Boss", "min": 1, "max": 1, "default_weapon_ids": ["claw-diggers", "lamp"]},
                {"name": "Digger", "min": 4, "max": 9, "default_weapon_ids": ["claw-diggers"]},
            ]}
        ],
        "wargear_options": [
            {**own, "model_constraint": limits, "replaces": old, "replacement_choice": new}
            for limits, old, new in options
        ],
        "leader_attachments": [
            {"leader_id": "worms", "eligible_bodyguard_ids": ["diggers", "gone"],
             "eligible_bodyguard_keywords": ["Slow"]}
        ],
        "game_versions": [{"effective_date": "2026-05-05"}],
        **{k: [] for k in ("abilities", "detachments", "stratagems", "enhancements",
                           "target_profiles")},
    }  # fmt: skip


def options_of(**given):
    made = community.from_records(bundle(**given), "9")
    rows = made["wargear_options"].rows(named=True)
    told = ("kind", "model", "replaces", "choices", "each", "times", "per_models", "at_most")
    return [{k: r[k] for k in told if r[k] not in (None, [])} for r in rows], made


LAMP = {"kind": "carried", "model": "Boss", "choices": ["Lamp"]}


class TestCommunity:
    @pytest.mark.parametrize(
        ("limits", "read"),
        [
            ({"any_number": True}, {}),
            ({"any_number": True, "max_count": 2}, {"each": 2}),
            ({"per_n_models": 5}, {"times": 1, "per_models": 5}),
            ({"per_n_models": 5, "max_count": 2}, {"times": 1, "per_models": 5, "at_most": 2}),
            ({"max_count": 3, "model_name": "Digger"}, {"model": "Digger", "at_most": 3}),
            ({"model_name": "Boss"}, {"model": "Boss", "at_most": 1}),
        ],
    )
    def test_who_and_how_often(self, limits, read):
        found, _ = options_of(options=[(limits, ["claw"], [["drill"], ["flare", "saw"]])])
        wanted = {"kind": "exchange", "replaces": ["Claw"], "choices": ["Drill", "Flare + Saw"]}
        assert found == [{**wanted, **read}, LAMP]

    def test_budgets(self):
        budgets = [
            {"items": ["drill", "saw"], "count": 4, "per_models": 10},
            {"items": ["flare", "saw"], "count": 2, "per_models": 0, "duplicate_limit": 1},
        ]
        found, _ = options_of(budgets=budgets)
        assert found == [
            {"kind": "limit", "choices": ["Drill", "Saw"], "times": 2, "per_models": 5},
            {"kind": "limit", "choices": ["Flare", "Saw"], "at_most": 2},
            {"kind": "limit", "choices": ["Flare"], "at_most": 1},
            {"kind": "limit", "choices": ["Saw"], "at_most": 1},
            LAMP,
        ]

    def test_a_whole_set_that_no_exchange_gives_is_one(self):
        sets = [
            {"name": "bare", "weapon_ids": []},
            {"name": "driller", "weapon_ids": ["drill"]},
            {"name": "sawyer", "weapon_ids": ["saw", "saw"], "max_count": 1},
            {"name": "flare", "weapon_ids": ["flare"], "max_count": 3},
        ]
        shared = {"variant_names": ["sawyer", "flare"], "count": 3, "per_models": 0}
        digger = {
            "name": "Digger", "min": 4, "max": 9, "default_weapon_ids": ["claw-diggers"],
            "loadout_variants": sets,
            "loadout_variant_budgets": [{**shared, "scope": "model-row"}],
        }  # fmt: skip
        found, made = options_of(
            models=[digger], options=[({"any_number": True}, ["claw"], [["drill"]])]
        )
        assert found == [
            {"kind": "exchange", "replaces": ["Claw"], "choices": ["Drill"]},
            {
                "kind": "exchange",
                "model": "Digger",
                "replaces": ["Claw"],
                "choices": ["Saw + Saw", "Flare"],
                "at_most": 3,
            },
            {"kind": "limit", "choices": ["Saw"], "at_most": 2},
        ]
        assert (
            max(dict(one.weapons).get("saw", 0) for one in legal_loadouts(made, "Diggers").shown)
            == 2
        )  # one sawyer
        reasons = made.set_aside["wargear_options"]
        assert reasons == {"a set of weapons that exchanges give, or add to": 2}

    def test_what_is_left_out_is_counted(self):
        same = ({"any_number": True}, ["claw"], [["drill"]])
        _, made = options_of(
            options=[
                same,
                same,
                ({"any_number": True, "model_name": "Queen"}, ["claw"], [["drill"]]),
                ({"any_number": True}, ["claw"], [["drill"], ["pick"]]),
            ],
            weapon_ids=["claw-diggers", "drill"],
        )
        assert made["wargear_options"].height == 3
        assert made.set_aside["wargear_options"] == {
            "the same option stands there twice": 1,
            "its kind of model is none of the unit's": 1,
        }
        _, made = options_of(
            options=[({"any_number": True}, ["claw"], [["drill"], ["saw"]])],
            weapon_ids=["claw-diggers", "drill"],
        )
        assert made["wargear_options"]["choices"].to_list()[0] == ["Drill"]
        reason = "a choice with a weapon that the datasheet lacks"
        assert made.set_aside["wargear_options"] == {reason: 1}

    def test_kinds_of_one_name_are_told_apart(self):
        models = [
            {"name": "Digger", "min": 1, "max": 1, "default_weapon_ids": ["claw-diggers"]},
            {"name": "Digger", "min": 1, "max": 1, "default_weapon_ids": ["saw"]},
        ]
        option = ({"any_number": True, "model_name": "Digger"}, ["claw"], [["drill"]])
        found, made = options_of(models=models, options=[option])
        assert [row["model"] for row in found] == ["Digger", "Digger 2"]
        assert made["compositions"]["model"].to_list() == ["Digger", "Digger 2"]
        assert default_loadout(made, "Diggers", models=2).weapons == (
            ("claw-diggers", 1), ("saw", 1),
        )  # fmt: skip

    def test_leaders_by_id_and_by_keyword(self):
        _, made = options_of()
        rows = made["leader_attachments"].select("faction", "leader", "bodyguard").rows()
        assert rows == [("Moles", "Worms", "Diggers"), ("Moles", "Worms", "Worms")]

    def test_the_embedded_dataset(self, dataset):
        options = dataset["wargear_options"]
        kinds = dict(options["kind"].value_counts().rows())
        assert kinds["exchange"] >= 1350
        assert kinds["limit"] >= 249
        leads = dataset["leader_attachments"]
        pairs = set(leads.select("leader", "bodyguard").rows())
        assert ("Canoness", "Battle Sisters Squad") in pairs
        assert leads.height > 900


def test_a_share_without_its_number_breaks_the_contract():
    row = {
        "faction": "Moles", "datasheet": "Digger", "option": 1, "kind": "limit", "replaces": [],
        "choices": ["Drill"], "per_models": 5,
    }  # fmt: skip
    where = {"source": "test", "edition": "11e", "version": "1"}
    good, reasons = checked("wargear_options", frame("wargear_options", [row], **where))
    assert good.is_empty()
    assert reasons == {"a limit for every so many models says how many": 1}


def entry(name, least, most, *profiles, **more):
    return {
        "id": f"e-{name}", "name": name, "type": "upgrade", "constraints": at_least(least, most),
        "profiles": list(profiles), **more,
    }  # fmt: skip


def catalogue(folder, *, entries=(), groups=()):
    """A unit of 2 to 4 Ringers with these entries and groups."""
    ringer = {
        "id": "e-ringer", "name": "Ringer", "type": "model", "constraints": at_least(2, 4),
        "profiles": [line("Ringer", 11)], "selectionEntries": list(entries),
        "selectionEntryGroups": list(groups),
    }  # fmt: skip
    unit = {"id": "e-unit", "name": "Ringers", "type": "unit", "selectionEntries": [ringer]}
    army = {"id": "army", "name": "Bells", "gameSystemId": "sys", "selectionEntries": [unit]}
    system = {"id": "sys", "name": "Warhammer 40,000 11th Edition", "revision": 7}
    for name, kind, content in (("sys", "gameSystem", system), ("army", "catalogue", army)):
        (folder / f"{name}.json").write_text(json.dumps({kind: content}))
    return read_catalogues(folder)[0]


class TestCatalogues:
    def test_what_must_be_taken_is_carried_and_what_may_be_is_added(self, tmp_path):
        made = catalogue(
            tmp_path,
            entries=[
                entry("Bell", 2, 2, gun("Bell")),
                entry("Gong", 0, 1, gun("Gong")),
                entry("Warlord", 0, 1),
            ],
        )
        rows = made["default_weapons"].select("model", "weapon_id", "count").rows()
        assert rows == [("Ringer", "bell", 2)]
        [row] = made["wargear_options"].rows(named=True)
        assert (row["kind"], row["replaces"], row["choices"], row["each"]) == (
            "exchange", [], ["gong"], 1,
        )  # fmt: skip
        assert legal_loadouts(made, "Ringers").total == 3

    def test_groups_have_a_default_and_others_for_it(self, tmp_path):
        inner = entry("Drum", 1, 1, gun("Drum"))
        group = {
            "id": "g", "name": "Weapon", "constraints": at_least(1, 1),
            "defaultSelectionEntryId": "e-Gong",
            "selectionEntries": [
                entry("Bell", 0, 1, gun("Bell")),
                entry("Gong", 0, 1, gun("Gong")),
                entry("Band", 0, 1, selectionEntries=[inner, entry("Horn", 1, 1, gun("Horn"))]),
                entry("Shield", 0, 1),
            ],
        }  # fmt: skip
        made = catalogue(tmp_path, groups=[group])
        assert made["default_weapons"]["weapon_id"].to_list() == ["gong"]
        [row] = made["wargear_options"].rows(named=True)
        assert row["replaces"] == ["gong"]
        assert row["choices"] == ["bell", "drum + horn", "Shield"]
        assert legal_loadouts(made, "Ringers").total == 10

    def test_a_group_without_a_default_has_its_first_entry(self, tmp_path):
        group = {
            "id": "g", "name": "Weapon", "constraints": at_least(2, 3),
            "selectionEntries": [
                entry("Bell", 0, 3, gun("Bell")), entry("Gong", 0, 1, gun("Gong")),
            ],
        }  # fmt: skip
        made = catalogue(tmp_path, groups=[group])
        assert made["default_weapons"].select("weapon_id", "count").rows() == [("bell", 2)]
        found = legal_loadouts(made, "Ringers")
        each = {
            (c.get("bell", 0), c.get("gong", 0)) for c in (dict(o.weapons) for o in found.shown)
        }
        assert max(gongs for _, gongs in each) == 2  # one of each of the two Ringers
        assert {a + b for a, b in each} == {4, 5, 6}


@needs_shared
class TestRealFiles:
    def test_most_texts_are_read(self):
        made = read_files(SHARED / "real" / "wahapedia-10e-2025-11").dataset
        options = made["wargear_options"]
        unread = options["kind"].null_count()
        read_ = options["text"].count() - unread
        assert (read_, unread) == (2319, 108)
        assert made["leader_attachments"].height == 1678

    def test_catalogues(self):
        made, _ = read_catalogues(SHARED / "real" / "bsdata-10e")
        armed = made["default_weapons"].select("faction", "datasheet").unique().height
        assert armed / made.datasheets.height > 0.97
        found = legal_loadouts(made, "Raider", "Drukhari")
        assert found.total == 2
        assert dict(found.shown[0].weapons) == {"bladevanes-and-chainsnares": 1, "dark-lance": 1}
