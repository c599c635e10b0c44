"""Who may lead whom: links between the ids of datasheets, as units of one faction."""

from __future__ import annotations

from killcurve.sources.wahapedia.account import NO_DATASHEET, Account
from killcurve.sources.wahapedia.export import Export
from killcurve.sources.wahapedia.units import Units

ANOTHER_FACTION = "leader and bodyguard are of two factions"

_COLUMNS = (("leader_id", "attached_id"), ("datasheet_id", "attached_datasheet_id"))
"""What the two columns are called, in exports and in the description of their form."""


def leaders(export: Export, units: Units) -> Account:
    """Leaders with the units that they may be attached to."""
    account = Account()
    links = export["Datasheets_leader"]
    pair = next((pair for pair in _COLUMNS if set(pair) <= set(links.columns)), None)
    if pair is None:
        account.set_aside("its columns are unknown", links.height)
        return account
    for leader_id, bodyguard_id in links.select(pair).rows():
        leader, bodyguard = units.place(leader_id), units.place(bodyguard_id)
        if leader is None or bodyguard is None:
            account.set_aside(NO_DATASHEET)
        elif leader["faction"] != bodyguard["faction"]:
            account.set_aside(ANOTHER_FACTION)
        else:
            account.keep(
                {
                    "faction": leader["faction"],
                    "leader": leader["datasheet"],
                    "bodyguard": bodyguard["datasheet"],
                }
            )
    return account
