"""Putting a unit of a dataset into play: its models by size, and what each of them carries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from killcurve.engine.target import Against, ModelGroup, Protection
from killcurve.rules.spelling import did_you_mean, normal
from killcurve.study.fielding import Carried, Fielded, Rank
from killcurve.study.lines import Attacker, attacker
from killcurve.study.loadouts import Group, Loadout, default_loadout
from killcurve.tables.dataset import DataError, Dataset


def fielded(
    dataset: Dataset,
    name: str,
    faction: str | None = None,
    *,
    models: int | None = None,
    loadout: Loadout | Mapping[str, int] | None = None,
    casualties: Sequence[str] = (),
    copy: int = 1,
    army: str | None = None,
    enhancement: str | None = None,
) -> Fielded:
    """A unit with what each of its models carries; size, loadout and cost as for an attacker.

    ``casualties`` names kinds of models in the order in which they are taken off; the others
    follow, the most numerous kinds first. Where only the totals of a loadout are known, those
    who fall last carry the weapons of which there are few.

    Raises:
        DataError: if there is no such unit, size, weapon or kind of model, or it has no stat
            line.

    >>> import killcurve
    >>> squad = fielded(killcurve.load(), "Intercessor Squad", models=5)
    >>> [(rank.name, rank.count) for rank in squad.ranks]
    [('Intercessor', 4), ('Intercessor Sergeant', 1)]
    >>> squad.living()[[0, 7, 10]].tolist()
    [[4, 1], [1, 1], [0, 0]]
    """
    unit = attacker(
        dataset, name, faction, models=models, loadout=loadout, copy=copy, army=army,
        enhancement=enhancement,
    )  # fmt: skip
    carried = unit.loadout
    assert carried is not None
    rows = dataset.of_unit("models", unit.faction, unit.datasheet).rows(named=True)
    if not rows:
        raise DataError(
            f"{unit.datasheet} of {unit.faction} has no stat line, so it cannot be fielded"
        )
    default = default_loadout(dataset, unit.datasheet, unit.faction, models=carried.models)
    kinds = _in_order(carried.groups or default.groups, casualties)
    if not carried.groups:
        kinds = _spread(list(kinds), carried)
    arms = _arms(dataset, unit)
    lines = {row["model"]: row for row in rows}
    statlines = dict(
        dataset.of_unit("compositions", unit.faction, unit.datasheet)
        .select("model", "statline")
        .rows()
    )
    return Fielded(
        name=unit.datasheet,
        edition=unit.edition,
        faction=unit.faction,
        datasheet=unit.datasheet,
        keywords=unit.keywords,
        points=unit.points,
        ranks=tuple(
            _rank(group, _line_of(lines, statlines.get(group.model), group.model), arms)
            for group in kinds
        ),
    )


def _in_order(groups: Sequence[Group], casualties: Sequence[str]) -> Iterator[Group]:
    """Those that are named first, then the most numerous first."""
    names = [normal(group.model) for group in groups]
    for asked in casualties:
        if normal(asked) not in names:
            kinds = list(dict.fromkeys(group.model for group in groups))
            raise DataError(
                f"the unit has no kind of model {asked!r}{did_you_mean(asked, kinds)}; "
                f"there are {', '.join(kinds)}"
            )
    rest = sorted(range(len(groups)), key=lambda g: (-groups[g].count, g))
    first = [g for asked in casualties for g in rest if names[g] == normal(asked)]
    for g in dict.fromkeys((*first, *rest)):
        yield groups[g]


def _spread(kinds: Sequence[Group], totals: Loadout) -> Iterator[Group]:
    """Weapons of which only the totals are known, over models in the order in which they fall.

    All have the same of each weapon, as far as it goes; of the rest the few are with those who
    fall last, and where most have one those who fall last have none.
    """
    models = [group.model for group in kinds for _ in range(group.count)]
    held: list[list[tuple[str, int]]] = [[] for _ in models]
    for weapon, count in totals.weapons:
        each, more = divmod(count, len(models))
        few = 2 * more <= len(models)
        for place, carried in enumerate(held):
            has_more = place >= len(models) - more if few else place < more
            if number := each + has_more:
                carried.append((weapon, number))
    alike = [(model, tuple(carried)) for model, carried in zip(models, held, strict=True)]
    for (model, weapons), same in groupby(alike):
        yield Group(model, sum(1 for _ in same), weapons)


def _arms(dataset: Dataset, unit: Attacker) -> dict[str, list[Carried]]:
    """The profiles of each weapon, by ``weapon_id``."""
    found: dict[str, list[Carried]] = {}
    rows = dataset.of_unit("weapons", unit.faction, unit.datasheet).sort(
        "kind", "weapon", "weapon_id", "profile"
    )
    for row, line in zip(rows.rows(named=True), unit.lines, strict=True):
        told = (row["weapon"], row["profile"], row["kind"])
        assert told == (line.weapon, line.profile, line.kind)
        carried = Carried(row["weapon_id"], replace(line, count=1), row["range"])
        found.setdefault(row["weapon_id"], []).append(carried)
    return found


def _line_of(
    lines: Mapping[str, dict[str, Any]], statline: str | None, kind: str
) -> dict[str, Any]:
    found = [lines[name] for name in (statline, kind) if name is not None and name in lines]
    return found[0] if found else next(iter(lines.values()))


def _rank(group: Group, row: Mapping[str, Any], arms: Mapping[str, list[Carried]]) -> Rank:
    against = row["invulnerable_save_against"]
    scope = Against.ALL if against is None else Against(against)
    value = row["invulnerable_save"]
    model = ModelGroup(
        count=1,
        toughness=row["toughness"],
        save=row["save"],
        wounds=row["wounds"],
        invulnerable=() if value is None else (Protection(value, scope),),
    )
    return Rank(
        name=group.model,
        count=group.count,
        model=model,
        weapons=tuple(_held(group.weapons, arms)),
        move=row["move"],
        leadership=row["leadership"],
        control=row["objective_control"],
    )


def _held(
    weapons: Iterable[tuple[str, int]], arms: Mapping[str, list[Carried]]
) -> Iterator[Carried]:
    for weapon, count in weapons:
        for profile in arms.get(weapon, []):
            yield replace(profile, count=count)
