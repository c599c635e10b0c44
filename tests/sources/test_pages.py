"""Datasheet pages as text, invented ones of both editions: the unit and its weapons."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from killcurve.rules.abilities import ABILITIES, Amount
from killcurve.sources.pages import Page, read_page
from killcurve.sources.pages.unit import _copies
from killcurve.sources.pages.weapons import split_name
from killcurve.tables.dataset import DataError

from tests.sources.invented import NEW, OLD, OWN, Sheet


def read(sheet: Sheet) -> Page:
    return read_page(sheet.text(), "page.txt")


def column(page: Page, table: str, name: str) -> list[object]:
    return [row[name] for row in page.rows[table]]


class TestEditions:
    def test_the_forms_tell_the_edition(self):
        assert (read(NEW).edition, read(OLD).edition) == ("11e", "10e")

    def test_a_sign_of_the_other_edition_is_reported(self):
        mixed = replace(OLD, points=("YOUR UNIT COSTS |", "1 model | 45"))
        page = read(mixed)
        assert page.edition == "10e"
        assert any("headings over the points" in warning for warning in page.warnings)

    def test_as_many_signs_of_both_are_refused(self):
        sheet = replace(
            NEW, edition="10e", tricks=OWN, before=("Being struck", "It rings."), enhancements=()
        )
        with pytest.raises(DataError, match="tells no edition"):
            read(sheet)


class TestWeapons:
    def test_each_counts_once_with_its_characteristics(self):
        gun = read(NEW).rows["weapons"][0]
        assert gun == {
            "faction": "Iron Choir",
            "datasheet": "Anvil Guard",
            "weapon_id": "storm-gun",
            "weapon": "Storm gun",
            "profile": "",
            "kind": "ranged",
            "exclusive": False,
            "range": 24,
            "attacks": "2",
            "skill": 3,
            "strength": "5",
            "ap": -1,
            "damage": "D3+1",
            "keywords": ["lethal hits", "rapid fire 2"],
        }

    def test_profiles_of_one_weapon_exclude_each_other(self):
        weapons = read(NEW).rows["weapons"]
        found = [
            (w["weapon_id"], w["weapon"], w["profile"], w["exclusive"], w["keywords"])
            for w in weapons[1:3]
        ]
        assert found == [
            ("bell-thrower", "Bell thrower", "canister", True, ["blast"]),
            ("bell-thrower", "Bell thrower", "slug", True, []),
        ]

    def test_a_weapon_that_hits_by_itself_has_no_skill(self):
        flame = read(NEW).rows["weapons"][4]
        assert (flame["weapon"], flame["skill"], flame["keywords"]) == (
            "Flame bell",
            None,
            ["torrent"],
        )

    def test_melee_weapons_have_no_range(self):
        clapper = read(NEW).rows["weapons"][5]
        assert (clapper["kind"], clapper["range"]) == ("melee", 0)

    def test_abilities_are_taken_apart(self):
        [anti] = [r for r in read(OLD).rows["weapon_keywords"] if r["ability"] == "anti"]
        assert (anti["keyword"], anti["subject"], anti["threshold"], anti["known"]) == (
            "anti-fly 2+",
            "fly",
            2,
            True,
        )

    def test_an_ability_in_brackets_that_nobody_knows_is_kept_by_name(self):
        sheet = replace(OLD, ranged=('Horn [loud voice, blast] | 8" | 1 | 3+ | 4 | 0 | 1',))
        page = read(sheet)
        assert page.rows["weapons"][0]["keywords"] == ["loud voice", "blast"]
        assert not page.rows["weapon_keywords"][0]["known"]
        assert any("'loud voice' is no weapon ability" in w for w in page.warnings)

    def test_a_row_in_the_wrong_table_keeps_its_kind(self):
        page = read(replace(NEW, ranged=(*NEW.ranged, "Fist | Melee | 3 | 4+ | 6 | -1 | 2")))
        [fist] = [w for w in page.rows["weapons"] if w["weapon"] == "Fist"]
        assert fist["kind"] == "melee"
        assert any("other table" in warning for warning in page.warnings)

    def test_characteristics_that_are_none_are_set_aside_and_counted(self):
        page = read(replace(NEW, melee=("Clapper | Melee | many | 4+ | 6 | -1 | 2",)))
        assert any("weapons: 1 set aside" in warning for warning in page.warnings)

    @pytest.mark.parametrize(
        ("printed", "melee", "name", "abilities"),
        [
            ("Fleshrifle assault", False, "Fleshrifle", ["assault"]),
            ("Bright lance", False, "Bright lance", []),
            ("Bright lance lance", False, "Bright lance", ["lance"]),
            ("Long spear lance", True, "Long spear", ["lance"]),
            ("Bell pistol pistol", False, "Bell pistol", ["pistol"]),
            ("Bell pistol close-quarters", False, "Bell pistol", ["close-quarters"]),
            ("Tone blast assault", False, "Tone blast", ["assault"]),
            ("Rung gun anti-epic hero 4+ heavy", False, "Rung gun", ["anti-epic hero 4+", "heavy"]),
            ("Twin hunter missiles one shot", False, "Twin hunter missiles", ["one shot"]),
            (
                "Melter hunter monster hunter vehicle melta 2",
                False,
                "Melter",
                ["hunter monster", "hunter vehicle", "melta 2"],
            ),
            ("Blaster – overcharge hazardous", False, "Blaster – overcharge", ["hazardous"]),
            ("Gun Sustained Hits d3", False, "Gun", ["sustained hits D3"]),
            ("Heavy", False, "Heavy", []),
        ],
    )
    def test_bare_abilities_are_told_from_names(self, printed, melee, name, abilities):
        named = split_name(printed, melee=melee)
        assert (named.name, [str(a) for a in named.abilities]) == (name, abilities)

    def test_a_known_name_decides(self):
        assert split_name("Bell pistol", melee=False).name == "Bell"
        assert split_name("Bell pistol", melee=False, known={"bell pistol"}).name == "Bell pistol"

    def test_the_community_names_survive_being_printed(self, dataset):
        """Every known profile, printed as a page would, is read back but for rare ones."""
        rows = dataset.weapons.select("weapon", "profile", "kind", "keywords").unique().rows()
        wrong = []
        for weapon, profile, kind, keywords in rows:
            name = " ".join(f"{weapon} – {profile}".split() if profile else weapon.split())
            printed = " ".join([name, *sorted(keywords)])
            named = split_name(printed, melee=kind == "melee")
            if (named.name, [str(a) for a in named.abilities]) != (name, sorted(keywords)):
                wrong.append(printed)
        assert len(rows) > 1500
        assert len(wrong) <= 2, wrong


class TestUnit:
    def test_costs_by_size_and_copy(self):
        found = [
            (r["models"], r["models_max"], r["copies_from"], r["copies_to"], r["cost"])
            for r in read(NEW).rows["points"]
        ]
        assert found == [
            (5, 5, 1, 3, 90),
            (6, 10, 1, 3, 170),
            (5, 5, 4, None, 100),
            (6, 10, 4, None, 190),
        ]

    def test_a_bare_cost_is_for_every_copy(self):
        [row] = read(OLD).rows["points"]
        assert (row["models"], row["copies_from"], row["copies_to"], row["cost"]) == (
            1,
            1,
            None,
            45,
        )

    @pytest.mark.parametrize(
        ("label", "copies"),
        [
            ("YOUR UNIT COSTS", (1, None)),
            ("YOUR 1ST TO 3RD UNITS COST", (1, 3)),
            ("YOUR 4TH + UNIT COSTS", (4, None)),
            ("YOUR 1ST UNIT COSTS", (1, 1)),
            ("YOUR 2ND + UNIT COSTS", (2, None)),
            ("WARGEAR OPTIONS", None),
        ],
    )
    def test_headings_over_costs(self, label, copies):
        assert _copies(label) == copies

    def test_costs_of_wargear_are_reported_and_not_taken_for_sizes(self):
        sheet = replace(NEW, points=(*NEW.points, "WARGEAR OPTIONS |", "1 twin bell | 5"))
        page = read(sheet)
        assert 5 not in column(page, "points", "cost")
        assert sum("no cost by number of models" in warning for warning in page.warnings) == 2

    def test_a_composed_size_is_added_up(self):
        sheet = replace(
            NEW, points=("YOUR UNIT COSTS |", "1 Anvil Chief, 4 Guards and 5 Bells | 150")
        )
        assert column(read(sheet), "points", "models") == [10]

    def test_the_size_of_the_unit(self):
        [row] = read(NEW).rows["datasheets"]
        assert (row["models_min"], row["models_max"], row["role"]) == (5, 10, "battleline")
        assert row["transport_capacity"] == 11

    def test_alternatives_of_composition(self):
        sheet = replace(NEW, composition=("1 Chief", "9 Guards"))
        text = sheet.text().replace("- 9 Guards", "- 9 Guards\nOR\n- 1 Chief\n- 4 Guards")
        [row] = read_page(text, "page").rows["datasheets"]
        assert (row["models_min"], row["models_max"]) == (5, 10)

    def test_a_split_name_is_joined_and_its_parts_stay(self):
        keywords = column(read(NEW), "keywords", "keyword")
        assert keywords == ["infantry", "battleline", "anvil", "guard", "anvil guard", "iron choir"]

    def test_faction_keywords_are_marked(self):
        marked = [r["keyword"] for r in read(NEW).rows["keywords"] if r["is_faction"]]
        assert marked == ["iron choir"]

    def test_exchanges_of_wargear(self):
        found = [(r["replaces"], r["choices"]) for r in read(NEW).rows["wargear_options"]]
        assert found == [
            (["Storm gun"], ["Dark lance"]),
            (["Clapper", "Clapper"], ["Storm gun + Storm gun", "Clapper + Dark lance"]),
            ([], []),
        ]

    def test_glued_abilities_are_split(self):
        texts = read(NEW).rows["texts"]
        found = {r["name"]: r["text"] for r in texts if r["kind"] == "ability"}
        assert found == {
            "Slow Step": "It walks.",
            "Old Grudge (Aura)": "It hits hard.Designer’s Note: Only once.",
        }

    def test_a_section_of_its_own_name_holds_abilities(self):
        text = NEW.text().replace(
            "ABILITIES\n", "HERALDS OF THE BELL\nFirst Ring: It rings.\nABILITIES\n"
        )
        page = read_page(text, "page")
        assert "First Ring" in column(page, "texts", "name")
        assert page.warnings == read(NEW).warnings

    def test_a_line_without_a_place_is_reported(self):
        text = NEW.text().replace("CORE: Deep", "ringing, always ringing\nCORE: Deep")
        assert any("belongs to no ability" in w for w in read_page(text, "page").warnings)


ABILITY_WORDS = [name for name, amount in ABILITIES.items() if amount is Amount.NONE]


@given(
    st.sampled_from(["Storm gun", "Twin bell", "Great clapper of iron"]),
    st.lists(st.sampled_from(ABILITY_WORDS), unique=True, max_size=4).map(sorted),
    st.booleans(),
)
def test_printed_abilities_are_read_back(name, abilities, melee):
    if not melee and "lance" in abilities:
        abilities.remove("lance")
    named = split_name(" ".join([name, *abilities]), melee=melee)
    assert (named.name, [str(a) for a in named.abilities]) == (name, abilities)
