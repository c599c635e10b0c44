"""A dataset's folder: ``about.json`` names the folders of its tables and of its layers.

A reader sees what that one file names, and it is replaced in one step: the old dataset or the
new one, never a mixture.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import polars as pl

from killcurve.tables import storage, whole_folders
from killcurve.tables.about import DataError
from killcurve.tables.schemas import SCHEMAS, VERSION

ABOUT = "about.json"
TABLES = "tables"
LAYERS = "layers"
TRIES = 20

Frames = Mapping[str, pl.DataFrame]
T = TypeVar("T")


def publish(folder: Path, about: Mapping[str, Any], frames: Frames) -> None:
    """Write tables beside those of a folder, then have its ``about.json`` name them instead.

    ``about`` is what the file is to tell; its ``layers`` each name the ``folder`` they are in.
    Folders that it does not name any more are removed. The caller is the only writer.
    """
    storage.finish(folder)  # what a process that died has left
    tables = whole_folders.put(folder, TABLES, writers(frames))
    text = json.dumps({**about, TABLES: tables}, indent=1, ensure_ascii=False).encode()
    path = folder / ABOUT
    if not path.is_file() or path.read_bytes() != text:
        storage.write_file(path, text)
    whole_folders.sweep(folder, [tables], TABLES)
    whole_folders.sweep(folder / LAYERS, [layer["folder"] for layer in about[LAYERS]])


def writers(frames: Frames) -> dict[str, Callable[[Path], object]]:
    """What writes each table: the same bytes for the same rows."""
    return {f"{name}.parquet": partial(_write, frame) for name, frame in frames.items()}


def _write(frame: pl.DataFrame, path: Path) -> None:
    frame.write_parquet(path, compression="zstd", statistics=False)


def read(folder: Path, content: Callable[[Mapping[str, Any]], T]) -> T:
    """What ``content`` reads of a folder, given what its ``about.json`` tells.

    Another process may put a new set of files in place meanwhile; then that one is read.

    Raises:
        DataError: if there is no dataset, a damaged one, or one of another version.
    """
    for _ in range(TRIES):
        about = told(folder)
        try:
            return content(about)
        except DataError:
            if told(folder) == about:
                raise
    raise DataError(f"{folder} changes all the time: wait until nothing is imported into it")


def told(folder: Path) -> dict[str, Any]:
    """What the ``about.json`` of a folder tells.

    Raises:
        DataError: if there is none, or it was made by another version of the tables.
    """
    path = folder / ABOUT
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(
            f"{folder} holds no dataset; `killcurve import … --into DIR` makes one"
        ) from None
    except (OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read ({error}): import into another folder") from None
    schema = about.get("schema") if isinstance(about, dict) else None
    if schema != VERSION or TABLES not in about:
        raise DataError(
            f"{folder} was made with tables of version {schema}, these are version {VERSION}: "
            "import it again, into another folder"
        )
    return cast("dict[str, Any]", about)


def tables(folder: Path, names: Iterable[str]) -> dict[str, pl.DataFrame]:
    """Tables from the files of a folder.

    Raises:
        DataError: naming the file that is missing or damaged, or of other columns.
    """
    found = {}
    for name in names:
        path = folder / f"{name}.parquet"
        try:
            found[name] = pl.read_parquet(path)
        except FileNotFoundError:
            raise DataError(_again(path, "is missing")) from None
        except (OSError, pl.exceptions.PolarsError):
            raise DataError(_again(path, "is damaged")) from None
        if found[name].columns != SCHEMAS[name].column_names():
            raise DataError(_again(path, "has other columns than this version"))
    return found


def _again(path: Path, what: str) -> str:
    return f"{path} {what}: import the dataset again, into another folder"
