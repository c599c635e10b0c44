"""The house style by numbers: contrast, and colours as people with other colour vision see them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from killcurve.charts.export import rendered
from killcurve.charts.samples import FOOTER, sample
from killcurve.charts.style import (
    DASHES,
    MARKERS,
    STYLES,
    colour,
    contrast,
    diverging,
    faint,
    house_style,
    ink,
    luminance,
    muted,
    paper,
    sequential,
    upon,
)  # fmt: skip
from killcurve.charts.words import clean, fitted, percent, width
from killcurve.tables.dataset import DataError
from matplotlib.colors import to_hex, to_rgb

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
VISION = {
    "usual": np.eye(3),
    "protanopia": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                            [-0.003882, -0.048116, 1.051998]]),
    "deuteranopia": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                              [-0.011820, 0.042940, 0.968881]]),
    "tritanopia": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                            [0.004733, 0.691367, 0.303900]]),
}  # fmt: skip
LEAST_DISTANCE = 0.12
"""In OKLab, where the nearest two of Okabe and Ito's own colours are 0.076 apart."""


def linear(name):
    c = np.array(to_rgb(name))
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def oklab(rgb):
    lms = np.cbrt(np.array([[0.4122214708, 0.5363325363, 0.0514459929],
                            [0.2119034982, 0.6806995451, 0.1073969566],
                            [0.0883024619, 0.2817188376, 0.6299787005]]) @ rgb)  # fmt: skip
    return np.array([[0.2104542553, 0.7936177850, -0.0040720468],
                     [1.9779984951, -2.4285922050, 0.4505937099],
                     [0.0259040371, 0.7827717662, -0.8086757660]]) @ lms  # fmt: skip


def seen(name, vision):
    return oklab(np.clip(VISION[vision] @ linear(name), 0, 1))


def series():
    return [colour(i) for i in range(len(mpl.rcParams["axes.prop_cycle"]))]


@pytest.fixture(params=STYLES)
def style(request):
    with house_style(request.param):
        yield request.param


def test_oklab_is_reckoned_right():
    assert oklab(np.ones(3)) == pytest.approx([1, 0, 0], abs=1e-6)
    assert oklab(linear("#ff0000")) == pytest.approx([0.6280, 0.2249, 0.1258], abs=1e-3)


@pytest.mark.parametrize("vision", VISION)
def test_series_are_told_apart(style, vision):
    near = min(
        (float(np.linalg.norm(seen(a, vision) - seen(b, vision))), a, b)
        for a, b in combinations(series(), 2)
    )
    assert near[0] >= LEAST_DISTANCE, (style, near)


def test_marks_and_words_stand_out(style):
    assert min(contrast(mark, paper()) for mark in series()) >= 3, style
    named = [mpl.rcParams[f"{axis}tick.labelcolor"] for axis in "xy"]
    for words in (ink(), muted(), *map(to_hex, named)):
        assert contrast(words, paper()) >= 4.5, (style, words)
    assert contrast(faint(), paper()) >= 1.5


def test_words_in_cells_can_be_read_on_every_shade(style):
    for colours in (sequential(), diverging()):
        for shade in np.linspace(0, 1, 101):
            ground = to_hex(colours(float(shade)))
            assert contrast(upon(ground), ground) >= 4.5, (style, ground)


@pytest.mark.parametrize("vision", VISION)
def test_maps_are_in_order_for_every_eye(style, vision):
    lightness = [seen(to_hex(sequential()(x)), vision)[0] for x in np.linspace(0, 1, 21)]
    steps = np.diff(lightness)
    assert (steps < 0).all() or (steps > 0).all(), style
    ends = [seen(to_hex(diverging()(x)), vision) for x in (0.0, 0.5, 1.0)]
    for one, other in combinations(ends, 2):
        assert np.linalg.norm(one - other) >= LEAST_DISTANCE, style


def test_colour_never_carries_a_meaning_alone():
    assert len(set(MARKERS)) == len(MARKERS) > 6
    assert len(DASHES) == len(MARKERS)
    with house_style():
        looks = {(colour(i), MARKERS[i % 7]) for i in range(42)}
        assert len(looks) == 42


def test_settings_outside_are_left_alone():
    before = dict(mpl.rcParams)
    with house_style("dark"):
        assert luminance(paper()) < 0.05
        assert mpl.rcParams["text.parse_math"] is False
        assert mpl.rcParams["pdf.fonttype"] == 42
    assert dict(mpl.rcParams) == before
    with (
        pytest.raises(DataError, match="no style 'drak'; did you mean 'dark'"),
        house_style("drak"),
    ):
        pass


def test_lines_are_no_wider_than_asked_and_nothing_is_lost_unseen():
    text = "Ancient Burrowing Engine of the Ninth and Last Excavation"
    for points in (40, 90, 200, 900):
        for lines in (1, 2, 4):
            told = fitted(text, points, 11, lines=lines, bold=True)
            assert told.count("\n") < lines
            assert all(width(line, 11, bold=True) <= points for line in told.split("\n"))
            assert "…" in told or told.replace("\n", " ") == text
    assert fitted("", 50) == ""
    assert fitted("wins 54 % of games", 52, lines=2) == "wins\n54 % of…"


def test_what_cannot_be_drawn_is_a_box():
    assert clean("a\u202eb\u200d") == "ab"
    assert clean("\U0001f9d9 x") == "□ x"
    assert clean("שלום") == "שלום"


@pytest.mark.parametrize(
    ("value", "told"),
    [(0.0, "0 %"), (1.0, "100 %"), (1e-9, "<0.01 %"), (1 - 1e-9, ">99.99 %"), (0.005, "0.5 %")],
)
def test_chances_are_certain_only_where_they_are(value, told):
    assert percent(value) == told


def test_threads_draw_beside_each_other_as_one_after_the_other():
    """Settings of matplotlib are global: without a lock one thread draws in another's style."""
    chart = sample("tornado")
    alone = {style: rendered(chart, FOOTER.line, "svg", style=style) for style in STYLES}
    with ThreadPoolExecutor(4) as pool:
        asked = [style for _ in range(6) for style in STYLES]
        drawn = list(pool.map(lambda s: rendered(chart, FOOTER.line, "svg", style=s), asked))
    assert all(picture == alone[style] for style, picture in zip(asked, drawn, strict=True))
