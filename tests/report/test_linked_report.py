"""Efficiency against win rates: the right numbers beside each other, with plain warnings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from killcurve.report.linked import WARNING, linked_report
from killcurve.report.linked_numbers import (
    joined,
    of_factions,
    spearman,
    units_of_study,
    units_of_sweep,
)
from killcurve.report.writing import write
from killcurve.sources.results import read_results
from killcurve.study.efficiency import efficiency
from killcurve.study.lines import attacker
from killcurve.study.sweep.load import Sweep
from killcurve.study.targets import standard_targets
from killcurve.tables.dataset import DataError
from scipy.stats import spearmanr

from tests.report import inventing

FACTIONS = ["Orks", "Necrons", "Drukhari", "Aeldari", "Tyranids", "Grey Knights"]
VALUES = {name: 10.0 - place for place, name in enumerate(FACTIONS)}


@pytest.fixture(scope="module")
def games(dataset, tmp_path_factory):
    rows = inventing.rows(FACTIONS)
    path = inventing.write(tmp_path_factory.mktemp("tables") / "games.csv", rows)
    return read_results([path], edition="11e", factions=dataset["factions"]["faction"])


def swept(dataset, edition: str = "11e") -> Sweep:
    """A sweep of invented outcomes: each faction's units do what :data:`VALUES` says, and one."""
    targets = dataset.target_profiles.select(target_faction="faction", target="datasheet")
    lines = [
        (faction, f"{faction} {unit}", line, help_, default, context)
        for faction in FACTIONS
        for unit in range(3)
        for line, help_, default, context in (
            (0.5, "none", True, ""), (1.0, "none", True, ""), (9.0, "stratagem", True, ""),
            (9.0, "none", False, ""), (9.0, "none", True, "half_range"),
        )
    ]  # fmt: skip
    schema = ["faction", "datasheet", "line", "help", "default", "context"]
    frame = pl.DataFrame(lines, schema=schema, orient="row").join(targets, how="cross")
    value = pl.col("faction").replace_strict(VALUES) * pl.col("line")
    shift = pl.col("datasheet").str.slice(-1).cast(pl.Float64) - 1
    frame = frame.with_columns(points_removed_per_100=value + shift, target_help=pl.lit("none"))
    other = frame.head(1).with_columns(target=pl.lit("Mole"), points_removed_per_100=pl.lit(99.0))
    none = pl.LazyFrame()
    about = {"edition": edition, "data": {"source": "a sweep", "version": "2", "date": "2026-08-20",
                                          "edition": edition, "licence": ""}}  # fmt: skip
    return Sweep(pl.concat([frame, other]).lazy(), none, none, none, none, none, about)


def test_units_of_a_sweep_are_their_best_default_lines_without_help(dataset):
    units = units_of_sweep(swept(dataset), dataset)
    assert units.height == 3 * len(FACTIONS)
    for row in units.rows(named=True):
        shift = int(row["datasheet"][-1]) - 1
        assert row["value"] == pytest.approx(VALUES[row["faction"]] + shift)
        assert row["targets"] == dataset.target_profiles.height
    medians = of_factions(units)
    assert dict(medians.select("faction", "efficiency").iter_rows()) == pytest.approx(VALUES)


def test_units_of_a_study_are_the_same_measure(dataset):
    units = units_of_study(dataset, ["genestealer cults"])
    assert set(units["faction"]) == {"Genestealer Cults"}
    row = units.row(3, named=True)
    unit = attacker(dataset, row["datasheet"], row["faction"])
    rows = efficiency([unit], standard_targets(dataset))
    best = rows.group_by("target").agg(pl.col("points_removed_per_100").max())
    assert row["value"] == pytest.approx(best["points_removed_per_100"].mean(), abs=1e-12)


def test_the_correlation_is_spearmans_and_repeats():
    rng = np.random.default_rng(1)
    x = rng.integers(0, 9, 20).astype(float)  # with ties
    y = x + rng.normal(0, 3, 20)
    found = spearman(x, y)
    assert found.rho == pytest.approx(spearmanr(x, y).statistic, abs=1e-10)
    assert found == spearman(x, y)
    assert found.low < found.rho < found.high < 1
    assert found.low != spearman(x, y, seed=2).low
    few = spearman(x[:4], y[:4])
    assert few.rho is not None
    assert few.low is None
    assert spearman(np.ones(9), y[:9]).rho is None


def test_the_report_tells_both_sides_and_warns(games, dataset, tmp_path):
    report = linked_report(games, dataset, swept(dataset))
    frame = report.frames["linked"]
    assert frame.height == len(FACTIONS)
    wanted = spearmanr(frame["efficiency"], frame["shrunk"]).statistic
    assert any(f"{wanted:+.2f}".replace("-", "−") in sentence for sentence in report.summary)
    assert WARNING in report.summary
    assert "a sweep 2 of 2026-08-20, 11th edition" in report.source
    assert "of 2026-09-26" in report.source
    page = write(report, tmp_path / "report", pdf=False).read_text(encoding="utf-8")
    assert "A correlation is no cause" in page
    assert "games: 11th edition, rules: 11th edition of 2026-08-20" in page
    assert inventing.PLAYER not in page


def test_editions_that_differ_are_refused_or_told(games, dataset):
    old = swept(dataset, "10e")
    with pytest.raises(DataError, match=r"games are of the 11th edition, the rules of the 10th"):
        linked_report(games, dataset, old)
    report = linked_report(games, dataset, old, mixed_editions=True)
    assert report.summary[0].startswith("Editions differ")
    assert report.figures[0].chart.subtitle.startswith("EDITIONS DIFFER")
    unnamed = replace(games, games=games.games.with_columns(edition=pl.lit(None, pl.String)))
    told = linked_report(unnamed, dataset, swept(dataset)).summary[0]
    assert "name no edition" in told


def test_games_before_the_rules_are_told(games, dataset):
    early = replace(games, games=games.games.with_columns(pl.col("date").dt.offset_by("-14d")))
    told = linked_report(early, dataset, swept(dataset)).summary[0]
    share = (early.games["date"].cast(pl.String) < "2026-08-20").mean()
    assert 0 < share < 1
    assert told.startswith(f"{100 * share:.0f} % of the games were played before 2026-08-20")


def test_factions_without_enough_games_or_units_are_left_out(games, dataset):
    rates = pl.DataFrame({
        "faction": ["Orks", "ORKS BOYZ", "Necrons"], "games": [50, 50, 3],
        "shrunk": [0.5] * 3, "low": [0.4] * 3, "high": [0.6] * 3, "enough": [True, True, False],
    })  # fmt: skip
    factions = of_factions(units_of_sweep(swept(dataset), dataset))
    assert joined(rates, factions)["faction"].to_list() == ["Orks"]
    lone = replace(games, games=games.games.head(20))
    with pytest.raises(DataError, match="a comparison needs three"):
        linked_report(lone, dataset, swept(dataset))
