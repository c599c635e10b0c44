"""Core abilities of units, whose names say it all: ``Feel No Pain 5+``, ``Deadly Demise D6``."""

from __future__ import annotations

import re

from killcurve.rules.descriptions import Reading
from killcurve.rules.effects import Effect
from killcurve.rules.spelling import normal

DEMISE = ('"it is destroyed"', '"D6 roll of 6"')
"""On what the mortal wounds of Deadly Demise hang."""

_SILENT = re.compile(
    r"(deep strike|fights first|firing deck \d+|hover|infiltrators|leader|lone operative"
    r"|scouts \d+\"?|super-heavy walker|support)(?: \(.*\))?"
)
_FEEL_NO_PAIN = re.compile(r"feel no pain ([2-6])\+(?: against (psychic|mortal).*)?")
_DEMISE = re.compile(r"deadly demise (\d*d[36](?:\+\d+)?|\d+)(?: \(.*\))?")


def read_core(name: str) -> Reading | None:
    """What a core ability does to attacks, or ``None`` if the name is not that of one.

    >>> [str(e) for e in read_core("Feel No Pain 5+").effects]
    ['feel no pain 5+']
    >>> [str(e) for e in read_core("DEADLY DEMISE D3").effects]
    ['mortal wounds D3 if "it is destroyed" and "D6 roll of 6"']
    >>> read_core('Scouts 6"').status, read_core("Shadow of the Mole")
    ('none', None)
    """
    known = normal(name)
    if _SILENT.fullmatch(known):
        return Reading((), None, "none")
    if known == "stealth":
        return _reading("stealth", "defender", ("shooting",))
    if found := _FEEL_NO_PAIN.fullmatch(known):
        against = f" against {found[2]}" if found[2] else ""
        return _reading(f"feel no pain {found[1]}+{against}", "defender", ("shooting", "fight"))
    if found := _DEMISE.fullmatch(known):
        phrase = f"mortal wounds {found[1].upper()} if {' and '.join(DEMISE)}"
        return _reading(phrase, "attacker", ("shooting", "fight"))
    return None


def _reading(phrase: str, side: str, phases: tuple[str, ...]) -> Reading:
    return Reading((Effect.parse(phrase),), side, "modelled", (), phases)
