"""Units of players' choices: the tape and its links, dice on a table, rights, laws of counts."""

from __future__ import annotations

import importlib
import inspect
import math
import pkgutil

import numpy as np
import pytest
from killcurve.engine import decisions
from killcurve.engine.decisions.batches import _Automatic, _Rolls, _Sizes
from killcurve.engine.decisions.bound import Allowed, Placed
from killcurve.engine.decisions.links import (
    SAME,
    Among,
    Chain,
    Mixed,
    Only,
    Relabel,
    Row,
    Select,
    Shift,
    Spread,
    Step,
    Weight,
)
from killcurve.engine.decisions.meters import Meter, Metered, MeteredLaw
from killcurve.engine.decisions.one_die import faced
from killcurve.engine.decisions.rights import Rights
from killcurve.engine.decisions.saving import _SwapFirstTwo
from killcurve.engine.decisions.table import STALE_FAILURE, STALE_SUCCESS, DiceTable
from killcurve.engine.decisions.tape import MARGIN, Tape
from killcurve.engine.pmf import Pmf
from killcurve.engine.roll import Reroll, Roll
from killcurve.engine.spectrum import law_of_count, mean_of_count
from killcurve.engine.weapon import Right, Rolled, Use
from scipy import sparse

from tests.engine.questions import F, binomial, same

# The tape


def test_a_player_takes_the_best_option_element_by_element():
    tape = Tape()
    low, high = tape.end(np.array([1.0, 5.0, 3.0])), tape.end(np.array([2.0, 4.0, 3.0]))
    options = [(SAME, low), (SAME, high)]
    most = tape.choice(options, best=np.maximum, labels=["low", "high"])
    least = tape.choice(options, best=np.minimum, labels=["low", "high"])
    assert most.value.tolist() == [2.0, 5.0, 3.0]
    assert least.value.tolist() == [1.0, 4.0, 3.0]
    law = np.array([0.2, 0.3, 0.5])
    tape.run(most, law)
    assert low.law.tolist() == [0.0, 0.3, 0.5]  # of equal ones the first
    assert high.law.tolist() == [0.2, 0.0, 0.0]
    assert tape.taken() == pytest.approx({"low": 0.8, "high": 0.2})
    tape.run(least, law)  # nothing stays of the run before
    assert low.law.tolist() == [0.2, 0.0, 0.5]
    assert tape.taken() == pytest.approx({"low": 0.7, "high": 0.3})


@pytest.mark.parametrize("best", [np.maximum, np.minimum])
def test_rounding_decides_nothing(best):
    tape = Tape()
    first = tape.end(np.array([1000.0, 1e-9]))
    by = 1 + MARGIN * 0.4 if best is np.maximum else 1 - MARGIN * 0.4
    second = tape.end(first.value * by)
    chosen = tape.choice([(SAME, first), (SAME, second)], best=best)
    tape.run(chosen, np.array([0.5, 0.5]))
    assert (first.law.tolist(), second.law) == ([0.5, 0.5], None)
    clear = tape.end(first.value * (1 + 1e-9 if best is np.maximum else 1 - 1e-9))
    chosen = tape.choice([(SAME, first), (SAME, clear)], best=best)
    tape.run(chosen, np.array([0.5, 0.5]))
    assert (first.law, clear.law.tolist()) == (None, [0.5, 0.5])


@pytest.mark.parametrize(("best", "bad"), [(np.maximum, -math.inf), (np.minimum, math.inf)])
@pytest.mark.parametrize("place", [0, 1])
def test_what_is_infinitely_bad_is_never_chosen(best, bad, place):
    """The forbidden option is worse than anything, also when it comes first."""
    tape = Tape()
    fine, right = tape.end(np.array([0.0, 0.0])), tape.end(np.array([7.0, -7.0]))
    spend = Shift(0, -1, outside=bad)  # at place 0 the right is gone
    options = [(SAME, fine)]
    options.insert(place, (spend, right))
    chosen = tape.choice(options, best=best)
    good = -7.0 if best is np.minimum else 7.0
    expected = {np.maximum: [0.0, 7.0], np.minimum: [0.0, 0.0]}[best]
    assert chosen.value.tolist() == expected
    assert good in right.value
    tape.run(chosen, np.array([0.25, 0.75]))
    assert fine.law[0] == 0.25
    assert (0.0 if right.law is None else right.law.sum()) == (0.75 if best is np.maximum else 0.0)


