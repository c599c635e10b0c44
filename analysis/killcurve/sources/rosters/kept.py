"""Lists that the kept library reads: Rosterizer's JSON and its own form of rosters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from killcurve.sources.rosters.listed import MODEL, UPGRADE, Link, Listed, ListedUnit, Thing
from killcurve.tables.dataset import DataError

FORMS = {"rosterizer": "Rosterizer JSON", "roster-json": "40kdc JSON"}


def read_other(held: object, name: str) -> Listed:
    """The list that a JSON file of another builder holds.

    Raises:
        DataError: if it is none that is known, or not whole.
    """
    from wh40kdc.imports import ADAPTERS

    adapters = [one for one in ADAPTERS if one.id in FORMS]
    try:
        adapter = next((one for one in adapters if one.matches(held)), None)
        if adapter is None:
            raise DataError(
                f"{name} is JSON without a roster: it has no 'roster' with 'forces', as New "
                "Recruit, List Forge and BattleScribe write it"
            )
        return _listed(adapter.parse(held), FORMS[adapter.id])
    except DataError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise DataError(f"{name} is no whole roster ({error!r}): export the list again") from None


def _listed(parsed: Mapping[str, Any], form: str) -> Listed:
    listed = Listed(form=form, total=parsed["total_reported"], limit=parsed["declared_limit"])
    if parsed["faction_raw_name"]:
        listed.names_army = True
        listed.armies.append(str(parsed["faction_raw_name"]).replace("-", " "))
    listed.detachments += [str(one) for one in parsed["detachment_raw_names"]]
    chosen = parsed.get("force_disposition_raw_name") or parsed.get("force_disposition")
    if chosen:
        listed.dispositions.append(str(chosen).replace("-", " ").casefold())
    listed.units += [_unit(unit) for unit in parsed["units"]]
    return listed


def _unit(parsed: Mapping[str, Any]) -> ListedUnit:
    extra = parsed["enhancement_points"] or 0
    points = parsed["points"]
    unit = ListedUnit(
        printed=parsed["raw_name"] or "?",
        points=None if points is None else int(points) + int(extra),
        size=parsed["model_count"] or None,
        character=bool(parsed["is_character"]),
        warlord=bool(parsed["is_warlord"]),
    )
    if parsed["enhancement_raw_name"]:
        unit.enhancements.append(Thing(parsed["enhancement_raw_name"], points=extra or None))
    attached = parsed.get("leader_attachment")
    if attached:
        unit.links.append(Link(attached["bodyguard_raw_name"], None, attached["role"], None, True))
    groups = parsed.get("loadout_groups") or ()
    for group in groups:
        count = int(group["count"])
        model = Thing(group["model_name"] or unit.printed, count, True, kind=MODEL)
        model.children = [_thing(one, count) for one in group["wargear"]]
        unit.things.append(model)
    if not groups:
        unit.things += [_thing(one, 1) for one in parsed["wargear"]]
    return unit


def _thing(parsed: Mapping[str, Any], times: int) -> Thing:
    return Thing(parsed["raw_name"], int(parsed["count"]) * times, True, kind=UPGRADE)
