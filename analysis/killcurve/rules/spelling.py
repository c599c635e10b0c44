"""Names as people type them: normal forms, and "did you mean"."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_SAME = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "`": "'",
        "´": "'",
        "“": '"',
        "”": '"',
        "–": "-",
        "—": "-",
        "‐": "-",
        "‑": "-",
        "−": "-",
        "\u00a0": " ",
    }
)


@lru_cache(maxsize=65_536)
def normal(text: str) -> str:
    """The form in which names are compared: case, accents, quotes and dashes do not count.

    >>> normal("  C’tan  Shard – KÂHL ")
    "c'tan shard - kahl"
    """
    if text.isascii():
        return " ".join(text.translate(_SAME).split()).casefold()
    decomposed = unicodedata.normalize("NFKD", text.translate(_SAME))
    plain = "".join(c for c in decomposed if not unicodedata.combining(c))
    return re.sub(r"\s+", " ", plain).strip().casefold()


def typographic(text: str) -> str:
    """Straight quotes, plain dashes and single spaces; everything else stays.

    >>> typographic("Kabalite’s   –  “x”")
    'Kabalite\\'s - "x"'
    """
    return re.sub(r"\s+", " ", text.translate(_SAME)).strip()


def suggestions(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Up to ``most`` known names that ``name`` may be a slip for, closest first.

    >>> suggestions("Intercesor Squad", ["Intercessor Squad", "Infernus Squad", "Boyz"], most=1)
    ['Intercessor Squad']
    """
    by_normal = {normal(k): k for k in known}
    wanted = normal(name)
    close = difflib.get_close_matches(wanted, by_normal, n=most, cutoff=0.6)
    ratios = [difflib.SequenceMatcher(None, wanted, k).ratio() for k in close]
    close = [k for k, ratio in zip(close, ratios, strict=True) if ratio >= ratios[0] - 0.1]
    if wanted and not close:
        inside = [k for k in by_normal if wanted in k]
        close = sorted(inside, key=len)[:most]
    return [by_normal[k] for k in close]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of an error message: a question with the closest names, or nothing.

    >>> did_you_mean("lethal hit", ["lethal hits", "lance"])
    "; did you mean 'lethal hits'?"
    """
    close = suggestions(name, known)
    return f"; did you mean {' or '.join(repr(c) for c in close)}?" if close else ""
