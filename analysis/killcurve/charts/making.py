"""What all kinds of charts share: their columns are looked for, and how each was made is kept."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ParamSpec

import polars as pl

from killcurve.charts.export import Chart
from killcurve.rules.spelling import did_you_mean
from killcurve.tables.dataset import DataError

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Made:
    """How a chart was made: what makes it again, to the byte."""

    kind: str
    frame: pl.DataFrame
    settings: Mapping[str, Any]


def chart_kind(
    kind: str, needs: tuple[str, ...] = (), may: tuple[str, ...] = (), *, empty: bool = False
) -> Callable[[Callable[P, Chart]], Callable[P, Chart]]:
    """Make a function from a frame to a chart a kind: its columns are checked before it draws.

    ``needs`` are parameters that name columns, each of which the frame must have; those of
    ``may`` name columns that it may have: a default that is missing becomes empty.
    ``empty`` leaves it to the function to say what is wrong with a frame without rows.
    """

    def decorated(function: Callable[P, Chart]) -> Callable[P, Chart]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def made(*args: P.args, **kwargs: P.kwargs) -> Chart:
            bound = signature.bind(*args, **kwargs)
            asked = dict(bound.arguments)
            bound.apply_defaults()
            frame = bound.arguments["frame"] = plain(bound.arguments["frame"])
            for name in needs:
                _look_for(bound.arguments[name], name, kind, frame)
            for name in may:
                if asked.get(name):
                    _look_for(asked[name], name, kind, frame)
                elif bound.arguments[name] not in frame.columns:
                    bound.arguments[name] = ""
            if frame.is_empty() and not empty:
                raise DataError(f"the frame for a chart {kind!r} has no rows: nothing to draw")
            chart = function(*bound.args, **bound.kwargs)
            settings = {name: value for name, value in asked.items() if name != "frame"}
            return dataclasses.replace(chart, made=Made(kind, frame, settings))

        made.needs = needs  # type: ignore[attr-defined]
        made.may = may  # type: ignore[attr-defined]
        return made

    return decorated


def plain(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame in the few kinds of columns that charts know; numbers that are none are null.

    >>> frame = pl.DataFrame({"x": [float("inf"), 1.0], "n": pl.Series([1, 2], dtype=pl.Int8)})
    >>> plain(frame).schema
    Schema([('x', Float64), ('n', Int64)])
    """
    return frame.select(_plain(name, kind) for name, kind in frame.schema.items())


def _plain(name: str, kind: pl.DataType) -> pl.Expr:
    column = pl.col(name)
    if kind.is_integer():
        return column.cast(pl.Int64)
    if kind.is_float() or kind.is_decimal():
        number = column.cast(pl.Float64)
        return pl.when(number.is_finite()).then(number).alias(name)
    if kind in {pl.Boolean, pl.Date}:
        return column
    if kind == pl.Datetime:
        return column.cast(pl.Date)
    if isinstance(kind, pl.List):
        return column.cast(pl.List(pl.String))
    return column.cast(pl.String)


def _look_for(column: str, parameter: str, kind: str, frame: pl.DataFrame) -> None:
    if column not in frame.columns:
        raise DataError(
            f"a chart {kind!r} takes its {parameter} from a column {column!r}, and the frame has "
            f"none{did_you_mean(column, frame.columns)}; it has: {', '.join(frame.columns)}. "
            f"Name the column: {parameter}=COLUMN"
        )
