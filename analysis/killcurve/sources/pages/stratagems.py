"""Stratagems: the list of names and the texts of a page, which must agree.

The texts stand in any order, sometimes glued to the paragraph before. Each is recognised by its
cost and its type; ``TARGET``, ``EFFECT`` and ``RESTRICTIONS`` are printed twice, so that a text
which stops short is found out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from killcurve.rules.spelling import normal, typographic
from killcurve.sources.pages.lines import BADGE, CP, Line, is_name
from killcurve.sources.pages.text import SAVE_AGAIN
from killcurve.tables.dataset import DataError
from killcurve.tables.reference import PHASES, lookup
from killcurve.tables.rulings import known_or_unread

Row = dict[str, Any]

TEXT = " Stratagem"
"""How the type ends in a text, and not in the list."""
_TAG = re.compile(r"(WHEN|TARGET|EFFECT|RESTRICTIONS?): ?")
_MORE = re.compile(r"[-•■] .*|\+\d+CP")
_RULE_NUMBER = re.compile(r" ?\d\d\.\d\d$")
_FLUFF = 4
"""A text has fewer lines than this before ``WHEN``, and between two of its parts."""
_BOXES = ("ELIGIBLE IF:", "WHILE ", "BEFORE ", "AFTER ", "MAXIMUM DISTANCE:", "SET-UP DISTANCE:")
"""How the lines of rule boxes begin: they have an ``EFFECT`` too, and belong to no stratagem."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A stratagem of the list. ``detachment`` is empty for core ones."""

    name: str
    cp: int
    printed_type: str
    line: int

    @property
    def detachment(self) -> str:
        """The detachment of ``Iron Choir – Battle Tactic``."""
        first, dash, _ = self.printed_type.rpartition(" – ")
        owner = first if dash else self.printed_type
        return "" if owner == "Core" else owner

    @property
    def type(self) -> str:
        """The type as in the tables: ``battle-tactic``; ``core`` where the page says no more."""
        last = self.printed_type.rpartition(" – ")[2]
        return normal(last).replace(" ", "-")


@dataclass(frozen=True, slots=True)
class Body:
    """The text of a stratagem: lines ``start`` to ``end`` (not included) of the page's rest."""

    entry: Entry
    start: int
    end: int
    when: str
    text: str
    trouble: str | None = None


def entries(lines: Sequence[Line], page: str) -> list[Entry]:
    """The stratagems of the list.

    Raises:
        DataError: if there is none, or one is listed twice.
    """
    found = []
    i = 0
    while i < len(lines):
        name, cp, printed_type = (line.text for line in lines[i : i + 3])
        found.append(Entry(name, int(cp[:-2]), printed_type, lines[i].number))
        i += 3
        if i < len(lines) and BADGE.fullmatch(lines[i].text) and not _cost_follows(lines, i):
            i += 1
    if not found:
        raise DataError(
            f"{page} lists no stratagems under STRATAGEMS, so the page is cut off; {SAVE_AGAIN}"
        )
    keys = [(entry.detachment, entry.name) for entry in found]
    for detachment, name in keys:
        if keys.count((detachment, name)) > 1:
            raise DataError(f"{page} lists {name!r} of {detachment or 'the core rules'!r} twice")
    return found


def bodies(listed: Sequence[Entry], rest: Sequence[Line], page: str) -> list[Body]:
    """The texts of all listed stratagems.

    Raises:
        DataError: if one is missing, incomplete or not listed, naming it.
    """
    found: dict[Entry, Body] = {}
    strangers = []
    for i in range(1, len(rest) - 1):
        if CP.fullmatch(rest[i].text) and rest[i + 1].text.endswith(TEXT):
            entry = _entry_of(listed, rest, i)
            if entry is None:
                strangers.append(rest[i - 1])
                continue
            body = _body(entry, rest, i, page)
            if entry in found and found[entry].text != body.text:
                raise DataError(f"{page} has two texts of {entry.name!r}: take one out")
            found[entry] = body
    missing = [entry.name for entry in listed if entry not in found]
    if missing:
        raise DataError(
            f"{page} lists {len(listed)} stratagems and has the text of {len(found)}; missing: "
            f"{_few(missing)}. The page is cut off: {SAVE_AGAIN}"
        )
    if strangers:
        names = _few([line.text[-60:] for line in strangers])
        raise DataError(
            f"{page} has texts of stratagems that it does not list ({names}), so its list is cut "
            f"short: {SAVE_AGAIN}"
        )
    return list(found.values())


def row(entry: Entry, when: str, edition: str, faction: str) -> Row:
    """The row of ``stratagems``; what it does comes from the toolkit's reference."""
    phases, turn = timing(when)
    known = lookup("stratagem", edition, faction, entry.detachment, entry.name)
    return {
        "faction": faction,
        "detachment": entry.detachment,
        "name": entry.name,
        "cp": entry.cp,
        "type": entry.type,
        "phase": list(phases),
        "turn": turn,
        "used_by": list(known.used_by) if known else [],
        **known_or_unread(known),
    }


