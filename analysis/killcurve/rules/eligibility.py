"""Who may use a rule: the keywords that the ``TARGET`` of a stratagem asks of its unit.

``One NECRONS INFANTRY or MOUNTED unit from your army (excluding TITANIC units)`` is read into
alternatives, each of them keywords joined by " + ": one of them is enough. ``not titanic`` is a
keyword that the unit may not have.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import product

from killcurve.rules.spelling import normal

TOGETHER = " + "
NOT = "not "

_DETERMINER = r"^(?:up to \w+|any number of|one|two|that|the|your|each|all)\s+"
_ANYBODY = re.compile(rf"{_DETERMINER}(?:units?|models?)\b", re.IGNORECASE)
_WHO = re.compile(
    rf"{_DETERMINER}(?P<who>[^(.]+?)(?:\s+(?:units?|models?|warlord)\b|[.]$)", re.IGNORECASE
)
_BEARER = re.compile(
    r"^(?P<who>[^(.]+?)\s+(?:models?|units?)(?:\s+\(excluding [^)]+\))?\s+only\b", re.IGNORECASE
)
_WITHOUT = re.compile(r"\(excluding (?P<who>[^)]+)\)", re.IGNORECASE)
_NO_KEYWORD = re.compile(
    r"\b(?:friendly|unengaged|engaged|other|or more|eligible|destroyed|of your|from your army|"
    r"selected|attached|enemy|models?|units?|battle-shocked|that are|any)\b",
    re.IGNORECASE,
)
_ALTERNATIVE = re.compile(r",\s*(?:and/or|and|or)?\s*|\s+(?:and/or|or|and)\s+", re.IGNORECASE)


def may_use(used_by: Iterable[str], keywords: Collection[str]) -> bool:
    """Whether a unit with these keywords (in normal form) has one of the alternatives.

    >>> may_use(["infantry + psyker", "monster"], {"infantry", "psyker"})
    True
    >>> may_use(["necrons + not titanic"], {"necrons", "titanic"})
    False
    """
    alternatives = [word.split(TOGETHER) for word in used_by]
    return not alternatives or any(
        all(_holds(word, keywords) for word in words) for words in alternatives
    )


def _holds(word: str, keywords: Collection[str]) -> bool:
    if word.startswith(NOT):
        return word.removeprefix(NOT) not in keywords
    return word in keywords


def eligible(target: str, known: Collection[str]) -> tuple[str, ...]:
    """The alternatives that a ``TARGET`` names, with the keywords that are ``known``.

    Known keywords are in normal form. A text that names none gives no alternative: anybody.

    >>> known = {"necrons", "infantry", "mounted", "titanic", "destroyer cult"}
    >>> eligible("One NECRONS INFANTRY or MOUNTED unit from your army.", known)
    ('infantry + necrons', 'mounted')
    >>> eligible("That INFANTRY/MOUNTED DESTROYER CULT unit (excluding TITANIC units).", known)
    ('destroyer cult + infantry + not titanic', 'destroyer cult + mounted + not titanic')
    >>> eligible("One unit from your army (excluding TITANIC units) that INFANTRY can see.", known)
    ('not titanic',)
    """
    target = re.sub(r"\s+", " ", target).strip()
    found = None if _ANYBODY.match(target) else _WHO.match(target)
    return _written(target, found, known)


def bearer(text: str, known: Collection[str]) -> tuple[str, ...]:
    """The alternatives of who may have an enhancement: ``CAPTAIN model only.``

    >>> bearer("CAPTAIN or PSYKER model only. Add 1 to its wound rolls.", {"captain", "psyker"})
    ('captain', 'psyker')
    """
    text = re.sub(r"\s+", " ", text).strip()
    found = _BEARER.match(text)
    return _written(found[0], found, known) if found else ()


def _written(text: str, found: re.Match[str] | None, known: Collection[str]) -> tuple[str, ...]:
    """The alternatives of what was found, each without what the text excludes."""
    asked = _alternatives(found["who"], known) if found else []
    excluded = sorted(
        {
            f"{NOT}{word}"
            for part in _WITHOUT.finditer(text)
            for words in _alternatives(part["who"], known)
            if len(words) == 1
            for word in words
        }
    )
    if excluded and not asked:
        asked = [()]
    made = (TOGETHER.join([*sorted(words), *excluded]) for words in asked)
    return tuple(dict.fromkeys(made))


def _alternatives(words: str, known: Collection[str]) -> list[tuple[str, ...]]:
    """The keywords of each alternative; ``A/B C`` is A with C, or B with C."""
    out: list[tuple[str, ...]] = []
    for part in _ALTERNATIVE.split(words):
        groups = _groups(normal(_NO_KEYWORD.sub(" ", part)), known)
        if groups:
            out += [tuple(sorted(set(choice))) for choice in product(*groups)]
    return out


def _groups(words: str, known: Collection[str]) -> list[list[str]]:
    """Known keywords in a row of words, the longest first; those with a slash are one group."""
    tokens = re.sub(r"\s*/\s*", " / ", words).split()
    groups: list[list[str]] = []
    joined = False
    i = 0
    while i < len(tokens):
        if tokens[i] == "/":
            joined = bool(groups)
            i += 1
            continue
        length, keyword = _longest(tokens[i:], known)
        if keyword is None:
            joined = False
        elif joined:
            groups[-1].append(keyword)
            joined = False
        else:
            groups.append([keyword])
        i += length
    return groups


def _longest(tokens: list[str], known: Collection[str]) -> tuple[int, str | None]:
    """The longest known keyword that the words begin with; a plural counts as the keyword."""
    most = tokens.index("/") if "/" in tokens else len(tokens)
    for length in range(most, 0, -1):
        words = " ".join(tokens[:length])
        for word in (words, words.removesuffix("s"), f"{words}s"):
            if word in known:
                return length, word
    return 1, None
