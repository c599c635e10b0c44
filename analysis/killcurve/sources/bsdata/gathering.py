"""What a unit has: the profiles, keywords and modifiers behind its links and groups."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from killcurve.sources.bsdata.library import Library
from killcurve.sources.bsdata.nodes import Node

HIDDEN = "it is hidden"
CRUSADE = "of the Crusade, an enhancement or another campaign, and not of the datasheet"

_CRUSADE = re.compile(
    r"crusades?\b|weapon modification|battle (?:trait|scar|honour)|enhancement|blackstone upgrade"
    r"|mighty champions|\brelics?\b(?= *$)|legendary veterans|experience points|totemic"
    r"|damned souls|boarding acti+ons",
    re.IGNORECASE,
)
_BELOW = ("selectionEntries", "selectionEntryGroups", "entryLinks", "infoGroups", "infoLinks")
_CARRIERS = ("unit", "model")


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A profile (or rule) of a unit and where it stands.

    ``owners`` are the unit and the models around it, outermost first; ``holder`` the entry that
    has it, which may be an item of wargear that models need not take (``optional``).
    """

    profile: Node
    owners: tuple[Node, ...]
    holder: Node
    optional: bool


@dataclass(slots=True)
class Gathered:
    """Everything of one unit. ``aside`` counts by type of profile and reason."""

    entry: Node
    link: Node
    found: list[Found] = field(default_factory=list)
    aside: dict[Node, str] = field(default_factory=dict)
    categories: dict[str, bool] = field(default_factory=dict)
    modifiers: Counter[str] = field(default_factory=Counter)
    models: dict[int, Node] = field(default_factory=dict)
    unresolved: list[Node] = field(default_factory=list)

    def of_type(self, *types: str) -> Iterator[Found]:
        """The profiles of some types."""
        return (one for one in self.found if one.profile.facts.get("typeName") in types)