def timing(when: str) -> tuple[tuple[str, ...], str | None]:
    """The phases and the turn of a ``WHEN``.

    >>> timing("Your Shooting phase or the Fight phase, when your Charge phase is over.")
    (('shooting', 'fight'), 'either')
    >>> timing("End of your opponent’s Movement phase.")
    (('movement',), 'opponent')
    """
    clause = re.split(r", (?:just|when|if|after|before|immediately|in which|while)\b", when)[0]
    words = normal(clause)
    every = re.search(r"\bany phase\b", words)
    phases = tuple(p for p in PHASES if every or re.search(rf"\b{p}\b", words))
    return phases, _turn(words)


def _turn(words: str) -> str | None:
    """Whose turn it is: the Fight phase without "your" is either player's."""
    opponent = "your opponent's" in words
    own = bool(re.search(r"\byour (?!opponent)", words))
    open_fight = bool(re.search(r"(?<!your )(?<!opponent's )\bfight phase", words))
    joined = bool(re.search(r"\bor fight phase", words))
    if re.search(r"\bany phase\b", words) and not (opponent or own):
        return "either"
    if (open_fight and not joined) or (own and opponent):
        return "either"
    if opponent:
        return "opponent"
    return "your" if own else "either"


def _entry_of(listed: Sequence[Entry], rest: Sequence[Line], cost: int) -> Entry | None:
    """The listed stratagem with the longest name that ends the line before the cost."""
    title = typographic(_RULE_NUMBER.sub("", rest[cost - 1].text))
    printed_type = normal(rest[cost + 1].text.removesuffix(TEXT))
    candidates = [
        entry
        for entry in listed
        if normal(entry.printed_type) == printed_type and title.endswith(typographic(entry.name))
    ]
    return max(candidates, key=lambda entry: len(entry.name), default=None)


def _body(entry: Entry, rest: Sequence[Line], cost: int, page: str) -> Body:
    when = _find_when(entry, rest, cost + 2, page)
    end = _extent(rest, when + 1)
    texts = [line.text for line in rest[when + 1 : end]]
    first, second = _halves(texts)
    lines = [*first, *(text for text in second if text not in first and not _TAG.match(text))]
    trouble = None
    if not _alike(first, second):
        number = rest[cost].number
        trouble = f"line {number}: the text of {entry.name!r} is not printed twice alike"
    effect = next((text for text in first if text.startswith("EFFECT")), "")
    last = end >= len(rest) - 1  # a page that is cut within a line ends with a piece of one
    list_is_missing = effect.endswith(":") and not any(_MORE.fullmatch(text) for text in lines)
    if not _TAG.sub("", effect) or (last and (trouble or list_is_missing)):
        raise DataError(
            f"{page}, line {rest[cost].number}: the text of {entry.name!r} is incomplete, so the "
            f"page is cut off; {SAVE_AGAIN}"
        )
    text = "\n".join([rest[when].text, *lines])
    return Body(entry, cost - 1, end, _TAG.sub("", rest[when].text), text, trouble)


def _extent(rest: Sequence[Line], start: int) -> int:
    """Where a text ends: behind its tagged lines, with the lists and paragraphs between them."""
    end = start
    while end < len(rest):
        text = rest[end].text
        if text.startswith("WHEN:"):
            break
        if not (_TAG.match(text) or _MORE.fullmatch(text) or _goes_on(rest, start, end)):
            break
        end += 1
    return end


def _goes_on(rest: Sequence[Line], start: int, i: int) -> bool:
    """Whether a paragraph stands between tagged lines whose repetition is not yet complete."""
    texts = [line.text for line in rest[start:i]]
    if _alike(*_halves(texts)):
        return False
    for line in rest[i : i + _FLUFF]:
        if is_name(line.text) or CP.fullmatch(line.text) or line.text.startswith(_BOXES):
            return False
        if _TAG.match(line.text):
            return True
    return False


def _halves(texts: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The lines until the first tag comes again, and those from there."""
    tags = [_tag(text) for text in texts]
    first = next((tag for tag in tags if tag), "")
    again = [i for i, tag in enumerate(tags) if tag and tag == first][1:]
    return (texts[: again[0]], texts[again[0] :]) if again else (texts, [])


def _alike(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the second half repeats the first; the next title may be glued to its end."""
    told = [text for text in first if _tag(text)]
    again = [text for text in second if _tag(text)]
    return len(told) == len(again) > 0 and all(
        b.startswith(a) for a, b in zip(told, again, strict=True)
    )


def _find_when(entry: Entry, rest: Sequence[Line], start: int, page: str) -> int:
    for i in range(start, min(start + _FLUFF, len(rest))):
        if rest[i].text.startswith("WHEN:"):
            return i
    raise DataError(
        f"{page}, line {rest[start - 1].number}: the text of {entry.name!r} has no WHEN, so the "
        f"page is cut off; {SAVE_AGAIN}"
    )


def _tag(text: str) -> str:
    found = _TAG.match(text)
    return found[1] if found else ""


def _cost_follows(lines: Sequence[Line], i: int) -> bool:
    return i + 1 < len(lines) and CP.fullmatch(lines[i + 1].text) is not None


def _few(names: Sequence[str], most: int = 5) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
