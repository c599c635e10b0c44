"""Rosters of list builders (JSON, ``.ros``): selections within selections become units."""

from __future__ import annotations

import re
from collections.abc import Iterator

from killcurve.rules.spelling import normal
from killcurve.sources.bsdata.nodes import Node
from killcurve.sources.bsdata.sizes import whole
from killcurve.sources.rosters.listed import (
    ENHANCEMENT,
    MODEL,
    UPGRADE,
    Link,
    Listed,
    ListedUnit,
    Thing,
)
from killcurve.sources.rosters.vocabulary import LEADS, MUTUAL, WARLORD, disposition

_FACTION = re.compile(r"^faction: *", re.IGNORECASE)
_LIMIT = re.compile(r"(\d[\d,. ]*)\s*point", re.IGNORECASE)
_ATTACHED = re.compile(
    r"^(attached to|led by|supported by|supporting|leading)\s*:\s*(.+?)(?:\[(\d+)\])?$",
    re.IGNORECASE,
)
_EDITIONS = {"10th": "10e", "11th": "11e"}
_OTHER_EDITION = re.compile(r"\b[1-9](?:th|st|nd|rd)\b")
_CHARACTERS = frozenset({"character", "epic hero"})
CARRIERS = ("unit", "model")
MOST = 9_999
"""More models or points than any list has of one thing."""


def read_roster(roster: Node, kind: str) -> Listed:
    """The list that a roster's tree holds; ``kind`` is ``JSON`` or ``XML``."""
    builder = roster.facts.get("generatedBy", "")
    maker = next((m for m in ("New Recruit", "List Forge") if _is_of(builder, m)), "BattleScribe")
    listed = Listed(form=f"{maker} {kind}", edition=_edition(roster), names_army=True)
    listed.total = _points(roster)
    limits = [_cost(one) for one in roster.all("costLimits") if _is_points(one)]
    listed.limit = limits[0] if limits and limits[0] > 0 else None
    for force in _forces(roster):
        listed.armies += [p.strip() for p in force.facts.get("catalogueName", "").split(" - ") if p]
        for selection in force.all("selections"):
            if selection.facts.get("type") in CARRIERS:
                listed.units.append(_unit(selection))
            elif _models_within(selection):
                listed.units += [_unit(one) for one in _models_within(selection)]
            else:
                _configuration(listed, selection)
    for unit in listed.units:
        if unit.selection is not None:
            listed.armies += _factions(unit.selection)
    listed.armies = list(dict.fromkeys(listed.armies))
    system = roster.facts.get("gameSystemName", "")
    if listed.edition is None and _OTHER_EDITION.search(system):
        listed.warnings.append(
            f"the list is of {system!r}; its units are looked up by name in a later edition"
        )
    return listed


def _is_of(builder: str, maker: str) -> bool:
    return maker.replace(" ", "").casefold() in builder.replace(" ", "").casefold()


def _edition(roster: Node) -> str | None:
    """The edition: builders name old systems in lists of new data, which tell it by their form."""
    for node in roster.below():
        if node.kind == "profile" and node.facts.get("typeName") == "Unit":
            names = {one.name.casefold() for one in node.all("characteristics")}
            if "insv" in names:
                return "11e"
        if node.kind == "selection" and normal(node.name) in ("force disposition", "dispositions"):
            return "11e"
    system = roster.facts.get("gameSystemName", "")
    return next((said for word, said in _EDITIONS.items() if word in system), None)


def _forces(roster: Node) -> Iterator[Node]:
    waiting = list(reversed(roster.all("forces")))
    while waiting:
        force = waiting.pop()
        yield force
        waiting += reversed(force.all("forces"))


def _models_within(selection: Node) -> list[Node]:
    """Units that stand below an upgrade at the root of a force."""
    below = [one for one in selection.all("selections") if one.facts.get("type") in CARRIERS]
    return [one for one in below if one.all("costs")]