def test_what_has_no_chance_is_worth_nothing_however_bad_it_is():
    link = Weight(np.array([0.0, 1.0]))
    assert link.pull(np.array([-math.inf, 2.0])).tolist() == [0.0, 2.0]
    assert Weight(0.0).pull(np.array([math.inf])).tolist() == [0.0]


def test_how_often_an_option_is_taken_may_be_counted_from_a_place():
    tape = Tape()
    end = tape.end(np.ones((3, 2)))
    choice = tape.choice([(SAME, end)], best=np.minimum, labels=["it"], counted_from=1)
    tape.run(choice, np.array([[0.5, 0.0], [0.2, 0.1], [0.0, 0.2]]))
    assert tape.taken() == pytest.approx({"it": 0.5})


def test_laws_that_meet_in_a_situation_add_up_and_leave_each_other_alone():
    tape = Tape()
    together = tape.end(np.array([1.0]))
    apart = [tape.end(np.array([1.0])) for _ in range(4)]
    ways = [tape.chance([(SAME, together), (SAME, end)]) for end in apart]
    start = tape.chance([(SAME, way) for way in ways])
    for _ in range(2):
        tape.run(start, np.array([0.25]))
        assert together.law.tolist() == [1.0]
        assert [end.law.tolist() for end in apart] == [[0.25]] * 4


# Links: what is pulled back and what is pushed forward belong together

NUMBERS = np.random.default_rng(20260731)
STATES = 4
STOCHASTIC = NUMBERS.dirichlet(np.ones(STATES), size=STATES)
SIZES = _Sizes(r=3, c=3, rolls=5, n=5, m=3)
CUT = _Sizes(r=3, c=3, rolls=4, n=2, m=1)  # where more is too unlikely to be kept
TABLE = DiceTable([Roll(4)], [(Use.REROLL, Shift(0, -1))])
EVERYWHERE, SOMEWHERE = np.ones(STATES, dtype=bool), np.array([True, False, True, False])

