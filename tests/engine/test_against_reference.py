"""The engine against the slow reference in fractions, on generated scenarios of every kind."""

from __future__ import annotations

import random
from functools import partial

import pytest
from killcurve.rules.reading import ScenarioError
from killcurve.study.solve import solve

from tests.engine import scenarios
from tests.reference.solve import solve as slow

BLOCKS = 10

KINDS = {
    "one group": (scenarios.scenario, 900),
    "several groups": (partial(scenarios.scenario, groups=3), 300),
    "self harm": (scenarios.with_self_harm, 300),
    "precision": (scenarios.with_precision, 200),
    "best choices": (scenarios.with_best_choices, 250),
    "rights": (scenarios.with_rights, 150),
    "rights, several groups": (partial(scenarios.with_rights, groups=2), 100),
}
"""Each kind of scenario with how many of it are compared: over two thousand in all."""


def difference(question) -> float:
    """The largest difference of any bin; 0 where both refuse the scenario."""
    try:
        expected = slow(question)
    except (ValueError, NotImplementedError):
        with pytest.raises(ScenarioError):
            solve(question)
        return 0.0
    answer = solve(question).to_dict()
    worst = abs(float(expected["destroyed"]) - answer["destroyed"])
    for key in ("damage", "slain", "self_damage"):
        wanted = [float(p) for p in expected[key]]
        got = answer[key]["pmf"]
        size = max(len(wanted), len(got))
        wanted += [0.0] * (size - len(wanted))
        got += [0.0] * (size - len(got))
        worst = max([worst, *(abs(a - b) for a, b in zip(wanted, got, strict=True))])
    return worst


@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("kind", KINDS)
def test_engine_equals_the_reference(kind, block):
    make, number = KINDS[kind]
    for i in range(number // BLOCKS):
        question = make(random.Random(f"{kind} {block} {i}"))
        assert difference(question) < 1e-12, question