def _configuration(listed: Listed, selection: Node) -> None:
    """What is chosen for the army: detachment, battle size, disposition."""
    said = normal(selection.name)
    chosen = [one.name for one in selection.all("selections") if one.name]
    if said.startswith("detachment"):
        listed.detachments += chosen
    elif "disposition" in said:
        listed.dispositions += [disposition(name) for name in chosen]
    elif said in ("battle size", "game size"):
        found = _LIMIT.search(" ".join(chosen))
        if found:
            listed.limit = whole(re.sub(r"[,. ]", "", found[1]))
    elif _points(selection) and not chosen:
        listed.heading.append((0, selection.name))


def _factions(selection: Node) -> list[str]:
    return [_FACTION.sub("", name) for name in _categories(selection) if _FACTION.match(name)]


def _categories(selection: Node) -> list[str]:
    return [one.name for one in selection.all("categories")]


def _unit(selection: Node) -> ListedUnit:
    categories = [normal(name) for name in _categories(selection)]
    primary = next(
        (c.name for c in selection.all("categories") if c.facts.get("primary") == "true"), ""
    )
    unit = ListedUnit(
        printed=selection.name or "?",
        points=_total(selection),
        section=primary,
        character=bool(_CHARACTERS & set(categories)),
        selection=selection,
    )
    if selection.facts.get("type") == MODEL and not _holds_models(selection):
        own = Thing(selection.name, _count(selection), True, kind=MODEL)
        own.children = _things(unit, selection)
        unit.things = [own]
    else:
        unit.things = _things(unit, selection)
    for profile in selection.all("profiles"):
        link = _ATTACHED.match(profile.name)
        if link:
            part, leads = LEADS[normal(link[1])]
            number = int(link[3]) if link[3] else None
            mutual = normal(link[1]) == MUTUAL
            unit.links.append(Link(link[2].strip(), number, part, None, leads, mutual))
    return unit


def _holds_models(selection: Node) -> bool:
    return any(
        node.facts.get("type") == MODEL for node in selection.below() if node is not selection
    )


def _things(unit: ListedUnit, selection: Node) -> list[Thing]:
    """What stands below a selection; what is of the unit itself goes there."""
    found = []
    for one in selection.all("selections"):
        if normal(one.name) in WARLORD:
            unit.warlord = True
            continue
        if _is_none(one):
            unit.notes.append(f"{one.name} counts {one.facts['number']} and is left out")
            continue
        thing = Thing(one.name or "?", _count(one), True, kind=_kind(one))
        if thing.kind == ENHANCEMENT:
            thing.points = _total(one) or None
            unit.enhancements.append(thing)
            continue
        thing.children = _things(unit, one)
        thing.points, thing.extra = _points(one), bool(_points(one))
        found.append(thing)
    return found


def _kind(selection: Node) -> str:
    group = normal(selection.facts.get("group", ""))
    if group.startswith("enhancement"):
        return ENHANCEMENT
    return MODEL if selection.facts.get("type") in CARRIERS else UPGRADE


def _count(selection: Node) -> int:
    return min(max(whole(selection.facts.get("number", "1")) or 1, 1), MOST)


def _is_none(selection: Node) -> bool:
    """Whether there is none of a selection; builders leave counts of 0 and below behind."""
    number = whole(selection.facts.get("number", "1"))
    return number is not None and number < 1


def _is_points(cost: Node) -> bool:
    return cost.name.strip().casefold() in ("pts", "points", "pt")


def _cost(cost: Node) -> int:
    return min(whole(cost.facts.get("value", "")) or 0, MOST * MOST)


def _points(selection: Node) -> int | None:
    """A selection's own points, without what stands below it."""
    own = [_cost(one) for one in selection.all("costs") if _is_points(one)]
    return max(own[0], 0) if own else None


def _total(selection: Node) -> int:
    """The points of a selection and all below it."""
    return sum(_points(node) or 0 for node in selection.below() if node.kind == "selection")
