"""The lines of a page, and the sections they belong to.

A page begins with its title, the datasheet's own sections and four lists of names; behind them
stand, in any order, the texts of everything the page points at. The sections are found by their
headings, the end of each list by its form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from killcurve.sources.pages.text import SAVE_AGAIN
from killcurve.tables.dataset import DataError

CP = re.compile(r"\d{1,2}CP")
COST = re.compile(r"[0-9]{1,4}")
BADGE = re.compile(r"[A-Z]{1,3}")
INDEX = re.compile(r"The (?:.+ )?keywords? (?:is|are) used in the following .*")
CONTENT = re.compile(
    r"\d{1,2}CP|.* Stratagem|WHEN: .*|.{1,60} Detachment|KEYWORDS.*:.*"
    r"|\| .+ \| ?\d+ ?\||(?:RANGED|MELEE) WEAPONS.*|DETACHMENT ABILITY|ENHANCEMENTS"
)
"""Lines of this form belong to what is read; one that is left over is reported."""
_DASH = re.compile(r" [–—-] ")
_LISTS = {
    "LED BY": "led by",
    "DETACHMENT ABILITY": "detachments",
    "DETACHMENT ABILITIES": "detachments",
    "DETACHMENT RULE": "detachments",
    "DETACHMENT RULES": "detachments",
    "ENHANCEMENTS": "enhancements",
}
_FAR = 100
"""No list between two others is as long as this (lines)."""
_SENTENCE_END = ".!?:;,)”’\"'"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page that is not blank; ``number`` counts from 1 with the blank ones."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """A section of the datasheet: its heading and what stands under it."""

    heading: Line
    lines: tuple[Line, ...]

    @property
    def name(self) -> str:
        """The heading's text, without what follows a bar or a colon."""
        return re.split(r" ?[|:]", self.heading.text)[0].strip()


@dataclass(frozen=True, slots=True)
class Sections:
    """A page taken apart: title, sections, the lists behind ``STRATAGEMS``, and all the rest."""

    faction: str
    datasheet: str
    blocks: tuple[Block, ...]
    lists: dict[str, tuple[Line, ...]]
    rest: tuple[Line, ...]
    loose: tuple[Line, ...] = field(default=())

    def block(self, *names: str) -> Block | None:
        """The first section of one of the names."""
        return next((b for b in self.blocks if b.name in names), None)


def lines_of(text: str) -> list[Line]:
    """The lines that are not blank, without spaces around them.

    >>> [line.number for line in lines_of("a\\r\\n\\r\\n b ")]
    [1, 3]
    """
    parts = re.split(r"\r\n|\r|\n", text.lstrip("\ufeff"))
    stripped = (part.replace("\u00a0", " ").strip() for part in parts)
    return [Line(number, line) for number, line in enumerate(stripped, start=1) if line]


def sections(lines: Sequence[Line], name: str) -> Sections:
    """Take a page apart.

    Raises:
        DataError: if a section that every page has is missing, naming all that are.
    """
    headings = [line.text for line in lines]
    _check_datasheet(headings, name)
    faction, datasheet = _title(lines[0], name)
    start = headings.index("STRATAGEMS")
    blocks, before = _blocks(lines[1:start])
    lists, rest, between = _lists(lines[start + 1 :])
    loose = (*before, *between)
    return Sections(faction, datasheet, tuple(blocks), lists, tuple(rest), loose)


def is_heading(text: str) -> bool:
    """Whether a line is a heading in capitals: no bullet, no table row, nothing in small letters.

    >>> is_heading("DAMAGED: 1-4 WOUNDS REMAINING"), is_heading("CORE: Leader"), is_heading("| A |")
    (True, False, False)
    """
    letters = [c for c in text if c.isalpha()]
    return len(letters) > 2 and text[0] not in "-|•■" and not any(c.islower() for c in letters)


def is_name(text: str) -> bool:
    """Whether a line may be a name or a heading: short, and no sentence, bullet or table row.

    >>> is_name("Phasal Net (Aura)"), is_name("It ends here."), is_name("25"), is_name("- one")
    (True, False, False, False)
    """
    if len(text) > 70 or text[0] in "-|•■+" or INDEX.fullmatch(text):
        return False
    aura = re.fullmatch(r".*\([A-Z][\w, -]*\)", text)
    return any(c.isalpha() for c in text) and (bool(aura) or text[-1] not in _SENTENCE_END)


def _title(line: Line, name: str) -> tuple[str, str]:
    parts = _DASH.split(line.text, maxsplit=1)
    if len(parts) != 2 or not all(parts) or len(line.text) > 150:
        raise DataError(
            f"{name}: the first line is {line.text[:60]!r}, and must be 'Faction – Unit': "
            f"{SAVE_AGAIN}"
        )
    return parts[0].strip(), parts[1].strip()


