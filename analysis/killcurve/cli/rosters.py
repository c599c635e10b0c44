"""The shell's verb about army lists."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from killcurve.cli.datasets import Counts, Folder
from killcurve.cli.progress import importing

Keep = Annotated[
    Path | None,
    typer.Option("--into", help="The folder of your dataset; without it lists are only shown."),
]


def import_roster(
    files: Annotated[
        list[Path], typer.Argument(help="Army lists: text of an app or builder, JSON, .ros, .rosz.")
    ],
    into: Keep = None,
    data: Folder = None,
    json: Counts = False,
) -> None:
    """Read army lists: units with their models, weapons and points, joined to a dataset.

    A list is kept under the name of its file; its title and names of players are not kept.

    Example: killcurve import roster my-army.txt
    """
    from json import dumps

    from killcurve.sources.importing import import_rosters
    from killcurve.sources.rosters.in_words import rosters_in_words

    with importing(into or Path()) as tell:
        result = import_rosters(files, into, data, tell)
    for warning in result.warnings:
        print(f"killcurve: {warning}", file=sys.stderr)
    if json:
        print(dumps(result.counts()))
        return
    print(rosters_in_words(result.dataset))
    for table, reasons in result.dataset.set_aside.items():
        for reason, number in reasons.items():
            print(f"set aside in {table}: {number} × {reason}")
    if into is not None:
        print(f"written to {into}")
