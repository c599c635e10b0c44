"""Who bears the enhancements, and who is the warlord: by the units, and by the list's heading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from killcurve.sources.rosters.listed import Listed, Thing
from killcurve.sources.rosters.names import bare, key, nearest
from killcurve.sources.rosters.units import Army, Unit, take_enhancements

NONE_KNOWN = "the dataset has no enhancements of this army"

Lost = tuple[int | None, int | None, str, str, list[str]]
"""A unit's number, a line, what it says, why it has no place, and the nearest names."""


def enhance(units: Sequence[Unit], listed: Listed, army: Army) -> list[Lost]:
    """Give the units their enhancements and the warlord; what has no place comes back."""
    for unit in units:
        take_enhancements(unit, army)
    lost = list(_of_heading(units, listed, army))
    _warlord(units, listed.warlord)
    names = army.places.enhancement_names(army.factions)
    why = "no enhancement of the army has this name" if names else NONE_KNOWN
    unknown = [
        (number, one)
        for number, unit in enumerate(units, start=1)
        for one in unit.taken
        if one.known is None
    ]
    return lost + [
        (number, one.line, one.printed, why, nearest(one.printed, names)) for number, one in unknown
    ]


def _of_heading(units: Sequence[Unit], listed: Listed, army: Army) -> Iterator[Lost]:
    """Enhancements that the heading names and no unit's own lines do."""
    taken = {key(bare(one.printed)) for unit in units for one in unit.taken}
    for name, bearer, line in listed.bearers:
        if key(bare(name)) in taken:
            continue
        found = next((unit for unit in units if key(unit.listed.printed) == key(bearer)), None)
        if found is None:
            why = f"an enhancement of {bearer!r}, which is no unit of the list"
            yield None, line, name, why, []
        else:
            found.listed.enhancements = [Thing(name, line=line)]
            take_enhancements(found, army)


def _warlord(units: Sequence[Unit], name: str) -> None:
    if name and not any(unit.listed.warlord for unit in units):
        found = next((unit for unit in units if key(unit.listed.printed) == key(name)), None)
        if found is not None:
            found.listed.warlord = True
