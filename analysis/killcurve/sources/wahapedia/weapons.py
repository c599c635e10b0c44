"""Weapon profiles and their abilities."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from killcurve.engine.dice import Dice
from killcurve.rules.abilities import Ability
from killcurve.rules.spelling import normal
from killcurve.sources.pages.weapons import keyword_row, slug
from killcurve.sources.wahapedia.account import NO_DATASHEET, TWICE, Account, Row
from killcurve.sources.wahapedia.export import Export
from killcurve.sources.wahapedia.text import without_tags
from killcurve.sources.wahapedia.units import Units, number

NO_WEAPON = "an empty row, of a unit without weapons"
_PROFILE = re.compile(r" +[–—-] +")
_SEPARATOR = re.compile(r"[,;]|\.(?: |$)")
_UNREAD = "its number is missing or wrong"


def read(export: Export, units: Units) -> tuple[Account, Account]:
    """The accounts of ``weapons`` and ``weapon_keywords``.

    Profiles of one weapon are told by ``Weapon – profile``. A name that a datasheet has twice
    with other values (two kinds of models have it) gets another ``weapon_id``.
    """
    weapons, abilities = Account(), Account()
    seen: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for line in export["Datasheets_wargear"].rows(named=True):
        place = units.place(line["datasheet_id"])
        key = (line["datasheet_id"], normal(line["name"]), line["type"].casefold())
        values = tuple(line[column] for column in ("description", "range", *_VALUES))
        if place is None:
            weapons.set_aside(NO_DATASHEET)
        elif not line["name"] and not line["type"]:
            weapons.set_aside(NO_WEAPON)
        elif values in seen.setdefault(key, []):
            weapons.set_aside(TWICE)
        else:
            seen[key].append(values)
            row = {**place, **_weapon(line, len(seen[key]))}
            for ability, trouble in abilities_of(line["description"]):
                if trouble:
                    abilities.set_aside(trouble)
                if ability is not None:
                    abilities.keep(_placed(row, ability))
            weapons.keep(row)
    profiles = Counter(_group(row) for row in weapons.rows)
    for row in weapons.rows:
        row["exclusive"] = profiles[_group(row)] > 1
    abilities.keep_first_of(
        ("faction", "datasheet", "weapon_id", "profile", "kind", "keyword"),
        "the weapon has it already",
    )
    return weapons, abilities


_VALUES = ("A", "BS_WS", "S", "AP", "D")


def _group(row: Row) -> tuple[str, ...]:
    return (row["faction"], row["datasheet"], row["weapon_id"], row["kind"])


def _placed(row: Row, ability: Ability) -> Row:
    place = {"faction": row["faction"], "datasheet": row["datasheet"]}
    return {**place, **keyword_row(row, ability)}


def _weapon(line: Row, occurrence: int) -> Row:
    weapon, _, profile = _PROFILE.sub("\0", without_tags(line["name"]), count=1).partition("\0")
    is_melee = "melee" in (line["type"].casefold(), line["range"].casefold())
    name = slug(weapon) or "weapon"
    known = (a for a, _ in abilities_of(line["description"]) if a is not None and is_named(a))
    return {
        "weapon_id": name if occurrence == 1 else f"{name}-{occurrence}",
        "weapon": weapon,
        "profile": profile or line.get("dice", ""),
        "kind": "melee" if is_melee else "ranged",
        "range": 0 if is_melee or line["range"] in _ANYWHERE else number(line["range"]),
        "attacks": dice(line["A"]),
        "skill": number(line["BS_WS"]),
        "strength": dice(line["S"]),
        "ap": number(line["AP"]),
        "damage": dice(line["D"]),
        "keywords": list(dict.fromkeys(str(ability) for ability in known)),
    }


_ANYWHERE = ("N/A", "-", "")
"""Weapons that are not aimed have no range."""


def dice(cell: str) -> str:
    """The usual form of a dice expression; what is none stays, and breaks the table's contract.

    >>> dice("d6 "), dice("2D3 + 1"), dice("-")
    ('D6', '2D3+1', '-')
    """
    try:
        return str(Dice.parse(cell.removesuffix(".0")))
    except ValueError:
        return cell


@lru_cache(maxsize=8192)
def abilities_of(description: str) -> tuple[tuple[Ability | None, str | None], ...]:
    """Each ability of a cell, or why it is none. One that nobody knows is kept by its name."""
    found: list[tuple[Ability | None, str | None]] = []
    for part in _SEPARATOR.split(without_tags(description)):
        word = part.strip(" .*-")
        if not word:
            continue
        try:
            found.append((Ability.parse(word), None))
        except ValueError as error:
            unknown = "is no weapon ability" in str(error)
            found.append((Ability(normal(word)), None) if unknown else (None, _UNREAD))
    return tuple(found)


@lru_cache(maxsize=4096)
def is_named(ability: Ability) -> bool:
    """Whether the toolkit knows at least the name: what studies ask of weapons."""
    try:
        return Ability.parse(str(ability)) is not None
    except ValueError:
        return False
