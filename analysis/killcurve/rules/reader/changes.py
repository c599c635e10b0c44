"""Heads that change rolls and characteristics, as effects."""

from __future__ import annotations

from killcurve.rules.reader.heads import Head, Named
from killcurve.rules.reader.places import (
    ATTACKER,
    DEFENDER,
    Found,
    NotRead,
    Place,
    at,
    whose_attacks,
)
from killcurve.rules.reader.sides import ENEMY

OF_ATTACKS = frozenset({"hit", "wound", "skill", "attacks", "strength", "ap", "damage", "range"})
OF_MODELS = frozenset({"toughness", "save", "wounds"})
WITHOUT_ATTACKS = frozenset({"other", "result"})
"""Names of rolls and characteristics that bear on no attack."""


def added(head: Head, place: Place) -> list[Found]:
    """``add 1 to the Hit roll``, ``improve the Damage characteristic by 1``."""
    return [one for n in head.names for one in shift(n.what, "+", head.amount or "", place)]


def subtracted(head: Head, place: Place) -> list[Found]:
    """``subtract 1 from the Hit roll``, ``worsen the Armour Penetration by 1``."""
    found = [one for n in head.names for one in shift(n.what, "-", head.amount or "", place)]
    lowers_ap = head.act == "subtracted" and any(n.what == "ap" for n in head.names)
    if lowers_ap and any(one.side == ATTACKER for one in found):
        raise NotRead("a lower AP is better and worse in different editions")
    return found


def shift(what: str, sign: str, amount: str, place: Place) -> list[Found]:
    """A roll or characteristic that gets better (``+``) or worse (``-``) by an amount.

    Raises:
        NotRead: where the language has no phrase for it.
    """
    if what in WITHOUT_ATTACKS:
        return []
    if not is_number(amount):
        raise NotRead(f"{what} {sign}{amount}")
    phrase = f"{what} {sign}{amount}"
    if place.critical == "CRITICAL_WOUND" and what == "ap":
        return [at(place, f"critical wound {phrase}", whose_attacks(place, sign))]
    if place.critical is not None or what not in OF_ATTACKS | OF_MODELS:
        raise NotRead(what)
    if what in OF_MODELS:
        if place.side == ENEMY or sign == "-":  # nobody lowers his own
            raise NotRead(phrase)
        return [at(place, phrase, DEFENDER, scope=what == "save")]
    side = whose_attacks(place, sign)
    if what == "damage" and side == DEFENDER and place.kind == "allocated":
        phrase += " when allocated"
    return [at(place, phrase, side)]


def is_number(amount: str | None) -> bool:
    """Whether an amount is a number or dice.

    >>> is_number("2"), is_number("D3+1"), is_number("X")
    (True, True, False)
    """
    return amount is not None and (amount[:1].isdigit() or amount.startswith("D"))


def halved(head: Head, place: Place) -> list[Found]:
    """``halve the Damage characteristic of that attack``."""
    whats = {named.what for named in head.names}
    if whats <= WITHOUT_ATTACKS:
        return []
    if whats == {"damage"}:
        return [at(place, "halve damage", DEFENDER)]
    raise NotRead("halve")


def set_to(head: Head, place: Place) -> list[Found]:
    """``change the Damage characteristic to 1``."""
    return [one for n in head.names for one in setting(n.what, head.amount or "", place)]


def setting(what: str, value: str, place: Place) -> list[Found]:
    """A characteristic that has a certain value.

    Raises:
        NotRead: where the language has no phrase for it.
    """
    if what in WITHOUT_ATTACKS or what == "range":
        return []
    value = value.rstrip("+").lstrip("-")
    if not is_number(value) or place.critical:
        raise NotRead(what)
    if what == "invulnerable":
        return [at(place, f"invulnerable {value}+", DEFENDER)]
    if what in OF_MODELS and place.side != ENEMY:
        return [at(place, f"{what} = {value}", DEFENDER)]
    if what not in OF_ATTACKS - {"hit", "wound"}:
        raise NotRead(what)
    phrase = f"{what} = {value}"
    if what != "damage" or value not in ("0", "1") or place.side is not None:
        return [at(place, phrase, whose_attacks(place, "="))]
    once = " once" if value == "0" or place.kind == "unsaved" else ""
    allocated = " when allocated" if place.kind == "allocated" else ""
    return [at(place, phrase + once + allocated, DEFENDER)]


_REROLLS = {
    "hit": "hits",
    "wound": "wounds",
    "wounds": "wounds",
    "damage": "damage",
    "damage roll": "damage",
    "attacks roll": "attacks",
    "save": "saves",
    "invulnerable": "saves",
}


def rerolled(head: Head, place: Place) -> list[Found]:
    """``re-roll a Hit roll of 1``; rolls that are no attack's are left out."""
    found = []
    for named in head.names:
        if named.what in WITHOUT_ATTACKS or named.what == "roll":
            continue
        owner = {w.type for w in named.owner}
        against = place.critical or place.side == ENEMY
        if named.what not in _REROLLS or against or owner & {"SUCCESSFUL", "ENEMY", "OPPONENT"}:
            raise NotRead("re-roll " + named.what)
        what = _REROLLS[named.what]
        side = DEFENDER if what == "saves" else ATTACKER
        found.append(at(place, f"reroll {what} {_how(named)}", side))
    return found


def _how(named: Named) -> str:
    if named.on == "1":
        return "ones"
    if named.on is not None or named.quantity not in (None, "one", "any"):
        raise NotRead("re-roll")
    return "one" if named.quantity == "one" else "failed"


def critical(head: Head, place: Place) -> list[Found]:
    """``an unmodified Hit roll of 5+ scores a Critical Hit``."""
    if place.side == ENEMY or (place.kind == "attacks" and place.attacker == ENEMY):
        raise NotRead("critical")
    return [at(place, f"critical {head.names[0].what} {head.amount}+", ATTACKER)]


_IGNORED = ("hit", "skill", "wound", "ap", "damage")
_NOT_IGNORED = frozenset({"characteristic", "roll", "strength", "attacks"})


def ignored(head: Head, place: Place) -> list[Found]:
    """``ignore any or all modifiers to the Hit roll``."""
    names = [named.what for named in head.names]
    found = [
        at(place, f"ignore {what} modifiers", ATTACKER)
        for what in dict.fromkeys(names)
        if what in _IGNORED
    ]
    if not names or set(names) & _NOT_IGNORED:
        raise NotRead("ignore", tuple(found))
    return found


_SIXED = {"hit": "hit", "wound": "wound", "damage roll": "damage", "damage": "damage",
          "save": "save"}  # fmt: skip


def sixed(head: Head, place: Place) -> list[Found]:
    """``change one Hit roll to an unmodified 6``."""
    found = []
    for named in head.names:
        if named.what == "other":
            continue
        if named.what not in _SIXED or head.amount != "6":
            raise NotRead(f"set to {head.amount}")
        what = _SIXED[named.what]
        side = DEFENDER if what == "save" else ATTACKER
        found.append(at(place, f"set one {what} to 6", side))
    return found


def needed(head: Head, place: Place) -> list[Found]:
    """``hits are scored on unmodified Hit rolls of 5+``, of attacks that need a 6 else."""
    need = (head.amount or "6+").rstrip("+")
    phrase = "snap shooting" + ("" if need == "6" else f" {need}+")
    conditions = tuple(c for c in place.conditions if "verwatch" not in c)
    return [Found(phrase, ATTACKER, ranged="ranged", conditions=conditions)]
