"""Conditions of invented descriptions, and what the setting of a rule makes of them."""

from __future__ import annotations

import pytest
from killcurve.rules.descriptions import Setting, read_description

from tests.rules.test_descriptions import LOUD, phrases
from tests.rules.trees import both, cond, either, leaf, no, roll, stat, steps, when

SAFE = leaf("feel-no-pain", threshold=5)
SHOOTING = Setting(kind="stratagem", phases=("shooting",))
FLY, BEAST = (cond("target-has-keyword", keyword=word) for word in ("FLY", "BEAST"))


@pytest.mark.parametrize(
    ("condition", "term"),
    [
        (cond("timing-is", timing="start-of-phase"), ""),
        (cond("player-turn-is", turn="your"), ""),
        (cond("is-attached"), "leading"),
        (FLY, "target is fly"),
        (cond("target-has-keyword", keyword="FLY or BEAST"), "target is fly or beast"),
        (cond("target-has-keyword", keywords=["FLY", "BEAST"]), "target is fly and target is beast"),
        (cond("unit-has-keyword", keyword="BELLS"), "unit is bells"),
        (cond("target-has-keyword", keyword="below half strength"), "target_below_half"),
        (cond("target-has-keyword", keyword="spotted"), '"the target is spotted"'),
        (no(FLY), "target is not fly"),
        (either(FLY, BEAST), "target is fly or beast"),
        (no(cond("is-battle-shocked")), '"the unit is not battle-shocked"'),
        (either(FLY, cond("is-battle-shocked", subject="target")), '"the target is fly or the target is battle-shocked"'),
        (both(FLY, cond("charged-this-turn")), "target is fly and charged"),
        (cond("attack-stat-compare", attacker_stat="S", comparison="greater-than", target_stat="T"), "strength > toughness"),
        (cond("unit-below-half-strength", subject="target"), "target_below_half"),
        (cond("unit-below-half-strength"), '"it is below half-strength (the unit or its target)"'),
        (cond("unit-below-starting-strength", subject="self"), "unit_below_starting"),
        (cond("charged-this-turn"), "charged"),
        (cond("remained-stationary"), "stationary"),
        (cond("opponent-unit-within-range", range=12), "within 12"),
        (cond("opponent-unit-within-range", range_multiplier=0.5), "half_range"),
        (cond("unit-within-range-of", target_type="closest-eligible", range=18), "closest_target and within 18"),
        (cond("unit-within-range-of", target_type="friendly", keyword="BELL TOWER", range=6), '"within 6 of a friendly bell tower unit"'),
        (cond("within-range-of-objective", subject="unit"), "attacker_on_objective"),
        (cond("within-range-of-objective", subject="target"), "target_on_objective"),
        (cond("within-range-of-objective"), '"within range of an objective (the unit or its target)"'),
        (cond("engagement-state"), "engaged"),
        (cond("token-count-at-or-above", pool_id="bell-pool", threshold=3), '"3 bells or more are held"'),
        (cond("unit-has-tag", tag="great-ringing-active"), '"the great ringing is active"'),
        (cond("battle-round", max=2), '"it is battle round 1 to 2"'),
        (cond("wounds-remaining-at-or-below", threshold=4), '"the model has 4 or fewer wounds left"'),
        (cond("timing-is", timing="reinforcements"), '"the unit arrived this turn"'),
        (cond("timing-is", timing="bell-is-loud"), '"bell is loud"'),
        (cond("bell-is-rung", by="ringer", times=2), '"bell is rung ringer times 2"'),
    ],
)  # fmt: skip
def test_conditions(condition, term):
    reading = read_description(when(condition, LOUD))
    assert phrases(reading) == [f"hit +1 if {term}" if term else "hit +1"]
    assert reading.status == "modelled"


@pytest.mark.parametrize(
    "condition",
    [
        cond("opponent-unit-within-range"),
        cond("target-has-keyword", keyword="A"),
        cond("target-has-keyword"),
        cond("is-attached", wobble=True),
        cond("attack-is-type", attack_type="any"),
        cond("attack-stat-compare", attacker_stat="T"),
    ],
)
def test_a_condition_that_is_not_certain_leaves_the_effect_unread(condition):
    reading = read_description(when(condition, LOUD))
    assert (reading.effects, reading.status) == ((), "unmodelled")
    assert read_description(when(condition, stat("M", 1))).status == "none"


@pytest.mark.parametrize(
    ("condition", "own", "safe", "phase"),
    [
        (cond("attack-is-type", attack_type="melee"), "hit +1 for melee", "feel no pain 5+ against melee", "fight"),
        (cond("phase-is", phase="shooting"), "hit +1 for ranged", "feel no pain 5+ against ranged", "shooting"),
        (no(cond("attack-is-type", attack_type="melee")), "hit +1 for ranged", "feel no pain 5+ against ranged", "shooting"),
    ],
)  # fmt: skip
def test_kinds_of_attacks_and_phases_are_the_scope(condition, own, safe, phase):
    first, second = (read_description(when(condition, tree)) for tree in (LOUD, SAFE))
    assert (phrases(first), phrases(second)) == ([own], [safe])
    assert first.phases == second.phases == (phase,)


def test_weapons_are_a_scope():
    found = [
        phrases(read_description(tree))
        for tree in (
            when(cond("attack-is-type", attack_type="torrent"), LOUD),
            when(cond("attack-is-type", attack_type="bell"), LOUD),
            roll("hit", 1, weapon_name="Great bell"),
            roll("hit", 1, weapon_keyword="Pistol"),
        )
    ]
    assert found == [
        ["hit +1 for torrent"],
        ['hit +1 for "bell"'],
        ['hit +1 for "great bell"'],
        ["hit +1 for pistol"],
    ]
    crossed = when(
        cond("attack-is-type", attack_type="ranged"), roll("hit", 1, attack_type="melee")
    )
    assert read_description(crossed).unread == ("attacks that are melee and ranged",)


