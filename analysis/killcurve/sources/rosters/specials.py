"""What a line says of a unit itself: warlord, enhancement, attachment, being a character."""

from __future__ import annotations

from killcurve.rules.spelling import normal
from killcurve.sources.rosters.items import Nesting, things_of
from killcurve.sources.rosters.lines import Line
from killcurve.sources.rosters.listed import Link, ListedUnit, Thing
from killcurve.sources.rosters.vocabulary import (
    ATTACHED,
    CHARACTER,
    ENHANCEMENT,
    LEADS,
    LINK,
    MUTUAL,
    WARLORD,
    role,
)

_IS_CHARACTER = (" character", " character keyword", " keyword: character")


def line_of_unit(unit: ListedUnit, nesting: Nesting, line: Line) -> bool:
    """Take a line that says something of the unit itself; whether it was one."""
    said = normal(line.text)
    link = LINK.match(line.text)
    if link and not line.bullet:
        part, leads = LEADS[normal(link[1])]
        number = int(link[3]) if link[3] else None
        mutual = normal(link[1]) == MUTUAL
        unit.links.append(Link(link[2], number, part, line.number, leads, mutual))
        return True
    attached = ATTACHED.match(said)
    if attached:
        unit.role = role(said[attached.end() :])
        unit.character |= bool(CHARACTER.search(said))
        return True
    if ENHANCEMENT.match(said):
        name = line.text.split(":", 1)[1].strip()
        unit.enhancements += things_of(name, line.number)[:1] if name else []
        return True
    if said.endswith(_IS_CHARACTER) and "," not in said and ": " not in said.partition(" keyw")[0]:
        unit.character = True
        return True
    return _warlord(unit, nesting, line)


def _warlord(unit: ListedUnit, nesting: Nesting, line: Line) -> bool:
    """``Warlord`` may stand among other things of one line."""
    parts = [part.strip() for part in line.text.split(",")]
    if not any(normal(part) in WARLORD for part in parts):
        return False
    unit.warlord = True
    rest = [part for part in parts if normal(part) not in WARLORD]
    unit.character |= any(normal(part).endswith(_IS_CHARACTER) for part in rest)
    kept = [part for part in rest if not normal(part).endswith(_IS_CHARACTER)]
    if kept:
        nesting.add(Line(line.number, ", ".join(kept), line.column, line.bullet, False, False))
    return True


def thing_of_unit(unit: ListedUnit, thing: Thing) -> bool:
    """Take a thing of a list that says something of the unit itself; whether it was one."""
    said = normal(thing.name)
    if said in WARLORD:
        unit.warlord = True
    elif said.endswith(_IS_CHARACTER):
        unit.character = True
    elif ENHANCEMENT.match(f"{said} "):
        thing.name = thing.name.split(":", 1)[1].strip() or thing.name
        unit.enhancements.append(thing)
    else:
        return False
    return True
