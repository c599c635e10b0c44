"""The shell's verb about what stratagems, detachment rules and enhancements are worth."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from killcurve.cli.aiming import combatant_as, combatants_as
from killcurve.cli.asking import UNIT, Effects, Rules, When, circumstances
from killcurve.cli.datasets import Folder
from killcurve.cli.output import AsJson, Csv, Parquet, show
from killcurve.cli.progress import watching

if TYPE_CHECKING:
    import polars as pl


class Phase(Enum):
    """The phase of the attack."""

    SHOOTING = "shooting"
    FIGHT = "fight"


class Goal(Enum):
    """What rules are judged by."""

    POINTS = "points_removed"
    DAMAGE = "damage"
    DESTROYED = "destroyed"


class Of(Enum):
    """Whose rules they are."""

    ATTACKER = "attacker"
    DEFENDER = "defender"
    BOTH = "both"


def worth(
    first: Annotated[str, typer.Argument(metavar="UNIT", help=UNIT)],
    second: Annotated[str, typer.Argument(metavar="TARGET", help="The unit it attacks.")],
    phase: Annotated[Phase, typer.Option("--phase", help="When it attacks.")] = Phase.SHOOTING,
    side: Annotated[Of, typer.Option("--side", help="Whose rules.")] = Of.ATTACKER,
    goal: Annotated[Goal, typer.Option("--goal", help="What they are judged by.")] = Goal.POINTS,
    together: Annotated[
        bool, typer.Option("--together", help="The best legal combinations, not single rules.")
    ] = False,
    cp: Annotated[int, typer.Option("--cp", min=0, help="The most CP of a combination.")] = 2,
    detachment: Annotated[
        list[str] | None,
        typer.Option("--detachment", help="The army's, for combinations; else every legal set."),
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="Combinations to list.")] = 20,
    effect: Effects = None,
    when: When = None,
    edition: Rules = None,
    data: Folder = None,
    json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """What each rule that applies adds to an attack, per CP and per point; or the best together.

    Command Re-roll at its best moment is the yardstick (in_rerolls). Conditions are taken to hold
    and listed.

    Example: killcurve worth Boyz "Intercessor Squad" --phase fight --together --cp 1
    """
    from killcurve.sources.default import load
    from killcurve.study.worth import best_combinations, rules_worth
    from killcurve.study.worth.helps import SIDES

    dataset = load(data)
    unit, (target,) = combatant_as(dataset, first), combatants_as(dataset, [second])
    how = circumstances(edition, effect, when)
    sides = SIDES if side is Of.BOTH else (side.value,)
    with watching() as tell:
        if together:
            from polars import concat

            frame = concat(
                best_combinations(
                    dataset, unit, target, phase.value, how, cp=cp, goal=goal.value, side=each,
                    detachments=detachment, most=most, progress=tell,
                )
                for each in sides
            )  # fmt: skip
        else:
            frame = rules_worth(
                dataset, unit, target, phase.value, how, goal=goal.value, sides=sides,
                progress=tell,
            )  # fmt: skip
    show(frame if json or csv or parquet else _short(frame), json=json, csv=csv, parquet=parquet)


LONG = ("damage_without", "points_removed_without", "destroyed_without", "effects", "weapons",
        "gain_damage_per_cp", "gain_destroyed_per_cp", "unit")  # fmt: skip
"""Columns that a table for people leaves out: ``--json`` has all."""


def _short(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.drop(LONG, strict=False)
