"""Words on charts: names made safe to draw, measured, broken into lines and cut; numbers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import polars as pl

from killcurve.charts.style import SMALLEST

FONT = "DejaVu Sans"
MISSING = "□"
"""What stands for a sign that the font cannot draw, and for one that is no text."""

IGNORED = {"\u200b", "\u200c", "\u200d", "\ufe0e", "\ufe0f", "\ufeff", "\u00ad"}
"""Signs that only shape their neighbours; nothing is missing where they are left out."""

NONE = "–"

KEPT = re.compile(r" (?![%·])")
"""Where lines may break: not before a sign that belongs to the word before it."""


@lru_cache(maxsize=1)
def _drawable() -> frozenset[int]:
    """The signs that both weights of the font have."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    fonts = [get_font(findfont(FontProperties(family=FONT, weight=w))) for w in ("normal", "bold")]
    return frozenset(fonts[0].get_charmap()) & frozenset(fonts[1].get_charmap())


@lru_cache(maxsize=65_536)
def clean(text: str) -> str:
    """The text on one line, with a box for what cannot be drawn.

    >>> clean("Kâhl  \\n $x^2$"), clean("Moles \\U0001f480"), clean("\\ufdd0 \\x00 \\ud800")
    ('Kâhl $x^2$', 'Moles □', '□ □ □')
    """
    composed = unicodedata.normalize("NFC", re.sub(r"\s+", " ", text).strip())
    kinds = {sign: unicodedata.category(sign) for sign in set(composed)}
    return "".join(
        sign
        if ord(sign) in _drawable() and kinds[sign] not in {"Cc", "Cf", "Cs", "Co"}
        else MISSING
        for sign in composed
        if sign not in IGNORED and not (kinds[sign] == "Cf" and sign not in IGNORED)
    )


def readable(text: str) -> str:
    """The text for machines that read aloud or index: without what no file format may hold.

    >>> readable("Moles \\U0001f480\\x00\\ud800")
    'Moles 💀��'
    """
    return "".join(
        "\ufffd" if unicodedata.category(c) in {"Cc", "Cs"} and c not in "\n\t" else c for c in text
    )


def cleaned(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with all its words safe to draw, and numbers that are none as null.

    Names that differ stay different.

    >>> cleaned(pl.DataFrame({"unit": ["Mole", "Mole\u200b", "Mole"]}))["unit"].to_list()
    ['Mole', 'Mole (2)', 'Mole']
    """
    told = {
        name: pl.col(name).replace(_names(frame[name]))
        for name, kind in frame.schema.items()
        if kind == pl.String
    }
    numbers = {
        name: pl.when(pl.col(name).is_finite()).then(pl.col(name))
        for name, kind in frame.schema.items()
        if kind.is_float()
    }
    return frame.with_columns(**told, **numbers)


def _names(column: pl.Series) -> dict[str, str]:
    """Each different text of a column as it is drawn."""
    told: dict[str, str] = {}
    taken: dict[str, int] = {}
    for text in column.drop_nulls().unique(maintain_order=True):
        plain = clean(text)
        taken[plain] = taken.get(plain, 0) + 1
        told[text] = plain if taken[plain] == 1 else f"{plain} ({taken[plain]})"
    return told


@lru_cache(maxsize=65_536)
def width(text: str, size: float = SMALLEST, *, bold: bool = False) -> float:
    """The width of a line of text in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=FONT, size=size, weight="bold" if bold else "normal")
    wide, _, _ = text_to_path.get_text_width_height_descent(clean(text), font, ismath=False)
    return float(wide) * 1.02


def widest(texts: Sequence[str], size: float = SMALLEST, *, bold: bool = False) -> float:
    """The width of the widest of some lines."""
    return max((width(text, size, bold=bold) for text in texts), default=0.0)


