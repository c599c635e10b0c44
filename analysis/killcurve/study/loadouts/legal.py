"""The loadouts that a unit may have: the default one, all of them, or some that stand for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from killcurve.rules.spelling import did_you_mean
from killcurve.study.loadouts.equipment import Front, Limits, Slot, TooManyStates
from killcurve.study.loadouts.settings import Carried, Chosen, Setting, setting
from killcurve.study.loadouts.sheet import Exchange, Sheet, item_of, read_sheet
from killcurve.study.loadouts.value import Group, Loadout, Things, things
from killcurve.tables.dataset import DataError, Dataset

LIMIT = 100
"""How many loadouts are listed unless told otherwise."""

MOST_SETTINGS = 2_000
"""Numbers of models of each kind that are gone through to count loadouts."""

MOST_LISTED = 20_000
"""Loadouts that are gone through one by one to count those that differ."""


@dataclass(frozen=True, slots=True)
class Loadouts:
    """Loadouts of a unit of ``models`` models, the default first.

    ``total`` is how many there are, ``None`` if they are too many to count. Where they are more
    than were asked for, ``shown`` are corners: as many models as possible take one thing, then
    another (``complete`` is false). ``unread`` is how many options were not understood.
    """

    models: int
    shown: tuple[Loadout, ...]
    total: int | None
    unread: int = 0

    @property
    def complete(self) -> bool:
        """Whether all of them are shown."""
        return self.total == len(self.shown)

    @property
    def told(self) -> str:
        """How many there are and which are shown, in a sentence.

        >>> Loadouts(5, (), None).told
        'more loadouts than can be counted; 0 of them shown: the default, then those that go \
as far as possible in one exchange or several'
        """
        number = "more loadouts than can be counted" if self.total is None else str(self.total)
        if self.complete:
            return "1 loadout" if self.total == 1 else f"{number} loadouts, all shown"
        what = number if self.total is None else f"{number} loadouts"
        return (
            f"{what}; {len(self.shown)} of them shown: the default, then those that go as far as "
            "possible in one exchange or several"
        )


@dataclass(slots=True)
class _Unit:
    """A unit at a size while its loadouts are listed."""

    sheet: Sheet
    models: int
    limits: Limits
    counts: dict[object, Counter[Front] | None] = field(default_factory=dict)

    def modes(self) -> Iterator[tuple[Carried, tuple[Exchange, ...]]]:
        """What models carry after the exchanges that all of them make or none.

        The first is the default; with each come the exchanges that models make on their own.
        """
        alone = tuple(e for e in self.sheet.exchanges if not e.together)
        all_at_once = [e for e in self.sheet.exchanges if e.together]
        ways = [range(-1, len(e.choices)) for e in all_at_once]
        seen: list[Carried] = []
        for chosen in product(*ways):
            carried: Carried | None = self.sheet.carried
            for exchange, number in zip(all_at_once, chosen, strict=True):
                if carried is not None and number >= 0:
                    carried = _all_at_once(carried, exchange, exchange.choices[number])
            if carried is not None and carried not in seen:
                seen.append(carried)
                yield carried, alone

    def settings(self, carried: Carried, exchanges: Sequence[Exchange]) -> Iterator[Setting]:
        """Every allocation of models to kinds, the default first."""
        known: dict[str, tuple[list[Slot], Things]] = {}
        for allocation in self.sheet.allocations(self.models):
            yield setting(self.sheet, carried, exchanges, self.limits, allocation, known)

    def number(self) -> int | None:
        """How many loadouts there are, ``None`` if too many to count."""
        numbers: list[int] = []
        for carried, exchanges in self.modes():
            for one in self.settings(carried, exchanges):
                number = one.number(self.counts)
                if number is None or len(numbers) == MOST_SETTINGS:
                    return None
                numbers.append(number)
        total = sum(numbers)
        if self._modes_differ():
            return total
        return None if total > MOST_LISTED else sum(1 for _ in self.every())

    def _modes_differ(self) -> bool:
        """Whether no loadout can be had with and without what all models do at once."""
        own = [e.items for e in self.sheet.exchanges if not e.together]
        common = [e.items for e in self.sheet.exchanges if e.together]
        return not any(one & other for one in own for other in common)

    def every(self) -> Iterator[Loadout]:
        """All loadouts, each once."""
        return _each_once(
            (one, chosen)
            for carried, exchanges in self.modes()
            for one in self.settings(carried, exchanges)
            for chosen in one.every()
        )

    def corners(self, limit: int) -> Iterator[Loadout]:
        """Corners of every setting, taking one of each in turn."""
        settings = [
            one
            for carried, exchanges in islice(self.modes(), limit)
            for one in islice(self.settings(carried, exchanges), limit)
        ]
        return _each_once(_in_turn([(one, one.corners(limit)) for one in settings]))


def _all_at_once(carried: Carried, exchange: Exchange, choice: Sequence[str]) -> Carried | None:
    """What models carry after all that can have made an exchange; ``None`` if none can."""
    after = dict(carried)
    changed = False
    for model, items in carried.items():
        counts = Counter(items)
        old = Counter(exchange.replaces)
        if exchange.model not in (None, model) or old - counts:
            continue
        after[model] = tuple(sorted((counts - old + Counter(choice)).elements()))
        changed = True
    return after if changed else None


def _in_turn(
    sources: Sequence[tuple[Setting, Iterator[Chosen]]],
) -> Iterator[tuple[Setting, Chosen]]:
    waiting = list(sources)
    while waiting:
        left = []
        for one, chosen in waiting:
            following = next(chosen, None)
            if following is not None:
                yield one, following
                left.append((one, chosen))
        waiting = left


def _each_once(found: Iterator[tuple[Setting, Chosen]]) -> Iterator[Loadout]:
    seen = set()
    for one, chosen in found:
        loadout = one.loadout(chosen)
        key = loadout.same()
        if key not in seen:
            seen.add(key)
            yield loadout


def default_loadout(
    dataset: Dataset, name: str, faction: str | None = None, *, models: int | None = None
) -> Loadout:
    """What a unit of ``models`` models (by default its smallest size) carries by default.

    Raises:
        DataError: if there is no such unit, or it has no such size.
    """
    sheet = read_sheet(dataset, *dataset.find(name, faction))
    return default_of(sheet, sheet.smallest if models is None else models)


def default_of(sheet: Sheet, models: int) -> Loadout:
    """The default loadout of a datasheet at a size.

    Raises:
        DataError: if it has no such size.
    """
    groups = []
    for model, count in sheet.default_allocation(models):
        carried = things(Counter(sheet.carried.get(model, ())))
        weapons = tuple((item, n) for item, n in carried if item in sheet.weapons)
        wargear = tuple((item, n) for item, n in carried if item not in sheet.weapons)
        groups.append(Group(model, count, weapons, wargear))
    return Loadout.of(sheet.faction, sheet.datasheet, groups, assumed=sheet.assumed)


def legal_loadouts(
    dataset: Dataset,
    name: str,
    faction: str | None = None,
    *,
    models: int | None = None,
    limit: int = LIMIT,
) -> Loadouts:
    """The loadouts that a unit may have at a size: all, or corners if they are more than ``limit``.

    Two loadouts in which each kind of model carries the same in all are one. The order is always
    the same, and the default comes first.

    Raises:
        DataError: if there is no such unit, it has no such size, or ``limit`` is below 1.

    >>> import killcurve
    >>> found = legal_loadouts(killcurve.load(), "Raider")
    >>> found.told, [len(one.weapons) for one in found.shown]
    ('2 loadouts, all shown', [2, 2])
    """
    if limit < 1:
        raise DataError(f"a list of {limit} loadouts was asked for: ask for at least 1")
    sheet = read_sheet(dataset, *dataset.find(name, faction))
    return loadouts_of(sheet, sheet.smallest if models is None else models, limit)


def loadouts_of(sheet: Sheet, models: int, limit: int = LIMIT) -> Loadouts:
    """The loadouts of a datasheet at a size."""
    default = default_of(sheet, models)
    unit = _Unit(sheet, models, Limits.of(sheet, models))
    if sheet.assumed:
        return Loadouts(models, (default,), 1, sheet.unread)
    try:
        total = unit.number()
        all_of_them = total is not None and total <= limit
        found = unit.every() if all_of_them else unit.corners(limit)
        shown = tuple(islice(found, limit))
    except TooManyStates:
        return Loadouts(models, (default,), None, sheet.unread)
    return Loadouts(models, shown, len(shown) if all_of_them else total, sheet.unread)


def every_loadout(sheet: Sheet, models: int) -> Iterator[Loadout]:
    """All loadouts of a datasheet at a size, each once, as they are asked for."""
    if sheet.assumed:
        return iter([default_of(sheet, models)])
    return _Unit(sheet, models, Limits.of(sheet, models)).every()


def custom_loadout(
    dataset: Dataset,
    name: str,
    faction: str | None = None,
    *,
    weapons: Mapping[str, int],
    models: int | None = None,
) -> Loadout:
    """A loadout of one's own: how many of each weapon (by name or id) the whole unit has.

    Wargear without attacks may be among them. Whether exchanges allow it is not asked.

    Raises:
        DataError: if there is no such unit, it has no such size, no such thing, or a count is
            below 0.
    """
    return custom_of(read_sheet(dataset, *dataset.find(name, faction)), weapons, models)


def custom_of(sheet: Sheet, weapons: Mapping[str, int], models: int | None = None) -> Loadout:
    """A loadout of one's own of a datasheet; errors are those of :func:`custom_loadout`."""
    size = sheet.smallest if models is None else models
    sheet.default_allocation(size)
    known = {*sheet.weapons, *(i for e in sheet.exchanges for i in e.items)}
    known |= {item for items in sheet.carried.values() for item in items}
    counts: Counter[str] = Counter()
    for given, count in weapons.items():
        item = item_of(given, sheet.weapons)
        if item not in known:
            item = next((k for k in known if k.casefold() == given.casefold()), given)
        if item not in known:
            names = sorted({sheet.name(k) for k in known})
            raise DataError(
                f"{sheet.datasheet} has no {given!r}{did_you_mean(given, names)}: "
                f"it may carry {', '.join(names)}"
            )
        if count < 0:
            raise DataError(f"{count} of {given!r} were given: give 0 or more")
        counts[item] += count
    carried = things(counts)
    return Loadout(
        faction=sheet.faction,
        datasheet=sheet.datasheet,
        models=size,
        weapons=tuple((item, n) for item, n in carried if item in sheet.weapons),
        wargear=tuple((item, n) for item, n in carried if item not in sheet.weapons),
    )
