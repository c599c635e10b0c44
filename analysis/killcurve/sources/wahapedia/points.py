"""What units cost: by size, by copy in the 11th edition, in other armies, and with wargear."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from killcurve.sources.wahapedia.account import NO_DATASHEET, Account, Row
from killcurve.sources.wahapedia.export import Export
from killcurve.sources.wahapedia.text import without_tags
from killcurve.sources.wahapedia.units import Unit, Units

HEADING = "a heading over prices, and no price"
OTHER_MIX = "another mix of as many models"
AGAIN = "the same price again, of another page of the unit"
OTHER_PAGE = "another price for as many models, of another page of the unit"
UNREAD = "no price of a number of models"

_COUNT = re.compile(r"(\d{1,4}) (?!\d)[^,]+?(?:,| and (?=\d)|$)")
_COPIES = re.compile(r"YOUR (?P<which>.*?) ?UNITS? COSTS?", re.IGNORECASE)
_ORDINAL = re.compile(r"(\d{1,3})(?:ST|ND|RD|TH)", re.IGNORECASE)
_IN_BRACKETS = re.compile(r" \(([^()]*)\)$")

Copies = tuple[int, int | None]
EVERY: Copies = (1, None)
ALLIES = "Imperium"
"""The keyword of armies that units with the price of an Assigned Agent may join."""


@dataclass(frozen=True, slots=True)
class _Cost:
    faction: str
    datasheet: str
    army: str
    copies: Copies
    label: str
    models: int
    cost: int

    @property
    def scale(self) -> tuple[str, str, str, int]:
        """What prices of several sizes have in common."""
        return (self.faction, self.datasheet, self.army, self.copies[0])


@dataclass(frozen=True, slots=True)
class Prices:
    """The accounts of ``points``, ``allied_points`` and ``wargear_costs``."""

    own: Account
    allied: Account
    wargear: Account


def read(export: Export, units: Units, sizes: Mapping[Unit, tuple[int, int]]) -> Prices:
    """The prices; ``sizes`` are the smallest and the largest number of models of units."""
    prices = Prices(Account(), Account(), Account())
    costs: dict[tuple[Unit, str, Copies, int], _Cost] = {}
    current = ""
    copies: Copies | None = EVERY
    for line in export["Datasheets_models_cost"].rows(named=True):
        if line["datasheet_id"] != current:
            current, copies = line["datasheet_id"], EVERY
        label = without_tags(line["description"])
        unit = units.by_id.get(current)
        if unit is None:
            prices.own.set_aside(NO_DATASHEET)
        elif not line["cost"]:
            copies = heading(label) or (None if "wargear" in label.casefold() else copies)
            prices.own.set_aside(HEADING)
        elif (extra := _extra(label, line["cost"], under_wargear=copies is None)) is not None:
            prices.wargear.keep({"faction": unit[0], "datasheet": unit[1], **extra})
        elif (read := _read(label, line["cost"])) is None:
            prices.own.set_aside(UNREAD)
        else:
            army, models, cost = read
            new = _Cost(*unit, army, copies or EVERY, label, models, cost)
            old = costs.setdefault((unit, army, new.copies, models), new)
            if old is not new:
                account = prices.allied if army else prices.own
                account.set_aside(_why_twice(old, new))
    for row in _brackets(list(costs.values()), sizes):
        (prices.allied if row["army"] else prices.own).keep(row)
    prices.wargear.keep_first_of(("faction", "datasheet", "item", "cost", "per"), AGAIN)
    return prices


def heading(label: str) -> Copies | None:
    """The copies in the army that prices under a heading are for.

    >>> heading("YOUR 1ST TO 2ND UNITS COST"), heading("YOUR 3RD + UNIT COSTS")
    ((1, 2), (3, None))
    >>> heading("YOUR UNIT COSTS"), heading("YOUR 1ST UNIT COSTS"), heading("WARGEAR OPTIONS")
    ((1, None), (1, 1), None)
    """
    found = _COPIES.fullmatch(label)
    if not found:
        return None
    numbers = [int(n) for n in _ORDINAL.findall(found["which"])]
    if not numbers:
        return EVERY
    return (numbers[0], None if "+" in found["which"] else numbers[-1])


def _extra(label: str, cost: str, *, under_wargear: bool) -> Row | None:
    """What is paid on top: ``+55`` for one more model, or the price of wargear."""
    printed = re.fullmatch(r"(\+?) ?(\d{1,5})(?:\.0)?", cost)
    per = label.casefold().startswith("per ")
    if printed is None or not (printed[1] or per or under_wargear):
        return None
    item = label[4:] if per else label
    return {
        "item": item,
        "cost": int(printed[2]),
        "per": "item" if per or under_wargear else "model",
    }


def _read(label: str, cost: str) -> tuple[str, int, int] | None:
    """The army (empty for the unit's own), the models and the price of a row."""
    aside = _IN_BRACKETS.search(label)
    army = ALLIES if aside and "assigned" in aside[1].casefold() else ""
    counts = [int(n) for n in _COUNT.findall(_IN_BRACKETS.sub("", label))]
    price = cost.removesuffix(".0")
    if not counts or not re.fullmatch(r"\d{1,5}", price):
        return None
    return army, sum(counts), int(price)


def _why_twice(old: _Cost, new: _Cost) -> str:
    if old.label != new.label:
        return OTHER_MIX
    return AGAIN if old.cost == new.cost else OTHER_PAGE


def _brackets(costs: list[_Cost], sizes: Mapping[Unit, tuple[int, int]]) -> Iterator[Row]:
    """A size between two printed ones costs as the larger one, if the unit may have it."""
    printed: dict[tuple[str, str, str, int], list[int]] = {}
    for cost in costs:
        printed.setdefault(cost.scale, []).append(cost.models)
    for cost in costs:
        least, most = sizes.get((cost.faction, cost.datasheet), (0, 0))
        smaller = [models for models in printed[cost.scale] if models < cost.models]
        between = smaller and least != most
        yield {
            "army": cost.army,
            "faction": cost.faction,
            "datasheet": cost.datasheet,
            "models": max(smaller) + 1 if between else cost.models,
            "models_max": cost.models,
            "copies_from": cost.copies[0],
            "copies_to": cost.copies[1],
            "cost": cost.cost,
        }
