"""The prose of an export, for the user's own ``texts`` table: it is never shared."""

from __future__ import annotations

from collections import Counter

from killcurve.sources.wahapedia.account import NO_DATASHEET, Account, Row
from killcurve.sources.wahapedia.export import Export
from killcurve.sources.wahapedia.text import plain, without_tags
from killcurve.sources.wahapedia.units import Units

_KINDS = {"core": "core ability", "faction": "faction ability", "wargear": "wargear ability"}
NO_TEXT = "it has no text"
CORE = "Core"
"""The faction of texts that belong to none."""


def abilities(export: Export, units: Units) -> Account:
    """Abilities of datasheets; those that several share have name and text in Abilities.csv."""
    account = Account()
    shared = {(a["id"], a["faction_id"]): a for a in export["Abilities"].rows(named=True)}
    by_id = {ability_id: ability for (ability_id, _), ability in reversed(shared.items())}
    faction_of = dict(export["Datasheets"].select("id", "faction_id").rows())
    for line in export["Datasheets_abilities"].rows(named=True):
        place = units.place(line["datasheet_id"])
        if place is None:
            account.set_aside(NO_DATASHEET)
            continue
        ability_id = line["ability_id"]
        common = shared.get((ability_id, faction_of[line["datasheet_id"]])) or by_id.get(ability_id)
        words = plain(line["description"] or (common or {}).get("description", ""))
        name = without_tags(line["name"] or (common or {}).get("name", ""))
        name = f"{name} {line.get('parameter', '')}".strip()
        if not name and not words:
            account.set_aside(NO_TEXT)
            continue
        kind = _KINDS.get(line["type"].casefold().partition(" ")[0], "ability")
        account.keep({**place, "kind": kind, "name": name, "text": words})
    return account


def sheets(export: Export, units: Units) -> list[Row]:
    """What datasheets say of damage, transport, leaders and what is carried."""
    rows = []
    for sheet in export["Datasheets"].rows(named=True):
        place = units.place(sheet["id"])
        if place is None:
            continue
        leader = [plain(sheet.get(part, "")) for part in ("leader_head", "leader_footer")]
        wounds = sheet.get("damaged_w", "")
        found = {
            ("composition", "UNIT COMPOSITION"): plain(sheet.get("loadout", "")),
            ("transport", "TRANSPORT"): plain(sheet.get("transport", "")),
            ("leader", "LEADER"): "\n".join(part for part in leader if part),
            ("damaged", f"DAMAGED: {wounds} WOUNDS REMAINING"): plain(
                sheet.get("damaged_description", "")
            ),
        }
        rows += [
            {**place, "kind": kind, "name": name, "text": text}
            for (kind, name), text in found.items()
            if text
        ]
    return rows


def detachment_rules(export: Export) -> Account:
    """The rules of detachments."""
    account = Account()
    for row in _rules(export, "Detachment_abilities", "detachment"):
        if row["text"]:
            account.keep(row)
        else:
            account.set_aside(NO_TEXT)
    return account


def of_rules(export: Export) -> list[Row]:
    """The texts of stratagems and enhancements."""
    rows = _rules(export, "Stratagems", "stratagem") + _rules(export, "Enhancements", "enhancement")
    return [row for row in rows if row["text"]]


def numbered(rows: list[Row]) -> list[Row]:
    """Texts of one name count from 1."""
    seen: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        row.setdefault("datasheet", "")
        row.setdefault("detachment", "")
        key = tuple(
            row[column] for column in ("kind", "faction", "datasheet", "detachment", "name")
        )
        seen[key] += 1
        row["number"] = seen[key]
    return rows


def _rules(export: Export, file: str, kind: str) -> list[Row]:
    armies = dict(export["Factions"].select("id", "name").rows())
    return [
        {
            "kind": kind,
            "faction": armies.get(line["faction_id"]) or CORE,
            "detachment": without_tags(line["detachment"]),
            "name": without_tags(line["name"]),
            "text": plain(line["description"]),
        }
        for line in export[file].rows(named=True)
    ]
