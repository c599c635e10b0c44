"""Rules of the community dataset: detachments, stratagems, enhancements, with their effects.

What the toolkit's own reference says of a rule stands before the dataset's description; core
stratagems are the reference's altogether, since the dataset has some as the 10th edition had them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from killcurve.rules.eligibility import NOT, TOGETHER
from killcurve.rules.spelling import normal
from killcurve.sources.community.readings import Descriptions
from killcurve.sources.community.units import Data, Names, Record
from killcurve.tables.reference import core_stratagems, lookup
from killcurve.tables.rulings import UNREAD, Ruling, core_row, together

EDITION = "11e"

_TURNS = {"your-turn": "your", "opponent-turn": "opponent", "either": "either"}
_PHASES = ("command", "movement", "shooting", "charge", "fight")


@dataclass(frozen=True, slots=True)
class _Place:
    """A detachment of a faction; core rules have neither."""

    faction_id: str = ""
    faction: str = ""
    detachment: str = ""


def rows(data: Data, names: Names, descriptions: Descriptions) -> dict[str, list[dict[str, Any]]]:
    """The rows of all tables about rules."""
    places: dict[str, list[_Place]] = {}
    for detachment in data["detachments"]:
        faction = detachment["faction_id"]
        place = _Place(faction, names.factions[faction], detachment["name"])
        places.setdefault(detachment["id"], []).append(place)
    return {
        "detachments": list(_detachments(data, names, descriptions)),
        "stratagems": list(_stratagems(data, places, descriptions)),
        "enhancements": list(_enhancements(data, places, descriptions)),
    }


def _detachments(data: Data, names: Names, descriptions: Descriptions) -> Iterator[dict[str, Any]]:
    for detachment in data["detachments"]:
        faction = detachment["faction_id"]
        ids = detachment.get("detachment_rule_ids") or [detachment.get("detachment_rule_id")]
        found = (descriptions.find(faction, i) for i in ids)
        rules = [rule for rule in found if rule is not None]
        place = _Place(faction, names.factions[faction], detachment["name"])
        yield {
            "faction": place.faction,
            "detachment": place.detachment,
            "detachment_points": detachment["detachment_points"],
            "force_disposition": _words(detachment.get("force_dispositions")),
            "unique_tag": _words(detachment.get("tags")),
            "rules": [rule["name"] for rule in rules],
            **together(
                [
                    _own("detachment", place, rule["name"])
                    or _described(descriptions, rule, "detachment")
                    for rule in rules
                ]
            ).columns(),
        }


def _words(ids: list[str] | None) -> str | None:
    return ids[0].replace("-", " ") if ids else None


def _stratagems(
    data: Data, places: Mapping[str, list[_Place]], descriptions: Descriptions
) -> Iterator[dict[str, Any]]:
    yield from map(core_row, core_stratagems(EDITION))
    for record in data["stratagems"]:
        if record["detachment_id"] is None and _is_core(record["name"]):
            continue
        phases = [p for p in _PHASES if p in record["phases"]]
        for place in _places(record, places):
            rule = descriptions.find(place.faction_id, record["ability_id"])
            used_by = _used_by(record, rule)
            yield {
                "faction": place.faction,
                "detachment": place.detachment,
                "name": record["name"],
                "cp": record["cp_cost"],
                "type": record.get("type"),
                "phase": phases,
                "turn": _TURNS.get(record["player_turn"]),
                "used_by": used_by,
                **(
                    _own("stratagem", place, record["name"])
                    or _stratagem(rule, phases, used_by, descriptions)
                ).columns(),
            }


def _stratagem(
    rule: Record | None, phases: Sequence[str], used_by: Sequence[str], descriptions: Descriptions
) -> Ruling:
    """What a stratagem's description says, of which the units' keywords are known."""
    needed = frozenset(used_by[0].split(TOGETHER)) if len(used_by) == 1 else frozenset[str]()
    return _described(descriptions, rule, "stratagem", phases=phases, keywords=needed)


def _is_core(name: str) -> bool:
    return lookup("stratagem", EDITION, "", "", name) is not None


def _places(record: Record, places: Mapping[str, list[_Place]]) -> list[_Place]:
    """Every detachment that has a record; a core one has none."""
    if record["detachment_id"] is None:
        return [_Place()]
    return places.get(record["detachment_id"], [])


def _used_by(record: Record, description: Record | None) -> list[str]:
    """Alternatives of keywords its unit needs; several at once are joined."""
    for limits in (record.get("target_restrictions"), (description or {}).get("applies_to")):
        given = limits or {}
        if given.get("required_keywords_any"):
            return [normal(word) for word in given["required_keywords_any"]]
        if given.get("required_keywords"):
            return [TOGETHER.join(normal(word) for word in given["required_keywords"])]
    return []


def _enhancements(
    data: Data, places: Mapping[str, list[_Place]], descriptions: Descriptions
) -> Iterator[dict[str, Any]]:
    for record in data["enhancements"]:
        for place in _places(record, places):
            rule = descriptions.find(place.faction_id, record.get("ability_id"))
            yield {
                "faction": place.faction,
                "detachment": place.detachment,
                "name": record["name"],
                "cost": record["cost"],
                "upgrade": record.get("upgrade_tag"),
                "used_by": _bearers(record),
                **(
                    _own("enhancement", place, record["name"])
                    or _described(descriptions, rule, "enhancement", leads=True)
                ).columns(),
            }


def _bearers(record: Record) -> list[str]:
    """Keywords of which the bearer of an enhancement needs one alternative, and may not have."""
    flat = record.get("keyword_restrictions") or []
    groups = record.get("keyword_restriction_groups") or [flat]
    without = [NOT + normal(word) for word in record.get("exclusion_keywords") or ()]
    joined = (TOGETHER.join([*map(normal, group), *without]) for group in groups)
    return [words for words in joined if words]


def _own(kind: str, place: _Place, name: str) -> Ruling | None:
    """What the toolkit's own reference says of a rule, if it has it."""
    entry = lookup(kind, EDITION, place.faction, place.detachment, name)
    return None if entry is None else Ruling.of_reference(entry)


def _described(
    descriptions: Descriptions,
    rule: Record | None,
    kind: str,
    *,
    phases: Sequence[str] | None = None,
    keywords: frozenset[str] = frozenset(),
    leads: bool = False,
) -> Ruling:
    """What the dataset's description of a rule says."""
    if rule is None:
        return UNREAD
    reading = descriptions.read(rule, kind, phases, keywords, leads=leads)
    return Ruling.of_reading(reading, "description")
