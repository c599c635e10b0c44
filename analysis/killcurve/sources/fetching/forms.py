"""Whether what came is what was asked for: a web page or half a file is never kept."""

from __future__ import annotations

import json
from collections.abc import Callable

from killcurve.tables.dataset import DataError

Check = Callable[[bytes], None]
"""Raises a DataError that goes on with "what came from ADDRESS …"."""

_PAGES = ("text/html", "application/xhtml+xml")
_BLANK = b"\xef\xbb\xbf \t\r\n"


def content_type(value: str) -> None:
    """Refuse what the server itself calls a web page.

    >>> content_type("text/HTML; charset=utf-8")
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: is a web page, and no data
    """
    if value.split(";", maxsplit=1)[0].strip().lower() in _PAGES:
        raise DataError("is a web page, and no data")


def table(content: bytes) -> None:
    """Refuse what is no whole file of an export.

    >>> table(b"id|name|\\r\\n1|Bell|\\r\\n")
    >>> table(b"id|name|\\r\\n1|Be")
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: ends within a line, so it is cut off
    """
    _text(content)
    if b"|" not in content.split(b"\n", 1)[0]:
        raise DataError("has no header with `|` between its columns")
    _ends_a_line(content)


def yaml(content: bytes) -> None:
    """Refuse what is no whole YAML file of ``name: value`` lines."""
    _text(content)
    if b":" not in content:
        raise DataError("holds no `name: value` lines")
    _ends_a_line(content)


def json_object(content: bytes) -> None:
    """Refuse what is no whole JSON object."""
    if not isinstance(_json(content), dict):
        raise DataError("is no JSON object")


def json_list(content: bytes) -> None:
    """Refuse what is no whole JSON list."""
    if not isinstance(_json(content), list):
        raise DataError("is no JSON list")


def catalogue(content: bytes) -> None:
    """Refuse what is no whole XML file of a catalogue or a game system.

    >>> catalogue(b'<?xml version="1.0"?><catalogue id="1"></catalogue>')
    >>> catalogue(b"<html><body>403</body></html>")
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: is a web page, and no data
    """
    start, end = content[:4000].lstrip(_BLANK), content[-200:].rstrip(_BLANK)
    for name in (b"catalogue", b"gameSystem"):
        if b"<" + name in start:
            if not end.endswith((b"</" + name + b">", b"/>")):
                raise DataError("has no end, so it is cut off")
            return
    if b"<html" in start.lower():
        raise DataError("is a web page, and no data")
    raise DataError("is no catalogue")


def _json(content: bytes) -> object:
    _text(content)
    try:
        return json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise DataError("is no whole JSON file") from None


def _text(content: bytes) -> None:
    start = content[:4000].lstrip(_BLANK)
    if not start:
        raise DataError("is empty")
    if start.startswith(b"<"):
        raise DataError("is a web page, and no data")
    if b"\0" in content or start.startswith(b"\x1f\x8b"):
        raise DataError("is a binary or compressed file")


def _ends_a_line(content: bytes) -> None:
    if not content.endswith(b"\n"):
        raise DataError("ends within a line, so it is cut off")
