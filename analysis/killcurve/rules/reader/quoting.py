"""Phrases of conditions: quoted words, and keywords without the names of armies."""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST = 110
"""A quoted condition is cut at a word's end before so many characters."""

ARMIES = tuple(
    sorted(
        (
            "adepta sororitas", "adeptus astartes", "adeptus custodes", "adeptus mechanicus",
            "aeldari", "agents of the imperium", "anathema psykana", "astra militarum",
            "black templars", "blood angels", "chaos knights", "dark angels", "death guard",
            "deathwatch", "drukhari", "emperor's children", "genestealer cults", "grey knights",
            "heretic astartes", "imperial knights", "leagues of votann", "legiones daemonica",
            "necrons", "orks", "space wolves", "t'au empire", "thousand sons", "tyranids",
            "world eaters",
        ),
        key=len,
        reverse=True,
    )
)  # fmt: skip
"""Keywords of whole armies: every unit that may use a rule of theirs has them."""

_UNSAFE = re.compile(r"\b(?:and|or|if|for)\b|[^\w' -]")


def quoted(text: str) -> str:
    """Words of a rule as a quoted condition.

    >>> quoted('the bearer is within 6" of a “Token”,')
    '"the bearer is within 6 inches of a Token"'
    """
    plain = re.sub(r"\([^()]*\)?", " ", re.sub(r'(\d)\s?"', r"\1 inches", text))
    plain = re.sub(r"\s+", " ", re.sub(r'["“”|()]', "", plain)).strip(" ,;:.")
    if len(plain) > LONGEST:
        plain = plain[:LONGEST].rsplit(" ", 1)[0].strip(" ,;:.()")
    return f'"{plain}"' if plain else '"as the rule says"'


def keyword_clause(whose: str, names: Sequence[str], *, negated: bool) -> str:
    """``target is not monster or vehicle``; quoted where a keyword would confuse the language."""
    is_not = "is not" if negated else "is"
    if any(_UNSAFE.search(name) for name in names):
        return quoted(f"{whose} {is_not} {' or '.join(names)}")
    return f"{whose} {is_not} {' or '.join(names)}"


def without_army(name: str) -> str:
    """A keyword without the name of the army before it; empty if that is all.

    >>> without_army("adeptus custodes character"), without_army("necrons")
    ('character', '')
    """
    for army in ARMIES:
        if name == army or name.startswith(army + " "):
            return name[len(army) :].strip()
        if name.endswith(" " + army):
            return name[: -len(army)].strip()
    return name


def unit_clause(names: Sequence[str], *, negated: bool = False) -> list[str]:
    """The condition that the unit which has a rule has one of the keywords, armies aside."""
    short = [without_army(name) for name in names]
    if not short or not all(short):
        return []
    return [keyword_clause("unit", list(dict.fromkeys(short)), negated=negated)]
