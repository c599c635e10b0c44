"""Who has a rule, or attacks: keywords and relative clauses of a noun phrase as conditions."""

from __future__ import annotations

from collections.abc import Sequence

from killcurve.rules.reader import givens, nouns, quoting
from killcurve.rules.reader.arms import without_excluded
from killcurve.rules.reader.clauses import types
from killcurve.rules.reader.sides import ENEMY
from killcurve.rules.reader.words import Word

_DETERMINERS = frozenset({"YOUR", "THAT", "THIS", "BEARER"})


def of_user(words: Sequence[Word], side: str | None) -> list[str]:
    """``unit is …`` for the keywords in a noun phrase, where it is one's own.

    ``your INFANTRY unit`` says nothing new: who may be chosen is no condition of an effect.

    >>> from killcurve.rules.reader.words import words
    >>> of_user(words("a BEAST SNAGGA model from your army"), "own")
    ['unit is beast snagga']
    >>> of_user(words("a model in your INFANTRY unit"), "own")
    []
    """
    if side == ENEMY:
        return []
    kinds = types(words)
    titles = nouns.titles_in(without_excluded(words))
    if titles:
        return [quoting.quoted("unit is " + " or ".join(titles))]
    end = kinds.index("THAT", 1) if "THAT" in kinds[1:] else len(kinds)
    if set(kinds[:end]) & _DETERMINERS and not _stands_inside(kinds):
        return []
    has, excluded = nouns.keywords_in(words[:end])
    found = quoting.unit_clause(has)
    return [*found, *quoting.unit_clause(excluded, negated=True)] if excluded else found


def _stands_inside(kinds: Sequence[str]) -> bool:
    """Whether the determiner stands behind ``in``: ``INFANTRY models in this unit``."""
    return "IN" in kinds and "KEYWORD" in kinds[: list(kinds).index("IN")]


def of_attacker(words: Sequence[Word]) -> list[str]:
    """``attacker is …`` for the keywords of those who attack."""
    has, excluded = nouns.keywords_in(words)
    found = [quoting.keyword_clause("attacker", has, negated=False)] if has else []
    if excluded:
        found.append(quoting.keyword_clause("attacker", excluded, negated=True))
    return found


def of_attacked(words: Sequence[Word], sentence: str) -> list[str]:
    """Conditions in a noun phrase for one's own unit that is attacked.

    ``your unit with a Strength greater than its Toughness`` speaks of the attack.
    """
    kinds = types(words)
    found = [*of_user(words, None), *nouns.relative(words, sentence)]
    if "STRENGTH" in kinds:
        said = tuple(words[kinds.index("STRENGTH") :])
        found += givens.of_clause(said, sentence, givens.Speaking(attacked=True))
    return found
