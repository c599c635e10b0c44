"""The shell's verb about loadouts: what a unit may carry, and what it then costs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from killcurve.cli.datasets import Folder


def loadouts(
    unit: Annotated[str, typer.Argument(help="The unit's name.")],
    faction: Annotated[str | None, typer.Option("--faction", help="Its faction.")] = None,
    models: Annotated[
        int | None, typer.Option("--models", help="How many models; else its smallest size.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", help="List at most so many.")] = 20,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write a table instead, one row a loadout.")
    ] = None,
    data: Folder = None,
) -> None:
    """The default loadout of a unit and the others it may have, with points and their number.

    Example: killcurve loadouts "Intercessor Squad" --models 10 --limit 5
    """
    from killcurve.sources.default import load
    from killcurve.study.loadouts import legal_loadouts, telling

    dataset = load(data)
    found = legal_loadouts(dataset, unit, faction, models=models, limit=limit)
    if json:
        from json import dumps

        print(dumps(telling.to_dict(dataset, found), ensure_ascii=False))
    if csv is not None:
        write_table(csv, telling.loadout_table(dataset, found).write_csv())
        print(f"killcurve: {found.told}; written to {csv}", file=sys.stderr)
    elif not json:
        print(telling.in_words(dataset, found))


def write_table(path: Path, text: str) -> None:
    """Write a table whole or not at all.

    Raises:
        DataError: if the file cannot be written.
    """
    from killcurve.tables.dataset import DataError
    from killcurve.tables.storage import write_file

    if path.is_dir():
        raise DataError(f"{path} is a folder: name a file to write")
    try:
        write_file(path, text.encode())
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror or error}") from error
