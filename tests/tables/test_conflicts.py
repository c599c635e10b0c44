"""Where two sources disagree, and which is used."""

from __future__ import annotations

import polars as pl
import pytest
from killcurve.study.disagreements import conflicts_in_words
from killcurve.tables.conflicts import COLUMNS, conflicts
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.precedence import Precedence

from tests.tables.changing import CLAW, MODEL, PRICE, made

COMMUNITY = made()


def told(first, second, *order):
    return conflicts(first, second, order).select("what", "column", "used", "used_source").rows()


def test_equal_values_are_no_conflict(dataset):
    assert conflicts(COMMUNITY, made("wahapedia")).is_empty()
    assert dict(conflicts(dataset, dataset).schema) == COLUMNS
    assert conflicts(dataset, dataset).is_empty()


def test_both_values_with_their_sources_and_the_one_used():
    other = made("wahapedia", "2026-03-01", models=[{**MODEL, "toughness": 5}])
    assert conflicts(COMMUNITY, other).rows() == [
        ("11e", "Moles", "Diggers", "models", "Digger", "toughness",
         "4", "wh40kdc", "1", "2026-01-01", "5", "wahapedia", "2026-03-01", "2026-01-01",
         "4", "wh40kdc", "1", "2026-01-01"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "order", "cost", "toughness"),
    [
        ("wh40kdc", "wahapedia", (), "80", "4"),
        ("wahapedia", "wh40kdc", (), "90", "5"),
        ("wh40kdc", "page", (), "90", "5"),
        ("wahapedia", "bsdata", (), "80", "4"),
        ("field manual", "page", (), "80", "5"),
        ("someone", "bsdata", (), "90", "5"),
        ("wh40kdc", "wahapedia", ("wahapedia",), "90", "5"),
        ("page", "field manual", ("page",), "80", "4"),
    ],
)
def test_precedence(first, second, order, cost, toughness):
    one = made(first)
    two = made(second, points=[{**PRICE, "cost": 90}], models=[{**MODEL, "toughness": 5}])
    assert [row[2] for row in told(one, two, *order)] == [toughness, cost]


@pytest.mark.parametrize(
    ("one", "two", "used"), [("1.4.3", "1.4.5", "90"), ("1.4.10", "1.4.9", "80"), ("", "", "90")]
)
def test_of_one_source_the_newer_version_is_used(one, two, used):
    second = made(version=two, points=[{**PRICE, "cost": 90}])
    assert told(made(version=one), second)[0][2] == used


def test_what_only_one_has_or_does_not_know_is_no_conflict():
    other = made(
        "wahapedia",
        models=[{**MODEL, "leadership": None, "invulnerable_save": 5}],
        weapons=[CLAW, {**CLAW, "weapon_id": "fang", "weapon": "Fang"}],
        points=[],
    )
    assert told(COMMUNITY, other) == [("Digger", "invulnerable_save", "–", "wh40kdc")]


def test_further_copies():
    """Who gives one price says nothing of further copies; who gives several does."""
    several = made(points=[{**PRICE, "copies_to": 3}, {**PRICE, "copies_from": 4, "cost": 90}])
    assert told(several, made("wahapedia")) == [("5 models", "copies_to", "3", "wh40kdc")]
    assert told(several, made("bsdata")) == []


def test_words():
    other = made("wahapedia", "2", points=[{**PRICE, "cost": 90}])
    frame = conflicts(COMMUNITY, other)
    assert conflicts_in_words(frame).splitlines() == [
        *Precedence().in_words(),
        "of one source the newer version is used",
        "",
        "1 value differs: 0 of profiles, 1 of prices, 0 of rules",
        "",
        "faction  datasheet  row       value  first                         "
        "second                          used",
        "Moles    Diggers    5 models  cost   80 (wh40kdc 1 of 2026-01-01)  "
        "90 (wahapedia 2 of 2026-01-01)    80",
    ]
    assert conflicts_in_words(frame.clear(), ("wahapedia",)).startswith("prices: wahapedia > field")
    assert "… and 1 more" in conflicts_in_words(frame, most=0)


def test_errors():
    tenth = made("wahapedia", edition="10e")
    with pytest.raises(DataError, match=r"no edition in common \(they hold 11e and 10e\)"):
        conflicts(COMMUNITY, tenth)
    with pytest.raises(DataError, match="did you mean 'wahapedia'"):
        conflicts(COMMUNITY, made("wahapedia"), ["wahapdia"])
    tables = {t: pl.concat([tenth[t], COMMUNITY[t]]) for t in ("points", "models")}
    both = Dataset(COMMUNITY.about, tables)
    with pytest.raises(DataError, match="10e and 11e: choose one"):
        conflicts(both, both)
    assert conflicts(both, both, edition="10e").is_empty()
    with pytest.raises(DataError, match="no 9e in common"):
        conflicts(both, both, edition="9e")
