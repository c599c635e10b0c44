"""Leaves about mortal wounds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from killcurve.rules.described.making import made, modifier
from killcurve.rules.described.setting import ATTACK_PHASES, Given, Leaf, Tree, Unread

_DICE = re.compile(r"\d*D[36](\+\d+)?|\d+", re.IGNORECASE)
_POOL = re.compile(r"\d+D6", re.IGNORECASE)

SELF = frozenset({"self", "bearer", "all-friendly", "friendly-within-aura"})


def mortal_wounds(node: Tree, given: Given) -> Iterator[Leaf]:
    """Mortal wounds to an enemy unit: a number, a pool of dice, or a table of one die."""
    change = modifier(node)
    if node.get("target") in SELF or (node.get("target") == "unit" and given.unit != "enemy"):
        raise Unread("mortal wounds that the unit suffers")
    if "table" in change or "amount_table" in change:
        yield from _table(node, given, change)
    elif (
        change.get("mortal_per_success") == 1 or change.get("per_roll") or "mortal_wounds" in change
    ):
        yield _pool(node, given, change)
    else:
        yield _plain(node, given, change)


def _plain(node: Tree, given: Given, change: Tree) -> Leaf:
    """A number of mortal wounds. One that hangs on nothing has lost what it hangs on."""
    amount = change.get("count", change.get("amount", change.get("dice")))
    text = str(amount).upper()
    if change.get("bonus"):
        text += f"+{change['bonus']}"
    is_free = given.roll is None and not given.told.clauses
    if not _DICE.fullmatch(text) or change.get("bind_count_as") or change.get("trigger"):
        raise Unread("mortal wounds")
    if (node.get("target") == "defender" and given.roll is None) or is_free:
        raise Unread(f"{text} mortal wounds, on what is not told")
    if given.roll and text == "1":
        raise Unread("a mortal wound for each die, of how many is not told")
    return _made(node, given, f"mortal wounds {text}")


def _pool(node: Tree, given: Given, change: Tree) -> Leaf:
    dice = str(change.get("dice") or change.get("count")).upper()
    on = change.get("threshold") or str(change.get("per_roll") or "").removesuffix("+")
    if change.get("comparison", "gte") != "gte" or change.get("mortal_wounds", 1) != 1:
        raise Unread("mortal wounds of a pool")
    if dice == "ND6" and change.get("dice_per") == "model-in-engagement-range":
        return _made(node, given, f"mortal wounds 1D6 per model on {on}+")
    if not _POOL.fullmatch(dice):
        raise Unread("mortal wounds of a pool of unknown size")
    return _made(node, given, f"mortal wounds {dice} on {on}+")


def _table(node: Tree, given: Given, change: Tree) -> Iterator[Leaf]:
    """One die, and how many mortal wounds each of its results does."""
    rows = [(r["roll"], r["amount"]) for r in change.get("amount_table") or ()]
    rows += list((change.get("table") or {}).items())
    if change.get("dice") != "D6":
        raise Unread("mortal wounds of a table")
    for roll, amount in rows:
        text = f"mortal wounds {str(amount).upper()}"
        yield _made(node, given, text).on(f"D6 roll of {roll}")


def _made(node: Tree, given: Given, phrase: str) -> Leaf:
    """With the phases in which they are done; outside of attacks there are none."""
    phases = given.told.phases or frozenset(given.setting.phases)
    told = tuple(phase for phase in ATTACK_PHASES if phase in phases)
    return made({**node, "modifier": {}}, given, phrase, "attacker", phases=told)
