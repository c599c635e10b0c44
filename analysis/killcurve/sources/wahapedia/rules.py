"""Detachments, stratagems and enhancements: what they cost and when they are used.

What they do the toolkit's own reference says of those it knows; the others are ``unread`` until
their texts are read (:mod:`killcurve.sources.texts`).
"""

from __future__ import annotations

import re

from killcurve.rules.spelling import normal
from killcurve.sources.wahapedia.account import Account, Row
from killcurve.sources.wahapedia.export import Export
from killcurve.sources.wahapedia.text import without_tags
from killcurve.sources.wahapedia.units import number
from killcurve.tables.reference import PHASES, core_stratagems, lookup
from killcurve.tables.rulings import core_row, known_or_unread

OLD_CORE = "a core stratagem as the 10th edition had it: the toolkit has those of the 11th"
NO_CP = "it has no CP cost: a rule of the army that is listed with the stratagems"
TWO_PACKS = "the same stratagem in another mission pack"
TWICE = "the faction has another detachment of this name"
NO_FACTION = "its faction is not in Factions.csv"

_TURNS = {"your": "your", "opponent's": "opponent", "either": "either"}
_BOOLEANS = {"true": True, "false": False, "1": True, "0": False}
_CORE = ("core", "core stratagem")


def detachments(export: Export) -> Account:
    """The detachments with the names of their rules."""
    account = Account()
    armies = _armies(export)
    rules: dict[tuple[str, str], list[str]] = {}
    for rule in export["Detachment_abilities"].rows(named=True):
        place = (armies.get(rule["faction_id"], ""), normal(rule["detachment"]))
        rules.setdefault(place, []).append(without_tags(rule["name"]))
    for line in export["Detachments"].rows(named=True):
        faction = armies.get(line["faction_id"])
        if faction is None:
            account.set_aside(NO_FACTION)
            continue
        name = without_tags(line["name"])
        own = list(dict.fromkeys(rules.get((faction, normal(name)), [])))
        known = [lookup("detachment", export.edition, faction, name, rule) for rule in own]
        account.keep(
            {
                "faction": faction,
                "detachment": name,
                "detachment_points": number(line.get("dp", "")),
                "force_disposition": normal(line.get("force_disposition", "")) or None,
                "rules": own,
                # Several rules are only known together if each is.
                **known_or_unread(known[0] if len(known) == 1 else None),
            }
        )
    account.keep_first_of(("faction", "detachment"), TWICE)
    return account


def stratagems(export: Export) -> Account:
    """The stratagems; core ones have neither faction nor detachment.

    Exports of the 11th edition still list the core stratagems of the 10th; those of the
    toolkit stand in their place.
    """
    account = Account()
    armies = _armies(export)
    for line in export["Stratagems"].rows(named=True):
        faction = armies.get(line["faction_id"], "")
        owner, kind = _type(line["type"])
        detachment = without_tags(line["detachment"]) or owner
        cost = number(line["cp_cost"])
        if cost is None:
            account.set_aside(NO_CP)
        elif line["faction_id"] and not faction:
            account.set_aside(NO_FACTION)
        elif export.edition == "11e" and not detachment:
            account.set_aside(OLD_CORE)
        else:
            name = without_tags(line["name"])
            known = lookup("stratagem", export.edition, faction, detachment, name)
            account.keep(
                {
                    "faction": faction,
                    "detachment": detachment,
                    "name": name,
                    "cp": cost,
                    "type": kind,
                    "phase": phases(line["phase"]),
                    "turn": _TURNS.get(normal(line["turn"]).split(" ")[0]),
                    "used_by": list(known.used_by) if known else [],
                    **known_or_unread(known),
                }
            )
    account.keep_first_of(("faction", "detachment", "name"), TWO_PACKS)
    return account


def core(edition: str) -> list[Row]:
    """The toolkit's own core stratagems, for exports that have none of their edition."""
    return [{"source": "killcurve", **core_row(entry)} for entry in core_stratagems(edition)]


def enhancements(export: Export) -> Account:
    """The enhancements with their costs."""
    account = Account()
    armies = _armies(export)
    for line in export["Enhancements"].rows(named=True):
        faction = armies.get(line["faction_id"])
        if faction is None:
            account.set_aside(NO_FACTION)
            continue
        name, detachment = without_tags(line["name"]), without_tags(line["detachment"])
        account.keep(
            {
                "faction": faction,
                "detachment": detachment,
                "name": name,
                "cost": number(line["cost"]),
                "upgrade": _BOOLEANS.get(line.get("upgrade", "").casefold()),
                **known_or_unread(lookup("enhancement", export.edition, faction, detachment, name)),
            }
        )
    return account


def phases(cell: str) -> list[str]:
    """The phases of ``Shooting or Fight phase``; ``Any phase`` is all of them.

    >>> phases("Shooting or Fight phase")
    ['shooting', 'fight']
    """
    words = normal(cell)
    every = words.startswith("any")
    return [phase for phase in PHASES if every or re.search(rf"\b{phase}\b", words)]


def _type(printed: str) -> tuple[str, str | None]:
    """The owner (empty for core ones) and the type of ``Bell Foundry – Epic Deed Stratagem``."""
    owner, _, kind = re.sub(r"\s+", " ", printed).rpartition(" – ")
    kind = normal(kind).removesuffix("stratagem").strip().replace(" ", "-")
    return ("" if normal(owner) in _CORE else owner.strip()), kind or None


def _armies(export: Export) -> dict[str, str]:
    return dict(export["Factions"].select("id", "name").rows())
