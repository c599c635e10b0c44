"""Where the names of a points list belong in a dataset: factions, datasheets, detachments.

Points lists print names in Title Case made by a machine (``The Phaeron'S Armoury``); they are
found in any case, and come out as the dataset prints them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import polars as pl

from killcurve.rules.spelling import normal, suggestions, typographic
from killcurve.sources.points.lists import ArmyList
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.naming import faction_key, rule_key

EDITION = "11e"

Row = Mapping[str, Any]
Unit = tuple[str, str]

_SMALL = re.compile(r"(?<=\s)(And|At|For|From|In|Of|On|Or|The|To|With)(?=\s)")


def as_printed(name: str) -> str:
    """A name in Title Case made by a machine, as a book prints it.

    >>> as_printed("The Hand Of The Phaeron'S Armoury")
    "The Hand of the Phaeron's Armoury"
    """
    words = re.sub(r"(?<=')S\b", "s", typographic(name))
    return _SMALL.sub(lambda found: found[0].lower(), words)


@dataclass(frozen=True, slots=True)
class Places:
    """A dataset's names, in the form in which they are compared."""

    factions: Mapping[str, str]
    parents: Mapping[str, str | None]
    sheets: Mapping[str, Mapping[str, Row]]
    weapons: Mapping[Unit, Mapping[str, str]]
    detachments: Mapping[str, Mapping[str, Row]]
    enhancements: Mapping[Unit, Mapping[str, Row]]

    @classmethod
    def of(cls, base: Dataset) -> Places:
        """The names of a dataset's 11th edition.

        Raises:
            DataError: if it has no datasheets of that edition, which is that of points lists.
        """
        tables = {
            table: base[table].filter(pl.col("edition") == EDITION)
            for table in ("datasheets", "factions", "weapons", "detachments", "enhancements")
        }
        sheets: dict[str, dict[str, Row]] = defaultdict(dict)
        for row in tables["datasheets"].rows(named=True):
            sheets[row["faction"]][normal(row["datasheet"])] = row
        if not sheets:
            raise DataError(
                f"points are of the 11th edition, and there are no datasheets of it in "
                f"{base.about.source} {base.about.version}: import such datasheets first"
            )
        weapons: dict[Unit, dict[str, str]] = defaultdict(dict)
        for faction, sheet, weapon in (
            tables["weapons"].select("faction", "datasheet", "weapon").unique().rows()
        ):
            weapons[faction, sheet][normal(weapon)] = weapon
        detachments: dict[str, dict[str, Row]] = defaultdict(dict)
        for row in tables["detachments"].rows(named=True):
            detachments[row["faction"]][normal(row["detachment"])] = row
        enhancements: dict[Unit, dict[str, Row]] = defaultdict(dict)
        for row in tables["enhancements"].rows(named=True):
            enhancements[row["faction"], row["detachment"]][rule_key(row["name"])] = row
        named = dict(tables["factions"].select("faction", "parent").rows())
        parents: dict[str, str | None] = {**dict.fromkeys(sorted({*sheets, *detachments})), **named}
        factions = {faction_key(faction): faction for faction in sorted(parents)}
        return cls(factions, parents, sheets, weapons, detachments, enhancements)

    def faction(self, name: str | None) -> str | None:
        """The dataset's name of a faction."""
        return self.factions.get(faction_key(name or ""))

    def home(self, army: ArmyList) -> str | None:
        """The faction of an army: that of its name, else of its parent."""
        return self.faction(army.army) or self.faction(army.parent)

    def sheet(self, army: ArmyList, name: str) -> tuple[Row | None, bool]:
        """The datasheet of a unit in an army's list, and whether it is of another faction.

        It is the army's own, else its parent's, else that of the only faction that has one of
        this name: armies take allies.
        """
        wanted = normal(name)
        home = self.home(army)
        own = (home, self.parents.get(home or ""), self.faction(army.parent))
        for faction in own:
            if faction is not None and wanted in self.sheets.get(faction, {}):
                return self.sheets[faction][wanted], False
        found = [sheets[wanted] for sheets in self.sheets.values() if wanted in sheets]
        return (found[0], True) if len(found) == 1 else (None, False)

    def nearest(self, army: ArmyList, name: str, *, least: float = 0.6) -> str | None:
        """The datasheet of the army that a name may be a slip for, by at least that likeness."""
        home = self.home(army)
        factions = {home, self.parents.get(home or ""), self.faction(army.parent)}
        known = [row["datasheet"] for f in factions if f for row in self.sheets.get(f, {}).values()]
        close = suggestions(name, sorted(known), most=1)
        if not close or SequenceMatcher(None, normal(name), normal(close[0])).ratio() < least:
            return None
        return close[0]

    def armies(self, home: str, detachment: str, listed: frozenset[str]) -> list[str]:
        """The factions whose detachment it is: the list's own, or its children without a list.

        ``listed`` are the factions that have points lists of their own.
        """
        wanted = normal(detachment)
        heirs = [
            child
            for child, parent in sorted(self.parents.items())
            if parent == home and child not in listed and wanted in self.detachments.get(child, {})
        ]
        own = wanted in self.detachments.get(home, {}) or not heirs
        return [home, *heirs] if own else heirs
