"""Abilities of the community dataset's units: core ones, the army's, their own, their wargear's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from killcurve.rules.described.core import read_core
from killcurve.rules.frequency import once_per
from killcurve.rules.spelling import normal
from killcurve.sources.community.readings import LED, Descriptions, inches, types
from killcurve.sources.community.units import Data, Names, Record
from killcurve.tables.rulings import Ruling

Row = dict[str, Any]

AROUND = re.compile(r"\(aura\b", re.IGNORECASE)

_FREQUENCIES = {
    "once-per-turn": "turn",
    "once-per-opponent-turn": "turn",
    "once-per-battle-round": "turn",
    "once-per-command-phase": "turn",
    "once-per-phase": "phase",
    "first-time-this-phase": "phase",
    "n-per-battle": "battle",
    "first-this-battle": "battle",
}


def rows(data: Data, names: Names, descriptions: Descriptions) -> dict[str, list[Row]]:
    """The rows of the table of units' abilities."""
    leaders = {record["leader_id"] for record in data.get("leader_attachments", ())}
    items = {normal(item["name"]) for item in data.get("wargear", ())}
    own = _linked(data)
    armies = _army_rules(data)
    table = []
    for unit in data["units"]:
        place = {"faction": names.factions[unit["faction_id"]], "datasheet": unit["name"]}
        records = [*own[unit["faction_id"], unit["id"]], *armies.get(unit["faction_id"], ())]
        leads = unit["id"] in leaders or any(_is(r, "leader") for r in records)
        seen = set()
        for record in records:
            if normal(record["name"]) not in seen:
                seen.add(normal(record["name"]))
                table.append({**place, **_row(record, items, descriptions, leads=leads)})
    return {"unit_abilities": table}


def _is(record: Record, name: str) -> bool:
    return normal(record["name"]) == name


def _linked(data: Data) -> dict[tuple[str, str], list[Record]]:
    """The abilities of each unit: those that it names, and those that name it."""
    records = {(a.get("faction_id"), a["ability_id"]): a for a in data["abilities"]}
    linked: dict[tuple[str, str], list[Record]] = {}
    for unit in data["units"]:
        faction = unit["faction_id"]
        named = (records.get((faction, i)) for i in unit.get("ability_ids") or ())
        linked[faction, unit["id"]] = [record for record in named if record is not None]
    for record in data["abilities"]:
        if record.get("ability_type") in ("unit", "core", "faction"):
            for unit_id in record.get("unit_ids") or ():
                of_unit = linked.get((record.get("faction_id") or "", unit_id))
                if of_unit is not None and record not in of_unit:
                    of_unit.append(record)
    return linked


def _army_rules(data: Data) -> Mapping[str, list[Record]]:
    """The rules of each faction that every unit of it has: the bundle links them to a few only.

    Where none is linked to any unit, all of the faction's rules are its army's.
    """
    named = {
        (unit["faction_id"], ability)
        for unit in data["units"]
        for ability in unit.get("ability_ids") or ()
    }
    armies: dict[str, list[Record]] = {}
    linked: dict[str, list[Record]] = {}
    for record in data["abilities"]:
        if record.get("ability_type") == "faction":
            faction = record.get("faction_id") or ""
            armies.setdefault(faction, []).append(record)
            if record.get("unit_ids") or (faction, record["ability_id"]) in named:
                linked.setdefault(faction, []).append(record)
    return {**armies, **linked}


def _row(record: Record, items: set[str], descriptions: Descriptions, *, leads: bool) -> Row:
    core = read_core(record["name"])
    faction = record.get("ability_type") == "faction"
    if core is not None:
        reading = core
    else:
        reading = descriptions.read(record, "faction" if faction else "unit", leads=leads)
    if core is not None or record.get("ability_type") == "core":
        kind = "core"
    elif faction:
        kind = "faction"
    else:
        kind = "wargear" if normal(record["name"]) in items else "datasheet"
    return {
        "ability": record["name"],
        "kind": kind,
        "model": None,
        "gift": leads and bool(types(record["effect"]) & LED),
        "aura": _aura(record),
        "once_per": _once_per(record),
        "phases": list(reading.phases),
        **Ruling.of_reading(reading, "description" if core is None else "reference").columns(),
    }


def _aura(record: Record) -> int | None:
    """The inches of an aura: of what the description calls one, or the ability's name."""
    tree = record["effect"]
    for node in _nodes(tree):
        given = (node.get("modifier") or {}).get("range")
        if node.get("type") == "aura" and isinstance(given, int):
            return given
    is_around = any(
        node.get("target") in ("friendly-within-aura", "enemy-within-aura")
        and node.get("type") != "mortal-wounds"
        for node in _nodes(tree)
    )
    if is_around or AROUND.search(record["name"]) or record.get("behavior") == "aura":
        return inches(record)
    return None


def _nodes(node: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(node, list):
        for item in node:
            yield from _nodes(item)
    elif isinstance(node, Mapping):
        if "type" in node:
            yield node
        for value in node.values():
            yield from _nodes(value)


def _once_per(record: Record) -> str | None:
    """How often an ability can be used, where that is limited."""
    usage = record.get("usage") or {}
    if usage.get("frequency") in _FREQUENCIES:
        return _FREQUENCIES[usage["frequency"]] if usage.get("count", 1) == 1 else None
    if record["scope"]["duration"] == "one-use":
        return "battle"
    timings = [
        str((node.get("parameters") or {}).get("timing"))
        for node in _nodes(record["effect"])
        if node.get("type") == "timing-is"
    ]
    for text in (normal(record["name"]), *(t.replace("-", " ") for t in timings)):
        if found := once_per(text):
            return found
    return None
