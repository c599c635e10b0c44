"""Grids of breakpoints: what is needed for each pair of characteristics."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl

from killcurve.charts.export import Chart
from killcurve.charts.grids import Cells, draw_cells, gathered, scaled
from killcurve.charts.making import chart_kind
from killcurve.charts.words import cleaned, joined, listed, number
from killcurve.tables.dataset import DataError

MOST_STEPS = 6
"""Of changes that the title tells of."""


@chart_kind("breakpoints", needs=("row", "column", "value"), may=("label",))
def breakpoint_grid(
    frame: pl.DataFrame,
    *,
    row: str = "strength",
    column: str = "toughness",
    value: str = "need",
    label: str = "label",
    measure: str = "roll needed to wound",
    conditions: str = "",
    suffix: str = "+",
    low_is_good: bool = True,
) -> Chart:
    """Cells of a value by two characteristics, such as the roll to wound by S and T.

    ``label`` is a column of words for the cells; else the value and ``suffix`` stand in them
    (``4+``). Dark is good: low values, unless ``low_is_good`` is false.
    """
    kept = frame.filter(pl.col(value).is_finite()).sort([row, column])
    if kept.is_empty():
        raise DataError(f"no row has a value of {value!r}: nothing to draw")
    steps = _steps(kept, row, column, value)[:MOST_STEPS]
    middle = _middle(kept, column)
    title = f"Against {column} {middle}, the {measure} " + (
        f"changes at {row} {listed(steps)}" if steps else f"is the same whatever the {row}"
    )
    low, high = kept[value].min(), kept[value].max()
    return Chart(
        draw=lambda part: draw_cells(
            part, _cells(cleaned(kept), (row, column, value, label), suffix, low_is_good)
        ),
        title=title,
        subtitle=joined(f"{measure[:1].upper() + measure[1:]} by {row} (down) and {column} "
                        "(across); the darker the better", conditions),
        alt=f"Grid of {measure} for {kept[row].n_unique()} values of {row} and "
        f"{kept[column].n_unique()} of {column}, from {number(_float(low))}{suffix} to "
        f"{number(_float(high))}{suffix}. {title}.",
        data=kept,
        height=210 + 32 * min(20, kept[row].n_unique()),
    )  # fmt: skip


def _float(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")


def _middle(kept: pl.DataFrame, column: str) -> object:
    """The column's value in the middle, of which the title tells."""
    columns = kept[column].unique().sort().to_list()
    return columns[len(columns) // 2]


def _steps(kept: pl.DataFrame, row: str, column: str, value: str) -> list[str]:
    """Where the value changes in the middle column, from one row to the next."""
    line = kept.filter(pl.col(column) == _middle(kept, column)).sort(row).rows(named=True)
    return [str(after[row]) for before, after in pairwise(line) if before[value] != after[value]]


def _cells(
    kept: pl.DataFrame,
    names: tuple[str, str, str, str],
    suffix: str,
    low_is_good: bool,
) -> Cells:
    row, column, value, label = names
    rows, columns, grid = gathered(kept, row, column, value)
    columns = [str(name) for name in sorted(kept[column].unique().to_list())]
    order = [str(name) for name in kept[column].unique(maintain_order=True)]
    grid = grid[:, [order.index(name) for name in columns]]
    low, high = float(np.nanmin(grid)), float(np.nanmax(grid))
    shades = scaled(grid, low, high)
    told = {
        (str(a), str(b)): text if text is not None else ""
        for a, b, text in kept.select(
            row, column, pl.col(label).cast(pl.String) if label else pl.lit(None).alias("_")
        ).iter_rows()
    }
    words = [
        [
            told.get((one, other), "") or ("" if np.isnan(cell) else f"{number(cell)}{suffix}")
            for other, cell in zip(columns, line, strict=True)
        ]
        for one, line in zip(rows, grid, strict=True)
    ]
    return Cells(
        rows, columns, 0.08 + 0.72 * (1 - shades if low_is_good else shades), words,
        row_label=row, column_label=f"across: {column}",
    )  # fmt: skip
