"""A rule heard sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from killcurve.rules.reader import quoting
from killcurve.rules.reader.acting import act
from killcurve.rules.reader.bearing import ACT_VERBS, words_bear
from killcurve.rules.reader.choosing import join_alternatives, list_abilities
from killcurve.rules.reader.clauses import Clause, Kind, clauses
from killcurve.rules.reader.opening import open_clause
from killcurve.rules.reader.remembering import note_clause
from killcurve.rules.reader.script import Sentence, is_choice, lists_abilities
from killcurve.rules.reader.talk import Opened, Talk
from killcurve.rules.reader.vocabulary import wordset
from killcurve.rules.reader.words import phrase, words

_FOLLOWING = re.compile(r"\b(modifiers to)(?: any of)? the following: (.+)", re.I)
_GOES_ON = wordset(
    "CAN HAVE SIGNED ABILITY FEEL_NO_PAIN NEED INVULNERABLE SKILL HIT WOUND AP STRENGTH ATTACK "
    "DAMAGE STEALTH"
)


def hear(talk: Talk, told: Sentence) -> None:
    """Read one sentence."""
    talk.begin(told)
    before = len(talk.found)
    either = told.text.startswith(("Or: ", "OR: "))
    text = _FOLLOWING.sub(_as_one, told.text[4:] if either else told.text)
    parts = clauses(words(text))
    if told.inherits and talk.intro:
        text, parts = _with_intro(talk, text, parts)
    if lists_abilities(told.text) and (told.option is not None or text == told.text):
        list_abilities(talk, told.text, talk.intro)
        return
    if told.name and told.option is None:
        talk.opened.append(Opened(Kind.TIME, (quoting.quoted(told.name.lower()),)))
    chooses = told.option is None and is_choice(text)
    talk.choices += chooses
    for part in parts:
        _hear_clause(talk, part, text)
    if chooses:
        talk.offered = [o for o in talk.opened if o.kind is Kind.CONDITION and o.conditions]
    if either:
        join_alternatives(talk, before)
    if parts and parts[-1].kind is not Kind.MAIN:
        _look_for_hidden(talk, parts, text)
    if told.text.endswith(":"):
        talk.intro = re.sub(r" the following$", "", text.rstrip(": "))
        talk.intro_opened = [o for o in talk.opened if o.kind is not Kind.RESULT]


def _as_one(found: re.Match[str]) -> str:
    """A list behind a colon as one clause."""
    return f"{found[1]} {found[2].replace(';', ' and')}"


def _with_intro(talk: Talk, text: str, parts: list[Clause]) -> tuple[str, list[Clause]]:
    """An item of a list with the sentence that introduces the list.

    ``Can re-roll hit rolls of 1.`` has it in front; ``If you spend 1 token, [LANCE].`` before
    the main clause.
    """
    if _goes_on(text, talk.intro):
        whole = f"{talk.intro} {text}"
        talk.opened = []
    elif (
        len(parts) > 1
        and parts[-1].kind is Kind.MAIN
        and all(part.kind is not Kind.MAIN for part in parts[:-1])
        and _goes_on(phrase(parts[-1].words, text), talk.intro)
    ):
        at = parts[-1].words[0].start
        whole = f"{text[:at]}{talk.intro} {text[at:]}"
    else:
        return text, parts
    return whole, clauses(words(whole))


def _goes_on(text: str, intro: str) -> bool:
    """Whether an item of a list goes on with the sentence that introduces the list."""
    given = words(text)
    if not given:
        return False
    if given[0].type == "THAT":
        return len(given) > 1 and given[1].type == "TARGETS"
    if given[0].type in ("ATTACK", "DAMAGE", "STRENGTH"):
        return len(given) < 4
    leads_to_verb = intro.endswith(" can") and given[0].type in ("RE_ROLL", "IGNORE")
    return leads_to_verb or given[0].type in _GOES_ON


def _hear_clause(talk: Talk, clause: Clause, sentence: str) -> None:
    if clause.kind is Kind.MAIN:
        before = len(talk.found)
        act(talk, clause.words, sentence)
        if clause.alternative:
            join_alternatives(talk, before)
    else:
        open_clause(talk, clause, sentence)
    note_clause(talk, clause)
    while talk.asides:
        opened = list(talk.opened)
        for part in clauses(talk.asides.pop()):
            _hear_clause(talk, part, sentence)
        talk.opened = opened


def _look_for_hidden(talk: Talk, parts: Sequence[Clause], sentence: str) -> None:
    """An introduction that never came to its main clause may hide one, behind a comma or not."""
    last = parts[-1].words
    comma = next((i for i, w in enumerate(last) if w.type == "COMMA"), None)
    only_introduces = all(part.kind is not Kind.MAIN for part in parts)
    if comma is not None:
        rest = last[comma + 1 :]
    elif only_introduces and not sentence.endswith(":"):
        rest = last
    else:
        return
    if words_bear(rest) and any(w.type in ACT_VERBS for w in rest):
        talk.leave(rest, sentence)
