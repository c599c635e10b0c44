"""Units in play: who falls first, what the living carry, what the data does not tell."""

from __future__ import annotations

import pytest
from killcurve.study.loadouts import Group, Loadout
from killcurve.study.mustering import fielded
from killcurve.study.targets import defender
from killcurve.tables.dataset import DataError

from tests.study.playing import rank, unit, weapon

SAMPLE = ["Intercessor Squad", "Boyz", "Raider", "Saint Celestine", "Terminator Squad", "Gargoyles"]


@pytest.mark.parametrize("name", SAMPLE)
def test_as_a_target_it_is_the_same_unit(dataset, name):
    ours, known = fielded(dataset, name), defender(dataset, name)
    assert sorted(map(repr, ours.target.groups)) == sorted(map(repr, known.target.groups))
    assert (ours.points, ours.keywords, ours.models) == (
        known.points,
        known.keywords,
        known.target.models,
    )


def test_the_first_rank_falls_first_and_alike_models_are_one_group():
    squad = unit(
        rank(2, name="a", wounds=2), rank(1, name="big", wounds=3), rank(1, name="b", wounds=2)
    )
    assert [group.count for group in squad.target.groups] == [3, 1]
    assert squad.in_group(0) == (0, 2)
    living = squad.living()
    space = squad.space
    for state, counts in enumerate(living.tolist()):
        dead = int(space.dead[0][state])
        assert counts == [max(0, 2 - dead), 1 - int(space.dead[1][state]), 1 - max(0, dead - 2)]


def test_casualties_are_taken_as_told(dataset):
    usual = fielded(dataset, "Intercessor Squad")
    assert [r.name for r in usual.ranks] == ["Intercessor", "Intercessor Sergeant"]
    brave = fielded(dataset, "Intercessor Squad", casualties=["intercessor sergeant"])
    assert [r.name for r in brave.ranks] == ["Intercessor Sergeant", "Intercessor"]
    with pytest.raises(DataError, match="did you mean 'Intercessor Sergeant'"):
        fielded(dataset, "Intercessor Squad", casualties=["Intercessor Sergant"])


def test_weapons_known_in_total_are_with_those_who_fall_last(dataset):
    """Four have bolt rifles, one a plasma pistol; all have fists."""
    totals = {"Bolt Rifle": 4, "Plasma pistol": 1, "Knives and Fists": 5}
    squad = fielded(dataset, "Intercessor Squad", loadout=totals)
    carried = [
        {(c.line.weapon, c.count) for c in r.weapons} for r in squad.ranks for _ in range(r.count)
    ]
    assert carried[:4] == [{("Bolt Rifle", 1), ("Knives and Fists", 1)}] * 4
    assert carried[4] == {("Plasma pistol", 1), ("Knives and Fists", 1)}


def test_groups_of_a_loadout_are_kept(dataset):
    pistol, rifle = "bolt-pistol-intercessor-squad", "bolt-rifle-intercessor-squad"
    groups = [
        Group("Intercessor", 3, ((rifle, 1),)),
        Group("Intercessor", 1, ((pistol, 2),)),
        Group("Intercessor Sergeant", 1, ()),
    ]
    loadout = Loadout.of("Adeptus Astartes", "Intercessor Squad", groups)
    squad = fielded(dataset, "Intercessor Squad", loadout=loadout)
    assert [(r.count, {(c.weapon_id, c.count) for c in r.weapons}) for r in squad.ranks] == [
        (3, {(rifle, 1)}),
        (1, {(pistol, 2)}),
        (1, set()),
    ]
    assert squad.ranks[0].weapons[0].range == 24


def test_too_many_states_are_an_error_of_the_data():
    crowd = unit(*(rank(30, name=str(n), wounds=n) for n in range(1, 5)), name="crowd")
    with pytest.raises(DataError, match="crowd: the target's groups have"):
        _ = crowd.space


def test_stated_values_stand_in():
    squad = unit(rank(2, weapon(), move=None), rank(1, move=4))
    assert squad.stated(move=8).need("move") == [8, 8]
    assert squad.stated(control=3).need("control") == [3, 3]
    with pytest.raises(DataError, match="no Move of model"):
        squad.need("move")
