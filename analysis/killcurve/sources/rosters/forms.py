"""Which form a list as text has: told by its shape, since few lists are signed."""

from __future__ import annotations

import re

from killcurve.rules.spelling import normal
from killcurve.sources.rosters.lines import Line
from killcurve.sources.rosters.listed import Listed

_ARMED = re.compile(r"^\d+ with ")


def form_of(listed: Listed, lines: list[Line]) -> str:
    """The name of the form.

    >>> form_of(Listed("text"), [Line(1, "+ FACTION KEYWORD: Orks", 0, False, True, False)])
    'New Recruit (GW)'
    """
    said = [normal(line.text) for line in lines]
    if any(line.startswith("+ faction keyword") for line in said):
        return _fenced(listed, lines, said)
    signs = {
        "New Recruit text": any(line.heads for line in lines),
        "WarOrgan": any(line.startswith("battle size:") for line in said),
        "List Forge text": any(
            line.text.endswith(":") and "(" not in line.text and not line.bullet for line in lines
        ),
        "New Recruit short": not any(line.bullet for line in lines),
    }
    return next((form for form, shown in signs.items() if shown), "GW app")


def _fenced(listed: Listed, lines: list[Line], said: list[str]) -> str:
    """Forms that share the heading between fences."""
    if not any(unit.size for unit in listed.units):
        return "New Recruit (GW)"
    armed = any(_ARMED.match(line) for line in said)
    listing = any(":" in line.text and line.bullet for line in lines)
    return "WTC" if armed and not listing and not _lists_behind(lines) else "WTC compact"


def _lists_behind(lines: list[Line]) -> bool:
    """Whether what units carry stands behind their points."""
    return any(re.search(r"pts\):\s", line.text) for line in lines)
