"""Weapon profiles of units and their abilities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from killcurve.sources.bsdata.gathering import Found, Gathered
from killcurve.sources.bsdata.nodes import Node
from killcurve.sources.pages.weapons import keyword_row, slug
from killcurve.sources.wahapedia.account import Account, Row
from killcurve.sources.wahapedia.units import number
from killcurve.sources.wahapedia.weapons import abilities_of, dice, is_named

TYPES = ("Ranged Weapons", "Melee Weapons")
JUNK = "its characteristics are '*': it stands for any other weapon"
SAME = "the unit has the same profile already"

_PREFIX = re.compile(r"^[➤►▶\s]+")
_PROFILE = re.compile(r" +[–—-] +")
_STATS = ("Range", "A", "BS", "WS", "S", "AP", "D")


def read(
    gathered: Gathered, place: Mapping[str, str], weapons: Account, words: Account
) -> dict[Node, str]:
    """The weapons of a unit into the accounts of ``weapons`` and ``weapon_keywords``.

    A name that a unit has twice with other values (two kinds of models have it) gets another
    ``weapon_id``. Gives the id of each profile that was read.
    """
    seen: dict[tuple[str, str, str], list[tuple[object, ...]]] = {}
    ids: dict[Node, str] = {}
    rows: list[Row] = []
    for one in gathered.of_type(*TYPES):
        values = one.profile.values()
        if any(values.get(name, "").strip() == "*" for name in _STATS):
            weapons.set_aside(JUNK)
            continue
        row = _weapon(one, values)
        key = (slug(row["weapon"]), row["profile"].casefold(), row["kind"])
        stats = tuple(str(row[column]) for column in _COMPARED)
        known = seen.setdefault(key, [])
        is_new = stats not in known
        if is_new:
            known.append(stats)
        if known.index(stats):
            row["weapon_id"] = f"{row['weapon_id']}-{known.index(stats) + 1}"
        ids[one.profile] = row["weapon_id"]
        if not is_new:
            weapons.set_aside(SAME)
            continue
        rows.append({**place, **row})
        for ability, trouble in abilities_of(_cell(values)):
            if trouble:
                words.set_aside(trouble)
            if ability is not None:
                words.keep({**place, **keyword_row(row, ability)})
    profiles = Counter((row["weapon_id"], row["kind"]) for row in rows)
    for row in rows:
        row["exclusive"] = profiles[row["weapon_id"], row["kind"]] > 1
        weapons.keep(row)
    _set_aside(gathered, weapons)
    return ids


def _set_aside(gathered: Gathered, weapons: Account) -> None:
    for node, reason in gathered.aside.items():
        if node.facts.get("typeName") in TYPES:
            weapons.set_aside(JUNK if "*" in node.values().values() else reason)


_COMPARED = ("range", "attacks", "skill", "strength", "ap", "damage", "keywords")


def split_name(name: str, holder: str) -> tuple[str, str]:
    """The weapon and the profile of a printed name; ``holder`` is the item that has it.

    >>> split_name("➤ Storm gun - frag", "Storm gun"), split_name("Bell", "Bell")
    (('Storm gun', 'frag'), ('Bell', ''))
    >>> split_name("➤ Frag", "Storm gun")
    ('Storm gun', 'Frag')
    """
    plain = _PREFIX.sub("", name).strip()
    weapon, _, profile = _PROFILE.sub("\0", plain, count=1).partition("\0")
    if not profile and plain != name.strip() and holder.casefold() != plain.casefold():
        return (_PREFIX.sub("", holder).strip() or plain), plain
    return weapon, profile


def _weapon(one: Found, values: Mapping[str, str]) -> Row:
    weapon, profile = split_name(one.profile.name, one.holder.name)
    reach = values.get("Range", "").strip()
    is_melee = one.profile.facts.get("typeName") == TYPES[1] or reach.casefold() == "melee"
    known = (a for a, _ in abilities_of(_cell(values)) if a is not None and is_named(a))
    skill = values.get("WS", "") if is_melee and "WS" in values else values.get("BS", "")
    return {
        "weapon_id": slug(weapon) or "weapon",
        "weapon": weapon,
        "profile": profile,
        "kind": "melee" if is_melee else "ranged",
        "range": 0 if is_melee or reach.upper() in ("N/A", "-", "") else number(reach),
        "attacks": dice(values.get("A", "")),
        "skill": number(skill),
        "strength": dice(values.get("S", "").strip().removesuffix("+")),
        "ap": number(values.get("AP", "")),
        "damage": dice(values.get("D", "")),
        "keywords": list(dict.fromkeys(str(ability) for ability in known)),
    }


def _cell(values: Mapping[str, str]) -> str:
    return values.get("Keywords", "").replace("\u00a0", " ")
