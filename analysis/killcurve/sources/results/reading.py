"""Files of results as tables, with an account of every row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl

from killcurve.rules.spelling import did_you_mean
from killcurve.sources.results import values
from killcurve.sources.results.account import Results
from killcurve.sources.results.events import by_event
from killcurve.sources.results.factions import Factions
from killcurve.sources.results.files import Sheet, read_sheet
from killcurve.sources.results.games import games
from killcurve.sources.results.ledger import Ledger
from killcurve.sources.results.mapping import Mapped, Told, mapped, missing
from killcurve.sources.results.players import numbered, secret
from killcurve.sources.results.records import Record, one_each, records
from killcurve.sources.results.statements import Reader, Statement
from killcurve.tables.dataset import DataError
from killcurve.tables.result_schemas import RESULT_SCHEMAS

WANTED = {
    "event": "each file counts as one event",
    "date": "nothing can be said over time",
    "round": "undefeated starts are not told, and two players' games at an event are one",
    "player": "players cannot be counted, nor skill allowed for",
    "detachment": "nothing can be said of detachments",
}
"""What a table may lack, and what then is not there."""


def read_results(
    paths: Iterable[Path | str],
    *,
    told: Iterable[str] = (),
    edition: str | None = None,
    factions: Iterable[str] = (),
) -> Results:
    """Tables of games, or of players' records at events, as one set of validated tables.

    ``told`` maps columns where their names do not (``"Army 2=opponent faction"``), ``edition``
    is that of tables that name none, ``factions`` the known names. A file has one row a game,
    one row a player and game, or one row a player and event. Names of players become numbers.

    Raises:
        DataError: if a file is no such table, with what it lacks and which columns it has.
    """
    mapping, edition = Told.of(told), _edition(edition)
    sheets = [read_sheet(Path(path)) for path in paths]
    _check_names(sheets, mapping)
    ledger, known = Ledger(), Factions.of(factions)
    previews: list[Mapping[str, object]] = []
    statements: list[Statement] = []
    rows: list[Record] = []
    for sheet in sheets:
        of_sheet = mapped(sheet, mapping)
        _check_columns(sheet, of_sheet)
        reader = Reader.of(sheet, of_sheet, mapping, known, ledger, edition)
        previews += [*of_sheet.preview, *_lacking(reader, of_sheet)]
        if of_sheet.is_record:
            rows += records(reader)
        else:
            statements += reader.statements()
    played = games(by_event(statements, ledger), ledger)
    entries = one_each(by_event(rows, ledger), ledger)
    people = _people(sheets, played, entries)
    _about_factions(known, ledger)
    return Results(
        games=_games(played, people),
        standings=_standings(entries, people),
        rows=_frame("rows", _fates(ledger)).sort("file", "row"),
        notes=_frame("notes", _notes(ledger)).sort("file", "row", "note"),
        columns=_frame("columns", previews),
        warnings=tuple(ledger.warnings),
    )


def _edition(given: str | None) -> str | None:
    if given is None:
        return None
    known = values.edition(given)
    if known is None:
        raise DataError(f"{given!r} is no edition; write it as 9e or 11e")
    return known


def _check_names(sheets: Sequence[Sheet], told: Told) -> None:
    names = [sheet.name for sheet in sheets]
    if again := sorted({name for name in names if names.count(name) > 1}):
        raise DataError(f"two files are called {again[0]}; rename one, so that rows can be told")
    columns = [column for sheet in sheets for column in sheet.columns]
    for column in told.columns:
        if column not in columns:
            near = did_you_mean(column, columns)
            raise DataError(f"no file has a column {column!r}{near}; there are {_list(columns)}")


def _check_columns(sheet: Sheet, mapping: Mapped) -> None:
    lacking = missing(mapping.columns, is_record=mapping.is_record)
    if lacking:
        taken = ", ".join(f"{c!r} as {m}" for m, c in mapping.columns.items()) or "none"
        refused = [f"{r['column']!r}: {r['why']}" for r in mapping.preview if not r["meaning"]]
        raise DataError(
            f"{sheet.name} has no column for {' nor for '.join(lacking)}; its columns are "
            f"{_list(sheet.columns)} (understood: {taken}; not: {', '.join(refused) or 'none'}); "
            "tell which is which with COLUMN=MEANING, such as 'Army 2=opponent faction'"
        )


def _list(columns: Iterable[str]) -> str:
    return ", ".join(repr(column) for column in dict.fromkeys(columns))


def _lacking(reader: Reader, mapping: Mapped) -> Iterable[dict[str, object]]:
    """Rows of the preview for what a table lacks."""
    lacking = {meaning: then for meaning, then in WANTED.items() if meaning not in mapping.columns}
    if mapping.is_record:
        lacking.pop("round", None)
    if "edition" not in mapping.columns and reader.edition:
        lacking["edition"] = f"all rows are taken to be {reader.edition}"
    for meaning, then in lacking.items():
        yield {
            "file": reader.sheet.name,
            "column": None,
            "meaning": meaning,
            "why": then,
            "filled": None,
            "examples": [],
        }


def _people(
    sheets: Iterable[Sheet], played: Iterable[Statement], entries: Iterable[Record]
) -> Mapping[str, int]:
    """The number of each person in the tables."""
    rows = ("\0".join(line.cells.values()) for sheet in sheets for line in sheet.lines)
    sides = chain.from_iterable((told.own, told.other) for told in played)
    keys = [*(side.player for side in sides), *(entry.player for entry in entries)]
    return numbered((key for key in keys if key), secret(rows))


def _games(played: Iterable[Statement], people: Mapping[str, int]) -> pl.DataFrame:
    rows = [_game(told, people) for told in played]
    order = ["date", "event", "round", "player", "opponent", "faction", "opponent_faction"]
    order += ["score", "opponent_score", "result", "detachment", "opponent_detachment"]
    return _numbered("games", rows, "game", order)


def _game(told: Statement, people: Mapping[str, int]) -> dict[str, Any]:
    """A row of ``games``: the lower number first, else the first in the alphabet."""
    turned = told.turned()
    if _rank(turned, people) < _rank(told, people):
        told = turned
    own, other = told.own, told.other
    return {
        "event": told.event,
        "date": told.date,
        "edition": told.edition,
        "round": told.round,
        "player": people.get(own.player or ""),
        "faction": own.faction,
        "detachment": own.detachment,
        "opponent": people.get(other.player or ""),
        "opponent_faction": other.faction,
        "opponent_detachment": other.detachment,
        "score": own.score,
        "opponent_score": other.score,
        "result": told.result,
    }


def _rank(told: Statement, people: Mapping[str, int]) -> tuple[float, str, str, float, float]:
    side = told.own
    number = people.get(side.player or "", float("inf"))
    score = float("inf") if side.score is None else -side.score
    return number, side.faction or "", side.detachment or "", score, -(told.result or 0)


def _standings(entries: Iterable[Record], people: Mapping[str, int]) -> pl.DataFrame:
    rows = [
        {
            "event": entry.event,
            "date": entry.date,
            "edition": entry.edition,
            "player": people.get(entry.player or ""),
            "faction": entry.faction,
            "detachment": entry.detachment,
            "wins": entry.wins,
            "draws": entry.draws,
            "losses": entry.losses,
        }
        for entry in entries
    ]
    order = ["date", "event", "player", "faction", "wins", "draws", "losses"]
    return _numbered("standings", rows, "entry", order)


def _numbered(table: str, rows: list[dict[str, Any]], key: str, order: list[str]) -> pl.DataFrame:
    """Rows in their order, numbered from 1, as the table's contract has them."""
    types = _types(table)
    unsorted = pl.DataFrame(rows, schema={n: t for n, t in types.items() if n != key})
    frame = unsorted.sort(order, nulls_last=True).with_row_index(key, offset=1)
    return _checked(table, frame.cast(types))


