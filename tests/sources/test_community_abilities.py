"""Units' abilities of the community dataset: an invented bundle, and the embedded one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl
import pytest
from killcurve.rules.effects import Effect
from killcurve.sources.community import abilities, readings
from killcurve.sources.community.readings import Descriptions
from killcurve.sources.community.units import Names
from killcurve.tables import ability_schemas, schemas
from killcurve.tables.ability_schemas import UnitAbilities

from tests.rules.trees import cond, leaf, roll, stat, steps, when

LOUD, SAFE = roll("hit", 1), leaf("feel-no-pain", threshold=5)
MOVE = stat("M", 1)
LED = when(cond("is-attached"), LOUD)


def record(name: str, tree: dict[str, Any], kind: str = "unit", **more: Any) -> dict[str, Any]:
    """An ability of the Ringers, as the bundle has it."""
    return {
        "ability_id": name.lower().replace(" ", "-"),
        "ability_type": kind,
        "behavior": "passive",
        "effect": tree,
        "faction_id": "ringers",
        "game_version": {"edition": "11th", "dataslate": more.pop("dataslate", "launch")},
        "name": name,
        "scope": {"duration": "permanent", "range": "self", **more.pop("scope", {})},
        **more,
    }


def bundle(*records: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A bundle of one army with a Ringer and a Bell Choir, who all have the records."""
    ids = [r["ability_id"] for r in records if r["ability_type"] != "faction"]
    common = {"faction_id": "ringers", "keywords": ["Infantry"], "faction_keywords": ["Ringers"]}
    return {
        "abilities": list(records),
        "factions": [{"id": "ringers", "name": "The Ringers"}],
        "units": [
            {**common, "id": "ringer", "name": "Ringer", "ability_ids": ids},
            {**common, "id": "bell-choir", "name": "Bell Choir", "ability_ids": []},
        ],
        "weapons": [],
        **more,
    }


