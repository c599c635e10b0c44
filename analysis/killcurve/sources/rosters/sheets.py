"""What the dataset knows of one datasheet: models, weapons, wargear, sizes and prices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from killcurve.sources.rosters.names import (
    base,
    find,
    held,
    holding,
    key,
    same_but_for_a_slip,
    words,
)
from killcurve.tables.dataset import Dataset

Row = Mapping[str, Any]
Unit = tuple[str, str]

_TABLES = {
    "models": ("model",),
    "compositions": ("tier", "model", "statline", "count_min", "count_max"),
    "weapons": ("weapon_id", "weapon", "kind"),
    "default_weapons": ("model", "weapon_id", "count"),
    "wargear_options": ("replaces", "choices"),
    "points": ("models", "models_max", "copies_from", "copies_to", "cost"),
    "allied_points": ("army", "models", "models_max", "copies_from", "copies_to", "cost"),
    "wargear_costs": ("item", "cost", "per"),
}


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon of a datasheet."""

    weapon_id: str
    name: str
    kind: str


@dataclass(slots=True)
class Sheet:
    """A datasheet; one that is not known knows nothing."""

    models: dict[str, str] = field(default_factory=dict)
    weapons: dict[str, list[Weapon]] = field(default_factory=dict)
    wargear: set[str] = field(default_factory=set)
    rows: dict[str, list[Row]] = field(default_factory=dict)
    name: str = ""

    @property
    def is_known(self) -> bool:
        """Whether the dataset has it."""
        return bool(self.name)

    def model(self, printed: str) -> str | None:
        """The kind of model of a printed name, also one that says what the model carries."""
        for form in (printed, base(printed)):
            found = find(form, self.models)
            if found:
                return found
        own = held(base(printed), self.models) or holding(base(printed), self.models)
        return own if own and self._is_most_of(own, printed) else None

    def _is_most_of(self, model: str, printed: str) -> bool:
        """Whether the names share their last word: ``Crisis Trooper`` is a ``Trooper``."""
        return same_but_for_a_slip(key(model).split()[-1], key(base(printed)).split()[-1])

    def weapon(self, printed: str) -> list[Weapon]:
        """The weapons of a printed name: exactly, or but for a slip."""
        return find(printed, self.weapons) or []

    def near_weapon(self, printed: str) -> list[Weapon]:
        """The weapons whose name is the printed one with a word more or less.

        Words that the printed one has more are those of the unit: ``Jackal blade`` is the blade
        of the Jackals, but a ``Twin gun`` is no gun.
        """
        inside = held(printed, self.weapons)
        if inside is not None:
            more = words(key(printed)) - words(key(inside[0].name))
            own = {word for name in (self.name, *self.models.values()) for word in words(key(name))}
            if all(any(same_but_for_a_slip(word, one) for one in own) for word in more):
                return inside
        return holding(printed, self.weapons) or []

    def has_weapon(self, printed: str) -> bool:
        """Whether a weapon has exactly this name."""
        return key(printed) in self.weapons

    def has_wargear(self, printed: str) -> bool:
        """Whether its options name it as wargear without a profile."""
        return find(printed, dict.fromkeys(self.wargear, True)) is not None

    @property
    def smallest(self) -> int | None:
        """The smallest number of models."""
        tiers: dict[int, int] = {}
        for row in self.rows.get("compositions", ()):
            tiers[row["tier"]] = tiers.get(row["tier"], 0) + row["count_min"]
        return min((n for n in tiers.values() if n), default=None)


@dataclass(slots=True)
class Sheets:
    """Every datasheet of a dataset's edition."""

    rows: dict[str, dict[Unit, list[Row]]] = field(default_factory=dict)
    wargear: set[str] = field(default_factory=set)
    weapons: set[str] = field(default_factory=set)
    faction_words: dict[str, set[str]] = field(default_factory=dict)
    _made: dict[Unit, Sheet] = field(default_factory=dict)

    @classmethod
    def of(cls, dataset: Dataset, edition: str) -> Sheets:
        """All of them."""
        made = cls()
        for table, columns in _TABLES.items():
            held_rows: dict[Unit, list[Row]] = {}
            rows = dataset[table].filter(pl.col("edition").cast(pl.String) == edition)
            distinct = rows.select("faction", "datasheet", *columns).unique(maintain_order=True)
            for row in distinct.rows(named=True):
                held_rows.setdefault((row["faction"], row["datasheet"]), []).append(row)
            made.rows[table] = held_rows
        names = {row["weapon"] for rows_ in made.rows["weapons"].values() for row in rows_}
        made.weapons = {key(name) for name in names}
        for unit in made.rows["wargear_options"]:
            made.wargear |= made.sheet(*unit).wargear
        of_faction = dataset["keywords"].filter(pl.col("is_faction"))
        for faction, word in of_faction.select("faction", "keyword").unique().rows():
            made.faction_words.setdefault(faction, set()).add(word)
        return made

    def sheet(self, faction: str, datasheet: str) -> Sheet:
        """One of them."""
        unit = (faction, datasheet)
        if unit not in self._made:
            self._made[unit] = self._make(unit)
        return self._made[unit]

    def _make(self, unit: Unit) -> Sheet:
        rows = {table: held_rows.get(unit, []) for table, held_rows in self.rows.items()}
        sheet = Sheet(rows=rows, name=unit[1])
        for row in rows["compositions"]:
            sheet.models.setdefault(key(row["model"]), row["model"])
        for row in rows["models"]:
            line = row["model"]
            kinds = {r["model"] for r in rows["compositions"] if r["statline"] == line}
            sheet.models.setdefault(key(line), kinds.pop() if len(kinds) == 1 else line)
        for row in rows["weapons"]:
            weapons = sheet.weapons.setdefault(key(row["weapon"]), [])
            weapons.append(Weapon(row["weapon_id"], row["weapon"], str(row["kind"])))
        named = [
            part.strip()
            for row in rows["wargear_options"]
            for choice in (*(row["replaces"] or ()), *(row["choices"] or ()))
            for part in choice.split(" + ")
        ]
        named += [row["item"] for row in rows["wargear_costs"]]
        ids = {weapon.weapon_id for weapons in sheet.weapons.values() for weapon in weapons}
        sheet.wargear = {
            key(name) for name in named if name not in ids and key(name) not in sheet.weapons
        }
        return sheet
