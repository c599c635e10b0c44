"""Every kind of chart in every size: exact, nothing cut, nothing on top of other words."""

from __future__ import annotations

import inspect

import polars as pl
import pytest
from killcurve.charts.export import finished, rendered, rendered_as
from killcurve.charts.kinds import KINDS, kind, listing, make
from killcurve.charts.presets import PRESETS
from killcurve.charts.samples import FACTIONS, FOOTER, SAMPLES, TARGETS, UNITS, sample
from killcurve.charts.style import house_style
from killcurve.tables.dataset import DataError

from tests.charts.reading import faults, words

PIXELS = {
    "web": (1200, 675), "web2x": (2400, 1350), "social": (1200, 630), "square": (1080, 1080),
    "story": (1080, 1920), "slide": (1920, 1080), "print": (2480, 1748),
}  # fmt: skip
PHONE = 375
ARRANGED = [name for name in PRESETS if name != "web2x"]

HOSTILE = (
    "$x^2$ and $\\frac{1}{", "<b>&amp;</b><script>alert(1)</script>", "שלום لعالم", "Moles \U0001f480\U0001f9d9\u200d♂️",
    "W" * 200, "a\nb\tc\x00\x07", "\u202eright to left", "", "%s {0} \\n \\\\", "Name " * 40,
)  # fmt: skip


@pytest.fixture(scope="module")
def charts():
    return {name: sample(name) for name in KINDS}


def drawn(chart, preset, style="light"):
    with house_style(style):
        figure = finished(chart, FOOTER.line, PRESETS[preset])
        shown = words(figure)
        return figure, faults(figure, shown), shown


def test_every_kind_has_a_sample_with_long_names():
    assert set(SAMPLES) == set(KINDS)
    assert {name: (p.width, p.height) for name, p in PRESETS.items()} == PIXELS
    assert max(map(len, (*UNITS, *FACTIONS, *TARGETS))) >= 55


@pytest.mark.parametrize("preset", ARRANGED)
@pytest.mark.parametrize("name", KINDS)
def test_pixels_are_exact_and_words_are_whole_and_apart(charts, name, preset):
    figure, wrong, shown = drawn(charts[name], preset)
    assert tuple(figure.get_size_inches() * figure.dpi) == pytest.approx(PIXELS[preset], abs=1e-6)
    assert not wrong
    smallest = min(text.get_size() for text, _ in shown) * figure.dpi / 72
    assert smallest * 72 / figure.dpi >= 10
    if preset in {"square", "story"}:
        assert smallest * PHONE / PIXELS[preset][0] >= 11


def test_dense_screens_show_the_same_picture():
    one, two = PRESETS["web"], PRESETS["web2x"]
    assert (2 * one.width, 2 * one.height, 2 * one.dpi) == (two.width, two.height, two.dpi)


def test_what_apps_lay_over_a_story_is_kept_free(charts):
    story = PRESETS["story"]
    for name in ("forest", "heat-map"):
        _, _, shown = drawn(charts[name], "story")
        assert min(box.y0 for _, box in shown) >= 200
        assert max(box.y1 for _, box in shown) <= story.height - 200


@pytest.mark.parametrize("name", KINDS)
def test_the_words_say_what_is_seen(charts, name):
    chart = charts[name]
    assert any(c.isdigit() for c in chart.title), "the title states no finding"
    assert len(chart.alt) > 60
    assert chart.subtitle != chart.title
    assert chart.data.height > 0
    assert chart.made.kind == name


