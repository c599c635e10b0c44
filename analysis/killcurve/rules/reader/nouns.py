"""What noun phrases hold: keywords, names, relative clauses."""

from __future__ import annotations

from collections.abc import Sequence

from killcurve.rules.reader.quoting import quoted, without_army
from killcurve.rules.reader.vocabulary import singular
from killcurve.rules.reader.words import Word, phrase


def relative(words: Sequence[Word], sentence: str) -> list[str]:
    """What a clause behind a noun limits: ``a model that disembarked this turn``."""
    for i in range(1, len(words) - 1):
        if words[i].type == "THAT" and words[i - 1].type in ("MODEL", "UNIT", "FROM_YOUR_ARMY"):
            return [quoted(phrase(words[i - 1 :], sentence))]
    return []


def keywords_in(words: Sequence[Word]) -> tuple[list[str], list[str]]:
    """The keywords of a noun phrase, and those it excludes.

    >>> from killcurve.rules.reader.words import words
    >>> keywords_in(words("INFANTRY or MOUNTED models (excluding MEGANOBZ) in this unit"))
    (['infantry', 'mounted'], ['meganobz'])
    """
    has: list[str] = []
    excluded: list[str] = []
    inside = False
    run: list[str] = []
    for word in (*words, None):
        if word is not None and word.type == "KEYWORD":
            run.append(word.text.removesuffix("'s"))
            continue
        if run:
            (excluded if inside else has).append(" ".join(singular(t) for t in run))
            run = []
        if word is not None:
            inside = (inside or word.type == "EXCLUDING") and word.type != "CLOSE"
    return has, excluded


def titles_in(words: Sequence[Word]) -> list[str]:
    """Names with capitals that stand before ``model`` or ``unit`` and may be no keywords.

    >>> from killcurve.rules.reader.words import words
    >>> titles_in(words("a model in your army's Favoured Champions unit"))
    ['Favoured Champions']
    """
    found: list[str] = []
    run: list[Word] = []
    for i, word in enumerate((*words, None)):
        if word is not None and _is_title(words, i, run):
            run.append(word)
            continue
        is_noun = word is not None and (
            word.type in ("MODEL", "UNIT")
            or (word.type in ("OR", "COMMA", "AND") and _is_title(words, i + 1, run))
        )
        titled = any(w.type == "WORD" for w in run)
        name = " ".join(w.text for w in run)
        if titled and is_noun and without_army(name.lower()):
            found.append(name)
        run = []
    return found


def _is_title(words: Sequence[Word], i: int, run: Sequence[Word]) -> bool:
    if i >= len(words):
        return False
    word = words[i]
    if word.type == "KEYWORD":
        return True
    if word.type == "WORD":
        following = words[i + 1] if i + 1 < len(words) else None
        in_name = bool(run) or (following is not None and following.type in ("WORD", "KEYWORD"))
        return word.text[0].isupper() and (word.start > 0 or in_name)
    return (
        word.type == "OF" and bool(run) and i + 1 < len(words) and (words[i + 1].text[0].isupper())
    )
