"""Detachments and enhancements of points lists as rows.

What a dataset knows of their rules stays; a points list says what they cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from killcurve.rules.spelling import normal, typographic
from killcurve.sources.points.lists import ArmyList, Detachment
from killcurve.sources.points.places import Places, Row, as_printed
from killcurve.sources.points.units import Gathered
from killcurve.tables.naming import rule_key

SAME_RULE = "the same row stands in another list"

_OF_DETACHMENTS = ("rules", "side", "effects", "status")
_OF_ENHANCEMENTS = ("side", "effects", "status")
_UNREAD: Mapping[str, Any] = {"rules": [], "side": None, "effects": [], "status": "unread"}


def gather(
    lists: Iterable[ArmyList], places: Places, into: Gathered, provenance: Mapping[str, str]
) -> None:
    """Add the rows of all detachments and their enhancements.

    ``provenance`` is the ``source`` and ``version`` of the lists; where the dataset knows the
    rules, the row names both.
    """
    lists = tuple(lists)
    listed = frozenset(f for f in (places.faction(army.army) for army in lists) if f)
    seen: dict[tuple[str, ...], Row] = {}
    copies: dict[str, set[str]] = {}
    for army in lists:
        home = places.home(army)
        for detachment in army.detachments:
            if home is None:
                reason = f"no faction of the name {army.army}"
                into.leave("detachments", reason)
                into.leave("enhancements", reason, len(detachment.enhancements))
                continue
            armies = places.armies(home, detachment.name, listed)
            for number, faction in enumerate(armies):
                _add(detachment, faction, places, into, provenance, seen, is_copy=number > 0)
            copies.setdefault(home, set()).update(armies[1:])
    for home, heirs in copies.items():
        if heirs:
            into.warnings.append(
                f"detachments of {home} stand also for {', '.join(sorted(heirs))}, which have no "
                "list of their own"
            )


def _add(
    detachment: Detachment,
    faction: str,
    places: Places,
    into: Gathered,
    provenance: Mapping[str, str],
    seen: dict[tuple[str, ...], Row],
    *,
    is_copy: bool,
) -> None:
    known = places.detachments.get(faction, {}).get(normal(detachment.name))
    name = known["detachment"] if known else as_printed(detachment.name)
    row = {
        "faction": faction,
        "detachment": name,
        "detachment_points": detachment.points,
        "force_disposition": normal(detachment.disposition) if detachment.disposition else None,
        "unique_tag": _tag(detachment.unique),
        **_rules(known, _OF_DETACHMENTS, provenance),
    }
    _put("detachments", row, (faction, name), into, seen, is_copy=is_copy)
    for enhancement in detachment.enhancements:
        of = places.enhancements.get((faction, name), {}).get(rule_key(enhancement.name))
        row = {
            "faction": faction,
            "detachment": name,
            "name": of["name"] if of else typographic(enhancement.name),
            "cost": enhancement.cost,
            "upgrade": enhancement.upgrade,
            **_rules(of, _OF_ENHANCEMENTS, provenance),
        }
        _put("enhancements", row, (faction, name, row["name"]), into, seen, is_copy=is_copy)


def _put(
    table: str,
    row: dict[str, Any],
    key: tuple[str, ...],
    into: Gathered,
    seen: dict[tuple[str, ...], Row],
    *,
    is_copy: bool,
) -> None:
    """Add a row, unless the same one is there (a different one is set aside when it is checked)."""
    if seen.setdefault((table, *key), row) != row or row is seen[table, *key]:
        into.rows[table].append(row)
    elif not is_copy:
        into.leave(table, SAME_RULE)


def _rules(known: Row | None, columns: Iterable[str], ours: Mapping[str, str]) -> dict[str, Any]:
    """The columns about rules, with where the whole row comes from."""
    if known is None:
        return {**{column: _UNREAD[column] for column in columns}, **ours}
    where = dict(ours)
    if known["source"] != ours["source"]:
        before = {column: str(known[column]).split(" + ")[0] for column in ours}
        where = {column: f"{before[column]} + {value}" for column, value in ours.items()}
    return {**{column: known[column] for column in columns}, **where}


def _tag(unique: str | None) -> str | None:
    return normal(unique).replace("-", " ") if unique else None
