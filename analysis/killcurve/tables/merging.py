"""Two datasets become one: what is new of a thing replaces what was known of it."""

from __future__ import annotations

import polars as pl

from killcurve.tables.dataset import Dataset
from killcurve.tables.schemas import SCHEMAS

OF_UNITS = ("faction", "datasheet")
"""Tables with these columns are replaced unit by unit, so that no stale row stays behind."""


def merged(old: Dataset, new: Dataset) -> Dataset:
    """The old dataset with everything that the new one has in its place.

    Tables of units are replaced unit by unit (and edition by edition), others row by row. The
    new dataset's ``about`` and counts stand.
    """
    tables = {name: _merged(name, old[name], new[name]) for name in SCHEMAS}
    return Dataset(new.about, tables, new.set_aside)


def _merged(table: str, old: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    keys = SCHEMAS[table].primary_key()
    of_units = table not in ("target_profiles", "texts") and set(OF_UNITS) <= set(keys)
    replaced = ["edition", *OF_UNITS] if of_units else keys
    kept = old.join(new.select(replaced).unique(), on=replaced, how="anti")
    return pl.concat([kept, new], how="vertical").sort(keys)