def _frame(table: str, rows: Iterable[Mapping[str, object]]) -> pl.DataFrame:
    return _checked(table, pl.DataFrame([*rows], schema=_types(table)))


def _types(table: str) -> pl.Schema:
    columns = RESULT_SCHEMAS[table].columns()
    return pl.Schema({name: column.dtype for name, column in columns.items()})


def _checked(table: str, frame: pl.DataFrame) -> pl.DataFrame:
    checked: pl.DataFrame = RESULT_SCHEMAS[table].validate(frame, cast=True)
    return checked


def _fates(ledger: Ledger) -> Iterable[dict[str, object]]:
    for (file, row), (fate, reason) in ledger.fates.items():
        yield {"file": file, "row": row, "fate": fate, "reason": reason}


def _notes(ledger: Ledger) -> Iterable[dict[str, object]]:
    """Each note once, without those on rows that are not used."""
    for (file, row), note in dict.fromkeys(ledger.notes):
        if ledger.fates[file, row][0] != "set aside":
            yield {"file": file, "row": row, "note": note}


def _about_factions(factions: Factions, ledger: Ledger) -> None:
    """Warnings on factions that are not known, or were read as others."""
    for (printed, name), number in sorted(factions.renamed.items()):
        ledger.warnings.append(f"{printed!r} was read as {name!r} (cells: {number:,})")
    if not factions.known:
        return
    for name, number in sorted(factions.strangers.items()):
        near = factions.nearest(name)
        like = f"; the nearest known is {near!r}" if near else ""
        ledger.warnings.append(f"unknown faction {name!r} (cells: {number:,}), kept as it is{like}")