@pytest.mark.parametrize(
    ("condition", "term"),
    [
        (cond("charged-this-turn"), '"the unit charged this turn"'),
        (cond("within-range-of-objective", subject="unit"), "target_on_objective"),
        (cond("target-has-keyword", keyword="spotted"), '"the enemy unit is spotted"'),
    ],
)
def test_conditions_of_what_protects_are_those_of_the_unit_attacked(condition, term):
    assert phrases(read_description(when(condition, SAFE))) == [f"feel no pain 5+ if {term}"]


def test_whose_keyword_it_is_has_to_be_certain_for_what_protects():
    assert read_description(when(FLY, SAFE)).status == "unmodelled"


def test_what_is_no_weapon_is_what_a_save_is_against():
    mortal, psychic = (cond("was-hit-by-attack", attack_type=k) for k in ("mortal", "psychic"))
    weapons = cond("was-hit-by-attack", attack_type="ranged")
    found = [phrases(read_description(when(c, SAFE))) for c in (mortal, psychic, weapons)]
    assert found == [
        ["feel no pain 5+ against mortal"],
        ["feel no pain 5+ against psychic"],
        ["feel no pain 5+"],
    ]
    assert read_description(when(mortal, stat("T", 1))).unread == (
        "toughness against mortal wounds",
    )
    both_said = when(mortal, leaf("feel-no-pain", threshold=5, scope="psychic"))
    assert read_description(both_said).status == "unmodelled"


def test_losses_of_a_unit_that_is_healed_are_its_own():
    tree = when(cond("unit-below-starting-strength"), leaf("heal-wounds", amount=1))
    assert phrases(read_description(tree)) == ["heal 1 if unit_below_starting"]


def test_wounds_that_come_in_the_command_phase_may_be_healed_ones():
    assert phrases(read_description(stat("W", 3))) == ["wounds +3"]
    assert read_description(when(cond("phase-is", phase="command"), stat("W", 3))).effects == ()


def test_stratagems_of_one_phase_have_no_scope_and_openly_chosen_units():
    named = cond("unit-has-keyword", keyword="BELLS")
    ranged = cond("attack-is-type", attack_type="ranged")
    shield = leaf("invulnerable-save", threshold=4, attack_type="ranged")
    assert phrases(read_description(when(both(named, ranged), LOUD), SHOOTING)) == ["hit +1"]
    assert phrases(read_description(shield, SHOOTING)) == ["invulnerable 4+"]
    either_phase = Setting(kind="stratagem", phases=("shooting", "fight"))
    assert phrases(read_description(when(ranged, LOUD), either_phase)) == ["hit +1 for ranged"]


def test_what_a_part_of_a_stratagem_needs_is_a_condition():
    more = steps(LOUD, when(cond("unit-has-keyword", keyword="BELLS"), roll("wound", 1)))
    known = Setting(kind="stratagem", phases=("shooting",), keywords=frozenset({"bells"}))
    assert phrases(read_description(more, SHOOTING)) == ["hit +1", "wound +1 if unit is bells"]
    assert phrases(read_description(more, known)) == ["hit +1", "wound +1"]


@pytest.mark.parametrize(
    ("setting", "phrase", "phases"),
    [
        (Setting(phases=("fight",)), "hit +1 for melee", ("fight",)),
        (Setting(phases=("shooting", "fight")), "hit +1", ("shooting", "fight")),
        (Setting(kind="stratagem", phases=("fight",)), "hit +1", ("fight",)),
        (Setting(kind="stratagem", phases=("charge",)), "hit +1", ("fight",)),
        (Setting(kind="stratagem", phases=("command",)), "hit +1", ("shooting", "fight")),
        (Setting(passing="the bell rings"), 'hit +1 if "the bell rings"', ("shooting", "fight")),
    ],
)
def test_the_phases_of_a_rule(setting, phrase, phases):
    reading = read_description(LOUD, setting)
    assert (phrases(reading), reading.phases) == ([phrase], phases)


def test_a_phase_may_be_that_of_its_use():
    tree = when(cond("phase-is", phase="shooting"), LOUD)
    assert read_description(tree, Setting(phases=("shooting", "fight"))).status == "unmodelled"


def test_who_leads_is_no_condition_of_a_leaders_rule():
    assert phrases(read_description(when(cond("is-attached"), LOUD), Setting(leads=True))) == [
        "hit +1"
    ]


def test_words_for_use_are_said_only_where_nothing_else_is():
    passing = Setting(passing="the bell rings")
    shocked = when(cond("is-battle-shocked"), LOUD)
    assert phrases(read_description(shocked, passing)) == ['hit +1 if "the unit is battle-shocked"']
    assert phrases(read_description(leaf("heal-wounds", amount=1), passing)) == ["heal 1"]


def test_healing_outside_of_the_command_phase_hangs_on_a_use():
    heal = leaf("heal-wounds", amount=1)
    found = [
        phrases(read_description(heal, Setting(phases=phases)))
        for phases in ((), ("command",), ("fight",))
    ]
    assert found == [["heal 1"], ["heal 1"], ['heal 1 if "the ability is in use"']]


def test_names_are_taken_apart_into_known_keywords():
    tree = when(cond("unit-has-keyword", keyword="BELL CHOIR"), LOUD)
    known, unknown = frozenset({"bell", "choir"}), frozenset({"bell"})
    assert phrases(read_description(tree, Setting(known=known))) == [
        "hit +1 if unit is bell and unit is choir"
    ]
    assert phrases(read_description(tree, Setting(known=unknown))) == [
        'hit +1 if "the unit is bell choir"'
    ]
