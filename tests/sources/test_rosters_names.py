"""Names and numbers as people paste them: places, near misses, points, sums in words."""

from __future__ import annotations

import polars as pl
import pytest
from killcurve.sources.rosters.in_words import rosters_in_words
from killcurve.tables.dataset import Dataset
from killcurve.tables.rosters import Roster, profiles_of

from tests.sources import invented_lists as lists
from tests.sources.test_rosters import ARMY, facts, groups, read, units, unplaced, weapons

HEAD = "An army (1,000 points)\n\nEmber Host\nVanguard of Flame\nIncursion (1,000 points)\n\n"


def unit(tmp_path, text: str, number: int = 1, **more) -> dict:
    return units(read(tmp_path, HEAD + text, **more))[number - 1]


@pytest.mark.parametrize(
    "mangled",
    [
        lists.GW_11.encode("utf-8-sig"),
        lists.GW_11.encode("utf-16"),
        lists.GW_11.encode("cp1252"),
        lists.GW_11.replace("\n", "\r\n").encode(),
        lists.GW_11.encode().decode("cp1252").encode(),
        lists.GW_11.replace(" points", "\u00a0Points").encode(),
        lists.GW_11.replace("1000", "1,000").replace("640", "0\u202f640").encode(),
        lists.GW_11.replace("•", "-").encode(),
        lists.GW_11.replace("•", "*").encode(),
        lists.GW_11.replace("•", "·").encode(),
        lists.GW_11.replace("• ", "•").encode(),
        lists.GW_11.replace("1x ", "1 x ").replace("9x", "9×").encode(),
        "".join(f"> {line}\n" for line in lists.GW_11.splitlines()).encode(),
        "".join(f">> {line}\n" for line in lists.GW_11.splitlines()).encode(),
        "".join(f"    {line}\n" for line in lists.GW_11.splitlines()).encode(),
        lists.GW_11.replace("\n", "\n\n").encode(),
        f"```\n{lists.GW_11}```\n".encode(),
        lists.GW_11.replace("Ember Marshal (95 points)", "**Ember Marshal** (95 pts)").encode(),
        lists.GW_11.replace("Storm Guard\n", "STORM GUARD\u200b\n").encode(),
        lists.GW_11.split("Exported")[0].encode(),
    ],
)
def test_a_pasted_list_is_the_same_list(tmp_path, mangled):
    made = read(tmp_path, mangled)
    assert facts(made) == ARMY
    assert made["rosters"]["points_units"].to_list() == [640]


def test_depth_tells_what_bullets_do_not(tmp_path):
    text = "Storm Guards (180 points)\n  1x Storm Guard Sergeant\n    1x Cinder blade\n"
    text += "  9x Storm Guards\n    9x Storm gun\n    9x Close combat weapon\n"
    made = read(tmp_path, HEAD + text)
    assert groups(made, 1) == [("Storm Guard Sergeant", 1), ("Storm Guard", 9)]
    assert weapons(made, 1) == {"cinder-blade": 1, "storm-gun": 9, "close-combat-weapon": 9}


@pytest.mark.parametrize(
    ("printed", "sheet", "note"),
    [
        ("Storm Guards", "Storm Guards", None),
        ("STORM GUARD", "Storm Guards", None),
        ("Storm–Guards [Legends]", "Storm Guards", None),
        ("Ember Host Forge Engine", "Forge Engine", "read as Forge Engine"),
        ("Storm Gaurds", "Storm Guards", "read as Storm Guards"),
        ("Marshal", "Ember Marshal", "read as Ember Marshal"),
        ("Storm Guards [The Loud Ones]", "Storm Guards", "read as Storm Guards"),
        ("Choir Chanters", "Choir Chanters", "of Deep Choir"),
    ],
)
def test_names_are_placed(tmp_path, printed, sheet, note):
    found = unit(tmp_path, f"{printed} (80 points)\n  • 1x Flare pistol\n")
    assert (found["datasheet"], found["faction"]) == (
        sheet,
        lists.CHOIR if "Choir" in sheet else lists.HOST,
    )
    assert note is None or note in found["note"]


