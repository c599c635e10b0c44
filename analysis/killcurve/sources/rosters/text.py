"""Army lists as text: one grammar for what apps and list builders write.

A list is a heading, then units, each a line with its points (``Storm Squad (80 points)``), what
stands below or behind it, and headings of sections. Builders differ in marks and in which lines
they print, and people paste without indents; so a line is told by its shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from killcurve.rules.spelling import normal
from killcurve.sources.rosters import heading
from killcurve.sources.rosters.forms import form_of
from killcurve.sources.rosters.items import Nesting, things_of
from killcurve.sources.rosters.lines import (
    Line,
    Price,
    is_too_long,
    lines_of,
    loose_price,
    price,
)
from killcurve.sources.rosters.listed import Listed, ListedUnit
from killcurve.sources.rosters.specials import line_of_unit, thing_of_unit
from killcurve.sources.rosters.vocabulary import (
    BLOCK,
    CONFIGURATION,
    ENHANCEMENT,
    FOOTER,
    SECTIONS,
    SIZES,
    WARLORD,
)

_MARK = re.compile(r"^([A-Za-zÀ-ÿ][A-Za-zÀ-ÿ ]{1,24}\s?\d{1,3})\s?:\s+(?=\S)")
_TAG = re.compile(r"^\[[^\]\d]{2,20}\]\s+")
_SIZE = re.compile(r"^(\d{1,3})\s?[x×]\s*(?=\S)")
_PLAIN_SIZE = re.compile(r"^(\d{1,3})\s+(?=[A-ZÀ-Þ])")
_SIZE_BEHIND = re.compile(r"\s*\((\d{1,3})\)$")
_COUNTS = re.compile(r"^\d{1,3}(?:\s?[x×]|\s+with\s)")
_SECTION_POINTS = re.compile(r"\s*[\[(][^()\[\]]{0,60}[\])]\s*$")
_CAPITALS = re.compile(r"^[^a-zß-ÿ\d(\[:]*[A-ZÀ-Þ]{4,}[^a-zß-ÿ\d(\[:]*$")
_COLON_ONLY = re.compile(r"^[A-ZÀ-Þ][\w À-ÿ'’/&-]{2,40}:$")
NOT_UNDERSTOOD = "no unit, model or weapon is read in it"
TOO_LONG = "longer than any line of a list"


@dataclass(slots=True)
class _Reader:
    """Reads line after line; ``is_unit`` says whether a name is that of a datasheet."""

    listed: Listed
    lines: list[Line]
    is_unit: Callable[[str], bool]
    prices: dict[int, Price] = field(default_factory=dict)
    bulleted_units: bool = False
    in_heading: bool = True
    in_configuration: bool = False
    section: str = ""
    block: int | None = None
    blocks: int = 0
    titled: bool = False
    unit: ListedUnit | None = None
    nesting: Nesting = field(default_factory=Nesting)

    def read(self) -> None:
        """All lines."""
        self._find_prices()
        for index, line in enumerate(self.lines):
            if is_too_long(line):
                heading.unread(self.listed, line, TOO_LONG, heading=self.in_heading)
            else:
                self._line(index, line)
        self._close()

    def _find_prices(self) -> None:
        short = [line for line in self.lines if not is_too_long(line)]
        for line in short:
            found = price(line.text)
            if found:
                self.prices[line.number] = found
        if not any(self._prices_a_unit(line) for line in short):
            for line in short:
                found = loose_price(line.text)
                if found and found.before and heading.field(line) is None:
                    self.prices[line.number] = found
        plain = [line for line in short if self._prices_a_unit(line) and not line.bullet]
        self.bulleted_units = len(plain) < 2

    def _prices_a_unit(self, line: Line) -> bool:
        """Whether a line has points that may be a unit's (or the list's own)."""
        found = self.prices.get(line.number)
        if found is None or found.extra or found.limit or not found.before:
            return False
        return normal(found.before) not in SIZES | SECTIONS

    def _begins_a_unit(self, line: Line) -> bool:
        free = not line.bullet or self.bulleted_units
        return free and self._prices_a_unit(line) and not ENHANCEMENT.match(normal(line.text))

    def _line(self, index: int, line: Line) -> None:
        if FOOTER.match(normal(line.text)):
            heading.take_footer(self.listed, line)
        elif (
            (line.text[0] in "+&=" and self._of_header(line))
            or ((self.in_heading or self.in_configuration) and self._of_heading(index, line))
            or self._is_section(index, line)
        ):
            return
        elif self._begins_a_unit(line):
            self._begin(line)
        elif (self.unit is not None and line_of_unit(self.unit, self.nesting, line)) or (
            heading.take_field_below(self.listed, line)
        ):
            return
        elif self.unit is not None:
            self._below(self.unit, line)
        else:
            heading.unread(self.listed, line, NOT_UNDERSTOOD, heading=self.in_heading)

    def _of_header(self, line: Line) -> bool:
        """A line of the block between fences of ``+``; old lists name sections so."""
        found = heading.field(line)
        if found:
            heading.take_field(self.listed, *found, line.number)
            return True
        if heading.take_bearer(self.listed, line.text, line.number):
            return True
        plain = _SECTION_POINTS.sub("", line.text.strip("+= "))
        if line.text[-1] in "+=" or normal(plain) in SECTIONS:
            printed = price(line.text)
            if self.in_heading:
                heading.take_title(self.listed, plain, printed.points if printed else None)
            self._section(plain)
            return True
        return self.unit is None

    def _of_heading(self, index: int, line: Line) -> bool:
        found = heading.field(line)
        prices = self._prices_a_unit(line)
        if found and not line.bullet and (not prices or found[0] in ("total", "size")):
            heading.take_field(self.listed, *found, line.number)
        elif heading.take_size(self.listed, line):
            return True
        elif self._is_title(index, line):
            printed = self.prices.get(line.number)
            text = printed.before if printed else line.text
            points = printed.points if printed else None
            heading.take_title(self.listed, text.rstrip(" -"), points)
        elif prices:
            return False
        elif self._is_section(index, line):
            return True
        elif self.unit is not None:
            return False
        elif self.in_configuration or line.bullet:
            return True
        else:
            heading.take_bare(self.listed, line)
        return True

    def _is_title(self, index: int, line: Line) -> bool:
        """Whether it is the list's title: the first line with points, or the very first one."""
        if self.listed.total is not None or line.bullet or self.unit is not None:
            return False
        printed = self.prices.get(line.number)
        if printed is None:
            return index == 0 and not line.heads and not self._is_known_section(line)
        if line.heads and index:
            return False
        if printed.behind.startswith(":") or _SIZE.match(printed.before) or printed.extra:
            return False
        if self.is_unit(_MARK.sub("", printed.before)) or self._is_known_section(line):
            return False
        others = [
            self.prices[one.number].points
            for one in self.lines
            if one is not line and self._prices_a_unit(one) and not one.heads
        ]
        return 2 * printed.points >= sum(others)

    def _is_known_section(self, line: Line) -> bool:
        return normal(_plain(line)) in SECTIONS | CONFIGURATION

    def _is_section(self, index: int, line: Line) -> bool:
        """Whether a line is the heading of a section or block; then it is one from here on."""
        block = BLOCK.match(normal(line.text))
        if block:
            self._section("")
            if any(block.groups()):
                self._new_block(titled=False)
            return True
        known = self._is_known_section(line)
        free = not line.bullet and line.number not in self.prices
        if line.heads or (known and not line.bullet) or (free and _COLON_ONLY.match(line.text)):
            if not known and self._prices_a_unit(line) and self.is_unit(_plain(line)):
                return False
            self._section(_plain(line))
            return True
        if free and self._heads_a_unit(index):
            if _CAPITALS.match(line.text) and (self.listed.total or not self.in_heading):
                self._section(_plain(line))
                return True
            if self._is_free_title(index):
                self._new_block(titled=True)
                return True
        return False

    def _heads_a_unit(self, index: int) -> bool:
        return index + 1 < len(self.lines) and self._prices_a_unit(self.lines[index + 1])

    def _is_free_title(self, index: int) -> bool:
        """A heading of the owner's own stands between blank lines and counts nothing."""
        line, following = self.lines[index], self.lines[index + 1]
        alone = line.after_blank and following.after_blank and ":" not in line.text
        known = not self.in_heading or bool(self.listed.detachments)
        return alone and known and not _COUNTS.match(line.text)

    def _section(self, name: str) -> None:
        self._close()
        self.in_configuration = normal(name) in CONFIGURATION or "army roster" in normal(name)
        self.in_heading = self.in_heading and self.in_configuration
        self.section, self.block, self.titled = name, None, False

    def _new_block(self, *, titled: bool) -> None:
        self._close()
        self.in_heading = False
        self.blocks += 1
        self.block, self.titled, self.section = self.blocks, titled, ""

    def _begin(self, line: Line) -> None:
        """A unit's own line: its mark, size, name, points and what is listed behind it."""
        self._close()
        self.in_heading = self.in_configuration = False
        printed = self.prices[line.number]
        name, mark = printed.before.strip(" :"), _MARK.match(printed.before)
        name, size = _sized(_TAG.sub("", name[mark.end() :] if mark else name))
        self.unit = unit = ListedUnit(
            printed=name.strip(" -:–") or printed.before,
            points=printed.points,
            line=line.number,
            size=size,
            section=self.section,
            block=self.block,
            title=self.titled,
            mark=mark[1] if mark else "",
        )
        self.nesting = Nesting()
        behind = printed.behind.strip(" .:-*–")
        if printed.behind.startswith(":"):
            listed = things_of(behind, line.number) if behind else []
            unit.things += [thing for thing in listed if not thing_of_unit(unit, thing)]
        elif normal(behind.strip("[]() ")) in WARLORD:
            unit.warlord = True
        elif behind:
            unit.notes.append(behind)

    def _below(self, unit: ListedUnit, line: Line) -> None:
        """A line below a unit: something of it, or a label that counts nothing."""
        counts = bool(_COUNTS.match(line.text))
        if line.bullet or counts:
            self.nesting.add(line)
        elif self.nesting.has_bullets or unit.things:
            unit.notes.append(line.text)
        elif line.column == 0 and line.after_blank:
            heading.unread(self.listed, line, NOT_UNDERSTOOD, heading=False)
        else:
            self.nesting.add(line)

    def _close(self) -> None:
        if self.unit is None:
            return
        unit, roots = self.unit, self.nesting.roots
        for thing in [one for root in roots for one in (root, *root.below())]:
            thing.each = [one for one in thing.each if not thing_of_unit(unit, one)]
        unit.things += [root for root in roots if not root.is_leaf or not thing_of_unit(unit, root)]
        self.listed.units.append(unit)
        self.unit, self.nesting = None, Nesting()


