"""A slice of the fuzzing in every run of the tests; ``python -m tests.rules.fuzz`` does more."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.rules.fuzz import checked, scenario

BLOCKS, EACH = 10, 60


FAULTS = (445800,)
"""Seeds that once found a fault."""


@pytest.mark.parametrize("seed", FAULTS)
def test_what_was_a_fault_is_none(seed):
    assert checked(scenario(random.Random(seed))) in ("answer", "error", "error: too much")


@pytest.mark.parametrize("block", range(BLOCKS))
def test_an_answer_that_sums_to_one_or_an_error_with_its_place(block):
    found = Counter(checked(scenario(random.Random(f"{block} {i}"))) for i in range(EACH))
    assert found["answer"] > EACH / 20
    assert found["error"] > EACH / 10
    assert found["error: too much"] < EACH / 10
