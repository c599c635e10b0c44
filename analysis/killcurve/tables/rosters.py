"""An army list of a dataset as a value: units with what they are and carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from killcurve.rules.spelling import did_you_mean
from killcurve.tables.dataset import DataError, Dataset


@dataclass(frozen=True, slots=True)
class Carried:
    """A thing that models of a unit carry; ``count`` is for all of them together."""

    printed: str
    count: int
    weapon_id: str | None = None
    profile_id: str | None = None
    is_default: bool = False


@dataclass(frozen=True, slots=True)
class Models:
    """Equal models of a unit; ``model`` is their kind in the dataset, where it has it."""

    printed: str
    count: int
    model: str | None
    carried: tuple[Carried, ...]


@dataclass(frozen=True, slots=True)
class RosterUnit:
    """A unit of a list. ``own`` is what the list gives to the unit as a whole."""

    number: int
    printed: str
    faction: str | None
    datasheet: str | None
    models: int | None
    points: int | None
    enhancement: str | None
    warlord: bool
    attached_as: str | None
    attached_to: int | None
    groups: tuple[Models, ...]
    own: tuple[Carried, ...]

    def weapons(self) -> dict[str, int]:
        """How many of each weapon the unit has, by ``weapon_id``."""
        counts: dict[str, int] = {}
        for carried in (*self.own, *(c for group in self.groups for c in group.carried)):
            if carried.weapon_id is not None:
                counts[carried.weapon_id] = counts.get(carried.weapon_id, 0) + carried.count
        return counts


@dataclass(frozen=True, slots=True)
class Roster:
    """An army list: its name, army, points and units."""

    name: str
    edition: str
    faction: str | None
    detachments: tuple[str, ...]
    points: int | None
    units: tuple[RosterUnit, ...]

    @classmethod
    def of(cls, dataset: Dataset, name: str | None = None) -> Roster:
        """A list that a dataset holds; its only one, if no name is given.

        Raises:
            DataError: if there is no such list, with those that there are.

        >>> from killcurve.tables.dataset import About
        >>> Roster.of(Dataset(About("x", "1", "11e", ""), {}), "crusade")
        Traceback (most recent call last):
        ...
        killcurve.tables.about.DataError: there is no roster 'crusade': import one with \
`killcurve import roster FILE --into DIR`
        """
        row = _chosen(dataset, name)
        tables = {
            table: dataset[table].filter(pl.col("roster") == row["roster"])
            for table in ("roster_units", "roster_models", "roster_weapons")
        }
        return cls(
            name=row["roster"],
            edition=str(row["list_edition"] or row["edition"]),
            faction=row["faction"],
            detachments=tuple(row["detachments"]),
            points=row["points_printed"],
            units=tuple(_unit(one, tables) for one in tables["roster_units"].rows(named=True)),
        )


def profiles_of(dataset: Dataset, name: str | None = None) -> Dataset:
    """The stat lines and weapons that a list itself holds, as a dataset of its units.

    Units are named as in the list; a further one of the same name has its number behind it. It
    serves lists of units that no dataset has.

    Raises:
        DataError: if there is no such list, or it holds no profiles.
    """
    row = _chosen(dataset, name)
    mine = pl.col("roster") == row["roster"]
    units = dataset["roster_units"].filter(mine)
    faction = row["faction"] or "Unknown"
    names = _names(units)
    place = [
        pl.lit(faction).alias("faction"),
        pl.col("unit").replace_strict(names, return_dtype=pl.String).alias("datasheet"),
        pl.lit(row["list_edition"] or row["edition"]).alias("edition"),
    ]
    tables = {}
    for table, held in (("models", "roster_stat_lines"), ("weapons", "roster_profiles")):
        rows = dataset[held].filter(mine).with_columns(place)
        schema = dataset[table].schema
        tables[table] = rows.select(list(schema)).cast(schema)
    if tables["models"].is_empty():
        raise DataError(
            f"the roster {row['roster']!r} holds no profiles of its own: only files of list "
            "builders (JSON, .ros, .rosz) do"
        )
    sheets = dataset["datasheets"].clear()
    made = units.with_columns(place).select(
        pl.lit("roster").alias("source"),
        "edition",
        "version",
        "faction",
        "datasheet",
        pl.lit(None).alias("role"),
        pl.lit(False).alias("legends"),
        pl.col("models").alias("models_min"),
        pl.col("models").alias("models_max"),
        pl.lit(None).alias("transport_capacity"),
        pl.lit(None).alias("note"),
    )
    tables["datasheets"] = made.select(sheets.columns).cast(sheets.schema)
    return Dataset(dataset.about, tables)


def _names(units: pl.DataFrame) -> dict[int, str]:
    names: dict[int, str] = {}
    for number, printed in units.select("unit", "printed").rows():
        names[number] = f"{printed} {number}" if printed in names.values() else printed
    return names


def _chosen(dataset: Dataset, name: str | None) -> Mapping[str, Any]:
    rosters = dataset["rosters"]
    known = rosters["roster"].to_list()
    if name is None and len(known) == 1:
        return rosters.row(0, named=True)
    found = rosters.filter(pl.col("roster") == name)
    if found.is_empty():
        which = f"no roster {name!r}" if name is not None else "not one roster only"
        those = did_you_mean(name or "", known) or (f", but {', '.join(known)}" if known else "")
        how = those or ": import one with `killcurve import roster FILE --into DIR`"
        raise DataError(f"there is {which}{how}")
    return found.row(0, named=True)


def _unit(row: Mapping[str, Any], tables: Mapping[str, pl.DataFrame]) -> RosterUnit:
    mine = pl.col("unit") == row["unit"]
    carried: dict[int, list[Carried]] = {}
    for one in tables["roster_weapons"].filter(mine).rows(named=True):
        held = Carried(*(one[c] for c in ("printed", "count", *_OF_CARRIED)))
        carried.setdefault(one["group"], []).append(held)
    groups = tuple(
        Models(one["printed"], one["count"], one["model"], tuple(carried.get(one["group"], ())))
        for one in tables["roster_models"].filter(mine).rows(named=True)
    )
    return RosterUnit(
        number=row["unit"],
        printed=row["printed"],
        faction=row["faction"],
        datasheet=row["datasheet"],
        models=row["models"],
        points=row["points_printed"],
        enhancement=row["enhancement"],
        warlord=row["warlord"],
        attached_as=None if row["attached_as"] is None else str(row["attached_as"]),
        attached_to=row["attached_to"],
        groups=groups,
        own=tuple(carried.get(0, ())),
    )


_OF_CARRIED = ("weapon_id", "profile_id", "is_default")


def names(dataset: Dataset) -> list[str]:
    """The names of all lists that a dataset holds.

    >>> from killcurve.tables.dataset import About
    >>> names(Dataset(About("x", "1", "11e", ""), {}))
    []
    """
    return dataset["rosters"]["roster"].to_list()
