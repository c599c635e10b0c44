"""Reports on units, on two of them, and on editions: numbers of the studies, sentences that hold."""

from __future__ import annotations

import re
from dataclasses import replace

import polars as pl
import pytest
from killcurve.report import account
from killcurve.report.editions import editions_report
from killcurve.report.matchup import matchup_report
from killcurve.report.unit import unit_report
from killcurve.report.unit_words import points
from killcurve.report.writing import write
from killcurve.study.armed import combatant
from killcurve.study.efficiency import unit_efficiency
from killcurve.study.panel import strikes
from killcurve.study.worth import rules_worth
from killcurve.tables.dataset import DataError

PER_100 = "points_of_wounds_per_100"


def without(dataset, *tables):
    """The dataset with some tables emptied."""
    return replace(dataset, tables={**dataset.tables, **{t: dataset[t].clear() for t in tables}})


@pytest.fixture(scope="module")
def few(dataset):
    """The embedded data with only three standard targets."""
    some = dataset.target_profiles.head(3)
    return replace(dataset, tables={**dataset.tables, "target_profiles": some})


@pytest.fixture(scope="module")
def unit(few):
    return unit_report(few, ["Boyz:20"])


@pytest.fixture(scope="module")
def matchup(few):
    return matchup_report(few, "Boyz", "Intercessor Squad")


@pytest.fixture(scope="module")
def editions(few):
    return editions_report(few, ["Intercessor Squad"])


def test_the_numbers_are_those_of_the_studies(few, unit):
    boyz = combatant(few, "Boyz", models=20, label="Boyz (20)")
    others = account.panel(few)
    alone = unit_efficiency([boyz], [other.target for other in others])
    assert unit.frames["efficiency"].equals(alone)
    worth = unit.frames["rules-worth"].filter(pl.col("side") == "attacker")
    target = next(o for o in others if o.name == worth["against"][0])
    asked = rules_worth(few, boyz, target, worth["phase"][0], sides=["attacker"])
    gains = dict(asked.filter(kind="stratagem").select("name", "gain_points_removed").rows())
    mine = dict(worth.filter(kind="stratagem").select("name", "gain_points_removed").rows())
    assert mine
    assert mine.items() <= gains.items()


def test_the_summary_names_the_best_and_the_worst_target(unit):
    rows = unit.frames["attacks"].filter("best").sort(PER_100)
    worst, best = rows.row(0, named=True), rows.row(-1, named=True)
    assert f"most for its points to {best['target']}: {points(best[PER_100])} " in unit.summary[0]
    assert f"least to {worst['target']}, {points(worst[PER_100])}." in unit.summary[0]
    assert "20 models, 160 points" in unit.summary[0]
    threat = unit.frames["attacks-on-it"].filter("best").sort(PER_100).row(-1, named=True)
    assert f"{threat['attacker']} does most to Boyz (20)" in unit.summary[1]


def test_the_summary_tells_how_many_attacks_it_takes(unit):
    found = re.search(r"; (\d+) such attacks destroy it with 90 % or more", unit.summary[1])
    threat = unit.frames["attacks-on-it"].filter("best").sort(PER_100).row(-1, named=True)
    rows = unit.frames["durability"].filter(
        (pl.col("attacker") == threat["attacker"])
        & (pl.col("phase") == threat["phase"])
        & (pl.col("scope") == "unit")
        & (pl.col("chance") == 0.9)
    )
    assert int(found[1]) == rows["units"].item()


def test_the_stratagem_that_is_named_gains_most(unit):
    worth = unit.frames["rules-worth"].filter(side="attacker", kind="stratagem")
    best = worth.sort("gain_points_removed_per_cp", descending=True, nulls_last=True)["name"][0]
    assert best.casefold() in unit.summary[2].casefold()
    assert worth.filter(pl.col("effects").list.join(" ").str.contains("snap shooting")).is_empty()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda d: unit_report(d, ["Boyzz"]), "did you mean 'Boyz'"),
        (lambda d: unit_report(d, []), "name at least one unit"),
        (lambda d: matchup_report(d, "Boyz", "Boyz"), "named twice"),
        (lambda d: editions_report(d, ["Boyz@Orkz"]), "no faction 'Orkz'"),
        (lambda d: unit_report(without(d, "weapons", "models"), ["Boyz"]),
         "neither weapons nor a stat line"),
        (lambda d: editions_report(without(d, "weapons"), ["Boyz"]), "no weapons of Boyz"),
        (lambda d: matchup_report(without(d, "models"), "Boyz", "Raider"), "no stat line"),
    ],
)  # fmt: skip
def test_what_cannot_be_reported_is_told(few, make, words):
    few = replace(few, tables={**few.tables, "target_profiles": few.target_profiles.clear()})
    with pytest.raises(DataError, match=words):
        make(few)


