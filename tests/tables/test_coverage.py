"""How much of the rules is computed: every rule counts once, under its status."""

from __future__ import annotations

import polars as pl
from killcurve.tables.coverage import coverage, coverage_line
from killcurve.tables.schemas import STATUSES

from tests.study.test_usable_rules import moles


def test_every_rule_counts_once():
    dataset = moles()
    found = coverage(dataset)
    rows = ("stratagems", "enhancements", "detachments", "unit_abilities")
    assert found["rules"].sum() == sum(dataset[table].height for table in rows)
    assert (found.select(pl.sum_horizontal(*STATUSES)).to_series() == found["rules"]).all()
    abilities = found.row(by_predicate=pl.col("kind") == "ability", named=True)
    assert (abilities["modelled"], abilities["unmodelled"], abilities["none"]) == (6, 1, 1)
    assert abilities["source"] == "wh40kdc"


def test_one_line_leaves_out_what_bears_on_no_attack():
    told = coverage_line(moles())
    assert told == (
        "Rules that bear on attacks: 13 of 16 computed (81%), 0 in part, 1 not, 2 not read"
    )
    assert coverage_line(moles(), ["Newts"]) == "Rules that bear on attacks: none known"


def test_the_embedded_default_has_rules_of_every_faction(dataset):
    found = coverage(dataset)
    factions = set(dataset["detachments"]["faction"])
    assert factions <= set(found["faction"])
    assert found.filter(pl.col("kind") == "ability")["unread"].sum() == 0
