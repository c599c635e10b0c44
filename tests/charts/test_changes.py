"""The chart of points changes: what it says, its order, and that nothing is clipped."""

from __future__ import annotations

import io

import polars as pl
import pytest
from killcurve.charts.changes import MOST_BARS, points_changes
from killcurve.charts.export import finished, rendered
from killcurve.charts.style import house_style
from killcurve.tables.dataset import DataError
from killcurve.tables.difference import COLUMNS
from matplotlib.image import imread
from matplotlib.text import Text

from tests.charts.reading import faults

DATES = "2025-11-14 and 2026-01-31"
FOOTER = "Data: invented of 2026-01-31 · 11th edition"


def frame(*changes):
    rows = [
        ("points", faction, unit, what, "cost", str(old), str(new), new - old)
        for faction, unit, what, old, new in changes
    ]
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


MANY = frame(
    *(("Moles of the Deep", f"Digger number {n} with a name that is far too long", "10 models, from copy 4", 500, 500 + (-1) ** n * n)
      for n in range(1, 21)),
)  # fmt: skip
MIXED = frame(
    ("Moles", "Digger", "5 models", 80, 100),
    ("Moles", "Digger", "10 models", 160, 190),
    ("Newts", "Newt", "1 model", 60, 45),
    ("Moles", "Cart", "1 model", 90, 95),
    ("Newts", "Cart", "1 model", 90, 95),
)


def test_it_says_the_finding():
    chart = points_changes(MIXED, DATES)
    assert chart.title == (
        "2 units are dearer and 1 unit is cheaper; Digger changes most: +30 points"
    )
    assert chart.alt == "Bars of 3 changes in points. Digger +30; Cart +5; Newt −15."
    assert DATES in chart.subtitle
    assert chart.data.rows() == [
        ("Moles", "Digger", "10 models", 160, 190, 30),
        ("Newts", "Newt", "1 model", 60, 45, -15),
        ("Moles; Newts", "Cart", "1 model", 90, 95, 5),
    ]


def test_only_the_largest_are_drawn_and_all_are_kept():
    chart = points_changes(MANY, DATES)
    assert "the 14 largest of 20" in chart.subtitle
    assert chart.data.height == 20
    assert chart.alt.count(";") == MOST_BARS - 1


@pytest.mark.parametrize("changes", [MANY, MIXED, MIXED.filter(pl.col("change") < 0)])
def test_exact_pixels_and_nothing_clipped_or_overlapping(changes):
    chart = points_changes(changes, DATES)
    picture = rendered(chart, FOOTER)
    assert picture == rendered(chart, FOOTER)
    assert imread(io.BytesIO(picture)).shape[:2] == (chart.height, 1200)
    with house_style():
        assert not faults(finished(chart, FOOTER))


def test_direction_is_told_by_more_than_colour():
    with house_style():
        figure = finished(points_changes(MIXED, DATES), FOOTER)
        words = [t.get_text() for t in figure.findobj(Text)]
    assert {"▲ +30", "▲ +5", "▼ −15"} <= set(words)


@pytest.mark.parametrize("nothing", [MIXED.clear(), frame(("Moles", "Digger", "5 models", 80, 80))])
def test_no_changes(nothing):
    with pytest.raises(DataError, match="no unit's points changed between 2025-11-14"):
        points_changes(nothing, DATES)
