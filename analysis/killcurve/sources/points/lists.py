"""Points lists as they are printed, one an army: units with prices, detachments, enhancements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from killcurve.sources.points.yaml_files import DOWNLOAD, parsed_files
from killcurve.tables.dataset import DataError

META = "meta"
MOST_POINTS = 100_000
"""More than any number in a points file."""
_COPIES = re.compile(r"\[\s*(\d{1,3})\s*,\s*(?:(\d{1,3})\s*\]|\))")
_UPGRADE = re.compile(r"\s*\(upgrade\)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Price:
    """One line of a price list.

    ``first`` to ``last`` are the copies of the unit in the army that it is for (``last`` is
    ``None`` for all further ones; ``first`` is 0 where the range is not understood).
    """

    models: int
    cost: int
    first: int
    last: int | None
    description: str
    addon: bool


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit with its prices; ``group`` is the heading it stands under, if any."""

    name: str
    group: str
    legends: bool
    prices: tuple[Price, ...]
    wargear: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Enhancement:
    """An enhancement with its cost in points."""

    name: str
    cost: int
    upgrade: bool


@dataclass(frozen=True, slots=True)
class Detachment:
    """A detachment: ``points`` are Detachment Points."""

    name: str
    points: int
    disposition: str | None
    unique: str | None
    enhancements: tuple[Enhancement, ...]


@dataclass(frozen=True, slots=True)
class ArmyList:
    """The points list of one army."""

    file: str
    army: str
    parent: str | None
    version: str
    date: str
    units: tuple[Unit, ...]
    detachments: tuple[Detachment, ...]


@dataclass(frozen=True, slots=True)
class Manual:
    """All lists of a folder, what ``meta.yaml`` says of them, and what is not right with them."""

    lists: tuple[ArmyList, ...]
    version: str
    date: str
    warnings: tuple[str, ...]


def read_manual(folder: Path) -> Manual:
    """Read the points files of a folder.

    Raises:
        DataError: if a file is no whole points file. One that was cut at the end of a line of
            prices, or behind them, cannot be told from a shorter one.
    """
    lists, meta = [], None
    for name, content in parsed_files(folder):
        if Path(name).stem == META:
            meta = Node(content, name)
        else:
            lists.append(_army(Node(content, name)))
    if not lists:
        raise DataError(f"{folder} holds no points list of an army")
    warnings = [] if meta is None else _missing(meta, folder)
    version = meta.text("version", "") if meta else ""
    date = meta.text("lastUpdated", "") if meta else ""
    return Manual(
        tuple(lists),
        version or max(army.version for army in lists),
        date or max(army.date for army in lists),
        tuple(warnings),
    )


def _missing(meta: Node, folder: Path) -> list[str]:
    """Lists that ``meta.yaml`` names and that are not there."""
    there = {path.stem for path in folder.iterdir()}
    named = [str(slug) for slug in meta.value.get("factions") or ()]
    return [f"{meta.where} names {slug!r}: no such file" for slug in named if slug not in there]


@dataclass(frozen=True, slots=True)
class Node:
    """A mapping of a file; ``where`` is what messages call it."""

    value: Any
    where: str

    def __post_init__(self) -> None:
        if not isinstance(self.value, dict):
            raise DataError(f"{self.where} is no group of `name: value` lines")

    def text(self, key: str, default: str | None = None) -> str:
        """A text that is not empty; numbers and dates count as texts."""
        value = self.value.get(key, default)
        if value is None or isinstance(value, list | dict) or (value == "" and default is None):
            raise DataError(f"{self.where} has no {key}: the file is cut off or no points file")
        return str(value).strip()

    def number(self, key: str) -> int:
        """A whole number of 0 or more."""
        value = self.value.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_POINTS:
            raise DataError(f"{self.where}: {key} is {value!r}, and not a number of 0 or more")
        return value

    def nodes(self, key: str, *, least: int = 1) -> Iterator[Node]:
        """The mappings of a list."""
        value = self.value.get(key, [])
        if not isinstance(value, list) or len(value) < least:
            raise DataError(f"{self.where} has no {key}: the file is cut off or no points file")
        for number, item in enumerate(value, start=1):
            name = item.get("name") if isinstance(item, dict) else None
            yield Node(item, f"{self.where}, {key} {number}" + (f" ({name})" if name else ""))


def _army(node: Node) -> ArmyList:
    name = node.text("name")
    units = tuple(map(_unit, node.nodes("units")))
    tiers = {price.last for price in units[-1].prices if price.first}
    if tiers and None not in tiers:
        raise DataError(
            f"{node.where} ends before the price of all further copies of {units[-1].name}: "
            f"it is cut off; {DOWNLOAD}"
        )
    return ArmyList(
        file=node.where,
        army=name,
        parent=node.text("parent", "") or None,
        version=node.text("version", ""),
        date=node.text("firstSeen", ""),
        units=units,
        detachments=tuple(map(_detachment, node.nodes("detachments", least=0))),
    )


def _unit(node: Node) -> Unit:
    prices = [price for tier in node.nodes("pricing") for price in _tier(tier)]
    return Unit(
        name=node.text("name"),
        group=node.text("groupTitle", ""),
        legends=node.value.get("legends") is True,
        prices=tuple(dict.fromkeys(prices)),
        wargear=tuple((w.text("item"), w.number("points")) for w in node.nodes("wargear", least=0)),
    )


def _tier(node: Node) -> Iterator[Price]:
    first, last = copies(node.text("range")) or (0, None)
    for cost in node.nodes("costs"):
        yield Price(
            models=cost.number("models"),
            cost=cost.number("points"),
            first=first,
            last=last,
            description=cost.text("desc", ""),
            addon=cost.value.get("addon") is True,
        )


def copies(interval: str) -> tuple[int, int | None] | None:
    """The copies of a unit that an interval is for.

    >>> copies("[1,2]"), copies("[3,)"), copies("most")
    ((1, 2), (3, None), None)
    """
    found = _COPIES.fullmatch(interval.strip())
    if found is None or int(found[1]) == 0:
        return None
    return int(found[1]), int(found[2]) if found[2] else None


def _detachment(node: Node) -> Detachment:
    return Detachment(
        name=node.text("name"),
        points=node.number("dp"),
        disposition=node.text("objective", "") or None,
        unique=node.text("unique", "") or None,
        enhancements=tuple(map(_enhancement, node.nodes("enhancements", least=0))),
    )


def _enhancement(node: Node) -> Enhancement:
    name = node.text("name")
    return Enhancement(
        _UPGRADE.sub("", name).strip(), node.number("points"), bool(_UPGRADE.search(name))
    )
