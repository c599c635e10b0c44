"""The shell's verbs about one unit's weapons: breakpoints, needed, one-more, rank-loadouts."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from killcurve.cli.aiming import TARGET, FromList, Targets, parts, target_as, targets_as, unit_as
from killcurve.cli.asking import (
    UNIT,
    Effects,
    Inches,
    InPhases,
    Phases,
    Rules,
    When,
    circumstances,
)
from killcurve.cli.datasets import Folder, say
from killcurve.cli.output import AsJson, Csv, Parquet, show

if TYPE_CHECKING:
    from killcurve.study.armies import ArmyUnit
    from killcurve.study.lines import Attacker

weapons = typer.Typer()


class Grid(Enum):
    """Which two characteristics are varied."""

    STRENGTH_TOUGHNESS = "s-t"
    SAVE_AP = "sv-ap"
    DAMAGE_WOUNDS = "d-w"


class Tells(Enum):
    """What is shown of one more."""

    TARGETS = "targets"
    SUMMARY = "summary"


class Shows(Enum):
    """What is shown of ranked loadouts."""

    RANKING = "ranking"
    TARGETS = "targets"


class Measure(Enum):
    """By what loadouts are ranked."""

    POINTS_REMOVED_PER_100 = "points_removed_per_100"
    POINTS_OF_WOUNDS_PER_100 = "points_of_wounds_per_100"
    POINTS_REMOVED = "points_removed"
    POINTS_OF_WOUNDS = "points_of_wounds"
    DAMAGE = "damage"
    DESTROYED = "destroyed"


Weapon = Annotated[
    str | None, typer.Option("--weapon", help="A weapon of it, or 'weapon - profile'.")
]


@weapons.command()
def breakpoints(
    unit: Annotated[str, typer.Argument(help=UNIT)],
    weapon: Weapon = None,
    target: Annotated[str, typer.Option("--target", help=TARGET)] = "MEQ",
    grid: Annotated[
        Grid, typer.Option("--grid", help="Strength × Toughness, save × AP, damage × wounds.")
    ] = Grid.STRENGTH_TOUGHNESS,
    roster: FromList = None,
    effect: Effects = None,
    when: When = None,
    edition: Rules = None,
    data: Folder = None,
    json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """What a weapon does to a target with other characteristics, two of them varied.

    Example: killcurve breakpoints Raider --weapon "Dark lance" --target Rhino --grid s-t
    """
    from killcurve.sources.default import load
    from killcurve.study import breakpoints as room
    from killcurve.study.targets import standard_targets

    dataset = load(data)
    how = circumstances(edition, effect, when)
    struck = target_as(dataset, target, standard_targets(dataset))
    attacks = _attacker(unit_as(dataset, unit, roster))
    if grid is Grid.STRENGTH_TOUGHNESS:
        frame = room.strength_toughness(attacks, weapon, struck, how)
    elif grid is Grid.SAVE_AP:
        frame = room.save_ap(attacks, weapon, struck, how)
    else:
        frame = room.damage_wounds(attacks, weapon, struck, how)
    show(frame, json=json, csv=csv, parquet=parquet)


@weapons.command()
def needed(
    unit: Annotated[str, typer.Argument(help=UNIT)],
    target: Annotated[str, typer.Argument(help=TARGET.split(";")[0])],
    chance: Annotated[
        list[float] | None, typer.Option("--chance", help="Such as 0.8; else 0.5, 0.8 and 0.95.")
    ] = None,
    phase: InPhases = Phases.SHOOTING,
    distance: Inches = None,
    roster: FromList = None,
    effect: Effects = None,
    when: When = None,
    edition: Rules = None,
    data: Folder = None,
    json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """How many attacks, weapons, models and units destroy a target with a stated chance.

    Example: killcurve needed Raider Rhino --chance 0.8
    """
    from killcurve.sources.default import load
    from killcurve.study import enough as room
    from killcurve.study.targets import standard_targets

    dataset = load(data)
    frame = room.needed(
        dataset,
        unit_as(dataset, unit, roster),
        target_as(dataset, target, standard_targets(dataset)),
        circumstances(edition, effect, when),
        chances=chance or room.CHANCES,
        shooting=phase.shooting,
        fighting=phase.fight,
        distance=distance,
    )
    show(frame, json=json, csv=csv, parquet=parquet)


@weapons.command("one-more")
def one_more(
    unit: Annotated[str, typer.Argument(help=UNIT)],
    weapon: Weapon = None,
    target: Targets = None,
    everyone: Annotated[
        bool, typer.Option("--everyone", help="Every unit of the data is a target.")
    ] = False,
    against: Annotated[
        str | None, typer.Option("--against", help="Every unit of this faction is a target.")
    ] = None,
    shown: Annotated[
        Tells | None,
        typer.Option("--show", help="By target, or means over them (of many: the means)."),
    ] = None,
    roster: FromList = None,
    effect: Effects = None,
    when: When = None,
    edition: Rules = None,
    data: Folder = None,
    json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """Where one more matters: +1 Strength, AP, Damage, Attacks, to hit, to wound, weapon.

    Example: killcurve one-more Raider --weapon "Dark lance" --show summary
    """
    from killcurve.sources.default import load
    from killcurve.study import one_more as room

    dataset = load(data)
    many = everyone or against is not None
    if many:
        say("putting the targets together")
        targets = room.every_datasheet(dataset, against)
    else:
        targets = targets_as(dataset, target)
    how = circumstances(edition, effect, when)
    frame = room.one_more(_attacker(unit_as(dataset, unit, roster)), weapon, targets, how)
    summed = many if shown is None else shown is Tells.SUMMARY
    show(room.where_it_matters(frame) if summed else frame, json=json, csv=csv, parquet=parquet)


@weapons.command("rank-loadouts")
def rank_loadouts(
    unit: Annotated[str, typer.Argument(help=UNIT)],
    mix: Annotated[
        list[str] | None,
        typer.Option("--mix", help="TARGET=WEIGHT; else all standard targets alike."),
    ] = None,
    by: Annotated[Measure, typer.Option("--by", help="What counts.")] = (
        Measure.POINTS_REMOVED_PER_100
    ),
    shown: Annotated[Shows, typer.Option("--show", help="What to tell.")] = Shows.RANKING,
    limit: Annotated[int, typer.Option("--limit", help="Compare at most so many.")] = 100,
    phase: InPhases = Phases.SHOOTING,
    distance: Inches = None,
    effect: Effects = None,
    when: When = None,
    edition: Rules = None,
    data: Folder = None,
    json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """The loadouts that a unit may have, the best for a mix of targets first.

    Example: killcurve rank-loadouts "Intercessor Squad:10" --mix MEQ=2 --mix Rhino=1
    """
    from killcurve.sources.default import load
    from killcurve.study import ranking as room

    dataset = load(data)
    name, models, faction = parts(unit)
    weights = [_weight(text) for text in mix or ()]
    targets = targets_as(dataset, [target for target, _ in weights])
    shares = None
    if weights:
        shares = dict.fromkeys((target.name for target in targets), 0.0)
        for text, weight in weights:
            (meant,) = targets_as(dataset, [text])
            shares[meant.name] += weight
    found = room.rank_loadouts(
        dataset,
        name,
        room.mixed(targets, shares),
        faction,
        circumstances(edition, effect, when),
        models=models,
        limit=limit,
        shooting=phase.shooting,
        fighting=phase.fight,
        distance=distance,
        by=by.value,
    )
    frame = found.loadouts if shown is Shows.RANKING else found.by_target
    show(frame, json=json, csv=csv, parquet=parquet)
    if not json:
        print(f"\n{found.told}")


def _weight(text: str) -> tuple[str, float]:
    """A target with its weight: ``MEQ=2``; 1 where none is told.

    Raises:
        DataError: if the weight is no number.
    """
    from killcurve.tables.dataset import DataError

    target, mark, weight = text.rpartition("=")
    if not mark:
        return text, 1.0
    try:
        return target, float(weight)
    except ValueError:
        raise DataError(f"{text!r} has no weight: write TARGET=WEIGHT, such as MEQ=2") from None


def _attacker(unit: ArmyUnit) -> Attacker:
    assert unit.attacker is not None
    return unit.attacker
