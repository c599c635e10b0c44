"""Sentences as words: each word has a kind, the terminals of the grammars."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from killcurve.rules.reader.vocabulary import (
    ARTICLES,
    GENERIC_KEYWORDS,
    LETTERS,
    NUMBERS,
    PHRASES,
    SHORT,
    singular,
    wordset,
)


class Word(NamedTuple):
    """A word or a fixed phrase of a sentence.

    ``type`` is its kind, ``text`` what was written; ``start`` and ``end`` are where.
    """

    type: str
    text: str
    start: int
    end: int


Words = tuple[Word, ...]

_PATTERN = re.compile(
    r"""
      (?P<ABILITY>\[[^\[\]]{1,60}\])
    | (?P<DICE_AMOUNT>\d*[dD][36](?:\ ?\+\ ?\d+)?"?(?![\w]))
    | (?P<SIGNED>[+-](?:\d+|[dD][36])"?(?![\w]))
    | (?P<INCHES>\d+\ ?")
    | (?P<SPAN>\d\ ?-\ ?\d(?![\w"]))
    | (?P<NEED>\d\+)
    | (?P<COST>\d+(?:CP|YP|PP|AP)\b)
    | (?P<NUMBER>\d+)
    | (?P<AND>\band/or\b)
    | (?P<WORD>[^\W\d_](?:[\w'-]*\w)?'?)
    | (?P<PUNCTUATION>[,;:.()/•|])
    """,
    re.VERBOSE,
)

_PUNCTUATION = {
    ",": "COMMA", ";": "SEMICOLON", ":": "COLON", ".": "STOP", "(": "OPEN", ")": "CLOSE",
    "/": "OR", "•": "COMMA", "|": "COMMA",
}  # fmt: skip


_VALUES = frozenset({"NUMBER", "NEED", "DICE_AMOUNT", "INCHES", "SIGNED"})
_KEEP_CASE = frozenset({"AND", "OR", "ANY", "NOT", "IF", "AP"})


@lru_cache(maxsize=1024)  # rules say the same sentences, and each is looked at more than once
def words(sentence: str) -> Words:
    """The words of a sentence.

    >>> [(w.type, w.text) for w in words("Add 1 to the Hit roll.")]
    [('ADD', 'Add'), ('NUMBER', '1'), ('TO', 'to'), ('HIT', 'Hit'), ('ROLL', 'roll'), ('STOP', '.')]
    """
    pieces = [(m.lastgroup or "", m[0], m.start(), m.end()) for m in _PATTERN.finditer(sentence)]
    found: list[Word] = []
    i = 0
    while i < len(pieces):
        group, text, start, end = pieces[i]
        if group == "WORD":
            used, kind = _kind(pieces, i, found)
            if kind:
                end = pieces[i + used - 1][3]
                found.append(Word(kind, sentence[start:end], start, end))
            i += used
            continue
        kind = _PUNCTUATION[text] if group == "PUNCTUATION" else group
        if kind == "COLON" and found and found[-1].type in ("HAVE", "CAN", "TO"):
            i += 1
            continue
        if found and found[-1].type == "OF" and kind in _VALUES:
            found[-1] = found[-1]._replace(type="OF_VALUE")
        found.append(Word(kind, text, start, end))
        i += 1
    return tuple(found)


Piece = tuple[str, str, int, int]


def _kind(pieces: Sequence[Piece], i: int, before: Sequence[Word]) -> tuple[int, str]:
    """How many pieces make one word, and its kind; an article has none."""
    text = pieces[i][1]
    if text in SHORT and _is_characteristic(text, before, pieces, i):
        return 1, SHORT[text]
    if _is_keyword(text):
        return 1, "KEYWORD"
    if text in ("attack's", "attacks'"):
        return 1, "OWN_ATTACK"
    low = _plain(text)
    if low == "target" and _is_verb(pieces, i, before):
        return 1, "TARGETS"
    found = _phrase_at(pieces, i) or (1, "" if low in ARTICLES else "WORD")
    return (1, "WORD") if found[1] in _SMALL and _is_in_name(pieces, i) else found


_SMALL = wordset("BATTLE ROUND TURN VISIBLE LOST FULL CONTROL OTHER SET REMOVE WEAPON OTHER_VERB")
"""Kinds of words that are printed with a capital only in a name."""


def _is_in_name(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a word and its neighbour have capitals, within a sentence."""
    beside = [pieces[k][1] for k in (i - 1, i + 1) if 0 < k < len(pieces)]
    return i > 0 and pieces[i][1][0].isupper() and any(t[:1].isupper() for t in beside)


def _phrase_at(pieces: Sequence[Piece], i: int) -> tuple[int, str] | None:
    """The longest fixed phrase that begins here."""
    for parts, kind in PHRASES.get(_plain(pieces[i][1]), ()):
        n = len(parts)
        if n == 1:
            return 1, _refined(kind, pieces, i)
        if i + n <= len(pieces) and all(
            pieces[i + k][0] == "WORD" and _plain(pieces[i + k][1]) == parts[k] for k in range(1, n)
        ):
            return n, kind
    return None


def _is_verb(pieces: Sequence[Piece], i: int, before: Sequence[Word]) -> bool:
    """Whether ``target`` is something attacks do."""
    following = pieces[i + 1][1].lower() if i + 1 < len(pieces) else ""
    if following in ("of", "for", "is", "has", "was", ",", ".", "unit", "does"):
        return False
    last = before[-1].type if before else ""
    return last in ("ATTACK", "WEAPON", "UNIT", "MODEL", "THAT", "YOU", "CAN", "ABILITY", "CLOSE")


@lru_cache(maxsize=8192)  # a few thousand words make up all rules
def _is_keyword(text: str) -> bool:
    """Whether a word is printed in capitals, as keywords are."""
    base = text.removesuffix("'s")
    if base[:1].isupper() and singular(base) in GENERIC_KEYWORDS:
        return True
    if len(base) > 5 and base[:1].isupper() and not base.isupper():
        return sum(c.isupper() for c in base) > 0.6 * len(base)  # a slip: "AbERRANTS"
    return len(base) > 1 and base.isupper() and base not in _KEEP_CASE


def _refined(kind: str, pieces: Sequence[Piece], i: int) -> str:
    """``roll one D6`` is something one does, ``a Hit roll`` a thing."""
    if kind == "ROLL" and i + 1 < len(pieces):
        after = pieces[i + 1]
        if after[0] in ("DICE_AMOUNT", "NUMBER") or after[1].lower() in (*NUMBERS, "a", "an"):
            return "ROLLING"
    return kind


def _is_characteristic(text: str, before: Sequence[Word], pieces: Sequence[Piece], i: int) -> bool:
    """Whether a short form stands for a characteristic: ``+1 S and AP``, ``a S greater than``."""
    if text not in LETTERS:
        return True
    following = pieces[i + 1][1].lower() if i + 1 < len(pieces) else ""
    if following.startswith("characteristic") or (text == "S" and following in _COMPARED):
        return True
    if not before:
        return False
    if text == "T" and before[-1].text.endswith(("'s", "'")):
        return True
    signed = any(w.type == "SIGNED" for w in before[-7:])
    return before[-1].type in ("SIGNED", "DICE_AMOUNT") or (
        signed and before[-1].type in ("AND", "COMMA")
    )


_COMPARED = frozenset({"greater", "lower", "higher", "less", "equal"})


@lru_cache(maxsize=8192)
def _plain(text: str) -> str:
    """In small letters, without an ending that says whose."""
    low = text.lower()
    if low.endswith("'s"):
        return low[:-2]
    return low.rstrip("'")


def number(text: str) -> str:
    """``two`` as ``2``; other amounts in the spelling of the effect language.

    >>> number("two"), number("d3 + 1"), number('6"')
    ('2', 'D3+1', '6')
    """
    plain = text.replace('"', "").replace(" ", "").strip()
    return str(NUMBERS.get(plain.lower(), plain.upper()))


def phrase(given: Iterable[Word], sentence: str) -> str:
    """What stood in the sentence from the first to the last of some words."""
    listed = list(given)
    return sentence[listed[0].start : listed[-1].end] if listed else ""
