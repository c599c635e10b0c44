"""Random sequences of what people do with the explorers of studies: nothing fails or is stale."""

from __future__ import annotations

import asyncio
import random
from functools import partial

import pytest
from killcurve.explore import answer_panel
from killcurve.explore.army import ArmyExplorer
from killcurve.explore.army_state import ArmyState, army_view, worked
from killcurve.explore.background import Progress
from killcurve.explore.breakpoints import BreakpointExplorer
from killcurve.explore.breakpoints_state import BreakpointState, breakpoints_view, broken
from killcurve.explore.efficiency import EfficiencyExplorer
from killcurve.explore.efficiency_state import EfficiencyState, measured
from killcurve.explore.efficiency_view import efficiency_view
from killcurve.explore.list_text import ListText
from killcurve.explore.pictures import key_numbers
from killcurve.explore.states import from_json
from killcurve.explore.whole_units import Who
from killcurve.explore.worth import WorthExplorer
from killcurve.explore.worth_state import WorthState, together, worth, worth_view

from tests.explore.test_study_explorers import LIST

STEPS = 60
WORDS = ["", "a", "war", "squad", "xyz", "lord"]
TEXTS = [LIST, "", "nothing", LIST.replace("75", "80")]
NOBODY = Progress(lambda *_: None)
SMALL = ["Drukhari", "Leagues of Votann", "World Eaters"]


def drawn(chart, _, look):
    return f'<img class="{look}" alt="{chart.title} {chart.alt}">'


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(answer_panel, "REST", 0.0)
    monkeypatch.setattr(answer_panel.AnswerPanel, "_pictures_of", lambda *_: iter(()))


def choose(control, dice, among=None):
    options = [o[1] if isinstance(o, tuple) else o for o in control.options]
    options = [o for o in options if among is None or o in among]
    if options:
        control.value = dice.choice(options)


def tick(boxes, dice):
    one = dice.choice(list(boxes))
    one.value = not one.value


def who_moves(panel, dice):
    yield lambda: choose(panel.faction, dice, SMALL)
    yield lambda: setattr(panel.unit.search, "value", dice.choice(WORDS))
    yield lambda: choose(panel.unit.list, dice)
    yield lambda: choose(panel.models, dice)


def moves_of(explorer, dice):
    names = {
        WorthExplorer: ("phase", "side", "goal", "measure", "detachment"),
        EfficiencyExplorer: ("of", "phase", "measure", "sort", "target"),
        BreakpointExplorer: ("phase", "weapon", "grid", "cell", "measure"),
        ArmyExplorer: ("shows", "phase", "measure", "target", "strikes"),
    }[type(explorer)]
    for name in names:
        yield partial(choose, getattr(explorer, name), dice)
    yield lambda: tick(explorer.flags.boxes.values(), dice)
    yield lambda: choose(explorer.edition, dice)
    yield lambda: tick([explorer.answer.dark], dice)
    for name in ("unit", "enemy"):
        if hasattr(getattr(explorer, name, None), "faction"):
            yield from who_moves(getattr(explorer, name), dice)
    if isinstance(explorer, WorthExplorer):
        yield from who_moves(explorer.target, dice)
        yield lambda: setattr(explorer.cp, "value", dice.randrange(3))
        yield lambda: tick([explorer.together], dice)
    if isinstance(explorer, EfficiencyExplorer):
        yield lambda: choose(explorer.faction, dice, SMALL)
        yield lambda: setattr(explorer.army.entry, "value", dice.choice(TEXTS))
        yield lambda: choose(explorer.unit.list, dice)
        yield lambda: tick([explorer.upward], dice)
    if isinstance(explorer, BreakpointExplorer):
        yield lambda: choose(explorer.target.kind, dice)
        yield lambda: choose(explorer.target.profile, dice)
        yield lambda: setattr(explorer.target.toughness, "value", dice.randrange(1, 14))
    if isinstance(explorer, ArmyExplorer):
        yield lambda: setattr(explorer.army.entry, "value", dice.choice(TEXTS))
        yield lambda: setattr(explorer.turns, "value", dice.randrange(1, 3))
        yield lambda: setattr(explorer.distance, "value", dice.choice([0, 12, 30]))
        yield lambda: setattr(explorer.copies, "value", dice.randrange(1, 4))


def fresh(explorer):
    """What the state shows, reckoned anew; ``None`` for an error."""
    state = explorer.state
    try:
        if isinstance(explorer, EfficiencyExplorer):
            field = explorer.field
            return efficiency_view(field, state, measured(field, state, NOBODY))
        if isinstance(explorer, BreakpointExplorer):
            found = broken(explorer.weapons, state, NOBODY)
            return breakpoints_view(explorer.weapons, state, found)
        if isinstance(explorer, ArmyExplorer):
            return army_view(explorer.muster, state, worked(explorer.muster, state, NOBODY))
        found = worth(explorer.units, state, NOBODY)
        if not state.together:
            return worth_view(state, found)
        try:
            return worth_view(state, found, together(explorer.units, state, NOBODY))
        except ValueError as error:
            return worth_view(state, found, None, f"No combinations: {error}")
    except ValueError:
        return None


def check(explorer, played):
    panel = explorer.answer
    assert from_json(explorer.kind, explorer.to_json()) == explorer.state, played
    assert explorer._read() == explorer.state, played
    shown = fresh(explorer)
    if shown is None:
        assert 'role="alert"' in panel.told.value, played
        assert not any("<img" in picture.value for picture in panel.pictures.values())
        return
    assert panel.numbers.value == key_numbers(shown.numbers), (played, panel.told.value)
    assert panel.remarks.value == key_numbers({}, shown.remarks), played
    assert panel.heat.value == (shown.heat.html(panel.look.style) if shown.heat else ""), played
    for kind in panel._later:
        panel.unfold(kind)
        assert drawn(shown.charts[kind], "", panel.look) in panel.pictures[kind].value, played
    for kind, picture in panel.pictures.items():
        if kind in panel._later:
            continue
        chart = shown.charts.get(kind)
        assert picture.value == (drawn(chart, "", panel.look) if chart else ""), played


async def play(explorer, seed):
    dice = random.Random(seed)
    explorer.ask.wait = 0.0
    moves = list(moves_of(explorer, dice))
    played: list[int] = []
    for step in range(STEPS):
        move = dice.randrange(len(moves))
        played.append(move)
        moves[move]()
        if dice.random() < 0.3:
            await asyncio.sleep(0.001)
        if step % 6 == 5:
            while not explorer.ask.is_idle:
                await asyncio.sleep(0.001)
            check(explorer, played)


@pytest.mark.parametrize(
    ("kind", "start"),
    [
        (WorthExplorer, WorthState(Who("Drukhari", "Raider"), Who("Drukhari", "Incubi"))),
        (EfficiencyExplorer, EfficiencyState(faction="Drukhari")),
        (BreakpointExplorer, BreakpointState()),
        (ArmyExplorer, ArmyState(ListText(LIST))),
    ],
    ids=["worth", "efficiency", "breakpoints", "army"],
)
def test_random_sequences(dataset, kind, start):
    asyncio.run(play(kind(dataset, start, drawn), seed=11))
