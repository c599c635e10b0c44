"""What rules are worth in many attacks: as one by one, whoever answers, and without hard detours."""

from __future__ import annotations

import io
import pickle
import sys
import time
from dataclasses import replace

import pytest
from killcurve.study.worth import many, measuring, rules_worth
from killcurve.study.worth.many import Asked, worth_of_each

from tests.study.standing import rank, standing, unit, weapon
from tests.study.test_worth import army, moles, of_moles, ploy, rock, row

PLOYS = [ploy("Aim", "hit +1"), ploy("Dig In", "hit -1", side="defender")]


@pytest.fixture
def asked():
    pairs = [(moles(models=n), rock(models=n)) for n in (1, 2, 3)]
    return [Asked(*pair, "shooting", side) for pair in pairs for side in ("attacker", "defender")]


@pytest.fixture
def shared(monkeypatch):
    """Work is shared even if there is little, on a machine with two cores."""
    monkeypatch.setattr(many, "FEW", 0)
    monkeypatch.setattr(many, "_cores", lambda: 2)


def nobody(*_):
    """Tell nobody."""


def check(data, asked, found):
    for each, frame in zip(asked, found, strict=True):
        alone = rules_worth(data, each.unit, each.target, each.phase, sides=[each.side])
        assert frame.equals(alone)


@pytest.mark.usefixtures("shared")
def test_the_other_process_answers_the_same(asked, monkeypatch):
    data, own = army(stratagems=PLOYS), many._answer
    here = []

    def wait_for_all(dataset, each):
        here.append(each)
        beside = beginnings[0]
        beside._listening.join(60)  # the other process has time to answer everything
        return own(dataset, each)

    beginnings = []
    enter = many._Beside.__enter__
    monkeypatch.setattr(many, "_answer", wait_for_all)
    monkeypatch.setattr(
        many._Beside, "__enter__", lambda self: beginnings.append(self) or enter(self)
    )
    found = worth_of_each(data, asked, nobody)
    assert len(here) == 1
    assert beginnings[0].answers.keys() == set(range(len(asked)))
    check(data, asked, found)


@pytest.mark.usefixtures("shared")
def test_if_the_other_comes_to_nothing_all_is_done_here(asked, monkeypatch):
    data = army(stratagems=PLOYS)
    for wrong in ("/nowhere/python", "/bin/false"):
        monkeypatch.setattr(sys, "executable", wrong)
        told = []
        found = worth_of_each(data, asked, lambda done, of, told=told: told.append((done, of)))
        assert told == [(number, len(asked)) for number in range(len(asked))]
        check(data, asked, found)


@pytest.mark.usefixtures("shared")
def test_the_other_process_ends_with_the_work(asked, monkeypatch, tmp_path):
    idle = tmp_path / "idle"
    idle.write_text("#!/bin/sh\nexec sleep 600\n")
    idle.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(idle))
    began = []
    enter = many._Beside.__enter__
    monkeypatch.setattr(many._Beside, "__enter__", lambda self: began.append(self) or enter(self))
    started = time.monotonic()

    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        worth_of_each(army(), asked, stop)
    assert began[0]._process.poll() is not None
    assert time.monotonic() - started < 60


def test_the_other_process_begins_at_the_end(asked, monkeypatch):
    """So that the two meet, and what it has answered leaves no gap."""
    data = army(stratagems=PLOYS)
    given, taken = io.BytesIO(pickle.dumps((data, tuple(asked)))), io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(given))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(taken, write_through=True))
    many.main()
    taken.seek(0)
    answers = [pickle.load(taken) for _ in asked]
    assert [number for number, _ in answers] == list(reversed(range(len(asked))))
    check(data, asked, [frame for _, frame in reversed(answers)])


@pytest.mark.parametrize(("damage", "counts"), [(2, False), ("D3", True)])
def test_fixed_damage_is_not_rolled_again(damage, counts):
    gun = weapon(skill=4, strength=4, damage=damage)
    own = of_moles(standing(unit(rank(2, gun), name="Diggers"), 100))
    data = army(stratagems=[ploy("Again", "reroll damage failed")])
    found = row(rules_worth(data, own, rock(wounds=3), "shooting"), "Again")
    assert (found["gain_damage"] > 1e-9) is counts
    assert found["gain_damage"] >= 0


def test_words_that_nothing_asks_for_are_solved_once(monkeypatch):
    solved = []
    own = measuring.Attack._measured
    monkeypatch.setattr(
        measuring.Attack, "_measured", lambda self, how: solved.append(how) or own(self, how)
    )
    data = army(stratagems=[
        ploy(f"Aim {n}", f'hit +1 if "the mole is number {n}"') for n in range(4)
    ])  # fmt: skip
    worth = rules_worth(data, moles(), rock(), "shooting", sides=["attacker"])
    assert worth.filter(worth["name"].str.starts_with("Aim"))["gain_damage"].n_unique() == 1
    assert sum(not how.attacker_effects for how in solved) == 1


def test_a_reroll_that_adds_nothing_is_no_yardstick(monkeypatch):
    """What floats leave of nothing would make multiples of it as large as you like."""
    own = measuring.Attack.gain

    def next_to_nothing(self, helps, side):
        gain = own(self, helps, side)
        if helps[0].rule.name != "COMMAND RE-ROLL":
            return gain
        more = gain.without.points_removed + 2e-14
        return replace(gain, with_it=replace(gain.without, points_removed=more))

    monkeypatch.setattr(measuring.Attack, "gain", next_to_nothing)
    worth = rules_worth(army(stratagems=PLOYS[:1]), moles(), rock(), "shooting", sides=["attacker"])
    assert row(worth, "Aim")["gain_points_removed"] > 1
    assert row(worth, "Aim")["in_rerolls"] is None
