"""One rule of a file, asked and answered as plain data (SCENARIO)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from killcurve.engine.edition import EDITIONS
from killcurve.rules.reader.aggregate import read_rule
from killcurve.rules.reading import Node, ScenarioError
from killcurve.rules.spelling import did_you_mean


def answer(asked: object) -> dict[str, Any]:
    """What a rule does, as plain data; other keys than those of a rule are left alone.

    Raises:
        ScenarioError: if there is no text, or a value is of the wrong type, with its place.

    >>> answer({"id": 7, "text": "Each time this model makes an attack, add 1 to the Hit roll."})
    {'id': 7, 'side': 'attacker', 'phases': ['shooting', 'fight'], 'status': 'modelled', \
'effects': ['hit +1'], 'unread': []}
    >>> answer({"text": 5})
    Traceback (most recent call last):
    ...
    killcurve.rules.reading.ScenarioError: text: 5 is not a text
    """
    if not isinstance(asked, Mapping):
        raise ScenarioError("a rule is an object with a text", "")
    node = Node(asked)
    node.need("text")
    reading = read_rule(
        node.text("text", ""),
        name=node.text("name", ""),
        kind=node.text("kind", ""),
        edition=_edition(node),
    )
    return {
        "id": _id(asked.get("id")),
        "side": reading.side,
        "phases": list(reading.phases),
        "status": reading.status,
        "effects": [str(effect) for effect in reading.effects],
        "unread": list(reading.unread),
    }


def _edition(node: Node) -> str | None:
    key = node.text("edition", "")
    if key and key not in EDITIONS:
        known = f"{', '.join(EDITIONS)} are known{did_you_mean(key, EDITIONS)}"
        raise ScenarioError(f"there is no edition {key!r}: {known}", node.at("edition"))
    return key or None


def _id(value: object) -> str | int | None:
    if value is None or (isinstance(value, str | int) and not isinstance(value, bool)):
        return value
    raise ScenarioError("an id is a text or a whole number", "id")
