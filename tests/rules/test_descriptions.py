"""Leaves of invented descriptions: what each says of attacks, and for whom."""

from __future__ import annotations

from typing import Any

import pytest
from killcurve.rules.described.core import read_core
from killcurve.rules.described.leaves import LEAVES, SILENT
from killcurve.rules.described.making import KNOWN
from killcurve.rules.descriptions import STEPS, Reading, Setting, read_description
from killcurve.rules.effects import Effect

from tests.rules.trees import choice, cond, die, leaf, roll, stat, steps, when

LOUD, QUIET = roll("hit", 1), leaf("keyword-grant", keywords=["Stealth"])
BOTH_PHASES = ("shooting", "fight")


def phrases(reading: Reading) -> list[str]:
    """The effects, each of which is one that the language has."""
    written = [str(effect) for effect in reading.effects]
    assert [Effect.parse(phrase) for phrase in written] == list(reading.effects)
    return written


@pytest.mark.parametrize(
    ("tree", "phrase", "side", "phases"),
    [
        (roll("hit", 1), "hit +1", "attacker", BOTH_PHASES),
        (roll("hit", -1, "attacker"), "hit -1", "defender", BOTH_PHASES),
        (roll("hit", -1, incoming=True), "hit -1", "defender", BOTH_PHASES),
        (roll("wound", -1), "wound -1", "defender", BOTH_PHASES),
        (roll("hit", -1, "enemy-within-aura", range=9), "hit -1 if within 9", "defender", BOTH_PHASES),
        (roll("save", 1), "save +1", "defender", BOTH_PHASES),
        (roll("damage", 1, weapon_type="melee"), "damage +1 for melee", "attacker", ("fight",)),
        (leaf("re-roll", roll="hit"), "reroll hits failed", "attacker", BOTH_PHASES),
        (leaf("re-roll", roll="wound", subset="ones"), "reroll wounds ones", "attacker", BOTH_PHASES),
        (leaf("re-roll", roll="damage", uses=1), "reroll damage one", "attacker", BOTH_PHASES),
        (leaf("re-roll", roll="save", subset="ones"), "reroll saves ones", "defender", BOTH_PHASES),
        (leaf("roll-modifier", roll="hit", critical_on=5), "critical hits 5+", "attacker", BOTH_PHASES),
        (leaf("auto-result", roll="hit", result=6), "set one hit to 6", "attacker", BOTH_PHASES),
        (leaf("bs-modifier", value=-1), "skill +1 for ranged", "attacker", ("shooting",)),
        (stat("A", "D3", weapon_type="melee"), "attacks +D3 for melee", "attacker", ("fight",)),
        (stat("S", 1), "strength +1", "attacker", BOTH_PHASES),
        (stat("AP", -1), "ap +1", "attacker", BOTH_PHASES),
        (stat("AP", 1, "attacker", "worsen"), "ap -1", "defender", BOTH_PHASES),
        (leaf("attack-restriction", restriction="worsen-incoming-ap", value=1), "ap -1", "defender", BOTH_PHASES),
        (stat("T", 1), "toughness +1", "defender", BOTH_PHASES),
        (stat("Sv", 3, operation="set"), "save = 3", "defender", BOTH_PHASES),
        (stat("WS", 1), "skill +1 for melee", "attacker", ("fight",)),
        (stat("range", 6), "range +6", "attacker", ("shooting",)),
        (stat("InvSv", 4, operation="set"), "invulnerable 4+", "defender", BOTH_PHASES),
        (leaf("invulnerable-save", threshold=4, attack_type="ranged"), "invulnerable 4+ against ranged", "defender", ("shooting",)),
        (leaf("feel-no-pain", threshold=5), "feel no pain 5+", "defender", BOTH_PHASES),
        (leaf("feel-no-pain", threshold=4, scope="mortal"), "feel no pain 4+ against mortal", "defender", BOTH_PHASES),
        (leaf("damage-reduction", reduction=1), "damage -1 when allocated", "defender", BOTH_PHASES),
        (leaf("damage-reduction", reduction="half"), "halve damage", "defender", BOTH_PHASES),
        (leaf("damage-reduction", reduction="to-zero"), "damage = 0 once when allocated", "defender", BOTH_PHASES),
        (leaf("heal-wounds", amount="D3"), "heal D3", "defender", ()),
        (leaf("recovery-pool", dice="D6"), "heal D6", "defender", ()),
        (leaf("resurrection", type="wounds", count=3), "heal 3", "defender", ()),
        (leaf("resurrection", type="models", count="D3"), "return D3 models", "defender", ()),
        (leaf("fight-on-death"), "fight on death 1+", "defender", ("fight",)),
        (die(leaf("fight-on-death"), 4), "fight on death 4+", "defender", ("fight",)),
        (leaf("mortal-wounds", "target", dice="6D6", threshold=4, mortal_per_success=1), "mortal wounds 6D6 on 4+", "attacker", ()),
        (steps(*[die(leaf("mortal-wounds", "target", count=1), 5)] * 3), "mortal wounds 3D6 on 5+", "attacker", ()),
        (leaf("keyword-grant", keywords=["Sustained Hits"], value=1), "sustained hits 1", "attacker", BOTH_PHASES),
        (leaf("keyword-grant", keyword="anti-titanic-3plus"), "anti-titanic 3+", "attacker", BOTH_PHASES),
        (leaf("keyword-grant", keywords=["Ignores Cover"]), "ignores cover for ranged", "attacker", ("shooting",)),
        (roll("hit", 1, weapon_name="Bell", weapon_type="melee"), 'hit +1 for "bell"', "attacker", ("fight",)),
        (QUIET, "stealth", "defender", ("shooting",)),
        (leaf("rule-state", rule="benefit-of-cover", direction="granted"), "cover", "defender", ("shooting",)),
        (leaf("ability-grant", grant_type="critical-hit-on", value=5), "critical hits 5+", "attacker", BOTH_PHASES),
        (leaf("modifier-immunity", scope="characteristics"), "ignore skill modifiers", "attacker", BOTH_PHASES),
    ],
)  # fmt: skip
def test_leaves(tree, phrase, side, phases):
    reading = read_description(tree)
    assert (phrases(reading), reading.side, reading.phases) == ([phrase], side, phases)
    assert (reading.status, reading.unread) == ("modelled", ())


