"""Several layers become one dataset: by field, the source that is believed first gives the value.

Rows that belong together, such as the weapons of a unit, come from one source. Cells that it
leaves open, and cells of another field than their row's, come from the first source that has
them; the table ``origins`` tells which. Editions never mix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from killcurve.tables.about import together
from killcurve.tables.building import effect_rows, frame
from killcurve.tables.cells import dated, filled
from killcurve.tables.dataset import Dataset
from killcurve.tables.joining import joined
from killcurve.tables.layers import Layer, group_of
from killcurve.tables.origins import key_of
from killcurve.tables.precedence import STATED, Precedence
from killcurve.tables.references import noted, pointed
from killcurve.tables.schemas import SCHEMAS
from killcurve.tables.stacking import RANK, Frames, Ranks, ranked, stacked

TOGETHER = (
    ("weapons", "weapon_keywords"),
    ("compositions", "default_weapons"),
    ("points", "allied_points", "wargear_costs"),
)
"""Tables whose rows of a unit come from one source: the first that has rows of the first table."""

FIELDS = {
    "points": "prices",
    "detachments": "rules",
    "stratagems": "rules",
    "enhancements": "rules",
}
"""Whose precedence decides where a table's rows come from; that of other tables is ``profiles``."""

DERIVED = ("effects", "origins")
AS_STATED = Precedence()
LOST = "its weapon is not among those of the source that the unit's weapons are from"


def merged(layers: Sequence[Layer], precedence: Precedence = AS_STATED) -> Dataset:
    """The dataset that layers make together, whatever their order."""
    layers = named(layers, precedence)
    sources = [(layer.about, layer.borrowed) for layer in layers]
    ranks = {field: precedence.ranked(field, sources) for field in STATED}
    stack = _stack([layer.dataset for layer in layers])
    rows, lost = pointed(_chosen(stack, ranks), stack)
    rows = noted(rows, stack, [i for i, layer in enumerate(layers) if layer.borrowed])
    own = tuple(layer.about for layer in layers if not layer.borrowed)
    about = together(own) or layers[0].about
    tables, origins = {}, []
    for table, chosen in rows.items():
        whole, told = filled(table, chosen, stack, ranks, FIELDS.get(table, "profiles"))
        tables[table] = _tidy(table, whole)
        origins.append(told)
    if origins:
        tables["origins"] = dated(pl.concat(origins), Dataset(about, {}, sources=own))
        tables["effects"] = _effects(tables)
    aside = {"default_weapons": {LOST: lost}} if lost else {}
    return Dataset(about, tables, aside, own, precedence.prefer)


def named(layers: Sequence[Layer], precedence: Precedence = AS_STATED) -> list[Layer]:
    """The layers under common names, the one whose profiles are believed first in front."""
    layers = sorted(layers, key=lambda layer: layer.name)
    ranks = precedence.ranked("profiles", [(layer.about, layer.borrowed) for layer in layers])
    return joined([layers[i] for i in sorted(range(len(layers)), key=lambda i: ranks[i])])


def _stack(datasets: Sequence[Dataset]) -> dict[str, pl.DataFrame]:
    """The rows of all datasets, for each table that has any."""
    tables = [table for table in SCHEMAS if table not in DERIVED]
    return {t: stacked(t, datasets) for t in tables if any(d[t].height for d in datasets)}


def _chosen(stack: Frames, ranks: Ranks) -> dict[str, pl.DataFrame]:
    """The rows of each table that stand: of each unit (or rule) those of one layer."""
    led = {table for tables in TOGETHER for table in tables}
    chosen = {}
    for lead, *others in (*TOGETHER, *((table,) for table in stack if table not in led)):
        group, rank = group_of(lead), ranks[FIELDS.get(lead, "profiles")]
        rows = {t: ranked(stack[t], rank) for t in (lead, *others) if t in stack}
        if not rows:
            continue
        heads = [
            every.select(*group, RANK, pl.lit(table != lead).alias("_led")).unique()
            for table, every in rows.items()
        ]
        best = pl.concat(heads).sort("_led", RANK).unique(group, keep="first", maintain_order=True)
        for table, every in rows.items():
            found = every.join(best, on=[*group, RANK], how="semi", maintain_order="left")
            chosen[table] = found.drop(RANK)
    return chosen


def _tidy(table: str, rows: pl.DataFrame) -> pl.DataFrame:
    """The rows in the table's columns, sorted by key; of one key the first row stays."""
    keys = SCHEMAS[table].primary_key()
    rows = rows.select(SCHEMAS[table].column_names())
    return rows.unique(keys, keep="first", maintain_order=True).sort(keys)


def _effects(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """The effects of all rules, each with the source that its phrases are from."""
    phrases = tables["origins"].filter(pl.col("column") == "effects")
    ruled = {}
    for table in {"stratagems", "enhancements", "detachments"} & set(tables):
        rows = tables[table].with_columns(key_of(SCHEMAS[table].primary_key()).alias("key"))
        moved = phrases.filter(pl.col("table") == table).select(
            "edition", "key", "source", "version"
        )
        ruled[table] = rows.join(
            moved, on=["edition", "key"], how="left", suffix="_from", maintain_order="left"
        ).with_columns(pl.coalesce(f"{c}_from", c).alias(c) for c in ("source", "version"))
    return _tidy("effects", frame("effects", effect_rows(ruled)))
