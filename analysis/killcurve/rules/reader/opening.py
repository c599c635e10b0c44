"""Introductory clauses: conditions, occasions, results of dice, what is counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from killcurve.rules.reader import givens, quoting
from killcurve.rules.reader.arms import goes_back
from killcurve.rules.reader.clauses import Clause, Kind, types
from killcurve.rules.reader.dice import result_of
from killcurve.rules.reader.occasions import occasion
from killcurve.rules.reader.sides import ENEMY, OWN, side_of
from killcurve.rules.reader.talk import Opened, Talk
from killcurve.rules.reader.words import Words, phrase


def open_clause(talk: Talk, clause: Clause, sentence: str) -> None:
    """Keep what an introductory clause says for the clauses behind it."""
    given = clause.words
    texts = [w.text.lower() for w in given[1:]]
    if texts[:2] == ["doing", "so"] or (texts[:1] == ["resolving"] and len(texts) <= 3):
        return
    if {"DETERMINE", "MODEL", "TARGET"} <= set(clause.types):  # it sizes a pool of attacks
        talk.leave(given, sentence)
    if clause.kind is Kind.OCCASION:
        talk.once = bool({"BEARER", "THIS"} & set(types(given[1:4])))
        on = occasion(given[1:], sentence, is_stratagem=talk.is_stratagem)
        if on.scope is None and goes_back(given):
            on = replace(on, scope=talk.arms.scope, ranged=talk.arms.ranged)
        critical = next((w.type for w in given if w.type in _CRITICAL), None)
        talk.push(Opened(Kind.OCCASION, on.conditions, on, critical=critical))
        talk.occasion = on
        talk.subject = ()
    elif clause.kind is Kind.CONDITION:
        talk.push(_condition(talk, given, sentence))
    elif clause.kind is Kind.RESULT:
        talk.push(_result(given))
    elif given[0].type == "FOR":
        talk.push(_counting(given, sentence))
    elif given[0].type in ("DURING", "FROM") and "ROUND" in types(given):
        talk.push(Opened(Kind.TIME, (quoting.quoted(phrase(given, sentence)),)))
    elif given[0].type == "IN" and "TURN" in types(given[:3]) and "THAT" in types(given[1:5]):
        said = given[types(given).index("THAT") + 1 :]
        conditions = givens.of_clause(said, sentence, givens.Speaking(talk.is_attacked, talk.that))
        talk.push(Opened(Kind.TIME, tuple(conditions)))


def _condition(talk: Talk, given: Words, sentence: str) -> Opened:
    opener, said = given[0], given[1:]
    kinds = types(said)
    texts = [w.text.lower() for w in said]
    critical = next((k for k in kinds if k in _CRITICAL), None)
    if critical is not None or ("UNMODIFIED" in kinds and "ROLL" in kinds):
        return Opened(Kind.CONDITION, critical=critical or "ROLL")
    for text in texts:
        talk.that = talk.states.get(text, talk.that)
    if opener.type == "OTHERWISE" or not said:
        return Opened(Kind.CONDITION, ('"otherwise"',))
    if _goes_back(texts):
        return Opened(Kind.CONDITION, (talk.offer,) if talk.offer else ())
    if _is_matter_of_course(kinds, texts) or (talk.told.option is not None and _is_active(texts)):
        return Opened(Kind.CONDITION)
    if opener.type == "WHILE" and _is_aura(kinds):
        return _aura(talk, said)
    read = givens.unless if opener.type == "UNLESS" else givens.of_clause
    conditions = read(said, sentence, givens.Speaking(talk.is_attacked, talk.that))
    if talk.is_stratagem:
        conditions = [c for c in conditions if c != givens.SELECTED]
    return Opened(Kind.CONDITION, tuple(conditions))


_CRITICAL = ("CRITICAL_HIT", "CRITICAL_WOUND")


def _goes_back(texts: Sequence[str]) -> bool:
    """``if you do``, ``if it does``."""
    return len(texts) <= 3 and texts[-1] in ("do", "does", "did")


def _is_matter_of_course(kinds: Sequence[str], texts: Sequence[str]) -> bool:
    """``while the bearer is leading a unit``: it says that the rule is used as it is meant."""
    if texts[-1] == "so" or list(texts) == ["used"] or texts[0] in _DOING:
        return True
    if "LEADING" in kinds and kinds[0] in ("THIS", "BEARER") and len(kinds) <= 5:
        return True
    return "army faction" in " ".join(texts)


_DOING = frozenset({"resolving", "making", "firing"})


def _is_active(texts: Sequence[str]) -> bool:
    """``this Tactic is active``: said of an option, it says that it was chosen."""
    return texts[0] == "this" and texts[-1] == "active"


def _is_aura(kinds: Sequence[str]) -> bool:
    """``a friendly unit is within 6\" of this model``."""
    if "WITHIN" not in kinds:
        return False
    at = list(kinds).index("WITHIN")
    return (
        kinds[0] in ("FRIENDLY", "ENEMY", "ONE", "EACH", "ANY")
        and "INCHES" in kinds[at : at + 2]
        and ("AND" not in kinds[at:] or list(kinds[at + 2 : at + 5]) == ["OF", "AND", "VISIBLE"])
    )


def _aura(talk: Talk, said: Words) -> Opened:
    """While a unit is near: a friendly one may be chosen so; an enemy must be that near."""
    if side_of(said) != ENEMY:
        talk.that = OWN
        return Opened(Kind.CONDITION)
    talk.that = ENEMY
    inches = next(w.text.rstrip('" ') for w in said if w.type == "INCHES")
    return Opened(Kind.CONDITION, (f"within {inches}",))


def _result(given: Words) -> Opened:
    critical = next((w.type for w in given if w.type in _CRITICAL), None)
    if critical is not None:
        return Opened(Kind.RESULT, critical=critical)
    shown = result_of(given)
    if shown is None:
        return Opened(Kind.RESULT, critical="ROLL")
    return Opened(Kind.RESULT, result=shown)


def _counting(given: Words, sentence: str) -> Opened:
    """``for each enemy unit within 6"``: what is done for each of them."""
    counted = next((w.type for w in given if w.type in ("UNIT", "MODEL", "ATTACK")), "OTHER")
    if counted == "ATTACK":
        return Opened(Kind.TIME, (quoting.quoted(phrase(given[1:], sentence)),), counted="attack")
    return Opened(Kind.TIME, counted=counted.lower())
