"""What is left of a unit: volleys from any state are those at what is left."""

from __future__ import annotations

import numpy as np
import pytest
from killcurve.engine.edition import edition
from killcurve.engine.plain import play_plainly
from killcurve.engine.remaining import remaining
from killcurve.engine.resolve import resolve
from killcurve.engine.states import states
from killcurve.engine.target import Target
from killcurve.engine.volley import Volley

from tests.engine.builders import gun, squad

MIXED = Target(
    (
        squad(count=2, wounds=2, save=5),
        squad(count=3, wounds=1, save=4, toughness=3),
        squad(count=1, wounds=3, save=3, character=True),
    )
)


@pytest.mark.parametrize("target", [MIXED, Target((squad(count=3, wounds=4),))])
def test_every_living_state_is_the_start_of_what_is_left(target):
    space = states(target)
    for state in range(space.destroyed):
        left = remaining(target, state)
        own = states(left.target)
        assert left.places[own.start] == state
        assert left.places[own.destroyed] == space.destroyed
        assert len(set(left.places.tolist())) == own.size
        for g, group in zip(left.groups, own.lost, strict=True):
            gone = (
                target.groups[g].total_wounds
                - left.target.groups[left.groups.index(g)].total_wounds
            )
            assert (space.lost[g][left.places] == group + gone).all()


@pytest.mark.parametrize("state", [-1, 4, 9])
def test_nobody_is_left_of_the_dead(state):
    with pytest.raises(ValueError, match="lives in states 0 to 3"):
        remaining(Target((squad(count=2, wounds=2),)), state)


@pytest.mark.parametrize("rules", ["11e", "10e"])
def test_two_volleys_are_one_of_both_weapons(rules):
    """What the second weapon does from where the first left the unit, state by state."""
    target = Target((squad(count=3, wounds=3, save=5),))
    lines = (gun(attacks="D3", damage="D3", skill=3, strength=6), gun(attacks=2, damage=2, ap=-1))
    first, second = (
        lambda at, line=line: resolve(Volley(edition(rules), at, (line,))).law for line in lines
    )
    before = first(target)
    after = np.zeros_like(before)
    for state, chance in enumerate(before[:-1]):
        left = remaining(target, state)
        after += chance * left.placed(second(left.target))
    after[-1] += before[-1]
    together = resolve(Volley(edition(rules), target, lines)).law
    assert after == pytest.approx(together, abs=1e-12)


def test_groups_that_died_are_not_asked_any_more():
    """A volley goes on with the groups that live, as the plain sums do for mixed units."""
    lines = (gun(attacks=6, damage=2, skill=2, strength=8, ap=-3), gun(attacks=3, skill=3))
    before, _ = play_plainly(Volley(edition("11e"), MIXED, lines[:1]))
    after = np.zeros_like(before)
    for state in np.flatnonzero(before[:-1]):
        left = remaining(MIXED, int(state))
        law, _ = play_plainly(Volley(edition("11e"), left.target, lines[1:]))
        after += before[state] * left.placed(law)
    after[-1] += before[-1]
    together, _ = play_plainly(Volley(edition("11e"), MIXED, lines))
    assert after == pytest.approx(together, abs=1e-12)
