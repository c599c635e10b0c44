"""The toolkit's own reference: complete, well written, and clear about what is wrong with it."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from killcurve.rules.effects import Effect
from killcurve.tables.dataset import DataError
from killcurve.tables.reference import KINDS, all_of, folder, lookup, read_file

GOOD = """
[[stratagem]]
name = "RING"
edition = "11e"
faction = "Iron Choir"
detachment = "Bell Foundry"
cp = 1
type = "battle-tactic"
phase = ["fight"]
turn = "either"
side = "attacker"
used_by = ["ANVIL"]
effects = ["hit +1"]
status = "modelled"
"""
CORE = """
[[stratagem]]
name = "RING"
editions = {}
cp = 1
phase = ["fight"]
turn = "either"
restrictions = ["within 12"]
effects = []
status = "none"
"""


def write(tmp_path, text):
    path = tmp_path / "stratagems.toml"
    path.write_text(text, encoding="utf-8")
    return path


class TestContents:
    def test_numbers_of_entries(self):
        assert {kind: len(all_of(kind)) for kind in KINDS} == {
            "stratagem": 120,
            "detachment": 13,
            "enhancement": 35,
        }

    @pytest.mark.parametrize("kind", KINDS)
    def test_every_phrase_is_written_as_the_language_writes_it(self, kind):
        phrases = [phrase for entry in all_of(kind) for phrase in entry.effects]
        assert [str(Effect.parse(phrase)) for phrase in phrases] == phrases

    @pytest.mark.parametrize("kind", KINDS)
    def test_no_entry_carries_prose(self, kind):
        """Facts and phrases are short; a sentence of a rule is not."""
        for entry in all_of(kind):
            quoted = [q for phrase in entry.effects for q in re.findall(r'"([^"]+)"', phrase)]
            assert all(len(words.split()) <= 12 for words in quoted), entry.name
            assert all("." not in words for words in quoted), entry.name

    def test_sides_and_statuses_of_stratagems(self):
        counts = Counter(entry.status for entry in all_of("stratagem"))
        assert counts == {"modelled": 59, "none": 47, "unmodelled": 8, "partial": 6}
        assert all(entry.side is None for entry in all_of("stratagem") if entry.status == "none")

    def test_core_and_boarding_entries_belong_to_no_faction(self):
        for entry in all_of("stratagem"):
            shared = entry.detachment in ("", "Boarding Actions")
            assert shared == (entry.faction == "")


class TestLookup:
    def test_names_in_any_spelling(self):
        found = lookup(
            "stratagem", "10e", "leagues of votann", "needgaard oathband", "Huntr's Mark"
        )
        assert found is not None
        assert found.effects == ("reroll hits ones", "reroll wounds ones")

    def test_names_without_punctuation(self):
        for name in ("Counter-Offensive", "COUNTEROFFENSIVE", "counter offensive"):
            boarding = lookup("stratagem", "11e", "Anyone", "Boarding Actions", name)
            assert boarding is not None
            assert boarding.name == "COUNTER-OFFENSIVE"
        assert lookup("stratagem", "11e", "Anyone", "", "COUNTER") is None

    def test_core_entries_belong_to_every_faction(self):
        assert lookup("stratagem", "11e", "Anyone", "", "crushing impact") is not None
        boarding = lookup("stratagem", "11e", "Anyone", "Boarding Actions", "Command Re-roll")
        assert boarding is not None
        assert boarding.type == "epic-deed"

    def test_factions_editions_and_detachments_are_told_apart(self):
        assert lookup("stratagem", "11e", "Drukhari", "Skysplinter Assault", "NIGHT SHIELD")
        assert not lookup("stratagem", "11e", "Aeldari", "Skysplinter Assault", "NIGHT SHIELD")
        assert not lookup("stratagem", "10e", "Drukhari", "Skysplinter Assault", "NIGHT SHIELD")
        assert not lookup("stratagem", "11e", "Drukhari", "", "NIGHT SHIELD")

    def test_an_unknown_detachment_is_no_hindrance_to_a_unique_name(self):
        found = lookup("enhancement", "11e", "Necrons", None, "Arisen Tyrant")
        assert found is not None
        assert (found.detachment, found.cost) == ("Hypercrypt Legion", 25)
        assert lookup("stratagem", "11e", "Necrons", None, "COMMAND RE-ROLL") is None

    def test_the_later_state_of_an_edition_comes_first(self):
        found = lookup("stratagem", "10e", "Imperial Knights", "", "HEROIC INTERVENTION")
        assert found is not None
        assert found.cp == 1


class TestErrors:
    def test_a_good_entry(self, tmp_path):
        [entry] = read_file(write(tmp_path, GOOD), "stratagem")
        assert (entry.kind, entry.used_by, entry.cost) == ("stratagem", ("anvil",), None)

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ('edition = "11e"', 'edition = "9e"', "edition is '9e', and must be one of 10e, 11e"),
            ('["fight"]', '["fihgt"]', "phase is 'fihgt', and must be one of command, movement"),
            ('["fight"]', "[]", "phase is empty"),
            ("cp = 1", 'cp = "1"', "cp is '1', and must be a whole number"),
            ("cp = 1", "cp = true", "cp is True, and must be a whole number"),
            ('name = "RING"', 'name = ""', "name is empty"),
            ('name = "RING"', "name = 3", "name is 3, and must be a text"),
            ('"hit +1"', '"hitt +1"', "'hitt +1' is no effect; did you mean 'hit"),
            ('"hit +1"', '"hit  +1"', "'hit  +1' is to be written 'hit +1'"),
            ('["hit +1"]', '"hit +1"', "must be a list of texts"),
            ('"modelled"', '"done"', "status is 'done', and must be one of modelled"),
            ('"modelled"', '"none"', "an entry with effects has a side, and is modelled"),
            ('["hit +1"]', "[]", "a modelled entry has effects"),
            ('turn = "either"', 'trun = "either"', "there is no field 'trun'; did you mean 'turn'"),
            ('side = "attacker"\n', "", "an entry with effects has a side"),
            ('used_by = ["ANVIL"]', 'restrictions = ["unengagd"]', "did you mean 'unengaged'"),
            ('used_by = ["ANVIL"]', 'restrictions = ["within reach"]', "and within so many inches"),
            ('used_by = ["ANVIL"]', 'editions = ["11e"]', "there is no field 'edition'"),
        ],
    )
    def test_what_is_wrong_with_an_entry_is_said(self, tmp_path, old, new, message):
        with pytest.raises(DataError, match=re.escape(message)) as error:
            read_file(write(tmp_path, GOOD.replace(old, new)), "stratagem")
        assert str(error.value).startswith("stratagems.toml, entry 1 (")

    def test_an_entry_that_is_there_twice(self, tmp_path):
        with pytest.raises(DataError, match=r"'RING' .* is there twice"):
            read_file(write(tmp_path, GOOD + GOOD), "stratagem")

    @pytest.mark.parametrize(
        ("name", "also"), [("R-ING!", "KNELL"), ("BELL", "RING"), ("BELL", "r.ing")]
    )
    def test_a_name_that_an_entry_has_already(self, tmp_path, name, also):
        again = GOOD.replace('"RING"', f'"{name}"\nalso = ["{also}"]')
        with pytest.raises(DataError, match=f"'{name}' .* is there twice"):
            read_file(write(tmp_path, GOOD + again), "stratagem")

    def test_rule_states_of_a_core_stratagem(self, tmp_path):
        core = CORE.format('["11e", "10e-2023-06"]')
        entries = read_file(write(tmp_path, core), "stratagem")
        assert [(e.edition, e.faction, e.detachment) for e in entries] == [
            ("11e", "", ""),
            ("10e-2023-06", "", ""),
        ]
        assert {e.restrictions for e in entries} == {("within 12",)}
        with pytest.raises(DataError, match="editions is '9e', and must be one of 11e, 10e, 10e-"):
            read_file(write(tmp_path, CORE.format('["9e"]')), "stratagem")
        with pytest.raises(DataError, match="editions is empty: list one or more of 11e"):
            read_file(write(tmp_path, CORE.format("[]")), "stratagem")
        with pytest.raises(DataError, match=r"'RING' .*10e.* is there twice"):
            read_file(write(tmp_path, CORE.format('["10e", "10e"]')), "stratagem")

    def test_a_detachment_without_a_faction(self, tmp_path):
        text = GOOD.replace('faction = "Iron Choir"', 'faction = ""')
        with pytest.raises(DataError, match="has the detachment 'Bell Foundry', and no faction"):
            read_file(write(tmp_path, text), "stratagem")

    def test_files_that_cannot_be_read(self, tmp_path):
        with pytest.raises(DataError, match="cannot be read"):
            read_file(tmp_path / "none.toml", "stratagem")
        with pytest.raises(DataError, match="is not TOML"):
            read_file(write(tmp_path, "[[stratagem"), "stratagem")
        with pytest.raises(DataError, match=r"has no .*enhancement.* tables"):
            read_file(write(tmp_path, GOOD), "enhancement")

    def test_a_kind_that_is_not_there(self):
        with pytest.raises(DataError, match="did you mean 'enhancement'"):
            all_of("enhancements")

    def test_the_files_are_found(self):
        assert {path.stem for path in folder().glob("*.toml")} >= {f"{kind}s" for kind in KINDS}
