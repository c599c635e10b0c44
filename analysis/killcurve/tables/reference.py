"""The toolkit's own reference: rules as effects in its own words, kept in ``data/reference``.

TOML files hold one table an entry: what a stratagem, a detachment rule or an enhancement does
to attacks, in the effect language. They say nothing that any page says in sentences. The core
stratagems have a file of their own, for each of the engine's rule states.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from killcurve.engine.edition import EDITIONS as RULE_STATES
from killcurve.rules.spelling import did_you_mean, normal
from killcurve.tables.dataset import DataError
from killcurve.tables.reference_files import (
    EVERYWHERE,
    KINDS,
    PHASES,
    Reference,
    compared,
    read_file,
)

__all__ = [
    "EVERYWHERE",
    "KINDS",
    "PHASES",
    "Reference",
    "all_of",
    "compared",
    "core_stratagems",
    "folder",
    "lookup",
    "read_file",
]

CORE = "core_stratagems.toml"


def lookup(
    kind: str, edition: str, faction: str, detachment: str | None, name: str
) -> Reference | None:
    """The entry of a rule, or ``None`` if the reference has none.

    Names are compared by their letters and digits. Entries without a faction (core stratagems,
    Boarding Actions) belong to every faction. ``detachment`` is ``""`` for core stratagems, and
    ``None`` where it is not known: then the name must be the only one of it. Core stratagems are
    also found by their name in another edition, and in any rule state (``10e-2023-06``).

    Raises:
        DataError: if there is no such kind, or the files of the reference are wrong.

    >>> lookup("stratagem", "11e", "Necrons", "", "Fire Overwatch").effects
    ('snap shooting',)
    >>> lookup("stratagem", "11e", "Necrons", "", "GRENADE").name
    'EXPLOSIVES'
    >>> lookup("stratagem", "11e", "Necrons", "", "FIRE UNDERWATCH") is None
    True
    """
    by_name = _index(kind).get((edition, compared(name)), ())
    ours = [r for r in by_name if not r.faction or normal(r.faction) == normal(faction)]
    if detachment is None:
        return ours[0] if len(ours) == 1 else None
    return next((r for r in ours if normal(r.detachment) == normal(detachment)), None)


def core_stratagems(edition: str) -> tuple[Reference, ...]:
    """The core stratagems of a rule state, in the order of the rules (RULES.md §9).

    Raises:
        DataError: naming the rule states that exist.

    >>> [s.name for s in core_stratagems("10e") if "infantry" in s.used_by]
    ['GO TO GROUND']
    >>> core_stratagems("9e")
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: no core stratagems of edition '9e'; there are \
11e, 10e, 10e-2023-09, 10e-2023-06
    """
    if edition not in RULE_STATES:
        raise DataError(
            f"no core stratagems of edition {edition!r}; there are {', '.join(RULE_STATES)}"
        )
    return tuple(entry for entry in _core() if entry.edition == edition)


@cache
def all_of(kind: str) -> tuple[Reference, ...]:
    """Every entry of a kind (``stratagem``, ``detachment``, ``enhancement``), core ones first.

    Raises:
        DataError: if there is no such kind, or its file is wrong or missing.

    >>> {r.edition for r in all_of("enhancement")} == {"10e", "11e"}
    True
    >>> all_of("stratagems")
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: no reference of 'stratagems'; did you mean 'stratagem'?
    """
    if kind not in KINDS:
        raise DataError(f"no reference of {kind!r}{did_you_mean(kind, KINDS)}")
    core = _core() if kind == "stratagem" else ()
    return (*core, *read_file(folder() / f"{kind}s.toml", kind))


def folder() -> Path:
    """Where the files are: in the installed package, else in the repository.

    Raises:
        DataError: if they are in neither place.
    """
    package = Path(__file__).resolve().parents[1]
    places = (package / "reference", package.parents[1] / "data" / "reference")
    for place in places:
        if place.is_dir():
            return place
    raise DataError(
        f"the reference is missing: neither {places[0]} nor {places[1]} is there; "
        "install killcurve again, or run it from its repository"
    )


@cache
def _core() -> tuple[Reference, ...]:
    return read_file(folder() / CORE, "stratagem")


@cache
def _index(kind: str) -> Mapping[tuple[str, str], tuple[Reference, ...]]:
    by_name: dict[tuple[str, str], tuple[Reference, ...]] = {}
    for entry in all_of(kind):
        for key in entry.keys:
            by_name[entry.edition, key] = (*by_name.get((entry.edition, key), ()), entry)
    return by_name