def table(data: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """The rows by datasheet and ability, valid for their table."""
    read = abilities.rows(data, Names.of(data), Descriptions.of(data))["unit_abilities"]
    sourced = {"source": "invented", "edition": "11e", "version": "1"}
    UnitAbilities.validate(pl.DataFrame([{**sourced, **row} for row in read]), cast=True)
    assert {row["faction"] for row in read} == {"The Ringers"}
    return {(row["datasheet"], row["ability"]): row for row in read}


def ringer(*records: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The row of the only ability of the Ringer."""
    (row,) = table(bundle(*records, **more)).values()
    return row


def test_the_contract_uses_the_words_of_the_other_tables():
    assert ability_schemas.SIDES == schemas.SIDES
    assert ability_schemas.STATUSES == schemas.STATUSES


def test_abilities_reach_the_units_that_have_them():
    named = record("Chime", LOUD)
    naming = record("Echo", SAFE, unit_ids=["bell-choir"])
    data = bundle(named, naming)
    data["units"][0]["ability_ids"] = ["chime", "unheard-of"]
    assert list(table(data)) == [("Ringer", "Chime"), ("Bell Choir", "Echo")]


def test_a_row_says_all_of_an_ability():
    around = {"range": "aura-6", "duration": "permanent"}
    tree = {**leaf("feel-no-pain", threshold=5), "target": "friendly-within-aura"}
    row = ringer(record("Toll", tree, scope=around, usage={"frequency": "once-per-turn"}))
    assert row == {
        "faction": "The Ringers",
        "datasheet": "Ringer",
        "ability": "Toll",
        "kind": "datasheet",
        "model": None,
        "gift": False,
        "aura": 6,
        "once_per": "turn",
        "side": "defender",
        "phases": ["shooting", "fight"],
        "effects": ["feel no pain 5+"],
        "status": "modelled",
        "unread": [],
        "read_from": "description",
    }


def test_kinds():
    records = [record("Stealth", MOVE), record("Great bell", MOVE), record("Chime", MOVE)]
    rows = table(bundle(*records, wargear=[{"name": "Great Bell"}]))
    assert [(row["ability"], row["kind"]) for row in rows.values()] == [
        ("Stealth", "core"),
        ("Great bell", "wargear"),
        ("Chime", "datasheet"),
    ]
    core = rows["Ringer", "Stealth"]
    assert (core["effects"], core["read_from"]) == (["stealth"], "reference")


def test_an_army_rule_is_that_of_every_unit():
    rule = record("Oath of Bells", LOUD, "faction")
    assert [key for key, row in table(bundle(rule)).items() if row["kind"] == "faction"] == [
        ("Ringer", "Oath of Bells"),
        ("Bell Choir", "Oath of Bells"),
    ]
    other = record("Pact", LOUD, "faction", unit_ids=["ringer"])
    assert {name for _, name in table(bundle(rule, other))} == {"Pact"}


def test_an_army_rule_that_is_called_is_asked_for_by_its_name():
    called = {"behavior": "activated", "scope": {"duration": "turn"}}
    rows = table(bundle(record("Ding! Dong!", LOUD, "faction", **called)))
    assert rows["Ringer", "Ding! Dong!"]["effects"] == ['hit +1 if "the ding dong is active"']


def test_what_a_leader_gives_its_unit():
    leads = {"leader_attachments": [{"leader_id": "ringer"}]}
    given, own = ringer(record("Lead", LED), **leads), ringer(record("Alone", LOUD), **leads)
    assert (given["gift"], given["effects"]) == (True, ["hit +1"])
    assert (own["gift"], own["effects"]) == (False, ["hit +1"])
    led = ringer(record("Lead", LED))
    assert (led["gift"], led["effects"]) == (False, ["hit +1 if leading"])


@pytest.mark.parametrize(
    ("more", "once"),
    [
        ({"usage": {"frequency": "n-per-battle", "count": 1}}, "battle"),
        ({"usage": {"frequency": "n-per-battle", "count": 2}}, None),
        ({"usage": {"frequency": "once-per-battle-round"}}, "turn"),
        ({"scope": {"duration": "one-use"}}, "battle"),
        ({"name": "Chime (once per phase)"}, "phase"),
        ({"effect": when(cond("timing-is", timing="once-per-battle"), LOUD)}, "battle"),
        ({}, None),
    ],
)
def test_how_often(more, once):
    assert ringer({**record("Chime", LOUD), **_scoped(more)})["once_per"] == once


def _scoped(more: Mapping[str, Any]) -> dict[str, Any]:
    scope = {"duration": "permanent", "range": "self", **more.get("scope", {})}
    return {**more, "scope": scope}


def test_an_ability_in_use_for_a_time_is_asked_for():
    lasting = record("Chime", LOUD, scope={"duration": "phase"})
    assert ringer(lasting)["effects"] == ['hit +1 if "the ability is in use"']


def test_phases_come_from_the_bundle():
    mapping = {"source_type": "ability", "source_id": "chime", "phases": ["fight"]}
    row = ringer(record("Chime", LOUD), phase_mappings=[mapping])
    assert (row["effects"], row["phases"]) == (["hit +1 for melee"], ["fight"])


def test_keywords_that_all_units_of_the_army_have_are_no_condition():
    tree = when(cond("unit-has-keyword", keyword="RINGERS"), LOUD)
    assert ringer(record("Chime", tree))["effects"] == ["hit +1"]


@pytest.mark.parametrize(
    ("more", "tree", "row"),
    [
        ({"community_notes": "[APPROX] the rest is not encoded"}, LOUD, (["hit +1"], "partial")),
        ({"community_notes": "[APPROX] re-roll hits"}, MOVE, ([], "unmodelled")),
        ({"community_notes": "[APPROX] it may walk"}, MOVE, ([], "none")),
        ({"community_notes": "excludes the ringer"}, LOUD, (["hit +1"], "partial")),
        ({"community_notes": "applies only to the ringer"}, LOUD, (["hit +1"], "partial")),
        ({"community_notes": "applies only while engaged"}, when(cond("engagement-state"), LOUD), (["hit +1 if engaged"], "modelled")),
        ({"community_notes": "read from the datasheet"}, LOUD, (["hit +1"], "modelled")),
        ({"community_notes": readings.DEFENSIVE}, LOUD, ([], "unmodelled")),
        ({"community_notes": readings.DEFENSIVE}, SAFE, (["feel no pain 5+"], "modelled")),
        ({"disputed": True}, LOUD, ([], "unmodelled")),
        ({"disputed": True}, MOVE, ([], "none")),
    ],
)  # fmt: skip
def test_notes_that_tell_of_more(more, tree, row):
    read = ringer(record("Chime", tree, **more))
    assert (read["effects"], read["status"]) == row
    assert bool(read["unread"]) == (row[1] not in ("modelled", "none"))


@pytest.mark.parametrize(
    ("tree", "effects", "status"),
    [
        (LOUD, ['hit +1 if "the terms on its datasheet hold"'], "partial"),
        (LED, ['hit +1 if leading and "the terms on its datasheet hold"'], "partial"),
        (leaf("roll-modifier", roll="hit", operation="set", value=4, context="overwatch"), ['snap shooting 4+ if "the unit fires Overwatch" and "the terms on its datasheet hold"'], "partial"),
        (when(cond("charged-this-turn"), LOUD), ["hit +1 if charged"], "modelled"),
        (stat("T", 1), ["toughness +1"], "modelled"),
        (leaf("keyword-grant", keywords=["Assault"]), ["assault for ranged"], "modelled"),
        (leaf("fight-on-death"), [], "unmodelled"),
    ],
)  # fmt: skip
def test_old_descriptions_without_a_term_may_lack_one(tree, effects, status):
    old = {"dataslate": readings.PROVISIONAL}
    read = ringer(record("Chime", tree, **old))
    assert (read["effects"], read["status"]) == (effects, status)
    noted = ringer(record("Chime", tree, community_notes="read from the datasheet", **old))
    assert noted["status"] == "modelled"


def test_a_reading_is_kept(monkeypatch):
    data = bundle(record("Chime", LOUD))
    descriptions = Descriptions.of(data)
    first = descriptions.read(data["abilities"][0], "unit")
    monkeypatch.setattr(readings, "read_description", lambda *_: pytest.fail("read again"))
    assert descriptions.read(data["abilities"][0], "unit") is first


# The embedded dataset.


def of(dataset, datasheet: str, ability: str) -> dict[str, Any]:
    found = dataset["unit_abilities"].filter(
        (pl.col("datasheet") == datasheet) & (pl.col("ability") == ability)
    )
    return found.row(0, named=True)


def test_every_datasheet_has_abilities(dataset):
    have = dataset["unit_abilities"].select("faction", "datasheet").unique()
    assert have.height == dataset["datasheets"].height


def test_the_phrases_are_of_the_language(dataset):
    for phrase in dataset["unit_abilities"]["effects"].explode().drop_nulls().unique():
        assert str(Effect.parse(phrase)) == phrase


def test_feel_no_pain_and_stealth_reach_the_maths(dataset):
    rows = dataset["unit_abilities"].with_columns(
        name=pl.col("ability").str.to_lowercase(), first=pl.col("effects").list.first()
    )
    for name, least in (("feel no pain", 60), ("stealth", 50)):
        core = rows.filter(pl.col("name").str.contains(rf"^{name}( \d\+)?$"))
        assert core.height >= least
        assert (core["first"] == core["name"]).all()
        assert set(core["side"]) == {"defender"}
        assert set(core["status"]) == {"modelled"}


@pytest.mark.parametrize(
    ("datasheet", "ability", "effects"),
    [
        ("Boyz", "Waaagh!", [
            'strength +1 for melee if "the waaagh is active"',
            'attacks +1 for melee if "the waaagh is active"',
            'invulnerable 5+ if "the waaagh is active"',
        ]),
        ("Necron Warriors", "Reanimation Protocols", ["heal D3"]),
        ("Custodian Guard", "Martial Ka’tah", ["one of (sustained hits 1 | lethal hits) for melee"]),
        ("Painboy", "Dok’s Toolz", ["feel no pain 5+"]),
    ],
)  # fmt: skip
def test_known_abilities(dataset, datasheet, ability, effects):
    assert of(dataset, datasheet, ability)["effects"] == effects


def test_gifts_are_of_leaders(dataset):
    leaders = set(dataset["leader_attachments"]["leader"])
    gifts = dataset["unit_abilities"].filter(pl.col("gift"))
    assert of(dataset, "Painboy", "Dok’s Toolz")["gift"]
    has_core = dataset["unit_abilities"].filter(pl.col("ability").str.to_lowercase() == "leader")
    assert set(gifts["datasheet"]) <= leaders | set(has_core["datasheet"])


def test_most_rules_that_bear_on_attacks_are_read(dataset):
    counts = dict(dataset["unit_abilities"]["status"].value_counts().rows())
    bearing = counts["modelled"] + counts["partial"] + counts["unmodelled"]
    assert counts["modelled"] >= 0.45 * bearing
    assert counts["modelled"] + counts["partial"] >= 0.75 * bearing


def test_an_empty_description_of_several_steps_is_read_as_nothing():
    assert ringer(record("Chime", steps()))["status"] == "none"
