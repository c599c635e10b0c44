"""From the text of a file to its header and rows, in each of the forms that are about.

As downloaded, cells are separated by ``|``, every line ends with one more, nothing is quoted,
and fields may contain newlines: a row is over when its ``|`` are complete. A spreadsheet that
opened such a file as commas and saved it with ``|`` puts whole rows into quotes, with ``"|"``
for the commas of texts. Another one saves a usual CSV, with an empty last column.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator

from killcurve.sources.wahapedia.files import AGAIN
from killcurve.tables.dataset import DataError

MOST_IN_ROW = 1_000_000
"""No row of a real export has a tenth as many characters."""

_NAMELESS = re.compile(r"|Column\d+|Unnamed: \d+|_duplicated_\d+")

Cells = tuple[str, ...]


def read_cells(text: str, name: str) -> tuple[Cells, list[Cells]]:
    """The header and the rows, cells without the space around them.

    Raises:
        DataError: naming the file and the line where a row has too few or too many cells.

    >>> read_cells("id|text|\\n01|5\\" of\\nrope |\\n", "X.csv")
    (('id', 'text'), [('01', '5" of\\nrope')])
    >>> read_cells('"id|text|"\\n"01|one"|" two ""|"\\n', "X.csv")
    (('id', 'text'), [('01', 'one, two "')])
    >>> read_cells("id,text,Column1\\n1,'one',\\n", "X.csv")
    (('id', 'text'), [('1', "'one'")])
    >>> read_cells("id|text|\\n01|o", "X.csv")
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: X.csv is cut off within the row of line 2: download the \
export again and keep its files as they are
    """
    first = text.partition("\n")[0]
    try:
        if text.startswith('"') and "|" in first:
            rows = _by_count(_unquoted(text), name)
        elif "|" in first:
            rows = _by_count(text.split("\n"), name)
        else:
            rows = _by_commas(text, name)
        header = next(rows, ())
        return _without_nameless(header, list(rows), name)
    except csv.Error as error:
        raise DataError(f"{name} is no table that can be read ({error}): {AGAIN}") from None


def _by_count(lines: Iterable[str], name: str) -> Iterator[Cells]:
    """Rows of as many ``|`` as the first line has."""
    width = 0
    parts: list[str] = []
    bars = size = start = 0
    for number, line in enumerate(lines, start=1):
        if not parts and not line.strip():
            continue
        start = start if parts else number
        parts.append(line)
        bars += line.count("|")
        size += len(line)
        width = width or bars
        if bars > width:
            raise DataError(
                f"{name}, line {start}: the row has {bars} separators instead of {width}; the "
                f"file is damaged: {AGAIN}"
            )
        if size > MOST_IN_ROW:
            raise DataError(
                f"{name}, line {start}: a row of more than {MOST_IN_ROW:,} characters is no row "
                f"of an export: {AGAIN}"
            )
        if bars == width:
            yield tuple(map(str.strip, "\n".join(parts).split("|")))
            parts, bars, size = [], 0, 0
    if any(part.strip() for part in parts):
        raise DataError(f"{name} is cut off within the row of line {start}: {AGAIN}")


def _unquoted(text: str) -> Iterator[str]:
    """The rows as they were before a spreadsheet split them at commas and quoted the parts."""
    for parts in csv.reader(io.StringIO(text, newline=""), delimiter="|", strict=True):
        yield ",".join(parts).rstrip(", ")


def _by_commas(text: str, name: str) -> Iterator[Cells]:
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    width = 0
    for row in rows:
        width = width or len(row)
        if not any(row):
            continue
        if len(row) != width:
            raise DataError(
                f"{name}, line {rows.line_num}: the row has {len(row)} cells instead of {width}; "
                f"the file is cut off or damaged: {AGAIN}"
            )
        yield tuple(map(str.strip, row))


def _without_nameless(header: Cells, rows: list[Cells], name: str) -> tuple[Cells, list[Cells]]:
    """Without columns that have no name: they come of separators at the ends of lines."""
    named = [i for i, column in enumerate(header) if not _NAMELESS.fullmatch(column)]
    for i in set(range(len(header))) - set(named):
        if any(row[i] for row in rows):
            raise DataError(
                f"{name}: a column without a name (number {i + 1}) is not empty, so cells are out "
                f"of place: {AGAIN}"
            )
    if named == list(range(len(named))):
        return header[: len(named)], [row[: len(named)] for row in rows]
    return tuple(header[i] for i in named), [tuple(row[i] for i in named) for row in rows]
