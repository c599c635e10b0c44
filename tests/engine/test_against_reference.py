"""The engine against the slow reference in fractions, on generated scenarios."""

from __future__ import annotations

import random

import pytest
from killcurve.study.solve import solve

from tests.engine.scenarios import scenario
from tests.reference.solve import solve as slow

SINGLE, SEVERAL = 400, 100


def difference(question) -> float:
    """The largest difference of any bin, over damage, models slain and destruction."""
    expected = slow(question)
    answer = solve(question).to_dict()
    worst = abs(float(expected["destroyed"]) - answer["destroyed"])
    for key in ("damage", "slain"):
        wanted = [float(p) for p in expected[key]]
        got = answer[key]["pmf"]
        size = max(len(wanted), len(got))
        wanted += [0.0] * (size - len(wanted))
        got += [0.0] * (size - len(got))
        worst = max([worst, *(abs(a - b) for a, b in zip(wanted, got, strict=True))])
    return worst


@pytest.mark.parametrize("block", range(10))
def test_one_group(block):
    for number in range(SINGLE // 10):
        question = scenario(random.Random(f"one {block} {number}"))
        assert difference(question) < 1e-12, question


@pytest.mark.parametrize("block", range(10))
def test_several_groups(block):
    for number in range(SEVERAL // 10):
        question = scenario(random.Random(f"several {block} {number}"), groups=3)
        assert difference(question) < 1e-12, question
