"""Army lists for people: units, what they carry, what has no place, and the sum."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from killcurve.sources.rosters.prices import sum_in_words
from killcurve.sources.wahapedia.account import Row
from killcurve.tables.dataset import Dataset

_ORDINAL = {"10e": "10th edition", "11e": "11th edition"}


def rosters_in_words(lists: Dataset) -> str:
    """All lists of a dataset, one after the other."""
    rosters = lists["rosters"].rows(named=True)
    return "\n\n".join("\n".join(_list(lists, roster)) for roster in rosters)


def _list(lists: Dataset, roster: Row) -> Iterator[str]:
    tables = {
        table: lists[table].filter(pl.col("roster") == roster["roster"])
        for table in ("roster_units", "roster_models", "roster_weapons", "roster_unplaced")
    }
    yield f"{roster['roster']} ({roster['form']}): {_army(roster)}"
    units = tables["roster_units"].rows(named=True)
    width = min(max((len(unit["printed"]) for unit in units), default=0), 44)
    for unit in units:
        yield _unit(unit, units, width)
        yield from _loadout(unit, tables)
    yield from _unplaced(tables["roster_unplaced"], units)
    yield f"sum: {sum_in_words(roster['points_printed'], roster['points_units'])}"
    total, limit = roster["points_printed"] or roster["points_units"], roster["points_limit"]
    if limit is not None and total is not None and total > limit:
        yield f"  {total - limit:,} points above its limit of {limit:,}"
    yield from _prices(units, roster)


def _army(roster: Row) -> str:
    parts = [roster["faction"] or "army unknown"]
    parts += [", ".join(roster["detachments"])] if roster["detachments"] else []
    parts += [", ".join(roster["force_dispositions"])] if roster["force_dispositions"] else []
    total, limit = roster["points_printed"], roster["points_limit"]
    if roster["list_edition"] is not None:
        parts.append(_ORDINAL[str(roster["list_edition"])])
    if total is not None:
        parts.append(f"{total:,} of {limit:,} points" if limit else f"{total:,} points")
    return " · ".join(parts)


def _unit(unit: Row, units: list[Row], width: int) -> str:
    models = unit["models"]
    size = "? models" if models is None else f"{models} model{'' if models == 1 else 's'}"
    points = "?" if unit["points_printed"] is None else str(unit["points_printed"])
    said = []
    if unit["datasheet"] is None:
        said.append("not placed")
    elif unit["datasheet"].casefold() != unit["printed"].casefold():
        said.append(f"= {unit['datasheet']}")
    said += ["warlord"] if unit["warlord"] else []
    if unit["enhancement"]:
        cost = unit["enhancement_points"]
        said.append(f"{unit['enhancement']}{f' ({cost})' if cost else ''}")
    said += [_attached(unit, units)] if unit["attached_as"] else []
    tail = f"  {'; '.join(said)}" if said else ""
    return f"{unit['unit']:4}  {unit['printed']:{width}}  {size:>9}  {points:>5}{tail}"


def _attached(unit: Row, units: list[Row]) -> str:
    if unit["attached_to"] is not None:
        guard = units[unit["attached_to"] - 1]
        how = "leads" if unit["attached_as"] == "leader" else "supports"
        return f"{how} {unit['attached_to']} ({guard['printed']})"
    led = [str(one["unit"]) for one in units if one["attached_to"] == unit["unit"]]
    return f"led by {', '.join(led)}" if led else f"attached as {unit['attached_as']}"


def _loadout(unit: Row, tables: dict[str, pl.DataFrame]) -> Iterator[str]:
    of_unit = {table: rows.filter(pl.col("unit") == unit["unit"]) for table, rows in tables.items()}
    groups = of_unit["roster_models"].rows(named=True)
    carried: dict[int, list[Row]] = {}
    for row in of_unit["roster_weapons"].rows(named=True):
        carried.setdefault(row["group"], []).append(row)
    if 0 in carried:
        yield f"        {_items(carried[0])}"
    for group in groups:
        items = _items(carried.get(group["group"], []))
        if len(groups) == 1 and group["count"] == 1:
            yield f"        {items}" if items else "        nothing is named"
        else:
            yield f"        {group['count']} {group['printed']}{f': {items}' if items else ''}"


def _items(rows: list[Row]) -> str:
    named = [
        f"{row['count']} {row['printed']}" if row["count"] > 1 else row["printed"] for row in rows
    ]
    default = any(row["is_default"] for row in rows)
    return ", ".join(named) + (" (not printed: by default)" if default else "")


def _unplaced(unplaced: pl.DataFrame, units: list[Row]) -> Iterator[str]:
    """What has no place; the same thing of several units in one line."""
    rows = unplaced.filter(pl.col("text").is_not_null() | pl.col("unit").is_not_null())
    same: dict[tuple[str, str], list[Row]] = {}
    for row in rows.rows(named=True):
        same.setdefault((row["text"] or "", row["reason"]), []).append(row)
    if same:
        yield "without a place in the dataset:"
    for (text, reason), found in same.items():
        where = _where(found, units)
        nearest = found[0]["nearest"]
        near = f"; nearest: {', '.join(nearest)}" if nearest else ""
        yield f"  {text!r}{where}: {reason}{near}"
    heading = unplaced.height - rows.height
    if heading:
        lines = "1 line of the heading says" if heading == 1 else f"{heading} lines of it say"
        yield f"  {lines} nothing of the army"


def _where(found: list[Row], units: list[Row]) -> str:
    lines = sorted({row["line"] for row in found if row["line"] is not None})
    if lines:
        return f" (line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))})"
    numbers = sorted({row["unit"] for row in found if row["unit"] is not None})
    names = [f"{number} {units[number - 1]['printed']}" for number in numbers]
    return f" (of {', '.join(names)})" if names else ""


def _prices(units: list[Row], roster: Row) -> Iterator[str]:
    """Units whose printed price is another one than the dataset's."""
    other = [
        unit
        for unit in units
        if None not in (unit["points_printed"], unit["points_dataset"])
        and unit["points_printed"] != unit["points_dataset"]
    ]
    if not other:
        return
    yield f"prices: {len(other)} of {len(units)} units cost something else in the dataset"
    for unit in other:
        more = unit["points_dataset"] - unit["points_printed"]
        yield (
            f"  {unit['unit']} {unit['printed']}: printed {unit['points_printed']}, "
            f"in the dataset {unit['points_dataset']} ({more:+})"
        )
    if roster["points_dataset"] is not None:
        yield f"  the whole list costs {roster['points_dataset']:,} points in the dataset"
