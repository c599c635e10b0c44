"""A list joined to a dataset: rows for the tables of army lists."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from killcurve.sources.rosters import prices
from killcurve.sources.rosters.attaching import attached
from killcurve.sources.rosters.bearing import enhance
from killcurve.sources.rosters.filling import fill
from killcurve.sources.rosters.listed import Listed, ListedUnit
from killcurve.sources.rosters.loadouts import loadout
from killcurve.sources.rosters.matching import UNKNOWN, WARGEAR, WEAPON, reason
from killcurve.sources.rosters.names import bare, key, nearest
from killcurve.sources.rosters.places import Places
from killcurve.sources.rosters.profiles import by_name, profiles, wargear
from killcurve.sources.rosters.sheets import Sheet, Sheets
from killcurve.sources.rosters.units import Army, Item, Unit, items, paid_for
from killcurve.sources.wahapedia.account import Account, Row

NO_ARMY = "its army is not told, and its units do not tell it"


@dataclass(slots=True)
class Joined:
    """The rows of one list by table, rows set aside by table, and warnings."""

    rows: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    lines: Account = field(default_factory=Account)
    carried: Account = field(default_factory=Account)
    warnings: list[str] = field(default_factory=list)
    placed: int = 0


@dataclass(slots=True)
class _Joining:
    listed: Listed
    places: Places
    sheets: Sheets
    roster: str
    factions: tuple[str, ...] = ()
    detachments: tuple[str, ...] = ()
    units: list[Unit] = field(default_factory=list)
    out: Joined = field(default_factory=Joined)

    def join(self) -> Joined:
        """All rows."""
        self._army()
        self.units = [self._place(number, one) for number, one in enumerate(self.listed.units, 1)]
        self._enhance()
        for unit in self.units:
            unit.models, notes = fill(unit.listed, unit.sheet, unit.loadout, unit.bare_points)
            unit.notes += notes
        self._copies()
        carried = [items(unit, self.sheets) for unit in self.units]
        for number, (unit, found) in enumerate(zip(self.units, carried, strict=True), start=1):
            self._profiles(number, unit)
            self._models(number, unit)
            self._weapons(number, unit, found)
        self._units(carried)
        for line in self.listed.unread:
            self._unplaced(None, line.line, line.text or None, line.reason)
        self.out.placed = sum(unit.placed is not None for unit in self.units)
        self.out.warnings += self.listed.warnings
        return self.out

    def _army(self) -> None:
        places, listed = self.places, self.listed
        lines = [text for _, text in listed.heading]
        self.factions = places.armies(
            [*listed.armies, *lines], [unit.printed for unit in listed.units]
        )
        found, unknown = places.split_detachments(listed.detachments, self.factions)
        rest: list[tuple[int, str]] = []
        for number, text in listed.heading:
            if places.faction(text):
                continue
            parts, _ = places.split_detachments([text], self.factions)
            found += parts
            if not parts and number:
                rest.append((number, text))
        if len(rest) == 1 and not any(places.detachments.get(f) for f in self.factions):
            unknown.append(rest.pop()[1])  # the dataset has no detachments that it could be
        for number, _ in rest:
            self._unplaced(None, number, None, "a line of the heading: no army, no detachment")
        self.detachments = tuple(dict.fromkeys([*found, *unknown]))
        for name in unknown:
            known = [d for f in self.factions for d in places.detachments.get(f, {}).values()]
            near = nearest(name, known)
            self._unplaced(None, None, name, "no detachment of the dataset has this name", near)
        if not self.factions and listed.units:
            self.out.warnings.append(NO_ARMY)

    def _place(self, number: int, listed: ListedUnit) -> Unit:
        placed = self.places.sheet(listed.printed, self.factions)
        sheet = Sheet() if placed is None else self.sheets.sheet(placed.faction, placed.datasheet)
        unit = Unit(listed, placed, sheet, loadout(listed, sheet))
        unit.notes += [*listed.notes, *unit.loadout.notes]
        unit.notes += [f"a label: {label}" for label in unit.loadout.labels]
        if placed is None:
            army = self.factions[0] if self.factions else "the dataset"
            near = self.places.nearest(listed.printed, self.factions)
            why = f"no unit of {army} has this name"
            self._unplaced(number, listed.line, listed.printed, why, near)
            return unit
        if placed.otherwise:
            unit.notes.append(f"read as {placed.datasheet}")
        if placed.allied:
            unit.notes.append(f"of {placed.faction}")
        return unit

    def _enhance(self) -> None:
        """Enhancements and the warlord, as units or the heading name them."""
        named = frozenset(key(bare(name)) for name, _, _ in self.listed.bearers)
        army = Army(self.places, self.factions, self.detachments, named)
        for unit, line, text, why, near in enhance(self.units, self.listed, army):
            self._unplaced(unit, line, text, why, near)

    def _copies(self) -> None:
        """Which copy of its datasheet a unit is: cheaper ones of a size count as earlier."""
        same: dict[tuple[str, str], list[Unit]] = {}
        for unit in self.units:
            if unit.placed is not None:
                same.setdefault((unit.placed.faction, unit.placed.datasheet), []).append(unit)
        for units in same.values():
            ordered = sorted(units, key=lambda u: (u.models or 0, u.bare_points or 0))
            for number, unit in enumerate(ordered, start=1):
                unit.copy = number

    def _profiles(self, number: int, unit: Unit) -> None:
        if unit.listed.selection is None:
            return
        lines, carried = Account(), Account()
        unit.notes += profiles(unit.listed.selection, unit.listed.printed, lines, carried)
        unit.profile_ids = {key(name): id_ for name, id_ in by_name(carried.rows).items()}
        unit.wargear = {key(name) for name in wargear(unit.listed.selection)}
        where = {"roster": self.roster, "unit": number}
        self.out.rows["roster_stat_lines"] += [{**where, **row} for row in lines.rows]
        self.out.rows["roster_profiles"] += [{**where, **row} for row in carried.rows]
        self.out.lines.aside += lines.aside
        self.out.carried.aside += carried.aside

    def _models(self, number: int, unit: Unit) -> None:
        for group, models in enumerate(unit.loadout.groups, start=1):
            self.out.rows["roster_models"].append(
                {
                    "roster": self.roster,
                    "unit": number,
                    "group": group,
                    "printed": models.name,
                    "model": unit.sheet.model(models.name),
                    "count": models.count,
                }
            )

    def _weapons(self, number: int, unit: Unit, found: Sequence[Item]) -> None:
        counts: dict[int, int] = defaultdict(int)
        for item in found:
            counts[item.group] += 1
            match = item.match
            profile = unit.profile_ids.get(key(match.printed))
            read_as = match.read_as
            if read_as == UNKNOWN and profile:
                read_as = WEAPON
            elif read_as == UNKNOWN and key(match.printed) in unit.wargear:
                read_as = WARGEAR
            self.out.rows["roster_weapons"].append(
                {
                    "roster": self.roster,
                    "unit": number,
                    "group": item.group,
                    "item": counts[item.group],
                    "printed": match.printed,
                    "weapon_id": match.weapon_id,
                    "profile_id": profile,
                    "read_as": read_as,
                    "count": match.count,
                    "is_default": item.is_default,
                }
            )
            if read_as == UNKNOWN and unit.placed is not None:
                why, near = reason(match, unit.sheet, self.sheets)
                self._unplaced(number, item.line, match.printed, why, near)

    def _units(self, carried: Sequence[Sequence[Item]]) -> None:
        """The rows of the units and of the list, with all points."""
        bonds, lost = attached(
            [u.listed for u in self.units], [u.placed for u in self.units], self.places
        )
        for index, link in lost:
            self._unplaced(index + 1, link.line, link.name, "attached to no unit of the list")
        apart = self._apart()
        printed: list[int] = []
        asked: list[int | None] = []
        for number, (unit, found, bond) in enumerate(
            zip(self.units, carried, bonds, strict=True), start=1
        ):
            extra = sum(one.points or 0 for one in unit.taken)
            points = unit.listed.points
            points = None if points is None else points + apart * extra
            printed += [] if points is None else [points]
            asked.append(self._asked(unit, found))
            costs = [one.points or (one.known.cost if one.known else None) for one in unit.taken]
            self.out.rows["roster_units"].append(
                {
                    "roster": self.roster,
                    "unit": number,
                    "printed": unit.listed.printed,
                    "faction": unit.placed.faction if unit.placed else None,
                    "datasheet": unit.placed.datasheet if unit.placed else None,
                    "models": unit.models,
                    "copy": unit.copy if unit.placed else None,
                    "points_printed": points,
                    "points_dataset": asked[-1],
                    "enhancement": " + ".join(one.name for one in unit.taken) or None,
                    "enhancement_points": sum(c or 0 for c in costs) if any(costs) else None,
                    "warlord": unit.listed.warlord,
                    "attached_as": bond.role,
                    "attached_to": bond.to,
                    "line": unit.listed.line,
                    "note": "; ".join(dict.fromkeys(unit.notes)) or None,
                }
            )
        known = [one for one in asked if one is not None]
        self.out.rows["rosters"].append(
            {
                "roster": self.roster,
                "form": self.listed.form,
                "list_edition": self.listed.edition,
                "data_version": self.listed.version or None,
                "faction": self.factions[0] if self.factions else None,
                "detachments": list(self.detachments),
                "force_dispositions": list(dict.fromkeys(self.listed.dispositions)),
                "points_printed": self.listed.total,
                "points_limit": self.listed.limit,
                "points_units": sum(printed) if printed else None,
                "points_dataset": sum(known) if len(known) == len(asked) and known else None,
                "units": len(self.units),
            }
        )

    def _apart(self) -> bool:
        """Whether the list prints enhancements apart: only with them its sum is its total."""
        units = sum(unit.listed.points or 0 for unit in self.units)
        extra = sum(one.points or 0 for unit in self.units for one in unit.taken)
        return bool(extra) and units != self.listed.total and units + extra == self.listed.total

    def _asked(self, unit: Unit, found: Sequence[Item]) -> int | None:
        """What the dataset asks for a unit with its enhancements."""
        if unit.placed is None:
            return None
        bare_price = prices.price(
            self.sheets,
            unit.placed,
            unit.models,
            unit.copy,
            paid_for(unit, found),
            self.factions,
        )
        costs = [one.known.cost if one.known else None for one in unit.taken]
        if bare_price is None or None in costs:
            return None
        return bare_price + sum(cost for cost in costs if cost is not None)

    def _unplaced(
        self,
        unit: int | None,
        line: int | None,
        text: str | None,
        why: str,
        nearest: Sequence[str] = (),
    ) -> None:
        rows = self.out.rows["roster_unplaced"]
        rows.append(
            {
                "roster": self.roster,
                "number": len(rows) + 1,
                "unit": unit,
                "line": line,
                "text": text,
                "reason": why,
                "nearest": list(nearest),
            }
        )


def join(listed: Listed, places: Places, sheets: Sheets, roster: str) -> Joined:
    """The rows of a list, by the names of a dataset's edition."""
    return _Joining(listed, places, sheets, roster).join()
