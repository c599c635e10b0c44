"""Conditions of structured ability descriptions as clauses of the effect language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from killcurve.rules.conditions import STRONGER, Clause
from killcurve.rules.spelling import normal

Tree = Mapping[str, Any]


def clauses(condition: Tree) -> tuple[Clause, ...]:
    """The clauses of a condition; those that say when a rule is used are left out.

    What is not in the vocabulary becomes quoted words, for a person to tick.

    >>> tree = {"type": "target-has-keyword", "parameters": {"keyword": "FLY"}}
    >>> [str(c) for c in clauses({"operator": "not", "operands": [tree]})]
    ['target is not fly']
    """
    kind = condition.get("type")
    operands = condition.get("operands") or ()
    if condition.get("operator") == "and":
        return tuple(clause for operand in operands for clause in clauses(operand))
    if condition.get("operator") == "or":
        return _either([clauses(operand) for operand in operands])
    if condition.get("operator") == "not":
        return tuple(_negated(clause) for operand in operands for clause in clauses(operand))
    parameters = condition.get("parameters") or {}
    if kind in ALWAYS_KNOWN:
        return ()
    if kind in CONDITIONS:
        return (CONDITIONS[kind](parameters),)
    words = [str(kind or "a condition").replace("-", " ")]
    words += [
        str(value).replace("-", " ")
        for value in parameters.values()
        if isinstance(value, str | int)
    ]
    return (Clause("words", (" ".join(words).lower(),)),)


def _either(options: list[tuple[Clause, ...]]) -> tuple[Clause, ...]:
    single = [option[0] for option in options if len(option) == 1]
    if any(not option for option in options):
        return ()
    same = {(c.kind, c.whose, c.negated) for c in single}
    if len(single) == len(options) and len(same) == 1 and single[0].kind == "keyword":
        return (replace(single[0], words=tuple(w for c in single for w in c.words)),)
    text = " or ".join(" and ".join(str(c).strip('"') for c in option) for option in options)
    return (Clause("words", (text.replace('"', ""),)),)


def _negated(clause: Clause) -> Clause:
    if clause.kind in ("keyword", "within"):
        return replace(clause, negated=not clause.negated)
    text = str(clause).strip('"')
    return Clause("words", (f"not {text}",))


ALWAYS_KNOWN = frozenset(
    {"phase-is", "timing-is", "player-turn-is", "was-hit-by-attack", "has-fought-this-phase"}
)
"""Conditions on when a rule is used; the rule's own phases and turn say that."""


def _keyword(whose: str) -> Callable[[Tree], Clause]:
    def clause(parameters: Tree) -> Clause:
        word = normal(str(parameters.get("keyword", "")))
        if not word or word in NO_KEYWORDS:
            return Clause("words", (f"{whose} is {word}",))
        return Clause("keyword", (word,), whose=whose)

    return clause


NO_KEYWORDS = frozenset({"battle-shocked", "hidden", "unravelling", "tethered", "marked"})
"""States that descriptions write as if they were keywords."""


def _flag(name: str) -> Callable[[Tree], Clause]:
    return lambda _: Clause("flag", (name,))


def _compared(parameters: Tree) -> Clause:
    wanted = {"attacker_stat": "S", "comparison": "greater-than", "target_stat": "T"}
    if all(parameters.get(key) == value for key, value in wanted.items()):
        return Clause("stronger", (STRONGER,))
    return Clause("words", (" ".join(str(v) for v in parameters.values()),))


CONDITIONS: dict[str, Callable[[Tree], Clause]] = {
    "target-has-keyword": _keyword("target"),
    "unit-has-keyword": _keyword("unit"),
    "attack-stat-compare": _compared,
    "charged-this-turn": _flag("charged"),
    "remained-stationary": _flag("stationary"),
    "is-attached": _flag("leading"),
    "unit-below-half-strength": _flag("unit_below_half"),
    "unit-below-starting-strength": _flag("unit_below_starting"),
}
