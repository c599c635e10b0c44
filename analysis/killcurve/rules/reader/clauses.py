"""Clauses of a sentence: durations, occasions, conditions, dice, and what is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from killcurve.rules.reader.vocabulary import wordset
from killcurve.rules.reader.words import Word, Words


class Kind(Enum):
    """What a clause is."""

    DURATION = "until the end of the phase"
    TIME = "at the start of your Shooting phase"
    OCCASION = "each time a model makes an attack"
    CONDITION = "if that attack targets a unit within half range"
    RESULT = "on a 4+"
    MAIN = "add 1 to the Hit roll"


@dataclass(frozen=True, slots=True)
class Clause:
    """Words of one clause; ``alternative`` if ``or`` joins it to the one before."""

    kind: Kind
    words: Words
    alternative: bool = False

    @property
    def types(self) -> list[str]:
        """The kinds of its words."""
        return types(self.words)


_BREAKS = wordset("COMMA SEMICOLON COLON STOP")
_JOINERS = _BREAKS | wordset("AND BUT THEN ALSO IN_ADDITION OR")
_IMPERATIVES = wordset(
    "ADD ADDING SUBTRACT SUBTRACTING IMPROVE WORSEN CHANGE HALVE RE_ROLL IGNORE SELECT ROLLING DO "
    "REMOVE RETURN HEAL YOU NO SET OTHER_VERB INFLICT"
)
_VERBS = wordset(
    "HAVE SUFFER HEAL REGAIN RETURN BE CAN CANNOT MUST MAKE SCORE RE_ROLL DO IGNORE ACTIVATE "
    "INFLICT LOSE"
)
_PREFIX_VERBS = _VERBS | wordset(
    "TARGETS ALLOCATED DESTROYED SHOOT FIGHT CONTAIN LEADING SELECT MOVE FAILED CHARGED "
    "STATIONARY SELECTED OTHER_VERB SET"
)
_OPENERS = {
    **dict.fromkeys(("UNTIL",), Kind.DURATION),
    **dict.fromkeys(("IF", "UNLESS", "WHILE", "OTHERWISE"), Kind.CONDITION),
    **dict.fromkeys(("EACH_TIME", "WHEN"), Kind.OCCASION),
    **dict.fromkeys(("AFTER", "BEFORE", "ONCE", "AT", "IN", "DURING"), Kind.TIME),
}
_SUBORDINATE = wordset("IF UNLESS WHILE UNTIL EACH_TIME WHEN")
_RESULTS = wordset("NEED SPAN NUMBER CRITICAL_HIT CRITICAL_WOUND UNMODIFIED")
_ROLLS = wordset("ROLL RESULT DICE_AMOUNT SUCCESSFUL")
_PERIODS = wordset("PHASE TURN BATTLE ROUND")
_SUBJECTS = wordset("YOU IT UNIT MODEL BEARER WEAPON TEST ROLL ONE WORD KEYWORD THAT NOT")
_DOERS = wordset("YOU IT UNIT MODEL BEARER FROM_YOUR_ARMY CLOSE")
_NOUNS = wordset("UNIT MODEL KEYWORD WEAPON ATTACK OBJECTIVE WORD CLOSE TARGET")


def types(words: Sequence[Word]) -> list[str]:
    """The kinds of some words."""
    return [w.type for w in words]


def clauses(words: Words) -> list[Clause]:
    """The clauses of a sentence in order.

    >>> from killcurve.rules.reader.words import words
    >>> text = "Each time a model makes a melee attack, add 1 to the Hit roll and, if it charged, "
    >>> [c.kind.name for c in clauses(words(text + "add 1 to the Wound roll."))]
    ['OCCASION', 'MAIN', 'CONDITION', 'MAIN']
    """
    found = []
    i = 0
    alternative = False
    while i < len(words):
        if words[i].type in _JOINERS:
            alternative |= words[i].type == "OR"
            i += 1
            continue
        kind = _opener(words, i) or Kind.MAIN
        end = _end_of_main(words, i) if kind is Kind.MAIN else _end_of_prefix(words, i, kind)
        found.append(Clause(kind, words[i:end], alternative))
        alternative = False
        i = end
    return found


def _type(words: Words, i: int) -> str:
    return words[i].type if 0 <= i < len(words) else ""


def _opener(words: Words, i: int) -> Kind | None:
    """The kind of the clause that opens here, if a word says so."""
    type_, following = _type(words, i), _type(words, i + 1)
    if type_ == "ON":
        return Kind.RESULT if following in _RESULTS | _ROLLS else None
    if type_ == "FOR" and following == "EACH":
        return Kind.RESULT if _type(words, i + 2) in _RESULTS else Kind.TIME
    if type_ == "FROM":
        return Kind.TIME if "ROUND" in types(words[i + 1 : i + 5]) else None
    if type_ == "ONCE" and following and words[i + 1].text.lower() != "per":
        return Kind.CONDITION
    return _OPENERS.get(type_)


def _end_of_prefix(words: Words, start: int, kind: Kind) -> int:
    """Where an introductory clause ends: at a comma behind which another clause begins."""
    depth = 0
    for i in range(start + 1, len(words)):
        type_ = words[i].type
        depth += (type_ == "OPEN") - (type_ == "CLOSE")
        if depth > 0:
            continue
        if type_ in ("SEMICOLON", "COLON") or _begins_without_comma(words, start, i, kind):
            return i
        if type_ == "COMMA" and i - start == 3 and words[i - 1].type == "DO":
            return i  # "if it does,"
        if type_ == "COMMA" and _is_whole(words, start, i, kind):
            lists = _type(words, i + 1) in ("ABILITY", "SIGNED")
            if lists or _opens(words, i + 1):
                return i
    return len(words)


def _is_whole(words: Words, start: int, end: int, kind: Kind) -> bool:
    """Whether an introductory clause has what it needs, so that a comma may end it."""
    if kind in (Kind.DURATION, Kind.TIME, Kind.RESULT) or words[start].type == "OTHERWISE":
        return True
    said = words[start + 1 : end]
    if any(w.type in _PREFIX_VERBS for w in said):
        return True
    if len(said) == 1:
        return said[0].type == "WORD"
    return any(_is_unknown_verb(said, i) for i in range(len(said)))


def _is_unknown_verb(said: Words, i: int) -> bool:
    """Whether a word is a verb by its place: ``it disembarked``, ``this unit Advances``."""
    word, before = said[i], said[i - 1].type if i else ""
    if word.type == "WORD" and word.text.islower():
        return i == 0 or before in _SUBJECTS
    return word.type in ("WORD", "OTHER_ROLL") and before in _DOERS


def _begins_without_comma(words: Words, start: int, i: int, kind: Kind) -> bool:
    """Whether the main clause begins here although no comma was printed."""
    type_, before = words[i].type, words[i - 1].type
    if kind is Kind.CONDITION and before == "FAILED":
        return type_ in ("THAT", "YOUR", "ENEMY", "IT", "THIS", "BEARER")
    if i - start < 3:
        return False
    if kind is Kind.DURATION:
        return type_ in _SUBORDINATE or (
            before in _PERIODS
            and type_ in ("RANGED", "MELEE", "WEAPON", "MODEL", "EACH", "THAT", "YOUR")
        )
    return kind in (Kind.CONDITION, Kind.OCCASION) and _begins_main(words, start, i)


def _begins_main(words: Words, start: int, i: int) -> bool:
    """Whether ``that attack has …``, ``add …`` or ``you can …`` begins here."""
    type_, before = words[i].type, words[i - 1].type
    if types(words[i : i + 3]) == ["THAT", "ATTACK", "HAVE"]:
        return before not in _JOINERS
    if type_ in ("ADD", "SUBTRACT", "IMPROVE", "WORSEN", "ROLLING"):
        return before not in ("TO", "CAN", "AND", "OR", "YOU")
    may = type_ in ("YOU", "IT") and _type(words, i + 1) == "CAN" and before not in _JOINERS
    return may and any(w.type in _PREFIX_VERBS for w in words[start + 1 : i])


def _end_of_main(words: Words, start: int) -> int:
    depth = 0
    for i in range(start + 1, len(words)):
        depth += (words[i].type == "OPEN") - (words[i].type == "CLOSE")
        if depth <= 0 and _ends_main(words, start, i):
            return i
    return len(words)


def _ends_main(words: Words, start: int, i: int) -> bool:
    """Whether a main clause ends before this word."""
    type_ = words[i].type
    if type_ in ("BUT", "STOP", "THEN"):
        return _opens(words, i + 1)
    if type_ in ("COMMA", "AND"):
        has_verb = _has_verb(words, start, i)
        if _type(words, i + 1) == "UNTIL" or (type_ == "COMMA" and _opens_by_word(words, i + 1)):
            return True
        return has_verb and _opens(words, i + 1)
    if type_ == "OR":
        return _type(words, i + 1) == "YOU"
    if words[start].type == "ROLLING" and _opener(words, i) is Kind.RESULT:
        return True
    return type_ in ("SEMICOLON", "COLON") or (type_ == "EACH_TIME" and i - start > 3)


_COMPLETED_BY = {
    **dict.fromkeys(("ADD", "CHANGE"), wordset("TO INSTEAD")),
    "SUBTRACT": wordset("FROM INSTEAD"),
    **dict.fromkeys(("IMPROVE", "WORSEN"), wordset("BY TO")),
}
"""What an order needs so that another clause may follow."""


def _has_verb(words: Words, start: int, end: int) -> bool:
    """Whether a main clause has its verb already, so that another may begin."""
    held = set(types(words[start:end]))
    needed = _COMPLETED_BY.get(words[start].type)
    if needed is not None and not held & needed:
        return False
    return bool(held & _VERBS) or words[start].type in _IMPERATIVES


def _opens(words: Words, i: int) -> bool:
    """Whether a clause begins here: an opener, an order, or a subject with its verb."""
    return _opens_by_word(words, i) or _has_subject_and_verb(words, _past_joiners(words, i))


def _opens_by_word(words: Words, i: int) -> bool:
    """Whether an opener or an order stands here, or nothing more."""
    i = _past_joiners(words, i)
    if i >= len(words):
        return True
    return _opener(words, i) is not None or words[i].type in _IMPERATIVES


def _past_joiners(words: Words, i: int) -> int:
    while i < len(words) and words[i].type in _JOINERS:
        i += 1
    return i


def _has_subject_and_verb(words: Words, i: int) -> bool:
    """Whether a subject follows with a verb of its own, before the next break."""
    depth = 0
    for k in range(i, len(words)):
        type_ = words[k].type
        depth += (type_ == "OPEN") - (type_ == "CLOSE")
        if depth > 0:
            continue
        if type_ in _BREAKS or (type_ in _SUBORDINATE and k > i):
            return False
        if type_ in _VERBS and not _is_relative(words, k, i):
            return True
        if type_ == "TARGETS" and k > i and words[k - 1].type == "ATTACK":
            return True
    return False


def _is_relative(words: Words, k: int, i: int) -> bool:
    """Whether a verb belongs to ``that …`` behind a noun: ``a unit that has the keyword``."""
    return any(
        back > i and words[back].type == "THAT" and words[back - 1].type in _NOUNS
        for back in (k - 1, k - 2)
    )
