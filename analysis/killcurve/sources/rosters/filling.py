"""What a list leaves out of a unit, by its datasheet: the number and kinds of its models."""

from __future__ import annotations

from collections import defaultdict

from killcurve.sources.rosters.listed import ListedUnit
from killcurve.sources.rosters.loadouts import Group, Loadout
from killcurve.sources.rosters.prices import size_by_price
from killcurve.sources.rosters.sheets import Row, Sheet


def fill(
    unit: ListedUnit, sheet: Sheet, made: Loadout, points: int | None
) -> tuple[int | None, list[str]]:
    """Give a unit the models that its list does not name; their number, and notes.

    ``points`` are those of the unit without its enhancements.
    """
    if made.groups:
        return made.models, []
    models, notes = _number(unit, sheet, made, points)
    if models is None:
        return None, notes
    if models == 1:
        kinds = of_size(sheet, 1)
        names = {group.name for group in kinds} or set(sheet.models.values())
        made.groups.append(Group(names.pop() if len(names) == 1 else unit.printed, 1, made.own))
        made.own = []
        return 1, notes
    made.groups += of_size(sheet, models)
    for thing in made.own:
        if not thing.counted:
            thing.count, thing.counted = models, True
    return models, notes


def _number(
    unit: ListedUnit, sheet: Sheet, made: Loadout, points: int | None
) -> tuple[int | None, list[str]]:
    if unit.size is not None:
        return unit.size, []
    if not sheet.is_known:
        return (1, []) if made.own else (None, [])
    smallest = sheet.smallest
    if smallest is None or smallest == 1:
        return 1, []
    found = size_by_price(sheet, points, 1)
    if found is not None:
        return found, [f"the list names no models: {found} by its points"]
    return smallest, [f"the list names no models: taken as its smallest size, {smallest}"]


def of_size(sheet: Sheet, models: int) -> list[Group]:
    """The models of a unit of some size, as far as its composition tells them."""
    tiers: dict[int, list[Row]] = defaultdict(list)
    for row in sheet.rows.get("compositions", ()):
        tiers[row["tier"]].append(row)
    for rows in tiers.values():
        least = sum(row["count_min"] for row in rows)
        most = sum(row["count_max"] for row in rows)
        if least <= models <= most:
            return _filled(rows, models - least)
    return []


def _filled(rows: list[Row], more: int) -> list[Group]:
    """Each kind at its least, and what is left where there is room."""
    groups = []
    for row in sorted(rows, key=lambda row: row["count_min"] - row["count_max"]):
        added = min(more, row["count_max"] - row["count_min"])
        more -= added
        if row["count_min"] + added:
            groups.append(Group(row["model"], row["count_min"] + added))
    return groups
