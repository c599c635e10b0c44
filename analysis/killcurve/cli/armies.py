"""The shell's verb about army lists in play: what a list does, to whom it does least, how often."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from killcurve.cli.aiming import Targets, list_as, targets_as
from killcurve.cli.asking import Effects, Phases, Rules, When, circumstances
from killcurve.cli.datasets import Folder
from killcurve.cli.output import AsJson, Csv, Parquet, show

if TYPE_CHECKING:
    from killcurve.study.armies import Army

armies = typer.Typer()


class Shows(Enum):
    """What is shown of a list."""

    OUTPUT = "output"
    WEAK = "weak"
    REDUNDANCY = "redundancy"
    UNITS = "units"


@armies.command("army")
def army_list(
    which: Annotated[
        str | None,
        typer.Argument(metavar="[FILE|NAME]", help="A file with a list, or one that DIR holds."),
    ] = None,
    roster: Annotated[
        str | None, typer.Option("--roster", help="The name of a list that DIR holds.")
    ] = None,
    shown: Annotated[Shows, typer.Option("--show", help="What to tell of it.")] = Shows.OUTPUT,
    target: Targets = None,
    copies: Annotated[
        int, typer.Option("--copies", help="Redundancy: up to so many copies of a target.")
    ] = 3,
    phase: Annotated[
        Phases | None,
        typer.Option("--phase", help="When it attacks; else both (redundancy: shooting)."),
    ] = None,
    distance: Annotated[
        float | None,
        typer.Option("--distance", help="Inches; else all bands (redundancy: all in range)."),
    ] = None,
    edge: Annotated[
        list[float] | None, typer.Option("--edge", help="Where a band of range ends, in inches.")
    ] = None,
    total: Annotated[
        bool, typer.Option("--total", help="Output: only the whole list, not its units.")
    ] = False,
    effect: Effects = None,
    when: When = None,
    edition: Rules = None,
    data: Folder = None,
    json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """What an army list does by target and range, its weakest match-ups, and how often it can.

    Example: killcurve army my-army.txt --show redundancy --target Rhino --phase shooting
    """
    import polars as pl

    from killcurve.sources.default import load
    from killcurve.study import armies as room

    found, dataset = list_as(load(data), which, roster)
    targets = targets_as(dataset, target)
    if phase is None:
        phase = Phases.SHOOTING if shown is Shows.REDUNDANCY else Phases.BOTH
    how = circumstances(edition, effect, when)
    if distance is not None:
        from killcurve.study.armies.attacking import at_distance

        where = [at_distance(None, ranged=False)] if phase.fight else []
        where += [at_distance(distance)] if phase.shooting else []
    else:
        where = list(room.bands(edge or room.EDGES, shooting=phase.shooting, fighting=phase.fight))
    if shown is Shows.UNITS:
        frame = room.unit_table(found)
    elif shown is Shows.WEAK:
        frame = room.weakest(found, room.panel(dataset), targets, how, where)
    elif shown is Shows.REDUNDANCY:
        frame = room.redundancy(
            found, targets, how, copies=copies, distance=distance,
            shooting=phase.shooting, fighting=phase.fight,
        )  # fmt: skip
    else:
        frame = room.output(found, targets, how, where)
        frame = frame.filter(pl.col("unit") == 0) if total else frame
    show(frame, json=json, csv=csv, parquet=parquet)
    if not json:
        _tell(found)


def _tell(found: Army) -> None:
    """Under the table: what is not in play, and what had to be assumed."""
    from killcurve.study.armies import LEFT_OUT

    print()
    for unit in found.units:
        if unit.notes:
            left = "" if unit.fielded else " (left out)"
            print(f"{unit.number} {unit.name}{left}: {'; '.join(unit.notes)}")
    for note in found.notes:
        print(f"in the list: {note}")
    print(f"left out: {'; '.join(LEFT_OUT)}")
