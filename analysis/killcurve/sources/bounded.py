"""Files of the user read whole, within bounds: ordinary files, not too large, in UTF-8."""

from __future__ import annotations

import stat
from pathlib import Path

from killcurve.tables.dataset import DataError


def bounded(path: Path, most: int, kind: str) -> bytes:
    """The content of an ordinary file of at most ``most`` bytes; ``kind`` says what it is to be.

    Raises:
        DataError: naming the file.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise DataError(f"{path.name} is no ordinary file")
        if status.st_size > most:
            raise DataError(
                f"{path.name} has {status.st_size / 1e6:,.0f} MB; {kind} of more than "
                f"{most // 10**6} MB are not read"
            )
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from error


def utf8(content: bytes, name: str, way_out: str) -> str:
    """The text of a file, without a byte order mark; ``way_out`` says what to do where it is none.

    Raises:
        DataError: if it is empty, binary, or not in UTF-8, with the line.

    >>> utf8(b"\\xef\\xbb\\xbfname", "list.yaml", "download it again")
    'name'
    """
    if not content.strip():
        raise DataError(f"{name} is empty: {way_out}")
    if b"\0" in content or content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise DataError(f"{name} is a binary file, or in UTF-16: {way_out}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise DataError(
            f"{name} is not in UTF-8 (byte 0x{content[error.start]:02x} in line {line}): {way_out}"
        ) from None
