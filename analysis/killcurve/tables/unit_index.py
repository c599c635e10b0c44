"""Where in its tables a dataset has what of which unit: looked up once, then found at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from killcurve.rules.spelling import normal

Unit = tuple[str, str]
"""A faction and the name of a datasheet."""


@dataclass(slots=True)
class UnitIndex:
    """The places of units in the tables of one dataset, which never change.

    >>> table = pl.DataFrame({"edition": ["10e", "11e"], "faction": ["F"] * 2,
    ...     "datasheet": ["A", "A"], "value": [1, 2]})
    >>> index = UnitIndex()
    >>> index.editions("points", table, "F", "A")
    ['10e', '11e']
    >>> index.rows("points", table, "F", "A", "11e")["value"].to_list()
    [2]
    >>> index.rows("points", table, "F", "B", "11e").height
    0
    """

    _names: dict[str, list[Unit]] = field(default_factory=dict)
    _places: dict[str, dict[Unit, dict[str, list[int]]]] = field(default_factory=dict)

    def named(self, datasheets: pl.DataFrame, name: str) -> list[Unit]:
        """The units of a name in any spelling, those of the newest edition first."""
        if not self._names:
            number = pl.col("edition").cast(pl.String).str.strip_suffix("e").cast(pl.Int64)
            sheets = datasheets.select("faction", "datasheet", number.alias("number")).sort(
                "number", "faction", "datasheet", descending=[True, False, False]
            )
            for faction, datasheet, _ in sheets.rows():
                self._names.setdefault(normal(datasheet), []).append((faction, datasheet))
        return self._names.get(normal(name), [])

    def editions(self, table: str, frame: pl.DataFrame, faction: str, datasheet: str) -> list[str]:
        """The editions in which a table has rows of a unit."""
        return list(self._of(table, frame).get((faction, datasheet), {}))

    def rows(
        self, table: str, frame: pl.DataFrame, faction: str, datasheet: str, edition: str
    ) -> pl.DataFrame:
        """The rows of a table that belong to a unit in an edition, in the table's order."""
        places = self._of(table, frame).get((faction, datasheet), {}).get(edition, [])
        if not places:
            return frame.clear()
        first, number = places[0], len(places)
        if places[-1] - first + 1 == number:
            return frame.slice(first, number)
        return frame[places]

    def _of(self, table: str, frame: pl.DataFrame) -> Mapping[Unit, dict[str, list[int]]]:
        if table not in self._places:
            found: dict[Unit, dict[str, list[int]]] = {}
            columns = frame.select("faction", "datasheet", pl.col("edition").cast(pl.String))
            for place, (faction, datasheet, edition) in enumerate(columns.iter_rows()):
                editions = found.setdefault((faction, datasheet), {})
                editions.setdefault(edition, []).append(place)
            self._places[table] = found
        return self._places[table]
