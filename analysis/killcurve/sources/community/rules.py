"""Rules of the community dataset: detachments, stratagems, enhancements, with their effects.

What the toolkit's own reference says of a rule stands before the dataset's description; core
stratagems are the reference's altogether, since the dataset has some as the 10th edition had them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from killcurve.rules.descriptions import Reading, read_description
from killcurve.rules.spelling import normal
from killcurve.sources.community.units import Data, Names, Record
from killcurve.tables.reference import Reference, core_stratagems, lookup

EDITION = "11e"

_TURNS = {"your-turn": "your", "opponent-turn": "opponent", "either": "either"}
_PHASES = ("command", "movement", "shooting", "charge", "fight")
_UNREAD: dict[str, Any] = {"side": None, "effects": [], "status": "unread"}


def rows(data: Data, names: Names) -> dict[str, list[dict[str, Any]]]:
    """The rows of all tables about rules."""
    descriptions = {a["ability_id"]: a for a in data["abilities"]}
    places: dict[str, list[tuple[str, str]]] = {}
    for detachment in data["detachments"]:
        place = (names.factions[detachment["faction_id"]], detachment["name"])
        places.setdefault(detachment["id"], []).append(place)
    return {
        "detachments": list(_detachments(data, names, descriptions)),
        "stratagems": list(_stratagems(data, places, descriptions)),
        "enhancements": list(_enhancements(data, places, descriptions)),
    }


def _detachments(
    data: Data, names: Names, descriptions: Mapping[str, Record]
) -> Iterator[dict[str, Any]]:
    for detachment in data["detachments"]:
        ids = detachment.get("detachment_rule_ids") or [detachment.get("detachment_rule_id")]
        rules = [descriptions[i] for i in ids if i in descriptions]
        faction = names.factions[detachment["faction_id"]]
        yield {
            "faction": faction,
            "detachment": detachment["name"],
            "detachment_points": detachment["detachment_points"],
            "force_disposition": _words(detachment.get("force_dispositions")),
            "unique_tag": _words(detachment.get("tags")),
            "rules": [rule["name"] for rule in rules],
            **_together(
                [_effects("detachment", faction, detachment["name"], r["name"], r) for r in rules]
            ),
        }


def _words(ids: list[str] | None) -> str | None:
    return ids[0].replace("-", " ") if ids else None


def _stratagems(
    data: Data,
    places: Mapping[str, list[tuple[str, str]]],
    descriptions: Mapping[str, Record],
) -> Iterator[dict[str, Any]]:
    yield from map(_core, core_stratagems(EDITION))
    for record in data["stratagems"]:
        if record["detachment_id"] is None and _is_core(record["name"]):
            continue
        description = descriptions.get(record["ability_id"] or "")
        phases = set(record["phases"])
        for faction, detachment in _places(record, places):
            yield {
                "faction": faction,
                "detachment": detachment,
                "name": record["name"],
                "cp": record["cp_cost"],
                "type": record.get("type"),
                "phase": [p for p in _PHASES if p in phases],
                "turn": _TURNS.get(record["player_turn"]),
                "used_by": _used_by(record, description),
                **_effects("stratagem", faction, detachment, record["name"], description),
            }


def _is_core(name: str) -> bool:
    return lookup("stratagem", EDITION, "", "", name) is not None


def _core(entry: Reference) -> dict[str, Any]:
    """The row of a core stratagem."""
    return {
        "faction": "",
        "detachment": "",
        "name": entry.name,
        "cp": entry.cp,
        "type": entry.type,
        "phase": list(entry.phase),
        "turn": entry.turn,
        "used_by": list(entry.used_by),
        **_of(entry),
    }


def _of(entry: Reference) -> dict[str, Any]:
    return {"side": entry.side, "effects": list(entry.effects), "status": entry.status}


def _places(record: Record, places: Mapping[str, list[tuple[str, str]]]) -> list[tuple[str, str]]:
    """Every (faction, detachment) that has a record; a core one has neither."""
    if record["detachment_id"] is None:
        return [("", "")]
    return places.get(record["detachment_id"], [])


def _used_by(record: Record, description: Record | None) -> list[str]:
    """Alternatives of keywords its unit needs; several at once are joined by " + "."""
    for limits in (record.get("target_restrictions"), (description or {}).get("applies_to")):
        given = limits or {}
        if given.get("required_keywords_any"):
            return [normal(word) for word in given["required_keywords_any"]]
        if given.get("required_keywords"):
            return [" + ".join(normal(word) for word in given["required_keywords"])]
    return []


def _enhancements(
    data: Data,
    places: Mapping[str, list[tuple[str, str]]],
    descriptions: Mapping[str, Record],
) -> Iterator[dict[str, Any]]:
    for record in data["enhancements"]:
        description = descriptions.get(record.get("ability_id") or "")
        for faction, detachment in _places(record, places):
            yield {
                "faction": faction,
                "detachment": detachment,
                "name": record["name"],
                "cost": record["cost"],
                "upgrade": record.get("upgrade_tag"),
                **_effects("enhancement", faction, detachment, record["name"], description),
            }


def _effects(
    kind: str, faction: str, detachment: str, name: str, description: Record | None
) -> dict[str, Any]:
    """The ``side``, ``effects`` and ``status`` columns of a rule."""
    own = lookup(kind, EDITION, faction, detachment, name)
    if own is not None:
        return _of(own)
    if description is None:
        return _UNREAD
    return _columns(read_description(description["effect"]))


def _columns(reading: Reading) -> dict[str, Any]:
    return {
        "side": reading.side,
        "effects": [str(effect) for effect in reading.effects],
        "status": reading.status,
    }


def _together(rules: list[dict[str, Any]]) -> dict[str, Any]:
    """The columns of several rules of one detachment, joined."""
    if not rules:
        return _UNREAD
    statuses = {rule["status"] for rule in rules}
    effects = list(dict.fromkeys(phrase for rule in rules for phrase in rule["effects"]))
    sides = {rule["side"] for rule in rules if rule["side"]}
    if effects:
        status = "modelled" if statuses <= {"modelled", "none"} else "partial"
    else:
        status = next(s for s in ("unmodelled", "unread", "none") if s in statuses)
    side = sides.pop() if len(sides) == 1 else ("both" if sides else None)
    return {"side": side, "effects": effects, "status": status}
