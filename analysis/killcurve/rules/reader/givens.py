"""Conditions as phrases of the effect language; what has no word there is quoted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from killcurve.rules.reader.clauses import types
from killcurve.rules.reader.grammar import things, things_first
from killcurve.rules.reader.quoting import keyword_clause, quoted, unit_clause
from killcurve.rules.reader.sides import ENEMY, OWN, side_of
from killcurve.rules.reader.things import Subject, Thing
from killcurve.rules.reader.vocabulary import wordset
from killcurve.rules.reader.words import Words, phrase

SELECTED = '"target is the selected unit"'
"""The condition that an attack targets the unit which a rule told to select."""


_ON_OBJECTIVE = {
    "target": "target_on_objective",
    "unit": "attacker_on_objective",
    "attacker": "attacker_on_objective",
}


def _flagged(whose: str, thing: Thing) -> list[str] | None:
    """The phrase of a thing that holds for ``target``, ``unit`` or ``attacker``."""
    if thing.kind == "keywords":
        if whose == "unit" and not thing.negated:
            return unit_clause(thing.words)
        return [keyword_clause(whose, thing.words, negated=thing.negated)]
    if thing.kind == "within":
        return [f"{'not ' if thing.negated else ''}within {thing.words[0]}"]
    flags = {
        "flag": thing.words[0] if thing.words else None,
        "below_half": f"{whose}_below_half" if whose != "attacker" else None,
        "below_starting": f"{whose}_below_starting" if whose != "attacker" else None,
        "on_objective": _ON_OBJECTIVE[whose],
    }
    flag = None if thing.negated else flags.get(thing.kind)
    return None if flag is None else [flag]


def of_target(words: Words, sentence: str, *, is_stratagem: bool) -> list[str]:
    """The conditions in a noun phrase for the unit that is attacked.

    >>> from killcurve.rules.reader.words import words
    >>> text = "a MONSTER or VEHICLE unit within 12\\""
    >>> of_target(words(text), text, is_stratagem=False)
    ['target is monster or vehicle', 'within 12']
    """
    found, used = things_first(words)
    rest = words[used:]
    if rest and rest[0].type not in _CUTS:
        return [quoted("target is " + phrase(words, sentence))]
    clauses: list[str] = []
    for thing in found:
        if thing.kind == "selected":
            if not is_stratagem and not rest:
                clauses.append(SELECTED)
            continue
        made = _flagged("target", thing)
        if made is None:
            return [quoted("target is " + phrase(words, sentence))]
        clauses += made
    if rest:
        clauses.append(quoted("target is one " + phrase(rest, sentence)))
    return clauses


_CUTS = frozenset({"THAT", "WITH", "WITHIN", "WHILE", "IN", "VISIBLE", "CONTAIN"})
"""Words that may begin what a noun phrase says beyond what is understood."""


@dataclass(frozen=True, slots=True)
class Speaking:
    """Of whom a clause speaks.

    ``attacked``: the side that has the rule is the one attacked; ``referent`` is the side of
    ``that unit``.
    """

    attacked: bool = False
    referent: str | None = None


def of_clause(words: Words, sentence: str, speaking: Speaking) -> list[str]:
    """The conditions that a clause states, without its ``if`` or ``while``.

    >>> from killcurve.rules.reader.words import words
    >>> text = "your unit is Below Half-strength and that attack targets a unit within half range"
    >>> of_clause(words(text), text, Speaking())
    ['unit_below_half', 'half_range']
    """
    words = tuple(w for w in words if w.type not in ("ALSO", "STOP"))
    made = _one_clause(words, speaking)
    if made is not None:
        return made
    for i in range(1, len(words) - 1):
        if not _joins(words, i):
            continue
        first = _one_clause(words[:i], speaking)
        rest = of_clause(words[i + 1 :], sentence, speaking)
        if first is not None or not rest[0].startswith('"'):
            return [*(first or [quoted(phrase(words[:i], sentence))]), *rest]
    return [quoted(phrase(words, sentence))]


def _joins(words: Words, i: int) -> bool:
    """Whether ``and`` joins two clauses here; ``and/or`` leaves open which holds."""
    joins = words[i].type == "AND" and words[i].text.lower() == "and"
    return joins and words[i + 1].type in _SUBJECTS


_SUBJECTS = wordset("THIS YOUR THAT IT ITS BEARER STRENGTH KEYWORD IF")


def _one_clause(words: Words, speaking: Speaking) -> list[str] | None:
    """The conditions of a clause that is understood as a whole."""
    if words and words[0].type == "IF":
        words = words[1:]
    if _compares_strength(words):
        return ["strength > toughness"]
    found = things("condition", words)
    if not found or not isinstance(found[0], Subject):
        return None
    said = [thing for thing in found[1:] if isinstance(thing, Thing)]
    whose = _whose(found[0].words, said, speaking)
    clauses: list[str] = []
    for thing in said:
        if thing.kind == "targets":
            continue
        made = _flagged(whose, thing) if whose else None
        if made is None:
            return None
        clauses += made
    return clauses


def _whose(subject: Words, said: Sequence[Thing], speaking: Speaking) -> str | None:
    """Whether a clause speaks of the ``target``, the ``unit`` that has the rule, or neither."""
    kinds = types(subject)
    if "ATTACKING" in kinds:
        return "attacker"
    if "TARGET" in kinds or any(thing.kind == "targets" for thing in said):
        return "unit" if speaking.attacked else "target"
    if "ATTACK" in kinds:
        return None if speaking.attacked else "target"
    side = side_of(subject, speaking.referent)
    if side == ENEMY:
        return "attacker" if speaking.attacked else "target"
    leads = any(thing.words == ("leading",) for thing in said)
    unnamed = speaking.referent is None and "KEYWORD" not in kinds
    return "unit" if side == OWN or (side is None and (unnamed or leads)) else None


def _compares_strength(words: Words) -> bool:
    """``the Strength of that attack is greater than the Toughness of this unit``."""
    kinds = types(words)
    if not {"STRENGTH", "MORE_THAN", "TOUGHNESS"} <= set(kinds) or "OR" in kinds:
        return False
    return kinds.index("STRENGTH") < kinds.index("MORE_THAN") < kinds.index("TOUGHNESS") and (
        "AND" not in kinds
    )


def unless(words: Words, sentence: str, speaking: Speaking) -> list[str]:
    """The conditions that a clause behind ``unless`` states: the contrary of its own.

    >>> from killcurve.rules.reader.words import words
    >>> text = "the attacking model is within 12\\""
    >>> unless(words(text), text, Speaking(attacked=True))
    ['not within 12']
    """
    made = of_clause(words, sentence, speaking)
    contrary = _contrary(made[0]) if len(made) == 1 else None
    return [contrary or quoted("unless " + phrase(words, sentence))]


def _contrary(condition: str) -> str | None:
    for start in ("", "target is ", "unit is ", "attacker is "):
        rest = condition.removeprefix(start)
        known = rest.startswith(("within ", "not within ")) if not start else rest != condition
        if known:
            is_not = rest.startswith("not ")
            return start + (rest.removeprefix("not ") if is_not else "not " + rest)
    return None
