"""Which edition a page is of: it does not say so, but prints many things differently."""

from __future__ import annotations

import re
from collections.abc import Sequence

from killcurve.sources.pages.lines import Sections
from killcurve.sources.pages.stratagems import Entry
from killcurve.sources.pages.unit import Unit
from killcurve.tables.dataset import DataError

_NEW = ("COUNTEROFFENSIVE", "CRUSHING IMPACT", "EXPLOSIVES")
_OLD = ("TANK SHOCK", "GO TO GROUND", "GRENADE")
_NUMBERED = re.compile(r"\d\d\.\d\d(?:\.\d\d)? \S.*|.*[A-Z\]]\d\d\.\d\d")


def edition_of(
    page: Sections, unit: Unit, listed: Sequence[Entry], name: str
) -> tuple[str, list[str]]:
    """The edition that most signs speak for, and a warning if some speak against it.

    Raises:
        DataError: if no sign decides.
    """
    signs = {"11e": _signs_new(page, unit, listed), "10e": _signs_old(page, unit, listed)}
    new, old = len(signs["11e"]), len(signs["10e"])
    if new == old:
        raise DataError(
            f"{name}: the page tells no edition; signs of the 11th: {_list(signs['11e'])}; of the "
            f"10th: {_list(signs['10e'])}. Use a page that is printed all in one edition's form"
        )
    edition, other = ("11e", "10e") if new > old else ("10e", "11e")
    against = signs[other]
    warning = f"read as {edition}, though these are as in {other}: {_list(against)}"
    return edition, [warning] if against else []


def _signs_new(page: Sections, unit: Unit, listed: Sequence[Entry]) -> list[str]:
    signs = {
        "keywords separated by semicolons": unit.separator == "; ",
        "headings over the points": unit.headed_points,
        "core stratagems of the type 'Core'": any(e.printed_type == "Core" for e in listed),
        "core stratagems such as Counteroffensive": _has(listed, _NEW),
        "numbered rules": any(_NUMBERED.fullmatch(line.text) for line in page.rest),
    }
    return [sign for sign, there in signs.items() if there]


def _signs_old(page: Sections, unit: Unit, listed: Sequence[Entry]) -> list[str]:
    weapons = [b for b in page.blocks if b.name.endswith(" WEAPONS")]
    bracketed = any(" [" in line.text for block in weapons for line in block.lines)
    signs = {
        "keywords separated by commas": unit.separator == ", ",
        "points without headings": not unit.headed_points,
        "core stratagems of types such as 'Core – Epic Deed'": any(
            entry.printed_type.startswith("Core – ") for entry in listed
        ),
        "core stratagems such as Tank Shock": _has(listed, _OLD),
        "abilities of weapons in brackets": bracketed,
    }
    return [sign for sign, there in signs.items() if there]


def _has(listed: Sequence[Entry], names: Sequence[str]) -> bool:
    return any(entry.name in names and not entry.detachment for entry in listed)


def _list(signs: Sequence[str]) -> str:
    return ", ".join(signs) or "none"
