"""Army lists in a dataset's folder: beside what the folder knows, each list once."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from killcurve.tables.collection import Collection
from killcurve.tables.dataset import Dataset
from killcurve.tables.layers import Layer
from killcurve.tables.roster_schemas import ROSTERS


def with_rosters(held: Collection, lists: Dataset) -> Collection:
    """A folder's layers with lists in place of those of the same names.

    Lists are no source of anything else, so they have no layer of their own: they stand in the
    one that knows most units.
    """
    old = pl.col("roster").is_in(lists["rosters"]["roster"].to_list())
    places = [layer for layer in held.layers if not (layer.borrowed or layer.raw)]
    home = max(places or held.layers, key=lambda layer: layer.dataset.datasheets.height)
    layers = []
    for layer in held.layers:
        tables = {
            table: rows.filter(~old) if table in ROSTERS else rows
            for table, rows in layer.dataset.tables.items()
        }
        if layer is home:
            tables |= {
                table: pl.concat(
                    [tables.get(table, schema.create_empty()), lists[table]], how="vertical"
                ).sort(schema.primary_key())
                for table, schema in ROSTERS.items()
            }
        layers.append(_changed(layer, tables))
    return replace(held, layers=tuple(layers))


def _changed(layer: Layer, tables: dict[str, pl.DataFrame]) -> Layer:
    """The layer with other tables; one that is as it was stays where it is kept."""
    before = layer.dataset.tables
    if set(tables) == set(before) and all(tables[t].equals(before[t]) for t in tables):
        return layer
    return replace(layer, dataset=replace(layer.dataset, tables=tables), folder="")
