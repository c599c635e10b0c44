"""The five real pages, where they lie beside the project: every number that was read by hand."""

from __future__ import annotations

from functools import cache

import pytest
from killcurve.rules.effects import Effect
from killcurve.sources.pages import Page, read_page, read_pages
from killcurve.tables.dataset import DataError
from killcurve.tables.reference import all_of, lookup

from tests.conftest import SHARED, needs_shared

pytestmark = needs_shared

NUMBERS = range(5)
R, M = "ranged", "melee"
WEAPONS = {
    0: [
        ("Relic gauss blaster", R, 24, "2", 3, "5", -1, "2", ["lethal hits", "rapid fire 2"]),
        ("Close combat weapon", M, 0, "4", 3, "5", 0, "1", []),
    ],
    1: [
        ("Autoch-pattern bolt pistol", R, 12, "1", 4, "4", 0, "1", ["pistol"]),
        ("Close combat weapon", M, 0, "1", 4, "3", 0, "1", []),
    ],
    2: [
        ("Dark lance", R, 36, "1", 3, "12", -3, "D6+2", []),
        ("Disintegrator cannon", R, 36, "3", 3, "6", -3, "2", []),
        ("Bladevanes and chainsnares", M, 0, "D3+3", 4, "6", -1, "1", []),
    ],
    3: [
        ("Fleshborer", R, 18, "1", 4, "5", 0, "1", ["assault"]),
        ("Blinding venom", M, 0, "1", 4, "3", 0, "1", []),
    ],
    4: [
        ("Acastus autocannon", R, 48, "2", 3, "9", -1, "3", []),
        (
            "Acastus ironstorm missile pod",
            *(R, 48, "D6+6", 3, "5", 0, "1"),
            ["blast", "heavy", "indirect fire"],
        ),
        ("Helios defence missiles", R, 48, "3", 3, "10", -2, "D6", ["anti-fly 2+", "heavy"]),
        ("Lascannon", R, 48, "1", 3, "12", -3, "D6+1", []),
        ("Twin magna lascannon", R, 72, "D6", 3, "18", -4, "D6+6", ["blast", "twin-linked"]),
        ("Titanic feet", M, 0, "6", 4, "10", -1, "2", []),
    ],
}
POINTS = {
    0: [(1, 1, 1, None, 50)],
    1: [(1, 1, 1, None, 45)],
    2: [(1, 1, 1, 3, 75), (1, 1, 4, None, 85)],
    3: [(10, 10, 1, None, 80), (11, 20, 1, None, 155)],
    4: [(1, 1, 1, None, 710)],
}
KEYWORDS = {
    0: "infantry character royal_warden necrons",
    1: "infantry character memnyr_strategist leagues_of_votann",
    2: "vehicle transport dedicated_transport fly frame aeldari raider drukhari",
    3: (
        "infantry battleline fly great_devourer endless_multitude vanguard_invader gargoyles "
        "tyranids"
    ),
    4: (
        "vehicle walker titanic towering imperium acastus knight_porphyrion "
        "acastus_knight_porphyrion imperial_knights"
    ),
}
ENHANCEMENTS = {
    0: (
        "Arisen Tyrant 25, Chrono-impedance Fields 25, Demanding Leader 10, Dimensional "
        "Overseer 25, Enaegic Dermal Bond 30, Eternal Madness 20, Gauntlet of "
        "Compression 20, Hyperspatial Transfer Node 15, Ingrained Superiority 5, "
        "Miniaturised Nebuloscope 15, Nether-realm Casket 20, Osteoclave Fulcrum 20, "
        "Phasal Subjugator (Aura) 35, Quantum Abacus 15, Relocational Optimiser 25, "
        "Resurrection Protocols None, Veil of Darkness 20"
    ),
    1: (
        "Ancestral Crest 15, Bastion Shield 25, Calculated Tenacity 15, Dead Reckoning "
        "10, Dêlvwerke Navigator 25, Eye for Weakness 25, Fârstrydr Node 20, Iron "
        "Ambassador 5, Ironskein 10, Mantle of Elders 10, Multiwave System Jammer 10, "
        "Nomad Strategist 20, Oathbound Speculator 30, Piledriver 15, Quake Supervisor "
        "20, Surgical Saboteur 10, Trivärg Cyber Implant 30, Writ of Acquisition 10"
    ),
    2: "",
    3: "",
    4: "",
}
"""Sorted by name."""
RULES = {
    0: {"Relentless Onslaught", "Cold Fervour", "Hyperphasing", "Conquest Protocols"}
    | {"Cosmic Distortion"},
    1: {"Methodical Annihilation", "Martial Leverage", "Assailed From Every Angle"}
    | {"Mobile Sensor Relays", "Optimal Application"},
    2: {"Callous Competition"},
    3: {"Psionic Parasitism"},
    4: {"Indomitable Heroes"},
}