LINKS = [
    # link, shape before it, shape after it
    (Weight(0.3), (3, STATES), (3, STATES)),
    (Weight(NUMBERS.random((3, 1))), (3, STATES), (3, STATES)),
    (Weight(NUMBERS.random(STATES)), (2, 3, STATES), (2, 3, STATES)),
    (Weight(np.array([True, False, True, True])), (3, STATES), (3, STATES)),
    (Step(STOCHASTIC), (3, STATES), (3, STATES)),
    (Step(sparse.csr_array(STOCHASTIC)), (2, 3, STATES), (2, 3, STATES)),
    *((Shift(axis, by), (5, 3, STATES), (5, 3, STATES)) for axis in (0, 1, -1) for by in (-2, -1, 0, 1, 4)),
    (Select(1, 3), (2, STATES), (3, 2, STATES)),
    (Row(2, 3), (3, STATES), (STATES,)),
    (Row(0, 3, axis=1), (2, 3, STATES), (2, STATES)),
    (Spread(NUMBERS.random(3)), (STATES,), (3, STATES)),
    (Spread(NUMBERS.random((2, 3))), (5, STATES), (2, 3, 5, STATES)),
    (Mixed(NUMBERS.random((3, 2))), (3, 5, STATES), (2, 5, STATES)),
    (Among(np.array([3, 1]), STATES), (3, 2), (3, STATES)),
    (Only(np.array([3, 1]), STATES), (3, STATES), (3, 2)),
    (Relabel((1, None, 0)), (3, STATES), (3, STATES)),
    (Relabel((2, 2, 1)), (3, 2, STATES), (3, 2, STATES)),
    (Chain((Select(1, 3), Shift(0, 1), Weight(0.5), Step(STOCHASTIC))), (STATES,), (3, STATES)),
    (Allowed(EVERYWHERE), (3, STATES), (3, STATES)),
    (Allowed(SOMEWHERE), (3, STATES), (3, STATES)),
    (Placed(np.array([2, 0, 1, 1]), 3), (2, 3 * STATES), (2, 3 * STATES)),
    (Metered(Meter(), 2.0), (3, STATES), (3, STATES)),
    (MeteredLaw(Meter(), Pmf([0.5, 0.5])), (3, STATES), (3, STATES)),
    (_Automatic(None, SIZES), (3, 3, STATES), (5, 3, STATES)),
    *((_Automatic(k, SIZES), (3, 3, STATES), (5, 3, STATES)) for k in range(3)),
    *((_Automatic(k, CUT), (3, 3, STATES), (4, 3, STATES)) for k in (None, 0, 2)),
    *((_Rolls(k, SIZES, TABLE), (5, 3, STATES), (3, 5, 3, STATES)) for k in (0, 4)),
    (_Rolls(3, CUT, TABLE), (4, 3, STATES), (3, 2, 1, STATES)),
    (_SwapFirstTwo(), (2, 3, STATES), (3, 2, STATES)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("link", "before", "after"),
    LINKS,
    ids=[f"{type(k).__name__}-{i}" for i, (k, *_) in enumerate(LINKS)],
)
def test_pull_and_push_are_adjoint(link, before, after):
    value, law = NUMBERS.normal(size=after), NUMBERS.random(before)
    pulled = link.pull(value)
    assert pulled.shape == before
    law[~np.isfinite(pulled)] = 0.0  # nobody goes there
    pulled = np.where(np.isfinite(pulled), pulled, 0.0)
    pushed = link.push(law)
    assert pushed.shape == after
    assert float((pulled * law).sum()) == pytest.approx(float((value * pushed).sum()), abs=1e-12)
    again = NUMBERS.random(before) * (law > 0)
    np.testing.assert_allclose(link.push(law + again), pushed + link.push(again), atol=1e-12)


def test_every_link_is_tested():
    found = set()
    for module in pkgutil.iter_modules(decisions.__path__):
        made = importlib.import_module(f"{decisions.__name__}.{module.name}")
        found |= {
            cls.__name__
            for _, cls in inspect.getmembers(made, inspect.isclass)
            if cls.__module__ == made.__name__ and hasattr(cls, "pull") and hasattr(cls, "push")
        }
    assert found - {"Link"} == {type(link).__name__ for link, *_ in LINKS}


def test_meters_count_and_mark_what_passes():
    law = np.array([[0.1, 0.2], [0.3, 0.4]])
    meter = Meter()
    counts = np.array([[0.0], [3.0]])
    counting = Metered(meter, counts, once=True)
    assert counting.push(law) is law
    assert meter.total == pytest.approx(2.1)
    assert meter.seen == pytest.approx({0: 0.3, 3: 0.7})
    meter.mark = 1j
    assert counting.push(law)[:, 0].tolist() == pytest.approx([0.1, -0.3j])
    rolled = Meter()
    number = MeteredLaw(rolled, Pmf([0.25, 0.75], start=1))
    assert number.push(law) is law
    assert rolled.total == pytest.approx(1.75)
    rolled.mark = 2.0
    np.testing.assert_allclose(number.push(law), law * (0.25 * 2 + 0.75 * 4))


# Dice on the table, one die, rights, laws of counts


def test_a_table_keeps_the_dice_worth_changing():
    again = Roll(4).once()
    table = DiceTable([Roll(4)], [(Use.REROLL, SAME), (Use.SIX, SAME)])
    failure, success = table.kind(False, again), table.kind(True, again)
    assert table.kinds == (failure, STALE_FAILURE, success, STALE_SUCCESS)
    assert table.size == 13  # two dice, of those that cannot be re-rolled one of a kind

    def place(*kinds):
        at = table.empty
        for kind in kinds:
            at = table.adding(kind).places[at]
        return at

    assert place(failure, success) == place(success, failure)
    assert place(failure, failure, failure) == place(failure, failure)
    assert place(success, STALE_SUCCESS, failure, failure) == place(failure, failure)
    assert place(STALE_FAILURE, STALE_FAILURE) == place(STALE_FAILURE)
    assert place(failure, STALE_SUCCESS) != place(failure, success)
    taking = table.taking(success).places
    assert taking[place(failure, success)] == place(failure)
    assert taking[place(failure, failure)] is None


def test_a_table_for_rerolls_alone_forgets_dice_that_are_rerolled_already():
    table = DiceTable([Roll(4, reroll=Reroll.ONES), Roll(5)], [(Use.REROLL, SAME)])
    better, worse = Roll(4).once(), Roll(5).once()
    assert [kind.again for kind in table.kinds] == [better, worse, better, worse]
    assert table.adding(STALE_FAILURE).places == tuple(range(table.size))
    empty = table.empty
    low = table.adding(table.kind(False, worse)).places[empty]
    both = table.adding(table.kind(False, better)).places[low]
    assert both == table.adding(table.kind(False, better)).places[empty]  # likelier to succeed
    none = DiceTable([Roll(4)], [])
    assert (none.size, none.kinds) == (1, ())


def test_one_die_that_may_be_rerolled_or_set_to_6():
    """Worth: failure 0, success 1, critical 3; chances 1/2, 1/3, 1/6. Axes: the rights left."""
    tape = Tape()
    failed, success, critical = (tape.end(np.full((2, 2), worth)) for worth in (0.0, 1.0, 3.0))

    def again(then):
        chances = [(Weight(1 / 2), then[0]), (Weight(1 / 3), then[1]), (Weight(1 / 6), critical)]
        return [tape.chance(chances)] * 2

    bad = -math.inf
    uses = [(Use.REROLL, Shift(0, -1, bad)), (Use.SIX, Shift(1, -1, bad))]
    fresh, stale = faced(
        tape, uses, (failed, success), six=(critical, critical), again=again, best=np.maximum
    )
    rolled = 0 / 2 + 1 / 3 + 3 / 6
    assert fresh[0].value == pytest.approx(np.array([[0, 3], [rolled, 3]]))
    assert fresh[1].value == pytest.approx(np.array([[1, 3], [1, 3]]))
    assert stale[0].value == pytest.approx(np.array([[0, 3], [0, 3]]))
    assert stale[1].value == pytest.approx(np.array([[1, 3], [1, 3]]))
    tape.run(fresh[0], np.array([[0.0, 0.0], [1.0, 0.0]]))
    arrived = [
        0.0 if end.law is None else float(end.law.sum()) for end in (failed, success, critical)
    ]
    assert arrived == pytest.approx([1 / 2, 1 / 3, 1 / 6])


def test_no_die_is_rolled_a_third_time():
    """Worth: failure 0, success 1; even chances. Two rights to re-roll, one die."""
    tape = Tape()
    failed, success = (tape.end(np.full((2, 2), worth)) for worth in (0.0, 1.0))

    def again(then):
        return [tape.chance([(Weight(0.5), then[0]), (Weight(0.5), then[1])])] * 2

    uses = [(Use.REROLL, Shift(axis, -1, -math.inf)) for axis in (0, 1)]
    fresh, stale = faced(
        tape, uses, (failed, success), six=(success, success), again=again, best=np.maximum
    )
    assert fresh[0].value.tolist() == [[0.0, 0.5], [0.5, 0.5]]
    assert stale[0].value.tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_rights_are_axes():
    rights = Rights((Right(Rolled.HITS, Use.REROLL), Right(Rolled.SAVES, Use.SIX)))
    law = np.array([0.25, 0.75])
    fresh = rights.fresh(law)
    assert fresh.shape == (2, 2, 2)
    assert rights.used(fresh) == dict.fromkeys(rights.all, 0.0)
    np.testing.assert_array_equal(rights.forget(fresh), law)
    spend = Shift(-2, -1)  # the last right
    used = rights.used(0.5 * fresh + 0.5 * spend.push(fresh))
    assert list(used.values()) == pytest.approx([0.0, 0.5])
    np.testing.assert_array_equal(rights.whatever(law)[1, 0], law)


@pytest.mark.parametrize("most", range(9))
def test_a_law_is_read_off_its_generating_function(most):
    expected = NUMBERS.dirichlet(np.ones(most + 1))
    powers = np.arange(most + 1)
    got = law_of_count(lambda z: complex((expected * z**powers).sum()), most)
    assert same(got.weights.tolist(), expected, within=1e-15)
    mean = mean_of_count(lambda z: complex((expected * z**powers).sum()))
    assert mean == pytest.approx(float(expected @ powers), abs=1e-14)


def test_a_binomial_law_from_its_generating_function():
    got = law_of_count(lambda z: (0.75 + 0.25 * z) ** 40, 40)
    assert same(got.weights.tolist(), binomial(40, F(1, 4)), within=2e-15)
    assert (got.weights >= 0).all()
    assert mean_of_count(lambda z: (0.75 + 0.25 * z) ** 40) == pytest.approx(10, abs=1e-13)
    assert law_of_count(lambda z: z**3, 5) == Pmf([0, 0, 0, 1, 0, 0])
