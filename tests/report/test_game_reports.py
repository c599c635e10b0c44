"""Reports on factions, the game and lists: ranked as the studies say, changes told, honest."""

from __future__ import annotations

import re
from dataclasses import replace

import polars as pl
import pytest
from killcurve.report import outliers
from killcurve.report.army_list import army_report
from killcurve.report.faction import faction_report
from killcurve.report.meta import meta_report
from killcurve.report.printing import NoPrinter, as_pdf
from killcurve.report.unit_words import points
from killcurve.report.writing import write
from killcurve.study.matrix import combatants
from killcurve.study.panel import means, strikes
from killcurve.tables.dataset import DataError

from tests.conftest import SHARED, needs_shared

KEPT = {
    "Orks": ["Boyz", "Gretchin", "Warboss", "Nobz", "Meganobz", "Stormboyz"],
    "Necrons": ["Royal Warden", "Immortals", "Necron Warriors", "Lychguard", "Overlord"],
}


@pytest.fixture(scope="module")
def small(dataset):
    """Two factions of a few units, and two standard targets."""
    names = [name for some in KEPT.values() for name in some]
    mine = pl.col("faction").is_in(list(KEPT)) & pl.col("datasheet").is_in(names)
    panel = dataset.target_profiles.head(2)
    theirs = pl.struct("faction", "datasheet").is_in(
        panel.select(pl.struct("faction", "datasheet")).to_series().implode()
    )
    tables = {
        table: frame.filter(mine | theirs) if "datasheet" in frame.columns else frame
        for table, frame in dataset.tables.items()
    }
    return replace(dataset, tables={**tables, "target_profiles": panel})


@pytest.fixture(scope="module")
def cheaper(small):
    """The same, as it was when Boyz cost 5 points less and Nobz 10 more."""
    name = pl.col("datasheet")
    change = pl.when(name == "Boyz").then(-5).when(name == "Nobz").then(10).otherwise(0)
    old = small.points.with_columns(cost=pl.col("cost") + change)
    return replace(small, tables={**small.tables, "points": old})


@pytest.fixture(scope="module")
def orks(small, cheaper):
    return faction_report(small, "orks", since=cheaper)


@pytest.fixture(scope="module")
def game(small, cheaper):
    return meta_report(small, since=cheaper)


def test_a_faction_is_ranked_as_the_study_says(small, orks):
    from killcurve.report.account import panel

    alone = means(strikes(combatants(small, "Orks"), panel(small)))
    ranks = orks.frames["attack"]
    assert ranks["value"].is_sorted(descending=True)
    assert dict(ranks.select("unit", "value").rows()) == pytest.approx(
        dict(alone.select("unit", "value").rows()), abs=1e-9
    )
    best, last = ranks.row(0, named=True), ranks.row(-1, named=True)
    assert f"{best['unit']} does most for its points: {points(best['value'])} " in orks.summary[0]
    assert f"{last['unit']} stands last" in orks.summary[1]
    tough = orks.frames["durability"]
    assert tough["value"].is_sorted()
    assert any(told.startswith(f"{tough['unit'][0]} withstands most") for told in orks.summary)


def test_a_faction_and_the_game_agree(orks, game):
    mine = game.frames["attack"].filter(faction="Orks")
    both = mine.join(orks.frames["attack"], on="unit", suffix="_f")
    assert both.height == len(KEPT["Orks"])
    assert (both["value"] - both["value_f"]).abs().max() < 1e-9


def test_stratagems_are_gathered_over_units(orks):
    worth, paid = orks.frames["rules-worth"], orks.frames["stratagems"]
    row = paid.filter(pl.col("side") == "attacker").row(0, named=True)
    rows = worth.filter(
        (pl.col("side") == "attacker")
        & (pl.col("name").str.to_lowercase() == row["name"].lower())
        & pl.col("gain_points_removed_per_cp").is_not_null()
    )
    gains = rows["gain_points_removed_per_cp"]
    assert row["users"] == rows["unit"].n_unique()
    assert row["median"] == pytest.approx(gains.filter(gains > 1e-9).median())
    assert row["best_gain"] == pytest.approx(gains.max())
    key = ["unit", "against", "phase"]
    again = worth.filter(name="COMMAND RE-ROLL", side="attacker")
    both = rows.join(again.select(*key, again="gain_points_removed_per_cp"), on=key)
    assert both.height == rows.height
    assert row["beats"] == (both["gain_points_removed_per_cp"] > both["again"] + 1e-9).sum() > 0
    assert any(row["name"] in told for told in orks.summary)


def test_changes_of_prices_are_told(orks, game):
    told = orks.summary[-1]
    assert "2 units changed in price: 1 became dearer, 1 cheaper" in told
    assert "The largest change is Nobz (5 models)" in told
    for made in (orks, game):
        rows = made.frames["changes"].filter(datasheet="Boyz", what="10 models")
        assert rows.select("old", "new", "change").rows() == [("70", "75", 5)]


def test_the_field_is_told_target_by_target(game):
    rows = game.frames["attacks"].filter("best")
    for row in game.frames["field-by-target"].rows(named=True):
        values = rows.filter(target=row["target"])["points_of_wounds_per_100"]
        assert row["p50"] == pytest.approx(values.median())
        assert row["highest"] == pytest.approx(values.max())
        assert row["p10"] <= row["p25"] <= row["p50"] <= row["p75"] <= row["p90"]
    ranks = game.frames["attack"]
    best = ranks.sort("value", descending=True).row(0, named=True)
    assert f"{best['unit']} ({best['faction']}) does most" in game.summary[0]