@pytest.mark.parametrize(
    "tree",
    [
        roll("charge", 2),
        leaf("re-roll", roll="battle-shock"),
        stat("M", 2),
        leaf("cp-gain", amount=1),
        leaf("keyword-grant", keywords=["Scouts"]),
        leaf("ability-grant", grant_type="fall-back-and-charge"),
        leaf("resurrection", trigger="first-death", wounds_remaining=3),
        leaf("rule-state", rule="fall-back", direction="granted"),
        steps(stat("OC", 1), leaf("movement-modifier", value=1)),
    ],
)
def test_what_is_beside_attacks_bears_on_none(tree):
    assert read_description(tree) == Reading((), None, "none")


@pytest.mark.parametrize(
    ("tree", "name"),
    [
        ({"type": "bell-tolls"}, "bell tolls"),
        (roll("hit", -1), "hit rolls of own units -1"),
        (roll("hit", 1, wobble=3), "roll modifier by wobble"),
        ({**roll("hit", 1), "scaling": {"of": "bells"}}, "roll modifier that grows with bells"),
        (roll("hit", "some"), "a change to hit rolls of 'some'"),
        (leaf("re-roll", roll="hit", uses=2), "2 re-rolls of hit"),
        (stat("T", -1, "enemy-within-aura"), "toughness of an enemy unit"),
        (leaf("mortal-wounds", "self", count=1), "mortal wounds that the unit suffers"),
        (leaf("mortal-wounds", "defender", count="D3"), "D3 mortal wounds, on what is not told"),
        (leaf("mortal-wounds", "target", count=3), "3 mortal wounds, on what is not told"),
        (leaf("shoot-on-death"), "a destroyed model that shoots"),
        (leaf("keyword-grant", keywords=["Wobbly"]), "keyword grant: wobbly"),
        (leaf("ability-grant", grant_type="ring-the-bell"), "ring the bell"),
        (leaf("replace-roll-from-pool", pool_id="bell-dice-pool"), "bell dice in place of rolls"),
        (leaf("feel-no-pain", "attacker", threshold=5), "Feel No Pain of others"),
    ],
)
def test_what_is_not_certain_is_named(tree, name):
    alone, beside = read_description(tree), read_description(steps(LOUD, tree))
    assert alone == Reading((), None, "unmodelled", (name,))
    assert (phrases(beside), beside.status, beside.unread) == (["hit +1"], "partial", (name,))


