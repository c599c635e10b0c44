"""Conditions on where units are: distances, objectives, engagement."""

from __future__ import annotations

from collections.abc import Callable

from killcurve.rules.conditions import Clause
from killcurve.rules.described.setting import Told, Tree, Unread, quoted
from killcurve.rules.described.words import plain

OWN_OBJECTIVE = Clause("flag", ("unit_on_objective",))
"""The unit with the rule is within range of an objective; its effect tells which side it is."""


def _within(inches: object) -> Clause:
    return Clause("within", (str(inches),))


def _inches(parameters: Tree) -> object:
    for key in ("range", "range_inches", "within_inches"):
        if parameters.get(key) is not None:
            return parameters[key]
    return None


def _enemy_near(parameters: Tree) -> Told:
    """How near an enemy unit is; for attacks that is the target."""
    if parameters.get("target_qualifier") == "closest-eligible-enemy-unit":
        return Told((Clause("flag", ("closest_target",)),))
    if parameters.get("range_multiplier") == 0.5:
        return Told((Clause("flag", ("half_range",)),))
    inches = _inches(parameters)
    if inches == "engagement":
        return Told((Clause("flag", ("engaged",)),))
    if not isinstance(inches, int):
        raise Unread("a condition on the distance to an enemy unit")
    return Told((_within(inches),))


def _unit_near(parameters: Tree) -> Told:
    whom, inches = str(parameters.get("target_type") or ""), _inches(parameters)
    if whom == "closest-eligible":
        near = (_within(inches),) if isinstance(inches, int) else ()
        return Told((Clause("flag", ("closest_target",)), *near))
    if whom in ("enemy", "visible-enemy", "current-ranged-attack-target"):
        if not isinstance(inches, int):
            raise Unread("a condition on the distance to an enemy unit")
        return Told((_within(inches),))
    name = _near_whom(parameters, whom)
    if not name:
        raise Unread("a condition on the distance to a unit")
    near_by = f"within {inches} of" if inches is not None else "near"
    without = parameters.get("exclude_keyword")
    excluding = f" (not {plain(without)})" if without else ""
    return Told((quoted(f"{near_by} {name}{excluding}"),))


def _near_whom(parameters: Tree, whom: str) -> str:
    keywords = [parameters.get("keyword"), *(parameters.get("keywords") or ())]
    named = " ".join(plain(k) for k in keywords if k)
    if named:
        return f"a friendly {named} unit"
    other = str(parameters.get("of") or whom)
    if other == "friendly":
        return "a friendly unit"
    return plain(other) if other else ""


def _objective(parameters: Tree) -> Told:
    subject = str(parameters.get("subject") or "")
    if parameters.get("controlled") or parameters.get("controlled_by"):
        return Told((quoted("within range of an objective that its army controls"),))
    if parameters.get("objective") or parameters.get("target_type"):
        return Told((quoted("within range of the objective that the rule names"),))
    if subject in ("target", "defender"):
        return Told((Clause("flag", ("target_on_objective",)),))
    if subject == "attacker":
        return Told((Clause("flag", ("attacker_on_objective",)),))
    if subject in ("unit", "self"):
        return Told((OWN_OBJECTIVE,))
    return Told((quoted("within range of an objective (the unit or its target)"),))


_ENGAGED = frozenset({"", "engaged", "within-engagement-range", "in-engagement-range"})
_UNENGAGED = frozenset(
    {"unengaged", "not-in-engagement-range", "not-within-enemy-engagement-range"}
)


def _engagement(parameters: Tree) -> Told:
    state = str(parameters.get("state") or "")
    if parameters.get("only_with_keyword"):
        return Told((quoted(f"engaged only with a {plain(parameters['only_with_keyword'])}"),))
    if state in _ENGAGED:
        return Told((Clause("flag", ("engaged",)),))
    if state in _UNENGAGED:
        return Told((quoted("the unit is not engaged"),))
    if state == "on-battlefield":
        return Told()
    return Told((quoted(f"the unit is {plain(state)}"),))


STATES: dict[str, Callable[[Tree], Told]] = {
    "opponent-unit-within-range": _enemy_near,
    "unit-within-range-of": _unit_near,
    "within-range-of-objective": _objective,
    "engagement-state": _engagement,
}
"""The conditions of this kind, each with its reader."""
