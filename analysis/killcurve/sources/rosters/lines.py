"""Lines of a list as people paste them: cleaned, with their bullet, their depth and points."""

from __future__ import annotations

import re
from dataclasses import dataclass

from killcurve.tables.dataset import DataError

MOST_LINES = 5_000
LONGEST = 1_000
"""Characters of a line; longer ones are no lines of a list."""

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_QUOTED = re.compile(r"^(?:[ \t\u00a0]*>)+[ \t\u00a0]?")
_BULLET = re.compile(
    r"([•·●◾▪■‣⁃∙*–—➤]|[◦○▫□]|[-](?![-\d])|[?o](?=[ \t\u00a0]+\d{1,3} ?[x×]))[ \t\u00a0]*(?=\S)"
)
_LOWER_BULLETS = "◦○▫□o"
_DOT = re.compile(r"(?:\.[ \t]+)+(?=[^\s.])")
_MARKDOWN = re.compile(r"\*\*|__|~~|`")
_RULE = re.compile(r"^[-+=_~*─━#·.\s]{1,}$")

NUMBER = r"\d{1,3}(?:[ ,.'’]\d{3})+(?!\d)|\d{1,5}(?!\d)"
_WORD = r"(?:pts?\b\.?|points?\b|punkte\b|puntos?\b|punt[io]\b|p\b)"
_PRICE = re.compile(
    rf"[(\[]\s*(?:[^()\[\]]{{0,30}}?[,;]\s*)??(?P<plus>\+)?\s*(?P<number>{NUMBER})\s*{_WORD}"
    r"(?P<more>[^()\[\]]{0,60})[)\]]",
    re.IGNORECASE,
)
_LOOSE_PRICE = re.compile(
    rf"\s*[-:–—=….]*\s*\b(?P<number>{NUMBER})\s*(?:pts?|points?)\.?\s*$", re.IGNORECASE
)
_DETACHMENT_POINTS = re.compile(
    r"\s*[(\[][^()\[\]]{0,40}(?:d[ée]tach|\b(?:dp|pd)\b)[^()\[\]]{0,40}[)\]]", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line with text: its number in the file, from 1, its depth and whether it has a bullet.

    ``column`` is where the text behind a bullet begins, whether or not blanks stand there.
    """

    number: int
    text: str
    column: int
    bullet: bool
    after_blank: bool
    heads: bool
    """Whether it begins as headings of Markdown do."""


@dataclass(frozen=True, slots=True)
class Price:
    """Points printed in brackets: what stands before and behind them.

    ``extra`` is whether they have a plus, ``limit`` whether they are a limit.
    """

    before: str
    points: int
    behind: str
    extra: bool
    limit: bool


def lines_of(text: str, name: str) -> list[Line]:
    """The lines that have text.

    Raises:
        DataError: if there are more than any list has.

    >>> [line.text for line in lines_of("> • 9x Troopers\\n\\n>   2x **gun**", "a.txt")]
    ['9x Troopers', '2x gun']
    >>> [(line.column, line.bullet) for line in lines_of("  • 9x A\\n    1x B\\n  ◦ 1x C", "a.txt")]
    [(4, True), (4, False), (5, True)]
    """
    raw = text.splitlines()
    if len(raw) > MOST_LINES:
        raise DataError(f"{name} has {len(raw):,} lines: it is no army list")
    found: list[Line] = []
    blank = True
    for number, one in enumerate(raw, start=1):
        line = _line(number, _INVISIBLE.sub("", one), blank)
        if line is not None:
            found.append(line)
        blank = line is None
    return found


def _line(number: int, raw: str, blank: bool) -> Line | None:
    plain = _MARKDOWN.sub("", _QUOTED.sub("", raw[: LONGEST + 1])).expandtabs(4)
    stripped = plain.lstrip()
    column = len(plain) - len(stripped)
    bullet, dots = _BULLET.match(stripped), _DOT.match(stripped)
    heads = stripped.startswith("#")
    if bullet:
        column += 2 + (bullet[1] in _LOWER_BULLETS)
        stripped = stripped[bullet.end() :]
    elif dots:
        column += dots.end()
        stripped = stripped[dots.end() :]
    said = re.sub(r"\s+", " ", stripped).strip()
    if not said or (_RULE.match(said) and not bullet):
        return None
    return Line(number, said, column, bool(bullet or dots), blank, heads)


def is_too_long(line: Line) -> bool:
    """Whether a line is longer than any of a list.

    >>> is_too_long(Line(1, "x" * 9, 0, False, True, False))
    False
    """
    return len(line.text) > LONGEST


def price(text: str) -> Price | None:
    """The first points in brackets.

    >>> price("Storm Squad (1,180 Points): gun")
    Price(before='Storm Squad', points=1180, behind=': gun', extra=False, limit=False)
    >>> price("Ember [+20 pts]").extra, price("Host (3 Points de Détachement)")
    (True, None)
    >>> price("Squad [8PP, 175pts]").points, price("Strike Force (2000 Point limit)").limit
    (175, True)
    """
    found = _PRICE.search(text)
    if not found or "tach" in found["more"].casefold():
        return None
    return Price(
        text[: found.start()].strip(),
        whole(found["number"]),
        text[found.end() :].strip(),
        found["plus"] is not None,
        "limit" in found["more"].casefold(),
    )


def loose_price(text: str) -> Price | None:
    """Points at the end of a line without brackets, as people write by hand.

    >>> loose_price("Storm Squad - 80 pts").before, loose_price("Storm Squad") is None
    ('Storm Squad', True)
    """
    found = _LOOSE_PRICE.search(text)
    if not found:
        return None
    return Price(text[: found.start()].strip(), whole(found["number"]), "", False, False)


def whole(printed: str) -> int:
    """A number with or without marks between its thousands.

    >>> whole("1,995"), whole("2 000"), whole("85")
    (1995, 2000, 85)
    """
    return int(re.sub(r"\D", "", printed))


def all_points(text: str) -> list[int]:
    """The points of a line that tells nothing else, a total and then a limit.

    >>> all_points("[25 PL, 3CP, 1,515pts]"), all_points("1990 / 2000"), all_points("none")
    ([1515], [1990, 2000], [])
    """
    printed = price(text) or loose_price(f"{text.partition(' - ')[0]}")
    if printed:
        return [printed.points]
    return [whole(number) for number in re.findall(NUMBER, text.partition(" - ")[0])][:2]


def without_detachment_points(text: str) -> tuple[str, bool]:
    """A line without ``(3 Detachment Points)``, and whether it had them.

    >>> without_detachment_points("Ember Host (3 Points de Détachement)")
    ('Ember Host', True)
    """
    plain = _DETACHMENT_POINTS.sub("", text).strip()
    return plain, plain != text.strip()
