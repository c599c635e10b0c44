"""Survival curves: the chance to slay at least k models, or to do at least k damage."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from killcurve.engine.pmf import Pmf


def survival(laws: Mapping[str, Pmf], most: int) -> pl.DataFrame:
    """P(X >= k) for k from 0 to ``most``: columns ``series``, ``k``, ``chance``.

    >>> survival({"gun": Pmf([0.25, 0.5, 0.25])}, most=3)["chance"].to_list()
    [1.0, 0.75, 0.25, 0.0]
    """
    rows = [
        {"series": name, "k": k, "chance": min(1.0, law.at_least(k))}
        for name, law in laws.items()
        for k in range(most + 1)
    ]
    return pl.DataFrame(rows, schema={"series": pl.String, "k": pl.Int64, "chance": pl.Float64})
