"""The embedded default against known facts of the dataset."""

from __future__ import annotations

import polars as pl
import pytest
from killcurve.rules.abilities import Ability
from killcurve.sources import community, default
from killcurve.sources.community.weapons import ability
from killcurve.tables.dataset import DataError


def test_counts(dataset):
    sizes = {t: dataset[t].height for t in ("datasheets", "detachments", "target_profiles")}
    assert sizes["datasheets"] >= 1096
    assert sizes["detachments"] >= 484
    assert sizes["target_profiles"] == 11
    assert dataset.about.source == "wh40kdc"
    assert dataset.about.edition == "11e"


@pytest.mark.parametrize(
    ("unit", "weapon", "row"),
    [
        ("Royal Warden", "Relic gauss blaster", ("2", 3, "5", -1, "2", ["lethal hits", "rapid fire 2"])),
        ("Raider", "Dark lance", ("1", 3, "12", -3, "D6+2", [])),
        ("Gargoyles", "Fleshborer", ("1", 4, "5", 0, "1", ["assault"])),
        ("Acastus Knight Porphyrion", "Helios defence missiles", ("3", 3, "10", -2, "D6", ["anti-fly 2+", "heavy"])),
    ],
)  # fmt: skip
def test_weapons_of_known_units(dataset, unit, weapon, row):
    faction, datasheet = dataset.find(unit)
    rows = dataset.of_unit("weapons", faction, datasheet).filter(pl.col("weapon") == weapon)
    columns = ("attacks", "skill", "strength", "ap", "damage", "keywords")
    assert rows.select(columns).rows() == [row]


def test_exclusive_profiles_are_tied_together(dataset):
    both = dataset.weapons.filter(pl.col("weapon") == "Plasma pistol")
    assert set(both["profile"]) >= {"Standard", "Supercharge"}
    assert both.filter(pl.col("profile") == "Standard")["exclusive"].all()


def test_points_tiers(dataset):
    rows = dataset.of_unit("points", "Drukhari", "Raider")
    assert rows.select("models", "copies_from", "copies_to", "cost").rows() == [
        (1, 1, 3, 75), (1, 4, None, 85),
    ]  # fmt: skip


def test_limited_invulnerable_saves(dataset):
    row = dataset.of_unit("models", "Imperial Knights", "Acastus Knight Porphyrion").row(
        0, named=True
    )
    assert (row["invulnerable_save"], row["invulnerable_save_against"]) == (5, "ranged")


def test_every_printed_ability_is_read(dataset):
    texts = dataset["weapon_keywords"]["keyword"].unique().to_list()
    assert all(str(Ability.parse(text)) == text for text in texts)


def test_abilities_with_limits():
    record = {"keyword_id": "lethal-hits", "parameters": {"excluded_target_keywords": ["Monster"]}}
    assert str(ability(record)) == "lethal hits: non-monster"


def test_the_page_factions_have_attack_stratagems(dataset):
    counted = dataset.stratagems.filter(
        (pl.col("effects").list.len() > 0) & (pl.col("side") == "attacker")
    )["faction"].value_counts()
    have = dict(counted.rows())
    for faction in ("Necrons", "Drukhari", "Leagues of Votann", "Tyranids", "Imperial Knights"):
        assert have.get(faction, 0) >= 1, faction


def test_our_reference_stands_before_the_description(dataset):
    row = dataset.stratagems.filter(
        (pl.col("faction") == "Necrons") & (pl.col("name") == "PROTOCOL OF THE CONQUERING TYRANT")
    ).row(0, named=True)
    assert row["effects"] == [
        "reroll hits ones if half_range",
        "reroll hits failed if half_range and leading",
    ]
    assert (row["cp"], row["turn"], row["status"]) == (1, "your", "modelled")


def test_a_bundle_of_another_form_is_refused_with_the_way_out():
    with pytest.raises(DataError, match="another form"):
        community.from_records({"factions": [], "units": []}, "9.9")


def test_the_built_tables_are_kept_and_found_again(tmp_path, monkeypatch, dataset):
    monkeypatch.setenv("KILLCURVE_DATA", str(tmp_path))
    assert default.load().weapons.equals(dataset.weapons)
    kept = list((tmp_path / "tables").iterdir())
    assert len(kept) == 1
    monkeypatch.setattr(community, "read", lambda: pytest.fail("built again"))
    assert default.load().weapons.equals(dataset.weapons)


def test_a_place_that_cannot_be_written_costs_the_cache_only(tmp_path, monkeypatch, dataset):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("KILLCURVE_DATA", str(blocked))
    assert default.load().weapons.equals(dataset.weapons)
