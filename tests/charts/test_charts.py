"""Charts: exact pixels, the same bytes, alt text, nothing clipped."""

from __future__ import annotations

import polars as pl
import pytest
from killcurve.charts.bars import ranked_stratagems
from killcurve.charts.export import export, finished, rendered
from killcurve.charts.heatmap import efficiency_heatmap
from killcurve.charts.style import house_style
from killcurve.charts.survival import survival_curves
from killcurve.study.efficiency import efficiency
from killcurve.study.lines import attacker
from killcurve.study.matchup import attack
from killcurve.study.stratagem_value import stratagem_value
from killcurve.study.survival import survival
from killcurve.study.targets import standard_targets
from matplotlib.image import imread

from tests.charts.reading import faults

FOOTER = "Data: wh40kdc 1.4.5 of 2026-08-20 · 11th edition · the people who made it"
LONG = ("Acastus Knight Porphyrion", "Raider", "Deathwatch Terminator Squad")


@pytest.fixture(scope="module")
def charts(dataset):
    units = [attacker(dataset, name) for name in LONG]
    targets = standard_targets(dataset)
    raider = units[1]
    laws = {
        line.name: attack(raider, [line], targets[1]).outcome.slain for line in raider.default_lines
    }
    value = stratagem_value(dataset, [raider], targets)
    return {
        "heatmap": efficiency_heatmap(efficiency(units, targets)),
        "survival": survival_curves(survival(laws, 5), "Raider", targets[1].name),
        "stratagems": ranked_stratagems(value, "Raider"),
    }


@pytest.mark.parametrize("kind", ["heatmap", "survival", "stratagems"])
def test_pixels_are_exact_and_bytes_repeat(charts, kind, tmp_path):
    chart = charts[kind]
    for form in ("png", "svg"):
        assert rendered(chart, FOOTER, form) == rendered(chart, FOOTER, form)
    export(chart, tmp_path, "x", FOOTER)
    assert imread(tmp_path / "x.png").shape[:2] == (chart.height, 1200)
    assert chart.alt in (tmp_path / "x.txt").read_text()
    svg = (tmp_path / "x.svg").read_text()
    assert f"<dc:title>{chart.title.replace('&', '&amp;')}</dc:title>" in svg
    assert len(pl.read_csv(tmp_path / "x.csv")) == chart.data.height


@pytest.mark.parametrize("kind", ["heatmap", "survival", "stratagems"])
def test_no_text_is_clipped_or_overlaps(charts, kind):
    with house_style():
        assert not faults(finished(charts[kind], FOOTER))


def test_titles_state_the_finding(charts):
    assert "for each 100" in charts["heatmap"].title
    assert "%" in charts["survival"].title
    assert "per command point" in charts["stratagems"].title


def test_a_frame_without_costs_says_so(dataset):
    frame = efficiency([attacker(dataset, "Raider")], standard_targets(dataset)[:1])
    without = frame.with_columns(pl.lit(None, pl.Float64).alias("points_removed_per_100"))
    with pytest.raises(ValueError, match="has a cost"):
        efficiency_heatmap(without)
    with pytest.raises(ValueError, match="no stratagem"):
        ranked_stratagems(stratagem_value(dataset, [], []), "Raider")
