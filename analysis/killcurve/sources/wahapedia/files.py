"""From a file of an export to its text; what is no such file is told apart."""

from __future__ import annotations

from pathlib import Path

from killcurve.tables.dataset import DataError

AGAIN = "download the export again and keep its files as they are"
"""The way out of most troubles with a file."""

MOST_BYTES = 64_000_000
"""The largest file of a real export has 2 MB."""

_MAGIC = {
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a ZIP archive or an office document: unpack it, or save it as CSV",
    b"\x1f\x8b": "a compressed file: unpack it",
    b"\xd0\xcf\x11\xe0": "an office document: save it as CSV",
    b"\x89PNG": "a picture",
    b"PAR1": "a Parquet file",
}
_MISREAD = ("â€“", "â€™", "â€œ", "Ã¢", "\ufffd")


def read_text(path: Path) -> str:
    """The text of a file, with plain newlines.

    Raises:
        DataError: naming the file, if it cannot be read, is far too large, empty, binary, a web
            page, or in another encoding than UTF-8.
    """
    return decode(_content(path), path.name)


def decode(content: bytes, name: str) -> str:
    """The text of a file's bytes.

    >>> decode("id|name|\\r\\n1|Bell|\\r\\n".encode("utf-8-sig"), "Factions.csv")
    'id|name|\\n1|Bell|\\n'
    >>> decode(b"<!DOCTYPE html><html>", "Factions.csv")
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: Factions.csv is a web page, and no table: download the \
export again and keep its files as they are
    """
    for magic, what in _MAGIC.items():
        if content.startswith(magic):
            raise DataError(f"{name} is {what}, and no table: {AGAIN}")
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise DataError(f"{name} is in UTF-16: save it again with the encoding UTF-8")
    if b"\0" in content:
        raise DataError(f"{name} is a binary file, and no table: {AGAIN}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise DataError(
            f"{name} is not in UTF-8 (byte 0x{content[error.start]:02x} in line {line}), perhaps "
            f"Windows-1252: save it again with the encoding UTF-8, or {AGAIN}"
        ) from None
    if not text.strip("\ufeff \t\r\n"):
        raise DataError(f"{name} is empty: {AGAIN}")
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        raise DataError(f"{name} is a web page, and no table: {AGAIN}")
    found = next((sign for sign in _MISREAD if sign in text), None)
    if found:
        raise DataError(
            f"{name} was saved in another encoding than it was read in ({found!r} stands for a "
            f"dash or a quote): {AGAIN}"
        )
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _content(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise DataError(f"{path.name} is no file: {AGAIN}")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from error
    if len(content) > MOST_BYTES:
        size = path.stat().st_size / 1e6
        raise DataError(
            f"{path.name} has {size:,.0f} MB; files of an export have a few, and more than "
            f"{MOST_BYTES // 10**6} are not read: {AGAIN}"
        )
    return content
