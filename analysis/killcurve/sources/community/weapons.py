"""Weapons of the community dataset: profiles and their abilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from killcurve.engine.dice import Dice
from killcurve.rules.abilities import Ability
from killcurve.rules.spelling import normal
from killcurve.sources.community.units import Data, Names, Record

_HYPHENATED = frozenset({"twin-linked", "close-quarters"})


def rows(data: Data, names: Names) -> dict[str, list[dict[str, Any]]]:
    """The rows of all tables about weapons."""
    profiles = [row for unit in data["units"] for row in _of_unit(unit, names)]
    weapons, keywords = [], []
    for row, abilities in profiles:
        weapons.append({**row, "keywords": [str(a) for a in abilities]})
        keywords += [keyword_row(row, ability) for ability in abilities]
    return {"weapons": weapons, "weapon_keywords": keywords}


def _of_unit(unit: Record, names: Names) -> Iterator[tuple[dict[str, Any], list[Ability]]]:
    for weapon_id in dict.fromkeys(unit.get("weapon_ids") or ()):
        weapon = names.weapons.get((unit["faction_id"], weapon_id))
        if weapon is None:
            continue
        kinds = Counter(_kind(profile) for profile in weapon["profiles"])
        for profile in weapon["profiles"]:
            kind, stats = _kind(profile), profile["stats"]
            several = len(weapon["profiles"]) > 1
            row = {
                "faction": names.factions[unit["faction_id"]],
                "datasheet": unit["name"],
                "weapon_id": weapon_id,
                "weapon": weapon["name"],
                "profile": _profile_name(weapon["name"], profile["name"]) if several else "",
                "kind": kind,
                "exclusive": kinds[kind] > 1,
                "range": 0 if kind == "melee" else profile["range"],
                "attacks": str(Dice.parse(stats["A"])),
                "skill": stats.get("BS", stats.get("WS")),
                "strength": str(Dice.parse(stats["S"])),
                "ap": stats["AP"],
                "damage": str(Dice.parse(stats["D"])),
            }
            yield row, [ability(keyword) for keyword in profile.get("keywords") or ()]


def _kind(profile: Mapping[str, Any]) -> str:
    return "melee" if profile["range"] == "Melee" else "ranged"


def _profile_name(weapon: str, profile: str) -> str:
    """The profile's own name, without the weapon's in front."""
    rest = profile[len(weapon) :] if normal(profile).startswith(normal(weapon)) else profile
    return rest.strip(" -–—") or profile


def ability(keyword: Record) -> Ability:
    """The ability that a keyword record stands for.

    >>> str(ability({"keyword_id": "sustained-hits", "parameters": {"value": "D3"}}))
    'sustained hits D3'
    >>> str(ability({"keyword_id": "anti", "parameters": {"target_keyword": "Fly",
    ...              "threshold": 2}}))
    'anti-fly 2+'
    """
    name, given = keyword["keyword_id"], keyword.get("parameters") or {}
    name = name if name in _HYPHENATED else name.replace("-", " ")
    subject = given.get("target_keyword")
    only = tuple(normal(k) for k in given.get("required_target_keywords_any") or ())
    return Ability(
        name=name,
        amount=Dice.parse(given["value"]) if "value" in given else None,
        threshold=given.get("threshold"),
        subject=normal(subject) if subject else None,
        only=only if name != "anti" else (),
        excluding=tuple(normal(k) for k in given.get("excluded_target_keywords") or ()),
    )


def keyword_row(weapon: Mapping[str, Any], ability: Ability) -> dict[str, Any]:
    """The row of ``weapon_keywords`` for one ability of a weapon row."""
    key = ("faction", "datasheet", "weapon_id", "profile", "kind")
    return {
        **{column: weapon[column] for column in key},
        "keyword": str(ability),
        "ability": ability.name,
        "amount": None if ability.amount is None else str(ability.amount),
        "threshold": ability.threshold,
        "subject": ability.subject,
        "known": ability.is_known,
    }
