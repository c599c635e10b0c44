"""Inner nodes of descriptions, and how they are passed: conditions, steps, dice, selections."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from killcurve.rules.conditions import Clause
from killcurve.rules.described.conditions import said, told
from killcurve.rules.described.setting import Given, Told, Tree, Unread, quoted
from killcurve.rules.described.states import resource
from killcurve.rules.described.walking import Step, Walk
from killcurve.rules.described.words import keyword_clauses, plain


def _conditional(node: Tree, given: Given, walk: Walk) -> None:
    inner = node.get("effect") or {}
    try:
        passed = told(node.get("condition") or {}, given.setting)
    except Unread:
        if walk.bears_on_attacks(inner, given):
            raise
        return
    if given.unit == "enemy":
        passed = _of_enemy(passed)
    if given.is_outermost and given.setting.is_used_openly:
        passed = _without_use(passed)
    walk.into(inner, given.when(passed))
    if node.get("on_fail") and walk.bears_on_attacks(node["on_fail"], given):
        raise Unread("what happens otherwise")


def _without_use(passed: Told) -> Told:
    """Without what says who may be picked for a stratagem."""
    kept = tuple(c for c in passed.clauses if not _is_of_unit(c))
    return replace(passed, clauses=kept)


def _is_of_unit(clause: Clause) -> bool:
    if clause.kind == "keyword":
        return clause.whose == "unit"
    if clause.kind == "flag":
        return clause.words[0] == "engaged"
    return clause.words[0] in ("the unit is not engaged", "not: the unit is engaged")


def _of_enemy(passed: Told) -> Told:
    """Conditions on "the unit" where that is an enemy's."""
    clauses = []
    for clause in passed.clauses:
        text = said(clause)
        is_own = clause.kind == "keyword" and clause.whose == "unit"
        if is_own or (clause.kind == "words" and text.startswith("the unit ")):
            clauses.append(quoted(text.replace("the unit ", "the enemy unit ", 1)))
        else:
            clauses.append(clause)
    return replace(passed, clauses=tuple(clauses))


def _sequence(node: Tree, given: Given, walk: Walk) -> None:
    """Steps one after another; resources spent in one are a condition of those after it."""
    inside = given if len(node.get("steps") or ()) == 1 else given.inside()
    for step in _pooled(node.get("steps") or ()):
        if step.get("type") == "resource-spend":
            spent = step.get("modifier") or {}
            inside = inside.said(f"{resource(spent, spent.get('amount', 1))} spent")
        else:
            walk.into(step, inside)


def _pooled(steps: Iterable[Tree]) -> list[Tree]:
    """Equal dice of which each success is a mortal wound, taken together."""
    counted: list[tuple[Tree, int]] = []
    for step in steps:
        if counted and step == counted[-1][0]:
            counted[-1] = (step, counted[-1][1] + 1)
        else:
            counted.append((step, 1))
    out: list[Tree] = []
    for step, count in counted:
        inner = step.get("on_success") or {}
        wounds = (inner.get("modifier") or {}).get("count")
        is_die = step.get("type") == "dice-gated" and inner.get("type") == "mortal-wounds"
        if count > 1 and is_die and str(wounds) == "1" and step.get("dice") == "D6":
            pool = {"dice": f"{count}D6", "threshold": step.get("threshold")}
            out.append({**inner, "modifier": {**pool, "mortal_per_success": 1}})
        else:
            out += [step] * count
    return out


def _die(node: Tree, given: Given, walk: Walk) -> None:
    """An effect that hangs on a roll."""
    roll, otherwise = _rolls(node)
    for inner, needed in ((node.get("on_success"), roll), (node.get("on_fail"), otherwise)):
        if not inner:
            continue
        if given.roll:
            walk.into(inner, replace(given.said(_roll_said(given.roll)), roll=needed).inside())
        else:
            walk.into(inner, replace(given, roll=needed).inside())


def _roll_said(roll: str) -> str:
    return roll if " " in roll else f"D6 roll of {roll}"


def _rolls(node: Tree) -> tuple[str, str]:
    """The roll that is needed, and what it is otherwise."""
    threshold, dice = node.get("threshold"), str(node.get("dice") or "D6")
    comparison = node.get("comparison") or "gte"
    if threshold == "leadership":
        return "the Leadership test is passed", "the Leadership test is failed"
    if not isinstance(threshold, int):
        raise Unread("a roll of dice")
    over = f"1-{threshold - 1}" if threshold > 2 else "1"
    under = f"{threshold + 1}+"
    rolls = {
        "gte": (f"{threshold}+", over),
        "eq": (f"{threshold}", f"other than {threshold}"),
        "lte": (f"1-{threshold}" if threshold > 1 else "1", under),
    }
    if comparison not in rolls:
        raise Unread("a roll of dice")
    needed, otherwise = rolls[comparison]
    if dice == "D6":
        return needed, otherwise
    return f"{dice} roll of {needed}", f"{dice} roll of {otherwise}"


