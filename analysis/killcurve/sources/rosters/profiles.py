"""Stat lines and weapons that a roster's file holds itself, in the columns of the tables."""

from __future__ import annotations

from killcurve.sources.bsdata import units as stat_lines
from killcurve.sources.bsdata import weapons
from killcurve.sources.bsdata.gathering import Found, Gathered
from killcurve.sources.bsdata.nodes import Node
from killcurve.sources.rosters.listed import MODEL
from killcurve.sources.rosters.selections import CARRIERS
from killcurve.sources.wahapedia.account import Account, Row


def profiles(selection: Node, name: str, lines: Account, carried: Account) -> list[str]:
    """The stat lines and weapon profiles of a unit into two accounts; notes on its saves."""
    place = {"datasheet": name}
    gathered = Gathered(selection, selection)
    _gather(selection, (), selection, gathered)
    kinds = sum(node.facts.get("type") == MODEL for node in gathered.models.values())
    notes: list[str] = []
    stat_lines.models(gathered, place, kinds, lines, notes)
    weapons.read(gathered, place, carried, Account())
    return notes


def _gather(node: Node, owners: tuple[Node, ...], holder: Node, out: Gathered) -> None:
    if node.facts.get("type") in CARRIERS:
        owners = (*owners, node)
        out.models[id(node)] = node
    for profile in node.all("profiles"):
        out.found.append(Found(profile, owners, holder, optional=False))
    for child in node.all("selections"):
        _gather(child, owners, child, out)


def wargear(selection: Node) -> set[str]:
    """What below a selection has rules of its own and no weapon profile, by name."""
    found = set()
    for node in selection.below():
        types = {profile.facts.get("typeName") for profile in node.all("profiles")}
        if node.facts.get("type") == "upgrade" and types and not types & set(weapons.TYPES):
            found.add(node.name)
    return found


def by_name(rows: list[Row]) -> dict[str, str]:
    """The ``weapon_id`` of each weapon name of a unit's own profiles."""
    return {row["weapon"]: row["weapon_id"] for row in rows}
