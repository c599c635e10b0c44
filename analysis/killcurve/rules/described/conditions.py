"""Conditions of descriptions: joined, negated, and told as clauses, attacks and phases."""

from __future__ import annotations

from dataclasses import replace

from killcurve.rules.conditions import Clause
from killcurve.rules.described.setting import PHASE_OF, Setting, Told, Tree, Unread, quoted
from killcurve.rules.described.states import IN_A_SETTING, STATES
from killcurve.rules.described.words import spelled_out

_OTHER = {"melee": "ranged", "ranged": "melee"}


def told(condition: Tree, setting: Setting) -> Told:
    """What a condition says.

    What is not in the vocabulary becomes quoted words, for a person to tick; what says when a
    rule is used is only remembered as such.

    Raises:
        Unread: if it has no certain meaning.

    >>> tree = {"type": "target-has-keyword", "parameters": {"keyword": "FLY"}}
    >>> [str(c) for c in told({"operator": "not", "operands": [tree]}, Setting()).clauses]
    ['target is not fly']
    """
    operator = condition.get("operator")
    operands = [told(operand, setting) for operand in condition.get("operands") or ()]
    if operator == "and":
        return sum(operands, Told())
    if operator == "or":
        return _either(operands)
    if operator == "not":
        return sum((_negated(operand) for operand in operands), Told())
    kind, parameters = str(condition.get("type") or ""), condition.get("parameters") or {}
    if kind == "region-membership":
        parameters = {**condition, **parameters}
    if not kind:
        raise Unread("an empty condition")
    if kind in IN_A_SETTING:
        found = IN_A_SETTING[kind](parameters, setting)
    elif kind in STATES:
        found = STATES[kind](parameters)
    else:
        found = Told((quoted(spelled_out(kind, parameters)),))
    return _negated(found) if condition.get("negated") else found


def _either(options: list[Told]) -> Told:
    """Alternatives: of keywords one clause, of phases all of them, of others quoted words."""
    phases = frozenset[str]()
    if all(option.phases for option in options):
        phases = frozenset().union(*(option.phases for option in options))
    at_times = any(option.is_timed for option in options)
    scopes = {option.scope for option in options}
    common = Told(phases=phases, is_timed=at_times)
    if any(not option.clauses and not option.scope for option in options):
        return common
    if all(not option.clauses for option in options):
        return replace(common, scope=scopes.pop() if len(scopes) == 1 else None)
    single = [option.clauses[0] for option in options if len(option.clauses) == 1]
    same = {(c.kind, c.whose) for c in single}
    if (
        len(single) == len(options)
        and scopes == {None}
        and len(same) == 1
        and all(c.kind == "keyword" and not c.negated for c in single)
    ):
        words = tuple(dict.fromkeys(w for c in single for w in c.words))
        return replace(common, clauses=(replace(single[0], words=words),))
    text = " or ".join(" and ".join(_words(option)) for option in options)
    return replace(common, clauses=(quoted(text),))


def _words(option: Told) -> list[str]:
    attack = [f"the attack is {option.scope}"] if option.scope else []
    return [*attack, *(said(clause) for clause in option.clauses)]


def _negated(option: Told) -> Told:
    if option.phases:
        raise Unread("a condition that it is another phase")
    if option.scope and option.clauses:
        return Told((quoted(f"not {' and '.join(_words(option))}"),))
    if option.scope in PHASE_OF:
        return Told(scope=_OTHER[option.scope])
    if option.scope:
        return Told((quoted(f"the attack is not {option.scope}"),))
    if len(option.clauses) == 1 and option.clauses[0].kind in ("keyword", "within"):
        clause = option.clauses[0]
        return Told((replace(clause, negated=not clause.negated),), is_timed=option.is_timed)
    if not option.clauses:
        return Told(is_timed=option.is_timed)
    return Told((quoted(_denied(" and ".join(_words(option)))),), is_timed=option.is_timed)


def _denied(text: str) -> str:
    """The contrary of what is said.

    >>> _denied("the unit is hidden"), _denied("within 6 of a friend"), _denied("a or b")
    ('the unit is not hidden', 'not within 6 of a friend', 'not: a or b')
    """
    if " or " in text or " and " in text:
        return f"not: {text}"
    if " is " in text:
        return text.replace(" is ", " is not ", 1)
    return f"not {text}" if text.startswith("within ") else f"not: {text}"


_FLAGS_SAID = {
    "half_range": "the target is within half range",
    "charged": "the unit charged this turn",
    "stationary": "the unit remained stationary",
    "leading": "a leader leads the unit",
    "target_below_half": "the target is below half-strength",
    "target_below_starting": "the target is below its starting strength",
    "target_on_objective": "the target is within range of an objective",
    "attacker_on_objective": "the unit is within range of an objective",
    "closest_target": "the target is the closest eligible one",
    "engaged": "the unit is engaged",
    "unit_below_half": "the unit is below half-strength",
    "unit_below_starting": "the unit is below its starting strength",
}


def said(clause: Clause) -> str:
    """A clause as part of a sentence.

    >>> said(Clause("keyword", ("fly", "beast"), whose="target"))
    'the target is fly or beast'
    """
    if clause.kind == "words":
        return clause.words[0]
    if clause.kind == "flag":
        return _FLAGS_SAID.get(clause.words[0], clause.words[0].replace("_", " "))
    return f"the {clause}" if clause.kind == "keyword" else str(clause)
