"""Units: names, factions, roles, stat lines, keywords and points."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from killcurve.rules.spelling import normal
from killcurve.sources.bsdata import saves
from killcurve.sources.bsdata.gathering import Gathered
from killcurve.sources.bsdata.library import Library
from killcurve.sources.bsdata.nodes import Node
from killcurve.sources.bsdata.sizes import Size, whole
from killcurve.sources.wahapedia.account import Account, Row
from killcurve.sources.wahapedia.units import number

NO_VALUE = "its toughness, save or wounds are not printed"
SAME_LINE = "the unit has the same stat line already"

_FACTION = re.compile(r"^faction: *", re.IGNORECASE)
_LEGENDS = re.compile(r" *\[legends\] *", re.IGNORECASE)
_ROLES = (
    ("epic hero", "epic-hero"),
    ("character", "character"),
    ("battleline", "battleline"),
    ("dedicated transport", "dedicated-transport"),
    ("fortification", "fortification"),
)
_CAPACITY = re.compile(r"transport capacity of (\d{1,4})\b")
_NAMES = {"Space Marines": "Adeptus Astartes", "Daemons": "Chaos Daemons"}
"""Catalogues that are named otherwise than their factions."""
POINTS = "pts"


@dataclass(frozen=True, slots=True)
class Root:
    """A unit at the root of a catalogue: the link (or the entry), the entry, its faction.

    ``chapter`` is the catalogue's own name where the faction is that of several catalogues.
    """

    link: Node
    entry: Node
    faction: str
    chapter: str
    legends: bool
    printed: str


def faction_of(catalogue: Node) -> tuple[str, str]:
    """The faction of a catalogue, and its own name (the chapter of Space Marines).

    >>> faction_of(Node("catalogue", {"name": "Imperium - Adeptus Astartes - Blood Angels"}))
    ('Adeptus Astartes', 'Blood Angels')
    >>> faction_of(Node("catalogue", {"name": "Chaos - Chaos Knights Library"}))
    ('Chaos Knights', 'Chaos Knights')
    >>> faction_of(Node("catalogue", {"name": "Library - Titans"}))
    ('Titans', 'Titans')
    """
    parts = [part.strip() for part in catalogue.name.split(" - ")]
    if len(parts) > 2 and parts[-1] == "Library":
        parts.pop()
    own = parts[-1].removesuffix(" Library").replace("'", "’")
    own = _NAMES.get(own, own)
    return ("Adeptus Astartes" if "Adeptus Astartes" in parts else own), own


def factions(library: Library) -> Account:
    """The armies, and the chapters with the faction whose datasheets they use."""
    account = Account()
    for catalogue in library.catalogues.values():
        if catalogue.kind == "catalogue":
            faction, own = faction_of(catalogue)
            account.keep({"faction": own, "parent": faction if faction != own else None})
    account.keep_first_of(("faction",), "another catalogue is of the same faction")
    return account


def root(link: Node, entry: Node, catalogue: Node) -> Root:
    """A root link (or entry) of a catalogue."""
    faction, own = faction_of(catalogue)
    name = _LEGENDS.sub(" ", entry.name).strip()
    legends = bool(_LEGENDS.search(entry.name) or _LEGENDS.search(link.name))
    return Root(link, entry, faction, own, legends, name or entry.id)


def named(roots: list[Root]) -> list[str]:
    """A name for each unit that no other of its faction has.

    Of units with one name the one that is no Legends and of the faction's own catalogue keeps
    it; others get what tells them apart behind it.
    """
    names = [""] * len(roots)
    taken: Counter[tuple[str, str]] = Counter()
    order = sorted(
        range(len(roots)),
        key=lambda i: (roots[i].legends, roots[i].chapter != roots[i].faction, i),
    )
    for index in order:
        one = roots[index]
        name = one.printed
        if taken[one.faction, normal(name)]:
            label = "Legends" if one.legends else one.chapter
            name = f"{one.printed} ({label})"
        taken[one.faction, normal(name)] += 1
        if taken[one.faction, normal(name)] > 1:
            name = f"{name} {taken[one.faction, normal(name)]}"
        names[index] = name
    return names


def models(
    gathered: Gathered, place: Mapping[str, str], kinds: int, account: Account, notes: list[str]
) -> bool:
    """The stat lines of a unit; what is to be noted of saves goes to ``notes``."""
    rules = saves.of_rules(gathered)
    seen: dict[str, list[Row]] = {}
    for line in gathered.of_type("Unit"):
        values = {name.casefold(): text for name, text in line.profile.values().items()}
        save, said = saves.of_line(line, values.get("insv", ""), rules, kinds)
        model = _LEGENDS.sub(" ", line.profile.name).strip() or place["datasheet"]
        row: Row = {
            "move": number(values.get("m", "")),
            "toughness": number(values.get("t", "")),
            "save": _save(values.get("sv", "")),
            "invulnerable_save": None if save is None else save.value,
            "invulnerable_save_against": None if save is None else save.against,
            "wounds": number(values.get("w", "")),
            "leadership": number(values.get("ld", "")),
            "objective_control": number(values.get("oc", "")),
        }
        if None in (row["toughness"], row["save"], row["wounds"]):
            account.set_aside(NO_VALUE)
            notes.append(f"the stat line of {model} lacks its toughness, save or wounds")
            continue
        known = seen.setdefault(normal(model), [])
        if row in known:
            account.set_aside(SAME_LINE)
            continue
        known.append(row)
        if len(known) > 1:
            other = line.owners[-1].name if line.owners else ""
            is_new = other and normal(other) not in seen
            model = other if is_new else f"{model} {len(known)}"
            seen.setdefault(normal(model), [row])
        notes += [f"invulnerable save of {model}: {text}" for text in said]
        account.keep({**place, "model": model, **row})
    for node, reason in gathered.aside.items():
        if node.facts.get("typeName") == "Unit":
            account.set_aside(reason)
    return bool(seen)


def keywords(gathered: Gathered, place: Mapping[str, str], account: Account) -> None:
    """The keywords of a unit; those that only some of its models have count as the unit's."""
    for name in gathered.categories:
        word = normal(_LEGENDS.sub(" ", _FACTION.sub("", name)))
        if word in ("", "configuration", "uncategorised", "unit", "model"):
            account.set_aside("a section of army lists, and no keyword")
        else:
            is_faction = bool(_FACTION.match(name))
            account.keep({**place, "keyword": word, "is_faction": is_faction})


