"""One frame, four ways out: a table for people, JSON lines, a CSV file, a Parquet file."""

from __future__ import annotations

import io
import json as json_text
import math
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    import polars as pl

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object a row.")]
Csv = Annotated[Path | None, typer.Option("--csv", help="Also write the rows as CSV.")]
Parquet = Annotated[Path | None, typer.Option("--parquet", help="Also write them as Parquet.")]

UNLIMITED = 10_000
"""Characters of a line where nobody looks at a terminal."""

NOTHING = "–"
JOINT = "; "
"""What stands between the parts of a list."""


def show(
    frame: pl.DataFrame,
    *,
    json: bool = False,
    csv: Path | None = None,
    parquet: Path | None = None,
    width: int | None = None,
) -> None:
    """Print a frame, as a table or as JSON lines, and write the files that are asked for.

    Files are written whole or not at all; what is in the way is replaced. Tables are as wide as
    the terminal; values that are the same in all rows stand above them. Lists become text in
    tables and in CSV (parts joined by "; "). Numbers that are none (null, NaN, infinite) are
    null in JSON.

    >>> import polars as pl
    >>> show(pl.DataFrame({"unit": ["Mole", "Mole"], "chance": [0.5, None], "cost": [5, 1250]}))
    unit: Mole
    <BLANKLINE>
    chance   cost
    0.5000      5
         –  1,250
    >>> show(pl.DataFrame({"unit": ["Mole"], "rules": [["digs", "hides"]]}), json=True)
    {"unit": "Mole", "rules": ["digs", "hides"]}
    """
    if csv is not None:
        _write(csv, as_csv(frame))
    if parquet is not None:
        _write(parquet, as_parquet(frame))
    print("\n".join(as_json(frame)) if json else as_table(frame, width))


def _write(path: Path, content: bytes) -> None:
    from killcurve.tables.dataset import DataError
    from killcurve.tables.storage import write_file

    try:
        write_file(path, content)
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror or error}") from None
    print(f"killcurve: wrote {path}", file=sys.stderr)


def as_json(frame: pl.DataFrame) -> list[str]:
    """The rows as JSON objects.

    >>> import polars as pl
    >>> as_json(pl.DataFrame({"x": [float("nan")]}))
    ['{"x": null}']
    """
    return [
        json_text.dumps({name: _plain(value) for name, value in row.items()}, ensure_ascii=False)
        for row in frame.iter_rows(named=True)
    ]


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever a cell holds
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def as_csv(frame: pl.DataFrame) -> bytes:
    """The rows as CSV in UTF-8, with a head.

    >>> import polars as pl
    >>> as_csv(pl.DataFrame({"rules": [["digs", "hides"]], "cost": [5]}))
    b'rules,cost\\ndigs; hides,5\\n'
    """
    import polars as pl

    lists = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List)]
    flat = frame.with_columns(
        pl.col(name).cast(pl.List(pl.String)).list.join(JOINT) for name in lists
    )
    return flat.write_csv().encode()


def as_parquet(frame: pl.DataFrame) -> bytes:
    """The frame as the bytes of a Parquet file."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd")
    return buffer.getvalue()


def as_table(frame: pl.DataFrame, width: int | None = None) -> str:
    """The frame as plain text, no line longer than ``width`` where cells allow it.

    One row stands upright. Of several rows, columns that do not fit go into further blocks, each
    with the first column in front.

    >>> import polars as pl
    >>> print(as_table(pl.DataFrame({"unit": ["Mole"], "cost": [5]})))
    unit  Mole
    cost  5
    >>> print(as_table(pl.DataFrame(schema={"unit": pl.String})))
    no rows
    """
    if frame.is_empty():
        return "no rows"
    cells = {name: _cells(frame[name].to_list()) for name in frame.columns}
    if frame.height == 1:
        longest = max(map(len, cells))
        return "\n".join(f"{name:{longest}}  {own[0].strip()}" for name, own in cells.items())
    same = [name for name, own in cells.items() if len(set(own)) == 1]
    varied = [name for name in cells if name not in same] or list(cells)[:1]
    above = [f"{name}: {cells[name][0].strip()}" for name in same if name not in varied]
    blocks = [_block(cells, names) for names in _fitting(cells, varied, width or _wide())]
    return "\n\n".join((["\n".join(above)] if above else []) + blocks)


def _wide() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else UNLIMITED


def _cells(values: Sequence[Any]) -> list[str]:
    """The texts of a column; numbers have as many decimals as each other."""
    floats = [v for v in values if isinstance(v, float) and math.isfinite(v)]
    largest = max(map(abs, floats), default=0.0)
    whole = bool(floats) and all(v.is_integer() for v in floats)
    decimals = 0 if whole else 4 if largest < 10 else 2 if largest < 10_000 else 0
    return [_cell(value, decimals) for value in values]


def _cell(value: Any, decimals: int) -> str:  # noqa: ANN401 - whatever a cell holds
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        tiny = value != 0 and abs(value) < 0.5 * 10**-decimals
        return f"{value:.0e}" if tiny and decimals else f"{value + 0.0:,.{decimals}f}"
    if isinstance(value, list):
        return JOINT.join(str(part) for part in value) or NOTHING
    return str(value)


def _fitting(cells: dict[str, list[str]], names: Sequence[str], width: int) -> list[list[str]]:
    """Columns block by block, the first one in front of each."""
    first, rest = names[0], list(names[1:])
    blocks: list[list[str]] = [[first]]
    used = _width(cells, first)
    for name in rest:
        more = 2 + _width(cells, name)
        if used + more > width and len(blocks[-1]) > 1:
            blocks.append([first])
            used = _width(cells, first)
        blocks[-1].append(name)
        used += more
    return blocks


def _width(cells: dict[str, list[str]], name: str) -> int:
    return max(len(name), *map(len, cells[name]))


def _block(cells: dict[str, list[str]], names: Sequence[str]) -> str:
    columns = []
    for name in names:
        own, size = cells[name], _width(cells, name)
        right = all(_is_number(cell) for cell in own)
        columns.append([c.rjust(size) if right else c.ljust(size) for c in (name, *own)])
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))


def _is_number(cell: str) -> bool:
    if cell == NOTHING:
        return True
    try:
        float(cell.replace(",", ""))
    except ValueError:
        return False
    return True
