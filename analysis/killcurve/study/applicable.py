"""Which stratagems a faction's army may use, core ones once, whoever has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import polars as pl

from killcurve.rules.spelling import normal
from killcurve.tables.dataset import Dataset
from killcurve.tables.reference import EVERYWHERE, compared, core_stratagems, lookup


def army_stratagems(
    dataset: Dataset, faction: str, sheets: str, edition: str
) -> list[Mapping[str, Any]]:
    """The stratagems with effects that a faction's army may use, as rows of the dataset's table.

    ``sheets`` is the edition of its datasheets, ``edition`` the rule state. A core stratagem is the
    dataset's (the faction's own page before a row for all factions), else the reference's. Where
    the dataset has it again for another way to play, it is left out.
    """
    found = dataset.stratagems.filter(
        (pl.col("edition") == sheets)
        & pl.col("faction").is_in([faction, ""])
        & (pl.col("effects").list.len() > 0)
    ).sort("faction", descending=True)
    core: dict[str, Mapping[str, Any]] = {}
    others = []
    for row in found.rows(named=True):
        if row["detachment"]:
            others.append(row)
        elif edition == sheets:
            core.setdefault(_core_key(row["name"], edition), row)
    for entry in core_stratagems(edition):
        core.setdefault(compared(entry.name), asdict(entry))
    again = [
        row
        for row in others
        if normal(row["detachment"]) in EVERYWHERE and _core_key(row["name"], edition) in core
    ]
    return [*core.values(), *(row for row in others if row not in again)]


def _core_key(name: str, edition: str) -> str:
    """A core stratagem's name as it is compared, whichever edition it has the name from."""
    entry = lookup("stratagem", edition, "", "", name)
    return compared(name if entry is None else entry.name)
