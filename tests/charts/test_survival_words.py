"""What survival curves count decides their words: models are slain, wounds are removed."""

from __future__ import annotations

import polars as pl
import pytest
from killcurve.charts.survival import survival_curves


@pytest.mark.parametrize(("what", "verb", "done", "other"), [
    ("models", "slay", "slain", "remove"), ("wounds", "remove", "removed", "sla"),
])  # fmt: skip
def test_what_is_counted_has_its_verb(what, verb, done, other):
    frame = pl.DataFrame({"k": [0, 1], "chance": [1.0, 0.4], "series": ["with claws"] * 2})
    chart = survival_curves(frame, "A mole", "an owl", what=what)
    assert f"Chance to {verb} at least so many {what}" in chart.subtitle
    assert f"at least k {what} of an owl are {done} by A mole" in chart.alt
    assert other not in f"{chart.title} {chart.subtitle} {chart.alt}"
