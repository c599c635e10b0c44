"""Half-strength: against counting models one by one (RULES.md §7)."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from killcurve.engine.edition import EDITIONS, edition
from killcurve.engine.states import states
from killcurve.engine.strength import strength, strength_states
from killcurve.engine.target import Target
from killcurve.study.solve import in_words, solve

from tests.engine.builders import squad

groups = st.builds(
    squad,
    count=st.integers(1, 4),
    wounds=st.integers(1, 3),
    character=st.booleans(),
)
targets = st.lists(groups, min_size=1, max_size=3).map(lambda g: Target(tuple(g)))


def models_of(target, lost):
    """Each model as (group, wounds left): those hit first die first."""
    out = []
    for g, (group, gone) in enumerate(zip(target.groups, lost, strict=True)):
        before = [group.wounds * i for i in range(group.count)]
        out += [(g, group.wounds - min(group.wounds, max(0, gone - b))) for b in before]
    return out


def described(target, models, falls_apart):
    """(below starting, at half, below half) of a unit, model by model."""
    living = [(g, left) for g, left in models if left]
    if not living:
        return (False, False, False)
    started = [g for g, _ in models]
    leaders = {g for g, group in enumerate(target.groups) if group.character}
    if falls_apart:
        kinds = {g in leaders for g, _ in living}
        if len(kinds) == 1:
            (kind,) = kinds
            started = [g for g in started if (g in leaders) is kind]
    if len(started) == 1:
        left, full = living[0][1], target.groups[living[0][0]].wounds
    else:
        left, full = len(living), len(started)
    return (left < full, 2 * left == full, 2 * left < full)


@given(targets)
@settings(max_examples=60, deadline=None)
def test_every_state_against_counting(target):
    spans = [range(group.total_wounds + 1) for group in target.groups]
    for key, rules in EDITIONS.items():
        found = strength_states(target, rules)
        rows = zip(found.below_starting, found.at_half, found.below_half, strict=True)
        for lost, row in zip(product(*spans), rows, strict=True):
            expected = described(target, models_of(target, lost), key != "11e")
            assert tuple(map(bool, row)) == expected, (key, lost)


@given(targets, st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_laws_of_strength(target, seed):
    space = states(target)
    law = np.random.default_rng(seed).dirichlet(np.ones(space.size))
    for rules in EDITIONS.values():
        found = strength(space, law, rules)
        alive = 1 - law[space.destroyed]
        assert 0 <= found.below_half <= found.below_starting <= alive + 1e-12
        assert found.at_half + found.below_half <= alive + 1e-12


@pytest.mark.parametrize("left", range(1, 9))
def test_a_lone_model_compares_wounds(left):  # §7
    space = states(Target((squad(1, wounds=8),)))
    law = np.zeros(9)
    law[8 - left] = 1
    for rules in EDITIONS.values():
        found = strength(space, law, rules)
        assert found.below_starting == (left < 8)
        assert found.at_half == (left == 4)
        assert found.below_half == (left < 4)


def test_odd_numbers_have_no_half():  # §7
    space = states(Target((squad(5, wounds=2),)))
    for state in range(space.size):
        law = np.zeros(space.size)
        law[state] = 1
        assert strength(space, law, edition("11e")).at_half == 0


def test_wounds_of_a_squad_do_not_count():  # §7
    space = states(Target((squad(5, wounds=2, wounds_lost=1),)))
    assert strength(space, space.from_start(), edition("11e")).below_starting == 0


ATTACHED = Target((squad(5), squad(1, wounds=4, character=True)))


@pytest.mark.parametrize(
    ("lost", "eleventh", "tenth"),
    [
        ((5, 0), (1, 0, 1), (0, 0, 0)),  # the lone leader of a unit of six, unhurt
        ((5, 2), (1, 0, 1), (1, 1, 0)),
        ((5, 3), (1, 0, 1), (1, 0, 1)),
        ((0, 4), (1, 0, 0), (0, 0, 0)),  # the bodyguards alone
        ((3, 4), (1, 0, 1), (1, 0, 1)),
        ((2, 4), (1, 1, 0), (1, 0, 0)),
        ((3, 0), (1, 1, 0), (1, 1, 0)),  # both parts live: the unit counts as one
        ((4, 0), (1, 0, 1), (1, 0, 1)),
        ((5, 4), (0, 0, 0), (0, 0, 0)),
    ],
)
def test_attached_units(lost, eleventh, tenth):  # §7
    space = states(ATTACHED)
    law = np.zeros(space.size)
    law[5 * lost[0] + lost[1]] = 1
    for key, rules in EDITIONS.items():
        found = strength(space, law, rules)
        expected = eleventh if key == "11e" else tenth
        assert (found.below_starting, found.at_half, found.below_half) == expected


def test_a_unit_that_has_lost_models_before():
    space = states(Target((squad(5),)))
    found = strength(space, space.from_start(), edition("11e"), starting=(10,))
    assert (found.below_starting, found.at_half, found.below_half) == (1, 1, 0)
    lone = states(Target((squad(1, wounds=3),)))
    assert strength(lone, lone.from_start(), edition("10e"), starting=[5]).below_half == 1


@pytest.mark.parametrize("starting", [(4,), (5, 5), ()])
def test_a_start_that_does_not_fit(starting):
    space = states(Target((squad(5),)))
    with pytest.raises(ValueError, match=r"none below the models it has now: \(5,\)"):
        strength(space, space.from_start(), edition("11e"), starting=starting)


def scenario(**context):
    return {
        "attacker": {"weapons": [], "effects": ["mortal wounds D3+1"]},
        "target": {"models": [{"count": 4, "toughness": 4, "save": 3, "wounds": 1}]},
        "context": context,
    }


def test_answers_tell_of_half_strength():
    answer = solve(scenario())
    found = answer.to_dict()
    assert found["destroyed"] == pytest.approx(1 / 3, abs=1e-15)
    assert found["below_starting"] == pytest.approx(2 / 3, abs=1e-15)
    assert found["below_half"] == pytest.approx(1 / 3, abs=1e-15)
    assert list(found)[3:6] == ["destroyed", "below_starting", "below_half"]
    assert "below starting 66.67%, below half 33.33%" in in_words(answer)
    json.dumps(found)


def test_what_a_scenario_says_of_the_target_stays_so():
    found = solve(scenario(target_below_half=True)).to_dict()
    assert found["below_starting"] == found["below_half"] == pytest.approx(2 / 3, abs=1e-15)
    alone = scenario(target_below_starting=True)
    alone["attacker"]["effects"] = []
    found = solve(alone).to_dict()
    assert (found["below_starting"], found["below_half"]) == (1, 0)


@pytest.mark.parametrize("key", EDITIONS)
def test_answers_ask_the_edition(key):
    data = scenario()
    data["edition"] = key
    data["attacker"]["effects"] = ["mortal wounds 4"]
    data["target"]["models"].append(
        {"name": "leader", "count": 1, "toughness": 4, "save": 3, "wounds": 3, "character": True}
    )
    assert solve(data).to_dict()["below_half"] == (key == "11e")


def test_the_switch_alone_decides():
    apart = replace(edition("11e"), attached_units_part=True)
    lone_leader = states(ATTACHED).destroyed - 4
    assert strength_states(ATTACHED, edition("11e")).below_half[lone_leader]
    assert not strength_states(ATTACHED, apart).below_half[lone_leader]