def cut(text: str, points: float, size: float = SMALLEST, *, bold: bool = False) -> str:
    """The text, or as much of it as fits a width, with an ellipsis.

    >>> cut("Moles", 500), cut("Moles of the Deep", 60)
    ('Moles', 'Moles of t…')
    """
    text = clean(text)
    if width(text, size, bold=bold) <= points:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        fits = width(text[:middle].rstrip() + "…", size, bold=bold) <= points
        low, high = (middle, high) if fits else (low, middle - 1)
    return text[:low].rstrip() + "…"


def fitted(
    text: str, points: float, size: float = SMALLEST, *, lines: int = 1, bold: bool = False
) -> str:
    """The text broken into at most so many lines, none wider than so many points.

    What is too much ends with an ellipsis; a word that is too long for a line is cut.
    """
    made: list[str] = []
    rest = re.split(KEPT, clean(text)) if text.strip() else []
    while rest and len(made) < lines - 1:
        number = 1
        while number < len(rest) and width(" ".join(rest[: number + 1]), size, bold=bold) <= points:
            number += 1
        made.append(cut(" ".join(rest[:number]), points, size, bold=bold))
        rest = rest[number:]
    if rest:
        made.append(cut(" ".join(rest), points, size, bold=bold))
    return "\n".join(made)


def balanced(
    text: str, points: float, size: float = SMALLEST, *, lines: int = 1, bold: bool = False
) -> str:
    """As :func:`fitted`, with lines of about one width, so that no word is left alone."""
    best = fitted(text, points, size, lines=lines, bold=bold)
    for share in (0.92, 0.84, 0.76, 0.68, 0.6):
        tried = fitted(text, share * points, size, lines=lines, bold=bold)
        if tried.count("\n") > best.count("\n") or tried.split() != best.split():
            break
        best = tried
    return best


def percent(value: float | None, digits: int = 0) -> str:
    """A chance, with so many digits that it is neither 0 nor 1 unless it is; ``digits`` at least.

    >>> percent(0.123), percent(0.004), percent(1.0), percent(0.9997), percent(None)
    ('12 %', '0.4 %', '100 %', '99.97 %', '–')
    >>> percent(-0.12)  # a change has a real minus
    '−12 %'
    >>> percent(0.1234, 1), percent(0.0, 1)
    ('12.3 %', '0 %')
    """
    if value is None:
        return NONE
    for behind in range(0 if value in (0.0, 1.0) else digits, 3):
        told = f"{100 * value:.{behind}f}"
        if float(told) not in (0.0, 100.0) or value in (0.0, 1.0):
            return f"{told} %".replace("-", "−")
    return "<0.01 %" if value < 0.5 else ">99.99 %"


def number(value: float | None) -> str:
    """A number with two or three digits that count.

    >>> number(0.214), number(3.44), number(12.4), number(1234.4), number(0.0), number(-3.0)
    ('0.21', '3.4', '12', '1,234', '0', '−3')
    """
    if value is None:
        return NONE
    size = abs(value)
    if size < 0.005 or size == round(size):
        told = f"{size:,.0f}"
    else:
        told = f"{size:.2f}" if size < 0.995 else f"{size:.1f}" if size < 9.95 else f"{size:,.0f}"
    return f"−{told}" if value < 0 and told != "0" else told


def signed(value: float | None) -> str:
    """A change with its sign: ``+20``, ``−0.15``, ``0``."""
    if value is None:
        return NONE
    told = number(value)
    return f"+{told}" if value > 0 and told != "0" else told


def listed(texts: Sequence[str]) -> str:
    """Several names as a sentence lists them.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))


def joined(*parts: str) -> str:
    """Parts of a line that are told, with a dot between."""
    return " · ".join(part for part in parts if part)


def titled(name: str) -> str:
    """A name in capitals as one reads it.

    >>> titled("NIGHT SHIELD"), titled("PROTOCOL OF THE HUNGRY VOID")
    ('Night Shield', 'Protocol of the Hungry Void')
    """
    if not name.isupper():
        return name
    small = {"of", "the", "and", "for", "in", "to", "a", "at", "on", "by", "with"}
    words = [w if w in small else w[:1].upper() + w[1:] for w in name.lower().split()]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])
