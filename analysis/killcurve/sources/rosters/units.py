"""One unit of a list on its way into the tables: where it belongs and what it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from killcurve.sources.rosters.items import AND_NEXT
from killcurve.sources.rosters.listed import ENHANCEMENT, ListedUnit, Thing
from killcurve.sources.rosters.loadouts import Group, Loadout
from killcurve.sources.rosters.matching import UNKNOWN, WARGEAR, WEAPON, Match, matches
from killcurve.sources.rosters.names import bare, key
from killcurve.sources.rosters.places import Enhancement, Placed, Places
from killcurve.sources.rosters.prices import Carried
from killcurve.sources.rosters.sheets import Sheet, Sheets


@dataclass(slots=True)
class Taken:
    """An enhancement of a unit: as printed, its points there, and as the dataset has it."""

    printed: str
    points: int | None
    line: int | None
    known: Enhancement | None

    @property
    def name(self) -> str:
        """The dataset's name, else the printed one."""
        return self.known.name if self.known else self.printed


@dataclass(slots=True)
class Unit:
    """A unit: what its list says, its datasheet, and what becomes of both."""

    listed: ListedUnit
    placed: Placed | None
    sheet: Sheet
    loadout: Loadout
    models: int | None = None
    copy: int = 1
    taken: list[Taken] = field(default_factory=list)
    profile_ids: dict[str, str] = field(default_factory=dict)
    wargear: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)

    @property
    def bare_points(self) -> int | None:
        """The printed points without those of enhancements, as far as they are known."""
        if self.listed.points is None:
            return None
        extra = sum(
            one.points or (one.known.cost if one.known and one.known.cost else 0)
            for one in self.taken
        )
        return max(self.listed.points - extra, 0)

    def groups(self) -> Iterator[tuple[int, Group]]:
        """What the unit has as a whole (0), then its groups of models."""
        yield 0, Group(self.listed.printed, self.models or 1, self.loadout.own)
        yield from enumerate(self.loadout.groups, start=1)


@dataclass(frozen=True, slots=True)
class Army:
    """What enhancements are looked up by: the army's factions and detachments.

    ``named`` are the keys of enhancements that the list's heading names.
    """

    places: Places
    factions: tuple[str, ...]
    detachments: tuple[str, ...]
    named: frozenset[str]

    def enhancement(self, name: str, *, slips: bool) -> Enhancement | None:
        """The dataset's enhancement of a name."""
        return self.places.enhancement(name, self.factions, self.detachments, slips=slips)


def take_enhancements(unit: Unit, army: Army) -> None:
    """Take the enhancements out of what a unit carries; builders list them among its wargear."""
    for thing in unit.listed.enhancements:
        unit.taken.append(_taken(thing, army))
    for held in (unit.loadout.own, *(group.carried for group in unit.loadout.groups)):
        held[:] = [kept for thing in held for kept in _without_enhancement(thing, unit, army)]


def _taken(thing: Thing, army: Army) -> Taken:
    known = army.enhancement(thing.name, slips=True)
    return Taken(bare(thing.name), thing.points, thing.line, known)


def _without_enhancement(thing: Thing, unit: Unit, army: Army) -> list[Thing]:
    """What of a thing is no enhancement; one with a price may have one at its end."""
    if unit.sheet.has_weapon(thing.name):
        return [thing]
    named = key(bare(thing.name)) in army.named or thing.kind == ENHANCEMENT
    if named or army.enhancement(thing.name, slips=False):
        unit.taken.append(_taken(thing, army))
        return []
    if not thing.extra or thing.kind is not None:
        return [thing]
    parts = AND_NEXT.split(thing.name)
    last = Thing(parts[-1], line=thing.line, points=thing.points)
    if len(parts) > 1 and army.enhancement(last.name, slips=True):
        unit.taken.append(_taken(last, army))
        return [Thing(" and ".join(parts[:-1]), thing.count, thing.counted, thing.line)]
    if unit.sheet.has_wargear(thing.name) or (len(parts) == 1 and unit.sheet.weapon(thing.name)):
        return [thing]
    unit.taken.append(_taken(thing, army))
    return []


@dataclass(frozen=True, slots=True)
class Item:
    """A row of what a group carries."""

    group: int
    match: Match
    line: int | None
    is_default: bool = False


def items(unit: Unit, sheets: Sheets) -> list[Item]:
    """All that a unit carries; models of which no weapon is printed have their default ones."""
    found: list[Item] = []
    armed_as_a_whole = False
    for number, group in unit.groups():
        own = _together(
            Item(number, match, thing.line)
            for thing in group.carried
            for match in matches(thing, unit.sheet, sheets)
        )
        found += own
        may_be_armed = any(item.match.read_as != WARGEAR for item in own)
        if number == 0:
            armed_as_a_whole = may_be_armed
        elif not may_be_armed and not armed_as_a_whole:
            found += [Item(number, match, None, True) for match in _defaults(unit, group)]
    return found


def _together(found: Iterable[Item]) -> list[Item]:
    """Items with the same name in one group are one, with all their count."""
    same: dict[tuple[str, str | None], Item] = {}
    for item in found:
        name = (item.match.weapon_id or key(item.match.printed), item.match.read_as)
        first = same.setdefault(name, item)
        if first is not item:
            count = first.match.count + item.match.count
            same[name] = replace(first, match=replace(first.match, count=count))
    return list(same.values())


def _defaults(unit: Unit, group: Group) -> Iterator[Match]:
    model = unit.sheet.model(group.name)
    names = {w.weapon_id: w.name for ws in unit.sheet.weapons.values() for w in ws}
    for row in unit.sheet.rows.get("default_weapons", ()):
        if row["model"] == model and row["weapon_id"] in names:
            count = int(row["count"]) * group.count
            yield Match(names[row["weapon_id"]], count, WEAPON, row["weapon_id"])


def paid_for(unit: Unit, found: Sequence[Item]) -> list[Carried]:
    """What of a unit may have a price of its own: its wargear and its models."""
    names = {w.weapon_id: w.name for ws in unit.sheet.weapons.values() for w in ws}
    things = [
        Carried(names.get(item.match.weapon_id or "", item.match.printed), item.match.count)
        for item in found
        if item.match.read_as != UNKNOWN
    ]
    return things + [Carried(group.name, group.count) for group in unit.loadout.groups]
