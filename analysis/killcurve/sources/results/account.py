"""What was read of results, with the account: rows read, kept and set aside, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import polars as pl

from killcurve.sources.results.ledger import general
from killcurve.tables.dataset import DataError

MOST_ROWS = 8
"""Numbers of rows that are listed in words for one reason."""


@dataclass(frozen=True, slots=True)
class Results:
    """Tables of results (:mod:`killcurve.tables.result_schemas`) and their account.

    ``games`` has a row a game; ``standings`` a row a player and event, from files that tell no
    games. ``rows`` has the fate of every row read, ``notes`` what was odd or mended in rows
    that are kept, ``columns`` which column was taken as what.
    """

    games: pl.DataFrame
    standings: pl.DataFrame
    rows: pl.DataFrame
    notes: pl.DataFrame
    columns: pl.DataFrame
    warnings: tuple[str, ...] = ()

    def since(self, first: date) -> Results:
        """The games and standings from a day on; those without a date go, which is told.

        Raises:
            DataError: if nothing has a date.
        """
        dates = pl.concat([self.games["date"], self.standings["date"]])
        if dates.is_null().all():
            raise DataError(f"no game has a date, so none can be chosen since {first}")
        kept = replace(
            self,
            games=self.games.filter(pl.col("date") >= first),
            standings=self.standings.filter(pl.col("date") >= first),
        )
        undated, early = dates.null_count(), int((dates < first).sum())
        told = f"since {first}: {early:,} earlier rows of the tables are left out"
        more = f", and {undated:,} without a date" if undated else ""
        return replace(kept, warnings=(*self.warnings, told + more))

    def counts(self) -> dict[str, Any]:
        """Numbers of rows: what was read is what was kept, merged and set aside."""
        fates = Counter(self.rows["fate"].to_list())
        return {
            "read": self.rows.height,
            "kept": fates["kept"],
            "other_side": fates["other side"],
            "set_aside": fates["set aside"],
            "games": self.games.height,
            "standings": self.standings.height,
            "reasons": dict(self.reasons()),
            "notes": dict(Counter(self.notes["note"].to_list()).most_common()),
        }

    def reasons(self) -> Mapping[str, int]:
        """How many rows were set aside for each reason, the most common first."""
        aside = self.rows.filter(pl.col("fate").cast(pl.String) == "set aside")
        return dict(Counter(map(general, aside["reason"])).most_common())

    def in_words(self) -> str:
        """The account in plain text: columns, rows, reasons with the rows, notes, warnings."""
        return "\n".join([*self._columns(), "", *self._rows(), *self.warnings])

    def _columns(self) -> list[str]:
        lines = []
        for file, rows in self.columns.group_by("file", maintain_order=True):
            lines.append(f"{file[0]}:")
            lines += ["  " + _column_in_words(row) for row in rows.rows(named=True)]
        return lines

    def _rows(self) -> list[str]:
        counts = self.counts()
        tables = []
        if self.games.height or not self.standings.height:
            tables.append(f"{self.games.height:,} games")
        if self.standings.height:
            tables.append(f"{self.standings.height:,} records of players at events")
        lines = [
            f"{counts['read']:,} rows read: {counts['kept']:,} kept, {counts['other_side']:,} "
            f"other sides of the same games, {counts['set_aside']:,} set aside; "
            f"{' and '.join(tables)}"
        ]
        aside = self.rows.filter(pl.col("fate").cast(pl.String) == "set aside")
        told = aside.with_columns(pl.col("reason").map_elements(general, return_dtype=pl.String))
        for reason, number in counts["reasons"].items():
            places = _places(told.filter(pl.col("reason") == reason))
            lines.append(f"set aside, {reason}: {number:,} ({places})")
        for note, number in counts["notes"].items():
            places = _places(self.notes.filter(pl.col("note") == note))
            lines.append(f"kept, but {note}: {number:,} ({places})")
        return lines


def _column_in_words(row: Mapping[str, Any]) -> str:
    if row["column"] is None:
        return f"no {row['meaning']}: {row['why']}"
    if row["meaning"] is None:
        return f"{row['column']!r} is not used ({row['why']})"
    examples = f", such as {', '.join(map(repr, row['examples']))}" if row["examples"] else ""
    filled = f"{row['filled']:.0%} filled{examples}"
    return f"{row['column']!r} is the {row['meaning']} ({row['why']}; {filled})"


def _places(rows: pl.DataFrame) -> str:
    """The first rows by number, with the file where there are several."""
    several = rows["file"].n_unique() > 1
    first = rows.select("file", "row").sort("file", "row").head(MOST_ROWS)
    told = [f"{file} {row}" if several else f"{row}" for file, row in first.rows()]
    more = ", …" if rows.height > MOST_ROWS else ""
    return f"row{'s' if rows.height > 1 else ''} {', '.join(told)}{more}"
