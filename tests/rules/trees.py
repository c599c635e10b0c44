"""Invented descriptions of rules, in the form of the embedded dataset's."""

from __future__ import annotations

from typing import Any

Tree = dict[str, Any]


def leaf(kind: str, target: str = "unit", **change: Any) -> Tree:
    """A leaf with its parameters."""
    return {"type": kind, "target": target, "modifier": change}


def roll(name: str, by: int, target: str = "unit", **more: Any) -> Tree:
    """Something added to a roll."""
    return leaf("roll-modifier", target, roll=name, operation="add", value=by, **more)


def stat(name: str, by: object, target: str = "unit", operation: str = "add", **more: Any) -> Tree:
    """A change of a characteristic."""
    return leaf("stat-modifier", target, stat=name, operation=operation, value=by, **more)


def cond(kind: str, **parameters: Any) -> Tree:
    """A condition."""
    return {"type": kind, "parameters": parameters}


def both(*operands: Tree) -> Tree:
    """All of several conditions."""
    return {"operator": "and", "operands": list(operands)}


def either(*operands: Tree) -> Tree:
    """One of several conditions."""
    return {"operator": "or", "operands": list(operands)}


def no(operand: Tree) -> Tree:
    """The contrary of a condition."""
    return {"operator": "not", "operands": [operand]}


def when(condition: Tree, effect: Tree) -> Tree:
    """An effect under a condition."""
    return {"type": "conditional", "condition": condition, "effect": effect}


def steps(*parts: Tree) -> Tree:
    """Several effects."""
    return {"type": "sequence", "steps": list(parts)}


def choice(*options: Tree, **more: Any) -> Tree:
    """One of several effects."""
    return {"type": "choice", "options": list(options), **more}


def die(effect: Tree, threshold: int = 4, **more: Any) -> Tree:
    """An effect on a roll of one D6."""
    return {
        "type": "dice-gated",
        "dice": "D6",
        "threshold": threshold,
        "on_success": effect,
        **more,
    }
