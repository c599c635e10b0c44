"""What follows the head of a clause: whose weapons, against whom, while what."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from killcurve.rules.reader import givens, quoting
from killcurve.rules.reader.arms import Arms, arms
from killcurve.rules.reader.clauses import types
from killcurve.rules.reader.sides import side_of
from killcurve.rules.reader.vocabulary import wordset
from killcurve.rules.reader.words import Word, Words, number, phrase


@dataclass(slots=True)
class Tail:
    """What the words behind a head add to it.

    ``arms``, ``side`` and ``whose`` are of the weapons or units it is about; ``scaled`` if it is
    counted ``for each`` of something; ``most`` is a maximum; ``instead`` if it replaces another.
    ``aside`` are words in brackets that say more, ``left`` those that were not understood.
    """

    conditions: list[str] = field(default_factory=list)
    arms: Arms = field(default_factory=Arms)
    side: str | None = None
    whose: Words = ()
    scaled: bool = False
    most: str | None = None
    instead: bool = False
    aside: Words = ()
    left: Words = ()


@dataclass(frozen=True, slots=True)
class Around:
    """What is known of the sentence: its text, and whom its words may go back to."""

    sentence: str
    attacked: bool = False
    is_stratagem: bool = False
    referent: str | None = None
    it: str | None = None


_SKIPPED = wordset("INSTEAD AS_WELL ALSO THEN STOP CLOSE COMMA IN_ADDITION AND BUT EACH")
_TO_WHOM = wordset("THAT THIS YOUR BEARER EACH IT ONE KEYWORD")
_ENDS = wordset("IF WHILE UNLESS UNTIL INSTEAD AS_WELL SEMICOLON")
_WHOSE_ENDS = _ENDS | wordset("OPEN AGAINST WHEN COLON")
_WHOSE = wordset("OF EQUIPPED_BY FOR IN ON")
_SMALL = frozenset({"play", "again", "result"})


def tail(words: Words, around: Around) -> Tail:
    """Read the words behind a head.

    >>> from killcurve.rules.reader.words import words
    >>> text = "of melee weapons equipped by models in your unit if it made a charge move"
    >>> found = tail(words(text), Around(text))
    >>> found.arms.scope, found.side, found.conditions
    ('melee', 'own', ['charged'])
    """
    kinds = types(words)
    compares = ("INSTEAD", "OF") in pairwise(kinds)  # "on a 5+, instead of only a 6"
    found = Tail(instead=bool({"INSTEAD", "AS_WELL"} & set(kinds)) and not compares)
    i = 0
    while i < len(words):
        i = _step(found, words, i, around)
    return found


def _step(found: Tail, words: Words, i: int, around: Around) -> int:
    """Read on from word ``i``; the word to go on from."""
    type_ = words[i].type
    following = words[i + 1].type if i + 1 < len(words) else ""
    replaces = type_ == "INSTEAD" and following == "OF"
    if type_ in _SKIPPED and not replaces:
        return i + 1
    if type_ == "AGAINST" or (following == "TARGETS" and type_ in ("WHILE", "WHEN", "THAT")):
        return _against(found, words, i + (1 if type_ == "AGAINST" else 2), around)
    if replaces or type_ in ("IF", "WHILE", "UNLESS", "WHEN", "UNTIL", "WORD"):
        return _given_that(found, words, i, around)
    if type_ == "FOR" and following == "EACH":
        found.scaled = True
        return len(words)
    if type_ == "OPEN":
        end = _until(words, i + 1, wordset("CLOSE"))
        _bracket(found, words[i + 1 : end], around.sentence)
        return end
    return _noun(found, words, i, around)


def _given_that(found: Tail, words: Words, i: int, around: Around) -> int:
    """Read when or how long something holds."""
    type_ = words[i].type
    following = words[i + 1].type if i + 1 < len(words) else ""
    if (type_ == "WHEN" and following == "WORD") or words[i].text == "irrespective":
        return len(words)  # "when resolving those attacks"
    if type_ == "WORD":
        return _noun(found, words, i, around)
    if type_ in ("UNTIL", "INSTEAD"):
        return _until(words, i + 1, wordset("IF UNLESS SEMICOLON"))
    end = _until(words, i + 1, wordset("UNTIL SEMICOLON"))
    found.conditions += _condition(words[i:end], around)
    return end


def _noun(found: Tail, words: Words, i: int, around: Around) -> int:
    """Read whose something is, or to whom it is done."""
    type_ = words[i].type
    following = words[i + 1].type if i + 1 < len(words) else ""
    if type_ in _WHOSE:
        end = _until(words, i + 1, _WHOSE_ENDS)
        _owner(found, words[i if type_ == "EQUIPPED_BY" else i + 1 : end], around.sentence)
        return end
    if type_ == "TO" and following in _TO_WHOM:
        return _until(words, i + 1, _WHOSE_ENDS)
    if type_ in ("WITHIN", "THAT"):
        end = _until(words, i + 1, _ENDS)
        found.conditions.append(quoting.quoted(phrase(words[i:end], around.sentence)))
        return end
    found.left = (*found.left, words[i])
    return i + 1


def _until(words: Words, start: int, ends: frozenset[str]) -> int:
    for i in range(start, len(words)):
        following = words[i + 1].type if i + 1 < len(words) else ""
        if words[i].type in ends or (words[i].type, following) in _STOPS:
            return i
    return len(words)


_STOPS = frozenset({("FOR", "EACH"), ("THAT", "TARGETS")})


def _against(found: Tail, words: Words, start: int, around: Around) -> int:
    end = _until(words, start, _ENDS)
    whom = words[start:end]
    if whom and types(whom[:2]) != ["THAT", "ATTACK"]:
        found.conditions += givens.of_target(
            whom, around.sentence, is_stratagem=around.is_stratagem
        )
    return end


def _owner(found: Tail, whose: Words, sentence: str) -> None:
    if any(w.type in ("NEED", "SPAN", "ROLL", "MORTAL") for w in whose):
        found.left = (*found.left, *whose)
    if not found.whose:
        found.whose = whose
        found.arms = arms(whose, sentence)
        found.side = side_of(whose)


def _condition(words: Words, around: Around) -> list[str]:
    said = words[1:]
    if not said:
        return []
    read = givens.unless if words[0].type == "UNLESS" else givens.of_clause
    back = around.it if said[0].type == "IT" and around.it else around.referent
    return read(said, around.sentence, givens.Speaking(around.attacked, back))


def _bracket(found: Tail, words: Words, sentence: str) -> None:
    """``(to a maximum of 6 mortal wounds)``, ``(excluding …)``, or another sentence."""
    texts = [w.text.lower() for w in words]
    if "maximum" in texts:
        behind = words[texts.index("maximum") :]
        amounts = [w for w in behind if w.type in ("NUMBER", "NUMBER_WORD", "DICE_AMOUNT")]
        found.most = number(amounts[0].text) if amounts else found.most
    elif types(words[:1]) == ["EXCLUDING"]:
        found.conditions.append(quoting.quoted("not " + phrase(words[1:], sentence)))
    else:
        found.aside = (*found.aside, *words)


def is_small(words: tuple[Word, ...]) -> bool:
    """Whether what is left of a clause says nothing of weight."""
    return all(w.type in _SKIPPED or w.text.lower() in _SMALL for w in words)
