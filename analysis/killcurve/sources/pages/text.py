"""From a file's bytes to the text of a page; what is no such text is told apart."""

from __future__ import annotations

import re

from killcurve.tables.dataset import DataError

SAVE_AGAIN = (
    "open the datasheet in a browser, select all of it, paste it into an editor and save that "
    "as plain text in UTF-8"
)
"""The way out of most troubles with a page."""

_MAGIC = {
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\x1f\x8b": "a compressed file",
}
_WIDE = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_MISREAD = ("â€“", "â€™", "â€œ", "Ã¢", "\ufffd")
_HTML = re.compile(r"<!doctype html|<(?:html|head|body|div|span|table|tr|td|br)\b", re.IGNORECASE)


def decode(content: bytes, name: str) -> str:
    """The text of a file in UTF-8.

    Raises:
        DataError: if the file is empty, binary, or in another encoding.

    >>> decode("Iron Choir – Anvil Guard".encode("cp1252"), "page.txt")
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: page.txt is not in UTF-8 (byte 0x96 in line 1), perhaps \
Windows-1252: save it again with the encoding UTF-8
    """
    if not content.strip():
        raise DataError(f"{name} is empty: {SAVE_AGAIN}")
    for magic, what in _MAGIC.items():
        if content.startswith(magic):
            raise DataError(f"{name} is {what}, and no text: {SAVE_AGAIN}")
    if content[:2] in _WIDE or _looks_wide(content):
        raise DataError(f"{name} is in UTF-16: save it again with the encoding UTF-8")
    if b"\0" in content:
        raise DataError(f"{name} is a binary file, and no text: {SAVE_AGAIN}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise DataError(
            f"{name} is not in UTF-8 (byte 0x{content[error.start]:02x} in line {line}), perhaps "
            "Windows-1252: save it again with the encoding UTF-8"
        ) from None


def check(text: str, name: str) -> None:
    """That a text may be a page.

    Raises:
        DataError: if it is empty, HTML, binary, or was decoded wrongly.
    """
    if not text.strip("\ufeff \t\r\n"):
        raise DataError(f"{name} is empty: {SAVE_AGAIN}")
    if len(_HTML.findall(text[:20000])) > 2 or text.lstrip("\ufeff \t\r\n")[:1] == "<":
        raise DataError(f"{name} is HTML, and no plain text: {SAVE_AGAIN}")
    strange = sum(c < " " and c not in "\t\r\n\f\v" for c in text)
    if strange > len(text) // 100:
        raise DataError(f"{name} is a binary file, and no text: {SAVE_AGAIN}")
    found = [sign for sign in _MISREAD if sign in text]
    if found:
        raise DataError(
            f"{name} was saved in another encoding than it was read in ({found[0]!r} stands for a "
            f"dash or a quote): {SAVE_AGAIN}"
        )


def _looks_wide(content: bytes) -> bool:
    """Whether every other byte is zero, as in Latin text in UTF-16 without its mark."""
    start = content[:400]
    return len(start) > 3 and max(start[::2].count(0), start[1::2].count(0)) > 0.4 * len(start)
