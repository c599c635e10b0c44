"""Tables of a report as HTML: formatted, escaped, with a caption and headers for every reader."""

from __future__ import annotations

import re

import polars as pl

from killcurve.charts.words import percent, readable
from killcurve.report.document import Column, Table

NOTHING = "–"
LONG = 36
"""Characters from which on a cell is broken into lines."""
TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Signs that set the direction of all that follows; letters know their own without."""
MOST_CHARACTERS = 120
"""Of one cell; longer texts end with an ellipsis, the whole text is in the numbers' files."""


def as_html(table: Table, name: str) -> str:
    r"""The table as HTML; ``name`` (letters, digits, dashes) is its id on the page.

    >>> import polars as pl
    >>> rows = pl.DataFrame({"unit": ["<b>Mole</b>"], "chance": [0.25], "won": [None]},
    ...     schema_overrides={"won": pl.Float64})
    >>> html = as_html(Table("Moles", rows, (Column("unit", "Unit"),
    ...     Column("chance", "P(slain)", "percent"), Column("won", "Gain", "signed"))), "moles")
    >>> "&lt;b&gt;Mole" in html, "25.0\u00a0%" in html, html.count("<th "), "–" in html
    (True, True, 3, True)
    >>> rare = Table("Moles", rows.with_columns(chance=0.0004), (Column("chance", "P", "percent"),))
    >>> "0.04\u00a0%" in as_html(rare, "moles")
    True
    """
    from great_tables import GT

    shown = table.frame.select(_texts(table.frame, column) for column in table.columns)
    made = GT(shown, id=name).cols_label({c.name: c.label for c in table.columns})
    for column in table.columns:
        made = _formatted(made, column)
    numbers = [column.name for column in table.columns if column.form != "text"]
    made = made.sub_missing(missing_text=NOTHING)
    made = made.cols_align("right", columns=numbers) if numbers else made
    # One style for all tables stands in the page: those of great_tables' own are long, one a table.
    html = re.sub(r"<style>.*?</style>", "", made.as_raw_html(), flags=re.DOTALL)
    # Headers have their scope; ids made of labels would come again in every table.
    html = re.sub(r'(<t[hd]\b[^>]*?) (?:id|headers)="[^"]*"', r"\1", html)
    html = html.replace(" %</td>", "\u00a0%</td>")
    html = re.sub(rf'<td class="([^"]*)">(?=[^<]{{{LONG},}})', r'<td class="\1 long">', html)
    html = re.sub(
        r'<td class="([^"]*)">(?=(?:[^<A-Za-z]| to )*</td>)', r'<td class="\1 figures">', html
    )
    return re.sub(r'(<div id="[^"]*") style="[^"]*"', r"\1", html, count=1)


def _texts(frame: pl.DataFrame, column: Column) -> pl.Expr:
    """A column as it is given to the table: texts readable and no longer than a cell bears."""
    if column.form != "text":
        return pl.col(column.name)
    found = pl.col(column.name)
    kind = frame.schema[column.name]
    if isinstance(kind, pl.List):
        found = found.cast(pl.List(pl.String)).list.join("; ")
    return found.cast(pl.String).map_elements(_short, return_dtype=pl.String)


def plain(text: str) -> str:
    r"""The text without signs that no file may hold, or that turn the words behind it around.

    >>> plain("Moles \u202e of\x00 2026")
    'Moles  of\ufffd 2026'
    """
    return TURNING.sub("", readable(text))


def _short(text: str) -> str:
    shown = plain(text)
    return shown if len(shown) <= MOST_CHARACTERS else f"{shown[: MOST_CHARACTERS - 1]}…"


def _formatted(made, column: Column):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - great_tables' own
    if column.form in ("whole", "cost"):
        return made.fmt_integer(columns=column.name)
    if column.form == "percent":
        # A small chance is told with more digits, so that it is not taken for none.
        return made.fmt(lambda value: percent(value, column.decimals), columns=column.name)
    if column.form == "number":
        return made.fmt_number(columns=column.name, decimals=column.decimals)
    if column.form == "signed":
        return made.fmt_number(columns=column.name, decimals=column.decimals, force_sign=True)
    return made
