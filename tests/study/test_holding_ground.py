"""What is held after an attack: strength, battle-shock and control, in fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from killcurve.engine.edition import edition
from killcurve.study.arming import Use
from killcurve.study.holding_ground import (
    Nerve,
    attacked,
    control_law,
    holding,
    holding_ground,
)
from killcurve.study.matchup import Circumstances
from killcurve.study.mustering import fielded
from killcurve.tables.dataset import DataError

from tests.study import playing
from tests.study.playing import Hand, rank, unit, weapon

SHOOTERS = unit(rank(4, weapon("gun", skill=3, strength=4)), name="shooters")
HOLDERS = unit(
    rank(3, name="trooper", leadership=8, control=2),
    rank(1, name="sergeant", leadership=6, control=3),
    name="holders", points=80,
)  # fmt: skip


NERVES = [Nerve(), Nerve(modifier=-1), Nerve(forced=True), Nerve(steady=True), Nerve(dice=3)]


def failing(need, modifier=0, dice=2):
    rolls = list(product(range(1, 7), repeat=dice))
    return F(sum(max(1, sum(r) + modifier) < need for r in rolls), len(rolls))


def by_hand(rules, nerve=NERVES[0], shots=1):
    """Every course of the shots, then the test of those who are left."""
    a, b = Hand(SHOOTERS), Hand(HOLDERS)
    law = Counter({(a.start, b.start): F(1)})
    for _ in range(shots):
        law = playing.volley(law, a, b, "ranged", True)
    found: Counter = Counter()
    chances: Counter = Counter()
    for (_, state), chance in law.items():
        left, control = (
            sum(state),
            sum(r.control for r, w in zip(b.models, state, strict=True) if w),
        )
        best = min((r.leadership for r, w in zip(b.models, state, strict=True) if w), default=None)
        half = 2 * left == 4
        below = 0 < 2 * left < 4
        chances["below_starting"] += chance * (0 < left < 4)
        chances["at_half"] += chance * half
        chances["below_half"] += chance * below
        chances["destroyed"] += chance * (left == 0)
        tested = left > 0 and (nerve.forced or below or (half and rules == "11e"))
        fails = failing(best, nerve.modifier, nerve.dice) if tested and not nerve.steady else F(0)
        chances["tested"] += chance * tested
        chances["failed"] += chance * fails
        found[control] += chance * (1 - fails)
        found[0] += chance * fails
    return chances, found


@pytest.mark.parametrize("rules", ["11e", "10e"])
@pytest.mark.parametrize("nerve", NERVES)
def test_every_course_of_the_dice(rules, nerve):
    how = Circumstances(edition=rules)
    law = attacked([(SHOOTERS, Use(True))], HOLDERS, how)
    held = holding(HOLDERS, law, edition(rules), nerve)
    chances, found = by_hand(rules, nerve)
    for what in ("below_starting", "at_half", "below_half", "destroyed", "tested", "failed"):
        assert getattr(held, what) == pytest.approx(float(chances[what]), abs=1e-14), what
    for value in range(10):
        assert held.control.probability(value) == pytest.approx(float(found[value]), abs=1e-14)
    assert held.control_start == 9
    assert held.control_before.at_least(1) == pytest.approx(1 - float(chances["destroyed"]))


def test_the_frame_tells_what_the_law_does():
    how = Circumstances(edition="11e")
    attacks = [(SHOOTERS, Use(True))]
    row = holding_ground(attacks, HOLDERS, how, enemy_control=4).row(0, named=True)
    _, found = by_hand("11e")
    assert row["control"] == pytest.approx(float(sum(v * p for v, p in found.items())))
    assert row["holds"] == pytest.approx(float(sum(p for v, p in found.items() if v > 4)))
    assert row["weapons"] == ["4 × gun"]
    law = control_law(attacks, HOLDERS, how)
    assert law["control"].to_list() == list(range(10))
    assert law["probability"].sum() == pytest.approx(1)
    assert law.filter(control=5)["at_least"][0] == pytest.approx(row["holds"])
    assert (law["at_least_before"] >= law["at_least"] - 1e-14).all()


def test_several_attackers_strike_one_after_the_other():
    both = [(SHOOTERS, Use(True)), (SHOOTERS, Use(True))]
    law = attacked(both, HOLDERS)
    chances, _ = by_hand("11e", shots=2)
    assert law[-1] == pytest.approx(float(chances["destroyed"]), abs=1e-14)


@pytest.mark.parametrize(("rules", "again"), [("11e", True), ("10e", False)])
def test_those_who_are_shocked_already(rules, again):
    """In the 11th edition they are tested again, before it ends by itself."""
    law = HOLDERS.space.from_start()
    held = holding(HOLDERS, law, edition(rules), Nerve(shocked=True))
    assert held.control_before.mean == 0
    expected = 9 * (1 - float(failing(6))) if again else 9
    assert held.control.mean == pytest.approx(expected)
    assert held.tested == again


def test_a_lone_model_compares_wounds():
    giant = unit(rank(1, wounds=10, leadership=7, control=5), name="giant")
    law = np.zeros(11)
    law[[5, 6]] = 0.5
    held = holding(giant, law, edition("11e"))
    assert (held.at_half, held.below_half) == (0.5, 0.5)
    assert held.tested == 1


@pytest.mark.parametrize("missing", ["leadership", "control"])
def test_values_that_nobody_knows_are_named(missing):
    unknown = unit(rank(3, **{missing: None}), name="strangers")
    called = {"leadership": "Leadership", "control": "Objective Control"}[missing]
    with pytest.raises(DataError, match=f"no {called} of model in strangers"):
        holding(unknown, unknown.space.from_start(), edition("11e"))
    told = unknown.stated(**{missing: 6})
    assert holding(told, told.space.from_start(), edition("11e")).destroyed == 0


def test_real_units(dataset):
    boyz, squad = fielded(dataset, "Boyz", models=20), fielded(dataset, "Intercessor Squad")
    row = holding_ground([(boyz, Use(False))], squad, enemy_control=3).row(0, named=True)
    assert row["control_start"] == 10
    assert row["control"] <= row["control_before"] <= 10
    assert row["below_half"] <= row["below_starting"]
