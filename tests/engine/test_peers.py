"""Published match-ups whose exact answers are known (PEERS §3)."""

from __future__ import annotations

import pytest
from killcurve.engine.roll import Reroll

from tests.engine.builders import fire, gun, squad

CASES = {
    "i": (gun(10, 3, 4, -1, 1), squad(10, 4, 3, 2), (1.6667, 0.5877, 0.5155, 0.0)),
    "ii": (
        gun(20, 3, 5, -1, 2, sustained=1, lethal=True, reroll_hits=Reroll.ONES),
        squad(5, 5, 2, 3, invulnerable=4, feel_no_pain=5),
        (4.7194, 1.2772, 0.8225, 0.00067),
    ),
    "iii": (gun("D6+3", 3, 10, -3, "D6+1"), squad(1, 10, 3, 12), (7.0391, 0.2674, 0.2674, 0.2674)),
    "iv": (
        gun("D6+3", 3, 10, -3, "D6+1"),
        squad(5, 5, 3, 3),
        (7.8587, 2.5287, 0.9497, 0.0897),
    ),
    "v": (
        gun(20, 3, 5, 0, "D3", sustained=1, devastating=True, critical_wounds=4,
            reroll_wounds=Reroll.FAILED),
        squad(10, 5, 3, 2),
        (17.4443, 8.6428, 1.0000, 0.4550),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_exact_answers(name):
    line, target, (damage, slain, one, all_of_them) = CASES[name]
    out = fire(line, at=target, rules="10e")
    got = (out.damage.mean, out.slain.mean, out.slain.at_least(1), out.destroyed)
    assert got == pytest.approx((damage, slain, one, all_of_them), abs=5.1e-5)


def test_sustained_hits_are_packets_of_their_own():
    """One attack, critical on 2+, one extra hit: 25/18 models, not what one packet could kill."""
    line = gun(1, 2, 8, sustained=1, critical_hits=2)
    assert fire(line, at=squad(5, 4), rules="10e").slain.mean == pytest.approx(25 / 18, abs=1e-14)


def test_lethal_does_not_pass_to_extra_hits():
    line = gun(12, 6, 4, sustained=1, lethal=True)
    assert fire(line, at=squad(25, 8, 7), rules="10e").stages[0].wounds == pytest.approx(
        12 / 6 * (1 + 1 / 6), abs=1e-13
    )
