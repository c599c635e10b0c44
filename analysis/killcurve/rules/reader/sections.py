"""The parts of a stratagem's text: when, whom, and what it does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from killcurve.rules.reader.text import Line

PARTS = ("WHEN", "TARGET", "EFFECT", "RESTRICTIONS")

_PART = re.compile(r"(?:^|(?<=[.:;)!] )|(?<=[.)!]))(WHEN|TARGET|EFFECT|RESTRICTIONS?) ?: ?")


@dataclass(frozen=True, slots=True)
class Sections:
    """Lines by part; a text without parts is all ``effect``."""

    when: tuple[Line, ...]
    target: tuple[Line, ...]
    effect: tuple[Line, ...]
    restrictions: tuple[Line, ...]

    @property
    def is_stratagem(self) -> bool:
        """Whether the text has the parts of a stratagem."""
        return bool(self.when)


def sections(given: Sequence[Line]) -> Sections:
    """Tell the parts of a text apart; a part that is printed again is left out.

    >>> texts = ["WHEN: Fight phase.", "EFFECT: Add 1.", "EFFECT: Add 1."]
    >>> parts = sections([Line(text) for text in texts])
    >>> [line.text for line in parts.effect]
    ['Add 1.']
    """
    found: dict[str, list[Line]] = {"EFFECT": []}
    part = "EFFECT"
    repeats = False
    seen: set[str] = set()
    for line in given:
        pieces = _PART.split(line.text)
        if pieces[0].strip() and not repeats:
            found.setdefault(part, []).append(replace(line, text=pieces[0].strip()))
        for name, text in zip(pieces[1::2], pieces[2::2], strict=True):
            part = "RESTRICTIONS" if name.startswith("RESTR") else name
            repeats = part in seen
            seen.add(part)
            if text.strip() and not repeats:
                found.setdefault(part, []).append(replace(line, text=text.strip(), marked=False))
    return Sections(*(tuple(found.get(name, ())) for name in PARTS))
