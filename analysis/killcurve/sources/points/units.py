"""Units of points lists as rows: what they cost, in their own army and in others."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from killcurve.rules.spelling import normal, typographic
from killcurve.sources.points.lists import ArmyList, Price, Unit
from killcurve.sources.points.places import Places, Row

SAME_PRICE = "the same price stands in another list"
SAME_UNIT = "the same unit stands in another list"
OTHER_COST = "another cost stands in the unit's own list"
NO_RANGE = "the range of copies is not understood"
SAME_SIZE = "another price of the same number of models"

NEAR = 0.85
"""The likeness of names from which one may be a slip for the other."""

_KEYWORD = re.compile(r"Every Model Has The (.+) Keyword", re.IGNORECASE)


@dataclass(slots=True)
class Gathered:
    """Rows by table, and rows left out as table → reason → number."""

    rows: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    aside: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    warnings: list[str] = field(default_factory=list)

    def leave(self, table: str, reason: str, number: int = 1) -> None:
        """Count rows that are left out."""
        if number:
            self.aside[table][reason] += number


@dataclass(frozen=True, slots=True)
class Entry:
    """A unit in an army's list, with its datasheet; ``foreign`` if that is of no such army."""

    army: str
    unit: Unit
    sheet: Row
    foreign: bool
    at_home: bool

    @property
    def rank(self) -> tuple[bool, bool, bool]:
        """The unit's own list comes first, then that of a child, then those of others."""
        return self.foreign, not self.at_home, _KEYWORD.fullmatch(self.unit.group) is not None

    @property
    def payer(self) -> str:
        """The army that pays these prices, or the keyword that all its models have."""
        keyword = _KEYWORD.fullmatch(self.unit.group)
        return keyword[1] if keyword else self.army


def gather(lists: Iterable[ArmyList], places: Places, into: Gathered) -> None:
    """Add the rows of all units."""
    entries: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for army in lists:
        lost = []
        for unit in army.units:
            sheet, foreign = places.sheet(army, unit.name)
            if sheet is None:
                _leave_unit(into, army, unit, places)
                lost.append(unit)
                continue
            home = places.home(army)
            payer = places.faction(army.army) or army.army
            entry = Entry(payer, unit, sheet, foreign, sheet["faction"] == home)
            entries[sheet["faction"], sheet["datasheet"]].append(entry)
        if lost:
            into.warnings.append(_about_lost(army, lost, places))
    for of_one in entries.values():
        _prices(sorted(of_one, key=lambda e: e.rank), into)
        _wargear(sorted(of_one, key=lambda e: e.rank), places, into)


def _leave_unit(into: Gathered, army: ArmyList, unit: Unit, places: Places) -> None:
    where = places.home(army)
    if where is None:
        reason = f"no faction of the name {army.army}"
    else:
        reason = f"no datasheet of that name in {where}"
    addons = sum(price.addon for price in unit.prices)
    into.leave("datasheets", reason)
    into.leave("points", reason, len(unit.prices) - addons)
    into.leave("wargear_costs", reason, len(unit.wargear) + addons)


def _about_lost(army: ArmyList, lost: Sequence[Unit], places: Places) -> str:
    """Which units of a list have no datasheet, with the nearest names.

    Units of Legends often have none: they are named only where a name is very near.
    """
    told = []
    for unit in lost:
        near = places.nearest(army, unit.name, least=NEAR if unit.legends else 0.6)
        if near or not unit.legends:
            told.append(repr(unit.name) + (f" (nearest: {near!r})" if near else ""))
    legends = sum(unit.legends for unit in lost)
    of_legends = f", {legends} of them Legends" if legends else ""
    names = f": {', '.join(told)}" if told else ""
    return f"{army.file}: units without a datasheet: {len(lost)}{of_legends}{names}"


def _prices(entries: Sequence[Entry], into: Gathered) -> None:
    """The rows of one datasheet, its own list first."""
    own: list[dict[str, Any]] | None = None
    for entry in entries:
        of_size, troubles = price_rows(p for p in entry.unit.prices if not p.addon)
        place = {key: entry.sheet[key] for key in ("faction", "datasheet")}
        for reason, number in troubles.items():
            into.leave("points", reason, number)
        if own is None and not entry.foreign:
            own = of_size
            into.rows["points"] += [{**place, **row} for row in of_size]
            into.rows["datasheets"].append({**entry.sheet, "legends": entry.unit.legends})
            continue
        into.leave("datasheets", SAME_UNIT)
        if of_size == own:
            into.leave("points", SAME_PRICE, len(of_size))
        else:
            more = [{**place, "army": entry.payer, **row} for row in of_size]
            into.rows["allied_points"] += more


def price_rows(prices: Iterable[Price]) -> tuple[list[dict[str, Any]], Counter[str]]:
    """The rows of a price list, and how many of its lines became none.

    A unit between two printed sizes pays for the larger one. Where two lines have the same
    number of models, that with fewer kinds of models stands (``6 Guards``, not ``3 Guards,
    3 Wolves``).
    """
    troubles: Counter[str] = Counter()
    tiers: dict[tuple[int, int | None], dict[int, Price]] = defaultdict(dict)
    for price in sorted(prices, key=lambda p: (p.models, p.description.count(","))):
        if price.first == 0:
            troubles[NO_RANGE] += 1
        elif price.models in tiers[price.first, price.last]:
            troubles[SAME_SIZE] += 1
        else:
            tiers[price.first, price.last][price.models] = price
    rows = []
    for (first, last), sizes in sorted(tiers.items(), key=lambda tier: tier[0][0]):
        smaller = None
        for models, price in sizes.items():
            rows.append(
                {
                    "models": models if smaller is None else smaller + 1,
                    "models_max": models,
                    "copies_from": first,
                    "copies_to": last,
                    "cost": price.cost,
                }
            )
            smaller = models
    return rows, troubles


def _wargear(entries: Sequence[Entry], places: Places, into: Gathered) -> None:
    """What is paid on top: wargear by item, added models by model."""
    seen: dict[str, int] = {}
    for entry in entries:
        place = {key: entry.sheet[key] for key in ("faction", "datasheet")}
        weapons = places.weapons.get((place["faction"], place["datasheet"]), {})
        costs = [(item, cost, "item") for item, cost in entry.unit.wargear]
        costs += [
            (price.description or f"{price.models} more models", price.cost, "model")
            for price in entry.unit.prices
            if price.addon
        ]
        for item, cost, per in costs:
            known = (
                seen.setdefault(normal(item), cost) if not entry.foreign else seen.get(normal(item))
            )
            name = weapons.get(normal(item), typographic(item))
            row = {**place, "item": name, "cost": cost, "per": per}
            if known == cost and row not in into.rows["wargear_costs"]:
                into.rows["wargear_costs"].append(row)
            else:
                into.leave("wargear_costs", SAME_PRICE if known == cost else OTHER_COST)
