"""An army list put into play: each unit as an attacker, a target and models that fall."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import polars as pl

from killcurve.study.armies.carrying import loadout_of
from killcurve.study.fielding import Fielded
from killcurve.study.lines import Attacker, attacker
from killcurve.study.loadouts import Loadout, default_loadout
from killcurve.study.loadouts.prices import enhancement_cost, price
from killcurve.study.loadouts.sheet import read_sheet
from killcurve.study.mustering import fielded
from killcurve.study.targets import Defender, defender
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.rosters import Roster, RosterUnit

COLUMNS: dict[str, pl.DataType] = {
    "roster": pl.String(),
    "unit": pl.Int64(),
    "name": pl.String(),
    "faction": pl.String(),
    "datasheet": pl.String(),
    "models": pl.Int64(),
    "copy": pl.Int64(),
    "points": pl.Int64(),
    "points_printed": pl.Int64(),
    "points_difference": pl.Int64(),
    "weapons": pl.List(pl.String()),
    "attacks": pl.Boolean(),
    "is_target": pl.Boolean(),
    "notes": pl.List(pl.String()),
}
"""What :func:`unit_table` gives: a row a unit of the list, in its order.

``points`` are the dataset's for that size, copy, wargear and enhancement, ``points_printed`` the
list's own, ``points_difference`` the former less the latter. ``attacks`` and ``is_target`` tell
whether the unit can be computed as an attacker and as a target; ``notes`` why not, and what was
assumed.
"""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ArmyUnit:
    """A unit of a list: ``name`` is the list's, with a number behind it for a further one.

    ``points`` are the dataset's, ``printed`` those of the list. What the dataset does not have is
    ``None``, and ``notes`` tell why, beside everything else of it that has no place.
    """

    number: int
    name: str
    faction: str | None
    datasheet: str | None
    models: int | None
    copy: int
    points: int | None
    printed: int | None
    attacker: Attacker | None = None
    defender: Defender | None = None
    fielded: Fielded | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Army:
    """A list in play. ``notes`` are of what in the list belongs to no unit."""

    name: str
    faction: str | None
    edition: str
    units: tuple[ArmyUnit, ...]
    notes: tuple[str, ...] = ()

    @property
    def points(self) -> int | None:
        """What all its units cost together; ``None`` where the cost of one is not known."""
        costs = [unit.points for unit in self.units]
        return None if None in costs else sum(cost or 0 for cost in costs)

    @property
    def in_play(self) -> tuple[ArmyUnit, ...]:
        """The units that can be computed."""
        return tuple(unit for unit in self.units if unit.fielded is not None)


def army(dataset: Dataset, name: str | None = None) -> Army:
    """A list that a dataset holds, unit by unit with what it carries and costs.

    Its price is that of the dataset for the unit's size, wargear, enhancement and copy among
    equal datasheets of the list; where the list prints another one, a note tells. Units without
    a datasheet and things that are not found stay in the list, with the reason in their notes.

    Raises:
        DataError: if there is no such list, with those that there are.
    """
    roster = Roster.of(dataset, name)
    row = dataset["rosters"].row(by_predicate=pl.col("roster") == roster.name, named=True)
    if len(dataset.editions) > 1:
        dataset = dataset.of_edition(str(row["edition"]))
    mine = pl.col("roster") == roster.name
    rows = {row["unit"]: row for row in dataset["roster_units"].filter(mine).rows(named=True)}
    missing: dict[int | None, list[str]] = {}
    for lost in dataset["roster_unplaced"].filter(mine).rows(named=True):
        told = f"{lost['text']}: {lost['reason']}" if lost["text"] else lost["reason"]
        missing.setdefault(lost["unit"], []).append(told)
    names = _names(roster)
    units = []
    for unit in roster.units:
        made = _Making(dataset, roster, unit, rows[unit.number], names[unit.number])
        made.notes += missing.get(unit.number, [])
        units.append(made.unit_in_play())
    return Army(
        name=roster.name,
        faction=roster.faction,
        edition=str(row["edition"]),
        units=tuple(units),
        notes=tuple(missing.get(None, ())),
    )


def _names(roster: Roster) -> dict[int, str]:
    """The printed names; of several that are equal each has its number among them."""
    all_of_them = Counter(unit.printed for unit in roster.units)
    seen: Counter[str] = Counter()
    names = {}
    for unit in roster.units:
        seen[unit.printed] += 1
        number = f" ({seen[unit.printed]})" if all_of_them[unit.printed] > 1 else ""
        names[unit.number] = f"{unit.printed}{number}"
    return names


class _Making:
    """A unit of a list while it is put into play."""

    def __init__(
        self, dataset: Dataset, roster: Roster, unit: RosterUnit, row: Mapping[str, Any], name: str
    ) -> None:
        self._dataset, self._roster, self._unit = dataset, roster, unit
        self._row, self._name = row, name
        self.notes: list[str] = [row["note"]] if row["note"] else []

    def unit_in_play(self) -> ArmyUnit:
        unit = self._unit
        made = ArmyUnit(
            unit.number, self._name, unit.faction, unit.datasheet, unit.models,
            self._row["copy"] or 1, None, unit.points,
        )  # fmt: skip
        if unit.datasheet is None:
            self.notes.append("the dataset has no datasheet for it, so it is left out")
            return self._with_notes(made)
        carried = self._or_note(self._loadout)
        if carried is None:
            return self._with_notes(made)
        points = self._points(carried)
        name, faction, dataset = unit.datasheet, unit.faction, self._dataset
        attacks = self._or_note(lambda: attacker(dataset, name, faction, loadout=carried))
        struck = self._or_note(lambda: defender(dataset, name, faction, loadout=carried))
        in_play = None
        if attacks is not None and struck is not None:
            in_play = self._or_note(lambda: self._fielded(carried))
        return self._with_notes(
            replace(
                made,
                models=carried.models,
                points=points,
                attacker=attacks and replace(attacks, points=points),
                defender=struck and replace(struck, points=points, name=self._name),
                fielded=in_play and replace(in_play, points=points, name=self._name),
            )
        )

    def _or_note(self, make: Callable[[], T]) -> T | None:
        """What is made; what the data lacks for it becomes a note."""
        try:
            return make()
        except DataError as error:
            self.notes.append(str(error))
            return None

    def _loadout(self) -> Loadout:
        unit, name = self._unit, str(self._unit.datasheet)
        sheet = read_sheet(self._dataset, str(unit.faction), name)
        size = sum(group.count for group in unit.groups) or unit.models
        if size is None:
            size = sheet.smallest
            self.notes.append(f"its number of models is not told: {size} are assumed")
        elif unit.models not in (None, size):
            self.notes.append(f"the list has {unit.models} models of it, with groups of {size}")
        if not unit.weapons() and sheet.weapons:
            self.notes.append("the list tells no weapons of it: its default ones are assumed")
            return default_loadout(self._dataset, name, unit.faction, models=size)
        rows = self._dataset.of_unit("weapons", str(unit.faction), name)
        sorts = dict(rows.select("weapon_id", "kind").rows())
        made, assumed = loadout_of(replace(unit, models=size), sorts)
        self.notes += assumed
        return made

    def _fielded(self, carried: Loadout) -> Fielded:
        """The unit in play, also at a size that the dataset does not have for it."""
        unit = self._unit
        sheet = read_sheet(self._dataset, carried.faction, carried.datasheet)
        legal = any(least <= carried.models <= most for least, most in sheet.sizes())
        if not legal:
            self.notes.append(
                f"the dataset has no size of {carried.models} models of it, which are computed"
            )
            if carried.groups:  # these alone tell which models there are
                carried = replace(carried, models=sheet.smallest)
        return fielded(self._dataset, str(unit.datasheet), unit.faction, loadout=carried)

    def _points(self, carried: Loadout) -> int | None:
        """The dataset's price; a difference to what the list prints is noted."""
        bare = self._or_note(
            lambda: price(
                self._dataset, carried, copy=self._row["copy"] or 1, army=self._roster.faction
            )
        )
        if bare is None:
            self.notes.append(f"the dataset has no price of {carried.models} models of it")
            return None
        points = bare + self._worn()
        printed = self._unit.points
        if printed not in (None, points):
            self.notes.append(f"printed {printed} points, in the dataset {points}")
        return points

    def _worn(self) -> int:
        """What its enhancements cost: in the dataset, else as the list prints it."""
        worn = self._unit.enhancement
        if worn is None:
            return 0
        try:
            return sum(self._enhancement(name) for name in worn.split(" + "))
        except DataError as error:
            printed = int(self._row["enhancement_points"] or 0)
            self.notes.append(f"{error}; the list's {printed} points for it count")
            return printed

    def _enhancement(self, name: str) -> int:
        """The cost of one, in the list's detachments first."""
        bare = name.removesuffix("(Upgrade)").strip()
        army = self._roster.faction or str(self._unit.faction)
        tried = [f"{one} ({where})" for one in (name, bare) for where in self._roster.detachments]
        for one in (*tried, name, bare):
            try:
                return enhancement_cost(self._dataset, army, one, self._unit.faction)
            except DataError as error:
                last = error
        raise last

    def _with_notes(self, made: ArmyUnit) -> ArmyUnit:
        return replace(made, notes=tuple(dict.fromkeys(self.notes)))


