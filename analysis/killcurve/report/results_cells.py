"""Cells that tables of results share: intervals, p-values, and a flag for rows of few games."""

from __future__ import annotations

import polars as pl

from killcurve.report.document import Column

FLAG = "too few"


def interval(low: str, high: str, name: str = "interval") -> pl.Expr:
    """Two rates as one text, in percent.

    >>> pl.DataFrame({"low": [0.445], "high": [0.6]}).select(interval("low", "high")).item()
    '44.5–60.0\xa0%'
    """
    ends = [
        (100 * pl.col(end)).round(1).map_elements(_tenths, return_dtype=pl.String)
        for end in (low, high)
    ]
    return pl.concat_str([ends[0], pl.lit("–"), ends[1], pl.lit("\u00a0%")]).alias(name)


def _tenths(value: float) -> str:
    return f"{value:.1f}"


def p_value(name: str) -> pl.Expr:
    """A p-value as text: three digits, never 0; a dash where nothing was tested.

    >>> pl.DataFrame({"p": [0.0412, 1e-9]}).select(p_value("p"))["p"].to_list()
    ['0.041', '< 0.001']
    """
    return pl.col(name).map_elements(
        lambda p: "< 0.001" if p < 0.001 else f"{p:.3f}", return_dtype=pl.String
    )


def flag(enough: str = "enough") -> pl.Expr:
    """A word for rows that have too few games to be tested or named."""
    return pl.when(pl.col(enough)).then(pl.lit("")).otherwise(pl.lit(FLAG)).alias("flag")


FLAGGED = Column("flag", "Sample")
