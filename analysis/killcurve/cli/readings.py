"""The shell's verb about rules of which two sources say different things."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from killcurve.cli.output import AsJson, Csv, Parquet, show


def readings(
    folder: Annotated[Path, typer.Argument(help="A folder of tables of several sources.")],
    as_json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """Rules whose effects differ between sources: as read in a text, as described, as overridden.

    Example: killcurve data readings my-data
    """
    from killcurve.tables.collection import Collection
    from killcurve.tables.readings import different_readings

    found = different_readings(Collection.load(folder))
    show(found, json=as_json, csv=csv, parquet=parquet)
    if not as_json:
        rules = found.select("edition", "faction", "table", "owner", "rule").unique().height
        print(f"{rules} rules of which sources say different things")
