"""What explorers are built of: debouncing, background work, lists, phrases, states, files."""

from __future__ import annotations

import asyncio
import base64
import threading
import time

import pytest
from killcurve.explore.background import Background
from killcurve.explore.controls import CountList, SearchSelect, Tick, TickList
from killcurve.explore.debouncing import Debounced
from killcurve.explore.downloads import Download
from killcurve.explore.own_state import OwnState, OwnWeapon
from killcurve.explore.phrases import PhraseBox, check
from killcurve.explore.states import code_of, from_json, to_json
from killcurve.explore.targets import TargetState
from killcurve.explore.unit_state import UnitState
from killcurve.tables.dataset import DataError


def test_many_calls_are_one_answer():
    drawn = []

    async def person():
        ask = Debounced(lambda: iter([drawn.append("drawn") or 0.0]), wait=0.02)
        for _ in range(20):
            ask()
            await asyncio.sleep(0.001)
        assert drawn == []
        await asyncio.sleep(0.1)
        assert ask.is_idle
        assert ask.generation == 20

    asyncio.run(person())
    assert drawn == ["drawn"]


def test_a_single_call_need_not_wait_and_a_movement_does():
    drawn = []

    async def person():
        ask = Debounced(lambda: iter([drawn.append(ask.generation) or 0.0]), wait=600.0)
        ask()
        while not drawn:  # at once: far sooner than the wait
            await asyncio.sleep(0.001)
        ask()
        await asyncio.sleep(0.1)
        assert drawn == [1]  # that goes on, so it rests first
        assert not ask.is_idle
        ask.cancel()

    asyncio.run(asyncio.wait_for(person(), 60))


def test_an_answer_that_waits_in_another_thread_s_loop_is_dropped():
    """Cells run in one thread of a kernel, controls may be answered in another."""
    drawn = []
    ask = Debounced(lambda: iter([drawn.append("drawn") or 0.0]), wait=0.05)
    ask._last = float("inf")  # as in a movement: it waits

    async def cell():
        ask()
        waiting = asyncio.to_thread(ask.cancel)
        await waiting
        await asyncio.sleep(0.2)

    asyncio.run(cell())
    assert drawn == []
    assert ask.is_idle


def test_steps_of_an_older_answer_are_dropped():
    drawn = []

    async def person():
        number = 0

        def steps():
            mine = number
            drawn.append(("numbers", mine))
            yield 0.03
            drawn.append(("picture", mine))
            yield 0.0

        ask = Debounced(steps, wait=0.0)
        ask()
        await asyncio.sleep(0.01)
        number = 1
        ask()
        await asyncio.sleep(0.1)

    asyncio.run(person())
    assert drawn == [("numbers", 0), ("numbers", 1), ("picture", 1)]


def test_what_a_step_raises_is_told_in_place():
    told = []

    def steps():
        raise ValueError("no such thing")
        yield 0.0

    Debounced(steps, failed=told.append)()

    async def person():
        Debounced(steps, wait=0.0, failed=told.append)()
        await asyncio.sleep(0.01)

    asyncio.run(person())
    assert [str(error) for error in told] == ["no such thing"] * 2


def test_long_work_comes_back_into_the_loop():
    threads, answers = [], []

    def work(progress):
        threads.append(threading.current_thread())
        for number in range(3):
            progress.step(number, 3)
        return "answer"

    def done(answer):
        threads.append(threading.current_thread())
        answers.append(answer)

    async def person():
        background = Background("Start", lambda: work, done)
        background.start.click()
        assert background.is_running
        assert not background.cancel.disabled
        for _ in range(100):
            await asyncio.sleep(0.01)
            if not background.is_running:
                break
        assert background.cancel.disabled
        assert "done" in background.told.value

    asyncio.run(person())
    assert answers == ["answer"]
    assert threads[0] is not threading.main_thread()
    assert threads[1] is threading.main_thread()


def test_cancelled_work_changes_nothing():
    answers, steps = [], []

    def work(progress):
        for number in range(1000):
            progress.step(number, 1000)
            steps.append(number)
            time.sleep(0.002)
        return "answer"

    async def person():
        background = Background("Start", lambda: work, answers.append)
        background.start.click()
        await asyncio.sleep(0.03)
        background.cancel.click()
        assert "cancelled" in background.told.value
        number = len(steps)
        await asyncio.sleep(0.05)
        assert len(steps) <= number + 2

    asyncio.run(person())
    assert answers == []


def test_a_work_that_fails_says_so():
    def work(_):
        raise ValueError("there is no such unit; choose another")

    background = Background("Start", lambda: work, lambda _: None)
    background.start.click()
    assert "choose another" in background.told.value
    assert not background.is_running


