"""Factions, datasheets, stat lines and keywords."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from killcurve.rules.spelling import normal
from killcurve.sources.wahapedia.account import NO_DATASHEET, Account, Row
from killcurve.sources.wahapedia.export import Export
from killcurve.sources.wahapedia.text import plain, without_tags

Unit = tuple[str, str]
"""The faction and the name of a datasheet."""

_ROLES = {
    "characters": "character",
    "battleline": "battleline",
    "dedicated transports": "dedicated-transport",
    "fortifications": "fortification",
}
_CAPACITY = re.compile(r"transport capacity of (\d{1,4})\b")
_AGAINST = re.compile(r"against (ranged|melee) attacks")
_ROLL = re.compile(r"(\d)\+")


@dataclass(frozen=True, slots=True)
class Units:
    """The units behind the ids of the export, and what is to be noted of each."""

    by_id: Mapping[str, Unit]
    notes: dict[Unit, list[str]] = field(default_factory=dict)

    def place(self, datasheet_id: str) -> dict[str, str] | None:
        """The columns ``faction`` and ``datasheet`` of an id, if it has a unit."""
        unit = self.by_id.get(datasheet_id)
        return None if unit is None else {"faction": unit[0], "datasheet": unit[1]}

    def note(self, place: Mapping[str, str], text: str) -> None:
        """Something a reader must know of a unit."""
        notes = self.notes.setdefault((place["faction"], place["datasheet"]), [])
        if text not in notes:
            notes.append(text)


def factions(export: Export) -> Account:
    """The armies."""
    account = Account()
    for name in export["Factions"]["name"].to_list():
        account.keep({"faction": name, "parent": None})
    return account


def read_units(export: Export) -> tuple[Units, Account]:
    """The units, with a name of its own for each, and the rows of their datasheets.

    A faction that has two datasheets of one name has them from two sources: the one that is
    not the faction's own (or is Legends) gets its source behind its name.
    """
    account = Account()
    armies = dict(export["Factions"].select("id", "name").rows())
    sources = dict(export["Source"].select("id", "name").rows())
    found: list[tuple[str, Row, str]] = []
    for sheet in export["Datasheets"].rows(named=True):
        faction = armies.get(sheet["faction_id"])
        source = sources.get(sheet.get("source_id", ""), "")
        if sheet.get("virtual", "").casefold() == "true":
            account.set_aside("it is an example, and no unit (virtual)")
        elif not sheet["name"]:
            account.set_aside("it has no name")
        elif faction is None:
            account.set_aside("its faction is not in Factions.csv")
        else:
            found.append((sheet["id"], _datasheet(sheet, faction, source), source))
    units = Units(_named(found))
    for datasheet_id, row, _ in found:
        row["datasheet"] = units.by_id[datasheet_id][1]
        account.keep(row)
    return units, account


def models(export: Export, units: Units) -> Account:
    """The stat lines. What a limited save says beyond its value is noted of the datasheet."""
    account = Account()
    for line in export["Datasheets_models"].rows(named=True):
        place = units.place(line["datasheet_id"])
        if place is None:
            account.set_aside(NO_DATASHEET)
            continue
        value, against, note = invulnerable(line["inv_sv"], line.get("inv_sv_descr", ""))
        name = line["name"] or place["datasheet"]
        if note:
            units.note(place, f"invulnerable save of {name}: {note}")
        account.keep(
            {
                **place,
                "model": name,
                "move": number(line["M"]),
                "toughness": number(line["T"]),
                "save": number(line["Sv"]),
                "invulnerable_save": value,
                "invulnerable_save_against": against,
                "wounds": number(line["W"]),
                "leadership": number(line["Ld"]),
                "objective_control": number(line["OC"]),
            }
        )
    return account


def keywords(export: Export, units: Units) -> Account:
    """The keywords; one that only some models have counts as the unit's."""
    account = Account()
    for line in export["Datasheets_keywords"].rows(named=True):
        place = units.place(line["datasheet_id"])
        word = normal(without_tags(line["keyword"]))
        if place is None:
            account.set_aside(NO_DATASHEET)
        elif not word:
            account.set_aside("it is empty")
        else:
            is_faction = line["is_faction_keyword"].casefold() == "true"
            account.keep({**place, "keyword": word, "is_faction": is_faction})
    account.rows.sort(key=lambda row: not row["is_faction"])
    account.keep_first_of(("faction", "datasheet", "keyword"), "the unit has the keyword already")
    return account


