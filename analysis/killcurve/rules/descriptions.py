"""Structured ability descriptions (trees of typed nodes) read into the effect language.

The embedded dataset describes many rules as trees: ``conditional`` and ``sequence`` nodes around
leaves such as ``roll-modifier`` or ``re-roll``. A leaf that is understood becomes an effect; one
that moves units or scores counts as bearing on no attack; any other is named as unread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from killcurve.rules.conditions import Clause
from killcurve.rules.description_conditions import clauses
from killcurve.rules.description_leaves import LEAVES, WITHOUT_ATTACKS, Leaf
from killcurve.rules.effects import Effect

Tree = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a rule does to attack maths, as far as it is understood.

    ``side`` is whose attacks it changes (``attacker``, ``defender``, ``both`` or none);
    ``status`` is ``modelled``, ``partial``, ``unmodelled`` or ``none``.
    """

    effects: tuple[Effect, ...]
    side: str | None
    status: str
    unread: tuple[str, ...] = ()


def read_description(tree: Tree) -> Reading:
    """Read a description.

    >>> reading = read_description({
    ...     "type": "conditional",
    ...     "condition": {"type": "target-has-keyword", "parameters": {"keyword": "MONSTER"}},
    ...     "effect": {"type": "re-roll", "modifier": {"roll": "wound", "subset": "ones"}}})
    >>> [str(e) for e in reading.effects], reading.side, reading.status
    (['reroll wounds ones if target is monster'], 'attacker', 'modelled')
    """
    leaves: list[Leaf] = []
    unread: list[str] = []
    _walk(tree, (), leaves, unread)
    effects = tuple(dict.fromkeys(leaf.effect for leaf in leaves))
    sides = {leaf.side for leaf in leaves}
    side = sides.pop() if len(sides) == 1 else ("both" if sides else None)
    if effects:
        status = "partial" if unread else "modelled"
    else:
        status = "unmodelled" if unread else "none"
    return Reading(effects, side, status, tuple(unread))


def _walk(tree: Tree, given: tuple[Clause, ...], leaves: list[Leaf], unread: list[str]) -> None:
    kind = tree.get("type", "")
    if kind == "conditional":
        inner = (*given, *clauses(tree.get("condition") or {}))
        _walk(tree.get("effect") or {}, inner, leaves, unread)
    elif kind == "sequence":
        for step in tree.get("steps") or ():
            _walk(step, given, leaves, unread)
    elif kind == "choice":
        _choice(tree, given, leaves, unread)
    elif kind in LEAVES:
        try:
            for leaf in LEAVES[kind](tree):
                effect = leaf.effect
                leaves.append(
                    replace(leaf, effect=replace(effect, condition=effect.condition + given))
                )
        except ValueError:
            unread.append(kind)
    elif kind not in WITHOUT_ATTACKS:
        unread.append(kind or "empty")


def _choice(tree: Tree, given: tuple[Clause, ...], leaves: list[Leaf], unread: list[str]) -> None:
    """A choice of the player: one ``one of`` effect, when all its options are understood."""
    options: list[tuple[Effect, ...]] = []
    sides = set()
    for option in tree.get("options") or ():
        inner: list[Leaf] = []
        missing: list[str] = []
        _walk(option.get("effect", option), (), inner, missing)
        if missing:
            unread.append("choice")
            return
        if inner:
            options.append(tuple(leaf.effect for leaf in inner))
            sides |= {leaf.side for leaf in inner}
    if len(sides) == 1 and len(options) > 1:
        leaves.append(Leaf(Effect("one of", tuple(options), condition=given), sides.pop()))
    elif options:
        unread.append("choice")
