"""What one model may carry: its exchanges fall into slots that do not touch each other.

A slot is a set of things between which exchanges run (a pistol and what may replace it). What is
chosen in one slot is free of what is chosen in the others, up to limits of the whole unit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from killcurve.study.loadouts.sheet import Exchange, Shared, Sheet
from killcurve.study.loadouts.value import Things, things

Usage = tuple[int, ...]
"""How much is used of each limit of the unit."""

Front = frozenset[Usage]
"""The ways to use limits of which none is better than another: nowhere more and somewhere less."""

MOST_STATES = 50_000
"""A slot with more states than this is not looked into."""


class TooManyStates(Exception):
    """A slot has more states than are looked into."""


@dataclass(frozen=True, slots=True)
class State:
    """One way to fill a slot of one model: what is in it, and what that uses of the limits."""

    items: Things
    uses: Front


@dataclass(frozen=True, slots=True)
class Slot:
    """All ways to fill a slot; the first is the default."""

    states: tuple[State, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of the unit at its size: those of exchanges, then those of items."""

    exchanges: tuple[tuple[Exchange, int], ...]
    shared: tuple[tuple[Shared, int], ...]

    @classmethod
    def of(cls, sheet: Sheet, models: int) -> Limits:
        """The limits of a datasheet for a unit of ``models`` models."""
        ours = [(e, cap) for e in sheet.exchanges if (cap := e.limit.cap(models)) is not None]
        theirs = [(s, cap) for s in sheet.shared if (cap := s.limit.cap(models)) is not None]
        return cls(tuple(ours), tuple(theirs))

    @property
    def caps(self) -> Usage:
        """The most of each."""
        return tuple(cap for _, cap in (*self.exchanges, *self.shared))

    def used(self, made: Mapping[Exchange, int], items: Mapping[str, int]) -> Usage:
        """What exchanges and items use."""
        of_exchanges = (made.get(exchange, 0) for exchange, _ in self.exchanges)
        of_items = (sum(items.get(i, 0) for i in one.items) for one, _ in self.shared)
        return (*of_exchanges, *of_items)


def least(uses: Iterable[Usage]) -> Front:
    """The ways to use limits without those that use more than another everywhere.

    >>> sorted(least([(1, 0), (0, 1), (1, 1)]))
    [(0, 1), (1, 0)]
    """
    kept: list[Usage] = []
    for one in sorted(set(uses)):
        if not any(all(a <= b for a, b in zip(other, one, strict=True)) for other in kept):
            kept.append(one)
    return frozenset(kept)


def slots(
    carried: Sequence[str], exchanges: Sequence[Exchange], sheet: Sheet, limits: Limits
) -> tuple[list[Slot], Things]:
    """The slots of a model that carries so much by default, and what no exchange touches.

    Raises:
        TooManyStates: if a slot has more states than are looked into.
    """
    groups = _tied_together(_possible(carried, exchanges), sheet.shared)
    touched = {item for items, _ in groups for item in items}
    made = []
    for items, group in groups:
        base = Counter(item for item in carried if item in items)
        each = [one for one in sheet.shared if one.each is not None and one.items & items]
        made.append(Slot(tuple(_states(base, group, each, limits))))
    return made, things(Counter(item for item in carried if item not in touched))


def _possible(carried: Sequence[str], exchanges: Sequence[Exchange]) -> list[Exchange]:
    """The exchanges whose things a model may come to have."""
    reached = set(carried)
    kept: list[Exchange] = []
    waiting = list(exchanges)
    while True:
        found = [e for e in waiting if reached.issuperset(e.replaces)]
        if not found:
            return [e for e in exchanges if e in kept]
        kept += found
        waiting = [e for e in waiting if e not in found]
        reached.update(item for e in found for choice in e.choices for item in choice)


def _tied_together(
    exchanges: Sequence[Exchange], shared: Iterable[Shared]
) -> list[tuple[set[str], list[Exchange]]]:
    """Exchanges that speak of the same things, or of things that a limit on a model ties."""
    ties = [one.items for one in shared if one.each is not None]
    groups: list[tuple[set[str], list[int]]] = []
    for number, exchange in enumerate(exchanges):
        items = set(exchange.items)
        items.update(*(tie for tie in ties if tie & items))
        touching = [group for group in groups if group[0] & items]
        groups = [group for group in groups if group not in touching]
        numbers = [n for group in touching for n in group[1]]
        groups.append((items.union(*(group[0] for group in touching)), [*numbers, number]))
    groups.sort(key=lambda group: min(group[1]))
    return [(items, [exchanges[n] for n in sorted(numbers)]) for items, numbers in groups]


def _states(
    base: Counter[str], exchanges: Sequence[Exchange], each: Sequence[Shared], limits: Limits
) -> Iterator[State]:
    """The states that exchanges lead to, those with fewest exchanges first."""
    uses: dict[Things, set[Usage]] = {}
    for items, made in _reached(base, exchanges):
        counts = dict(items)
        if _allowed(counts, made, base, each):
            uses.setdefault(items, set()).add(limits.used(made, counts))
    for items, ways in uses.items():
        yield State(items, least(ways))


def _reached(
    base: Counter[str], exchanges: Sequence[Exchange]
) -> Iterator[tuple[Things, dict[Exchange, int]]]:
    """All that may be had in a slot, with the exchanges that were made, fewest first."""
    start = (things(base), (0,) * len(exchanges))
    seen = {start}
    waiting = [start]
    for items, made in waiting:
        yield items, {e: n for e, n in zip(exchanges, made, strict=True) if n}
        for number, exchange in enumerate(exchanges):
            counts = Counter(dict(items))
            if made[number] >= exchange.each or Counter(exchange.replaces) - counts:
                continue
            counts.subtract(exchange.replaces)
            once_more = (*made[:number], made[number] + 1, *made[number + 1 :])
            for choice in exchange.choices:
                after = (things(counts + Counter(choice)), once_more)
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
            if len(seen) > MOST_STATES:
                raise TooManyStates


def _allowed(
    items: Mapping[str, int],
    made: Mapping[Exchange, int],
    base: Counter[str],
    each: Sequence[Shared],
) -> bool:
    """Whether what a model has in the end is allowed."""
    for exchange in made:
        if any(item not in items for item in exchange.needs):
            return False
        if any(item in items for item in exchange.without):
            return False
    for one in each:
        had = sum(base[item] for item in one.items)
        if sum(items.get(item, 0) for item in one.items) > max(one.each or 0, had):
            return False
    return True
