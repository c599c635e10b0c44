"""Units of the community dataset: stat lines, keywords, points, leaders, standard targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from killcurve.rules.spelling import normal

Record = Mapping[str, Any]
Data = Mapping[str, list[Any]]


@dataclass(frozen=True, slots=True)
class Names:
    """The names behind the ids of the bundle."""

    factions: Mapping[str, str]
    units: Mapping[tuple[str, str], str]
    weapons: Mapping[tuple[str, str], Record]

    @classmethod
    def of(cls, data: Data) -> Names:
        """Collect them."""
        return cls(
            factions={f["id"]: f["name"] for f in data["factions"]},
            units={(u["faction_id"], u["id"]): u["name"] for u in data["units"]},
            weapons={(w["faction_id"], w["id"]): w for w in data["weapons"]},
        )

    def unit(self, record: Record, key: str = "unit_id") -> dict[str, str] | None:
        """The ``faction`` and ``datasheet`` columns of a record, or ``None`` if it has no unit."""
        name = self.units.get((record["faction_id"], record[key]))
        if name is None:
            return None
        return {"faction": self.factions[record["faction_id"]], "datasheet": name}


def rows(data: Data, names: Names) -> dict[str, list[dict[str, Any]]]:
    """The rows of all tables about units."""
    composed = {(c["faction_id"], c["unit_id"]): c for c in data["unit_compositions"]}
    return {
        "factions": list(_factions(data, names)),
        "datasheets": list(_datasheets(data, names, composed)),
        "models": list(_models(data, names)),
        "keywords": list(_keywords(data, names)),
        "points": list(_points(data, names)),
        "allied_points": list(_allied_points(data, names)),
        "wargear_costs": list(_wargear_costs(data, names)),
        "target_profiles": list(_target_profiles(data, names)),
        "leader_attachments": list(_leaders(data, names)),
    }


def _factions(data: Data, names: Names) -> Iterator[dict[str, Any]]:
    for faction in data["factions"]:
        parent = faction.get("parent_faction_id")
        yield {"faction": faction["name"], "parent": names.factions.get(parent)}


def _datasheets(data: Data, names: Names, composed: Mapping[Any, Any]) -> Iterator[dict[str, Any]]:
    for unit in data["units"]:
        count = unit.get("model_count") or {}
        lacks = []
        if not unit.get("points"):
            lacks.append("points")
        if (unit["faction_id"], unit["id"]) not in composed:
            lacks.append("composition")
        if not unit.get("weapon_ids"):
            lacks.append("weapons")
        yield {
            **_of(unit, names),
            "role": unit.get("role"),
            "legends": bool(unit.get("is_legend")),
            "models_min": count.get("min"),
            "models_max": count.get("max"),
            "transport_capacity": (unit.get("transport_capacity") or {}).get("capacity"),
            "note": f"the dataset has no {', '.join(lacks)} of it" if lacks else None,
        }


def _of(unit: Record, names: Names) -> dict[str, str]:
    return {"faction": names.factions[unit["faction_id"]], "datasheet": unit["name"]}


def _models(data: Data, names: Names) -> Iterator[dict[str, Any]]:
    for unit in data["units"]:
        for line in unit["profiles"]:
            value, against = _invulnerable(line)
            yield {
                **_of(unit, names),
                "model": line["name"],
                "move": line["M"],
                "toughness": line["T"],
                "save": line["Sv"],
                "invulnerable_save": value,
                "invulnerable_save_against": against,
                "wounds": line["W"],
                "leadership": line["Ld"],
                "objective_control": line["OC"],
            }


def _invulnerable(line: Record) -> tuple[int | None, str | None]:
    if line["invuln_sv"] is not None:
        return line["invuln_sv"], None
    for kind in ("ranged", "melee"):
        if line.get(f"invuln_sv_{kind}") is not None:
            return line[f"invuln_sv_{kind}"], kind
    return None, None


def _keywords(data: Data, names: Names) -> Iterator[dict[str, Any]]:
    for unit in data["units"]:
        own = {normal(k) for k in unit["keywords"]}
        faction = {normal(k) for k in unit["faction_keywords"]}
        for keyword in sorted(own | faction):
            yield {**_of(unit, names), "keyword": keyword, "is_faction": keyword in faction}


def statline(model: str, known: list[str]) -> str:
    """The stat line of a model: the one of its name, else the one with most words in common.

    >>> statline("Nob", ["Boy", "Boss Nob"]), statline("Sergeant", ["Trooper"])
    ('Boss Nob', 'Trooper')
    """
    for name in known:
        if normal(name) == normal(model):
            return name
    words = set(normal(model).split())
    return max(known, key=lambda name: len(words & set(normal(name).split())))


def _points(data: Data, names: Names) -> Iterator[dict[str, Any]]:
    for unit in data["units"]:
        for price in unit.get("points") or ():
            yield {**_of(unit, names), **_price(price)}


def _price(price: Record) -> dict[str, Any]:
    return {
        "models": price["models"],
        "models_max": price.get("models_max") or price["models"],
        "copies_from": price.get("unit_count_min") or 1,
        "copies_to": price.get("unit_count_max"),
        "cost": price["cost"],
    }


def _allied_points(data: Data, names: Names) -> Iterator[dict[str, Any]]:
    for unit in data["units"]:
        for price in unit.get("allied_points") or ():
            host = price["host_faction"]
            army = names.factions.get(host) or host.replace("-", " ").title()
            yield {**_of(unit, names), "army": army, **_price(price)}


def _wargear_costs(data: Data, names: Names) -> Iterator[dict[str, Any]]:
    for unit in data["units"]:
        for price in unit.get("wargear_costs") or ():
            item = price["item_id"]
            weapon = names.weapons.get((unit["faction_id"], item))
            # Items that are no weapons have no record of their own.
            name = weapon["name"] if weapon else item.replace("-", " ").capitalize()
            yield {**_of(unit, names), "item": name, "cost": price["cost"], "per": "item"}


def _target_profiles(data: Data, names: Names) -> Iterator[dict[str, Any]]:
    for number, target in enumerate(data["target_profiles"], start=1):
        unit = names.unit(target)
        if unit is not None:
            models = target.get("model_count_override")
            yield {**unit, "target": target["name"], "models": models, "number": number}


def _leaders(data: Data, names: Names) -> Iterator[dict[str, Any]]:
    """Who may lead whom: units by id, or by a keyword, of the leader's own faction."""
    factions: dict[str, list[str]] = {}
    keywords: dict[tuple[str, str], list[str]] = {}
    for unit in data["units"]:
        factions.setdefault(unit["id"], []).append(unit["faction_id"])
        for keyword in unit["keywords"]:
            keywords.setdefault((unit["faction_id"], normal(keyword)), []).append(unit["name"])
    for record in data.get("leader_attachments", ()):
        for faction in factions.get(record["leader_id"], ()):
            led = [
                names.units[faction, unit_id]
                for unit_id in record["eligible_bodyguard_ids"]
                if (faction, unit_id) in names.units
            ]
            for keyword in record.get("eligible_bodyguard_keywords") or ():
                led += keywords.get((faction, normal(keyword)), [])
            for name in dict.fromkeys(led):
                yield {
                    "faction": names.factions[faction],
                    "leader": names.units[faction, record["leader_id"]],
                    "bodyguard": name,
                }
