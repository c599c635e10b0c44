"""What ``solve`` takes for questions of every kind: asked again, asked first, never asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from killcurve.study.solve import solve

from tests.bench.caches import cached_functions, clear_caches
from tests.bench.questions import TWO
from tests.bench.tables import Timings, aligned, duration

TITLE = "solve: the same question again (warm), with nothing remembered (cold), never asked (new)"
TABLE = "solve"
FLAGS = (
    "half_range", "cover", "stationary", "charged", "plunging_fire", "target_below_starting",
    "target_on_objective", "attacker_on_objective",
)  # fmt: skip

RIFLES = {
    "name": "rifle", "count": 10, "attacks": 2, "skill": 3, "strength": 5, "ap": -1, "damage": 2,
    "keywords": ["sustained hits 1", "lethal hits"],
}  # fmt: skip
SQUAD = [
    {"name": "trooper", "count": 9, "toughness": 5, "save": 3, "wounds": 2, "invulnerable": 5},
    {"name": "sergeant", "count": 1, "toughness": 5, "save": 2, "wounds": 3, "invulnerable": 4},
    {
        "name": "captain", "count": 1, "toughness": 5, "save": 2, "wounds": 5, "invulnerable": 4,
        "character": True,
    },
]  # fmt: skip
ELITES = TWO.scenario()["target"]["models"]


def asked(
    edition: str, weapon: dict[str, Any], models: list[dict[str, Any]], *effects: str, **more: Any
) -> dict[str, Any]:
    return {
        "edition": edition,
        "attacker": {"weapons": [weapon], "effects": list(effects)},
        "target": {"keywords": ["infantry"], "models": models},
        **more,
    }


FEW = {**RIFLES, "count": 5}
DEVASTATING = {**RIFLES, "keywords": ["lethal hits", "devastating wounds"]}
KINDS = {
    "(ii)": TWO.scenario(),
    "several groups, 10e": asked("10e", RIFLES, SQUAD),
    "several groups, 11e": asked("11e", RIFLES, SQUAD),
    "Command Re-roll of a hit, 10e": asked("10e", FEW, ELITES, "reroll hits one"),
    "Command Re-roll of a hit, 11e": asked("11e", FEW, ELITES, "reroll hits one"),
    "lethal: optimal": asked("11e", DEVASTATING, ELITES, choices={"lethal": "optimal"}),
}


@pytest.mark.parametrize("caches", ["warm", "cold"])
@pytest.mark.parametrize("kind", KINDS)
def test_one_question(kind, caches, timed):
    before = clear_caches if caches == "cold" else None
    expected = solve(KINDS[kind]).outcome.damage
    answer = timed(TABLE, kind, caches, solve, KINDS[kind], before=before)
    assert answer.outcome.damage == expected


def test_one_flag_changed_each_time(timed):
    """A question that was never asked, one flag from the last: what a widget does."""
    scenarios = one_flag_apart()
    solve(next(scenarios))

    def following() -> tuple[tuple[dict[str, Any]], dict[str, Any]]:
        return (next(scenarios),), {}

    answer = timed(TABLE, "(ii), one flag changed", "new", solve, before=following, rounds=200)
    assert 0 < answer.outcome.damage.mean <= 15


def one_flag_apart() -> Iterator[dict[str, Any]]:
    """Scenario (ii) under every set of flags, each one flag from the one before (a Gray code)."""
    scenario = TWO.scenario()
    (weapon,) = scenario["attacker"]["weapons"]
    weapon["keywords"] += ["rapid fire 1", "heavy", "lance"]
    for number in range(2 ** len(FLAGS)):
        code = number ^ number >> 1
        context = {flag: True for i, flag in enumerate(FLAGS) if code >> i & 1}
        yield {**scenario, "context": context}


def test_nothing_is_remembered_by_a_cold_solve():
    assert "killcurve.rules.scenario._read_again" in cached_functions()
    solve(TWO.scenario())
    clear_caches()
    from killcurve.engine.attack import _batch_law
    from killcurve.engine.shot import packet_steps
    from killcurve.rules.volley import prepare

    remembering = (_batch_law, packet_steps, prepare)
    assert [function.cache_info().currsize for function in remembering] == [0, 0, 0]


def table(measured: Timings) -> list[str]:
    """A row for each kind of question."""
    lines = [
        [row, *(duration(measured.get(TABLE, row, column)) for column in ("warm", "cold", "new"))]
        for row in measured.rows(TABLE)
    ]
    return aligned(["", "warm", "cold", "new"], lines) if lines else []
