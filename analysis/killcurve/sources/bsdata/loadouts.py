"""What each kind of model carries by default, and what it may carry: selections within limits.

An entry that must be selected is carried; one that may be is an addition; a group of which so
many must be selected has a default (its first entry if it names none), for which its other
entries can be exchanged. Limits that conditions change, and those on groups of models, are not
read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from killcurve.sources.bsdata.gathering import Gathered, not_of_the_unit
from killcurve.sources.bsdata.library import Library
from killcurve.sources.bsdata.nodes import Node
from killcurve.sources.bsdata.sizes import limits
from killcurve.sources.bsdata.weapons import TYPES
from killcurve.sources.wahapedia.account import Account, Row

NO_LIMIT = "so many as one likes can be taken"
ANOTHER_KIT = "another entry of the same kind of model is equipped otherwise"

_MOST = 20
"""More of a thing than this is no limit."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """Something that can be selected: what it brings, and how often it must and may be."""

    ids: frozenset[str]
    things: tuple[str, ...]
    least: int
    most: int | None


@dataclass(slots=True)
class _Kit:
    """What one kind of model has and may have."""

    carried: Counter[str] = field(default_factory=Counter)
    rows: list[Row] = field(default_factory=list)
    aside: Counter[str] = field(default_factory=Counter)

    def take(self, default: _Choice, choices: Sequence[_Choice], times: int) -> None:
        """The default of a group, so many times, and what can be had for it."""
        for thing in default.things:
            self.carried[thing] += times
        others = [choice.things for choice in choices if choice.things != default.things]
        if others:
            self.rows.append(_row(default.things, others, times))


def read(
    library: Library,
    gathered: Gathered,
    place: Mapping[str, str],
    ids: Mapping[Node, str],
    defaults: Account,
    options: Account,
) -> None:
    """The default weapons and options of a unit into their accounts; ``ids`` are its weapons."""
    kits: dict[str, _Kit] = {}
    weapons = frozenset(ids.values())
    reader = _Reader(library, ids, weapons)
    for model in gathered.models.values():
        if model.facts.get("type") != "model":
            continue
        kit = _Kit()
        reader.members(model, kit)
        other = kits.setdefault(model.name, kit)
        if (other.carried, other.rows) != (kit.carried, kit.rows):
            options.set_aside(ANOTHER_KIT)
    number = 0
    for model_name, kit in kits.items():
        for item, count in kit.carried.items():
            if item in weapons:
                row = {"model": model_name, "weapon_id": item, "count": count}
                defaults.keep({**place, **row})
            else:
                number += 1
                row = {"kind": "carried", "replaces": [], "choices": [item] * count}
                options.keep({**place, "option": number, "model": model_name, **row})
        for row in kit.rows:
            number += 1
            options.keep({**place, "option": number, "model": model_name, **row})
        for reason, times in kit.aside.items():
            options.set_aside(reason, times)


@dataclass(frozen=True, slots=True)
class _Reader:
    library: Library
    ids: Mapping[Node, str]
    weapons: frozenset[str]

    def members(self, node: Node, kit: _Kit) -> None:
        """Everything below a model, or below a group without limits of its own."""
        for member, target in self._below(node):
            if target.facts.get("type") in ("model", "unit"):
                continue
            if target.kind == "selectionEntryGroup":
                self._group(member, target, kit)
            else:
                self._alone(self._choice(member, target), kit)

    def _below(self, node: Node) -> Iterator[tuple[Node, Node]]:
        """The members of a node, each with what it leads to."""
        for part in ("selectionEntries", "selectionEntryGroups", "entryLinks"):
            for member in node.all(part):
                target = self.library.target(member) if member.kind == "entryLink" else member
                if target is None or member.hidden or target.hidden:
                    continue
                if not (not_of_the_unit(member) or not_of_the_unit(target)):
                    yield member, target

    def _alone(self, choice: _Choice, kit: _Kit) -> None:
        """An entry of its own: carried as often as it must be, an addition beyond that."""
        if not any(thing in self.weapons for thing in choice.things):
            return
        for thing in choice.things if choice.least else ():
            kit.carried[thing] += choice.least
        if choice.most is None and not choice.least:
            kit.aside[NO_LIMIT] += 1
        elif choice.most is not None and choice.least < choice.most <= _MOST:
            kit.rows.append(_row([], [choice.things], choice.most - choice.least))

    def _group(self, member: Node, group: Node, kit: _Kit) -> None:
        """A group: its default and what can be had for it."""
        least, most = limits([member] if member is group else [member, group])
        if most is None:
            self.members(group, kit)
            return
        choices = [c for c in self._choices(group) if c.things]
        if not any(thing in self.weapons for c in choices for thing in c.things):
            return
        taken = min(least or 0, _MOST)
        if taken:
            wanted = {n.facts.get("defaultSelectionEntryId", "") for n in (member, group)}
            kit.take(_default(choices, wanted), choices, taken)
        if taken < most <= _MOST:
            kit.rows.append(_row([], [c.things for c in choices], most - taken))
        for choice in choices:
            if choice.most is not None and 0 < choice.most < most <= _MOST:
                kit.rows.append(_limit(choice.things[0], choice.most))

    def _choices(self, group: Node) -> Iterator[_Choice]:
        """What a group offers; groups in it offer what they have."""
        for member, target in self._below(group):
            if target.kind == "selectionEntryGroup":
                yield from self._choices(target)
            elif target.facts.get("type") not in ("model", "unit"):
                yield self._choice(member, target)

    def _choice(self, member: Node, target: Node) -> _Choice:
        least, most = limits([member] if member is target else [member, target])
        things = tuple(sorted(self._things(target, frozenset())))
        return _Choice(frozenset({member.id, target.id}), things, least or 0, most)

    def _things(self, entry: Node, trail: frozenset[str]) -> list[str]:
        """The weapons that an entry brings with it; without any, its own name."""
        found = [self.ids[p] for p in self._profiles(entry) if p in self.ids]
        brought = list(dict.fromkeys(found))
        if entry.id not in trail:
            for member, target in self._below(entry):
                least, _ = limits([member] if member is target else [member, target])
                if target.kind == "selectionEntry" and target.facts.get("type") == "upgrade":
                    more = self._things(target, trail | {entry.id}) if least else []
                    brought += [w for w in more if w in self.weapons] * (least or 0)
        return brought or [entry.name]

    def _profiles(self, entry: Node) -> Iterator[Node]:
        """The profiles of weapons of an entry, its own and those it links to."""
        targets = (self.library.target(link) for link in entry.all("infoLinks"))
        for profile in (*entry.all("profiles"), *(t for t in targets if t is not None)):
            if profile.facts.get("typeName") in TYPES:
                yield profile


def _default(choices: Sequence[_Choice], wanted: set[str]) -> _Choice:
    """What a group has by default: what must be taken, what it names, else its first entry."""
    needed = (choice for choice in choices if choice.least)
    named = (choice for choice in choices if choice.ids & wanted)
    return next(needed, None) or next(named, None) or choices[0]


def _row(replaces: Sequence[str], choices: Sequence[Sequence[str]], each: int) -> Row:
    joined = dict.fromkeys(" + ".join(choice) for choice in choices)
    return {
        "kind": "exchange",
        "replaces": list(replaces),
        "choices": list(joined),
        "each": each,
    }


def _limit(thing: str, most: int) -> Row:
    return {"kind": "limit", "replaces": [], "choices": [thing], "each": most}
