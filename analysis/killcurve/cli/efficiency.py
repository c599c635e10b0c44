"""The shell's verbs about what units are worth: efficiency, durability, matrix."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from killcurve.cli.aiming import combatant_as, combatants_as
from killcurve.cli.asking import (
    UNIT,
    Effects,
    InPhases,
    Phases,
    Rules,
    When,
    circumstances,
    told,
)
from killcurve.cli.datasets import Folder, say
from killcurve.cli.output import AsJson, Csv, Parquet, show

if TYPE_CHECKING:
    from killcurve.study.armed import Combatant
    from killcurve.study.matrix import Progress
    from killcurve.study.removed import Scoring

studies = typer.Typer()

STANDARD = "A standard target by its name or letters (MEQ), or a unit as Boyz:20@Orks."


class Scopes(Enum):
    """What has a row."""

    UNIT = "unit"
    LINE = "line"
    ALL = "all"


class Counts(Enum):
    """How slain models become points."""

    MODELS = "models"
    WHOLE = "whole"


class MatrixPhases(Enum):
    """In which phases units of a matrix attack."""

    SHOOTING = "shooting"
    FIGHT = "fight"
    BEST = "best"
    BOTH = "both"


Units = Annotated[list[str], typer.Argument(help=UNIT)]
Models = Annotated[
    int | None, typer.Option("--models", min=1, help="The size of all units that have no :MODELS.")
]
Copy = Annotated[
    int, typer.Option("--copy", min=1, help="Which copy in the army: some cost more later.")
]
Enhancement = Annotated[
    str | None, typer.Option("--enhancement", help="An enhancement that they carry: its points.")
]
Counting = Annotated[
    Counts,
    typer.Option("--scoring", help="Points for each model slain, or for whole units only."),
]
Bonus = Annotated[
    float,
    typer.Option("--bonus", min=0, max=10, help="More for a whole unit, as a share of its cost."),
]


@studies.command()
def efficiency(
    units: Units,
    target: Annotated[list[str] | None, typer.Option("--target", help=STANDARD)] = None,
    phase: InPhases = Phases.BOTH,
    by: Annotated[
        Scopes, typer.Option("--by", help="Whole units, single weapon lines, or both.")
    ] = Scopes.UNIT,
    models: Models = None,
    copy: Copy = 1,
    enhancement: Enhancement = None,
    scoring: Counting = Counts.MODELS,
    bonus: Bonus = 0.0,
    effect: Effects = None,
    when: When = None,
    edition: Rules = None,
    data: Folder = None,
    json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """What units do to targets, per 100 points: means, spreads, the chance to earn their points.

    Example: killcurve efficiency Raider "Boyz:20@Orks" --target MEQ --phase shooting
    """
    from killcurve.sources.default import load
    from killcurve.study.efficiency import SCOPES, unit_efficiency
    from killcurve.tables.dataset import DataError

    dataset = load(data)
    how = circumstances(edition, effect, when)
    asked = [combatant_as(dataset, name, models, copy, enhancement) for name in units]
    targets = combatants_as(dataset, target)
    _tell_costs([*asked, *targets])
    phases = _phases(phase)
    _tell_unarmed(asked, phases)
    frame = unit_efficiency(
        asked,
        [one.target for one in targets],
        how,
        phases=phases,
        scopes=SCOPES if by is Scopes.ALL else (by.value,),
        scoring=_scoring(scoring, bonus),
    )
    if frame.is_empty():
        raise DataError(f"none of these units has a weapon for {' or '.join(phases)}")
    show(frame, json=json, csv=csv, parquet=parquet)


@studies.command()
def durability(
    units: Units,
    attacker: Annotated[
        list[str] | None, typer.Option("--attacker", help=f"Who attacks. {STANDARD}")
    ] = None,
    chance: Annotated[
        list[float] | None,
        typer.Option("--chance", help="A chance to destroy it; else 0.5, 0.8 and 0.95."),
    ] = None,
    phase: InPhases = Phases.BOTH,
    models: Models = None,
    effect: Effects = None,
    when: When = None,
    edition: Rules = None,
    data: Folder = None,
    json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """What it takes to remove units: attacks, weapons, units and points of each attacker.

    Example: killcurve durability "Intercessor Squad" --attacker GEQ --phase shooting --chance 0.9
    """
    from killcurve.sources.default import load
    from killcurve.study import durability as room
    from killcurve.tables.dataset import DataError

    dataset = load(data)
    how = circumstances(edition, effect, when)
    asked = [combatant_as(dataset, name, models) for name in units]
    attackers = combatants_as(dataset, attacker)
    _tell_costs([*asked, *attackers])
    phases = _phases(phase)
    with _progress("attacks") as progress:
        frame = room.durability(
            [one.target for one in asked],
            attackers,
            how,
            chances=chance or room.CHANCES,
            phases=phases,
            progress=progress,
        )
    if frame.is_empty():
        raise DataError(f"none of these attackers has a weapon for {' or '.join(phases)}")
    show(frame, json=json, csv=csv, parquet=parquet)


@studies.command()
def matrix(
    units: Annotated[list[str] | None, typer.Argument(help=UNIT)] = None,
    faction: Annotated[
        str | None, typer.Option("--faction", help="All units of a faction, too.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="All units of the game, against the standard ones.")
    ] = False,
    target: Annotated[
        list[str] | None, typer.Option("--target", help=f"Else each other. {STANDARD}")
    ] = None,
    standard: Annotated[
        bool, typer.Option("--standard", help="Against the standard targets.")
    ] = False,
    phase: Annotated[
        MatrixPhases,
        typer.Option("--phase", help="One phase, the better one, or both in turn."),
    ] = MatrixPhases.BEST,
    models: Models = None,
    scoring: Counting = Counts.MODELS,
    bonus: Bonus = 0.0,
    effect: Effects = None,
    when: When = None,
    edition: Rules = None,
    data: Folder = None,
    json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """Who beats whom, point for point: what units do to each other, or to targets, both ways.

    Example: killcurve matrix Raider Boyz "Intercessor Squad"
    """
    from killcurve.sources.default import load
    from killcurve.study import matrix as room
    from killcurve.tables.dataset import DataError

    dataset = load(data)
    how = circumstances(edition, effect, when)
    asked = [combatant_as(dataset, name, models) for name in units or ()]
    if faction is not None or everything:
        with _progress("units") as progress:
            asked += room.combatants(dataset, None if everything else faction, progress)
    if not asked:
        raise DataError("say whom: units by name, --faction NAME, or --everything")
    against = combatants_as(dataset, target) if target or standard or everything else None
    if against is None and len(asked) == 1:
        raise DataError("one unit has nobody to meet: name another one, --target, or --standard")
    _tell_costs([*asked, *(against or ())])
    with _progress("attacks") as progress:
        frame = room.matrix(
            asked,
            against,
            how,
            phase=phase.value,
            scoring=_scoring(scoring, bonus),
            progress=progress,
        )
    show(frame, json=json, csv=csv, parquet=parquet)


def _phases(phase: Phases) -> list[str]:
    return ["shooting"] * phase.shooting + ["fight"] * phase.fight


def _scoring(counting: Counts, bonus: float) -> Scoring:
    from killcurve.study.removed import Scoring

    by_model = counting is Counts.MODELS
    return told(lambda: Scoring(by_model, bonus if by_model else 1.0 + bonus))


def _tell_costs(units: Sequence[Combatant]) -> None:
    names = dict.fromkeys(one.name for one in units if one.attacker.points is None)
    if names:
        say(f"the data has no cost of {', '.join(names)}: what asks for it is left empty")


def _tell_unarmed(units: Sequence[Combatant], phases: Sequence[str]) -> None:
    for one in units:
        for phase in phases:
            if not one.lines(phase):
                say(f"{one.name} has no weapon for {phase}")


@contextmanager
def _progress(what: str) -> Iterator[Progress]:
    """A bar with the time left on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    text = TextColumn(f"{{task.completed:,}} of {{task.total:,}} {what}")
    with Progress(
        text, BarColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task("", total=1)
        yield lambda done, of: bar.update(task, completed=done, total=of)
