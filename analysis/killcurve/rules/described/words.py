"""Ids and parameters of descriptions in plain English."""

from __future__ import annotations

import re

from killcurve.rules.abilities import ABILITIES
from killcurve.rules.conditions import Clause
from killcurve.rules.described.setting import Setting, Tree, Unread, quoted
from killcurve.rules.spelling import normal

SUBJECTS = {"target": "the target", "unit": "the unit", "attacker": "the attacker"}

STATES = frozenset(
    {
        *("afflicted", "assailed", "battle shocked", "guided", "hidden", "honoured", "marked"),
        *("pinned", "riled up", "riven", "spotted", "suppressed", "tethered", "unravelling"),
    }
)
"""States that descriptions write as if they were keywords."""

OF_STRENGTH = {
    "below starting strength": "below_starting",
    "below half strength": "below_half",
}


def plain(name: object) -> str:
    """An id as words.

    >>> plain("auspex-scanned"), plain("yp-pool")
    ('auspex scanned', 'yp pool')
    """
    return normal(str(name)).replace("-", " ").replace("_", " ")


def keyword_clauses(word: object, whose: str, setting: Setting) -> tuple[Clause, ...]:
    """The clauses of a keyword (``Jakhals or Goremongers``, ``Orks Aircraft``) of a unit.

    A name that is no keyword of any unit is a state or a mark: quoted words.

    Raises:
        Unread: if the name is too short to be one.

    >>> [str(c) for c in keyword_clauses("ORKS AIRCRAFT", "target",
    ...     Setting(known=frozenset({"orks", "aircraft"})))]
    ['target is orks', 'target is aircraft']
    >>> [str(c) for c in keyword_clauses("hidden", "target", Setting())]
    ['"the target is hidden"']
    """
    name = plain(word)
    if len(name) < 2:
        raise Unread(f"a condition on the keyword {str(word)!r}")
    if whose == "target" and name in OF_STRENGTH:
        return (Clause("flag", (f"target_{OF_STRENGTH[name]}",)),)
    found = [_known(part, setting) for part in _alternatives(normal(str(word)))]
    if all(len(parts) == 1 for parts in found):
        return (Clause("keyword", tuple(parts[0] for parts in found), whose=whose),)
    if len(found) == 1 and found[0]:
        return tuple(Clause("keyword", (part,), whose=whose) for part in found[0])
    verb = "has" if name.rstrip(" 0123456789") in ABILITIES else "is"
    return (quoted(f"{SUBJECTS[whose]} {verb} {name}"),)


def _alternatives(name: str) -> list[str]:
    return [part.strip() for part in re.split(r", | or ", name) if part.strip()]


def _known(name: str, setting: Setting) -> list[str]:
    """The keywords that a name is made of; none if it is not made of keywords."""
    spellings = (name, name.replace("-", " "), name.removesuffix("s"), f"{name}s")
    if not setting.known:
        return [] if plain(name) in STATES else [name]
    for spelling in spellings:
        if spelling in setting.known:
            return [spelling]
    parts = name.replace("-", " ").split(" ")
    for cut in range(len(parts) - 1, 0, -1):
        first, rest = " ".join(parts[:cut]), " ".join(parts[cut:])
        if first in setting.known and (more := _known(rest, setting)):
            return [first, *more]
    return []


def spelled_out(kind: str, parameters: Tree) -> str:
    """A condition of which only the names are known, as words."""
    parts = [plain(kind)]
    for key, value in parameters.items():
        if isinstance(value, str | int) and not isinstance(value, bool):
            parts.append(plain(value) if isinstance(value, str) else f"{plain(key)} {value}")
        elif isinstance(value, list) and all(isinstance(v, str) for v in value):
            parts.append(" ".join(plain(v) for v in value))
    return " ".join(parts)
