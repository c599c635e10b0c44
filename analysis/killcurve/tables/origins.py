"""Values that come from another source than the row they stand in."""

from __future__ import annotations

import dataframely as dy
import polars as pl

from killcurve.tables.sourced import Sourced

BETWEEN = " | "
"""Stands between the values of a row's key."""


class Origins(Sourced):
    """Where single values come from, if not from their row's own source: one row a value.

    ``key`` are the values of the row's primary key in the order of its columns, without the
    edition. ``date`` is the day of the source's rules, null where it is not known.
    """

    table = dy.String(primary_key=True, min_length=1)
    key = dy.String(primary_key=True, min_length=1)
    column = dy.String(primary_key=True, min_length=1)
    date = dy.String(nullable=True)


def key_of(primary_key: list[str]) -> pl.Expr:
    """The ``key`` of a table's rows."""
    names = [pl.col(name).cast(pl.String) for name in primary_key if name != "edition"]
    return pl.concat_str(names, separator=BETWEEN)
