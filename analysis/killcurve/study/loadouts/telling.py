"""Loadouts in words, as a table and as plain values, each with what the unit costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from killcurve.study.loadouts.legal import Loadouts
from killcurve.study.loadouts.prices import price
from killcurve.study.loadouts.value import Group, Loadout, Things
from killcurve.tables.dataset import Dataset

COLUMNS: dict[str, pl.DataType] = {
    "faction": pl.String(),
    "datasheet": pl.String(),
    "loadout": pl.Int64(),
    "default": pl.Boolean(),
    "models": pl.Int64(),
    "points": pl.Int64(),
    "weapons": pl.String(),
    "wargear": pl.String(),
    "groups": pl.String(),
}
"""What :func:`loadout_table` gives: a row a loadout, things as ``2 × Pike, 1 × Storm gun``."""


def loadout_table(
    dataset: Dataset, found: Loadouts, *, copy: int = 1, army: str | None = None
) -> pl.DataFrame:
    """The loadouts that are shown, one row each; columns are :data:`COLUMNS`."""
    names = _names(dataset, found)
    rows = [
        {
            "faction": one.faction,
            "datasheet": one.datasheet,
            "loadout": number,
            "default": number == 1,
            "models": one.models,
            "points": price(dataset, one, copy=copy, army=army),
            "weapons": told(one.weapons, names),
            "wargear": told(one.wargear, names),
            "groups": "; ".join(_group(group, names) for group in one.groups),
        }
        for number, one in enumerate(found.shown, start=1)
    ]
    return pl.DataFrame(rows, schema=COLUMNS)


def to_dict(dataset: Dataset, found: Loadouts) -> dict[str, Any]:
    """The loadouts as plain values, for JSON; weapons are told by id, ``names`` has their names."""
    return {
        "faction": found.shown[0].faction,
        "datasheet": found.shown[0].datasheet,
        "models": found.models,
        "total": found.total,
        "complete": found.complete,
        "unread_options": found.unread,
        "assumed": found.shown[0].assumed,
        "names": _names(dataset, found),
        "loadouts": [_plain(dataset, one) for one in found.shown],
    }


def _plain(dataset: Dataset, one: Loadout) -> dict[str, Any]:
    return {
        "points": price(dataset, one),
        "weapons": dict(one.weapons),
        "wargear": dict(one.wargear),
        "groups": [
            {
                "model": group.model,
                "count": group.count,
                "weapons": dict(group.weapons),
                "wargear": dict(group.wargear),
            }
            for group in one.groups
        ],
    }


def in_words(dataset: Dataset, found: Loadouts) -> str:
    """The loadouts for people: how many there are, then each with its points."""
    names = _names(dataset, found)
    first = found.shown[0]
    models = "1 model" if found.models == 1 else f"{found.models} models"
    lines = [f"{first.datasheet} ({first.faction}), {models}: {found.told}"]
    if first.assumed:
        lines.append("The data has no default weapons: each model is taken to carry every one.")
    if found.unread:
        lines.append(f"Options that were not understood, and are left out: {found.unread}")
    for number, one in enumerate(found.shown, start=1):
        points = price(dataset, one)
        cost = "no points known" if points is None else f"{points} points"
        label = ", the default" if number == 1 else ""
        lines.append(f"{number:4}  {cost}{label}")
        lines += [f"      {_group(group, names)}" for group in one.groups]
    return "\n".join(lines)


def told(some: Things, names: Mapping[str, str]) -> str:
    """Things with their counts.

    >>> told((("gun-2", 2), ("Horn", 1)), {"gun-2": "Storm gun"})
    '2 × Storm gun, 1 × Horn'
    """
    return ", ".join(f"{count} × {names.get(item, item)}" for item, count in some)


def _group(group: Group, names: Mapping[str, str]) -> str:
    carried = told((*group.weapons, *group.wargear), names) or "nothing"
    each = " each" if group.count > 1 else ""
    return f"{group.count} × {group.model}: {carried}{each}"


def _names(dataset: Dataset, found: Loadouts) -> dict[str, str]:
    first = found.shown[0]
    weapons = dataset.of_unit("weapons", first.faction, first.datasheet)
    return dict(weapons.select("weapon_id", "weapon").rows())
