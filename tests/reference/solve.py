"""Entry: one scenario dictionary -> exact laws (SCENARIO.md, "An answer")."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from . import pools, volley10, volley11
from .course import Course, Rounds, Step
from .dice import Law, mapped
from .reading import read
from .selfharm import self_damage
from .target import State, Table, forget

DEPTH = 20_000
"""Frames that the recursion may need."""


def solve(scenario: dict[str, Any]) -> dict[str, Any]:
    """Damage, models slain, P(destroyed) and the attacker's own damage, all in fractions.

    `damage`, `slain` and `self_damage` are lists: the chance of each number from 0 on.
    """
    table = Table(read(scenario))
    course = Course(program(table), lambda state: objective(table, state))
    with deeply():
        final = course.run(table.start)
    return {
        "damage": as_list(mapped(final, lambda state: damage_done(table, state))),
        "slain": as_list(mapped(final, lambda state: slain(table, state))),
        "destroyed": sum(
            (chance for state, chance in final.items() if not any(state.groups)), Fraction(0)
        ),
        "self_damage": as_list(self_damage(table)),
    }


@contextmanager
def deeply() -> Iterator[None]:
    """Backward recursion goes as deep as the sequence of rolls is long."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


def program(table: Table) -> list[Step | Rounds]:
    """Weapons in order, in 10e then their devastating wounds, and the pools of mortal wounds
    last.
    """
    steps: list[Step | Rounds] = []
    weapons = range(len(table.scenario.weapons))
    if table.scenario.tenth:
        for index in weapons:
            steps += volley10.weapon_steps(table, index)
        for index in weapons:
            steps += volley10.Settling(table, index).steps()
        steps.append(forget(frozenset()))
    else:
        for index in weapons:
            steps += volley11.batch_steps(table, index)
    return steps + pools.steps(table)


def damage_done(table: Table, state: State) -> int:
    """Wounds really removed."""
    return sum(map(sum, table.start.groups)) - sum(map(sum, state.groups))


def slain(table: Table, state: State) -> int:
    """Models removed."""
    return sum(map(len, table.start.groups)) - sum(map(len, state.groups))


def objective(table: Table, state: State) -> Fraction:
    """What attacker and defender play for where a choice is `optimal`."""
    if table.scenario.objective == "damage":
        return Fraction(damage_done(table, state))
    if table.scenario.objective == "slain":
        return Fraction(slain(table, state))
    return Fraction(not any(state.groups))


def as_list(law: Law) -> list[Fraction]:
    """Chances by number, up to the highest possible one."""
    top = max((number for number, chance in law.items() if chance), default=0)
    return [law.get(number, Fraction(0)) for number in range(top + 1)]
