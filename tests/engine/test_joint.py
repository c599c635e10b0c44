"""The joint law of two units, against sums in fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from killcurve.engine.joint import apart, changed, distinct, rows_by_kind, struck

MODELS = (3, 2)


def killed(living, p, enemies):
    """P(so many of ``enemies`` die when each of ``living`` kills one with chance p)."""
    law = [F(0)] * (enemies + 1)
    for k in range(living + 1):
        law[min(k, enemies)] += comb(living, k) * p**k * (1 - p) ** (living - k)
    return law


def by_hand(p, q, turns):
    """A and B shoot in turn; states are models lost."""
    law = Counter({(0, 0): F(1)})
    for turn in range(turns):
        after = Counter()
        for (a, b), chance in law.items():
            own, other = (a, b) if turn % 2 == 0 else (b, a)
            mine, theirs = MODELS if turn % 2 == 0 else MODELS[::-1]
            for more, part in enumerate(killed(mine - own, (p, q)[turn % 2], theirs - other)):
                new = (a, b + more) if turn % 2 == 0 else (a + more, b)
                after[new] += chance * part
        law = after
    return law


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 6), st.integers(0, 6), st.integers(1, 5))
def test_shooting_in_turn_is_the_sum_over_all_courses(p, q, turns):
    chances = F(p, 6), F(q, 6)
    joint = apart(np.eye(MODELS[0] + 1)[0], np.eye(MODELS[1] + 1)[0])
    for turn in range(turns):
        mine, theirs = MODELS if turn % 2 == 0 else MODELS[::-1]

        def after(living, lost, turn=turn, theirs=theirs):
            law = np.zeros(theirs + 1)
            law[lost:] = [float(x) for x in killed(living, chances[turn % 2], theirs - lost)]
            return law

        kinds = [mine - lost or None for lost in range(mine + 1)]
        own = joint if turn % 2 == 0 else joint.T
        own = struck(own, kinds, after)
        joint = own if turn % 2 == 0 else own.T
    expected = by_hand(*chances, turns)
    for a in range(MODELS[0] + 1):
        for b in range(MODELS[1] + 1):
            assert joint[a, b] == pytest.approx(float(expected[a, b]), abs=1e-14)


def test_each_pair_is_worked_out_once_and_only_where_it_can_occur():
    joint = np.array([[0.25, 0.0, 0.25], [0.25, 0.0, 0.0], [0.0, 0.0, 0.25]])
    kinds = ["one", "one", None]
    asked = []

    def after(kind, state):
        asked.append((kind, state))
        return np.eye(3)[state]

    assert struck(joint, kinds, after) == pytest.approx(joint)
    assert sorted(asked) == [("one", 0), ("one", 2)]
    assert distinct(joint, kinds) == 2
    assert rows_by_kind(joint, kinds) == {"one": [0, 1]}


def test_a_change_of_one_side_keeps_what_it_knows_of_the_other():
    joint = np.array([[0.5, 0.0], [0.0, 0.5]])
    half = {0: np.array([0.5, 0.5]), 1: None}
    assert changed(joint, half.__getitem__).tolist() == [[0.25, 0.0], [0.25, 0.5]]
