"""Tables for other tools: Parquet, CSV, Arrow, or one SQLite file; the same bytes every time."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path

import polars as pl

from killcurve.rules.spelling import did_you_mean
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.schemas import SCHEMAS
from killcurve.tables.storage import write_file

ENDINGS = {"parquet": ".parquet", "csv": ".csv", "arrow": ".arrow", "sqlite": ".sqlite"}
"""The forms of an export, with the ending of its files."""

ABOUT = "about"
DATABASE = "killcurve.sqlite"


def export(dataset: Dataset, into: Path, form: str) -> list[Path]:
    """Write every table into a folder, or all of them into one SQLite file.

    ``parquet`` and ``arrow`` (an IPC file, read by pandas' ``read_feather``) keep all types. In
    ``csv`` and ``sqlite`` lists are JSON texts. SQLite has primary keys, and a table ``about``
    with names and values; ``into`` is its file, or a folder for ``killcurve.sqlite``.

    Raises:
        DataError: if there is no such form, or ``into`` cannot be written.
    """
    if form not in ENDINGS:
        raise DataError(
            f"there is no form {form!r}, only {', '.join(ENDINGS)}{did_you_mean(form, ENDINGS)}"
        )
    try:
        if form == "sqlite":
            path = into / DATABASE if into.is_dir() else into
            write_file(path, _database(dataset))
            return [path]
        into.mkdir(parents=True, exist_ok=True)
        return [_file(dataset[table], into, table, form) for table in SCHEMAS]
    except OSError as error:
        raise DataError(f"{into} cannot be written: {error.strerror or error}") from error


def _file(frame: pl.DataFrame, into: Path, table: str, form: str) -> Path:
    write: dict[str, Callable[[Path], object]] = {
        "parquet": partial(frame.write_parquet, compression="zstd", statistics=False),
        "arrow": partial(frame.write_ipc, compat_level=pl.CompatLevel.oldest()),
        "csv": flat(frame).write_csv,
    }
    path = into / f"{table}{ENDINGS[form]}"
    with tempfile.TemporaryDirectory() as folder:
        write[form](Path(folder, path.name))
        write_file(path, Path(folder, path.name).read_bytes())
    return path


def flat(frame: pl.DataFrame) -> pl.DataFrame:
    """A table without lists: each is a JSON text, null where the list is.

    >>> flat(pl.DataFrame({"keywords": [["blast", "heavy"], []]}))["keywords"].to_list()
    ['["blast", "heavy"]', '[]']
    """
    lists = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List)]
    return frame.with_columns(
        pl.Series(name, [_json(value) for value in frame[name].to_list()], dtype=pl.String)
        for name in lists
    )


def _json(value: list[str] | None) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _database(dataset: Dataset) -> bytes:
    """The bytes of an SQLite file with every table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, DATABASE)
        connection = sqlite3.connect(path)
        try:
            connection.execute("PRAGMA journal_mode = OFF")
            for table in SCHEMAS:
                _insert(connection, table, dataset[table])
            told = {name: str(value) for name, value in asdict(dataset.about).items()}
            connection.execute(f'CREATE TABLE "{ABOUT}" (name TEXT PRIMARY KEY, value TEXT)')
            connection.executemany(f'INSERT INTO "{ABOUT}" VALUES (?, ?)', sorted(told.items()))  # noqa: S608
            connection.commit()
        finally:
            connection.close()
        return path.read_bytes()


def _insert(connection: sqlite3.Connection, table: str, frame: pl.DataFrame) -> None:
    """Make a table of a schema's columns and key, and put the rows into it."""
    columns = SCHEMAS[table].columns()
    kinds = [
        f'"{name}" {_kind(frame.schema[name])}{"" if column.nullable else " NOT NULL"}'
        for name, column in columns.items()
    ]
    key = ", ".join(f'"{name}"' for name in SCHEMAS[table].primary_key())
    connection.execute(f'CREATE TABLE "{table}" ({", ".join(kinds)}, PRIMARY KEY ({key}))')
    marks = ", ".join("?" for _ in columns)
    # Table and column names are those of the schemas, never a user's.
    connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', flat(frame).rows())  # noqa: S608


def _kind(kind: pl.DataType) -> str:
    if kind.is_integer() or kind == pl.Boolean:
        return "INTEGER"
    return "REAL" if kind.is_float() else "TEXT"
