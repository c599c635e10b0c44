"""What the dataset asks for a unit of a list, and whether a list's sum is what it prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from killcurve.sources.rosters.names import find, key
from killcurve.sources.rosters.places import Placed
from killcurve.sources.rosters.sheets import Row, Sheet, Sheets


@dataclass(frozen=True, slots=True)
class Carried:
    """How many of a thing a unit has: what prices of wargear and added models go by."""

    name: str
    count: int


def price(
    sheets: Sheets,
    placed: Placed,
    models: int | None,
    copy: int,
    carried: Iterable[Carried],
    armies: Sequence[str],
) -> int | None:
    """What the ``copy``-th unit of that size costs in an army, with what it pays for wargear.

    ``None`` where the dataset has no price for that size.
    """
    sheet = sheets.sheet(placed.faction, placed.datasheet)
    if models is None:
        return None
    own = _of_size(_in_army(sheets, sheet, placed, armies), models, copy)
    if own is None:
        own = _of_size(sheet.rows.get("points", []), models, copy)
    if own is None:
        return None
    return own + extras(sheet, carried)


def extras(sheet: Sheet, carried: Iterable[Carried]) -> int:
    """What a unit pays for its wargear and added models."""
    costs = {key(row["item"]): row for row in sheet.rows.get("wargear_costs", ())}
    total = 0
    for one in carried:
        row = find(one.name, costs)
        if row is not None:
            total += int(row["cost"]) * one.count
    return total


def _in_army(sheets: Sheets, sheet: Sheet, placed: Placed, armies: Sequence[str]) -> list[Row]:
    """The prices that units of another faction (or chapter) have in an army."""
    words = {word for army in armies for word in sheets.faction_words.get(army, ())}
    return [
        row
        for row in sheet.rows.get("allied_points", ())
        if row["army"] in armies
        or (placed.faction not in armies and row["army"].casefold() in words)
    ]


def _of_size(rows: Sequence[Row], models: int, copy: int) -> int | None:
    """The price of the smallest listed size that holds so many models."""
    fitting = [
        row
        for row in rows
        if row["copies_from"] <= copy
        and (row["copies_to"] is None or row["copies_to"] >= copy)
        and row["models_max"] >= models
    ]
    if not fitting:
        return None
    return int(min(fitting, key=lambda row: (row["models_max"], row["models"]))["cost"])


def size_by_price(sheet: Sheet, points: int | None, copy: int) -> int | None:
    """The number of models that a printed price is for, if it is that of one size only."""
    sizes = {
        row["models"]
        for row in sheet.rows.get("points", ())
        if row["cost"] == points
        and row["copies_from"] <= copy
        and (row["copies_to"] is None or row["copies_to"] >= copy)
    }
    return sizes.pop() if len(sizes) == 1 else None


def sum_in_words(printed: int | None, units: int | None) -> str:
    """Whether a list's total is the sum of its units.

    >>> sum_in_words(1995, 1985)
    'the list prints 1,995 points, its units add up to 1,985: 10 less'
    >>> sum_in_words(1995, 1995)
    'the list prints 1,995 points, and its units add up to that'
    """
    if units is None:
        return "no unit of the list has points"
    if printed is None:
        return f"the list prints no total; its units add up to {units:,} points"
    if printed == units:
        return f"the list prints {printed:,} points, and its units add up to that"
    more = "more" if units > printed else "less"
    return (
        f"the list prints {printed:,} points, its units add up to {units:,}: "
        f"{abs(units - printed):,} {more}"
    )