@pytest.mark.parametrize("printed", ["Storm Wardens", "Ember", "Forge Beast", "Anvil"])
def test_names_that_are_only_alike_are_not_placed(tmp_path, printed):
    made = read(tmp_path, f"{HEAD}{printed} (80 points)\n  • 1x Thing\n\nAsh Hounds (45 points)\n")
    first = units(made)[0]
    assert (first["datasheet"], first["printed"], first["points_dataset"]) == (None, printed, None)
    row = made["roster_unplaced"].row(0, named=True)
    assert (row["line"], row["text"]) == (7, printed)
    assert row["reason"] == "no unit of Ember Host has this name"
    assert row["nearest"] == {
        "Storm Wardens": ["Storm Guards"],
        "Forge Beast": ["Forge Engine"],
    }.get(printed, row["nearest"])


def test_a_weapon_without_a_place_is_listed_with_its_line_and_the_nearest_names(tmp_path):
    text = "Storm Guards (100 points)\n  • 5x Storm Guard\n    • 5x Strom gun\n      1x Void gun\n"
    made = read(tmp_path, HEAD + text)
    assert weapons(made, 1) == {"storm-gun": 5}
    row = made["roster_unplaced"].row(0, named=True)
    assert (row["unit"], row["line"], row["text"]) == (1, 10, "Void gun")
    assert row["reason"] == "no weapon or wargear of Storm Guards by this name"
    assert row["nearest"] == ["Heavy flare gun", "Storm gun"]
    kept = made["roster_weapons"].filter(pl.col("printed") == "Void gun").row(0, named=True)
    assert (kept["weapon_id"], kept["read_as"], kept["count"]) == (None, "unknown", 1)


@pytest.mark.parametrize(
    ("printed", "found"),
    [
        ("2x Storm guns", {"storm-gun": 2}),
        ("3x 2 Storm guns", {"storm-gun": 6}),
        ("1x Storm Gun and Cinder Blade", {"storm-gun": 1, "cinder-blade": 1}),
        ("2x Storm Gun & Cinder Blade", {"storm-gun": 2, "cinder-blade": 2}),
        ("Storm gun, 2 Cinder blades and Flare pistol",
         {"storm-gun": 1, "cinder-blade": 2, "flare-pistol": 1}),
        ("1x Storm gunCinder blade", {"storm-gun": 1, "cinder-blade": 1}),
        ("1x Close-combat weapon", {"close-combat-weapon": 1}),
        ("1x Guard storm gun", {"storm-gun": 1}),
        ("1x Heavy storm gun", {}),
        ("1x Twin cinder blade", {}),
        ("1x Magma lance", {}),
        ("1x Heavy flare", {"heavy-flare-gun": 1}),
    ],
)  # fmt: skip
def test_weapons_are_found_by_what_is_printed(tmp_path, printed, found):
    text = f"Storm Guards (100 points)\n  • 5x Storm Guard\n    • 1x Ember icon\n    • {printed}\n"
    made = read(tmp_path, HEAD + text)
    assert weapons(made, 1) == (found or {})
    assert bool(unplaced(made)) == (not found)


def test_a_weapon_that_shoots_and_fights_is_carried_once(tmp_path):
    made = read(tmp_path, HEAD + "Ember Oracle (70 points)\n  • 1x Oracle staff\n")
    assert weapons(made, 1) == {"oracle-staff": 1}


@pytest.mark.parametrize(
    ("line", "name", "points"),
    [
        ("• Enhancement: Ember Blade", "Ember Blade", 15),
        ("• Enhancements: Ember blade", "Ember Blade", 15),
        ("• Ember Blade (+25 pts)", "Ember Blade", 25),
        ("• Enhancement: Soot Mantle", "Soot Mantle (Upgrade)", 10),
        ("• Optimisation : Ember Blade", "Ember Blade", 15),
        ("• Enhancement: Emberblade of Old", "Emberblade of Old", None),
        ("• Cinder blade and Ember Blade [+25 points]", "Ember Blade", 25),
    ],
)
def test_enhancements(tmp_path, line, name, points):
    made = read(tmp_path, f"{HEAD}Ember Marshal (95 points)\n  • Flare pistol\n  {line}\n")
    [found] = units(made)
    assert (found["enhancement"], found["enhancement_points"]) == (name, points)
    cost = {"Ember Blade": 95, "Soot Mantle (Upgrade)": 90}.get(name)
    assert found["points_dataset"] == cost
    assert ("no enhancement of the army has this name" in str(unplaced(made))) == (cost is None)