def test_every_type_is_passed_read_or_known_to_be_silent_and_in_one_way_only():
    kinds = [*STEPS, *LEAVES, *SILENT]
    assert len(kinds) == len(set(kinds))


@pytest.mark.parametrize("kind", sorted(LEAVES))
def test_no_leaf_raises_on_parameters_that_it_does_not_know(kind):
    for change in ({}, {"wobble": 1}, dict.fromkeys(KNOWN, "wobble")):
        reading = read_description(leaf(kind, **change))
        assert reading.status in ("modelled", "none", "unmodelled")
    assert read_description({"type": kind, "modifier": "loud"}).status in ("none", "unmodelled")


def test_a_die_is_a_condition():
    reading = read_description(die(LOUD, 4, on_fail=roll("hit", -1, "attacker")))
    assert phrases(reading) == ['hit +1 if "D6 roll of 4+"', 'hit -1 if "D6 roll of 1-3"']
    assert reading.side == "both"


def test_a_table_of_results():
    outcomes = [
        {"results": [1], "effect": {"type": "no-effect"}},
        {"results": [2, 3, 4, 5], "effect": leaf("mortal-wounds", "target", count="D3")},
        {"results": [6], "effect": leaf("mortal-wounds", "target", count=3)},
    ]
    assert phrases(read_description({"type": "dice-table", "outcomes": outcomes})) == [
        'mortal wounds D3 if "D6 roll of 2-5"',
        'mortal wounds 3 if "D6 roll of 6"',
    ]


def selected(owner: str, effect: dict[str, Any]) -> dict[str, Any]:
    return {"type": "select-units", "selector": {"owner": owner}, "effect": effect}


def test_a_selected_unit_is_a_condition_of_what_follows():
    found = [
        phrases(read_description(tree))
        for tree in (
            selected("enemy", roll("hit", -1)),
            selected("friendly", LOUD),
            leaf("rule-state", "defender", rule="benefit-of-cover", direction="suppressed"),
        )
    ]
    assert found == [
        ['hit -1 if "the attacker is the selected unit"'],
        ['hit +1 if "the unit is the selected unit"'],
        ['ignores cover for ranged if "target is the selected unit"'],
    ]


def test_a_designated_target_and_those_who_attack_it():
    def mark(to: str, effect: dict[str, Any]) -> dict[str, Any]:
        select = {"scope": "enemy-unit"}
        return {
            "type": "designate-target",
            "select": select,
            "applies": {"to": to, "effect": effect},
        }

    sworn = mark("attackers-of-target", leaf("re-roll", roll="hit"))
    assert phrases(read_description(sworn)) == [
        'reroll hits failed if "target is the selected unit"'
    ]
    shooting = Setting(kind="stratagem", phases=("shooting",))
    assert phrases(read_description(sworn, shooting)) == ["reroll hits failed"]
    assert phrases(
        read_description(sworn, Setting(kind="stratagem", phases=("command",), outlasts_phase=True))
    ) == ['reroll hits failed if "target is the selected unit"']
    assert read_description(mark("the-moon", LOUD)).unread == ("a designation",)


def test_units_around():
    around = {"type": "for-each-unit", "selector": {"owner": "enemy", "within_inches": 6}}
    reading = read_description({**around, "effect": die(leaf("mortal-wounds", count="D3"), 4)})
    assert phrases(reading) == ['mortal wounds D3 if within 6 and "D6 roll of 4+"']
    aura = {"type": "aura", "target": "enemy-within-aura"}
    against = read_description({**aura, "modifier": {"range": 9, "effect": roll("wound", -1)}})
    assert (phrases(against), against.side) == (["wound -1 if within 9"], "defender")
    filtered = {"range": 6, "effect": LOUD, "eligible": {"excluded_keywords": ["BELL"]}}
    friends = {"type": "aura", "target": "friendly-within-aura", "modifier": filtered}
    assert phrases(read_description(friends)) == ["hit +1 if unit is not bell"]


