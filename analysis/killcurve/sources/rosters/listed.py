"""What an army list says, before anything of it is looked up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from killcurve.sources.bsdata.nodes import Node as Selection

MODEL, UPGRADE, ENHANCEMENT = "model", "upgrade", "enhancement"
"""What a builder's own file says a thing is."""


@dataclass(slots=True, eq=False)
class Thing:
    """A model or something that it carries: a line of a list, or a selection of a file.

    ``count`` is how many there are; ``counted`` is whether the list says so. What stands below
    (``children``) counts for all of them together, what is listed behind (``each``, as in
    ``4x Trooper: gun, blade``) for every single one. ``armed`` is whether it is such a list
    without a name (``4 with gun, blade``). ``points`` are those printed behind it, ``extra``
    whether with a plus.
    """

    name: str
    count: int = 1
    counted: bool = False
    line: int | None = None
    bullet: bool = True
    armed: bool = False
    each: list[Thing] = field(default_factory=list)
    children: list[Thing] = field(default_factory=list)
    kind: str | None = None
    points: int | None = None
    extra: bool = False

    @property
    def is_leaf(self) -> bool:
        """Whether nothing stands below it or behind it."""
        return not self.children and not self.each

    def below(self) -> Iterator[Thing]:
        """Everything below it and behind it."""
        for child in (*self.each, *self.children):
            yield child
            yield from child.below()


@dataclass(frozen=True, slots=True)
class Link:
    """A line that attaches: ``Leading Storm Squad[2]`` (``leads``), or the other way round.

    ``mutual`` is whether lists write it below either of the two units.
    """

    name: str
    number: int | None
    role: str
    line: int | None
    leads: bool
    mutual: bool = False


@dataclass(slots=True, eq=False)
class ListedUnit:
    """A unit of a list. ``size`` is the number of models printed before its name.

    ``block`` numbers the block of units that stand together, ``title`` is its heading where
    the list's owner made it up. ``role`` is that of ``Attached as``, ``character`` whether the
    list says that it is one.
    """

    printed: str
    points: int | None = None
    line: int | None = None
    size: int | None = None
    section: str = ""
    block: int | None = None
    title: bool = False
    mark: str = ""
    role: str | None = None
    character: bool = False
    warlord: bool = False
    things: list[Thing] = field(default_factory=list)
    enhancements: list[Thing] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    selection: Selection | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that says nothing that is understood; ``text`` is empty for headings."""

    line: int
    text: str
    reason: str


@dataclass(slots=True)
class Listed:
    """An army list as printed: names are those of the list.

    ``armies`` are the names that may be factions (``names_army`` is whether the list says that
    one is), ``heading`` the lines of the heading that may
    be factions, detachments or anything. ``bearers`` are (enhancement, unit) of the heading.
    """

    form: str
    edition: str | None = None
    version: str = ""
    total: int | None = None
    limit: int | None = None
    armies: list[str] = field(default_factory=list)
    names_army: bool = False
    detachments: list[str] = field(default_factory=list)
    dispositions: list[str] = field(default_factory=list)
    heading: list[tuple[int, str]] = field(default_factory=list)
    units: list[ListedUnit] = field(default_factory=list)
    bearers: list[tuple[str, str, int]] = field(default_factory=list)
    warlord: str = ""
    unread: list[Unread] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