def test_a_weapon_with_the_name_of_an_enhancement_stays_a_weapon(tmp_path):
    named = {"faction": lists.HOST, "detachment": "Iron Guard", "name": "Cinder blade", "cost": 5}
    base = lists.host(enhancements=[{**named, "effects": [], "status": "unread"}])
    made = read(tmp_path, lists.GW_11, base=base)
    assert facts(made) == ARMY


def test_the_heading_names_who_has_an_enhancement_and_who_is_warlord(tmp_path):
    text = lists.WTC_COMPACT.replace(": Warlord,", ":").replace(
        "Enhancement: Ember Blade (+15 pts)\n", ""
    )
    first = units(read(tmp_path, text))[0]
    assert (first["warlord"], first["enhancement"]) == (True, "Ember Blade")
    made = read(tmp_path, text.replace("(on Char1: Ember Marshal)", "(on Char1: Nobody)"))
    assert (7, "Ember Blade") in [row[:2] for row in unplaced(made)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Vanguard of Flame and Ash and Iron (3 Detachment Points)",
         ["Vanguard of Flame", "Ash and Iron"]),
        ("Ash and Iron", ["Ash and Iron"]),
        ("Ash and Iron, Iron Guard (Some Rule)", ["Ash and Iron", "Iron Guard"]),
    ],
)  # fmt: skip
def test_detachments_of_one_line(tmp_path, line, found):
    text = HEAD.replace("Vanguard of Flame", line) + "Ash Hounds (45 points)\n"
    assert read(tmp_path, text)["rosters"]["detachments"].to_list() == [found]


def test_a_detachment_of_a_dataset_without_any_is_as_printed(tmp_path):
    without = dict(lists.host().tables) | {"detachments": lists.host()["detachments"].clear()}
    made = read(tmp_path, lists.GW_10, base=Dataset(lists.ABOUT, without))
    assert made["rosters"]["detachments"].to_list() == [["Vanguard of Flame"]]
    assert made["rosters"]["faction"].to_list() == [lists.HOST]


def test_a_detachment_without_a_place_is_told(tmp_path):
    text = lists.WAR_ORGAN.replace("Vanguard of Flame", "Vanguard of Flood")
    made = read(tmp_path, text)
    assert made["rosters"]["detachments"].to_list() == [["Vanguard of Flood"]]
    row = made["roster_unplaced"].row(0, named=True)
    assert (row["text"], row["nearest"]) == ("Vanguard of Flood", ["Vanguard of Flame"])


@pytest.mark.parametrize(
    ("army", "faction"),
    [("Ember Host", lists.HOST), ("Ember Host\nAsh Ravens", lists.RAVENS), ("", lists.HOST)],
)
def test_the_army_is_named_or_told_by_its_units(tmp_path, army, faction):
    text = f"x (300 points)\n{army}\nIncursion (1000 points)\n\nStorm Guards (100 points)\n\n"
    made = read(tmp_path, f"{text}Ember Marshal (80 points)\n\nForge Engine (160 points)\n")
    assert made["rosters"]["faction"].to_list() == [faction]
    assert {u["faction"] for u in units(made)} == {lists.HOST}


def test_prices_go_by_size_copy_army_and_wargear(tmp_path):
    engine = "Forge Engine (160 points)\n  • 2x Magma lance\n\n"
    text = f"{engine}Forge Engine (150 points)\n  • 1x Engine fists\n\n{engine}"
    made = read(tmp_path, f"{HEAD}{text}Choir Chanters (75 points)\n  • 5x Chanter\n")
    found = [(u["copy"], u["points_dataset"]) for u in units(made)]
    assert found == [(2, 170), (1, 150), (3, 170), (1, 75)]


def test_a_sum_that_is_not_the_total_is_told_in_words(tmp_path):
    text = lists.GW_11.replace("army (640 points)", "army (650 points)")
    said = rosters_in_words(read(tmp_path, text))
    assert "the list prints 650 points, its units add up to 640: 10 less" in said
    assert "5 Forge Engine: printed 160, in the dataset 170 (+10)" in said
    assert "2 Storm Guards: printed 180, in the dataset 190 (+10)" in said
    assert "prices: 2 of 5 units" in said


