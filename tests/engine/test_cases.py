"""The cases with exact answers that lie beside the project."""

from __future__ import annotations

import json

import pytest
from killcurve.study.solve import solve

from tests.conftest import SHARED, needs_shared

CASES = SHARED / "cases" / "attacks.jsonl"


def cases():
    if not CASES.exists():
        return []
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@needs_shared
@pytest.mark.parametrize("case", cases(), ids=lambda c: c["id"])
def test_case(case):
    answer = solve(case["scenario"]).to_dict()
    expected = case["expect"]
    for key in ("damage", "slain", "self_damage"):
        wanted = expected.get(f"{key}_pmf")
        if wanted is None:
            continue
        got = answer[key]["pmf"]
        size = max(len(wanted), len(got))
        wanted = wanted + [0.0] * (size - len(wanted))
        assert got + [0.0] * (size - len(got)) == pytest.approx(wanted, abs=1e-9)
    if "destroyed" in expected:
        assert answer["destroyed"] == pytest.approx(expected["destroyed"], abs=1e-9)
