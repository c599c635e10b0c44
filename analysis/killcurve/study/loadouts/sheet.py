"""What a datasheet says of loadouts: sizes, default weapons, exchanges and limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from killcurve.rules.spelling import normal
from killcurve.tables.dataset import DataError, Dataset

Allocation = tuple[tuple[str, int], ...]
"""How many models there are of each kind, in the datasheet's order; kinds of none are left out."""


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many: for every so many models of the unit, and in all."""

    times: int | None = None
    per_models: int | None = None
    at_most: int | None = None

    def cap(self, models: int) -> int | None:
        """The most for a unit of ``models`` models, ``None`` for any number.

        >>> [Limit(2, 5, 3).cap(models) for models in (4, 5, 9, 10)], Limit().cap(5)
        ([0, 2, 2, 3], None)
        """
        caps = [] if self.at_most is None else [self.at_most]
        if self.times is not None and self.per_models:
            caps.append(models // self.per_models * self.times)
        return min(caps, default=None)


@dataclass(frozen=True, slots=True)
class Exchange:
    """An option: ``replaces`` for one of ``choices``, each sorted items (repeated as often).

    Two options that say the same are two: ``number`` tells them apart.
    """

    number: int
    model: str | None
    replaces: tuple[str, ...]
    choices: tuple[tuple[str, ...], ...]
    each: int
    limit: Limit
    needs: frozenset[str]
    without: frozenset[str]
    together: bool

    @property
    def items(self) -> frozenset[str]:
        """Everything that it speaks of."""
        given = {item for choice in self.choices for item in choice}
        return frozenset({*self.replaces, *given, *self.needs, *self.without})


@dataclass(frozen=True, slots=True)
class Shared:
    """A limit on some items: of one model (``each``) and of the unit."""

    items: frozenset[str]
    each: int | None
    limit: Limit


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of model at one size: at least and at most so many."""

    model: str
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """A datasheet's loadouts.

    ``tiers`` are its sizes, none over ``largest``; ``carried`` what each kind has by default
    (items, repeated); ``weapons`` the names of its weapons by id. Where the data has no default
    weapons, ``assumed`` is true and every model carries each weapon once. ``unread`` counts
    options that were not understood.
    """

    faction: str
    datasheet: str
    tiers: tuple[tuple[Kind, ...], ...]
    carried: Mapping[str, tuple[str, ...]]
    exchanges: tuple[Exchange, ...]
    shared: tuple[Shared, ...]
    weapons: Mapping[str, str]
    smallest: int
    assumed: bool = False
    unread: int = 0
    largest: int | None = None

    def name(self, item: str) -> str:
        """What an item is called."""
        return self.weapons.get(item, item)

    def sizes(self) -> list[tuple[int, int]]:
        """The numbers of models it may have, as ranges from the smallest."""
        ranges: list[tuple[int, int]] = []
        for least, most in sorted(map(self._range, self.tiers)):
            if ranges and least <= ranges[-1][1] + 1:
                ranges[-1] = (ranges[-1][0], max(most, ranges[-1][1]))
            else:
                ranges.append((least, most))
        return ranges

    def default_allocation(self, models: int) -> Allocation:
        """The kinds of models of the first size that holds so many, filled up in order.

        Raises:
            DataError: if the unit has no such size.
        """
        for tier in self.tiers:
            least, most = self._range(tier)
            if least <= models <= most:
                room, made = models - least, []
                for kind in tier:
                    more = min(room, kind.most - kind.least)
                    room -= more
                    made.append((kind.model, kind.least + more))
                return _there(made)
        told = " or ".join(f"{a}" if a == b else f"{a} to {b}" for a, b in self.sizes())
        raise DataError(
            f"{self.datasheet} of {self.faction} has no size of {models} models: it has {told}"
        )

    def _range(self, tier: Sequence[Kind]) -> tuple[int, int]:
        """The least and the most models of a size, of which the unit has at most ``largest``."""
        least, most = _ends(tier)
        return least, most if self.largest is None else max(least, min(most, self.largest))

    def allocations(self, models: int) -> Iterator[Allocation]:
        """Every number of models of each kind at a size, the default one first, each once."""
        first = self.default_allocation(models)
        yield first
        seen = {first}
        for tier in self.tiers:
            for made in _filled(tier, models):
                if made not in seen:
                    seen.add(made)
                    yield made


def _ends(tier: Sequence[Kind]) -> tuple[int, int]:
    return sum(kind.least for kind in tier), sum(kind.most for kind in tier)


def _there(made: Iterable[tuple[str, int]]) -> Allocation:
    return tuple((model, count) for model, count in made if count)


def _filled(tier: Sequence[Kind], models: int) -> Iterator[Allocation]:
    if not tier:
        if models == 0:
            yield ()
        return
    kind, rest = tier[0], tier[1:]
    least, most = _ends(rest)
    for count in range(min(kind.most, models - least), max(kind.least, models - most) - 1, -1):
        for more in _filled(rest, models - count):
            yield _there([(kind.model, count), *more])


