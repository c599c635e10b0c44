"""What the models of a list's unit carry, as a loadout: by kinds of models where the list tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from killcurve.study.loadouts import Group, Loadout
from killcurve.study.loadouts.value import things
from killcurve.tables.rosters import Carried, RosterUnit


@dataclass(slots=True)
class _Model:
    """One model while things are handed out: its weapons, its wargear, how many of each sort."""

    kind: str
    weapons: Counter[str] = field(default_factory=Counter)
    wargear: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)


def loadout_of(unit: RosterUnit, sorts: Mapping[str, str]) -> tuple[Loadout, tuple[str, ...]]:
    """The loadout of a list's unit that has a datasheet, and what had to be assumed.

    ``sorts`` tells for each ``weapon_id`` whether it is ``ranged`` or ``melee``. What the list
    gives to equal models together, each has the same of as far as it goes; of what is left over,
    a model with fewest things of that sort takes the next: the first one of what most have, the
    last one of what few have. A unit of which only totals are told has no groups.

    >>> squad = RosterUnit(1, "Moles", "Moles", "Diggers", 3, 60, None, False, None, None, (), (
    ...     Carried("Claw", 3, "claw"), Carried("Horn", 1)))
    >>> made, assumed = loadout_of(squad, {"claw": "melee"})
    >>> made.weapons, made.wargear, made.groups, assumed
    ((('claw', 3),), (('Horn', 1),), (), ())
    """
    faction, datasheet = str(unit.faction), str(unit.datasheet)
    if not unit.groups:
        weapons, wargear = _totals(unit.own)
        size = unit.models or 1
        return Loadout(faction, datasheet, size, things(weapons), things(wargear)), ()
    models: list[_Model] = []
    assumed: list[str] = []
    for group in unit.groups:
        mine = [_Model(group.model or group.printed) for _ in range(group.count)]
        uneven = _hand_out(group.carried, mine, sorts)
        if uneven:
            assumed.append(
                f"which of {group.count} × {group.printed} carries what is not told, and is "
                f"assumed: {', '.join(uneven)}"
            )
        models += mine
    uneven = _hand_out(unit.own, models, sorts)
    if uneven:
        assumed.append(f"which model carries what the unit has is assumed: {', '.join(uneven)}")
    return Loadout.of(faction, datasheet, _alike(models)), tuple(assumed)


def _totals(carried: Sequence[Carried]) -> tuple[Counter[str], Counter[str]]:
    weapons: Counter[str] = Counter()
    wargear: Counter[str] = Counter()
    for one in carried:
        if one.weapon_id is None:
            wargear[one.printed] += one.count
        else:
            weapons[one.weapon_id] += one.count
    return weapons, wargear


def _hand_out(
    carried: Sequence[Carried], models: Sequence[_Model], sorts: Mapping[str, str]
) -> list[str]:
    """Give things to equal models; told are the weapons that not all have the same of."""
    weapons, wargear = _totals(carried)
    called = {one.weapon_id: one.printed for one in carried}
    uneven = []
    for item, count in sorted(weapons.items(), key=lambda one: (-one[1], one[0])):
        if _give(item, count, models, sorts.get(item, "ranged"), weapons=True) and len(models) > 1:
            uneven.append(f"{count} × {called[item]}")
    for item, count in sorted(wargear.items()):
        _give(item, count, models, "wargear", weapons=False)
    return uneven


def _give(item: str, count: int, models: Sequence[_Model], sort: str, *, weapons: bool) -> int:
    """Hand out one thing; returned is how many are left over once all have the same."""
    each, left = divmod(count, len(models))
    takers = list(models) * each
    last = 2 * left <= len(models)
    waiting = list(models)
    for _ in range(left):
        ordered = waiting[::-1] if last else waiting
        taker = min(ordered, key=lambda model: model.held[sort])
        waiting = [model for model in waiting if model is not taker]
        takers.append(taker)
    for model in takers:
        (model.weapons if weapons else model.wargear)[item] += 1
        model.held[sort] += 1
    return left


def _alike(models: Sequence[_Model]) -> Iterator[Group]:
    """Models in a row that are of one kind and carry the same are one group."""
    carried = [(m.kind, things(m.weapons), things(m.wargear)) for m in models]
    for (kind, weapons, wargear), same in groupby(carried):
        yield Group(kind, sum(1 for _ in same), weapons, wargear)
