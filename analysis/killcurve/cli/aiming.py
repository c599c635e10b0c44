"""Whom verbs ask about: standard targets by name, units as people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from killcurve.cli.asking import parts
from killcurve.cli.datasets import say

if TYPE_CHECKING:
    from killcurve.study.armed import Combatant
    from killcurve.study.armies import Army, ArmyUnit
    from killcurve.study.targets import Defender
    from killcurve.tables.dataset import Dataset

TARGET = "A standard target (MEQ) or a unit (Boyz:20@Orks); else all standard targets."

FromList = Annotated[
    str | None,
    typer.Option("--roster", help="The unit is one of this army list: a file, or a list's name."),
]
Targets = Annotated[list[str] | None, typer.Option("--target", help=TARGET)]


def targets_as(dataset: Dataset, texts: Sequence[str] | None) -> list[Defender]:
    """The targets that are asked for; all standard ones, if none is.

    Raises:
        DataError: if there is no such target.
    """
    from killcurve.study.targets import standard_targets

    standard = standard_targets(dataset)
    if not texts:
        return standard
    found = [target_as(dataset, text, standard) for text in texts]
    return list({target.name: target for target in found}.values())


def target_as(dataset: Dataset, text: str, standard: Sequence[Defender]) -> Defender:
    """A standard target by its name, or by what stands in its brackets; else a unit.

    Raises:
        DataError: if there is neither, with the closest names.
    """
    from killcurve.rules.spelling import normal
    from killcurve.study.targets import defender
    from killcurve.tables.dataset import DataError

    wanted = normal(text)
    for target in standard:
        inner = re.search(r"\((.+)\)", target.name)
        if wanted in (normal(target.name), normal(inner[1]) if inner else ""):
            return target
    name, models, faction = parts(text)
    label = name if models is None else f"{name} ({models})"
    try:
        return defender(dataset, name, faction, models=models, label=label)
    except DataError as error:
        told = ", ".join(target.name for target in standard)
        raise DataError(f"{error}; standard targets are {told}") from None


def list_as(dataset: Dataset, which: str | None, roster: str | None) -> tuple[Army, Dataset]:
    """The list that is meant, and the dataset of its edition.

    Raises:
        DataError: if there is no such file and no such list, or two are named.
    """
    from dataclasses import replace

    from killcurve.sources.rosters import read_rosters
    from killcurve.study.armies import army
    from killcurve.tables.dataset import DataError

    if which is not None and roster is not None:
        raise DataError("name a file or list, or give --roster NAME, and not both")
    name = which if roster is None else roster
    path = None if which is None else Path(which)
    if path is not None and path.is_file():
        lists, warnings = read_rosters([path], dataset)
        for warning in warnings:
            say(warning)
        dataset = replace(dataset, tables={**dataset.tables, **lists.tables})
        name = lists["rosters"]["roster"][0]
    elif path is not None and (path.suffix or len(path.parts) > 1):
        known = dataset["rosters"]["roster"].to_list()
        if which not in known:
            raise DataError(f"there is no file {which}, and no list of that name in the dataset")
    found = army(dataset, name)
    return found, dataset if len(dataset.editions) < 2 else dataset.of_edition(found.edition)


def unit_as(dataset: Dataset, text: str, roster: str | None = None) -> ArmyUnit:
    """A unit as it is written, in play: of the dataset, or of an army list by name or number.

    ``roster`` is a file with a list, or the name of one in the dataset.

    Raises:
        DataError: if there is no such unit, or it cannot be computed.
    """
    from killcurve.rules.spelling import did_you_mean, normal
    from killcurve.study.armies import datasheet_in_play
    from killcurve.tables.dataset import DataError

    if roster is None:
        name, models, faction = parts(text)
        return datasheet_in_play(dataset, name, faction, models=models)
    found, _ = list_as(dataset, roster, None)
    for unit in found.units:
        names = {normal(unit.name), normal(unit.datasheet or ""), str(unit.number)}
        if normal(text) in names:
            if unit.fielded is None:
                raise DataError(f"{unit.name} cannot be computed: {'; '.join(unit.notes)}")
            return unit
    known = [unit.name for unit in found.units]
    raise DataError(
        f"{found.name} has no unit {text!r}{did_you_mean(text, known)}; it has {', '.join(known)}"
    )


def combatant_as(
    dataset: Dataset,
    text: str,
    models: int | None = None,
    copy: int = 1,
    enhancement: str | None = None,
) -> Combatant:
    """A unit as it is written, in both roles: ``Boyz:20@Orks``.

    Raises:
        DataError: if there is no such unit, size or enhancement.
    """
    from killcurve.study.armed import combatant

    name, size, faction = parts(text)
    return combatant(
        dataset,
        name,
        faction,
        models=models if size is None else size,
        copy=copy,
        enhancement=enhancement,
    )


def combatants_as(dataset: Dataset, names: Sequence[str] | None) -> list[Combatant]:
    """Standard targets and units by name; all standard targets where none is named.

    Raises:
        DataError: if there is neither, with the closest names.
    """
    from killcurve.rules.spelling import did_you_mean, normal
    from killcurve.sources.default import load
    from killcurve.study.armed import standard_combatants
    from killcurve.tables.dataset import DataError

    profiles = load() if dataset.target_profiles.is_empty() else dataset
    standard = standard_combatants(profiles)
    known = {normal(one.name): one for one in standard}
    for one in standard:
        if letters := re.search(r"\(([A-Z]+)\)$", one.name):
            known.setdefault(normal(letters[1]), one)
    found = []
    for name in names or ():
        if normal(name) in known:
            found.append(known[normal(name)])
            continue
        try:
            found.append(combatant_as(dataset, name))
        except DataError as error:
            near = did_you_mean(name, [one.name for one in standard])
            raise DataError(f"{error}{near and f'; of the standard targets{near}'}") from None
    return found or standard
