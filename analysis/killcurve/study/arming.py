"""Which weapons models use against a target: what rules allow, and of that what does most damage.

A model fires all its guns, but either its pistols or the others unless it is a monster or
vehicle; in a fight it uses one melee weapon and those with Extra Attacks (RULES.md §2.1, §8.1).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace

from killcurve.rules.ability_rules import CLOSE
from killcurve.rules.modifiers import BIG
from killcurve.rules.spelling import did_you_mean, normal
from killcurve.study.fielding import Carried, Fielded
from killcurve.tables.dataset import DataError

Worth = Callable[[Carried], float]
"""What the weapons of one model of a profile do, such as the mean damage against a target."""

Arms = tuple[tuple[Carried, ...], ...]
"""The profiles that each model of a rank uses, rank by rank."""


@dataclass(frozen=True, slots=True)
class Use:
    """How weapons are used in one strike.

    ``ranged`` is shooting, else fighting. ``distance`` in inches, ``None`` where everything is
    in range. ``engaged``: the units are, so only pistols fire, or all but Blast of monsters and
    vehicles. ``advanced``: only Assault weapons fire. ``again``: One Shot weapons have been
    used. ``only`` names the weapons that are used, if any are named.
    """

    ranged: bool
    distance: float | None = None
    engaged: bool = False
    advanced: bool = False
    again: bool = False
    only: frozenset[str] = frozenset()


def has(carried: Carried, *names: str) -> bool:
    """Whether a profile has one of these abilities."""
    return any(ability.name in names for ability in carried.line.abilities)


def usable(unit: Fielded, carried: Carried, target: frozenset[str], use: Use) -> bool:
    """Whether a profile may be used so at all against a unit with those keywords."""
    line = carried.line
    named = not use.only or bool({normal(line.weapon), normal(line.name)} & use.only)
    hunted = [a.subject for a in line.abilities if a.name == "hunter" and a.subject]
    prey = not hunted or any(part in target for words in hunted for part in words.split("/"))
    if (line.kind == "ranged") is not use.ranged or not (named and prey):
        return False
    return not use.ranged or _fires(unit, carried, use)


def _fires(unit: Fielded, carried: Carried, use: Use) -> bool:
    near = use.distance is None or carried.range >= use.distance
    spent = use.again and has(carried, "one shot")
    still = use.advanced and not has(carried, "assault")
    close = has(carried, *CLOSE)
    barred = use.engaged and not close and not (unit.keywords & BIG and not has(carried, "blast"))
    return near and not (spent or still or barred)


def arm(unit: Fielded, target: frozenset[str], use: Use, worth: Worth) -> Arms:
    """What the models of each rank use against a unit with those keywords.

    ``worth`` decides between profiles of a weapon, melee weapons, and pistols or other guns.
    """
    return tuple(
        _of_model(unit, [c for c in rank.weapons if usable(unit, c, target, use)], use, worth)
        for rank in unit.ranks
    )


def _of_model(unit: Fielded, may: list[Carried], use: Use, worth: Worth) -> tuple[Carried, ...]:
    """One profile of each weapon, then what of the weapons may be used together."""
    weapons: dict[str, list[Carried]] = {}
    for carried in may:
        weapons.setdefault(carried.weapon_id, []).append(carried)
    best: list[Carried] = []
    for profiles in weapons.values():
        exclusive = any(carried.line.exclusive for carried in profiles)
        best += [max(profiles, key=worth)] if exclusive else profiles
    if not use.ranged:
        return _in_melee(best, worth)
    if unit.keywords & BIG:
        return tuple(best)
    sets = [[c for c in best if has(c, *CLOSE) is close] for close in (False, True)]
    return tuple(max(sets, key=lambda chosen: sum(map(worth, chosen))))


def _in_melee(best: list[Carried], worth: Worth) -> tuple[Carried, ...]:
    """One weapon, once, and all that come in addition."""
    extra = tuple(carried for carried in best if has(carried, "extra attacks"))
    others = [replace(carried, count=1) for carried in best if carried not in extra]
    return (*((max(others, key=worth),) if others else ()), *extra)


def check_names(only: Iterable[str], units: Collection[Fielded]) -> frozenset[str]:
    """Names of weapons as :class:`Use` takes them.

    Raises:
        DataError: if none of the units has such a weapon, with the closest names.
    """
    known = {
        name
        for unit in units
        for rank in unit.ranks
        for carried in rank.weapons
        for name in (carried.line.weapon, carried.line.name)
    }
    wanted = frozenset(map(normal, only))
    for name in only:
        if normal(name) not in set(map(normal, known)):
            raise DataError(f"no model carries {name!r}{did_you_mean(name, sorted(known))}")
    return wanted


def in_words(unit: Fielded, arms: Arms) -> list[str]:
    """What is used, as ``5 × Bolt Rifle - Saturation``.

    One line a profile, in the order of the ranks that use it.
    """
    counts: dict[str, int] = {}
    for rank, used in zip(unit.ranks, arms, strict=True):
        for carried in used:
            name = carried.line.name
            counts[name] = counts.get(name, 0) + rank.count * carried.count
    return [f"{count} × {name}" for name, count in counts.items()]
