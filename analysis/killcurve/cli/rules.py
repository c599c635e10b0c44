"""The shell's verb about the rules that a unit may use."""

from __future__ import annotations

from typing import Annotated

import typer

from killcurve.cli.datasets import Folder
from killcurve.cli.output import AsJson, Csv, Parquet, show


def rules(
    unit: Annotated[str, typer.Argument(help="A unit's name.")],
    faction: Annotated[str | None, typer.Option("--faction", help="Its faction.")] = None,
    side: Annotated[
        str | None, typer.Option("--side", help="attacker or defender: only rules of that side.")
    ] = None,
    phase: Annotated[
        str | None, typer.Option("--phase", help="shooting or fight: only rules of that phase.")
    ] = None,
    detachment: Annotated[
        str | None, typer.Option("--detachment", help="Only rules of this detachment.")
    ] = None,
    folder: Folder = None,
    as_json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """Which rules a unit may use, what each does to attacks, and what of it is not computed.

    Example: killcurve rules Raider --side attacker --phase shooting
    """
    from killcurve.sources.default import load
    from killcurve.study.usable import in_words, usable
    from killcurve.tables.dataset import DataError

    for word, allowed in ((side, ("attacker", "defender")), (phase, ("shooting", "fight"))):
        if word is not None and word not in allowed:
            raise DataError(f"{word!r} is neither {allowed[0]} nor {allowed[1]}")
    found = usable(load(folder), unit, faction, side=side, phase=phase, detachment=detachment)
    if as_json or csv or parquet:
        show(found, json=as_json, csv=csv, parquet=parquet)
    else:
        print(in_words(found))
