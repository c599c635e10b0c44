"""Points with names: no name covers another, and how many have a name is told."""

from __future__ import annotations

import polars as pl
import pytest
from killcurve.charts.export import finished
from killcurve.charts.presets import page
from killcurve.charts.style import house_style
from killcurve.report.points import Measure, scatter

from tests.charts.reading import faults, words

HALF = 0.07


def crowd(many):
    rows = [
        (f"Burrowers of the {i}th Hill", 0.02 + (i * 13 % 29) / 400, 0.4 + (i * 37 % 29) / 145)
        for i in range(many)
    ]
    frame = pl.DataFrame(rows, schema=("faction", "share", "rate"), orient="row")
    return frame.with_columns(low=pl.col("rate") - HALF, high=pl.col("rate") + HALF)


def drawn(many, narrow):
    chart = scatter(
        crowd(many), "faction",
        Measure("share", "share of games", is_share=True),
        Measure("rate", "win rate", "low", "high", is_share=True), "A crowd", "of moles",
    )  # fmt: skip
    with house_style():
        figure = finished(chart, "Data: invented, 2026-08-20", page(800, narrow=narrow))
        return faults(figure), [text.get_text() for text, _ in words(figure)]


@pytest.mark.parametrize("narrow", [False, True])
def test_names_cover_nothing_and_those_without_room_are_counted(narrow):
    wrong, told = drawn(29, narrow)
    assert wrong == []
    names = [word for word in told if word.startswith("Burrowers")]
    assert 5 < len(names) <= 29
    assert (f"{len(names)} of 29 have room for a name" in " ".join(told)) is (len(names) < 29)


def test_few_points_all_have_their_names():
    wrong, told = drawn(3, narrow=True)
    assert wrong == []
    assert sum(word.startswith("Burrowers") for word in told) == 3
    assert "have room" not in " ".join(told)