@dataclass(slots=True)
class Gatherer:
    """Follows links; what is below a group that many units share is looked up once."""

    library: Library
    _below: dict[int, tuple[Node, ...]] = field(default_factory=dict)

    def gather(self, link: Node, entry: Node) -> Gathered:
        """Everything of the unit that a root link of a catalogue (or the entry) leads to."""
        out = Gathered(entry, link)
        seen: set[tuple[int, ...]] = set()
        if link is not entry:
            self._own(link, (entry,), entry, out, optional=False)
        self._visit(entry, (), entry, out, seen, optional=False, needed=True)
        if link is not entry:
            for node in _members(link):
                self._step(node, (entry,), entry, out, seen, optional=False)
        kept = {id(one.profile) for one in out.found}
        out.aside = {node: why for node, why in out.aside.items() if id(node) not in kept}
        return out

    def _visit(
        self,
        node: Node,
        owners: tuple[Node, ...],
        holder: Node,
        out: Gathered,
        seen: set[tuple[int, ...]],
        *,
        optional: bool,
        needed: bool,
    ) -> None:
        if node in owners:
            return
        if node.kind == "selectionEntry":
            holder = node
            if node.facts.get("type") in _CARRIERS:
                owners = (*owners, node)
                out.models[id(node)] = node
                optional = False
            else:
                optional = optional or not needed
        key = (id(node), int(optional), *(id(owner) for owner in owners))
        if key in seen:
            return
        seen.add(key)
        self._own(node, owners, holder, out, optional=optional)
        for member in _members(node):
            self._step(member, owners, holder, out, seen, optional=optional)

    def _step(
        self,
        member: Node,
        owners: tuple[Node, ...],
        holder: Node,
        out: Gathered,
        seen: set[tuple[int, ...]],
        *,
        optional: bool,
    ) -> None:
        """From a node to one below it, through a link if it is one."""
        target: Node | None = member
        if member.kind in ("entryLink", "infoLink"):
            target = self.library.target(member)
            if target is None:
                out.unresolved.append(member)
                return
        assert target is not None
        reason = not_of_the_unit(member) or not_of_the_unit(target)
        if reason:
            for profile in self._profiles_below(target):
                out.aside.setdefault(profile, reason)
            return
        optional = optional or member.hidden or target.hidden
        if target.kind in ("profile", "rule"):
            self._modifiers(member, out)
            self._profile(target, owners, holder, out, optional=optional)
            return
        needed = is_needed(target) or is_needed(member)
        if member is not target:
            itself = member.kind == "entryLink" and target.facts.get("type") == "upgrade"
            waived = optional or (itself and not needed)
            self._own(member, owners, holder, out, optional=waived)
        self._visit(target, owners, holder, out, seen, optional=optional, needed=needed)
        if member is not target:
            for node in _members(member):
                self._step(node, owners, holder, out, seen, optional=optional)

    def _own(
        self, node: Node, owners: tuple[Node, ...], holder: Node, out: Gathered, *, optional: bool
    ) -> None:
        """A node's own profiles and modifiers; categories only of the unit itself."""
        self._modifiers(node, out)
        for profile in (*node.all("profiles"), *node.all("rules")):
            self._profile(profile, owners, holder, out, optional=optional)
        is_unit = node is out.entry or node is out.link
        if is_unit or node.facts.get("type") == "model":
            for category in node.all("categoryLinks"):
                target = self.library.target(category)
                name = target.name if target is not None else category.name
                is_primary = is_unit and category.facts.get("primary") == "true"
                out.categories[name] = out.categories.get(name, False) or is_primary

    def _profile(
        self,
        profile: Node,
        owners: tuple[Node, ...],
        holder: Node,
        out: Gathered,
        *,
        optional: bool,
    ) -> None:
        if profile.hidden:
            out.aside.setdefault(profile, HIDDEN)
            return
        self._modifiers(profile, out)
        out.found.append(Found(profile, owners, holder, optional))

    def _modifiers(self, node: Node, out: Gathered) -> None:
        waiting = [(node, False)]
        while waiting:
            group, conditional = waiting.pop()
            for modifier in group.all("modifiers"):
                if conditional or modifier.conditional:
                    out.modifiers[modifier.facts.get("field", "")] += 1
            waiting += [(g, conditional or g.conditional) for g in group.all("modifierGroups")]

    def _profiles_below(self, node: Node) -> tuple[Node, ...]:
        """All profiles behind a node, whatever they are of."""
        known = self._below.get(id(node))
        if known is not None:
            return known
        found: dict[int, Node] = {}
        seen: set[int] = set()
        waiting: list[Node] = [node]
        while waiting:
            here = waiting.pop()
            if id(here) in seen:
                continue
            seen.add(id(here))
            if here.kind == "profile":
                found[id(here)] = here
            waiting += here.all("profiles")
            for part in _BELOW:
                for member in here.all(part):
                    target = self.library.target(member) if "targetId" in member.facts else None
                    waiting += [member] if target is None else [member, target]
        self._below[id(node)] = tuple(found.values())
        return self._below[id(node)]


def _members(node: Node) -> Iterator[Node]:
    for part in _BELOW:
        yield from node.all(part)


def is_needed(node: Node) -> bool:
    """Whether at least one is taken wherever the entry or group stands."""
    return any(
        one.facts.get("type") == "min"
        and one.facts.get("field") == "selections"
        and not one.facts.get("value", "0").startswith(("0", "-"))
        for one in node.all("constraints")
    )


def not_of_the_unit(node: Node) -> str | None:
    """Why an entry, a group or a link is none of a unit's datasheet; ``None`` if it is."""
    if node.kind in ("selectionEntry", "selectionEntryGroup", "entryLink") and _CRUSADE.search(
        node.name
    ):
        return CRUSADE
    return HIDDEN if node.hidden and not _may_be_shown(node) else None


def _may_be_shown(node: Node) -> bool:
    """Whether a hidden entry shows itself when something else is chosen (a god, a weapon)."""
    groups = [node, *node.all("modifierGroups")]
    return any(
        modifier.facts.get("field") == "hidden" and modifier.facts.get("value") == "false"
        for group in groups
        for modifier in group.all("modifiers")
    )