def test_searching_a_list_keeps_what_is_chosen():
    units = SearchSelect("Unit")
    units.offer(["Boyz", "Gretchin", "Nobz", "Nob on Squig"], "Boyz")
    units.search.value = "nob"
    assert list(units.list.options) == ["Nobz", "Nob on Squig"]
    assert units.value == "Boyz"
    assert units.list.value is None
    assert "chosen: Boyz" in units.told.value
    units.list.value = "Nob on Squig"
    assert units.value == "Nob on Squig"
    units.search.value = "xyz"
    assert "nothing here has" in units.told.value
    assert units.value == "Nob on Squig"
    units.search.value = "nobz"
    assert units.value == "Nobz"


def test_a_long_list_shows_its_beginning_and_what_is_chosen():
    units = SearchSelect("Unit")
    names = [f"Unit {number}" for number in range(1000)]
    units.offer(names, "Unit 999")
    assert len(units.list.options) == 200
    assert units.list.value == "Unit 999"


def test_ticks_keep_their_place():
    rules = TickList()
    rules.offer([Tick("a", "A", "told"), Tick("b", "B")], ["b"])
    heard = []
    rules.observe(lambda change: heard.append(change.new), names="value")
    rules.boxes["a"].value = True
    rules.offer([Tick("a", "A", "told"), Tick("b", "B")], ["a", "b"])
    assert heard == [("a", "b")]
    weapons = CountList()
    weapons.offer([Tick("gun", "Gun"), Tick("pike", "Pike")], {"gun": 3}, {"pike": 5})
    assert weapons.value == (("gun", 3),)
    weapons.rows["pike"][0].value = True
    assert weapons.value == (("gun", 3), ("pike", 5))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("hit +1; hitt +1", "hitt"),
        ("reroll wound ones", "wound"),
        ("hit +1, wound +1 if half_rnge", "half_rnge"),
        ('one of (hit +1 | lethal hit), "x', None),
        ("hit +1 for lethl hits", "lethl hits"),
        ("sustaned hits 1\nlethal hits", "sustaned"),
    ],
)
def test_an_error_points_at_the_word(text, wrong):
    faults = check(text).faults
    assert faults
    if wrong is not None:
        (fault,) = faults
        assert text[fault.start : fault.end] == wrong


@pytest.mark.parametrize(
    "text", ["", ";", "hit +1", 'hit +1 if "a; b, c"; wound +1', "(((", '"', "é ; 🎲"]
)
def test_any_text_is_checked_without_an_exception(text):
    checked = check(text)
    for fault in checked.faults:
        assert 0 <= fault.start <= fault.end <= len(text)
    box = PhraseBox("Own")
    box.entry.value = text
    assert box.value == text


def test_quoted_conditions_may_hold_separators():
    checked = check('hit +1 if "a; b, c"; wound +1')
    assert [str(effect) for effect in checked.effects] == ['hit +1 if "a; b, c"', "wound +1"]


STATES = [
    UnitState("Necrons", "Immortals", weapons=(("Gun", 2),), rules=(), target=TargetState("own")),
    OwnState((OwnWeapon("a"), OwnWeapon(damage="D6")), flags=("cover",)),
]


@pytest.mark.parametrize("state", STATES, ids=lambda state: type(state).__name__)
def test_states_survive_json_and_code(state):
    assert from_json(type(state), to_json(state)) == state
    kinds = {kind.__name__: kind for kind in (UnitState, OwnState, OwnWeapon, TargetState)}
    assert eval(code_of(state), kinds) == state


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "no JSON"),
        ("[]", "an object with fields"),
        ('{"state": "OwnState"}', "another kind: OwnState"),
        ('{"faction": "a"}', "say datasheet"),
        ('{"faction": "a", "datasheet": 1}', "datasheet is a text"),
        ('{"faction": "a", "datasheet": "b", "model": 1}', "did you mean 'models'"),
        ('{"faction": "a", "datasheet": "b", "weapons": [["a"]]}', "2 parts"),
        ('{"faction": "a", "datasheet": "b", "target": {"save": "3"}}', "target.save"),
        ('{"faction": "a", "datasheet": "b", "models": true}', "models is a whole number"),
    ],
)
def test_a_wrong_state_says_where(text, message):
    with pytest.raises(DataError, match=message):
        from_json(UnitState, text)


def test_a_link_holds_its_file():
    link = Download("State", 'a"b.json', b"{}").link()
    assert base64.b64encode(b"{}").decode() in link
    assert "&quot;" in link
