"""People become numbers when a table is read; their names go no further.

A person has the same number in all tables that are read together. Numbers depend neither on the
order of rows nor on that of names: whoever does not have the tables cannot find them out.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping

from killcurve.sources.results.values import normal


def player_key(text: str) -> str | None:
    """The form in which names of people are compared; null of an empty cell.

    >>> player_key(" Ann  EXAMPLE"), player_key("")
    ('ann example', None)
    """
    return normal(text) or None


def secret(rows: Iterable[str]) -> bytes:
    """A secret that only those know who have all rows; their order does not count."""
    whole = hashlib.sha256()
    for row in sorted(rows):
        whole.update(row.encode())
        whole.update(b"\n")
    return whole.digest()


def numbered(keys: Iterable[str], key: bytes) -> Mapping[str, int]:
    """A number for each person, from 1.

    >>> sorted(numbered(["ann", "bob", "ann"], b"x").values())
    [1, 2]
    """
    order = sorted({*keys}, key=lambda name: hmac.digest(key, name.encode(), "sha256"))
    return {name: number for number, name in enumerate(order, start=1)}