@cache
def text(number: int) -> str:
    [path] = (SHARED / "seeds").glob(f"00{number}_*.txt")
    return path.read_text(encoding="utf-8")


@cache
def page(number: int) -> Page:
    return read_page(text(number), f"00{number}")


@pytest.mark.parametrize("number", NUMBERS)
class TestFacts:
    def test_weapons(self, number):
        keys = ("weapon", "kind", "range", "attacks", "skill", "strength", "ap", "damage")
        rows = page(number).rows["weapons"]
        assert [(*(row[key] for key in keys), row["keywords"]) for row in rows] == WEAPONS[number]

    def test_points(self, number):
        keys = ("models", "models_max", "copies_from", "copies_to", "cost")
        rows = page(number).rows["points"]
        assert [tuple(row[key] for key in keys) for row in rows] == POINTS[number]

    def test_keywords(self, number):
        found = [row["keyword"] for row in page(number).rows["keywords"]]
        assert found == [word.replace("_", " ") for word in KEYWORDS[number].split()]

    def test_enhancements(self, number):
        rows = page(number).rows["enhancements"]
        found = sorted(f"{r['name']} {r['cost']}" for r in rows)
        assert ", ".join(found) == ENHANCEMENTS[number]
        assert all(row["detachment"] and row["status"] != "unread" for row in rows)

    def test_detachment_rules(self, number):
        rows = page(number).rows["detachments"]
        assert {rule for row in rows for rule in row["rules"]} == RULES[number]
        assert all(row["status"] != "unread" for row in rows)

    def test_stratagems_are_as_the_reference_has_them(self, number):
        found = page(number)
        for row in found.rows["stratagems"]:
            known = lookup(
                "stratagem", found.edition, found.faction, row["detachment"], row["name"]
            )
            assert known is not None, row["name"]
            assert tuple(row["effects"]) == known.effects
            assert tuple(row["used_by"]) == known.used_by
            assert tuple(row["phase"]) == known.phase, row["name"]
            assert (row["turn"], row["type"]) == (known.turn, known.type), row["name"]
            assert (row["side"], row["status"]) == (known.side, known.status)
            assert row["cp"] in {r.cp for r in all_of("stratagem") if r.name == row["name"]}

    def test_only_explained_warnings_are_left(self, number):
        """The lists of two pages name two enhancements more than there are texts."""
        expected = {0: "17 enhancements are listed, 15 have", 1: "18 enhancements are listed, 16"}
        warnings = page(number).warnings
        assert len(warnings) == (number in expected)
        assert all(warning.startswith(expected[number]) for warning in warnings)


def test_editions_and_names():
    found = [(p.edition, p.faction, p.datasheet) for p in map(page, NUMBERS)]
    assert found == [
        ("11e", "Necrons", "Royal Warden"),
        ("10e", "Leagues of Votann", "Memnyr Strategist"),
        ("11e", "Drukhari", "Raider"),
        ("11e", "Genestealer Cults", "Gargoyles"),
        ("10e", "Imperial Knights", "Acastus Knight Porphyrion"),
    ]


def test_all_118_stratagems_are_there():
    assert [len(page(n).rows["stratagems"]) for n in NUMBERS] == [40, 26, 28, 13, 11]


