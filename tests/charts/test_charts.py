"""Charts: exact pixels, the same bytes, alt text, nothing clipped."""

from __future__ import annotations

import polars as pl
import pytest
from killcurve.charts.export import export, finished, rendered
from killcurve.charts.heatmap import efficiency_heatmap
from killcurve.charts.stratagems import ranked_stratagems
from killcurve.charts.style import house_style
from killcurve.charts.survival import survival_curves
from killcurve.study.armed import combatant, standard_combatants
from killcurve.study.efficiency import efficiency
from killcurve.study.lines import attacker
from killcurve.study.matchup import attack
from killcurve.study.survival import survival
from killcurve.study.targets import standard_targets
from killcurve.study.worth import COLUMNS, rules_worth
from killcurve.tables.dataset import DataError
from matplotlib.image import imread

from tests.charts.reading import faults, words

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
    boat = combatant(dataset, "Raider")
    value = pl.concat(
        rules_worth(dataset, boat, each, "shooting", sides=["attacker"]).with_columns(
            target=pl.lit(each.name)
        )
        for each in standard_combatants(dataset)
    )
    return {
        "heatmap": efficiency_heatmap(efficiency(units, targets)),
        "survival": survival_curves(survival(laws, 5), "Raider", targets[1].name),
        "stratagems": ranked_stratagems(value),
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
    stratagems = charts["stratagems"]
    assert "is worth most to Raider" in stratagems.title
    assert stratagems.title.endswith("points removed per command point")
    assert "mean over 11 targets" in stratagems.subtitle
    assert stratagems.data["gain"].is_sorted(descending=True)
    assert stratagems.data["targets"].unique().to_list() == [11]


def test_a_frame_without_costs_says_so(dataset):
    frame = efficiency([attacker(dataset, "Raider")], standard_targets(dataset)[:1])
    without = frame.with_columns(pl.lit(None, pl.Float64).alias("points_removed_per_100"))
    with pytest.raises(ValueError, match="has a cost"):
        efficiency_heatmap(without)
    with pytest.raises(ValueError, match="no stratagem bears on the attacks of Raider"):
        ranked_stratagems(pl.DataFrame(schema=COLUMNS), "Raider")


GAINS = (
    ("attacker", "stratagem", "AIM", "", 1, "Newts", 3.0),
    ("attacker", "stratagem", "AIM", "", 1, "Voles", 1.0),
    ("attacker", "stratagem", "DIG DEEP", "Tunnels", 2, "Newts", 0.5),
    ("attacker", "stratagem", "DIG DEEP", "Tunnels", 2, "Voles", None),
    ("attacker", "stratagem", "VAIN", "", 1, "Newts", 0.0),
    ("attacker", "stratagem", "VAIN", "", 1, "Voles", 0.0),
    ("attacker", "detachment", "Tunnels", "Tunnels", 1, "Newts", 9.0),
    ("defender", "stratagem", "AIM", "", 1, "Newts", 4.0),
    ("defender", "stratagem", "AIM", "", 1, "Voles", 5.0),
)


def gains(*sides):
    """Rows as of :func:`rules_worth` for two targets; units of the defender's rows are those."""
    names = ("side", "kind", "name", "detachment", "cp", "target", "gain_points_removed_per_cp")
    unit = pl.when(side="attacker").then(pl.lit("Moles")).otherwise("target").alias("unit")
    frame = pl.DataFrame(GAINS, schema=names, orient="row").with_columns(unit)
    return frame.filter(pl.col("side").is_in(sides))


def told(chart):
    return chart.data.select("name", "gain", "low", "high", "targets").rows()


def test_stratagems_are_valued_over_their_targets():
    chart = ranked_stratagems(gains("attacker"))
    assert told(chart) == [("AIM", 2.0, 1.0, 3.0, 2), ("DIG DEEP", 0.5, 0.5, 0.5, 1)]
    assert chart.title == "Aim is worth most to Moles: 2 points removed per command point"
    assert chart.subtitle == (
        "Expected points removed more than without it, per CP, mean over 2 targets (whiskers: the "
        "least and the most of them); its conditions are taken to hold · 1 more adds less"
    )
    assert chart.alt == (
        "Bars of 2 stratagems. Aim 2 (1 to 3); Dig Deep 0.50 (0.50 to 0.50) points removed per "
        "command point."
    )
    turned = ranked_stratagems(gains("attacker").reverse())
    assert (told(turned), turned.alt) == (told(chart), chart.alt)
    with house_style():
        figure = finished(chart, FOOTER)
        assert any("1 of 2 targets" in text.get_text() for text, _ in words(figure))


def test_stratagems_against_one_target():
    one = gains("attacker").filter(target="Newts")
    named, bare = ranked_stratagems(one, "Digger"), ranked_stratagems(one.drop("target", "kind"))
    assert named.title == "Aim is worth most to Digger: 3 points removed per command point"
    assert "per CP, target: Newts; its conditions" in named.subtitle
    assert "(" not in named.alt
    assert bare.title == "Tunnels is worth most to Moles: 9 points removed per command point"
    assert "per CP; its conditions" in bare.subtitle
    assert told(bare)[1] == ("AIM", 3.0, 3.0, 3.0, 1)
    with house_style():
        assert not faults(finished(bare, FOOTER))


def test_stratagems_of_who_is_attacked_spare_points():
    chart = ranked_stratagems(gains("defender"))
    assert chart.title == "Aim is worth most to the target: 4.5 points spared per command point"
    assert chart.subtitle.startswith("Expected points spared more than without it")
    both = ranked_stratagems(gains("attacker", "defender"), "Moles")
    assert both.title == chart.title
    assert "Aim as defender 4.5 (4 to 5); Aim as attacker 2 (1 to 3)" in both.alt
    assert both.alt.endswith("points removed or spared per command point.")


def test_stratagems_that_are_worth_nothing():
    chart = ranked_stratagems(gains("attacker").filter(name="VAIN"), "Moles")
    assert chart.title == "No stratagem is worth a point to Moles in these attacks"
    with house_style():
        assert not faults(finished(chart, FOOTER))
    with pytest.raises(DataError, match="column 'kind' has no 'stratagem' but detachment"):
        ranked_stratagems(gains("attacker").filter(kind="detachment"))


def test_options_that_differ_by_target_are_all_told():
    differing = [["hit +1"], ["lethal hits", "ap +1"], ["hit +1"]]
    frame = gains("attacker").head(2)
    frame = pl.concat([frame, frame.head(1).with_columns(target=pl.lit("Rats"))])
    chart = ranked_stratagems(frame.with_columns(effects=pl.Series(differing)))
    assert chart.data["effects"].to_list() == ["hit +1 or lethal hits, ap +1"]


def test_a_stratagem_is_counted_once_for_each_target():
    rows = gains("attacker")
    with pytest.raises(DataError, match=r"several rows for AIM, 1, attacker, Newts.*one unit"):
        ranked_stratagems(pl.concat([rows, rows]))
    with pytest.raises(DataError, match=r"several rows for AIM, 1, attacker,.*over=COLUMN"):
        ranked_stratagems(rows.drop("target"))
