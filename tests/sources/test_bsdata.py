"""BSData catalogues as tables: small invented ones, the same in XML and in JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import polars as pl
import pytest
from killcurve.sources.bsdata import read_catalogues
from killcurve.sources.bsdata.nodes import PARTS
from killcurve.sources.importing import import_bsdata
from killcurve.tables.dataset import Dataset

Made = dict[str, Any]


def profile(name: str, kind: str, **values: str) -> Made:
    lines = [
        {"name": key.strip("_"), "typeId": f"t-{key}", "$text": text}
        for key, text in values.items()
    ]
    return {"id": f"p-{name}-{kind}", "name": name, "typeName": kind, "characteristics": lines}


def gun(name: str, **other: str) -> Made:
    values = {"Range": '24"', "A": "2", "BS": "3+", "S": "5", "AP": "-1", "D": "d6", **other}
    return profile(name, "Ranged Weapons", **{**values, "Keywords": other.get("Keywords", "-")})


def line(name: str, edition: int, **other: str) -> Made:
    save = {"Sv": "3+", "InSv": "5+ (Ranged)"} if edition == 11 else {"SV": "3+"}
    return profile(name, "Unit", M='6"', T="4", **save, W="2", LD="6+", OC="1", **other)


def at_least(least: int, most: int) -> list[Made]:
    return [
        {"type": kind, "value": value, "field": "selections", "scope": "parent"}
        for kind, value in (("min", least), ("max", most))
    ]


def made(edition: int) -> dict[str, Made]:
    """A game system, an army and its library."""
    save = profile(
        "Invulnerable Save",
        "Abilities",
        Description="This model has a 5+ invulnerable save against ranged attacks.",
    )
    bell_gun = {
        "id": "e-gun",
        "name": "Bell gun",
        "type": "upgrade",
        "constraints": at_least(1, 1),
        "profiles": [
            gun("➤ Bell gun - loud", Keywords="Anti-INFANTRY 4+, Twin Linked"),
            gun("➤ Bell gun - soft", A="2d6+2", Range="18", BS="3"),
            gun("Any bell", S="*"),
        ],
        "entryLinks": [{"id": "l-crusade", "name": "Crusade", "targetId": "g-crusade"}],
    }
    ringer = {
        "id": "e-ringer",
        "name": "Ringer",
        "type": "model",
        "constraints": at_least(5, 10),
        "profiles": [line("Ringer", edition)] + ([save] if edition == 10 else []),
        "entryLinks": [
            {"id": "l-gun", "name": "Bell gun", "targetId": "e-gun", "type": "selectionEntry"},
            {"id": "l-round", "name": "Ringers", "targetId": "e-ringers"},
        ],
    }
    ringers = {
        "id": "e-ringers",
        "name": "Ringers [Legends]",
        "type": "unit",
        "costs": [{"name": "pts", "typeId": "c-pts", "value": 70}],
        "categoryLinks": [
            {"id": "k1", "name": "Faction: Bells", "targetId": "c-faction"},
            {"id": "k2", "name": "Battleline", "targetId": "c-line", "primary": True},
        ],
        "selectionEntryGroups": [{"id": "g", "name": "5-10 Ringers", "selectionEntries": [ringer]}],
        "modifiers": [
            {
                "type": "set",
                "field": "c-pts",
                "value": 150,
                "conditions": [{"type": "atLeast", "value": 6}],
            }
        ],
    }
    lone = {
        "id": "e-lone",
        "name": "Lone Bell",
        "type": "model",
        "profiles": [line("Lone Bell", edition), gun("Torch", BS="N/A", Keywords="Torrent")],
    }
    crusade = {
        "id": "g-crusade",
        "name": "Crusade",
        "selectionEntries": [
            {"id": "e-v", "name": "Grenade", "type": "upgrade", "profiles": [gun("Vortex")]}
        ],
    }
    system = {
        "id": "sys",
        "name": f"Warhammer 40,000 {edition}th Edition",
        "revision": 7,
        "categoryEntries": [
            {"id": "c-faction", "name": "Faction: Bells"},
            {"id": "c-line", "name": "Battleline"},
        ],
        "sharedSelectionEntryGroups": [crusade],
    }
    library = {
        "id": "lib",
        "name": "Bells - Bells Library",
        "gameSystemId": "sys",
        "library": True,
        "sharedSelectionEntries": [ringers, bell_gun, lone],
    }
    army = {
        "id": "army",
        "name": "Xenos - Bells",
        "gameSystemId": "sys",
        "catalogueLinks": [{"id": "cl", "name": "Bells - Bells Library", "targetId": "lib"}],
        "entryLinks": [
            {"id": "r1", "name": "Ringers", "targetId": "e-ringers", "type": "selectionEntry"},
            {"id": "r2", "name": "Lone Bell", "targetId": "e-lone", "type": "selectionEntry"},
        ],
        "selectionEntries": [
            {
                "id": "e-own",
                "name": "Bell Tower",
                "type": "model",
                "profiles": [line("Bell Tower", edition), gun("Peal")],
            }
        ],
    }
    return {"system": system, "library": library, "army": army}


def as_xml(kind: str, node: Made) -> str:
    facts = "".join(
        f" {key}={quoteattr(str(value).lower() if isinstance(value, bool) else str(value))}"
        for key, value in node.items()
        if not isinstance(value, list) and key != "$text"
    )
    inner = escape(node.get("$text", ""))
    for key, value in node.items():
        if isinstance(value, list):
            member = PARTS.get(key, "condition")
            inner += f"<{key}>{''.join(as_xml(member, one) for one in value)}</{key}>"
    return f"<{kind}{facts}>{inner}</{kind}>"


def write(folder: Path, edition: int, form: str, without: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, node in made(edition).items():
        kind = "gameSystem" if name == "system" else "catalogue"
        if name == without:
            continue
        if form == "json":
            (folder / f"{name}.json").write_text(json.dumps({kind: node}), encoding="utf-8")
        else:
            suffix = ".gst" if kind == "gameSystem" else ".cat"
            text = f'<?xml version="1.0" encoding="UTF-8"?>\n{as_xml(kind, node)}'
            (folder / f"{name}{suffix}").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(params=[(10, "xml"), (11, "json")], ids=["10e", "11e"])
def read(request, tmp_path) -> tuple[Dataset, list[str]]:
    return read_catalogues(write(tmp_path, *request.param))


def one(data: Dataset, table: str, **where: str) -> Made:
    [row] = data[table].filter(**where).rows(named=True)
    return row


@pytest.mark.parametrize("edition", [10, 11])
def test_both_forms_give_the_same_tables(tmp_path, edition):
    first, said = read_catalogues(write(tmp_path / "a", edition, "xml"))
    second, same = read_catalogues(write(tmp_path / "b", edition, "json"))
    assert said == same
    assert first.set_aside == second.set_aside
    for table, frame in first.tables.items():
        assert second[table].equals(frame), table


def test_units_and_where_they_come_from(read):
    data, _ = read
    assert data.about.source == "bsdata"
    assert data.about.version.startswith("revision 7 of ")
    assert data.datasheets.select("faction", "datasheet").rows() == [
        ("Bells", "Bell Tower"),
        ("Bells", "Lone Bell"),
        ("Bells", "Ringers"),
    ]
    ringers = one(data, "datasheets", datasheet="Ringers")
    assert (ringers["models_min"], ringers["models_max"]) == (5, 10)
    assert ringers["legends"]
    assert ringers["role"] == "battleline"
    assert "conditional changes not applied: points 1" in ringers["note"]


def test_stat_lines_and_saves(read):
    data, _ = read
    ringer = one(data, "models", datasheet="Ringers")
    values = [ringer[c] for c in ("move", "toughness", "save", "wounds", "leadership")]
    assert values == [6, 4, 3, 2, 6]
    assert (ringer["invulnerable_save"], ringer["invulnerable_save_against"]) == (5, "ranged")


def test_weapons_and_their_profiles(read):
    data, _ = read
    weapons = data.weapons.filter(pl.col("datasheet") == "Ringers").rows(named=True)
    assert [(w["weapon"], w["profile"], w["exclusive"]) for w in weapons] == [
        ("Bell gun", "loud", True),
        ("Bell gun", "soft", True),
    ]
    assert [(w["attacks"], w["range"], w["skill"], w["damage"]) for w in weapons] == [
        ("2", 24, 3, "D6"),
        ("2D6+2", 18, 3, "D6"),
    ]
    assert weapons[0]["keywords"] == ["anti-infantry 4+", "twin-linked"]
    assert one(data, "weapons", weapon="Torch")["skill"] is None


def test_what_is_set_aside(read):
    data, said = read
    assert data.set_aside["weapons"] == {
        "its characteristics are '*': it stands for any other weapon": 1,
        "of the Crusade, an enhancement or another campaign, and not of the datasheet": 1,
    }
    assert any("1 changes that depend on something" in text for text in said)
    assert not any(text.startswith("needs") for text in said)


def test_points_and_keywords(read):
    data, _ = read
    points = one(data, "points", datasheet="Ringers")
    assert (points["models"], points["cost"]) == (5, 70)
    words = data["keywords"].filter(pl.col("datasheet") == "Ringers")
    assert words.select("keyword", "is_faction").rows() == [("battleline", False), ("bells", True)]


def test_a_missing_library_is_reported_with_what_it_costs(tmp_path):
    data, said = read_catalogues(write(tmp_path, 10, "xml", without="library"))
    assert data.datasheets["datasheet"].to_list() == ["Bell Tower"]
    [needs] = [text for text in said if text.startswith("needs")]
    assert needs == (
        "needs 'Bells - Bells Library', which is not in the folder: 2 links; "
        "2 entries at the root of armies are left out"
    )


def test_into_a_folder(tmp_path):
    result = import_bsdata(write(tmp_path / "from", 11, "json"), tmp_path / "into")
    assert Dataset.load(tmp_path / "into").models.equals(result.dataset.models)
    counts = result.counts()["weapons"]
    assert counts["read"] == counts["kept"] + counts["set_aside"]
