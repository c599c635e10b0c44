"""Inner nodes that leave a choice: options, stances, orders, dice to be spent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from killcurve.rules.conditions import Clause
from killcurve.rules.described.attaching import with_clauses
from killcurve.rules.described.setting import Given, Leaf, Told, Tree
from killcurve.rules.described.states import resource
from killcurve.rules.described.walking import Step, Walk
from killcurve.rules.described.words import plain
from killcurve.rules.effects import Effect


def _choice(node: Tree, given: Given, walk: Walk) -> None:
    options = node.get("options") or ()
    names = [str(option.get("name") or "") for option in options]
    _one_of([option.get("effect", option) for option in options], names, given, walk)


def _orders(node: Tree, given: Given, walk: Walk) -> None:
    _choice(node, given.said("an Order was given to the unit"), walk)


def _one_of(options: Iterable[Tree], names: list[str], given: Given, walk: Walk) -> None:
    """One effect of several, as far as they are understood.

    Conditions that were passed before the choice stand behind it as a whole.
    """
    outer = replace(
        given.inside(),
        setting=replace(given.setting, passing=""),
        told=replace(given.told, clauses=()),
        roll=None,
        is_selected=False,
    )
    read: list[tuple[str, list[Leaf]]] = []
    for option, name in zip(options, names, strict=True):
        inner = walk.apart()
        inner.into(option, outer)
        walk.unread += inner.unread
        if inner.leaves:
            read.append((name, inner.leaves))
    if not read:
        return
    leaves = [leaf for _, option in read for leaf in option]
    sides = {leaf.side for leaf in leaves}
    side = sides.pop() if len(sides) == 1 else "both"
    phases = tuple(dict.fromkeys(phase for leaf in leaves for phase in leaf.phases or ()))
    if len(read) == 1:
        chosen = f"{read[0][0] or 'this option'} is chosen"
        for leaf in leaves:
            _add(leaf.effect, leaf.side, leaf.phases or (), given.said(chosen), walk)
        return
    same = all(_plainly(a) == _plainly(read[0][1]) for _, a in read)
    if same:
        # The options differ in what is beside attacks.
        for leaf in read[0][1]:
            _add(leaf.effect, leaf.side, leaf.phases or (), given, walk)
        return
    effects = _flat(tuple(leaf.effect for leaf in option) for _, option in read)
    common = {effect.scope for option in effects for effect in option}
    scope = common.pop() if len(common) == 1 else None
    if scope is not None:
        effects = [tuple(replace(e, scope=None) for e in option) for option in effects]
    _add(Effect("one of", tuple(effects), scope), side, phases, given, walk)


def _flat(options: Iterable[tuple[Effect, ...]]) -> list[tuple[Effect, ...]]:
    """Options of which one that is a choice itself stands for all of its own."""
    flat: list[tuple[Effect, ...]] = []
    for option in options:
        only = option[0]
        if len(option) == 1 and isinstance(only.amount, tuple) and not only.condition:
            flat += [tuple(_scoped(e, only.scope) for e in inner) for inner in only.amount]
        else:
            flat.append(option)
    return flat


def _scoped(effect: Effect, scope: str | None) -> Effect:
    return replace(effect, scope=effect.scope or scope)


def _plainly(option: list[Leaf]) -> list[str]:
    return [str(leaf.effect) for leaf in option]


def _add(effect: Effect, side: str, phases: tuple[str, ...], given: Given, walk: Walk) -> None:
    """An effect that is attached already, with the conditions before the choice."""
    walk.leaves.append(with_clauses(Leaf(effect, side, phases), given))


def _pool(node: Tree, given: Given, walk: Walk) -> None:
    """Dice spent on several effects, each of them on its own."""
    for option in node.get("options") or ():
        active = given.said(f"{option.get('name')} is active")
        walk.into(option.get("effect") or {}, active.inside())


def _menu(node: Tree, given: Given, walk: Walk) -> None:
    """Actions paid from a pool, each of them on its own."""
    for action in node.get("actions") or ():
        cost = action.get("cost") or {}
        amount = resource({"pool_id": node.get("pool_id")}, cost.get("amount", 1))
        name = action.get("label") or plain(action.get("id") or "an action")
        walk.into(action.get("effect") or {}, given.said(f"{amount} spent on {name}").inside())


def _region(node: Tree, given: Given, walk: Walk) -> None:
    """A part of the battlefield, in which other effects hold than outside of it."""
    consumer = (node.get("modifier") or {}).get("consumer") or {}
    place = plain((consumer.get("state_ref") or {}).get("region_id") or "region")
    for key, where in (("default_branch", "not "), ("qualified_branch", "")):
        branch = consumer.get(key) or {}
        words = Clause("words", (f"{where}wholly within the {place}",))
        inside = given.when(Told((words,)))
        walk.into(branch.get("effect") or {}, replace(inside, unit="attackers").inside())


STEPS: dict[str, Step] = {
    "choice": _choice,
    "dice-pool-allocation": _pool,
    "issue-orders": _orders,
    "named-region-state": _region,
    "resource-action-menu": _menu,
    "stance-select": _choice,
}
"""The inner nodes of this kind, each with how it is passed."""