def _sized(name: str) -> tuple[str, int | None]:
    """A unit's name and the number of models that is printed before or behind it.

    >>> _sized("10x Boyz"), _sized("10 Boyz"), _sized("Boyz (20)"), _sized("Boyz")
    (('Boyz', 10), ('Boyz', 10), ('Boyz', 20), ('Boyz', None))
    """
    for pattern in (_SIZE, _PLAIN_SIZE, _SIZE_BEHIND):
        found = pattern.search(name)
        if found and name != found[0]:
            return name[: found.start()] + name[found.end() :], max(int(found[1]), 1)
    return name, None


def _plain(line: Line) -> str:
    """The words of a heading, without its marks and points."""
    return _SECTION_POINTS.sub("", line.text.strip("#+-─= :")).strip("#+-─= :")


def read_text(text: str, name: str, is_unit: Callable[[str], bool]) -> Listed:
    """An army list as text; ``is_unit`` says whether a name is that of a datasheet.

    Raises:
        DataError: if it has more lines than any list.

    >>> text = "Host (100 points)\\n\\nOrks\\n\\nBoyz (100 points)\\n  • 9x Boy"
    >>> listed = read_text(text, "host.txt", lambda name: name == "Boyz")
    >>> listed.total, listed.units[0].printed, listed.units[0].things[0].count
    (100, 'Boyz', 9)
    """
    listed = Listed(form="text")
    lines = lines_of(text, name)
    listed.edition = heading.edition(lines)
    _Reader(listed, lines, is_unit).read()
    _split_pairs(listed)
    listed.form = form_of(listed, lines)
    return listed


def _split_pairs(listed: Listed) -> None:
    """``Leader + Squad (200 pts)`` heads the two units that follow, and is none itself."""
    kept: list[ListedUnit] = []
    blocks = 1 + max((unit.block or 0 for unit in listed.units), default=0)
    for index, unit in enumerate(listed.units):
        parts = [part.strip() for part in unit.printed.split(" + ")]
        below = listed.units[index + 1 : index + 1 + len(parts)]
        if len(parts) > 1 and not unit.things and [one.printed for one in below] == parts:
            for one in below:
                one.block = blocks
            blocks += 1
        else:
            kept.append(unit)
    listed.units = kept