def test_enhancements_that_are_printed_apart_count_with_their_units(tmp_path):
    made = read(tmp_path, lists.WTC_COMPACT.replace("(95 pts)", "(80 pts)"))
    assert units(made)[0]["points_printed"] == 95
    assert made["rosters"]["points_units"].to_list() == [640]


def test_a_list_without_a_total_and_above_its_limit(tmp_path):
    said = rosters_in_words(read(tmp_path, lists.SHORT.replace("Total: 640pts\n", "")))
    assert "the list prints no total; its units add up to 640 points" in said
    said = rosters_in_words(read(tmp_path, lists.GW_11.replace("(1000", "(500")))
    assert "140 points above its limit of 500" in said


def test_words_for_people(tmp_path):
    said = rosters_in_words(read(tmp_path, lists.GW_11)).splitlines()
    assert said[0] == (
        "army (GW app): Ember Host · Vanguard of Flame · priority assets, take and hold · "
        "11th edition · 640 of 1,000 points"
    )
    assert said[1] == (
        "   1  Ember Marshal    1 model     95  warlord; Ember Blade (15); leads 2 (Storm Guards)"
    )
    assert said[4] == "        1 Storm Guard Sergeant: Cinder blade, Storm gun"
    lost = rosters_in_words(read(tmp_path, lists.GW_11.replace("2x Magma lance", "2x Void lance")))
    assert "'Void lance' (lines 38, 42): no weapon or wargear of Forge Engine" in lost


def test_a_unit_without_models_takes_its_size_from_its_points(tmp_path):
    found = unit(tmp_path, "Storm Guards (100 points)\n")
    assert (found["models"], found["note"]) == (5, "the list names no models: 5 by its points")
    found = unit(tmp_path, "Storm Guards (111 points)\n")
    assert (found["models"], found["note"]) == (
        5,
        "the list names no models: taken as its smallest size, 5",
    )


def test_a_printed_size_that_is_not_that_of_the_models_is_noted(tmp_path):
    found = unit(tmp_path, "10x Storm Guards (190 points)\n• 5x Storm Guard: Storm gun\n")
    assert (found["models"], found["note"]) == (5, "the list says 10 models and names 5")


def test_models_of_an_unknown_unit_are_told_by_depth_and_order(tmp_path):
    deep = "Void Squad (100 points)\n  • 1x Void Captain\n    • 1x Gun\n  • 4x Void\n    • 4x Gun\n"
    flat = (
        "Void Squad (90 points)\n• 1x Captain\n• 1x Gun\n1x Blade\n• 4x Void\n• 4x Gun\n4x Blade\n"
    )
    made = read(tmp_path, f"{HEAD}Ash Hounds (45 points)\n\n{deep}\n{flat}")
    assert [u["models"] for u in units(made)][1:] == [5, 5]
    rows = made["roster_models"].filter(pl.col("unit") == 3)
    assert rows.select("printed", "count").rows() == [("Captain", 1), ("Void", 4)]


def test_a_roster_as_a_value(tmp_path):
    made = read(tmp_path, lists.GW_11)
    found = Roster.of(made)
    assert (found.name, found.points, found.edition) == ("army", 640, "11e")
    guards = found.units[1]
    assert guards.weapons() == weapons(made, 2)
    assert [group.count for group in guards.groups] == [1, 9]
    assert guards.groups[1].carried[1].printed == "Ember icon"
    with pytest.raises(ValueError, match="no roster 'host', but army"):
        Roster.of(made, "host")


def test_profiles_of_a_list_are_a_dataset_of_their_own(tmp_path):
    made = profiles_of(read(tmp_path, lists.as_json(), "army.json"))
    assert made.find("forge engine 5") == ("Ember Host", "Forge Engine 5")
    lance = made.of_unit("weapons", "Ember Host", "Forge Engine").sort("weapon")["damage"]
    assert lance.to_list() == ["D3", "D3"]
    assert made.models.height == 4
    with pytest.raises(ValueError, match="holds no profiles of its own"):
        profiles_of(read(tmp_path, lists.GW_11))
