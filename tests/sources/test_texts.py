"""Rules whose texts a user's own files hold are read when those are imported."""

from __future__ import annotations

import polars as pl
from killcurve.sources.texts import with_rules_read
from killcurve.tables.building import build
from killcurve.tables.dataset import About

from tests.tables.changing import SHEET, UNIT

PLACE = {"faction": "Moles", "detachment": "Tunnels"}
UNREAD = {"side": None, "effects": [], "status": "unread"}
PLOY = {
    **PLACE, "name": "SUDDEN COLLAPSE", "cp": 1, "type": None, "phase": ["shooting"],
    "turn": "your", "used_by": [], **UNREAD,
}  # fmt: skip
TRICK = {**PLACE, "name": "Deep Dig", "cost": 20, "upgrade": False, **UNREAD}
DETACHMENT = {**PLACE, "rules": ["Old Maps", "Wet Walls"], **UNREAD}


def text(kind: str, name: str, words: str, **more: object) -> dict[str, object]:
    """A row of ``texts``."""
    place = {"faction": "Moles", "datasheet": "", "detachment": "Tunnels"}
    return {**place, "kind": kind, "name": name, "number": 1, "text": words, **more}


def of_unit(kind: str, name: str, words: str, **more: object) -> dict[str, object]:
    """A row of ``texts`` about an ability of the unit."""
    return text(kind, name, words, detachment="", datasheet="Diggers", **more)


TEXTS = [
    text(
        "stratagem",
        "SUDDEN COLLAPSE",
        "WHEN: Your Shooting phase. TARGET: One DIGGERS VEHICLE unit from your army (excluding "
        "KINGS). EFFECT: Until the end of the phase, each time a model in your unit makes an "
        "attack, add 1 to the Wound roll.",
    ),
    text("enhancement", "Deep Dig", "DIGGERS model only. The bearer has a 4+ invulnerable save."),
    text("detachment", "Old Maps", "Each time a model in your army makes a melee attack, add 1 to "
         "the Hit roll."),
    text("detachment", "Wet Walls", "Your units can move through walls."),
    of_unit("core ability", "Feel No Pain 5+", ""),
    of_unit("ability", "Blind Fury", "While this model is leading a unit, weapons equipped by "
            "models in that unit have the [LETHAL HITS] ability. Once per battle, it digs."),
    of_unit("ability", "Dust (Aura)", "While an enemy unit is within 6\" of this model, each time "
            "a model in that unit makes an attack, subtract 1 from the Hit roll."),
    of_unit("ability", "Nameless", ""),
    of_unit("composition", "UNIT COMPOSITION", "5 Diggers"),
]  # fmt: skip


def moles(**tables: list):
    rows = {
        "datasheets": [SHEET],
        "keywords": [
            {**UNIT, "keyword": word, "is_faction": False} for word in ("vehicle", "kings")
        ],
        "stratagems": [PLOY],
        "enhancements": [TRICK],
        "detachments": [DETACHMENT],
        "texts": TEXTS,
        **tables,
    }
    return build(About("page", "1", "10e", "2026-01-01"), rows)


def test_stratagems_enhancements_and_detachments_do_what_their_texts_say():
    read = with_rules_read(moles())
    (ploy,) = read.stratagems.rows(named=True)
    assert (ploy["effects"], ploy["side"]) == (["wound +1"], "attacker")
    assert (ploy["status"], ploy["read_from"], ploy["unread"]) == ("modelled", "text", [])
    assert ploy["used_by"] == ["diggers + vehicle + not kings"]
    (trick,) = read["enhancements"].rows(named=True)
    assert (trick["effects"], trick["side"]) == (["invulnerable 4+"], "defender")
    assert trick["used_by"] == ["diggers"]
    (detachment,) = read["detachments"].rows(named=True)
    assert (detachment["effects"], detachment["status"]) == (["hit +1 for melee"], "modelled")
    assert set(read["effects"]["phrase"]) == {"wound +1", "invulnerable 4+", "hit +1 for melee"}


def test_abilities_of_units_have_a_table():
    read = with_rules_read(moles())["unit_abilities"]
    rows = {row["ability"]: row for row in read.rows(named=True)}
    assert set(rows) == {"Feel No Pain 5+", "Blind Fury", "Dust (Aura)", "Nameless"}
    assert rows["Feel No Pain 5+"]["effects"] == ["feel no pain 5+"]
    assert (rows["Feel No Pain 5+"]["kind"], rows["Feel No Pain 5+"]["side"]) == (
        "core",
        "defender",
    )
    fury = rows["Blind Fury"]
    assert (fury["effects"], fury["gift"], fury["once_per"]) == (["lethal hits"], True, "battle")
    dust = rows["Dust (Aura)"]
    assert (dust["aura"], dust["side"], dust["gift"]) == (6, "defender", False)
    assert rows["Nameless"]["status"] == "unread"
    assert (read["source"] == "page").all()


def test_what_is_known_of_a_rule_stays():
    known = {**PLOY, "side": "attacker", "effects": ["hit +1"], "status": "modelled",
             "used_by": ["kings"]}  # fmt: skip
    (ploy,) = with_rules_read(moles(stratagems=[known])).stratagems.rows(named=True)
    assert (ploy["effects"], ploy["used_by"]) == (["hit +1"], ["kings"])


def test_a_detachment_of_which_one_rule_has_no_text_is_partial():
    texts = [row for row in TEXTS if row["name"] != "Wet Walls"]
    (found,) = with_rules_read(moles(texts=texts))["detachments"].rows(named=True)
    assert (found["status"], found["effects"]) == ("partial", ["hit +1 for melee"])


def test_without_texts_nothing_changes_and_twice_is_once():
    bare = moles(texts=[])
    assert with_rules_read(bare) is bare
    once = with_rules_read(moles())
    again = with_rules_read(once)
    for table in ("stratagems", "enhancements", "detachments", "unit_abilities", "effects"):
        assert again[table].equals(once[table])


def test_it_tells_how_far_it_is():
    many = [
        of_unit("ability", f"Habit {i}", f"Add {i} to its Move characteristic.") for i in range(500)
    ]
    told: list[str] = []
    read = with_rules_read(moles(texts=many), told.append)
    assert told == ["500 rules texts read"]
    assert read["unit_abilities"].filter(pl.col("status") == "none").height == 500
