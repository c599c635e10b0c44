"""All files of a folder joined by their ids; what a link needs and nobody has is known."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from killcurve.sources.bsdata.files import AGAIN, catalogues
from killcurve.sources.bsdata.nodes import Node
from killcurve.tables.dataset import DataError

_LINKS = frozenset({"entryLink", "infoLink", "categoryLink"})
_TARGETS = frozenset(
    {
        *("selectionEntry", "selectionEntryGroup", "profile", "rule", "infoGroup"),
        *("categoryEntry", "catalogue", "gameSystem"),
    }
)
_STATS = frozenset({"Unit", "Ranged Weapons", "Melee Weapons"})


@dataclass(slots=True)
class Library:
    """Catalogues by file name, and every node that a link may have as its target by id."""

    catalogues: dict[str, Node]
    targets: dict[str, list[Node]]
    edition: str
    version: str
    date: str
    fields: dict[str, str] = field(default_factory=dict)
    """The names of characteristics and of points, by the ids that modifiers have for them."""
    doubled: list[str] = field(default_factory=list)
    needs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By file: the names of the catalogues that its links may need and that are missing."""
    missing: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """By those names: how many links have no target."""

    def target(self, link: Node) -> Node | None:
        """What a link leads to; of a doubled id the one in the same file."""
        found = self.targets.get(link.facts.get("targetId", ""))
        if not found:
            return None
        if len(found) == 1:
            return found[0]
        fitting = [node for node in found if node.kind == link.facts.get("type")] or found
        return next((node for node in fitting if node.file == link.file), fitting[0])

    def needed(self, link: Node) -> tuple[str, ...]:
        """The names of the missing catalogues of which one has a link's target."""
        return self.needs.get(link.file, ())


def open_library(folder: Path) -> Library:
    """Read the catalogues of a folder.

    Raises:
        DataError: naming the file that is no whole catalogue, or if there is none, or they tell
            no edition.
    """
    files: dict[str, Node] = {}
    targets: dict[str, list[Node]] = {}
    fields: dict[str, str] = {}
    date = 0.0
    for path, root in catalogues(folder):
        files[path.name] = root
        date = max(date, path.stat().st_mtime)
        for node in root.below():
            if node.kind in _TARGETS and node.id:
                targets.setdefault(node.id, []).append(node)
            if node.facts.get("typeName") in _STATS:
                fields.update(
                    (one.facts.get("typeId", ""), one.name) for one in node.all("characteristics")
                )
            elif node.kind == "cost" and node.name == "pts":
                fields[node.facts.get("typeId", "")] = "points"
    day = datetime.fromtimestamp(date, tz=UTC).date().isoformat()
    edition, version = _edition(files, day)
    library = Library(files, targets, edition, version, day, fields)
    library.doubled = sorted(name for name, nodes in targets.items() if len(nodes) > 1)
    _find_missing(library)
    return library


def _edition(files: dict[str, Node], day: str) -> tuple[str, str]:
    """The edition and the version of the game system, else those of the form of stat lines."""
    systems = [root for root in files.values() if root.kind == "gameSystem"]
    if len(systems) > 1:
        raise DataError(
            f"the folder holds {len(systems)} game systems ({', '.join(s.file for s in systems)}): "
            "give each edition a folder of its own"
        )
    ids = {root.facts.get("gameSystemId", root.id) for root in files.values()}
    if len(ids) > 1:
        raise DataError(
            f"the catalogues are of {len(ids)} game systems: give each edition a folder of its own"
        )
    for system in systems:
        for number in ("10", "11"):
            if f"{number}th" in system.name:
                return f"{number}e", f"revision {system.facts.get('revision', '?')} of {day}"
    names = {
        characteristic.name
        for root in files.values()
        for node in root.below()
        if node.facts.get("typeName") == "Unit"
        for characteristic in node.all("characteristics")
    }
    if "InSv" in names or "SV" in names:
        return ("11e" if "InSv" in names else "10e"), day
    raise DataError(
        "the catalogues tell no edition: the game system ('Warhammer 40,000') and units with "
        f"characteristics are missing; {AGAIN}"
    )


def _find_missing(library: Library) -> None:
    """Which catalogues are missing, and how many links of each file need them."""
    direct: dict[str, tuple[set[str], set[str]]] = {}
    for file, root in library.catalogues.items():
        absent, there = set(), set()
        for link in root.all("catalogueLinks"):
            found = library.target(link)
            if found is None:
                absent.add(link.name)
            else:
                there.add(found.file)
        if root.kind == "catalogue" and root.facts.get("gameSystemId") not in library.targets:
            absent.add("the game system (Warhammer 40,000)")
        direct[file] = (absent, there)
    for file in direct:
        seen, waiting = {file}, [file]
        absent = set()
        while waiting:
            more, there = direct[waiting.pop()]
            absent |= more
            waiting += sorted(there - seen)
            seen |= there
        library.needs[file] = tuple(sorted(absent))
    for root in library.catalogues.values():
        for node in root.below():
            if node.kind in _LINKS and library.target(node) is None:
                library.missing[library.needed(node)] += 1
