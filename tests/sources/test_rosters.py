"""Army lists: one invented army in every form gives the same units, weapons and points."""

from __future__ import annotations

import base64
import gzip
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from killcurve.sources.rosters import read_rosters
from killcurve.tables.dataset import Dataset

from tests.sources import invented_lists as lists

HOST = lists.host()


def read(
    folder: Path, content: str | bytes, name: str = "army.txt", base: Dataset = HOST
) -> Dataset:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_rosters([path], base)[0]


def units(made: Dataset) -> list[dict]:
    return made["roster_units"].rows(named=True)


def weapons(made: Dataset, unit: int) -> Counter[str]:
    rows = made["roster_weapons"].filter((pl.col("unit") == unit) & (pl.col("read_as") == "weapon"))
    counts = Counter[str]()
    for row in rows.rows(named=True):
        counts[row["weapon_id"]] += row["count"]
    return counts


def groups(made: Dataset, unit: int) -> list[tuple[str | None, int]]:
    rows = made["roster_models"].filter(pl.col("unit") == unit)
    return rows.select("model", "count").rows()


def facts(made: Dataset) -> set[tuple]:
    return {
        (
            *(row[c] for c in ("datasheet", "models", "points_printed", "points_dataset")),
            *(row[c] for c in ("enhancement", "warlord")),
            tuple(sorted(weapons(made, row["unit"]).items())),
        )
        for row in units(made)
    }


def unplaced(made: Dataset) -> list[tuple]:
    return made["roster_unplaced"].select("line", "text", "reason").rows()


ENGINE = (("engine-fists", 1), ("magma-lance", 2))
GUARDS = (("cinder-blade", 1), ("close-combat-weapon", 9), ("heavy-flare-gun", 2), ("storm-gun", 8))
ARMY = {
    ("Ember Marshal", 1, 95, 95, "Ember Blade", True, (("cinder-blade", 1), ("flare-pistol", 1))),
    ("Storm Guards", 10, 180, 190, None, False, GUARDS),
    ("Ash Hounds", 3, 45, 45, None, False, (("fangs", 3),)),
    ("Forge Engine", 1, 160, 160, None, False, ENGINE),
    ("Forge Engine", 1, 160, 170, None, False, ENGINE),
}


@pytest.mark.parametrize("form", lists.TEXTS)
def test_the_same_army_in_every_form_of_text(tmp_path, form):
    made = read(tmp_path, lists.TEXTS[form])
    [row] = made["rosters"].rows(named=True)
    assert facts(made) == ARMY
    assert (row["faction"], row["points_printed"], row["points_units"]) == (lists.HOST, 640, 640)
    assert form == "List Forge" or row["detachments"][:1] == ["Vanguard of Flame"]
    assert unplaced(made) == []
    assert made.set_aside == {}
    marks = made["roster_weapons"].filter(pl.col("read_as") == "wargear")
    assert marks.select("printed", "count").rows() == [("Ember icon", 1)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("army.json", lists.as_json()),
        ("army.ros", lists.as_xml()),
        ("army.rosz", lists.zipped()),
        ("share.txt", base64.b64encode(gzip.compress(lists.as_json().encode(), mtime=0))),
        ("url.txt", b"https://x.app/#/listforge/"
         + base64.b64encode(gzip.compress(lists.as_json().encode(), mtime=0))),
    ],
)  # fmt: skip
def test_the_same_army_in_files_of_builders(tmp_path, name, content):
    made = read(tmp_path, content, name)
    assert facts(made) == ARMY
    assert unplaced(made) == []
    [row] = made["rosters"].rows(named=True)
    assert (row["points_limit"], row["list_edition"]) == (1000, "11e")
    assert row["detachments"] == ["Vanguard of Flame"]
    assert made.set_aside == {"roster_profiles": {"the unit has the same profile already": 2}}


def test_all_forms_are_told_by_their_shape(tmp_path):
    forms = {form: read(tmp_path, text)["rosters"]["form"][0] for form, text in lists.TEXTS.items()}
    assert forms == {
        "GW app": "GW app",
        "GW app, French": "GW app",
        "GW app, 10th edition": "GW app",
        "without indents": "GW app",
        "hollow bullets": "GW app",
        "New Recruit GW": "New Recruit (GW)",
        "WTC": "WTC",
        "WTC compact": "WTC compact",
        "New Recruit text": "New Recruit text",
        "List Forge": "List Forge text",
        "WarOrgan": "WarOrgan",
        "WarOrgan GW": "GW app",
    }