def read_sheet(dataset: Dataset, faction: str, datasheet: str) -> Sheet:
    """What the tables say of a unit.

    Raises:
        DataError: if there is no such unit.
    """
    sheets = dataset.of_unit("datasheets", faction, datasheet)
    if sheets.is_empty():
        raise DataError(f"no unit {datasheet!r} of {faction}")
    edition = sheets["edition"][0]

    def rows(table: str) -> list[dict[str, Any]]:
        of_unit = dataset.of_unit(table, faction, datasheet)
        return of_unit.filter(pl.col("edition") == edition).rows(named=True)

    weapons = {row["weapon_id"]: row["weapon"] for row in rows("weapons")}
    tiers = _tiers(rows("compositions"))
    smallest = int(sheets["models_min"][0] or 1)
    largest = max(smallest, int(sheets["models_max"][0] or 1))
    if tiers:
        # The first size printed counts where a source tells of a smaller one that has no kinds.
        first = _ends(tiers[0])[0]
        smallest = max(first, smallest)
        if not any(least <= smallest <= most for least, most in map(_ends, tiers)):
            smallest = first
    known = {kind.model for tier in tiers for kind in tier}
    options = rows("wargear_options")
    carried = _carried(rows("default_weapons"), options, weapons)
    if not any(item in weapons for model in carried if model in known for item in carried[model]):
        carried = {}
    assumed = not carried
    if assumed:
        tiers = tiers or ((Kind(datasheet, smallest, largest),),)
        carried = {kind.model: tuple(weapons) for tier in tiers for kind in tier}
        options = []
    return Sheet(
        faction=faction,
        datasheet=datasheet,
        tiers=tiers,
        carried=carried,
        exchanges=tuple(_exchange(r, weapons) for r in options if r["kind"] == "exchange"),
        shared=tuple(_shared(r, weapons) for r in options if r["kind"] == "limit"),
        weapons=weapons,
        smallest=smallest,
        assumed=assumed,
        unread=sum(r["kind"] is None for r in options),
        largest=sheets["models_max"][0],
    )


def _tiers(rows: Sequence[Mapping[str, Any]]) -> tuple[tuple[Kind, ...], ...]:
    """The sizes, without those of which a kind has at least more than at most."""
    tiers: dict[int, list[Kind]] = {}
    for row in rows:
        kind = Kind(row["model"], row["count_min"], row["count_max"])
        tiers.setdefault(row["tier"], []).append(kind)
    made = (tuple(tiers[tier]) for tier in sorted(tiers))
    return tuple(tier for tier in made if all(kind.least <= kind.most for kind in tier))


def _carried(
    defaults: Sequence[Mapping[str, Any]],
    options: Sequence[Mapping[str, Any]],
    weapons: Mapping[str, str],
) -> dict[str, tuple[str, ...]]:
    """What each kind of model has by default."""
    carried: dict[str, Counter[str]] = {}
    for row in defaults:
        carried.setdefault(row["model"], Counter())[row["weapon_id"]] += row["count"]
    for row in options:
        if row["kind"] == "carried" and row["model"] is not None:
            of_kind = carried.setdefault(row["model"], Counter())
            of_kind.update(item for c in row["choices"] for item in _items(c, weapons))
    return {model: tuple(sorted(counts.elements())) for model, counts in carried.items()}


def _exchange(row: Mapping[str, Any], weapons: Mapping[str, str]) -> Exchange:
    return Exchange(
        number=row["option"],
        model=row["model"],
        replaces=tuple(sorted(item for name in row["replaces"] for item in _items(name, weapons))),
        choices=tuple(dict.fromkeys(_items(choice, weapons) for choice in row["choices"])),
        each=row["each"] or 1,
        limit=_limit(row),
        needs=frozenset(i for name in row["needs"] or () for i in _items(name, weapons)),
        without=frozenset(i for name in row["without"] or () for i in _items(name, weapons)),
        together=bool(row["together"]),
    )


def _shared(row: Mapping[str, Any], weapons: Mapping[str, str]) -> Shared:
    items = frozenset(item for choice in row["choices"] for item in _items(choice, weapons))
    return Shared(items, row["each"], _limit(row))


def _limit(row: Mapping[str, Any]) -> Limit:
    return Limit(row["times"], row["per_models"], row["at_most"])


def _items(choice: str, weapons: Mapping[str, str]) -> tuple[str, ...]:
    """The items of a choice: weapons by id, other things by name."""
    return tuple(sorted(item_of(name, weapons) for name in choice.split(" + ")))


def item_of(name: str, weapons: Mapping[str, str]) -> str:
    """A thing as it is written in options: the id of the weapon of that name, else the name.

    >>> item_of("Storm Gun", {"storm-gun-2": "Storm gun"}), item_of("Horn", {})
    ('storm-gun-2', 'Horn')
    """
    if name in weapons:
        return name
    wanted = normal(name)
    return next((w for w, called in weapons.items() if normal(called) == wanted), name)
