"""The user's own word on rules: it stands, and what is wrong in it is told with its place."""

from __future__ import annotations

import pytest
from killcurve.tables.dataset import DataError
from killcurve.tables.overrides import overridden, read

from tests.tables.changing import TRICK, made

PLOY = {
    "faction": "Moles", "detachment": "Tunnels", "name": "SUDDEN COLLAPSE", "cp": 1,
    "type": "battle-tactic", "phase": ["shooting"], "turn": "your", "used_by": ["moles"],
    "side": "attacker", "effects": ["hit +1"], "status": "modelled",
}  # fmt: skip
OWN = {
    "faction": "Moles", "datasheet": "Diggers", "ability": "Thick Hide", "kind": "datasheet",
    "model": None, "gift": False, "aura": None, "once_per": None, "side": None, "phases": [],
    "effects": [], "status": "unmodelled", "unread": ["it is thick"],
}  # fmt: skip


@pytest.fixture
def moles():
    return made(enhancements=[TRICK], stratagems=[PLOY], unit_abilities=[OWN])


def said(tmp_path, text: str):
    path = tmp_path / "overrides.toml"
    path.write_text(text, encoding="utf-8")
    return read(path)


def test_without_a_file_nothing_changes(tmp_path, moles):
    assert read(tmp_path / "overrides.toml") == ()
    assert overridden(moles, ()) is moles


def test_effects_are_replaced_by_the_rules_name(tmp_path, moles):
    entries = said(
        tmp_path,
        '[[stratagem]]\nname = "Sudden collapse"\neffects = ["Wound +1 if charged"]\n'
        '[[ability]]\nname = "THICK HIDE"\nside = "defender"\neffects = ["damage -1"]\n',
    )
    changed = overridden(moles, entries)
    (ploy,) = changed.stratagems.rows(named=True)
    assert ploy["effects"] == ["wound +1 if charged"]
    assert (ploy["status"], ploy["read_from"]) == ("modelled", "override")
    assert (ploy["cp"], ploy["used_by"], ploy["phase"]) == (1, ["moles"], ["shooting"])
    (own,) = changed["unit_abilities"].rows(named=True)
    assert (own["effects"], own["side"], own["unread"]) == (["damage -1"], "defender", [])
    assert changed["effects"]["phrase"].to_list() == ["wound +1 if charged"]
    assert moles.stratagems["effects"].to_list() == [["hit +1"]]


def test_other_rules_stay_as_they_are(tmp_path):
    two = made(stratagems=[PLOY, {**PLOY, "name": "MUD SLIDE"}])
    entries = said(tmp_path, '[[stratagem]]\nname = "MUD SLIDE"\neffects = ["wound +1"]\n')
    found = dict(overridden(two, entries).stratagems.select("name", "effects").rows())
    assert found == {"MUD SLIDE": ["wound +1"], "SUDDEN COLLAPSE": ["hit +1"]}


def test_effects_are_added_and_facts_are_set(tmp_path, moles):
    entries = said(
        tmp_path,
        '[[stratagem]]\nname = "SUDDEN COLLAPSE"\nfaction = "moles"\nreplace = false\ncp = 2\n'
        'effects = ["lethal hits"]\n',
    )
    (ploy,) = overridden(moles, entries).stratagems.rows(named=True)
    assert ploy["effects"] == ["hit +1", "lethal hits"]
    assert ploy["cp"] == 2


def test_a_rule_that_does_nothing_to_attacks(tmp_path, moles):
    entries = said(tmp_path, '[[stratagem]]\nname = "SUDDEN COLLAPSE"\neffects = []\n')
    (ploy,) = overridden(moles, entries).stratagems.rows(named=True)
    assert (ploy["effects"], ploy["status"], ploy["side"]) == ([], "none", None)


def test_a_new_rule_is_added_if_enough_is_said(tmp_path, moles):
    entries = said(
        tmp_path,
        '[[stratagem]]\nname = "BRIGHT LAMP"\nedition = "11e"\nfaction = "Moles"\n'
        'detachment = "Tunnels"\ncp = 1\nphase = ["fight"]\neffects = ["hit +1"]\n',
    )
    names = overridden(moles, entries).stratagems["name"].to_list()
    assert names == ["BRIGHT LAMP", "SUDDEN COLLAPSE"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[[stratagem]]\nname = "SUDEN COLAPSE"\neffects = ["hit +1"]', "SUDDEN COLLAPSE"),
        ('[[stratagem]]\nname = "X"\neffects = ["hit +1"]', "also say its edition, faction"),
        ('[[stratagem]]\nname = "SUDDEN COLLAPSE"\neffects = ["hitt +1"]', "'hitt +1' is no eff"),
        ('[[stratagem]]\nname = "SUDDEN COLLAPSE"\neffects = "hit +1"', "a list of phrases"),
        ('[[stratagem]]\nname = "SUDDEN COLLAPSE"\nefects = []', "did you mean 'effects'"),
        ('[[stratagem]]\nname = "SUDDEN COLLAPSE"\neffects = []\nside = "me"', "one of attacker"),
        ('[[stratagem]]\nname = "SUDDEN COLLAPSE"\neffects = []\ncp = 99', "does not fit"),
        ("[[stratagem]]\neffects = []", "say the rule's name"),
        ('[[stratagems]]\nname = "x"', "did you mean 'stratagem'"),
        ('[stratagem]\nname = "x"', "two brackets"),
        ('[[ability]]\nname = "Thin Hide"\neffects = []', "did you mean 'Thick Hide'"),
        ("name = ", "is not TOML"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path, moles, text, told):
    with pytest.raises(DataError) as error:
        overridden(moles, said(tmp_path, text))
    assert told in str(error.value)
    assert "overrides.toml" in str(error.value)
