"""What models carry, by the dataset's weapons; what is none of them is said."""

from __future__ import annotations

import re
from dataclasses import dataclass

from killcurve.sources.rosters.listed import Thing
from killcurve.sources.rosters.names import bare, find, key, nearest, unglued
from killcurve.sources.rosters.sheets import Sheet, Sheets, Weapon

WEAPON, WARGEAR, UNKNOWN = "weapon", "wargear", "unknown"

MOST_PARTS = 12
"""More things than any list names in one; a longer text is no name."""

_NUMBER = re.compile(r"^(\d{1,2})\s*[x×]?\s+(?=\D)")
_PARTS = re.compile(r"\s*(?:,|&|\+|/|\band\b|\bwith\b|\bet\b|\bund\b)\s+")


@dataclass(frozen=True, slots=True)
class Match:
    """A thing, or a part of one, and the weapon that it is."""

    printed: str
    count: int
    read_as: str
    weapon_id: str | None = None


def matches(thing: Thing, sheet: Sheet, sheets: Sheets) -> list[Match]:
    """The weapons (or other wargear) of one thing of a list.

    A thing may be several in one: ``Plasma pistol and power weapon``, or ``2 Bolt pistols``.
    """
    name = bare(thing.name)
    exact = _exactly(name, thing.count, sheet)
    if exact:
        return exact
    plain, times = _counted(name)
    exact = _exactly(plain, thing.count * times, sheet)
    if exact:
        return exact
    parts = _in_parts(name, thing.count, sheet)
    if parts:
        return parts
    if times > 1:
        return matches(Thing(plain, thing.count * times, True, thing.line), sheet, sheets)
    close = sheet.weapon(name)
    if not close and key(name) not in sheets.weapons:
        close = sheet.near_weapon(name)
    if close:
        return _of(close, name, thing.count)
    known = find(name, dict.fromkeys(sheet.wargear | sheets.wargear, True))
    return [Match(name, thing.count, WARGEAR if known else UNKNOWN)]


def _exactly(name: str, count: int, sheet: Sheet) -> list[Match]:
    weapons = sheet.weapons.get(key(name))
    if weapons:
        return _of(weapons, name, count)
    return [Match(name, count, WARGEAR)] if key(name) in sheet.wargear else []


def _of(weapons: list[Weapon], name: str, count: int) -> list[Match]:
    """One match a weapon; of those of one kind with the same name only the first counts."""
    found: list[Match] = []
    kinds: set[str] = set()
    ids: set[str] = set()
    for weapon in weapons:
        if weapon.kind in kinds or weapon.weapon_id in ids:
            continue
        kinds |= {one.kind for one in weapons if one.weapon_id == weapon.weapon_id}
        ids.add(weapon.weapon_id)
        found.append(Match(name, count, WEAPON, weapon.weapon_id))
    return found


def _in_parts(name: str, count: int, sheet: Sheet) -> list[Match]:
    """A name as several ones, where at least one of them is known; the longest known ones first."""
    pieces = [piece for part in unglued(name) for piece in _cut(part)]
    if not 1 < len(pieces) <= MOST_PARTS:
        return []
    found: list[Match] = []
    known = 0
    begin = 0
    while begin < len(pieces):
        for end in range(len(pieces), begin, -1):
            text, times = _counted(" and ".join(pieces[begin:end]))
            match = _exactly(text, count * times, sheet) or _slip(text, count * times, sheet)
            if match:
                known += 1
            elif end == begin + 1:
                match = [Match(text, count * times, UNKNOWN)]
            if match:
                found += match
                begin = end
                break
    return found if known else []


def _cut(text: str) -> list[str]:
    return [part.strip() for part in _PARTS.split(text) if part.strip()]


def _counted(text: str) -> tuple[str, int]:
    number = _NUMBER.match(text)
    return (text[number.end() :], int(number[1])) if number else (text, 1)


def _slip(name: str, count: int, sheet: Sheet) -> list[Match]:
    weapons = find(name, sheet.weapons)
    return _of(weapons, name, count) if weapons else []


def reason(match: Match, sheet: Sheet, sheets: Sheets) -> tuple[str, list[str]]:
    """Why a thing is no weapon of its unit, and the nearest names."""
    names = {weapon.name for weapons in sheet.weapons.values() for weapon in weapons}
    close = nearest(match.printed, names)
    if key(match.printed) in sheets.weapons:
        return f"a weapon, but the dataset has it for other units than {sheet.name}", close
    return f"no weapon or wargear of {sheet.name} by this name", close