def test_every_entry_of_the_reference_is_on_a_page_but_core_ones_of_keywords():
    printed = {
        (p.edition, row["detachment"], row["name"], row["cp"])
        for p in map(page, NUMBERS)
        for row in p.rows["stratagems"]
    }
    known = {(r.edition[:3], r.detachment, r.name, r.cp) for r in all_of("stratagem")}
    assert printed <= known
    assert {name for _, _, name, _ in known - printed} == {"EXPLOSIVES", "GRENADE", "SMOKESCREEN"}


@pytest.mark.parametrize("number", NUMBERS)
def test_every_effect_is_written_in_the_language(number):
    for table in ("stratagems", "detachments", "enhancements"):
        for row in page(number).rows[table]:
            assert [str(Effect.parse(phrase)) for phrase in row["effects"]] == row["effects"]


@pytest.mark.parametrize(
    ("number", "name", "effects"),
    [
        (
            0,
            "PROTOCOL OF THE CONQUERING TYRANT",
            ["reroll hits ones if half_range", "reroll hits failed if half_range and leading"],
        ),
        (
            0,
            "DISINTEGRATION BEAMS",
            ['mortal wounds 1 if "D6 roll of 2-4"', 'mortal wounds 2 if "D6 roll of 5+"'],
        ),
        (
            1,
            "HONOUR OF THE HOLD",
            ["ap +1 for melee", 'ap +2 for melee if "3 Yield points are spent"'],
        ),
        (1, "GO TO GROUND", ["invulnerable 6+", "cover"]),
        (2, "MALICIOUS FRENZY", ["one of (lethal hits | sustained hits 1)"]),
        (4, "SHOULDER THE BURDEN", ["toughness +1", "save +1", "hit +1"]),
        (4, "THUNDERSTOMP", ["devastating wounds for melee if target is not monster or vehicle"]),
        (4, "VALIANT LAST STAND", ["fight on death 1+"]),
    ],
)
def test_what_some_stratagems_do(number, name, effects):
    [row] = [r for r in page(number).rows["stratagems"] if r["name"] == name]
    assert row["effects"] == effects


def test_stat_lines_are_joined(dataset):
    made, warnings = read_pages(sorted((SHARED / "seeds").glob("*.txt")), dataset)
    keys = ("datasheet", "toughness", "save", "invulnerable_save", "wounds")
    assert made.models.select(keys).sort("datasheet").rows() == [
        ("Acastus Knight Porphyrion", 13, 2, 5, 30),
        ("Gargoyles", 3, 6, None, 1),
        ("Memnyr Strategist", 5, 4, None, 4),
        ("Raider", 8, 4, 6, 10),
        ("Royal Warden", 5, 3, None, 4),
    ]
    assert made.set_aside == {}
    assert made.stratagems.height == 118
    assert made["default_weapons"].height == 12
    notes = dict(made.datasheets.select("datasheet", "note").rows())
    assert notes["Gargoyles"] == f"stat line from wh40kdc {dataset.about.version} (Tyranids)"
    assert len(warnings) == 2


@pytest.mark.parametrize("number", NUMBERS)
def test_no_cut_loses_facts(number):
    """Cut at many lines, and within them: refused, or nothing but texts of the tail is lost."""
    lines = text(number).split("\n")
    whole = page(number)
    last = max(i for i, line in enumerate(lines) if line.endswith(" Stratagem"))
    for i in {*range(0, len(lines), 29), *range(last, len(lines))}:
        for part in (lines[:i], [*lines[:i], lines[i][: len(lines[i]) // 2]]):
            try:
                cut = read_page("\n".join(part), "cut")
            except DataError:
                continue
            assert i > last
            for table, rows in whole.rows.items():
                if table != "texts":
                    assert cut.rows[table] == rows, (i, table)


def test_pages_that_end_with_a_stratagem_have_no_unnoticed_cut():
    for number in (2, 3):
        lines = text(number).split("\n")
        for i in range(len(lines) - 30, len(lines)):
            with pytest.raises(DataError):
                read_page("\n".join(lines[:i]), "cut")
