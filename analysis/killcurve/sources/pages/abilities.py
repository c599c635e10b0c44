"""The abilities of a unit, and its other sections in prose: rows of ``texts``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from killcurve.sources.pages.lines import Block, Line, Sections

Row = dict[str, Any]

_READ_ELSEWHERE = (
    "RANGED WEAPONS",
    "MELEE WEAPONS",
    "WARGEAR OPTIONS",
    "KEYWORDS",
    "FACTION KEYWORDS",
)
_PROSE = {"LEADER": "leader", "SUPPORT": "leader", "TRANSPORT": "transport", "LED BY": "leader"}
_WORD = r"[A-Z0-9][\w’'\-]*"
_SMALL = r"(?:of|the|and|in|from|to|for|a|an|by|with|on|at|is|der|von)"
_NAME = rf"{_WORD}(?:,? (?:{_WORD}|{_SMALL}|&|–|-))*!?(?: \([^()]*\))*"
_ABILITY = re.compile(rf"(?P<name>{_NAME}): ?(?P<text>.*)")
_GLUED = re.compile(rf"(?<=[.!?)”])(?={_NAME}: )")
_ASIDES = ("Designer’s Note", "Designer's Note", "Example", "Note", "Errata")


def rows(page: Sections) -> tuple[list[Row], list[str]]:
    """The texts of the unit's sections, and warnings of lines that belong to none."""
    found: list[Row] = []
    warnings: list[str] = []
    for block in page.blocks:
        if block.name in _READ_ELSEWHERE:
            continue
        if not block.lines:
            warnings.append(f"line {block.heading.number}: nothing stands under {block.name!r}")
        elif block.name == "UNIT COMPOSITION":
            found += _rows("composition", block.name, _prose_of(block.lines))
        elif block.name in _PROSE or block.name.startswith("DAMAGED"):
            kind = _PROSE.get(block.name, "damaged")
            found += _rows(kind, block.heading.text, [line.text for line in block.lines])
        else:
            found += _abilities(block, warnings)
    led_by = page.lists.get("led by", ())
    found += _rows("leader", "LED BY", [line.text for line in led_by])
    return _numbered(found), warnings


def split_abilities(text: str) -> list[str]:
    """Take apart abilities that are glued together without a space.

    >>> split_abilities("Slow: It halts.Old Grudge (Aura): It hits.Designer’s Note: Once.")
    ['Slow: It halts.', 'Old Grudge (Aura): It hits.Designer’s Note: Once.']
    """
    parts = [""]
    for part in _GLUED.split(text):
        aside = part.startswith(tuple(f"{word}:" for word in _ASIDES))
        if aside or not parts[-1]:
            parts[-1] += part
        else:
            parts.append(part)
    return parts


def _abilities(block: Block, warnings: list[str]) -> Iterator[Row]:
    """Each ability begins with its name; lines without one belong to the ability before."""
    current: Row | None = None
    for line in block.lines:
        for part in split_abilities(line.text):
            found = _ABILITY.fullmatch(part)
            bullet = part[0] in "-•■|"
            aside = part.startswith(_ASIDES)
            if found and not bullet and not aside:
                if current:
                    yield current
                heads = {"CORE": "core ability", "FACTION": "faction ability"}
                kind = heads.get(found["name"], "ability")
                current = {"kind": kind, "name": found["name"], "text": found["text"]}
            elif current:
                current["text"] += f"\n{part}"
            else:
                warnings.append(f"line {line.number}: {part[:60]!r} belongs to no ability")
    if current:
        yield current


def _prose_of(lines: Sequence[Line]) -> list[str]:
    """The lines of a composition that are neither models nor costs: what they are equipped with."""
    return [x.text for x in lines if x.text[0] not in "-•■|" and x.text.casefold() != "or"]


def _rows(kind: str, name: str, lines: Sequence[str]) -> list[Row]:
    return [{"kind": kind, "name": name, "text": "\n".join(lines)}] if lines else []


def _numbered(found: Sequence[Row]) -> list[Row]:
    """Rows of one kind and name count from 1."""
    seen: Counter[tuple[str, str]] = Counter()
    numbered = []
    for row in found:
        key = (row["kind"], row["name"])
        seen[key] += 1
        numbered.append({**row, "detachment": "", "number": seen[key]})
    return numbered