def points(gathered: Gathered, place: Mapping[str, str], size: Size, account: Account) -> bool:
    """What a unit costs at its smallest size; the link's price counts before the entry's."""
    for node in (gathered.link, gathered.entry):
        cost = price(node)
        if cost:
            least = max(size.least, 1)
            account.keep(
                {
                    **place,
                    "models": least,
                    "models_max": least,
                    "copies_from": 1,
                    "copies_to": None,
                    "cost": cost,
                }
            )
            return True
    return False


def price(node: Node) -> int:
    """The points of an entry (0 for none)."""
    costs = (one.facts.get("value", "") for one in node.all("costs") if one.name == POINTS)
    return max((whole(text) or 0 for text in costs), default=0)


def datasheet(one: Root, gathered: Gathered, place: Mapping[str, str], size: Size) -> Row:
    """The row of a unit's datasheet, without its notes."""
    words = {normal(name) for name in gathered.categories}
    texts = (
        f.profile.values().get("Capacity", "").replace("\u00a0", " ")
        for f in gathered.of_type("Transport")
    )
    capacity = next((found for text in texts if (found := _CAPACITY.search(text))), None)
    return {
        **place,
        "role": next((role for word, role in _ROLES if word in words), None),
        "legends": one.legends,
        "models_min": size.least or None,
        "models_max": size.most if size.least and size.most < 999 else None,
        "transport_capacity": int(capacity[1]) if capacity else None,
    }


def _save(cell: str) -> int | None:
    """A unit's save; one that has none is saved on a 7."""
    return 7 if cell.strip() == "-" else number(cell)
