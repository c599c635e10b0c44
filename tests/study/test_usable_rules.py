"""Which rules a unit may use, and which of its own count without being asked for."""

from __future__ import annotations

import polars as pl
import pytest
from killcurve.rules.effects import Effect
from killcurve.study.lines import attacker
from killcurve.study.matchup import engage
from killcurve.study.own_rules import holding, own_rules
from killcurve.study.targets import defender
from killcurve.study.usable import COLUMNS, in_words, usable
from killcurve.tables.dataset import DataError

from tests.tables.changing import CLAW, MODEL, SHEET, UNIT, made

PLACE = {"faction": "Moles", "detachment": "Tunnels"}
ABILITY = {
    **UNIT, "kind": "datasheet", "model": None, "gift": False, "aura": None, "once_per": None,
    "phases": ["shooting", "fight"], "status": "modelled", "unread": [],
}  # fmt: skip
ABILITIES = [
    {**ABILITY, "ability": "Thick Hide", "side": "defender", "effects": ["feel no pain 5+"]},
    {**ABILITY, "ability": "Claws Out", "side": "attacker", "effects": ["lethal hits"],
     "phases": ["fight"]},
    {**ABILITY, "ability": "Last Dig", "side": "attacker", "effects": ["hit +1"],
     "once_per": "battle"},
    {**ABILITY, "ability": "Scent", "side": "attacker", "effects": ['wound +1 if "it smells"'],
     "aura": 6},
    {**ABILITY, "ability": "Lead On", "side": "attacker", "effects": ["hit +1"], "gift": True},
    {**ABILITY, "ability": "Stand or Dig", "side": "both", "effects": ["hit +1", "hit -1"]},
    {**ABILITY, "ability": "Riddle", "side": None, "effects": [], "status": "unmodelled",
     "unread": ["a riddle"]},
    {**ABILITY, "ability": "Nap", "side": None, "effects": [], "status": "none"},
]  # fmt: skip
PLOY = {
    **PLACE, "cp": 1, "type": None, "phase": ["shooting"], "turn": "your", "side": "attacker",
    "effects": ["hit +1"], "status": "modelled",
}  # fmt: skip


def moles():
    return made(
        datasheets=[SHEET],
        models=[MODEL],
        weapons=[CLAW],
        keywords=[{**UNIT, "keyword": "infantry", "is_faction": False}],
        unit_abilities=ABILITIES,
        detachments=[
            {**PLACE, "rules": ["Old Maps"], "side": None, "effects": [], "status": "unread"},
            {**PLACE, "detachment": "Burrows", "rules": ["Mud"], "side": "defender",
             "effects": ["hit -1"], "status": "modelled"},
        ],
        enhancements=[
            {**PLACE, "name": "Big Lamp", "cost": 10, "upgrade": True, "used_by": ["infantry"],
             "side": "attacker", "effects": ["ignores cover"], "status": "modelled"},
            {**PLACE, "name": "Crown", "cost": 10, "upgrade": False, "side": "attacker",
             "effects": ["hit +1"], "status": "modelled"},
        ],
        stratagems=[
            {**PLOY, "name": "FOR DIGGERS", "used_by": ["infantry"]},
            {**PLOY, "name": "FOR TANKS", "used_by": ["vehicle"]},
            {**PLOY, "name": "NOT FOR DIGGERS", "used_by": ["not infantry"]},
            {**PLOY, "name": "IN MELEE", "used_by": [], "phase": ["fight"]},
            {**PLOY, "name": "A MYSTERY", "used_by": [], "side": None, "effects": [],
             "status": "unread"},
            {**PLOY, "name": "A WALK", "used_by": [], "side": None, "effects": [],
             "status": "none"},
        ],
    )  # fmt: skip


def names(frame: pl.DataFrame, kind: str) -> list[str]:
    core = pl.col("detachment") == ""
    return frame.filter((pl.col("kind") == kind) & ~(core & (kind == "stratagem")))[
        "name"
    ].to_list()


