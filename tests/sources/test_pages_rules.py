"""Datasheet pages as text: stratagems, detachments and enhancements of invented pages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from killcurve.sources.pages import Page, read_page
from killcurve.sources.pages.stratagems import timing
from killcurve.tables.dataset import DataError

from tests.sources.invented import NEW, OWN, Sheet, Trick


def read(sheet: Sheet) -> Page:
    return read_page(sheet.text(), "page.txt")


def column(page: Page, table: str, name: str) -> list[object]:
    return [row[name] for row in page.rows[table]]


class TestStratagems:
    def test_list_and_texts_agree_in_any_order(self):
        page = read(NEW)
        listed = {(t.type.split(" – ")[0], t.name) for t in NEW.tricks}
        found = {(r["detachment"] or "Core", r["name"]) for r in page.rows["stratagems"]}
        assert found == listed
        assert len(page.rows["stratagems"]) == len(NEW.tricks)

    def test_what_a_row_says(self):
        [row] = [r for r in read(NEW).rows["stratagems"] if r["name"] == "LAST PEAL"]
        assert row == {
            "faction": "Iron Choir",
            "detachment": "Bell Foundry",
            "name": "LAST PEAL",
            "cp": 2,
            "type": "epic-deed",
            "phase": ["shooting", "fight"],
            "turn": "either",
            "used_by": [],
            "side": None,
            "effects": [],
            "status": "unread",
            "unread": [],
            "read_from": None,
        }

    def test_known_ones_have_the_effects_of_the_reference(self):
        found = {
            (r["detachment"], r["name"]): (r["side"], r["effects"], r["status"])
            for r in read(NEW).rows["stratagems"]
        }
        assert found["", "FIRE OVERWATCH"] == ("attacker", ["snap shooting"], "modelled")
        assert found["Boarding Actions", "COMMAND RE-ROLL"][0] == "both"

    @pytest.mark.parametrize(
        ("when", "phases", "turn"),
        [
            ("Your Shooting phase.", ("shooting",), "your"),
            ("Fight phase.", ("fight",), "either"),
            ("End of your Fight phase.", ("fight",), "your"),
            ("End of your opponent’s Fight phase.", ("fight",), "opponent"),
            ("Fight step of your opponent’s Fight phase, just after it.", ("fight",), "opponent"),
            ("Your Shooting phase or the Fight phase.", ("shooting", "fight"), "either"),
            ("Your opponent's Shooting phase or the Fight phase.", ("shooting", "fight"), "either"),
            ("Your opponent’s Movement or Charge phase.", ("movement", "charge"), "opponent"),
            ("Your Shooting or Fight phase.", ("shooting", "fight"), "your"),
            (
                "Start of your Shooting phase or the start of the Fight phase.",
                ("shooting", "fight"),
                "either",
            ),
            ("The Reinforcements step of your Movement phase.", ("movement",), "your"),
            ("Your Charge phase, if it were your Shooting phase.", ("charge",), "your"),
            ("Any phase.", ("command", "movement", "shooting", "charge", "fight"), "either"),
            ("Start of the battle round.", (), "either"),
        ],
    )
    def test_phases_and_turn(self, when, phases, turn):
        assert timing(when) == (phases, turn)

    def test_texts_are_kept_once_and_without_the_mood(self):
        [row] = [r for r in read(NEW).rows["texts"] if r["name"] == "TOLL OF BRASS"]
        assert row["text"].split("\n") == [
            "WHEN: Your Shooting phase.",
            "TARGET: One ANVIL unit of yours.",
            "EFFECT: Its hits ring twice.",
            "RESTRICTIONS: Once a battle.",
        ]

    def test_lists_in_an_effect_belong_to_its_text(self):
        texts = read(NEW).rows["texts"]
        [row] = [r for r in texts if r["name"] == "COMMAND RE-ROLL" and not r["detachment"]]
        assert row["text"].endswith("Roll again one of these:\n- A roll to hit\n- A roll to wound")

    def test_a_title_glued_to_the_repetition_before(self):
        text = NEW.text().replace("ring twice.\nCRACKED", "ring twice.CRACKED")
        glued = "\n".join(NEW.rest()[11:]).replace("far.\nTARGET", "far.\nTARGET")
        assert glued in text
        page = read_page(text, "page")
        assert len(page.rows["stratagems"]) == len(NEW.tricks)

    def test_a_paragraph_between_the_parts(self):
        trick = Trick("LONG STORY", effect="It rings.\nThen it rings again.")
        page = read(replace(NEW, tricks=(*NEW.tricks, trick)))
        [row] = [r for r in page.rows["texts"] if r["name"] == "LONG STORY"]
        assert row["text"].endswith("EFFECT: It rings.\nThen it rings again.")
        assert not any("LONG STORY" in warning for warning in page.warnings)

    def test_a_text_that_is_not_repeated_alike_is_reported(self):
        text = NEW.text().replace("EFFECT: Its hits ring twice.\nEFFECT", "EFFECT")
        lines = text.split("\n")
        i = len(lines) - 1 - lines[::-1].index("TARGET: One ANVIL unit of yours.")
        page = read_page("\n".join(lines[:i] + lines[i + 1 :]), "page")
        assert any("not printed twice alike" in warning for warning in page.warnings)

    def test_a_missing_text_is_refused(self):
        text = NEW.text().replace("Bell Foundry – Epic Deed Stratagem", "Nothing")
        with pytest.raises(DataError, match=r"lists 7 stratagems and has the text of 6.*LAST PEAL"):
            read_page(text, "page.txt")

    def test_a_text_that_is_not_listed_is_refused(self):
        entry = "\n".join(OWN[0].entry())
        with pytest.raises(DataError, match=r"does not list.*TOLL OF BRASS"):
            read_page(NEW.text().replace(entry + "\n", "", 1), "page.txt")


class TestRules:
    def test_detachments_have_the_rules_that_are_listed(self):
        found = [(r["detachment"], r["rules"], r["status"]) for r in read(NEW).rows["detachments"]]
        assert found == [
            ("Bell Foundry", ["Ringing Ranks"], "unread"),
            ("Silent Order", ["Hush"], "unread"),
        ]

    def test_a_rule_glued_to_the_one_before(self):
        text = NEW.text().replace("rings on.\nHush", "rings on.Hush")
        page = read_page(text, "page")
        assert page.rows["detachments"] == read(NEW).rows["detachments"]
        found = {r["name"]: r["text"] for r in page.rows["texts"] if r["kind"] == "detachment"}
        assert found == {"Ringing Ranks": "Ringing Ranks rings on.", "Hush": "Hush rings on."}

    def test_a_rule_of_the_reference_is_read_without_being_listed(self):
        body = ("Cold Fervour", "Cursed Legion Detachment", "So cold.", "It is strong.")
        page = read(replace(NEW, after=("It is done.", *body)))
        [row] = [r for r in page.rows["detachments"] if r["detachment"] == "Cursed Legion"]
        assert (row["rules"], row["status"]) == (["Cold Fervour"], "unread")

    def test_lists_without_enhancements(self):
        page = read(replace(NEW, enhancements=(), bodies_of_enhancements=()))
        assert column(page, "detachments", "rules") == [["Ringing Ranks"], ["Hush"]]
        assert page.warnings == ()

    def test_enhancements_with_and_without_a_cost(self):
        found = [(r["name"], r["cost"], r["detachment"]) for r in read(NEW).rows["enhancements"]]
        assert found == [
            ("Golden Clapper", 15, ""),
            ("Free Bell", None, ""),
            ("Muffler (Aura)", 20, ""),
        ]

    def test_texts_of_enhancements_are_known_by_detachment_only(self):
        found = [
            (r["detachment"], r["name"], r["number"], r["text"])
            for r in read(NEW).rows["texts"]
            if r["kind"] == "enhancement"
        ]
        assert found == [
            ("Bell Foundry", "", 1, "model only. It is louder."),
            ("Silent Order", "", 1, "model only. It is louder."),
        ]

    def test_missing_texts_of_enhancements_are_reported(self):
        assert len(read(NEW).warnings) == 1
        assert read(NEW).warnings[0].startswith("3 enhancements are listed, 2 have a text")

    def test_names_behind_the_last_cost_are_doubtful(self):
        page = read(replace(NEW, enhancements=(*NEW.enhancements, "Odd Bell")))
        assert any("'Odd Bell'" in warning for warning in page.warnings)

    def test_content_that_stands_alone_is_reported(self):
        page = read(replace(NEW, after=("It is over.", "WHEN: Never.", "| 3 models | 40 |", "2CP")))
        assert sum("is not placed" in warning for warning in page.warnings) == 3