def test_an_aura_that_all_have_is_a_condition():
    tree = roll("hit", 1, "friendly-within-aura")
    assert phrases(read_description(tree, Setting(kind="unit", inches=6))) == ["hit +1"]
    assert phrases(read_description(tree, Setting(kind="faction", inches=6))) == [
        'hit +1 if "the unit is in the aura of 6 inches"'
    ]


def test_choices():
    lethal, loud = leaf("keyword-grant", keywords=["Lethal Hits"]), {"name": "Loud", "effect": LOUD}
    found = [
        phrases(read_description(tree))
        for tree in (
            choice(lethal, LOUD),
            choice(roll("hit", 1, attack_type="melee"), stat("A", 1, attack_type="melee")),
            choice(choice(lethal, LOUD), QUIET),
            choice(loud, {"name": "Far", "effect": stat("M", 1)}),
            choice(steps(LOUD, stat("M", 1)), steps(LOUD, stat("M", -1))),
            when(cond("charged-this-turn"), choice(lethal, LOUD)),
            {"type": "stance-select", "options": [loud, {"name": "Quiet", "effect": QUIET}]},
        )
    ]
    assert found == [
        ["one of (lethal hits | hit +1)"],
        ["one of (hit +1 | attacks +1) for melee"],
        ["one of (lethal hits | hit +1 | stealth)"],
        ['hit +1 if "Loud is chosen"'],
        ["hit +1"],
        ["one of (lethal hits | hit +1) if charged"],
        ["one of (hit +1 | stealth)"],
    ]
    assert read_description(choice(LOUD, {"type": "bell-tolls"})).status == "partial"


def test_resources_are_conditions_by_their_name():
    spend = leaf("resource-spend", pool_id="bell-pool", amount=2)
    pool = {"type": "dice-pool-allocation", "options": [{"name": "Toll", "effect": LOUD}]}
    action = {"label": "Toll", "cost": {"amount": 1}, "effect": LOUD}
    menu = {"type": "resource-action-menu", "pool_id": "bell-pool", "actions": [action]}
    named = {"type": "named-effect", "name": "Toll", "optional": True, "effect": LOUD}
    order = {"type": "issue-orders", "options": [{"name": "Ring", "effect": LOUD}]}
    found = [
        phrases(read_description(tree)) for tree in (steps(spend, LOUD), pool, menu, named, order)
    ]
    assert found == [
        ['hit +1 if "2 bells spent"'],
        ['hit +1 if "Toll is active"'],
        ['hit +1 if "1 bell spent on Toll"'],
        ['hit +1 if "Toll is used"'],
        ['hit +1 if "an Order was given to the unit" and "Ring is chosen"'],
    ]


def test_rules_granted_as_a_whole_are_read_and_cannot_grant_themselves():
    again = leaf("ability-grant", ability_id="riled")
    bundles = {"riled": {"type": "rules-bundle", "steps": [LOUD, again]}}
    reading = read_description(again, Setting(bundles=bundles))
    assert (phrases(reading), reading.unread) == (["hit +1"], ("riled",))


def test_what_its_leader_gets():
    gift = {"effect": leaf("feel-no-pain", threshold=4)}
    tree = {
        "type": "leader-model-ability-grant",
        "leader_filter": {"keywords": ["RINGER"]},
        "grant": gift,
    }
    assert phrases(read_description(tree)) == [
        'feel no pain 4+ if "for the ringer that leads the unit"'
    ]


@pytest.mark.parametrize(
    ("name", "effects", "side", "phases"),
    [
        ("Feel No Pain 6+", ["feel no pain 6+"], "defender", BOTH_PHASES),
        ("STEALTH", ["stealth"], "defender", ("shooting",)),
        ("Deadly Demise 2D6", ['mortal wounds 2D6 if "it is destroyed" and "D6 roll of 6"'], "attacker", BOTH_PHASES),
        ("Firing Deck 12", [], None, ()),
        ('Scouts 6"', [], None, ()),
        ("Lone Operative", [], None, ()),
    ],
)  # fmt: skip
def test_core_abilities_by_name(name, effects, side, phases):
    reading = read_core(name)
    assert reading is not None
    assert (phrases(reading), reading.side, reading.phases) == (effects, side, phases)
    assert reading.status == ("modelled" if effects else "none")


def test_other_names_are_no_core_abilities():
    assert [read_core(name) for name in ("Stealthy", "Feel No Pain", "Deadly Demise of bells")] == [
        None
    ] * 3