def _check_datasheet(headings: Sequence[str], name: str) -> None:
    wanted = {
        "UNIT COMPOSITION": any(h == "UNIT COMPOSITION" for h in headings),
        "KEYWORDS": any(h.startswith("KEYWORDS") for h in headings),
        "FACTION KEYWORDS": any(h.startswith("FACTION KEYWORDS") for h in headings),
        "STRATAGEMS": any(h == "STRATAGEMS" for h in headings),
    }
    missing = [section for section, there in wanted.items() if not there]
    weapons = any(h.startswith(("RANGED WEAPONS", "MELEE WEAPONS")) for h in headings)
    if len(missing) == len(wanted) and not weapons:
        raise DataError(
            f"{name} is no datasheet of Warhammer 40,000: it has neither weapons nor any of the "
            f"sections {', '.join(wanted)}; {SAVE_AGAIN}"
        )
    if missing:
        raise DataError(
            f"{name} has no section {' nor '.join(missing)}: the page is cut off or incomplete; "
            f"{SAVE_AGAIN}"
        )


def _blocks(lines: Sequence[Line]) -> tuple[list[Block], list[Line]]:
    """The sections, and the lines before the first."""
    starts = [i for i, line in enumerate(lines) if _starts_block(lines, i, line.text)]
    ends = [*starts[1:], len(lines)] if starts else []
    blocks = [
        Block(lines[i], tuple(lines[i + 1 : end])) for i, end in zip(starts, ends, strict=True)
    ]
    return blocks, list(lines[: starts[0] if starts else len(lines)])


def _starts_block(lines: Sequence[Line], i: int, text: str) -> bool:
    if text.startswith(("RANGED WEAPONS", "MELEE WEAPONS", "KEYWORDS", "FACTION KEYWORDS")):
        return True
    value = any(before.text.startswith("FACTION KEYWORDS") for before in lines[:i])
    return is_heading(text) and not value


def _lists(
    lines: Sequence[Line],
) -> tuple[dict[str, tuple[Line, ...]], list[Line], list[Line]]:
    """The lists behind the heading ``STRATAGEMS``, the rest of the page, and lines between."""
    end = _stratagem_list(lines)
    lists = {"stratagems": tuple(lines[:end])}
    loose: list[Line] = []
    while (heading := _next_list(lines, end)) is not None:
        loose += lines[end:heading]
        key = _LISTS[lines[heading].text]
        size = _list_size(key, lines[heading + 1 :])
        end = heading + 1 + size
        lists[key] = (*lists.get(key, ()), *lines[heading + 1 : end])
    return lists, list(lines[end:]), loose


def _next_list(lines: Sequence[Line], start: int) -> int | None:
    """Where the next list begins; all lists stand before the text of the first stratagem."""
    for i in range(start, len(lines)):
        if lines[i].text in _LISTS:
            return i
        if lines[i].text.endswith(" Stratagem"):
            return None
    return None


def _stratagem_list(lines: Sequence[Line]) -> int:
    """How many lines are entries: a name, a cost, a type that is not a text's, perhaps a badge."""
    i = 0
    while i + 2 < len(lines) and CP.fullmatch(lines[i + 1].text):
        if lines[i + 2].text.endswith(" Stratagem"):
            break
        i += 3
        followed_by_cost = i + 1 < len(lines) and CP.fullmatch(lines[i + 1].text)
        if i < len(lines) and BADGE.fullmatch(lines[i].text) and not followed_by_cost:
            i += 1
    return i


def _list_size(key: str, lines: Sequence[Line]) -> int:
    """How many lines belong to a list: all before the next one; the last ends with its names."""
    following = _next_list(lines, 0)
    if following is not None and following < _FAR:
        return following
    if key == "led by":
        return min(1, len(lines))
    costs = [key == "enhancements" and bool(COST.fullmatch(line.text)) for line in lines]
    names = 0
    while names < len(lines) and (costs[names] or is_name(lines[names].text)):
        names += 1
    if key != "enhancements":
        return _with_bodies(lines, names)
    return max((i + 1 for i in range(names) if costs[i]), default=0)


def _with_bodies(lines: Sequence[Line], names: int) -> int:
    """The leading names that have a text; the first one counts without."""
    titles = {i for i in range(1, len(lines)) if lines[i].text.endswith(" Detachment")}
    size = min(1, names)
    while size < names and any(
        lines[i - 1].text.endswith(lines[size].text) and i - 1 != size for i in titles
    ):
        size += 1
    return size