def test_the_faction_named_first_has_the_highest_median(game):
    rows = game.frames["attack"].group_by("faction").agg(
        pl.col("value").median(), pl.len().alias("n"))  # fmt: skip
    first = rows.filter(pl.col("n") >= 5).sort("value", descending=True)["faction"][0]
    assert any(f"median of its units {first} stands first" in told for told in game.summary)


def test_outliers_are_measured_by_the_middle_of_the_field():
    values = [2.0**k for k in (3, 4, 4, 5, 5, 5, 6, 6, 7, 40)]
    made = outliers.standing(pl.DataFrame({"value": values}), "value")
    assert made["outlier"].to_list() == [False] * 9 + [True]
    # The median of the logarithms is 5, that of the distances from it 1.
    assert made["z"][-1] == pytest.approx(35 / outliers.TO_SD)
    assert made["z"][4] == 0


def test_what_surprises_among_few_need_not_among_many():
    few = outliers.standing(pl.DataFrame({"value": [1.0, 2.0, 4.0] * 2 + [64.0]}), "value")
    many = outliers.standing(pl.DataFrame({"value": [1.0, 2.0, 4.0] * 500 + [64.0]}), "value")
    assert few["z"][-1] == pytest.approx(many["z"][-1])
    assert (few["outlier"].sum(), many["outlier"].sum()) == (1, 0)


def test_a_value_of_nought_has_no_standing():
    made = outliers.standing(pl.DataFrame({"value": [0.0, 1.0, 2.0, 4.0]}), "value")
    assert made["z"][0] is None


def test_equal_units_of_several_factions_count_once():
    row = {"unit": "Mole", "models": 1, "points": 50, "value": 3.0}
    frame = pl.DataFrame(
        [{"faction": f, **row} for f in "AB"] + [{"faction": "C", **row, "points": 60}]
    )
    assert outliers.once(frame)["faction"].to_list() == ["A", "C"]


@pytest.mark.parametrize(
    ("emptied", "words"),
    [(["points"], "no costs"), (["weapons", "models"], "no weapons and no stat lines")],
)
def test_what_cannot_be_ranked_is_told(small, emptied, words):
    lacking = {t: small[t].filter(~pl.col("faction").is_in(list(KEPT))) for t in emptied}
    poor = replace(small, tables={**small.tables, **lacking})
    with pytest.raises(DataError, match=words):
        faction_report(poor, "Orks")


def test_an_unknown_faction_is_told_with_the_closest(small):
    with pytest.raises(DataError, match="did you mean 'Orks'"):
        faction_report(small, "Orkz")


def test_what_is_not_computed_is_named(game):
    rules = [r for rows in game.frames["attacks"]["left_out"].to_list() for r in rows]
    named = game.frames["not-computed"]
    assert rules
    assert set(rules) <= set(named["rule"])
    section = next(s for s in game.sections if s.heading == "What is not computed")
    assert section.tables[0].frame["rule"].to_list() == named["rule"].head(60).to_list()
    assert any("Rules that bear on attacks" in told for told in game.made)


def test_the_report_on_the_game_is_a_whole_folder(game, tmp_path):
    page = write(game, tmp_path / "meta")
    text = page.read_text(encoding="utf-8")
    assert not re.search(r'(?:src|href)="(?!data:)[^"]*//', text)
    for name in game.frames:
        assert (page.parent / "data" / f"{name}.csv").is_file()
    shown = {figure.stem for figure in game.figures}
    assert {"attack", "field-by-target", "durability", "points-changes"} <= shown
    try:
        as_pdf("<p>Moles</p>")
    except NoPrinter:
        return
    assert (page.parent / "report.pdf").read_bytes().startswith(b"%PDF")


def test_work_stops_where_it_is_told(small):
    class Enough(Exception):
        pass

    def stop(step):
        raise Enough(step)

    with pytest.raises(Enough, match="equipping its units"):
        meta_report(small, tell=stop)


@needs_shared
def test_a_list_is_reported(dataset):
    from killcurve.sources.rosters import read_rosters
    from killcurve.study.armies import army, output
    from killcurve.study.targets import standard_targets

    path = SHARED / "real" / "rosters" / "listforge-grey-knights-11e.json"
    lists, _ = read_rosters([path], dataset)
    few = dataset.target_profiles.head(2)
    tables = {**dataset.tables, **lists.tables, "target_profiles": few}
    whole = replace(dataset, tables=tables)
    found = army(whole, lists["rosters"]["roster"][0])
    made = army_report(whole, found)
    assert made.frames["output"].equals(output(found, standard_targets(whole)))
    top = made.frames["output"].filter(unit=0).sort("points_of_wounds_per_100", descending=True)
    assert f"most for its points to {top['target'][0]}" in made.summary[1]
    hardest = made.frames["redundancy"].filter(copies=1).sort("best")["target"][0]
    assert f"destroys a {hardest}" in made.summary[-1]
    left = [unit.name for unit in found.units if unit.fielded is None]
    words = " ".join(p for s in made.sections for p in s.paragraphs)
    assert all(name in words for name in left)
