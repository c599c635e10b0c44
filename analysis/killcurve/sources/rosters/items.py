"""Lines below a unit: how many of what, and what stands below or behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from killcurve.rules.spelling import normal
from killcurve.sources.rosters.lines import Line, price
from killcurve.sources.rosters.listed import Thing
from killcurve.sources.rosters.vocabulary import LABELS, LIST_TAGS

MOST = 999
"""More of one thing than any unit has."""

_ARMED = re.compile(r"^(\d{1,3})\s+(?:with|avec|mit)\s+(.+)$", re.IGNORECASE)
_TIMES = re.compile(r"^(\d{1,3})(?:\s?[x×]|X)(?=[\s\dA-ZÀ-Þ'’(])\s*(\S.*)$")
_PLAIN = re.compile(r"^(\d{1,3})\s+(?=[^\d\s])(.+)$")
_MODEL_WITH = re.compile(r"^(\d{1,3})\s+(?!with\b)(.+?)\s+with\s+(.+)$")
_COLON = re.compile(r"\s?:(?:\s+|$)")
_BRACKETS = re.compile(r"^(.+?)\s*\(([^()]+)\)$")
_MARK = re.compile(r"[()\[\]]|\s*,\s+(?=[^a-zß-ÿ\s])")
_AND = re.compile(r"\s+and\s+(?=\d)")
AND_NEXT = re.compile(r"\s+and\s+(?=[A-ZÀ-Þ])")
"""Where a next thing begins after "and": with a capital."""


def things_of(text: str, line: int | None, *, bullet: bool = True) -> list[Thing]:
    """The models or things that a line names.

    >>> [(t.count, t.name) for t in things_of("2x Storm gun, Blade and 2 Bolt pistols", 1)]
    [(2, 'Storm gun'), (1, 'Blade'), (2, 'Bolt pistols')]
    >>> squad = things_of("4x Trooper: Gun, 2x Blade", 1)[0]
    >>> squad.count, squad.name, [(t.count, t.name) for t in squad.each]
    (4, 'Trooper', [(1, 'Gun'), (2, 'Blade')])
    >>> [t.name for t in things_of("Wargear: Relic Blade, Storm Gun", 1)]
    ['Relic Blade', 'Storm Gun']
    """
    armed = _ARMED.match(text)
    if armed:
        each = _several(armed[2], line)
        return [Thing("", _number(armed[1]), True, line, bullet, True, each)]
    head, colon, rest = _at_colon(text)
    if colon and normal(head) in LABELS:
        return things_of(rest, line, bullet=bullet) if rest else []
    if colon:
        thing = _one(head, line, bullet)
        inner = _ARMED.match(rest)
        if inner:
            thing.children = things_of(rest, line)
        elif rest:
            thing.each = _several(rest, line)
        return [thing]
    model = _MODEL_WITH.match(text)
    if model:
        each = _several(model[3], line, joined=True)
        return [Thing(model[2].strip(), _number(model[1]), True, line, bullet, False, each)]
    return _several(text, line, bullet=bullet)


def _several(
    text: str, line: int | None, *, bullet: bool = True, joined: bool = False
) -> list[Thing]:
    """The things of a list with commas; ``joined`` is whether "and" stands before its last."""
    parts: list[str] = []
    for part in _top_level(text):
        parts += _AND.split(part)
    if joined and parts:
        parts[-1:] = AND_NEXT.split(parts[-1])
    return [_one(part, line, bullet) for part in parts if part.strip(" .,;")]


def _top_level(text: str) -> list[str]:
    """The parts between commas that stand in no brackets and before a capital or a number."""
    parts, depth, begin = [], 0, 0
    for found in _MARK.finditer(text):
        mark = found[0]
        if mark in "([":
            depth += 1
        elif mark in ")]":
            depth = max(depth - 1, 0)
        elif not depth:
            parts.append(text[begin : found.start()])
            begin = found.end()
    return [part.strip() for part in (*parts, text[begin:])]


def _one(text: str, line: int | None, bullet: bool) -> Thing:
    printed = price(text)
    if printed:
        text = f"{printed.before} {printed.behind.lstrip(': ')}".strip() or text
    name, count, counted = text.strip(" ,;"), 1, False
    number = _TIMES.match(name) or _PLAIN.match(name)
    if number and not (_PLAIN.match(name) and AND_NEXT.search(name)):
        name, count, counted = number[2].strip(), _number(number[1]), True
    thing = Thing(name or text, count, counted, line, bullet)
    if printed:
        thing.points, thing.extra = printed.points, printed.extra
    brackets = _BRACKETS.match(name)
    if brackets and not {normal(t) for t in brackets[2].split(",")} <= LIST_TAGS:
        inner = _several(brackets[2], line)
        if any(thing.counted for thing in inner) or len(inner) > 1:
            thing.name, thing.children = brackets[1].strip(), inner
    return thing


def _at_colon(text: str) -> tuple[str, bool, str]:
    found = _COLON.search(text)
    if not found or text[: found.start()].count("(") > text[: found.start()].count(")"):
        return text, False, ""
    return text[: found.start()].strip(), True, text[found.end() :].strip()


def _number(digits: str) -> int:
    return min(max(int(digits), 1), MOST)


@dataclass(slots=True)
class Nesting:
    """Puts the lines below a unit into each other by their depth.

    Apps print a bullet before the first thing of a model only, the others follow without one:
    a line without a bullet stands beside the line before it, unless it is deeper.
    """

    roots: list[Thing] = field(default_factory=list)
    open: list[tuple[int, Thing]] = field(default_factory=list)
    """The things that the next line may stand below, outermost first, with their columns."""

    def add(self, line: Line) -> None:
        """One more line."""
        for thing in things_of(line.text, line.number, bullet=line.bullet):
            if thing.armed:
                self._arm(line, thing)
            else:
                self._put(self._column(line), thing)

    @property
    def has_bullets(self) -> bool:
        """Whether any line had a bullet."""
        return any(thing.bullet for root in self.roots for thing in (root, *root.below()))

    def _put(self, column: int, thing: Thing) -> None:
        while self.open and self.open[-1][0] >= column:
            self.open.pop()
        (self.open[-1][1].children if self.open else self.roots).append(thing)
        self.open.append((column, thing))

    def _column(self, line: Line) -> int:
        if line.bullet or not self.open:
            return line.column
        column, last = self.open[-1]
        if line.column >= column or any(line.column == other for other, _ in self.open):
            return line.column
        return column if last.bullet or not self._is_indented else line.column

    @property
    def _is_indented(self) -> bool:
        return len({column for column, _ in self.open}) > 1

    def _arm(self, line: Line, thing: Thing) -> None:
        """``4 with …`` stands below the last line that counts models."""
        while self.open and not (self.open[-1][1].counted and not self.open[-1][1].armed):
            self.open.pop()
        (self.open[-1][1].children if self.open else self.roots).append(thing)
        least = self.open[-1][0] + 1 if self.open else line.column
        self.open.append((max(line.column, least), thing))
