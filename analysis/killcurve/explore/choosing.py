"""What a dataset offers to choose from, in lists that depend on choices before them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from killcurve.rules.spelling import normal
from killcurve.study.loadouts.sheet import read_sheet
from killcurve.tables.dataset import Dataset

T = TypeVar("T")


def kept(chosen: T, offered: Sequence[T]) -> T:
    """What is chosen where it still exists, else the first that does.

    >>> kept("b", ["a", "b"]), kept("c", ["a", "b"])
    ('b', 'a')
    """
    return chosen if chosen in offered else offered[0]


def titled(name: str) -> str:
    """A name in capitals as one reads it.

    >>> titled("VOLLEY OF SPITE"), titled("Oath")
    ('Volley of Spite', 'Oath')
    """
    if not name.isupper():
        return name
    small = ("OF", "THE", "AND", "FOR", "IN", "TO", "A")
    first, *others = name.split(" ")
    words = [word.lower() if word in small else word.capitalize() for word in others]
    return " ".join([first.capitalize(), *words])


def with_rows(dataset: Dataset, table: str) -> list[tuple[str, str]]:
    """Faction and datasheet of units that have rows in a table, by the unit's name."""
    having = dataset[table].select("faction", "datasheet").unique()
    found = dataset.datasheets.join(having, on=["faction", "datasheet"])
    pairs = found.select("faction", "datasheet").unique().rows()
    return sorted(pairs, key=lambda pair: (normal(pair[1]).strip("'"), pair))


class Sizes:
    """How many models units may have; each unit is read once.

    >>> import killcurve
    >>> Sizes(killcurve.load()).of("Drukhari", "Raider")
    [1]
    """

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._read: dict[tuple[str, str], list[int]] = {}

    def of(self, faction: str, datasheet: str) -> list[int]:
        """The sizes of a unit, the smallest first."""
        key = faction, datasheet
        if key not in self._read:
            sheet = read_sheet(self._dataset, faction, datasheet)
            allowed = {n for least, most in sheet.sizes() for n in range(least, most + 1) if n}
            self._read[key] = sorted(allowed) or [sheet.smallest]
        return self._read[key]
