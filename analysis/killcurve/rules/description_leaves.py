"""Leaves of structured ability descriptions as effects of the effect language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from killcurve.rules.conditions import STRONGER, Clause
from killcurve.rules.effects import Effect
from killcurve.rules.spelling import normal

Tree = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One effect and the side that has it."""

    effect: Effect
    side: str


class Unread(ValueError):
    """A leaf that is not understood."""


def _scope(modifier: Tree) -> str | None:
    for key in ("weapon_name", "weapon"):
        if modifier.get(key):
            return f'"{modifier[key]}"'
    if modifier.get("weapon_keyword"):
        return normal(str(modifier["weapon_keyword"]))
    kind = modifier.get("attack_type") or modifier.get("weapon_type")
    return str(kind) if kind in ("ranged", "melee") else None


def _made(tree: Tree, phrase: str, side: str) -> Leaf:
    modifier = tree.get("modifier") or {}
    effect = Effect.parse(phrase)
    clauses: tuple[Clause, ...] = ()
    if modifier.get("vs_keywords"):
        words = tuple(normal(str(k)) for k in modifier["vs_keywords"])
        clauses += (Clause("keyword", words, whose="target"),)
    stated = modifier.get("applies_when") or modifier.get("condition")
    if stated == "attacker-strength-greater-than-target-toughness":
        clauses += (Clause("stronger", (STRONGER,)),)
    elif stated == "target-within-half-range":
        clauses += (Clause("flag", ("half_range",)),)
    elif stated:
        clauses += (Clause("words", (str(stated).replace("-", " "),)),)
    if modifier.get("requires"):
        clauses += (Clause("words", (str(modifier["requires"]).replace("-", " "),)),)
    scope = _scope(modifier)
    if side == "defender" and scope in ("ranged", "melee"):
        scope = scope if effect.what not in ("invulnerable", "feel no pain") else None
    return Leaf(replace(effect, scope=scope, condition=clauses), side)


def _is_incoming(tree: Tree) -> bool:
    modifier = tree.get("modifier") or {}
    return bool(
        modifier.get("incoming")
        or modifier.get("applies_to") == "incoming-attacks"
        or tree.get("target") == "attacker"
    )


def _size(modifier: Tree) -> int:
    value = modifier.get("value")
    if isinstance(value, bool) or not isinstance(value, int):
        raise Unread(f"{value!r} is no number")
    return value


def _roll_modifier(tree: Tree) -> Iterable[Leaf]:
    modifier = tree.get("modifier") or {}
    roll, operation = modifier.get("roll"), modifier.get("operation")
    if roll in ("battle-shock", "advance", "charge", "desperate-escape", "leadership", "hazard"):
        return
    if operation == "ignore-modifiers":
        for name in (
            ("hit", "skill", "wound")
            if roll == "any"
            else ("hit", "skill")
            if roll == "hit"
            else (roll,)
        ):
            yield _made(tree, f"ignore {name} modifiers", "attacker")
        return
    if modifier.get("critical_on") or operation == "crit-on":
        at = modifier.get("critical_on") or modifier.get("value")
        yield _made(tree, f"critical {roll}s {at}+", "attacker")
        return
    size = _size(modifier)
    bad = operation == "subtract" or size < 0
    if roll == "save":
        yield _made(tree, f"save {'-' if bad else '+'}{abs(size)}", "defender")
    elif roll in ("hit", "wound"):
        side = "defender" if bad and tree.get("target") != "defender" else "attacker"
        yield _made(tree, f"{roll} {'-' if bad else '+'}{abs(size)}", side)
    else:
        raise Unread(str(roll))


def _reroll(tree: Tree) -> Iterable[Leaf]:
    modifier = tree.get("modifier") or {}
    roll, subset = modifier.get("roll"), modifier.get("subset")
    if roll in ("advance", "charge", "psychic-test", "surge", "battle-shock", "hazard"):
        return
    how = {"ones": "ones", "one": "one", "single": "one"}.get(str(subset), "failed")
    names = {"hit": "hits", "wound": "wounds", "damage": "damage", "save": "saves"}
    rolls = ("hit", "wound", "damage") if roll == "any" else (roll,)
    for name in rolls:
        if name not in names:
            raise Unread(str(name))
        side = "defender" if name == "save" else "attacker"
        yield _made(tree, f"reroll {names[name]} {how}", side)


_STATS = {"A": "attacks", "S": "strength", "D": "damage", "AP": "ap", "BS": "skill", "WS": "skill"}
_OWN_STATS = {"T": "toughness", "Sv": "save", "W": "wounds"}
_OTHER_STATS = frozenset({"M", "OC", "Ld", "detection-range"})


