"""The real lists, where they lie beside the project: every unit, model and point by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import killcurve
import polars as pl
import pytest
from killcurve.sources.importing import Imported, import_rosters
from killcurve.tables.rosters import Roster

from tests.conftest import SHARED, needs_shared

pytestmark = needs_shared

LISTS = SHARED / "real" / "rosters"


@dataclass(frozen=True)
class Told:
    """What a person reads in a list: models of each unit in order, and what is special."""

    form: str
    faction: str
    total: int
    models: tuple[int, ...]
    detachments: tuple[str, ...] = ()
    warlord: int | None = None
    enhancements: dict[int, str] = field(default_factory=dict)
    attached: dict[int, tuple[str, int]] = field(default_factory=dict)
    unknown: dict[str, int] = field(default_factory=dict)
    """What the dataset lacks for the units that carry it, with how many."""
    edition: str | None = None


BATTLESUITS = (1, 3, 1, 3, 1, 3, 1, 3, 2, 10, 10, 10, 1, 1, 1, 1, 5, 5)
WORLD_EATERS = ("Berzerker Warband",)
ALL = {
    "gwapp.txt": Told(
        "GW app", "World Eaters", 1995, (1, 1, 1, 1, 10, 10, 1, 1, 2, 2, 3, 1, 1, 10, 1, 1),
        WORLD_EATERS, 1, {1: "Helm of Brazen Ire", 3: "Berzerker Glaive", 4: "Favoured of Khorne"},
        edition="10e",
    ),
    "gwapp-darkangels.txt": Told(
        "GW app", "Dark Angels", 1995, (1, 5, 1, 5, 1, 1, 5, 3, 3, 3, 1, 1, 1, 3, 5, 5),
        ("Darkflight Pursuit", "Inner Circle Task Force"), 6,
        {11: "Thundercowl Turbines (Upgrade)"},
        {1: ("support", 2), 3: ("support", 4)},
        {"Close-combat weapon": 5, "Close combat weapon": 11}, "11e",
    ),
    "gwapp-french.txt": Told(
        "GW app", "T’au Empire", 2000, BATTLESUITS[:8] + BATTLESUITS[8:],
        ("Mont’ka",), 1, {3: "Exemplar of the Mont’ka", 7: "Strike Swiftly"},
        {1: ("leader", 2), 3: ("leader", 4), 5: ("leader", 6), 7: ("leader", 8)}, edition="11e",
    ),
    "lf.txt": Told(
        "List Forge text", "World Eaters", 1935, (1, 1, 1, 1, 10, 3, 3, 10, 1, 2, 2, 1, 1, 1, 1),
        (), 4, {2: "Berzerker Glaive", 4: "Favoured of Khorne"},
    ),
    "nr-gw-worldeaters.txt": Told(
        "New Recruit (GW)", "World Eaters", 1995,
        (1, 1, 1, 1, 10, 10, 10, 1, 1, 2, 2, 3, 3, 8, 1, 1), WORLD_EATERS, 1,
        {2: "Favoured of Khorne", 3: "Berzerker Glaive", 4: "Battle-lust"},
    ),
    "nrnrsample.txt": Told(
        "New Recruit text", "World Eaters", 2000,
        (1, 1, 1, 1, 10, 3, 3, 10, 10, 2, 2, 1, 1, 1, 1, 1), WORLD_EATERS, 2,
        {2: "Favoured of Khorne", 3: "Berzerker Glaive"},
    ),
    "wo-sob2.txt": Told(
        "GW app", "Adepta Sororitas", 1985, (1, 1, 1, 1, 1, 3, 10, 1, 3, 3, 10, 5, 10, 10),
        ("Chorus of Condemnation", "Champions of Faith"), 4,
        {1: "Eyes of the Oracle", 2: "Clarion of Urgency", 5: "Sanctified Amulet",
         8: "Symphonic Payload (Upgrade)"},
    ),
    "wtccompact.txt": Told(
        "WTC compact", "T’au Empire", 1995, (1, 1, 1, 1, 10, 10, 3, 3, 1, 3, 3, 3, 3, 3, 1, 1, 1),
        ("Retaliation Cadre",), 1,
        {2: "Internal Grenade Racks", 3: "Prototype Weapon System", 4: "Starflare Ignition System"},
        {}, {"Drone burst cannon": 2, "Twin pulse carbine": 16, "Missile pod": 6},
    ),
    "listforge-grey-knights-11e.json": Told(
        "List Forge JSON", "Grey Knights", 585, (1, 1, 10), ("Banishers",), 2,
        {2: "Pyresoul (Psychic)"},
    ),
}  # fmt: skip


@cache
def made() -> Imported:
    return import_rosters(sorted(LISTS.iterdir()))


def rows(table: str, name: str) -> list[dict]:
    frame = made().dataset[table].filter(pl.col("roster") == name.rpartition(".")[0])
    return frame.rows(named=True)


@pytest.mark.parametrize("name", ALL)
def test_a_real_list(name):
    told = ALL[name]
    [row] = rows("rosters", name)
    units = rows("roster_units", name)
    assert (row["form"], row["faction"], row["list_edition"]) == (
        told.form, told.faction, told.edition,
    )  # fmt: skip
    assert (row["points_printed"], row["points_units"]) == (told.total, told.total)
    assert tuple(row["detachments"]) == told.detachments
    assert tuple(unit["models"] for unit in units) == told.models
    assert all(unit["datasheet"] for unit in units)
    assert [unit["unit"] for unit in units if unit["warlord"]] == [told.warlord]
    assert {u["unit"]: u["enhancement"] for u in units if u["enhancement"]} == told.enhancements
    bonds = {u["unit"]: (u["attached_as"], u["attached_to"]) for u in units if u["attached_to"]}
    assert bonds == told.attached
    unknown: dict[str, int] = {}
    for item in rows("roster_weapons", name):
        if item["read_as"] == "unknown":
            unknown[item["printed"]] = unknown.get(item["printed"], 0) + item["count"]
    assert unknown == told.unknown
    assert {r["text"] for r in rows("roster_unplaced", name)} == set(told.unknown)


LOADOUTS = {
    ("gwapp", "Jakhals"): {
        "autopistol": 9, "chainblades-jakhals": 8, "mauler-chainblade": 1,
        "skullsmasher-and-mangler": 1,
    },
    ("lf", "Jakhals"): {
        "autopistol": 9, "chainblades-jakhals": 8, "mauler-chainblade": 1,
        "skullsmasher-and-mangler": 1,
    },
    ("nrnrsample", "Khorne Berzerkers"): {
        "bolt-pistol": 7, "chainblade": 8, "khornate-eviscerator": 2, "plasma-pistol": 3,
    },
    ("lf", "Khorne Berzerkers"): {
        "bolt-pistol": 8, "chainblade": 8, "khornate-eviscerator": 2, "plasma-pistol": 2,
    },
    ("nrnrsample", "Forgefiend"): {"ectoplasma-cannon": 3, "forgefiend-claws": 1},
    ("lf", "Forgefiend"): {"ectoplasma-cannon": 3, "forgefiend-claws": 1},
    ("nr-gw-worldeaters", "Chaos Rhino"): {
        "armoured-tracks": 1, "combi-bolter": 2, "havoc-launcher": 1,
    },
    ("wo-sob2", "Seraphim Squad"): {
        "bolt-pistol": 10, "close-combat-weapon": 10, "inferno-pistol": 8, "plasma-pistol": 1,
        "power-weapon": 1,
    },
    ("gwapp-french", "Crisis Fireknife Battlesuits"): {"battlesuit-fists": 3, "missile-pod": 6},
    ("wtccompact", "Crisis Fireknife Battlesuits"): {"battlesuit-fists": 3, "missile-pod": 6},
    ("wtccompact", "Pathfinder Team"): {
        "close-combat-weapon": 10, "pulse-carbine": 7, "ion-rifle": 3, "pulse-pistol": 10,
        "semi-automatic-grenade-launcher": 1,
    },
    ("gwapp-darkangels", "Scout Squad"): {
        "astartes-chainsword": 1, "astartes-shotgun": 2, "bolt-pistol": 5, "missile-launcher": 1,
        "scout-sniper-rifle": 1,
    },
    ("listforge-grey-knights-11e", "Purifier Squad"): {"purifying-flame": 1, "storm-bolter": 9},
    ("newrecruit-necrons-10e", "The Silent King"): {
        "sceptre-of-eternal-glory": 1, "staff-of-stars": 1, "weapons-of-the-final-triarch": 1,
        "annihilator-beam": 2, "armoured-bulk": 2,
    },
    ("newrecruit-necrons-10e", "Canoptek Spyders"): {"automaton-claws": 1, "particle-beamer": 2},
    ("newrecruit-necrons-10e", "Convergence of Dominion"): {"transdimensional-abductor": 1},
}  # fmt: skip


@pytest.mark.parametrize(("roster", "sheet"), LOADOUTS)
def test_a_real_loadout(roster, sheet):
    """Names of weapons begin as their ids do, which have the datasheet's name where they need it."""
    unit = next(u for u in Roster.of(made().dataset, roster).units if u.datasheet == sheet)
    named = LOADOUTS[roster, sheet]
    found = {
        next(
            (name for name in named if weapon.startswith(name.split("-jakhals")[0])), weapon
        ): count
        for weapon, count in unit.weapons().items()
    }
    assert found == named


def test_the_real_builders_file_is_whole():
    name = "newrecruit-necrons-10e.json"
    [row] = rows("rosters", name)
    assert (row["points_printed"], row["points_units"], row["points_limit"]) == (9925, 9925, 7175)
    units = rows("roster_units", name)
    assert len(units) == 71
    assert sum(unit["models"] for unit in units) == 159
    assert all(unit["datasheet"] for unit in units)
    assert rows("roster_unplaced", name) == []
    assert len(rows("roster_stat_lines", name)) == 72
    szarekh = next(r for r in rows("roster_stat_lines", name) if r["model"] == "Szarekh")
    assert (szarekh["toughness"], szarekh["save"], szarekh["wounds"]) == (10, 2, 16)
    weapons = [w for w in rows("roster_weapons", name) if w["read_as"] == "weapon"]
    assert all(weapon["profile_id"] for weapon in weapons)


def test_prices_of_the_dataset_of_the_time():
    """Where no price has changed since, a list costs what it prints."""
    same = [
        unit
        for unit in made().dataset["roster_units"].rows(named=True)
        if unit["points_printed"] == unit["points_dataset"]
    ]
    assert len(same) > 60
    assert killcurve.load().about.edition == "11e"