def number(cell: str) -> int | None:
    """The number of ``6"``, ``20+"``, ``5*`` or ``3+``; nothing of ``-`` and the like.

    >>> [number(cell) for cell in ('20+"', "5*", "7+", "-0", "N/A", "-", "3.0")]
    [20, 5, 7, 0, None, None, 3]
    """
    found = re.fullmatch(r"([+-]?\d{1,4})(?:\.0)?\+?[\"”″*]?\+?", cell.strip())
    return int(found[1]) if found else None


def invulnerable(value: str, description: str) -> tuple[int | None, str | None, str | None]:
    """The value of an invulnerable save, the kind of attacks it is limited to, and a note.

    >>> invulnerable("5", " * Against ranged attacks only")
    (5, 'ranged', None)
    >>> invulnerable("6", "* 4+ against melee attacks")
    (6, None, '4+ against melee attacks')
    >>> invulnerable("-", "")
    (None, None, None)
    """
    need = number(value)
    said = without_tags(description).strip("* ")
    if need is None or not said:
        return need, None, said or None
    found = _AGAINST.search(said.casefold())
    other = [int(roll) for roll in _ROLL.findall(said) if int(roll) != need]
    if found and not other:
        return need, found[1], None
    return need, None, said


def _datasheet(sheet: Row, faction: str, source: str) -> Row:
    capacity = _CAPACITY.search(plain(sheet.get("transport", "")))
    return {
        "faction": faction,
        "datasheet": sheet["name"],
        "role": _ROLES.get(sheet.get("role", "").casefold()),
        "legends": "legends" in source.casefold(),
        "transport_capacity": int(capacity[1]) if capacity else None,
    }


def _named(found: list[tuple[str, Row, str]]) -> dict[str, Unit]:
    """A name for each id that no other datasheet of the faction has."""
    names: dict[str, Unit] = {}
    taken: Counter[Unit] = Counter()
    own_first = sorted(found, key=lambda one: (one[1]["legends"], one[2] != one[1]["faction"]))
    for datasheet_id, row, source in own_first:
        label = "Legends" if row["legends"] else source or "another"
        printed = (row["faction"], row["datasheet"])
        name = printed if not taken[printed] else (printed[0], f"{printed[1]} ({label})")
        taken[name] += 1
        if taken[name] > 1:
            name = (name[0], f"{name[1]} {taken[name]}")
        names[datasheet_id] = name
    return names


def described(account: Account, units: Units, tables: Mapping[str, Account]) -> None:
    """Complete datasheets by what other tables have of them: sizes, roles and notes."""
    known_sizes = sizes(tables["compositions"].rows)
    epic = {
        (row["faction"], row["datasheet"])
        for row in tables["keywords"].rows
        if row["keyword"] == "epic hero"
    }
    having = {
        what: {(row["faction"], row["datasheet"]) for row in tables[table].rows}
        for what, table in _PARTS.items()
        if tables[table].read
    }
    for row in account.rows:
        unit = (row["faction"], row["datasheet"])
        lacks = [what for what, those in having.items() if unit not in those]
        notes = [f"the export has no {', '.join(lacks)} of it"] if lacks else []
        notes += units.notes.get(unit, [])
        least, most = known_sizes.get(unit, (None, None))
        row["models_min"], row["models_max"] = least or None, most or None
        row["note"] = "; ".join(notes) or None
        if unit in epic:
            row["role"] = "epic-hero"


_PARTS = {
    "stat line": "models",
    "weapons": "weapons",
    "composition": "compositions",
    "points": "points",
}


def sizes(rows: list[Row]) -> dict[Unit, tuple[int, int]]:
    """The smallest and the largest number of models of units, over all tiers."""
    if not rows:
        return {}
    keys = ["faction", "datasheet"]
    tiers = pl.DataFrame(
        [[row[column] for column in (*keys, "tier", "count_min", "count_max")] for row in rows],
        schema=[*keys, "tier", "count_min", "count_max"],
        orient="row",
    ).group_by(*keys, "tier")
    found = (
        tiers.agg(pl.col("count_min", "count_max").sum())
        .group_by(keys)
        .agg(pl.col("count_min").min(), pl.col("count_max").max())
    )
    return {(faction, name): (least, most) for faction, name, least, most in found.rows()}