def test_rules_of_other_units_and_silent_ones_are_left_out():
    found = usable(moles(), "Diggers")
    assert dict(found.schema) == COLUMNS
    assert names(found, "stratagem") == ["A MYSTERY", "FOR DIGGERS", "IN MELEE"]
    assert names(found, "enhancement") == ["Big Lamp"]
    assert names(found, "detachment") == ["Mud", "Old Maps"]
    assert "Nap" not in names(found, "ability")
    assert "Riddle" in names(found, "ability")


def test_they_are_asked_for_by_side_phase_and_detachment():
    shooting = usable(moles(), "Diggers", side="attacker", phase="shooting", detachment="tunnels")
    assert names(shooting, "stratagem") == ["A MYSTERY", "FOR DIGGERS"]
    assert names(shooting, "detachment") == ["Old Maps"]
    assert names(shooting, "ability") == ["Last Dig", "Lead On", "Riddle", "Scent", "Stand or Dig"]
    assert names(usable(moles(), "Diggers", side="defender"), "detachment") == ["Mud", "Old Maps"]
    with pytest.raises(DataError, match="no detachment 'Tunels'; did you mean 'Tunnels'"):
        usable(moles(), "Diggers", detachment="Tunels")


def test_what_is_not_computed_is_told():
    told = in_words(usable(moles(), "Diggers", side="attacker"))
    assert "unmodelled: a riddle" in told
    assert "attacker: hit +1  [off until chosen]" in told
    assert "2 unread" in told


def test_own_rules_count_unless_somebody_must_choose_them():
    rules = own_rules(moles(), "Moles", "Diggers")

    def held(side: str, phase: str) -> list[str]:
        return [str(effect) for effect in holding(rules, side, phase)]

    assert held("defender", "shooting") == ["hit -1", "feel no pain 5+"]
    assert held("attacker", "shooting") == [
        "hit +1 if leading",
        'wound +1 if "it smells"',
        "hit +1",
    ]
    assert held("attacker", "fight")[0] == "lethal hits"
    assert {rule.name for rule in rules if not rule.is_on} == {"Last Dig", "Scent"}
    assert Effect.parse("hit +1 if leading") in holding(rules, "attacker", "fight")


def test_feel_no_pain_as_a_core_ability_is_the_models_own():
    hardy = {**ABILITY, "kind": "core", "side": "defender", "effects": ["feel no pain 5+"]}
    tables = {"models": [MODEL], "weapons": [CLAW]}
    plain = defender(made(**tables), "Diggers")
    for more, expected in (({}, (5,)), ({"model": "Digger"}, ()), ({"kind": "wargear"}, ())):
        rules = [{**hardy, "ability": "Feel No Pain 5+", **more}]
        target = defender(made(**tables, unit_abilities=rules), "Diggers").target
        assert tuple(p.value for p in target.groups[0].feel_no_pain) == expected
    assert plain.target.groups[0].feel_no_pain == ()


def test_both_units_own_rules_count_when_they_engage():
    def hits(**tables: list) -> float:
        data = made(models=[MODEL], weapons=[CLAW], **tables)
        unit = attacker(data, "Diggers")
        return engage(unit, unit.default_lines, defender(data, "Diggers")).outcome.stages[0].hits

    def rule(side: str, effect: str, **more: object) -> dict:
        return {**ABILITY, "ability": effect, "side": side, "effects": [effect], **more}

    # 15 attacks hit on 3+; on 2+ or 4+ with a modifier.
    assert hits() == pytest.approx(10)
    assert hits(unit_abilities=[rule("attacker", "hit +1")]) == pytest.approx(12.5)
    assert hits(unit_abilities=[rule("defender", "hit -1")]) == pytest.approx(7.5)
    assert hits(unit_abilities=[rule("attacker", "hit +1", once_per="battle")]) == hits()
    assert hits(unit_abilities=[rule("defender", "hit -1", phases=["shooting"])]) == hits()


def test_what_is_not_computed_of_both_units_is_named():
    unread = {**ABILITY, "ability": "Riddle", "side": None, "effects": [],
              "status": "unmodelled", "unread": ["a riddle"]}  # fmt: skip
    data = made(models=[MODEL], weapons=[CLAW], unit_abilities=[unread])
    unit = attacker(data, "Diggers")
    result = engage(unit, unit.default_lines, defender(data, "Diggers"))
    assert result.incomplete == ("Riddle (Diggers)", "Riddle (Diggers)")
