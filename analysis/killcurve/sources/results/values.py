"""What stands in cells: results, scores, rounds, editions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from killcurve.rules import spelling

MOST_REMEMBERED = 1 << 16
"""Texts whose reading is remembered: the cells of a column repeat."""

normal = lru_cache(MOST_REMEMBERED)(spelling.normal)
tidy = lru_cache(MOST_REMEMBERED)(spelling.typographic)

WORDS: dict[str, float] = {
    **dict.fromkeys(("w", "win", "won", "victory", "wins"), 1.0),
    **dict.fromkeys(("l", "loss", "lost", "lose", "defeat", "losses"), 0.0),
    **dict.fromkeys(("d", "draw", "drawn", "tie", "tied", "t", "½", "1/2", "1⁄2"), 0.5),
}
SCALES: tuple[dict[float, float], ...] = (
    {1.0: 1.0, 0.5: 0.5, 0.0: 0.0},
    {2.0: 1.0, 1.0: 0.5, 0.0: 0.0},
    {1.0: 1.0, 0.0: 0.5, -1.0: 0.0},
    {3.0: 1.0, 1.0: 0.5, 0.0: 0.0},
)
"""Points for a win, a draw and a loss; a column uses the first that has all its numbers."""

BYES = frozenset(("bye", "bye round", "buy", "no opponent", "none", "-", "n/a", "na"))


@lru_cache(MOST_REMEMBERED)
def number(text: str) -> float | None:
    """A number, with a point or a comma; null if there is none.

    >>> number("74"), number("1,5"), number("=IF(A1)"), number("inf")
    (74.0, 1.5, None, None)
    """
    found = re.fullmatch(r"[+-]?\d{1,9}([.,]\d{1,9})?", text.strip())
    return float(found[0].replace(",", ".")) if found else None


def scale(texts: Iterable[str]) -> Mapping[float, float]:
    """What the numbers of a column of results mean.

    >>> scale(["2", "0", "1"])[1.0], scale(["1", "0"])[1.0], scale(["W", "L"])
    (0.5, 1.0, {1.0: 1.0, 0.5: 0.5, 0.0: 0.0})
    """
    numbers = {value for text in texts if (value := number(text)) is not None}
    return next((known for known in SCALES if numbers <= known.keys()), SCALES[0])


def result(text: str, numbers: Mapping[float, float]) -> float | None:
    """A win as 1, a draw as 0.5, a loss as 0; null if it is none of them.

    >>> [result(t, SCALES[0]) for t in ("w", "Loss", "tie", "1", "7")]
    [1.0, 0.0, 0.5, 1.0, None]
    """
    word = normal(text).rstrip(".!")
    if word in WORDS:
        return WORDS[word]
    value = number(word)
    return None if value is None else numbers.get(value)


def by_scores(own: float | None, other: float | None) -> float | None:
    """The result that two scores give.

    >>> by_scores(80, 60), by_scores(5, 5), by_scores(5, None)
    (1.0, 0.5, None)
    """
    if own is None or other is None:
        return None
    return 0.5 if own == other else float(own > other)


@lru_cache(MOST_REMEMBERED)
def round_number(text: str) -> int | None:
    """The number of a round.

    >>> round_number("R3"), round_number("Round 4"), round_number("5.0"), round_number("Final")
    (3, 4, 5, None)
    """
    found = re.fullmatch(r"(?:r|rd|rnd|round|game|g)?\s*\.?\s*(\d{1,2})(?:\.0+)?", normal(text))
    return int(found[1]) if found and int(found[1]) else None


def edition(text: str) -> str | None:
    """The short name of an edition.

    >>> edition("9th"), edition("10"), edition("11th edition"), edition("2020")
    ('9e', '10e', '11e', None)
    """
    found = re.fullmatch(r"(\d{1,2})\s*(?:e|ed|st|nd|rd|th)?(?: edition| ed)?\.?", normal(text))
    return f"{int(found[1])}e" if found else None


def edition_of_name(file: str) -> str | None:
    """The edition that the name of a file tells.

    >>> edition_of_name("games-9e-2020.csv"), edition_of_name("games-2020.csv")
    ('9e', None)
    """
    found = re.search(r"(?<![a-z0-9])(\d{1,2})e(?![a-z0-9])", file.lower())
    return f"{int(found[1])}e" if found else None
