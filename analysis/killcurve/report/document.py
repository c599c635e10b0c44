"""A report as a value: words, charts and tables, before it is a page or a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from killcurve.charts.export import Chart

Form = Literal["text", "whole", "number", "percent", "signed", "cost"]
"""How the cells of a column are written; ``cost`` are points, ``percent`` shares of one."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its name in the frame, what stands above it, how it is written."""

    name: str
    label: str
    form: Form = "text"
    decimals: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of a frame for people: ``caption`` says what they are, ``note`` stands below.

    ``more`` is whether it is folded away behind its caption until somebody wants it.
    """

    caption: str
    frame: pl.DataFrame
    columns: tuple[Column, ...]
    note: str = ""
    more: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart of a report; its files are ``charts/<stem>.svg`` and so on."""

    stem: str
    chart: Chart


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, paragraphs, charts and tables, in that order."""

    heading: str
    paragraphs: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report.

    ``summary`` are sentences made of the numbers, the first what a reader in a hurry needs;
    ``made`` tells how the numbers came about, and what they leave out. ``source`` is the line
    about the data, with its day; ``frames`` are all numbers, by the names of their files.
    """

    title: str
    summary: tuple[str, ...]
    sections: tuple[Section, ...]
    made: tuple[str, ...]
    source: str
    frames: Mapping[str, pl.DataFrame] = field(default_factory=dict)

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All its charts."""
        return tuple(figure for section in self.sections for figure in section.figures)
