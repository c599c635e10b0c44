"""Dates in the forms that people write, also several in one column."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Literal

Order = Literal["day first", "month first"]
ORDERS: tuple[Order, ...] = ("day first", "month first")

UNREADABLE = "the date is not understood"
UNDECIDED = "the date may have the day or the month first"

_SLASHED = re.compile(r"(\d{1,2})[/.\-](\d{1,2})[/.\-](\d{4}|\d{2})")
_SERIAL = re.compile(r"[34]\d{4}(\.0+)?")
_FIRST_DAY = date(1899, 12, 30)
"""Day 0 of spreadsheets."""
_TIME = re.compile(
    r"[T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\s*([AaPp][Mm])?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$"
)
_WORDED = ("%d %b %Y", "%d %B %Y", "%b %d %Y", "%B %d %Y", "%Y %b %d", "%d %b %y", "%Y%m%d")
_ORDINAL = re.compile(r"(?<=\d)(st|nd|rd|th)\b", re.IGNORECASE)
_WEEKDAY = re.compile(r"^(mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dates:
    """How a column's dates are read: ``order`` is null where nothing decides it.

    Dates with points have the day first.
    """

    order: Order | None = None

    @classmethod
    def of(cls, texts: Iterable[str]) -> Dates:
        """The order that the column itself shows: a 13th month makes the day come first.

        >>> Dates.of(["03/04/2020", "25/04/2020"]).order, Dates.of(["03/04/2020"]).order
        ('day first', None)
        """
        pairs = [pair for text in texts if (pair := _pair(text))]
        day, month = any(a > 12 for a, _ in pairs), any(b > 12 for _, b in pairs)
        return cls(None if day == month else "day first" if day else "month first")

    @lru_cache(maxsize=4096)  # noqa: B019  frozen, and few
    def read(self, text: str) -> date | str:
        """The day that a text names, or what is wrong with it.

        >>> dates = Dates("month first")
        >>> [str(dates.read(t)) for t in ("2020-08-01 00:00:00", "8/1/20", "1st Aug 2020", "44044")]
        ['2020-08-01', '2020-08-01', '2020-08-01', '2020-08-01']
        >>> Dates().read("03/04/2020")
        'the date may have the day or the month first'
        """
        plain = _plain(text)
        found = _SLASHED.fullmatch(plain)
        if found is None:
            return _worded(plain) or UNREADABLE
        first, second, year = (int(part) for part in found.groups())
        year += 2000 if year < 100 else 0
        order = self.order
        if first > 12 or second > 12 or first == second or plain.count(".") == 2:
            order = "month first" if second > 12 else "day first"
        if order is None:
            return UNDECIDED
        day, month = (first, second) if order == "day first" else (second, first)
        return _day(year, month, day) or UNREADABLE


def _plain(text: str) -> str:
    return _TIME.sub("", text.strip()).strip()


def _pair(text: str) -> tuple[int, int] | None:
    found = _SLASHED.fullmatch(_plain(text))
    return (int(found[1]), int(found[2])) if found else None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _worded(plain: str) -> date | None:
    if found := re.fullmatch(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", plain):
        return _day(int(found[1]), int(found[2]), int(found[3]))
    if _SERIAL.fullmatch(plain):
        return _FIRST_DAY + timedelta(days=int(float(plain)))
    words = _ORDINAL.sub("", _WEEKDAY.sub("", plain)).replace(",", " ").replace(".", " ")
    words = re.sub(r"[\s\-/]+", " ", words).strip()
    for form in _WORDED:
        try:
            return datetime.strptime(words, form).date()
        except ValueError:
            continue
    return None
