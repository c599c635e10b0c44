"""Files of results as rows of texts: CSV, TSV and JSON, read whole and within bounds."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from killcurve.sources.bounded import bounded, utf8
from killcurve.tables.dataset import DataError

MOST_BYTES = 200_000_000
DELIMITERS = ",;\t|"
FORMS = ".csv, .tsv, .txt, .json and .jsonl"
SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".ods")
WAY_OUT = "save the table as CSV in UTF-8"


@dataclass(frozen=True, slots=True)
class Line:
    """A row: its number in the file, and its texts by column. ``fault`` says why it is unread."""

    number: int
    cells: Mapping[str, str]
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file as a table of texts."""

    name: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]

    def texts(self, column: str) -> Iterator[str]:
        """The texts of a column that are not empty."""
        return (text for line in self.lines if (text := line.cells.get(column, "")))


def read_sheet(path: Path) -> Sheet:
    """Read a file of results.

    Raises:
        DataError: if it is no table, or of a form that is not read.
    """
    ending = path.suffix.lower()
    if ending in SPREADSHEETS:
        raise DataError(f"{path.name} is a spreadsheet, which is not read here; {WAY_OUT}")
    if ending not in (".csv", ".tsv", ".txt", ".json", ".jsonl"):
        raise DataError(f"{path.name} has no known ending; results are read from {FORMS}")
    text = utf8(bounded(path, MOST_BYTES, "tables of results"), path.name, WAY_OUT)
    if ending.startswith(".json"):
        return _objects(path.name, _parsed(text, path.name))
    return _separated(path.name, text, "\t" if ending == ".tsv" else None)


def _separated(name: str, text: str, delimiter: str | None) -> Sheet:
    """A table with one row a line; the first that is not empty holds the names of columns."""
    if delimiter is None:
        first = next(line for line in text.splitlines() if line.strip())
        delimiter = max(DELIMITERS, key=lambda sign: (first.count(sign), sign == ","))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    columns: tuple[str, ...] = ()
    lines = []
    try:
        for cells in reader:
            texts = [cell.strip() for cell in cells]
            if not columns:
                columns = _distinct(texts) if any(texts) else ()
            elif not any(texts):
                lines.append(Line(reader.line_num, {}, "the row is empty"))
            else:
                lines.append(_line(reader.line_num, columns, texts))
    except csv.Error as error:
        raise DataError(f"{name}, line {reader.line_num}: {error}; {WAY_OUT}") from error
    if not lines:
        raise DataError(f"{name} has no rows under its names of columns; {WAY_OUT}")
    while lines[-1].fault == "the row is empty":
        lines.pop()  # the end of the file, not a row
        if not lines:
            raise DataError(f"{name} holds nothing but empty rows")
    return Sheet(name, columns, tuple(lines))


def _line(number: int, columns: tuple[str, ...], texts: list[str]) -> Line:
    extra = texts[len(columns) :]
    if any(extra) or len(texts) < len(columns):
        return Line(number, {}, f"the row has {len(texts)} cells, not {len(columns)}")
    return Line(number, dict(zip(columns, texts, strict=False)))


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Names of columns: those that come again are numbered, those that are empty too."""
    out: list[str] = []
    for number, given in enumerate(names, start=1):
        name = given or f"(column {number})"
        again = sum(known == name or known.startswith(f"{name} (again") for known in out)
        out.append(f"{name} (again {again})" if again else name)
    return tuple(out)


def _parsed(text: str, name: str) -> object:
    """The value of a JSON file: one value, or one object a line."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as whole:
        try:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except json.JSONDecodeError:
            raise DataError(f"{name} is no JSON: {whole}") from whole
    except RecursionError:
        raise DataError(f"{name} is nested too deeply to be a table of results") from None


def _objects(name: str, value: object) -> Sheet:
    """A list of objects as a table, or an object that holds one such list."""
    if isinstance(value, dict):
        lists = [v for v in value.values() if isinstance(v, list) and v and isinstance(v[0], dict)]
        value = lists[0] if len(lists) == 1 else value
    if not isinstance(value, list) or not value:
        raise DataError(f"{name} holds no list of objects, one for each game or player")
    columns: dict[str, None] = {}
    lines = []
    for number, item in enumerate(value, start=1):
        if not isinstance(item, dict) or not item:
            lines.append(Line(number, {}, "it is no object with names and values"))
            continue
        cells = dict(_flat(item, ""))
        columns.update(dict.fromkeys(cells))
        lines.append(Line(number, cells))
    return Sheet(name, tuple(columns), tuple(lines))


def _flat(item: Mapping[str, Any], before: str) -> Iterator[tuple[str, str]]:
    """The values of an object as texts; those of an object within have a name with a dot."""
    for key, value in item.items():
        name = f"{before}{key}"
        if isinstance(value, dict) and not before:
            yield from _flat(value, f"{name}.")
        elif isinstance(value, bool):
            yield name, "1" if value else "0"
        elif value is None or isinstance(value, list | dict):
            yield name, ""
        else:
            yield name, str(value).strip()
