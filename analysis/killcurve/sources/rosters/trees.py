"""Rosters of list builders as trees: XML (``.ros``) and JSON with the same names as one form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from killcurve.sources.bsdata.nodes import Node, TooMuchError

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

PARTS = {
    "categories": "category",
    "characteristics": "characteristic",
    "costLimits": "costLimit",
    "costs": "cost",
    "forces": "force",
    "profiles": "profile",
    "selections": "selection",
}
"""The lists that are kept, and the kind of their members."""

_FACTS = frozenset(
    {
        *("id", "name", "type", "typeName", "value", "number", "group", "primary"),
        *("catalogueName", "gameSystemName", "generatedBy"),
    }
)
MOST_NODES = 400_000
"""The largest real roster has 6,000."""
DEEPEST = 60


def from_json(kind: str, content: dict[str, Any]) -> Node:
    """The tree of a JSON object.

    Raises:
        TooMuchError: if it is larger or deeper than any roster.

    >>> from_json("roster", {"forces": [{"catalogueName": "Orks"}]}).all("forces")[0].facts
    {'catalogueName': 'Orks'}
    """
    count = [MOST_NODES]
    return _of_object(kind, content, 0, count)


def _of_object(kind: str, content: dict[str, Any], depth: int, left: list[int]) -> Node:
    node = _node(kind, depth, left)
    for key, value in content.items():
        if key in PARTS and isinstance(value, list):
            node.parts[key] = [
                _of_object(PARTS[key], member, depth + 1, left)
                for member in value
                if isinstance(member, dict)
            ]
        elif key in ("$text", "_text", "text"):
            node.text = _scalar(value)
        elif key in _FACTS and not isinstance(value, (dict, list)):
            node.facts[key] = _scalar(value)
    return node


def from_xml(element: Element) -> Node:
    """The tree of an XML element.

    Raises:
        TooMuchError: if it is larger or deeper than any roster.
    """
    return _of_element(element, 0, [MOST_NODES])


def _of_element(element: Element, depth: int, left: list[int]) -> Node:
    node = _node(_local(element.tag), depth, left)
    for key, value in element.attrib.items():
        if key in _FACTS:
            node.facts[key] = value
    node.text = (element.text or "").strip()
    for child in element:
        name = _local(child.tag)
        if name in PARTS:
            node.parts[name] = [_of_element(member, depth + 1, left) for member in child]
    return node


def _node(kind: str, depth: int, left: list[int]) -> Node:
    left[0] -= 1
    if left[0] < 0:
        raise TooMuchError("more entries than any roster")
    if depth > DEEPEST:
        raise TooMuchError(f"lists within lists more than {DEEPEST} deep")
    return Node(kind, {})


def _local(tag: object) -> str:
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
