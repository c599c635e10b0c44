"""Which rows belong to one event: the same name, at days that are not far apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import TypeVar

from killcurve.sources.results.ledger import Ledger
from killcurve.sources.results.records import Record
from killcurve.sources.results.statements import Statement
from killcurve.sources.results.values import normal

APART = timedelta(days=30)
"""Days without a game after which a name stands for another event: yearly ones keep theirs."""
FROM_EVENT = "the date is missing; that of the event was taken"

T = TypeVar("T", Statement, Record)


def by_event(rows: Sequence[T], ledger: Ledger) -> list[T]:
    """The rows with one spelling of each event's name, and with a date where the event has one.

    A name with days more than :data:`APART` apart is several events, named by their first days.
    """
    named: dict[str, list[T]] = defaultdict(list)
    for row in rows:
        named[normal(row.event)].append(row)
    out: list[T] = []
    for of_name in named.values():
        name = of_name[0].event
        starts = _starts({row.date for row in of_name if row.date})
        if len(starts) > 1:
            told = ", ".join(map(str, starts))
            ledger.warnings.append(f"{name!r} is taken as {len(starts)} events, from {told}")
        out.extend(_placed(row, name, starts, ledger) for row in of_name)
    return out


def _starts(days: set[date]) -> list[date]:
    """The first days of the events of one name."""
    order = sorted(days)
    gaps = zip(order[1:], order[:-1], strict=True)
    return [*order[:1], *(day for day, before in gaps if day - before > APART)]


def _placed(row: T, name: str, starts: Sequence[date], ledger: Ledger) -> T:
    """A row with its event's name, and a date where the name stands for one event alone."""
    if len(starts) <= 1:
        if row.date is None and starts:
            ledger.note(row.place, FROM_EVENT)
        return replace(row, event=name, date=row.date or next(iter(starts), None))
    if row.date is None:
        return replace(row, event=f"{name} (no date)")
    start = max(day for day in starts if day <= row.date)
    return replace(row, event=f"{name} ({start})")
