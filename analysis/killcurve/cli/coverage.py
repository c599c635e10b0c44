"""The shell's verb about how much of the rules is computed."""

from __future__ import annotations

from typing import Annotated

import typer

from killcurve.cli.datasets import Folder
from killcurve.cli.output import AsJson, Csv, Parquet, show


def coverage(
    faction: Annotated[str | None, typer.Option("--faction", help="Only this faction.")] = None,
    folder: Folder = None,
    as_json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """How many rules are computed, by source, faction and kind: the whole, in part, not, not read.

    Example: killcurve data coverage --faction Necrons
    """
    import polars as pl

    from killcurve.rules.spelling import did_you_mean, normal
    from killcurve.sources.default import load
    from killcurve.tables.coverage import coverage as counted
    from killcurve.tables.coverage import coverage_line
    from killcurve.tables.dataset import DataError

    dataset = load(folder)
    found, asked = counted(dataset), None
    if faction is not None:
        known = found["faction"].unique().sort().to_list()
        asked = [name for name in known if normal(name) == normal(faction)]
        if not asked:
            raise DataError(f"no rules of a faction {faction!r}{did_you_mean(faction, known)}")
        found = found.filter(pl.col("faction").is_in(asked))
    show(found, json=as_json, csv=csv, parquet=parquet)
    if not as_json:
        print(coverage_line(dataset, asked))
