"""Leaves about what keeps models alive, or makes them fight when they are not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from killcurve.rules.described.making import made, modifier, whose
from killcurve.rules.described.setting import Given, Leaf, Tree, Unread

_AMOUNT = re.compile(r"\d*D[36](\+\d+)?|\d+", re.IGNORECASE)


def _owned(node: Tree, given: Given, what: str) -> None:
    if whose(node, given) not in ("own", "incoming"):
        raise Unread(f"{what} of others")


def invulnerable(node: Tree, given: Given) -> Iterator[Leaf]:
    """An invulnerable save."""
    change = modifier(node)
    _owned(node, given, "invulnerable saves")
    kind = change.get("attack_type") or change.get("weapon_type")
    against = f" against {kind}" if kind in ("ranged", "melee") else ""
    value = change.get("invuln_sv", change.get("threshold", change.get("value")))
    yield made(_without_weapons(node), given, f"invulnerable {value}+{against}", "defender")


def _without_weapons(node: Tree) -> Tree:
    kept = {k: v for k, v in modifier(node).items() if k not in ("attack_type", "weapon_type")}
    return {**node, "modifier": kept}


_AGAINST = {
    "": ("",),
    "all": ("",),
    "mortal": ("mortal",),
    "psychic": ("psychic",),
    "psychic-and-mortal": ("psychic", "mortal"),
}


def feel_no_pain(node: Tree, given: Given) -> Iterator[Leaf]:
    """Feel No Pain, against all or some of what does damage."""
    change = modifier(node)
    _owned(node, given, "Feel No Pain")
    scope = str(change.get("scope") or "")
    if scope not in _AGAINST:
        raise Unread(f"Feel No Pain against {scope}")
    for kind in _AGAINST[scope]:
        against = f" against {kind}" if kind else ""
        yield made(node, given, f"feel no pain {change.get('threshold')}+{against}", "defender")


def less_damage(node: Tree, given: Given) -> Iterator[Leaf]:
    """Damage taken off an attack."""
    change = modifier(node)
    _owned(node, given, "damage")
    by = change.get("reduction", change.get("amount", change.get("value")))
    if isinstance(by, int) and not isinstance(by, bool) and by > 0:
        yield made(node, given, f"damage -{by} when allocated", "defender")
    elif by == "half":
        yield made(node, given, "halve damage", "defender")
    elif by == "to-zero":
        yield made(node, given, "damage = 0 once when allocated", "defender")
    else:
        raise Unread(f"damage less by {by}")


def _amount(value: object, what: str) -> str:
    text = str(value).upper()
    if not _AMOUNT.fullmatch(text):
        raise Unread(f"{what} of {value}")
    return text


REVIVALS = frozenset({"trigger", "wounds_remaining", "wounds", "heals_to", "timing"})
"""Parameters of models that come back themselves: no attack changes by that."""


def revival(node: Tree, given: Given) -> Iterator[Leaf]:
    """Wounds healed, models returned; a model that comes back by itself changes no attack."""
    change = modifier(node)
    kind, count = change.get("type"), change.get("count")
    is_bodyguard = change.get("model_type") == "bodyguard"
    if (REVIVALS & set(change) and not is_bodyguard) or kind == "revive-on-first-death":
        return
    _owned(node, given, "revival")
    if set(change) - {"type", "count", "model_type", "wounds_remaining"} or count in (None, "all"):
        raise Unread("models that return")
    if kind == "wounds":
        yield between_attacks(node, given, f"heal {_amount(count, 'healing')}")
    elif change.get("model_type") and not is_bodyguard:
        raise Unread("models of another kind that return")
    elif kind == "models" or (kind is None and node.get("target") in ("unit", "attached-unit")):
        yield between_attacks(node, given, f"return {_amount(count, 'models')} models")
    elif kind is not None:
        raise Unread("models that return")


def healing(node: Tree, given: Given) -> Iterator[Leaf]:
    """Wounds healed."""
    _owned(node, given, "healing")
    yield between_attacks(node, given, f"heal {_amount(modifier(node).get('amount'), 'healing')}")


def recovery(node: Tree, given: Given) -> Iterator[Leaf]:
    """Wounds that a unit recovers: healed first, then spent on models that return."""
    _owned(node, given, "recovery")
    yield between_attacks(node, given, f"heal {_amount(modifier(node).get('dice'), 'recovery')}")


def between_attacks(node: Tree, given: Given, phrase: str) -> Leaf:
    """An effect between attacks; one that is not of the Command phase hangs on something."""
    leaf = made({**node, "modifier": {}}, given, phrase, "defender", phases=())
    told = given.told.phases or frozenset(given.setting.phases)
    is_told = given.told.is_timed or given.setting.kind == "stratagem"
    if told and "command" not in told and not is_told:
        return leaf.on("the ability is in use")
    return leaf


def last_fight(node: Tree, given: Given) -> Iterator[Leaf]:
    """A destroyed model that may still fight."""
    if whose(node, given) != "own":
        raise Unread("a last fight of others")
    phrase = f"fight on death {given.roll or '1+'}"
    yield made({**node, "modifier": {}}, given, phrase, "defender", takes_roll=True)


def last_shot(_node: Tree, _given: Given) -> Iterator[Leaf]:
    """A destroyed model that may still shoot: the language has no phrase for it."""
    raise Unread("a destroyed model that shoots")
