"""The text of a rule as plain lines: no markup, straight quotes, and glued sentences apart."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from killcurve.rules.spelling import typographic

LONGEST = 12_000
"""A text is read up to so many characters; what is cut off is told as unread."""

BULLET = "•"

_BLOCK = re.compile(r"</?(?:br|p|div|ul|ol|tr|td|th|table|tbody|thead|h[1-6])\b[^<>]{0,500}>", re.I)
_ITEM = re.compile(r"<li\b[^<>]{0,500}>", re.I)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,500}>")
_INCH = str.maketrans({"″": '"', "”": '"', "“": '"'})
_MARKED = re.compile(r"^(?:[-*•■▪‣◦∙●] ?)")
_REROLL = re.compile(r"\bre[ -]?roll", re.I)

_GLUED = re.compile(
    r"""(?<=[a-z0-9)\]"'+%][.!?])(?=[A-Z\[+•(])"""  # "…Fell Back.Steady Aim"
    r"""|(?<=[A-Z]{2}[.!?])(?=[A-Z][a-z]|[A-Z]{2}\.|[\[+])"""  # "…the HEAVY.Friendly"
    r"""|(?<=[+-]\d\ [A-Z]\.)(?=[A-Z+\[-])"""  # "+1 S.Song of"
    r"""|(?<=\])(?=(?:If|When|While|Each|Until|Once|In|At|This|Your|Add|Select|On|Roll) )"""
    r"""|(?<=[a-z]{2})(?=[A-Z][a-z]+ )"""  # "BlessingAdd 6"
    r"""|(?<=[A-Z]{3})(?=(?:[A-Z][a-z]{2,}|If|At|By|In|On) )"""  # "TACTICSWhen this"
    r"""|(?<=[A-Z]{2})(?=\d\+[A-Z])"""  # "BONUS1+Each"
    r"""|(?<=[a-z0-9+\]]\.)(?=\d\+[A-Z])"""  # "of 1.3+Each"
    r"""|(?<=\d\+)(?=[A-Z][a-z])"""  # "3+Each"
    r"""|(?<=[a-z0-9)\]]:)(?=[A-Z\[+])"""  # "have:+1 BS"
)
"""Where saved pages lost the line break between two sentences."""

_SENTENCE_END = re.compile(
    r"""(?<=[a-z0-9A-Z)\]"'+%][.!?])(?<!\bpts\.)(?<!e\.g\.)(?<!i\.e\.)\s+(?=["'(\[]?[A-Z0-9\[+•-])"""
)
_LIST_WITH_STOPS = re.compile(
    r"\b(Attacks|Strength|Toughness|Damage|Wounds|Move|Leadership|Skill|Penetration)\. "
    r"(?=(?:Attacks|Strength|Toughness|Damage|Wounds|Move|Leadership|Objective)\b)"
)
"""A full stop printed for a comma between names of characteristics."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text; ``marked`` if it is an item of a list.

    ``paragraph`` numbers the lines as they were printed: what was glued together shares one.
    """

    text: str
    marked: bool = False
    paragraph: int = 0


def lines(text: str) -> list[Line]:
    """The lines of a text without markup.

    >>> [line.text for line in lines("<b>EFFECT:</b> Re&#8209;roll a Hit roll of 1.Add 1.<br>x")]
    ['EFFECT: Re-roll a Hit roll of 1.', 'Add 1.', 'x']
    """
    plain = _ITEM.sub(f"\n{BULLET} ", text[:LONGEST])
    plain = _TAG.sub("", _BLOCK.sub("\n", plain))
    plain = html.unescape(plain).translate(_INCH)
    found = []
    for paragraph, raw in enumerate(plain.splitlines()):
        line = _REROLL.sub(_hyphened, typographic(raw))
        for i, part in enumerate(_GLUED.split(line)):
            bare = _MARKED.sub("", part.strip())
            if bare:
                marked = i == 0 and bare != part.strip()
                found.append(Line(_LIST_WITH_STOPS.sub(r"\1, ", bare), marked, paragraph))
    return found


def _hyphened(found: re.Match[str]) -> str:
    return found[0][:2] + "-roll"


def sentences(line: str) -> list[str]:
    """The sentences of a line.

    >>> sentences("Roll one D6: on a 4+, move up to 6\\". On a 1, it stays. ")
    ['Roll one D6: on a 4+, move up to 6".', 'On a 1, it stays.']
    """
    return [s for s in (part.strip() for part in _SENTENCE_END.split(line)) if s]
