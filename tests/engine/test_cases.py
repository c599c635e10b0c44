"""The cases with exact answers that lie beside the project."""

from __future__ import annotations

import json

import pytest
from killcurve.study.solve import solve

from tests.conftest import SHARED, needs_shared

CASES = SHARED / "cases" / "attacks.jsonl"
LATER = {
    "case-45c", "rule-103", "rule-097", "case-47c", "rule-132",  # a choice left to be made best
    "rule-177", "rule-179", "rule-187", "rule-189", "rule-191",
}  # fmt: skip


def cases():
    if not CASES.exists():
        return []
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@needs_shared
@pytest.mark.parametrize(
    "case", [c for c in cases() if c["id"] not in LATER], ids=lambda c: c["id"]
)
def test_case(case):
    answer = solve(case["scenario"]).to_dict()
    for key in ("damage", "slain"):
        wanted = case["expect"][f"{key}_pmf"]
        got = answer[key]["pmf"]
        size = max(len(wanted), len(got))
        wanted = wanted + [0.0] * (size - len(wanted))
        assert got + [0.0] * (size - len(got)) == pytest.approx(wanted, abs=1e-9)
    assert answer["destroyed"] == pytest.approx(case["expect"]["destroyed"], abs=1e-9)
