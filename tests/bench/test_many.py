"""Many volleys at once: products of halves against single answers, peers, and the machine.

The cube is of ordinary size: up to 20 attacks, up to 20 wounds.
"""

from __future__ import annotations

from functools import partial
from itertools import islice, product
from typing import Any

import numpy as np
import pytest
from killcurve.engine.batch import (
    Attacks,
    TargetHalf,
    attack_half,
    outcomes,
    sides,
    summaries,
    target_half,
    work,
)
from killcurve.engine.edition import edition
from killcurve.engine.resolve import resolve
from killcurve.engine.target import ModelGroup, Target
from killcurve.engine.weapon import WeaponLine
from killcurve.rules.scenario import read_scenario
from killcurve.rules.volley import prepare
from killcurve.study.solve import solve

from tests.bench.peers import PEERS, peer
from tests.bench.questions import ONE
from tests.bench.tables import Timings, aligned, duration, times

TITLE = "one answer of many, products of halves as the measure"
TABLE = "many"
TOUGHNESS = 4
ALL, MEANS, ENGINE, SOLVE, PRODUCTS = (
    "whole distributions", "summaries", "engine, one by one", "solve, one by one", "products alone"
)  # fmt: skip
SAMPLE = 200
"""So many single answers are timed."""

ABILITIES: tuple[list[str], ...] = tuple(
    [*more, *rerolled]
    for rerolled in ([], ["twin-linked"])
    for more in (
        [], ["sustained hits 1"], ["sustained hits 2"], ["sustained hits D3"], ["lethal hits"],
        ["lethal hits", "sustained hits 1"],
    )
)  # fmt: skip
ATTACKING = tuple(product(range(1, 21), range(2, 7), (2, 3, 4, 6, 8), ABILITIES))
MODELS = ((1, 5), (1, 10), (1, 20), (2, 5), (2, 10), (3, 5), (4, 3), (6, 3), (12, 1), (20, 1))
DEFENDING = tuple(
    (models, save, damage)
    for save, models, damage in product(range(2, 7), MODELS, (1, 2, 3, "D3", "D6"))
)
"""In the order in which the sweep takes them: what passes saves alike stands together."""


def scenario(attacking: Any, defending: Any) -> dict[str, Any]:
    """One pair as a file has it."""
    attacks, skill, strength, abilities = attacking
    (wounds, models), save, damage = defending
    weapon = {
        "attacks": attacks, "skill": skill, "strength": strength, "damage": damage,
        "keywords": abilities,
    }  # fmt: skip
    model = {"count": models, "toughness": TOUGHNESS, "save": save, "wounds": wounds}
    return {"attacker": {"weapons": [weapon]}, "target": {"models": [model]}}


def line(attacking: Any, damage: Any) -> WeaponLine:
    target = ((1, 1), 7, damage)
    return prepare(read_scenario(scenario(attacking, target))).volley.lines[0]


def many_attacks() -> Attacks:
    rules = edition("11e")
    halves = (attack_half(sides(line(a, 1), rules), TOUGHNESS, rules) for a in ATTACKING)
    return Attacks([half.law() for half in halves])


def many_targets() -> list[TargetHalf]:
    rules = edition("11e")
    found = []
    for (wounds, models), save, damage in DEFENDING:
        group = ModelGroup(count=models, toughness=TOUGHNESS, save=save, wounds=wounds)
        shot = line(ATTACKING[0], damage)
        found.append(target_half(sides(shot, rules), Target((group,)), rules))
    return found


@pytest.fixture(scope="module")
def cube() -> tuple[Attacks, list[TargetHalf]]:
    return many_attacks(), many_targets()


def number() -> int:
    return len(ATTACKING) * len(DEFENDING)


def test_all_distributions(cube, timed):
    attacks, targets = cube
    timed(TABLE, ALL, str(number()), lambda: [outcomes(attacks, target) for target in targets])


def test_all_summaries(cube, timed):
    attacks, targets = cube
    timed(TABLE, MEANS, str(number()), lambda: [summaries(attacks, target) for target in targets])


def test_the_products_alone(cube, timed):
    """The same multiplications in one product of matrices: how fast this machine is."""
    attacks, targets = cube
    ids = np.arange(len(attacks))
    sums = sum(work(attacks, target, ids) for target in targets)
    side = 600
    one = np.random.default_rng(0).random((side, side))
    timed(TABLE, PRODUCTS, str(side**3), np.matmul, one, one)
    assert sums > number()
    SUMS.append(sums)


SUMS: list[int] = []


def pairs() -> list[tuple[Any, Any]]:
    """Some pairs of the cube, spread over it."""
    step = number() // SAMPLE
    return list(islice(product(ATTACKING, DEFENDING), 0, None, step))[:SAMPLE]


def test_the_engine_one_by_one(cube, timed):
    """The same numbers, from single answers."""
    volleys = [prepare(read_scenario(scenario(*pair))).volley for pair in pairs()]
    answers = timed(TABLE, ENGINE, str(len(volleys)), lambda: list(map(resolve, volleys)))
    attacks, targets = cube
    for (attacking, defending), answer in zip(pairs(), answers, strict=True):
        target = targets[DEFENDING.index(defending)]
        (law,) = outcomes(attacks, target, np.array([ATTACKING.index(attacking)])).damage
        assert (
            np.abs(
                law - np.pad(answer.damage.from_zero(), (0, len(law) - answer.damage.stop))
            ).max()
            < 1e-12
        )


def test_solve_one_by_one(timed):
    asked = [read_scenario(scenario(*pair)) for pair in pairs()]
    timed(TABLE, SOLVE, str(len(asked)), lambda: [solve(one) for one in asked])


@pytest.mark.parametrize("who", PEERS)
def test_a_peer(who, timed):
    model = peer(who)
    timed(TABLE, f"{who}, question (i)", "1", partial(model.ask, ONE))


def table(measured: Timings) -> list[str]:
    """What one answer takes in each way, and how far the products are from the machine's limit."""
    each = {
        row: seconds / int(column)
        for (name, row, column), seconds in measured.seconds.items()
        if name == TABLE and row != PRODUCTS
    }
    if ALL not in each:
        return []
    lines = [
        [row, duration(seconds), f"{1 / seconds:,.0f}", times(seconds / each[ALL])]
        for row, seconds in each.items()
    ]
    out = aligned(["", "one answer", "a second", f"to {ALL}"], lines)
    gemm = [
        (int(column), seconds)
        for (name, row, column), seconds in measured.seconds.items()
        if (name, row) == (TABLE, PRODUCTS)
    ]
    if gemm and SUMS:
        ((sums, seconds),) = gemm
        limit = SUMS[0] * seconds / sums
        whole = each[ALL] * number()
        out += [
            "",
            f"{number():,} distributions of {len(ATTACKING):,} attack halves and "
            f"{len(DEFENDING):,} target halves are {SUMS[0]:,} multiplications: as one large "
            f"product of matrices they take {duration(limit)}, here {duration(whole)} "
            f"({times(whole / limit)})",
        ]
    return out
