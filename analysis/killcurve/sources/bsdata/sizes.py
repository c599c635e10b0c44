"""How many models of each kind a unit has at its smallest and at its largest."""

from __future__ import annotations

from dataclasses import dataclass, field

from killcurve.sources.bsdata.library import Library
from killcurve.sources.bsdata.nodes import Node

MOST = 999
"""More models than any unit has: stands for "no largest number"."""


@dataclass(slots=True)
class Size:
    """The least and the most models, and the kinds of models with theirs."""

    least: int = 0
    most: int = 0
    kinds: dict[str, tuple[int, int]] = field(default_factory=dict)


def size(library: Library, entry: Node) -> Size:
    """The size of a unit; a single model is one, a unit without any models has none."""
    if entry.facts.get("type") == "model":
        return Size(1, 1, {entry.name: (1, 1)})
    total = Size()
    for member in _members(entry):
        _add(total, _of(library, member, frozenset({id(entry)})))
    total.most = min(total.most, MOST)
    return total


def _of(library: Library, member: Node, trail: frozenset[int]) -> Size:
    """The size of an entry, a group, or what a link leads to."""
    target = library.target(member) if member.kind == "entryLink" else member
    if target is None or id(target) in trail or target.hidden or member.hidden:
        return Size()
    low, high = limits([member] if member is target else [member, target])
    if target.kind == "selectionEntry":
        if target.facts.get("type") == "model":
            least, most = low or 0, MOST if high is None else high
            return Size(least, most, {target.name: (least, most)})
        if target.facts.get("type") != "unit":
            low, high = low or 0, 1 if high is None else high
    inner = Size()
    for part in _members(target):
        _add(inner, _of(library, part, trail | {id(target)}))
    if target.kind == "selectionEntry":
        return Size(inner.least * min(low or 0, 1), inner.most, inner.kinds)
    if not inner.most:
        return inner
    least = max(inner.least, low or 0)
    most = inner.most if high is None else min(inner.most, high)
    kinds = {n: (min(low, up, most), min(up, most)) for n, (low, up) in inner.kinds.items()}
    if len(kinds) == 1:
        [name] = kinds
        kinds[name] = (least, most)
    return Size(least, max(least, most), kinds)


def _add(total: Size, more: Size) -> None:
    total.least += more.least
    total.most += more.most
    for name, (least, most) in more.kinds.items():
        old = total.kinds.get(name, (0, 0))
        total.kinds[name] = (old[0] + least, min(old[1] + most, MOST))


def _members(node: Node) -> list[Node]:
    return [
        *node.all("selectionEntries"),
        *node.all("selectionEntryGroups"),
        *node.all("entryLinks"),
    ]


def limits(nodes: list[Node]) -> tuple[int | None, int | None]:
    """The least and the most selections that the entry (and the link to it) allow."""
    least: int | None = None
    most: int | None = None
    for node in nodes:
        for one in node.all("constraints"):
            if one.facts.get("field") != "selections" or one.facts.get("scope") != "parent":
                continue
            value = whole(one.facts.get("value", ""))
            if value is None or value < 0:
                continue
            if one.facts.get("type") == "min":
                least = max(least or 0, value)
            elif one.facts.get("type") == "max":
                most = value if most is None else min(most, value)
    return least, most


def whole(text: str) -> int | None:
    """The whole number of ``5`` or ``5.0``.

    >>> whole("5.0"), whole("-1"), whole("x"), whole("1e400")
    (5, -1, None, None)
    """
    try:
        value = float(text)
    except ValueError:
        return None
    return int(value) if value.is_integer() and abs(value) < 1e9 else None
