"""Rows that name rows of another table, where the two come from different sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from killcurve.rules.spelling import normal
from killcurve.tables.schemas import SCHEMAS
from killcurve.tables.stacking import LAYER, UNIT, Frames, in_form

THINGS = ("replaces", "choices", "needs", "without")
"""Columns of wargear options that name weapons, several of them joined by " + "."""


def pointed(chosen: Frames, stack: Frames) -> tuple[dict[str, pl.DataFrame], int]:
    """The chosen rows, naming the chosen weapons and stat lines; and how many could not.

    A default weapon of another source than its unit's weapons that is not among these is left
    out.
    """
    rows, lost = dict(chosen), 0
    models, weapons = (rows.get(table, _empty(table)) for table in ("models", "weapons"))
    every = stack.get("weapons", _empty("weapons"))
    if "compositions" in rows:
        rows["compositions"] = _stat_lines(rows["compositions"], models)
    if "default_weapons" in rows:
        carried = _weapons(rows["default_weapons"], weapons, every)
        lost = rows["default_weapons"].height - carried.height
        rows["default_weapons"] = carried
    if "wargear_options" in rows:
        rows["wargear_options"] = _options(rows["wargear_options"], weapons, every)
    return rows, lost


def _empty(table: str) -> pl.DataFrame:
    return SCHEMAS[table].create_empty().with_columns(pl.lit(0, pl.Int64).alias(LAYER))


def noted(chosen: Frames, stack: Frames, borrowed: Sequence[int]) -> dict[str, pl.DataFrame]:
    """The chosen rows, each datasheet with the note of the source that its stat lines are from.

    What a page says of a stat line that it lacks goes where another source has one. Stat lines
    of ``borrowed`` layers leave the note as it is.
    """
    if "datasheets" not in chosen or "models" not in chosen:
        return dict(chosen)
    homes = _homes(chosen["models"]).filter(~pl.col("_home").is_in(list(borrowed)))
    notes = stack["datasheets"].select(*UNIT, pl.col(LAYER).alias("_home"), "note")
    sheets = chosen["datasheets"].join(homes, on=UNIT, how="left", maintain_order="left")
    is_moved = pl.col("_home").is_not_null() & (pl.col("_home") != pl.col(LAYER))
    found = sheets.join(
        notes.unique([*UNIT, "_home"], keep="first", maintain_order=True),
        on=[*UNIT, "_home"],
        how="left",
        suffix="_from",
        maintain_order="left",
    ).with_columns(pl.when(is_moved).then("note_from").otherwise("note").alias("note"))
    return {**chosen, "datasheets": found.select(chosen["datasheets"].columns)}


def _stat_lines(sizes: pl.DataFrame, models: pl.DataFrame) -> pl.DataFrame:
    """Kinds of models with the name of the stat line that they use."""
    lines = models.select(*UNIT, "model", in_form(models["model"]).alias("_form"))
    alone = lines.filter(pl.len().over(UNIT) == 1).select(*UNIT, pl.col("model").alias("_only"))
    lines = lines.unique([*UNIT, "_form"], keep="first", maintain_order=True)
    return (
        sizes.with_columns(in_form(sizes["statline"]).alias("_form"))
        .join(
            lines.rename({"model": "_named"}),
            on=[*UNIT, "_form"],
            how="left",
            maintain_order="left",
        )
        .join(alone, on=UNIT, how="left", maintain_order="left")
        .with_columns(pl.coalesce("_named", "_only", "statline").alias("statline"))
        .select(sizes.columns)
    )


def _weapons(carried: pl.DataFrame, weapons: pl.DataFrame, every: pl.DataFrame) -> pl.DataFrame:
    """Default weapons under the ids that the chosen weapons have, found by their names.

    Those of the source that the weapons are from stay as they are.
    """
    is_moved = pl.col("_home").is_not_null() & (pl.col("_home") != pl.col(LAYER))
    placed = carried.join(_homes(weapons), on=UNIT, how="left", maintain_order="left")
    ours = _named(weapons, [])
    theirs = _named(every, [LAYER])
    of_id = ours.select(*UNIT, "weapon_id", pl.col("_form").alias("_own"))
    of_name = ours.unique([*UNIT, "_form"], keep="first", maintain_order=True).rename(
        {"weapon_id": "_ours"}
    )
    found = (
        placed.filter(is_moved)
        .join(theirs, on=[*UNIT, LAYER, "weapon_id"], how="left", maintain_order="left")
        .join(of_id, on=[*UNIT, "weapon_id"], how="left", maintain_order="left")
        .join(of_name, on=[*UNIT, "_form"], how="left", maintain_order="left")
    )
    known_by_id = pl.col("_own").is_not_null() & (
        pl.col("_form").is_null() | (pl.col("_form") == pl.col("_own"))
    )
    renamed = found.with_columns(
        pl.when(known_by_id).then("weapon_id").otherwise("_ours").alias("weapon_id")
    ).filter(pl.col("weapon_id").is_not_null())
    return pl.concat(
        [placed.filter(~is_moved).select(carried.columns), renamed.select(carried.columns)]
    )


def _homes(rows: pl.DataFrame) -> pl.DataFrame:
    """The layer that the rows of each unit are from."""
    return rows.select(*UNIT, pl.col(LAYER).alias("_home")).unique()


def _named(weapons: pl.DataFrame, more: list[str]) -> pl.DataFrame:
    """The ids of weapons with their names in normal form."""
    return weapons.select(
        *UNIT, *more, "weapon_id", in_form(weapons["weapon"]).alias("_form")
    ).unique([*UNIT, *more, "weapon_id"], keep="first", maintain_order=True)


def _options(options: pl.DataFrame, weapons: pl.DataFrame, every: pl.DataFrame) -> pl.DataFrame:
    """Options of units whose weapons are from another source, in the names of those weapons."""
    moved = (
        options.join(_homes(weapons), on=UNIT)
        .filter(pl.col(LAYER) != pl.col("_home"))
        .drop("_home")
    )
    if moved.is_empty():
        return options
    units = moved.select(UNIT).unique()
    ours: dict[tuple[Any, ...], dict[str, str]] = {}
    for row in weapons.join(units, on=UNIT).select(*UNIT, "weapon").rows():
        ours.setdefault(row[:-1], {}).setdefault(normal(row[-1]), row[-1])
    known = every.join(units, on=UNIT).select(*UNIT, LAYER, "weapon_id", "weapon")
    ids = {row[:-1]: row[-1] for row in known.rows()}
    renamed = []
    for option in moved.rows(named=True):
        unit = tuple(option[name] for name in UNIT)
        for column in THINGS:
            if option.get(column) is not None:
                option[column] = [
                    " + ".join(
                        ours[unit].get(normal(ids.get((*unit, option[LAYER], part), part)), part)
                        for part in thing.split(" + ")
                    )
                    for thing in option[column]
                ]
        renamed.append(option)
    rest = options.join(units, on=UNIT, how="anti")
    return pl.concat([rest, pl.DataFrame(renamed, schema=options.schema)])
