"""The heading of a list: points, army, detachments and dispositions, in any order."""

from __future__ import annotations

import re

from killcurve.rules.spelling import normal
from killcurve.sources.rosters.lines import Line, all_points, price, without_detachment_points
from killcurve.sources.rosters.listed import Listed, Unread
from killcurve.sources.rosters.vocabulary import FIELD_NAMES, SIZES, disposition, is_disposition

_FIELD = re.compile(
    r"^[+&=\s]*([A-Za-zÀ-ÿ][A-Za-zÀ-ÿ '’/-]{2,40}?)\s*(?:[\[(][^\])]*[\])])?\s*:\s*(.*?)\s*\+?$"
)
_BEARER = re.compile(
    r"^(?:&\s*)?(.+?)\s*\(on\s+(?:[A-Za-z]{2,12}\d+:\s*)?(.+?)\)\s*$", re.IGNORECASE
)
_MARK = re.compile(r"^[A-Za-zÀ-ÿ]{2,12}\d+:\s*")
_PARTS = re.compile(r"\s+[-–—]\s+|[()\[\]:]")
_VERSIONS = re.compile(r"\bv(\d+(?:\.\d+)*)", re.IGNORECASE)
_OF_11TH = re.compile(
    r"detachment points|points? de detachement|force disposition|dispositions? des forces"
    r"|attached (?:as|unit)|attachee?s? en tant que|unites? \d* ?attachee"
)


def field(line: Line) -> tuple[str, str] | None:
    """The kind of a field of the heading, and its value.

    >>> field(Line(1, "+ FACTION KEYWORD: Chaos - Ember Host", 0, False, True, False))
    ('faction', 'Chaos - Ember Host')
    >>> field(Line(1, "Detachment [3 Detachment Points]: Ember Host", 0, False, True, False))
    ('detachment', 'Ember Host')
    """
    found = _FIELD.match(line.text)
    kind = FIELD_NAMES.get(normal(found[1])) if found else None
    return (kind, found[2]) if found and kind else None


def take_field(listed: Listed, kind: str, value: str, number: int) -> None:
    """What a field of the heading says."""
    points = all_points(value)
    if kind == "faction" and value:
        listed.names_army = True
        listed.armies += [part.strip() for part in value.split(" - ") if part.strip()]
    elif kind == "detachment" and value:
        listed.detachments.append(without_detachment_points(value)[0])
    elif kind == "disposition" and value:
        listed.dispositions += [disposition(part) for part in value.split(",") if part.strip()]
    elif kind == "total" and points:
        listed.total = points[0]
        if len(points) > 1:
            listed.limit = points[1]
    elif kind == "size" and points:
        listed.limit = points[-1]
    elif kind == "warlord":
        listed.warlord = _MARK.sub("", value)
    elif kind == "bearers":
        take_bearer(listed, value, number)


def take_field_below(listed: Listed, line: Line) -> bool:
    """A field that stands among the units, as people add them; whether it was one."""
    found = field(line)
    if found is None or line.bullet or found[0] not in ("total", "detachment", "disposition"):
        return False
    take_field(listed, *found, line.number)
    return True


def take_bearer(listed: Listed, text: str, number: int) -> bool:
    """``Ember Blade (on Char2: Marshal)``: which unit has which enhancement."""
    found = _BEARER.match(text)
    if found:
        listed.bearers.append((found[1].strip(), found[2].strip(), number))
    return found is not None


def take_size(listed: Listed, line: Line) -> bool:
    """A battle size with its limit: ``Strike Force (2,000 Points)``."""
    printed = price(line.text)
    if printed and normal(printed.before.lstrip("0123456789. ")) in SIZES:
        listed.limit = printed.points
        return True
    return normal(line.text) in SIZES


def take_bare(listed: Listed, line: Line) -> None:
    """A line of the heading without a field's name: an army, a detachment, dispositions."""
    plain, has_points = without_detachment_points(line.text)
    if has_points and plain:
        listed.detachments.append(plain)
    elif is_disposition(line.text):
        listed.dispositions += [disposition(part) for part in line.text.split(",")]
    elif line.text:
        listed.heading.append((line.number, line.text))


def take_title(listed: Listed, text: str, points: int | None) -> None:
    """The title; of its parts those count that are an army or a detachment by their name."""
    if points is not None and listed.total is None:
        listed.total = points
    for part in _PARTS.split(text):
        if is_disposition(part):
            listed.dispositions += [disposition(one) for one in part.split(",")]
        elif part.strip():
            listed.armies.append(part.strip())
            listed.heading.append((0, part.strip()))


def take_footer(listed: Listed, line: Line) -> None:
    """The signature of the app: the version of its data."""
    versions = _VERSIONS.findall(line.text)
    if len(versions) > 1:
        listed.version = f"v{versions[-1]}"
    if "app" in normal(line.text) and versions and listed.edition is None:
        listed.edition = "10e" if versions[0].startswith("1.") else "11e"


def edition(lines: list[Line]) -> str | None:
    """The edition that the words of a list tell, if they do.

    >>> edition([Line(1, "Ember Host (3 Detachment Points)", 0, False, True, False)])
    '11e'
    """
    is_11th = any(_OF_11TH.search(normal(line.text)) for line in lines)
    return "11e" if is_11th else None


def unread(listed: Listed, line: Line, reason: str, *, heading: bool) -> None:
    """A line that is not understood; those of headings may name people and are not kept."""
    listed.unread.append(Unread(line.number, "" if heading else line.text, reason))
