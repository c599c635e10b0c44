"""Abilities of units, from their names and texts."""

from __future__ import annotations

import re
from typing import Any, Protocol

from killcurve.rules.described.core import read_core
from killcurve.rules.frequency import once_per
from killcurve.sources.texts.shelf import Ability
from killcurve.tables.rulings import Ruling

_AURA = re.compile(r"\(aura\b|\baura\b", re.IGNORECASE)
_INCHES = re.compile(r"within (\d+)\"")
_GIFT = re.compile(
    r"\bwhile (?:this model|this unit|the bearer) is leading\b|\bleading a unit\b"
    r"|\bbearer's unit\b",
    re.IGNORECASE,
)


class Reads(Protocol):
    """Reads a text as one ruling."""

    def __call__(self, text: str, *, name: str, kind: str, edition: str) -> Ruling:
        """What the text says."""


def ability_row(ability: Ability, reading: Reads) -> dict[str, Any]:
    """The row of ``unit_abilities`` of an ability.

    Core abilities are known by their names; of others the text is read.
    """
    core = read_core(ability.name)
    if core is not None:
        found = Ruling.of_reading(core, "reference")
    elif ability.text:
        found = reading(
            ability.text, name=ability.name, kind="unit ability", edition=ability.edition
        )
    else:
        found = Ruling()
    return {
        "edition": ability.edition,
        "faction": ability.faction,
        "datasheet": ability.datasheet,
        "ability": ability.name,
        "kind": "core" if core is not None else ability.kind,
        "model": None,
        "gift": bool(_GIFT.search(ability.text.replace("’", "'"))),
        "aura": _aura(ability),
        "once_per": once_per(ability.text),
        "phases": list(found.phases),
        **found.columns(),
    }


def _aura(ability: Ability) -> int | None:
    """The inches of an aura."""
    if not _AURA.search(ability.name):
        return None
    found = _INCHES.search(ability.text.replace("”", '"'))
    return int(found[1]) if found else None
