"""Every row of a file is accounted for: it becomes a row, or is set aside with a reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]

NO_DATASHEET = "its datasheet is no unit of Datasheets.csv"
TWICE = "the same row stands there twice"


@dataclass(slots=True)
class Account:
    """Rows for a table, and how many were set aside for each reason.

    ``more`` is how many rows there are beyond one for each row of the file.
    """

    rows: list[Row] = field(default_factory=list)
    aside: Counter[str] = field(default_factory=Counter)
    more: int = 0

    @property
    def read(self) -> int:
        """How many rows there were for the table."""
        return len(self.rows) + self.aside.total()

    def keep(self, row: Row) -> None:
        """A row for the table."""
        self.rows.append(row)

    def set_aside(self, reason: str, number: int = 1) -> None:
        """So many rows that go into no table, and why."""
        if number:
            self.aside[reason] += number

    def keep_first_of(self, keys: tuple[str, ...], reason: str) -> None:
        """Keep only the first row with the same keys."""
        first: dict[tuple[Any, ...], Row] = {}
        for row in self.rows:
            first.setdefault(tuple(row[key] for key in keys), row)
        self.set_aside(reason, len(self.rows) - len(first))
        self.rows = list(first.values())
