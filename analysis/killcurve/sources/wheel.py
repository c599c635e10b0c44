"""Another version of the embedded dataset: the package ``wh40kdc`` as a wheel file.

A wheel is a zip archive. Nothing of it is unpacked or run: two files are read from it, the
bundle of records and the package's name and version, each up to a bound.
"""

from __future__ import annotations

import json
import stat
import zipfile
import zlib
from collections.abc import Mapping
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

import polars as pl

from killcurve.sources import community
from killcurve.tables.dataset import DataError, Dataset

PACKAGE = "wh40kdc"
BUNDLE = f"{PACKAGE}/_bundle.json"
MOST_OF_WHEEL, MOST_OF_BUNDLE, MOST_OF_METADATA = 20_000_000, 40_000_000, 1_000_000
"""Bytes; the bundle of version 1.4.5 has 11 million in a wheel of 2."""

MOST_FILES = 10_000

DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
OTHER_FORM = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    pl.exceptions.PolarsError,
)
"""What reading raises of an archive that is damaged, and of records nobody foresaw."""

AGAIN = f"download it with `pip download --no-deps {PACKAGE}==VERSION`"


def read_wheel(path: Path) -> Dataset:
    """All tables of a version of the community's dataset.

    Raises:
        DataError: if the file is no wheel of ``wh40kdc``, is damaged or too large, or its data
            have another form than this version of killcurve reads.
    """
    _check(path)
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            if len(names) > MOST_FILES:
                raise DataError(
                    f"{path.name} holds {len(names)} files: it is no wheel of {PACKAGE}"
                )
            version = _version(archive, names, path.name)
            data = _records(_content(archive, BUNDLE, MOST_OF_BUNDLE, path.name), path.name)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from error
    except DataError:
        raise
    except DAMAGED as error:
        raise DataError(f"{path.name} is no whole wheel file ({error}): {AGAIN}") from error
    try:
        return community.from_records(data, version)
    except DataError:
        raise
    except OTHER_FORM as error:
        raise DataError(
            f"{path.name} holds data of another form than this version reads ({error!r})"
        ) from error


def _check(path: Path) -> None:
    try:
        status = path.stat()
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from error
    if not stat.S_ISREG(status.st_mode):
        raise DataError(f"{path} is no file: name the .whl file, or {AGAIN}")
    if status.st_size > MOST_OF_WHEEL:
        raise DataError(
            f"{path.name} has {status.st_size // 1_000_000} MB, a wheel of {PACKAGE} at most "
            f"{MOST_OF_WHEEL // 1_000_000} MB"
        )


def _version(archive: zipfile.ZipFile, names: list[str], wheel: str) -> str:
    """The version that the wheel's own metadata tell."""
    found = [n for n in names if n.startswith(f"{PACKAGE}-") and n.endswith(".dist-info/METADATA")]
    if len(found) != 1 or BUNDLE not in names:
        raise DataError(f"{wheel} is no wheel of {PACKAGE}: {AGAIN}")
    text = _content(archive, found[0], MOST_OF_METADATA, wheel).decode("utf-8", "replace")
    told = HeaderParser().parsestr(text)
    version = (told["Version"] or "").strip()
    if (told["Name"] or "").strip() != PACKAGE or not version:
        raise DataError(f"{wheel} is no wheel of {PACKAGE}: {AGAIN}")
    return version


def _content(archive: zipfile.ZipFile, name: str, most: int, wheel: str) -> bytes:
    """One file of the archive; what it unpacks to is counted, whatever its header says."""
    if archive.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise DataError(f"{name} in {wheel} is packed as no wheel is: {AGAIN}")
    with archive.open(name) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise DataError(f"{name} in {wheel} has more than {most // 1_000_000} MB")
    return content


def _records(content: bytes, wheel: str) -> Mapping[str, list[Any]]:
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{BUNDLE} in {wheel} is no whole JSON file ({error}): {AGAIN}") from error
    if not isinstance(data, dict):
        raise DataError(f"{BUNDLE} in {wheel} holds no records: {AGAIN}")
    return data
