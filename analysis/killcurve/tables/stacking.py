"""Rows of several layers in one frame, each with the number of its layer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import polars as pl

from killcurve.rules.spelling import normal
from killcurve.tables.dataset import Dataset

LAYER = "_layer"
RANK = "_rank"
UNIT = ["edition", "faction", "datasheet"]

Frames = Mapping[str, pl.DataFrame]
Ranks = Mapping[str, Sequence[int]]
"""By field, the rank of each layer: 0 for the one believed first."""


def stacked(table: str, datasets: Sequence[Dataset]) -> pl.DataFrame:
    """The rows of a table of all datasets."""
    return pl.concat(
        dataset[table].with_columns(pl.lit(i, pl.Int64).alias(LAYER))
        for i, dataset in enumerate(datasets)
    )


def ranked(rows: pl.DataFrame, ranks: Sequence[int]) -> pl.DataFrame:
    """Rows with the rank of their layer."""
    rank = pl.col(LAYER).replace_strict(range(len(ranks)), list(ranks), return_dtype=pl.Int64)
    return rows.with_columns(rank.alias(RANK))


def in_form(names: pl.Series, form: Callable[[str], str] = normal) -> pl.Series:
    """Names in the form in which they are compared.

    >>> in_form(pl.Series(["C’tan", "BOYZ"])).to_list()
    ["c'tan", 'boyz']
    """
    forms = {name: form(name) for name in names.drop_nulls().unique()}
    return names.replace_strict(forms, default=None, return_dtype=pl.String)
