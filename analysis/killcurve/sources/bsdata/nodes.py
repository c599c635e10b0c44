"""One form for both: an element of XML or an object of JSON as a node with named parts.

Only what is read is kept, so a catalogue takes a fraction of what its tree would.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

PARTS = {
    "catalogueLinks": "catalogueLink",
    "categoryEntries": "categoryEntry",
    "categoryLinks": "categoryLink",
    "characteristics": "characteristic",
    "constraints": "constraint",
    "costs": "cost",
    "entryLinks": "entryLink",
    "infoGroups": "infoGroup",
    "infoLinks": "infoLink",
    "modifierGroups": "modifierGroup",
    "modifiers": "modifier",
    "profiles": "profile",
    "rules": "rule",
    "selectionEntries": "selectionEntry",
    "selectionEntryGroups": "selectionEntryGroup",
    "sharedInfoGroups": "infoGroup",
    "sharedProfiles": "profile",
    "sharedRules": "rule",
    "sharedSelectionEntries": "selectionEntry",
    "sharedSelectionEntryGroups": "selectionEntryGroup",
}
"""The lists that are kept, and the kind of their members."""

_CONDITIONS = frozenset({"conditions", "conditionGroups", "repeats"})
_FACTS = frozenset(
    {
        *("id", "name", "type", "typeId", "typeName", "targetId", "hidden", "value", "field"),
        *("scope", "primary", "import", "importRootEntries", "library", "revision"),
        *("gameSystemId", "description", "defaultSelectionEntryId"),
    }
)
DEEPEST = 100
"""Lists within lists; those of real catalogues are 21 deep."""


class TooMuchError(ValueError):
    """A file has more nodes, or deeper ones, than any catalogue."""


@dataclass(slots=True, eq=False)
class Node:
    """An entry, a group, a link, a profile, …: its attributes as texts and its parts by list."""

    kind: str
    facts: dict[str, str]
    parts: dict[str, list[Node]] = field(default_factory=dict)
    text: str = ""
    file: str = ""
    conditional: bool = False

    @property
    def name(self) -> str:
        """The printed name."""
        return self.facts.get("name", "")

    @property
    def id(self) -> str:
        """The id, unique over all files of a game system (as a rule)."""
        return self.facts.get("id", "")

    @property
    def hidden(self) -> bool:
        """Whether it is not shown to players."""
        return self.facts.get("hidden") == "true"

    def all(self, part: str) -> list[Node]:
        """The members of one of its lists."""
        return self.parts.get(part, [])

    def values(self) -> dict[str, str]:
        """A profile's characteristics by name."""
        return {node.name: node.text for node in self.all("characteristics")}

    def below(self) -> Iterator[Node]:
        """This node and all below it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            for nodes in node.parts.values():
                waiting.extend(nodes)


@dataclass(slots=True)
class Maker:
    """Makes the nodes of one file; ``most`` is how many it may still make."""

    file: str
    most: int
    _known: dict[str, str] = field(default_factory=dict)

    def from_json(self, kind: str, content: dict[str, Any], depth: int = 0) -> Node:
        """The node of an object.

        >>> made = Maker("x.json", 9).from_json("catalogue", {"id": "a", "library": True})
        >>> made.id, made.facts["library"]
        ('a', 'true')
        """
        node = self._node(kind, depth)
        for key, value in content.items():
            if isinstance(value, list):
                if key in PARTS:
                    node.parts[key] = [
                        self.from_json(PARTS[key], member, depth + 1)
                        for member in value
                        if isinstance(member, dict)
                    ]
                elif key in _CONDITIONS and value:
                    node.conditional = True
            elif key == "$text":
                node.text = _scalar(value)
            elif key in _FACTS and not isinstance(value, dict):
                node.facts[key] = self._same(_scalar(value))
        return node

    def from_xml(self, element: Element, depth: int = 0) -> Node:
        """The node of an element, whose lists are elements of their own."""
        node = self._node(_local(element.tag), depth)
        for key, value in element.attrib.items():
            if key in _FACTS:
                node.facts[key] = self._same(value)
        node.text = (element.text or "").strip()
        for child in element:
            name = _local(child.tag)
            if name in PARTS:
                node.parts[name] = [self.from_xml(member, depth + 1) for member in child]
            elif name in _CONDITIONS and len(child):
                node.conditional = True
            elif name in _FACTS:
                node.facts[name] = child.text or ""
        return node

    def _node(self, kind: str, depth: int) -> Node:
        self.most -= 1
        if self.most < 0:
            raise TooMuchError("more entries than any catalogue")
        if depth > DEEPEST:
            raise TooMuchError(f"lists within lists more than {DEEPEST} deep")
        return Node(self._same(kind), {}, file=self.file)

    def _same(self, text: str) -> str:
        """The same text object for the same text: ids and names are named many times."""
        return self._known.setdefault(text, text)


def _local(tag: object) -> str:
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