def test_without_costs_nothing_is_told_per_point(few):
    free = without(few, "points")
    made = unit_report(replace(free, tables={**free.tables, "target_profiles":
                                             free.target_profiles.head(1)}), ["Boyz"])  # fmt: skip
    assert "without a cost nothing can be told per point" in made.summary[0]


def test_a_match_up_tells_both_directions(matchup):
    rows = matchup.frames["efficiency"]
    assert set(rows["attacker"]) == {"Boyz", "Intercessor Squad"}
    for name, phase in (("Boyz", "fight"), ("Intercessor Squad", "fight")):
        row = rows.filter(attacker=name, phase=phase).row(0, named=True)
        assert any(
            told.startswith(f"{name} fighting takes {row['damage']:.1f} wounds")
            for told in matchup.summary
        )


def test_point_for_point_the_ratio_is_that_of_the_numbers(few, matchup):
    found = re.search(r"^Point for point (.+) does ([\d.]+) times", matchup.summary[0])
    pair = [combatant(few, name) for name in ("Boyz", "Intercessor Squad")]
    rows = strikes(pair, pair).filter(pl.col("best") & (pl.col("attacker") != pl.col("target")))
    worth = dict(rows.select("attacker", PER_100).rows())
    assert found[1] == max(worth, key=worth.get)
    assert float(found[2]) == round(max(worth.values()) / min(worth.values()), 1)


def test_the_stages_end_in_the_damage_of_the_line(matchup):
    for name, rows in matchup.frames["stages"].group_by("attacker"):
        means = rows["mean"].to_list()
        lost = matchup.frames["efficiency"].filter(attacker=name[0])["damage"].max()
        assert 0 < means[-1] <= lost + 1e-9
        assert rows["stage"][0] == "attacks"


def test_who_goes_first_matters_in_the_exchange(matchup):
    last = matchup.frames["exchange"].filter(pl.col("turn") == pl.col("turn").max())
    chances = dict(
        zip(zip(last["first"], last["unit"], strict=True), last["destroyed"], strict=True)
    )
    assert chances["Boyz", "Boyz"] < chances["Intercessor Squad", "Boyz"]
    assert any("with Boyz first, Boyz is destroyed" in told for told in matchup.summary)


def test_changes_through_rules_add_up(editions):
    changes, rules = editions.frames["changes"], editions.frames["rules"]
    key = ["unit", "target", "phase", "where"]
    sums = rules.group_by(key).agg(pl.col("damage").sum())
    joined = changes.join(sums, on=key, how="left").with_columns(pl.col("damage").fill_null(0.0))
    assert (joined["change"] - joined["damage"]).abs().max() < 1e-9
    assert changes["change"].abs().max() > 0.01
    more = changes.filter(pl.col("change") >= 5e-4).height
    assert f"Of {changes.height} match-ups {more} do more damage" in editions.summary[0]


def test_pages_ask_nobody_and_show_the_numbers(editions, matchup, tmp_path):
    for made in (editions, matchup):
        first = replace(made, sections=made.sections[:1])
        page = write(first, tmp_path / "report", pdf=False).read_text(encoding="utf-8")
        links = re.findall(r'(?:src|href)="([^"]+)"', page)
        assert links
        assert not [link for link in links if "//" in link and not link.startswith("data:")]
        assert "@import" not in page
        assert "url(" not in page
    row = matchup.frames["efficiency"].row(0, named=True)
    assert f"{row['damage']:.1f}" in page
    assert pl.read_parquet(tmp_path / "report/data/efficiency.parquet").equals(
        matchup.frames["efficiency"]
    )
