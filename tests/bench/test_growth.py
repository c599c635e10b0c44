"""How time grows with the number of attacks: where others double the work, or stop.

40kdice needs 109 s for 40 attacks like these (PEERS §3.2).
"""

from __future__ import annotations

from typing import Any

import pytest
from killcurve.engine.resolve import resolve
from killcurve.engine.volley import Outcome
from killcurve.rules.scenario import read_scenario
from killcurve.rules.volley import prepare

from tests.bench.caches import clear_caches
from tests.bench.tables import Timings, aligned, duration, times

TITLE = "sustained hits D3, devastating wounds into 20 models of 3 wounds with Feel No Pain 5+"
TABLE = "growth"
ATTACKS = (10, 20, 40, 80, 160)


def scenario(edition: str, attacks: int, damage: int | str, against: str) -> dict[str, Any]:
    """Where Feel No Pain is not the same for both kinds of wounds, they stay apart."""
    feel_no_pain = 5 if against == "all" else {"value": 5, "against": against}
    model = {"count": 20, "toughness": 4, "save": 3, "wounds": 3, "feel_no_pain": feel_no_pain}
    weapon = {
        "count": 1,
        "attacks": attacks,
        "skill": 3,
        "strength": 5,
        "ap": -1,
        "damage": damage,
        "keywords": ["sustained hits D3", "devastating wounds"],
    }
    return {
        "edition": edition,
        "attacker": {"weapons": [weapon]},
        "target": {"models": [model]},
    }


def answer(asked: dict[str, Any]) -> Outcome:
    """From the scenario to its outcome, however much work that is."""
    return resolve(prepare(read_scenario(asked)).volley)


@pytest.mark.parametrize("attacks", ATTACKS)
@pytest.mark.parametrize("caches", ["cold", "warm"])
@pytest.mark.parametrize(("damage", "against"), [(1, "all"), ("D3", "all"), ("D3", "mortal")])
@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_more_attacks(edition, damage, against, caches, attacks, timed):
    row = f"{edition}, damage {damage}, FNP against {against}, {caches}"
    asked = scenario(edition, attacks, damage, against)
    if caches == "cold":
        outcome = timed(TABLE, row, str(attacks), answer, asked, before=clear_caches, rounds=7)
    else:
        outcome = timed(TABLE, row, str(attacks), answer, asked)
    assert outcome.law.sum() == pytest.approx(1, abs=1e-12)
    assert 0 < outcome.damage.mean <= 60


def table(measured: Timings) -> list[str]:
    """A row for each kind, a column for each number of attacks, and how much more the most take."""
    first, last = str(ATTACKS[0]), str(ATTACKS[-1])
    lines = []
    for row in measured.rows(TABLE):
        found = {str(n): measured.get(TABLE, row, str(n)) for n in ATTACKS}
        small, large = found[first], found[last]
        ratio = large / small if small and large else None
        lines.append([row, *(duration(s) for s in found.values()), times(ratio)])
    if not lines:
        return []
    return aligned(["attacks", *map(str, ATTACKS), f"t({last})/t({first})"], lines)