def test_a_list_without_loadouts_gets_those_of_its_datasheets(tmp_path):
    made = read(tmp_path, lists.SHORT)
    assert [u["models"] for u in units(made)] == [1, 10, 3, 1, 1]
    assert groups(made, 2) == [("Storm Guard", 9), ("Storm Guard Sergeant", 1)]
    assert weapons(made, 2) == {"storm-gun": 10, "close-combat-weapon": 9}
    default = made["roster_weapons"].filter(pl.col("is_default"))
    assert set(default["unit"]) == {2, 3}
    assert weapons(made, 1) == {"cinder-blade": 1, "flare-pistol": 1}
    assert (units(made)[0]["enhancement"], units(made)[0]["warlord"]) == ("Ember Blade", True)
    assert made["rosters"]["points_printed"].to_list() == [640]
    assert made["rosters"]["form"].to_list() == ["New Recruit short"]


def test_models_are_grouped_by_what_they_carry_where_the_list_tells(tmp_path):
    for text in (lists.WTC_COMPACT, lists.NR_TEXT):
        made = read(tmp_path, text)
        assert groups(made, 2) == [
            ("Storm Guard Sergeant", 1),
            ("Storm Guard", 6),
            ("Storm Guard", 1),
            ("Storm Guard", 2),
        ]
    rows = made["roster_weapons"].filter((pl.col("unit") == 2) & (pl.col("group") == 4))
    assert rows.select("printed", "count").rows() == [
        ("Close combat weapon", 2),
        ("Heavy flare gun", 2),
    ]


@pytest.mark.parametrize("form", ["GW app", "GW app, French", "WarOrgan", "without indents"])
def test_blocks_of_attached_units(tmp_path, form):
    first, second, *rest = units(read(tmp_path, lists.TEXTS[form]))
    assert (first["attached_as"], first["attached_to"]) == ("leader", 2)
    assert (second["attached_as"], second["attached_to"]) == ("bodyguard", None)
    assert all(unit["attached_as"] is None for unit in rest)


def test_a_heading_of_the_owners_own_attaches_only_who_may_lead(tmp_path):
    text = lists.WAR_ORGAN.replace("Ember Marshal", "Ember Oracle")
    other = lists.host(
        leader_attachments=[
            {"faction": lists.HOST, "leader": "Ember Oracle", "bodyguard": "Ash Hounds"}
        ]
    )
    assert all(u["attached_as"] is None for u in units(read(tmp_path, text, base=other)))


def test_lines_that_name_the_other_unit_attach(tmp_path):
    text = (
        lists.HEADER
        + """
Char1: 1x Ember Marshal (80 pts): Flare pistol
Leading Storm Guards[2]
Char2: 1x Ember Oracle (70 pts): Oracle staff
Supporting Storm Guards[2]
Char3: 1x Ember Marshal (80 pts): Flare pistol
Leading Wind Guards

5x Storm Guards (100 pts)
• 1x Storm Guard Sergeant: Storm gun
• 4x Storm Guard: 4 with Storm gun
5x Storm Guards (100 pts)
• 1x Storm Guard Sergeant: Storm gun
• 4x Storm Guard: 4 with Storm gun
  Attached to Ember Marshal[1]
  Attached to Ember Oracle
"""
    )
    made = read(tmp_path, text)
    bonds = [(u["attached_as"], u["attached_to"]) for u in units(made)]
    none = (None, None)
    assert bonds == [("leader", 5), ("support", 5), none, none, ("bodyguard", None)]
    assert unplaced(made) == [(17, "Wind Guards", "attached to no unit of the list")]


def test_pairs_under_one_heading_are_attached(tmp_path):
    text = """Ember Host - x (275 Points)

Attached Units:
Ember Marshal + Storm Guards (275 pts)
  Ember Marshal (95 pts)
    • Cinder blade
    • E: Ember Blade
  Storm Guards (180 pts)
    • Storm Guard Sergeant
      • Storm gun
    • 9x Storm Guard
      • 9x Storm gun
"""
    made = read(tmp_path, text)
    assert [(u["printed"], u["attached_to"]) for u in units(made)] == [
        ("Ember Marshal", 2),
        ("Storm Guards", None),
    ]
    assert made["rosters"]["points_units"].to_list() == [275]


def test_a_unit_of_a_builder_names_its_leader_in_an_ability(tmp_path):
    content = lists.as_json().replace(
        '"name": "Ember Marshal", "typeName": "Unit"', '"name": "Attached to: Storm Guards"'
    )
    assert units(read(tmp_path, content, "army.json"))[0]["attached_to"] == 2