@pytest.mark.parametrize("name", KINDS)
def test_hostile_names_are_drawn_harmlessly_and_kept_whole(name):
    make_frame, settings = SAMPLES[name]
    frame = make_frame()
    mapped = {}
    for column in (c for c, of in frame.schema.items() if of == pl.String and c != "kind"):
        old = frame[column].unique(maintain_order=True).drop_nulls().to_list()
        if not old[0].isdecimal():
            mapped |= {
                o: HOSTILE[i % len(HOSTILE)] + "\u2060" * (i // len(HOSTILE))
                for i, o in enumerate(old)
            }
    frame = frame.with_columns(
        pl.col(c).replace(mapped) for c, of in frame.schema.items() if of == pl.String
    )
    words_too = {s: HOSTILE[0] if isinstance(v, str) else v for s, v in settings.items()}
    chart = make(name, frame, **words_too)
    for preset in ("square", "web"):
        figure, wrong, shown = drawn(chart, preset, "dark")
        assert not wrong
        assert not any(text.get_parse_math() for text, _ in shown)
        del figure
    strings = [c for c, of in chart.data.schema.items() if of == pl.String]
    held = {v for c in strings for v in chart.data[c] if v is not None}
    if name not in {"funnel", "exchange-joint", "breakpoints"} and strings:
        assert any(h in value for value in held for h in HOSTILE[:7])


def test_more_than_has_room_is_left_out_and_said():
    frame = pl.DataFrame(
        {"datasheet": [f"Mole number {i}" for i in range(90)], "points_removed_per_100": range(90)}
    )
    chart = make("ranked-bars", frame)
    for preset in ("web", "square"):
        _, wrong, shown = drawn(chart, preset)
        assert not wrong
        assert any("of 90 rows shown" in text.get_text() for text, _ in shown)
    assert chart.data.height == 90
    wide = pl.DataFrame(
        [(f"row {i}", f"column {j}", float(i + j)) for i in range(60) for j in range(40)],
        schema=("attacker", "target", "points_removed_per_100"), orient="row",
    )  # fmt: skip
    _, wrong, shown = drawn(make("heat-map", wide), "square")
    assert not wrong
    assert any("of 60 rows shown" in text.get_text() for text, _ in shown)
    assert any("of 40 columns shown" in text.get_text() for text, _ in shown)


@pytest.mark.parametrize("name", KINDS)
def test_small_frames_are_charts_too(name):
    make_frame, settings = SAMPLES[name]
    frame = make_frame()
    first = frame.filter(pl.col("k") == 1) if name == "survival" else frame
    _, wrong, _ = drawn(make(name, first.head(1), **settings), "square")
    assert not wrong


@pytest.mark.parametrize("name", KINDS)
def test_the_order_of_rows_decides_nothing(charts, name):
    if name in {"funnel", "efficiency", "survival"}:
        pytest.skip("its rows have an order of their own")
    make_frame, settings = SAMPLES[name]
    turned = make(name, make_frame().reverse(), **settings)
    assert (turned.title, turned.alt) == (charts[name].title, charts[name].alt)


def test_a_missing_column_is_told_with_near_names():
    frame = pl.DataFrame({"atacker": ["Mole"], "target": ["Newt"], "log_ratio": [0.1]})
    with pytest.raises(DataError, match=r"attacker.*did you mean 'atacker'.*row=COLUMN"):
        make("log-ratio", frame)
    assert make("log-ratio", frame, row="atacker").data.height == 1
    with pytest.raises(DataError, match="no setting 'rwo'; did you mean 'row'"):
        make("log-ratio", frame, rwo="atacker")
    with pytest.raises(DataError, match="no kind of chart 'pie'"):
        make("pie", frame)
    with pytest.raises(DataError, match="no rows"):
        make("heat-map", frame.clear(), row="atacker", value="log_ratio")
    with pytest.raises(DataError, match="share is yes or no, not 'maybe'"):
        make("heat-map", frame, row="atacker", value="log_ratio", share="maybe")
    with pytest.raises(DataError, match=r"low.*column 'lwo'"):
        make("ranked-bars", frame, name="target", value="log_ratio", low="lwo")


def test_kinds_tell_their_columns():
    told = {row["kind"]: row for row in listing().rows(named=True)}
    assert told["log-ratio"]["columns"] == "row=attacker, column=target, value=log_ratio"
    assert told["ranked-bars"]["also"] == "low=low, high=high, detail=detail"
    assert "conditions" in told["tornado"]["settings"]
    for name in KINDS:
        assert all(kind(name).needs.values()), name
        assert inspect.getdoc(kind(name).function)


@pytest.mark.parametrize("name", KINDS)
def test_drawn_once_the_files_are_those_drawn_one_by_one(name):
    chart, formats = sample(name), ("png", "svg", "pdf")
    together = rendered_as(chart, FOOTER.line, formats)
    assert together == {form: rendered(chart, FOOTER.line, form) for form in formats}