def _stat_modifier(tree: Tree) -> Iterable[Leaf]:
    modifier = tree.get("modifier") or {}
    stat, operation = modifier.get("stat"), modifier.get("operation")
    if stat in _OTHER_STATS:
        return
    if operation == "set":
        if stat not in _STATS or stat == "AP":
            raise Unread(str(stat))
        yield _made(tree, f"{_STATS[stat]} = {modifier.get('value')}", "attacker")
        return
    if stat == "range":
        yield _made(tree, f"range +{_size(modifier)}", "attacker")
    elif stat in _OWN_STATS:
        sign = "-" if operation in ("subtract", "worsen") else "+"
        yield _made(tree, f"{_OWN_STATS[stat]} {sign}{abs(_size(modifier))}", "defender")
    elif stat in ("AP", "BS", "WS"):
        # Descriptions disagree about the sign of these: one's own gets better, an enemy's worse.
        incoming = _is_incoming(tree)
        phrase = f"{_STATS[stat]} {'-' if incoming else '+'}{abs(_size(modifier))}"
        yield _made(tree, phrase, "defender" if incoming else "attacker")
    elif stat in _STATS:
        if _is_incoming(tree):
            raise Unread(str(stat))
        value = modifier.get("value")
        negative = operation in ("subtract", "worsen") or (isinstance(value, int) and value < 0)
        size = abs(value) if isinstance(value, int) else value
        yield _made(tree, f"{_STATS[stat]} {'-' if negative else '+'}{size}", "attacker")
    else:
        raise Unread(str(stat))


def _keyword_grant(tree: Tree) -> Iterable[Leaf]:
    modifier = tree.get("modifier") or {}
    words = modifier.get("keywords") or [modifier.get("keyword")]
    number = modifier.get("level", modifier.get("value"))
    for word in words:
        name = normal(str(word))
        if name in ("mobile", "hunted", "fights first", "deep strike", "battleline"):
            continue
        if name == "stealth":
            yield _made(tree, "stealth", "defender")
            continue
        name = name if " " in name else name.replace("-", " ")
        text = name if number is None or any(c.isdigit() for c in name) else f"{name} {number}"
        yield _made(tree, text, "attacker")


def _invulnerable(tree: Tree) -> Iterable[Leaf]:
    modifier = tree.get("modifier") or {}
    scope = _scope(modifier)
    against = f" against {scope}" if scope in ("ranged", "melee") else ""
    yield _made(tree, f"invulnerable {modifier.get('invuln_sv')}+{against}", "defender")


def _feel_no_pain(tree: Tree) -> Iterable[Leaf]:
    modifier = tree.get("modifier") or {}
    scopes = {
        "mortal": ("mortal",),
        "psychic": ("psychic",),
        "psychic-and-mortal": ("psychic", "mortal"),
    }
    for scope in scopes.get(str(modifier.get("scope")), ("",)):
        against = f" against {scope}" if scope else ""
        yield _made(tree, f"feel no pain {modifier.get('threshold')}+{against}", "defender")


def _damage_reduction(tree: Tree) -> Iterable[Leaf]:
    modifier = tree.get("modifier") or {}
    reduction = modifier.get("reduction", modifier.get("value"))
    if isinstance(reduction, int):
        yield _made(tree, f"damage -{reduction} when allocated", "defender")
    elif reduction == "half":
        yield _made(tree, "halve damage", "defender")
    else:
        raise Unread(str(reduction))


def _bs_modifier(tree: Tree) -> Iterable[Leaf]:
    if tree.get("target") not in ("attacker", "enemy-within-aura"):
        raise Unread("bs-modifier")
    yield _made(tree, f"skill -{_size(tree.get('modifier') or {})}", "defender")


MOVES = re.compile(
    r"move|charge|shoot-after|ingress|reserve|embark|hidden|detection|battle-shock|fall-?back|advance"
    r"|action|objective|deploy|sticky|deep-strike|withdraw|bondsman|reposition|range-extended"
)
"""Words of grants that bear on no attack."""


def _grant(tree: Tree) -> Iterable[Leaf]:
    modifier = tree.get("modifier") or {}
    name = str(modifier.get("grant_type") or modifier.get("ability_id") or "")
    if name == "stealth":
        yield _made(tree, "stealth", "defender")
    elif not MOVES.search(name):
        raise Unread(name)


LEAVES: dict[str, Callable[[Tree], Iterable[Leaf]]] = {
    "roll-modifier": _roll_modifier,
    "re-roll": _reroll,
    "stat-modifier": _stat_modifier,
    "keyword-grant": _keyword_grant,
    "invulnerable-save": _invulnerable,
    "feel-no-pain": _feel_no_pain,
    "damage-reduction": _damage_reduction,
    "bs-modifier": _bs_modifier,
    "ability-grant": _grant,
}
"""The leaves that bear on attacks, each with its reader."""

WITHOUT_ATTACKS = frozenset(
    {
        "battle-shock-test",
        "charge-roll-modifier",
        "deep-strike",
        "detection-range-modifier",
        "disembark",
        "disembark-after-move",
        "engagement-passthrough",
        "fallback-and-act",
        "leadership-modifier",
        "movement-modifier",
        "objective-control-modifier",
        "objective-tag",
        "resource-gain",
        "resource-spend",
        "set-battle-shock",
        "strategic-reserves-arrival",
        "unit-keyword-grant",
    }
)
"""Leaves about moves, morale, objectives and resources."""