def _table(node: Tree, given: Given, walk: Walk) -> None:
    for outcome in node.get("outcomes") or ():
        results = outcome.get("results") or ()
        if not results or given.roll:
            raise Unread("a table of results")
        span = str(results[0]) if len(results) == 1 else f"{results[0]}-{results[-1]}"
        walk.into(outcome.get("effect") or {}, replace(given, roll=span).inside())


def _aura(node: Tree, given: Given, walk: Walk) -> None:
    change = node.get("modifier") or {}
    if "effect" not in change:
        return  # It makes another aura wider, and says nothing of attacks itself.
    inches = change.get("range")
    setting = replace(given.setting, inches=inches) if isinstance(inches, int) else given.setting
    within = replace(given, setting=setting)
    if node.get("target") == "enemy-within-aura":
        within = replace(within, unit="enemy")
        if isinstance(inches, int):
            within = within.when(Told((Clause("within", (str(inches),)),)))
    else:
        for key in ("recipient_filter", "eligible"):
            within = _filtered(within, change.get(key) or {})
    walk.into(change["effect"], within)


def _filtered(given: Given, keywords: Tree) -> Given:
    """Past the keywords that a unit needs, and those that it must not have."""
    for word in keywords.get("required_keywords") or ():
        given = given.when(Told(keyword_clauses(word, "unit", given.setting)))
    for word in keywords.get("excluded_keywords") or ():
        clauses = keyword_clauses(word, "unit", given.setting)
        if any(clause.kind != "keyword" for clause in clauses):
            raise Unread(f"units without {plain(word)}")
        given = given.when(Told(tuple(replace(clause, negated=True) for clause in clauses)))
    return given


def _selected(node: Tree, given: Given, walk: Walk) -> None:
    """Units that are selected, of one's own or the enemy's army."""
    selector = node.get("selector") or {}
    unit = "enemy" if selector.get("owner") == "enemy" else "own"
    walk.into(node.get("effect") or {}, given.on_selected(unit).inside())


def _each(node: Tree, given: Given, walk: Walk) -> None:
    """Every unit of a kind."""
    selector = node.get("selector") or {}
    if selector.get("owner") == "enemy":
        given = replace(given, unit="enemy")
        if selector.get("engagement_relation"):
            given = given.when(Told((Clause("flag", ("engaged",)),)))
        elif isinstance(selector.get("within_inches"), int):
            given = given.when(Told((Clause("within", (str(selector["within_inches"]),)),)))
    else:
        given = _filtered(given, {"required_keywords": selector.get("keywords") or ()})
    walk.into(node.get("effect") or {}, given.inside())


def _designated(node: Tree, given: Given, walk: Walk) -> None:
    """A unit that is marked, and what follows for it or for those that attack it."""
    applies, select = node.get("applies") or {}, node.get("select") or {}
    to = applies.get("to")
    if to in ("attackers-of-target", "bearer-attacks-target"):
        unit = "attackers"
        words = applies.get("attacker_keywords") or ()
        given = _filtered(given, {"required_keywords": words})
    elif to == "target":
        unit = "own" if select.get("scope") == "friendly-unit" else "enemy"
    else:
        raise Unread("a designation")
    walk.into(applies.get("effect") or {}, given.on_selected(unit).inside())


def _remembered(node: Tree, given: Given, walk: Walk) -> None:
    """A designation that is kept."""
    consumer = node.get("consumer") or {}
    if consumer.get("relation") == "attacks-selected-unit":
        walk.into(consumer.get("effect") or {}, given.on_selected("attackers").inside())
    elif consumer.get("relation") == "within-selected-marker":
        near = given.said("the unit is within range of the selected objective")
        walk.into(consumer.get("effect") or {}, near.inside())
    else:
        raise Unread("a designation")


def _leader(node: Tree, given: Given, walk: Walk) -> None:
    """What the model that leads the unit gets."""
    words = (node.get("leader_filter") or {}).get("keywords") or ("leader",)
    only = given.said(f"for the {' '.join(plain(w) for w in words)} that leads the unit")
    walk.into((node.get("grant") or {}).get("effect") or {}, only)


def _named(node: Tree, given: Given, walk: Walk) -> None:
    """A part with a name; one that may be used or not is asked for by it."""
    if node.get("optional") or node.get("trigger") or node.get("cost"):
        given = given.said(f"{node.get('name')} is used")
    walk.into(node.get("effect") or {}, given.inside())


def _risk(node: Tree, given: Given, walk: Walk) -> None:
    walk.into(node.get("reward") or {}, given.inside())
    walk.into((node.get("risk") or {}).get("on_fail") or {"type": "no-effect"}, given.inside())


STEPS: dict[str, Step] = {
    "aura": _aura,
    "conditional": _conditional,
    "designate-target": _designated,
    "dice-gated": _die,
    "dice-table": _table,
    "for-each-unit": _each,
    "leader-model-ability-grant": _leader,
    "named-effect": _named,
    "persistent-designation": _remembered,
    "risk-reward": _risk,
    "rules-bundle": _sequence,
    "select-units": _selected,
    "sequence": _sequence,
}
"""The inner nodes, each with how it is passed."""
