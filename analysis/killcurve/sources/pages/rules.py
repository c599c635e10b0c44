"""Rules of detachments and enhancements: lists of names, and texts headed by the detachment.

The text of a detachment's rule has its name in the line before; that of an enhancement has not,
so that only its detachment is known (and which enhancement it is, from the reference at best).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from killcurve.rules.spelling import typographic
from killcurve.sources.pages.lines import CONTENT, COST, INDEX, Line, is_name
from killcurve.sources.pages.text import SAVE_AGAIN
from killcurve.tables.dataset import DataError
from killcurve.tables.reference import Reference, all_of, lookup
from killcurve.tables.rulings import UNREAD, Ruling, known_or_unread, together

Row = dict[str, Any]

HEAD = re.compile(r"(\S.{0,58}) Detachment")
_ENDS = ("Army List", "Datasheets collated", "FAQ")
_GLUED = re.compile(r"(?<=[.!?)])(?:Army List|The (?:.+ )?keywords? (?:is|are) used in .*)$")
_RULE_NUMBER = re.compile(r"^\d\d\.\d\d|\d\d\.\d\d$")
_LONGEST = 30


@dataclass(frozen=True, slots=True)
class Text:
    """A text headed by a detachment: lines ``start`` to ``end`` (not included) of the rest.

    ``name`` is the rule's, empty for enhancements.
    """

    name: str
    detachment: str
    start: int
    end: int
    text: str


def texts(
    listed: Sequence[Line], rest: Sequence[Line], taken: Collection[int], edition: str, page: str
) -> list[Text]:
    """The texts of detachments and enhancements; ``taken`` are lines that belong to others.

    Raises:
        DataError: if the text of a listed rule is missing or incomplete.
    """
    names = [line.text for line in listed]
    known = [entry.name for entry in all_of("detachment") if entry.edition == edition]
    found = []
    for i, line in enumerate(rest):
        head = HEAD.fullmatch(line.text)
        if head is None or i in taken:
            continue
        rule = _rule_before(rest[i - 1].text, (*names, *known)) if i > 0 else None
        text, end = _text(rest, i + 2, taken, (*names, *known))
        if not text and (end >= len(rest) - 1 or rule in names):
            raise DataError(
                f"{page}, line {line.number}: the text under {line.text!r} is incomplete, so the "
                f"page is cut off; {SAVE_AGAIN}"
            )
        found.append(Text(rule or "", head[1], i, end, text))
    missing = [name for name in names if name not in {text.name for text in found}]
    if missing:
        raise DataError(
            f"{page} lists the detachment abilities {', '.join(names)} and has no text of "
            f"{', '.join(missing)}: the page is cut off; {SAVE_AGAIN}"
        )
    return found


def detachment_rows(found: Sequence[Text], edition: str, faction: str) -> list[Row]:
    """The rows of ``detachments``; what their rules do comes from the toolkit's reference."""
    by_detachment: dict[str, list[str]] = {}
    for text in found:
        if text.name and text.name not in by_detachment.setdefault(text.detachment, []):
            by_detachment[text.detachment].append(text.name)
    return [
        {
            "faction": faction,
            "detachment": detachment,
            "rules": names,
            **_of_all([lookup("detachment", edition, faction, detachment, name) for name in names]),
        }
        for detachment, names in by_detachment.items()
    ]


def enhancement_rows(listed: Sequence[Line], edition: str, faction: str) -> list[Row]:
    """The rows of ``enhancements``: a name, and its cost in the next line if it has one."""
    rows = []
    for i, line in enumerate(listed):
        if COST.fullmatch(line.text):
            continue
        cost = listed[i + 1].text if i + 1 < len(listed) else ""
        known = lookup("enhancement", edition, faction, None, line.text)
        rows.append(
            {
                "faction": faction,
                "detachment": known.detachment if known else "",
                "name": line.text,
                "cost": int(cost) if COST.fullmatch(cost) else None,
                **known_or_unread(known),
            }
        )
    return rows


def _rule_before(line: str, names: Sequence[str]) -> str | None:
    """The rule whose name ends the line before its detachment; it may be glued to a sentence."""
    for name in sorted(names, key=len, reverse=True):
        before, is_there, after = typographic(line).rpartition(typographic(name))
        if is_there and not after and (not before or before[-1] in ".!?)”\"'"):
            return name
    return None


def _text(
    rest: Sequence[Line], start: int, taken: Collection[int], names: Sequence[str]
) -> tuple[str, int]:
    """The lines of a text, from behind its first one, which only sets the mood."""
    lines: list[str] = []
    i = start
    while i < len(rest) and i not in taken and len(lines) < _LONGEST:
        text = _without_glued(rest[i].text, names)
        if _ends_text(text):
            break
        lines.append(text)
        i += 1
        if rest[i - 1].text != text:
            break
    return "\n".join(lines), i


def _ends_text(text: str) -> bool:
    """Whether a line is no more of a text: a heading, an index, a number, or other content."""
    if CONTENT.fullmatch(text) or INDEX.fullmatch(text) or _RULE_NUMBER.search(text):
        return True
    return is_name(text) or text.startswith(_ENDS)


def _without_glued(text: str, names: Sequence[str]) -> str:
    """A line without a heading that is glued to its end."""
    text = _GLUED.sub("", text)
    for name in names:
        if text.endswith(name) and text.removesuffix(name)[-1:] in (".", "!", ")"):
            return text.removesuffix(name)
    return text


def _of_all(rules: Sequence[Reference | None]) -> Row:
    """The columns of all rules of one detachment, if the reference knows each of them."""
    known = [Ruling.of_reference(rule) for rule in rules if rule is not None]
    return (together(known) if len(known) == len(rules) else UNREAD).columns()
