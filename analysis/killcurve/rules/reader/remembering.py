"""What clauses leave behind for those after them to go back to: that unit, it, that roll."""

from __future__ import annotations

import re

from killcurve.rules.reader import quoting
from killcurve.rules.reader.clauses import Clause, Kind, types
from killcurve.rules.reader.heads import Named
from killcurve.rules.reader.sides import ENEMY, OWN, side_of
from killcurve.rules.reader.talk import Talk
from killcurve.rules.reader.vocabulary import wordset
from killcurve.rules.reader.words import Words, phrase, words

_INTRODUCE = frozenset({"IF", "UNLESS", "WHILE", "EACH_TIME", "WHEN"})
_ROLLS = (("HIT", "hit"), ("WOUND", "wound"), ("DAMAGE", "damage roll"), ("SAVE", "save"))
_PRICES = wordset("spend discard invoke push remove choose")
_PHASES = ("shooting", "fight", "command", "movement", "charge")
_CAN = re.compile(r"^(?:it|you|(?:this|that|the) \w+) can ", re.I)
_SET_BACK = re.compile(
    r"\bback up on the battlefield\b|\b(?:destroyed|this|that) model on the battlefield\b"
)


def note_target(talk: Talk, text: str) -> None:
    """The target of a stratagem: its keywords name one's own unit."""
    for word in words(text):
        if word.type == "KEYWORD":
            talk.named[_name(word.text)] = OWN


def note_clause(talk: Talk, clause: Clause) -> None:
    """Whom and which rolls a clause spoke of."""
    if clause.kind is not Kind.MAIN:
        _note_rolls(talk, clause)
        _note_phases(talk, clause)
    _note_sides(talk, clause.words)
    _note_names(talk, clause.words)


def note_main(talk: Talk, given: Words, sentence: str) -> None:
    """States and offers that a main clause made, and models that it brought back."""
    _note_state(talk, given)
    _note_mark(talk, given, sentence)
    low = phrase(given, sentence).lower()
    if low.startswith("set ") and _SET_BACK.search(low):
        talk.leave(given, sentence)
    if any(w.text.lower() in _PRICES for w in given):
        talk.offer = quoting.quoted(_CAN.sub("", phrase(given, sentence)))


def _name(text: str) -> str:
    return text.removesuffix("'s").lower()


def _note_rolls(talk: Talk, clause: Clause) -> None:
    """``after making a Hit roll``: what ``that roll`` goes back to."""
    kinds = clause.types
    names = [
        Named(what)
        for i, kind in enumerate(kinds)
        for name, what in _ROLLS
        if kind == name and (kind == "SAVE" or kinds[i + 1 : i + 2] == ["ROLL"])
    ]
    if "NUMBER_OF_ATTACKS" in kinds:
        names.append(Named("attacks roll"))
    if names:
        talk.rolls = talk.rolls_now = tuple(dict.fromkeys(names))


def _note_phases(talk: Talk, clause: Clause) -> None:
    if clause.kind is Kind.TIME:
        low = " ".join(w.text.lower() for w in clause.words)
        talk.phases |= {phase for phase in _PHASES if f"{phase} phase" in low}
    elif clause.kind is Kind.OCCASION and talk.on is not None:
        low = " ".join(w.text.lower() for w in clause.words)
        talk.phases |= talk.on.phases | {p for p in _PHASES if f"{p} phase" in low}


def _note_sides(talk: Talk, given: Words) -> None:
    """Whose unit ``that unit`` and ``it`` are from here on."""
    kinds = set(types(given))
    start = 1 if given[0].type in _INTRODUCE else 0
    talk.it = side_of(given[start : start + 4]) or talk.it
    if not kinds & {"UNIT", "MODEL", "KEYWORD", "WORD"}:
        return
    if given[0].type == "FOR":
        talk.that = ENEMY if "ENEMY" in types(given[:5]) else OWN
    elif "ENEMY" in kinds or ("OPPONENT" in kinds and "army" in {w.text.lower() for w in given}):
        talk.that = ENEMY
    elif kinds & {"FRIENDLY", "LEADING", "FROM_YOUR_ARMY"}:
        talk.that = OWN


def _note_names(talk: Talk, given: Words) -> None:
    """``one PSYKER from your army``: whose unit a keyword names from here on."""
    for i, word in enumerate(given):
        if word.type != "KEYWORD" and not (word.type == "WORD" and word.text[0].isupper()):
            continue
        before = types(given[max(0, i - 4) : i])
        if "ENEMY" in before:
            talk.named[_name(word.text)] = ENEMY
        elif {"FRIENDLY", "YOUR", "THIS"} & set(before) or (
            "FROM_YOUR_ARMY" in types(given[i : i + 5])
        ):
            talk.named[_name(word.text)] = OWN


def named_side(talk: Talk, given: Words) -> str | None:
    """The side of the keywords among some words, as far as they were named before."""
    known = [
        talk.named[_name(w.text)]
        for w in given
        if w.type == "KEYWORD" and _name(w.text) in talk.named
    ]
    return known[0] if known else None


def _note_state(talk: Talk, given: Words) -> None:
    """``that enemy unit is suppressed``: the word stands for an enemy from here on."""
    kinds = types(given)
    if "BE" in kinds and "UNIT" in kinds[: kinds.index("BE")]:
        side = side_of(given, talk.that)
        states = [w.text.lower() for w in given[kinds.index("BE") + 1 :] if w.type == "WORD"]
        if side is not None:
            talk.states |= dict.fromkeys(states, side)
        if talk.result is not None:
            talk.shown |= dict.fromkeys(states, talk.result)


def _note_mark(talk: Talk, given: Words, sentence: str) -> None:
    """``that enemy unit is Afflicted``: another rule tells what that does."""
    kinds = types(given)
    if "BE" not in kinds or "UNIT" not in kinds[: kinds.index("BE")]:
        return
    at = kinds.index("BE")
    behind = [w for w in given[at + 1 : at + 3] if w.type != "ALSO"][:1]
    if not behind or behind[0].type != "WORD" or not behind[0].text[0].isupper():
        return
    state = behind[0].text.lower()
    if not state.startswith("battle") and side_of(given[:at], talk.that) == ENEMY:
        talk.marked.append((state, phrase(given, sentence)))