OLDER = {
    "French": """== DETACHEMENT Bataillon : Ember Host [255pts] ==

Personnages 1 : Ember Marshal [95pts]
\u2022 Seigneur de Guerre
\u2022 Cinder blade, Flare pistol
Lignes 1 : Storm Guards [100pts]
\u2022 5x Storm Guard: Storm gun
Véhicules 1 : Bête Inconnue [60pts]: Magma lance
++ Total: [255pts] ++
""",
    "BattleScribe": """++ Patrol Detachment 0CP (Ember Host) [12 PL, 3CP, 255pts] ++

+ Configuration +
Battle Size: Incursion

+ HQ +
Ember Marshal [5 PL, 95pts]: Warlord, Cinder blade, Flare pistol

+ Troops +
Storm Guards [5 PL, 100pts]
. 5x Storm Guard (gun): 5x Storm gun

+ Heavy Support +
Bête Inconnue [60pts]: Magma lance

++ Total: [12 PL, 3CP, 255pts] ++

Created with BattleScribe
""",
    "by hand": """Ember Host
Vanguard of Flame

Ember Marshal - 95 pts
Warlord
Cinder blade, Flare pistol
5 Storm Guards - 100 pts
5x Storm gun
Bête Inconnue - 60 pts
Magma lance
Total: 255 points
""",
}


@pytest.mark.parametrize("form", OLDER)
def test_older_forms_are_read_as_far_as_the_dataset_goes(tmp_path, form):
    made = read(tmp_path, OLDER[form])
    assert [u["datasheet"] for u in units(made)] == ["Ember Marshal", "Storm Guards", None]
    assert [u["models"] for u in units(made)] == [1, 5, 1]
    assert (units(made)[0]["warlord"], weapons(made, 2)) == (True, {"storm-gun": 5})
    assert [row[1] for row in unplaced(made)] == ["Bête Inconnue"]
    [row] = made["rosters"].rows(named=True)
    assert (row["faction"], row["points_printed"], row["points_units"]) == (lists.HOST, 255, 255)


def test_a_roster_of_an_older_edition_is_read_without_its_profiles(tmp_path):
    old = (
        lists.as_json().replace("11th Edition", "9th Edition").replace('"name": "T"', '"name": "Q"')
    )
    path = tmp_path / "army.json"
    path.write_text(old)
    made, warnings = read_rosters([path], HOST)
    assert facts(made) == ARMY
    assert "the list is of 'Warhammer 40,000 9th Edition'" in warnings[0]
    assert made["roster_stat_lines"].is_empty()
    why = "its toughness, save or wounds are not printed"
    assert made.set_aside["roster_stat_lines"] == {why: 4}


def test_counts_that_builders_leave_behind_are_left_out(tmp_path):
    old = lists.as_json().replace(
        '"name": "Storm Guard w/ heavy flare gun", "type": "model", "number": 2',
        '"name": "Storm Guard w/ heavy flare gun", "type": "model", "number": -5',
    )
    [guards] = [u for u in units(read(tmp_path, old)) if u["datasheet"] == "Storm Guards"]
    assert guards["models"] == 8
    assert "Storm Guard w/ heavy flare gun counts -5 and is left out" in guards["note"]


def test_profiles_of_a_builders_file_are_kept(tmp_path):
    made = read(tmp_path, lists.as_json(), "army.json")
    lines = made["roster_stat_lines"].filter(pl.col("unit") == 1)
    assert lines.select("model", "toughness", "save", "invulnerable_save", "wounds").rows() == [
        ("Ember Marshal", 4, 3, 4, 5)
    ]
    blade = made["roster_profiles"].filter(pl.col("weapon") == "Cinder blade").row(0, named=True)
    assert (blade["attacks"], blade["damage"], blade["ap"]) == ("2", "D3", -1)
    assert blade["keywords"] == ["lethal hits"]
    ids = set(made["roster_profiles"].select("unit", "weapon_id").rows())
    carried = made["roster_weapons"].filter(pl.col("profile_id").is_not_null())
    assert carried.height == 13
    assert set(carried.select("unit", "profile_id").rows()) <= ids


def test_titles_and_names_of_people_are_not_kept(tmp_path):
    text = lists.WTC_COMPACT.replace("+ FACTION", "+ PLAYER: Jo Doe\n+ TEAM: The Doves\n+ FACTION")
    said = lists.GW_11.replace("Ember Host\n", "Ember Host\nby Jo Doe of The Doves\n", 1)
    for content in (text, said, lists.as_json(), lists.WAR_ORGAN):
        made = read(tmp_path, content)
        kept = "".join(made[table].write_json() for table in made.tables)
        assert not any(word in kept for word in ("glorious", "Jo Doe", "Doves"))
    made = read(tmp_path, said)
    assert unplaced(made) == [(4, None, "a line of the heading: no army, no detachment")]
