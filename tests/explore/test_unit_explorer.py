"""The explorer of a unit, driven through its traits without a browser."""

from __future__ import annotations

import random

import pytest
from killcurve.explore.unit import UnitExplorer
from killcurve.explore.unit_state import Choices, UnitState, line_of, view
from killcurve.study.matchup import attack
from killcurve.study.targets import standard_targets


@pytest.fixture
def explorer(dataset):
    return UnitExplorer(dataset)


def test_picture_and_numbers_follow_the_controls(explorer, dataset):
    seen = {explorer.picture.value}
    explorer.faction.value = "Drukhari"
    seen.add(explorer.picture.value)
    explorer.unit.value = "Raider"
    seen.add(explorer.picture.value)
    explorer.target.value = "Rhino (transport)"
    seen.add(explorer.picture.value)
    assert len(seen) == 4
    assert 'alt="' in explorer.picture.value
    unit = Choices(dataset).unit(explorer.state)
    rhino = next(t for t in standard_targets(dataset) if t.name == "Rhino (transport)")
    exact = attack(unit, [line_of(unit, explorer.state.weapon)], rhino).outcome
    assert f">{exact.damage.mean:.2f}<" in explorer.numbers.value


def test_a_choice_that_still_exists_is_kept(explorer):
    explorer.target.value = "Terminators (TEQ)"
    explorer.flags["cover"].value = True
    explorer.faction.value = "Orks"
    assert explorer.state.target == "Terminators (TEQ)"
    assert explorer.state.flags == ("cover",)


def test_a_state_moves_the_controls(explorer):
    explorer.state = UnitState(
        "Tyranids", "Gargoyles", "Blinding venom", "none", "Guardsmen (GEQ)", ("charged",)
    )
    assert explorer.unit.value == "Gargoyles"
    assert explorer.weapon.value == "Blinding venom"
    assert explorer.flags["charged"].value
    assert UnitState(**explorer.state.to_dict()) == explorer.state


def test_cover_lowers_the_damage_of_shooting(dataset):
    choices = Choices(dataset)
    state = choices.settled(
        UnitState("Drukhari", "Raider", "Dark lance", "none", "Rhino (transport)")
    )
    from dataclasses import replace

    plain = view(choices, state).numbers["Damage, mean"]
    covered = view(choices, replace(state, flags=("cover",))).numbers["Damage, mean"]
    assert float(covered) < float(plain)


def test_random_choices_never_fail(explorer):
    dice = random.Random(1)
    for _ in range(25):
        control = dice.choice([*explorer._dropdowns(), *explorer.flags.values()])
        if hasattr(control, "options"):
            control.value = dice.choice(list(control.options))
        else:
            control.value = not control.value
        assert 'role="alert"' not in explorer.numbers.value
        assert "<img" in explorer.picture.value
        assert explorer.unit.value == explorer.state.datasheet