def unit_table(found: Army) -> pl.DataFrame:
    """A list's units as a frame; columns are :data:`COLUMNS`."""
    return pl.DataFrame([_row(found, unit) for unit in found.units], schema=COLUMNS)


def _row(found: Army, unit: ArmyUnit) -> dict[str, Any]:
    known = unit.points is not None and unit.printed is not None
    return {
        "roster": found.name,
        "unit": unit.number,
        "name": unit.name,
        "faction": unit.faction,
        "datasheet": unit.datasheet,
        "models": unit.models,
        "copy": unit.copy,
        "points": unit.points,
        "points_printed": unit.printed,
        "points_difference": (unit.points or 0) - (unit.printed or 0) if known else None,
        "weapons": _weapons(unit.attacker),
        "attacks": unit.attacker is not None,
        "is_target": unit.defender is not None,
        "notes": list(unit.notes),
    }


def _weapons(unit: Attacker | None) -> list[str]:
    lines = unit.default_lines if unit else ()
    return list(dict.fromkeys(f"{line.count} × {line.weapon}" for line in lines))


def datasheet_in_play(
    dataset: Dataset,
    name: str,
    faction: str | None = None,
    *,
    number: int = 1,
    models: int | None = None,
    loadout: Loadout | None = None,
    copy: int = 1,
    army: str | None = None,
) -> ArmyUnit:
    """A unit of the dataset as one of a list, with its own price; size and loadout by default.

    Raises:
        DataError: if there is no such unit or size, or it has no stat line.

    >>> import killcurve
    >>> boyz = datasheet_in_play(killcurve.load(), "Boyz", "Orks")
    >>> boyz.models, boyz.points == boyz.attacker.points
    (10, True)
    """
    faction, datasheet = dataset.find(name, faction)
    attacks = attacker(
        dataset, datasheet, faction, models=models, loadout=loadout, copy=copy, army=army
    )
    carried = attacks.loadout if loadout is None else loadout
    return ArmyUnit(
        number, datasheet, faction, datasheet, attacks.models, copy, attacks.points, None,
        attacker=attacks,
        defender=defender(dataset, datasheet, faction, loadout=carried, copy=copy, army=army),
        fielded=fielded(dataset, datasheet, faction, loadout=carried, copy=copy, army=army),
    )  # fmt: skip
