"""Which unit leads which: by blocks of attached units, or by lines that name the other one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from killcurve.sources.rosters.listed import Link, ListedUnit
from killcurve.sources.rosters.names import find, key
from killcurve.sources.rosters.places import Placed, Places

LEADER, SUPPORT, BODYGUARD = "leader", "support", "bodyguard"


@dataclass(slots=True)
class Attached:
    """What a unit is attached as, and to which one (by number, from 1)."""

    role: str | None = None
    to: int | None = None


def attached(
    units: Sequence[ListedUnit], placed: Sequence[Placed | None], places: Places
) -> tuple[list[Attached], list[tuple[int, Link]]]:
    """The attachments of all units, and the lines whose other unit is not in the list."""
    found = [Attached(unit.role) for unit in units]
    blocks: dict[int, list[int]] = {}
    for index, unit in enumerate(units):
        if unit.block is not None:
            blocks.setdefault(unit.block, []).append(index)

    def is_character(index: int) -> bool:
        where = placed[index]
        known = where is not None and (where.faction, where.datasheet) in places.characters
        return units[index].character or known

    for members in blocks.values():
        if not units[members[0]].title or _is_led(members, placed, places, is_character):
            _in_block(members, found, is_character)
    lost = []
    links = [(index, link) for index, unit in enumerate(units) for link in unit.links]
    for index, link in sorted(links, key=lambda one: one[1].mutual):
        if not _link(index, link, units, found, is_character):
            lost.append((index, link))
    return found, lost


def _is_led(
    members: list[int],
    placed: Sequence[Placed | None],
    places: Places,
    is_character: Callable[[int], bool],
) -> bool:
    """Whether units below a heading of the owner's own are one unit and its leaders."""
    guards = [index for index in members if not is_character(index)]
    if len(guards) != 1 or len(members) not in (2, 3):
        return False
    guard = placed[guards[0]]
    leaders = [placed[index] for index in members if index not in guards]
    return guard is not None and all(
        one is not None and places.may_lead(one, guard) for one in leaders
    )


def _in_block(
    members: list[int], found: list[Attached], is_character: Callable[[int], bool]
) -> None:
    """The units of a block: one bodyguard, and its leaders and supports."""
    if len(members) < 2:
        return
    guards = [index for index in members if found[index].role == BODYGUARD]
    if not guards:
        open_ = [index for index in members if found[index].role is None]
        guards = [i for i in open_ if not is_character(i)] or open_[-1:]
    if not guards:
        return
    for index in members:
        if index == guards[0]:
            found[index].role = BODYGUARD
        elif found[index].role != BODYGUARD:
            found[index].role = found[index].role or LEADER
            found[index].to = guards[0] + 1


def _link(
    index: int,
    link: Link,
    units: Sequence[ListedUnit],
    found: list[Attached],
    is_character: Callable[[int], bool],
) -> bool:
    """A line such as ``Leading Storm Squad[2]`` or ``Led by: Marshal``; whether it was placed.

    ``Attached to`` stands below leaders in some lists, below both units in others.
    """
    known: dict[str, list[int]] = {}
    for other, unit in enumerate(units):
        if other != index:
            known.setdefault(key(unit.printed), []).append(other)
    others = find(link.name, known)
    if not others:
        return False
    if link.number is not None and link.number <= len(others):
        others = [others[link.number - 1]]
    if link.mutual and any(found[other].to == index + 1 for other in others):
        return True
    leads = link.leads
    if link.mutual and not is_character(index):
        leads = not any(is_character(other) for other in others)
    if leads:
        guard = next((other for other in others if not _has(other, found)), others[0])
        follower = index
    else:
        guard, follower = index, next((o for o in others if found[o].to is None), others[0])
    if found[follower].to is None:
        found[follower] = Attached(link.role, guard + 1)
    found[guard].role = found[guard].role or BODYGUARD
    return True


def _has(index: int, found: list[Attached]) -> bool:
    return any(one.to == index + 1 for one in found)
