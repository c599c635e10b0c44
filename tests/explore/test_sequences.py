"""500 random sequences of what people do with controls: nothing fails, nothing shown is stale."""

from __future__ import annotations

import asyncio
import random

import pytest
from killcurve.explore import answer_panel
from killcurve.explore.answers import View
from killcurve.explore.compare import CompareExplorer
from killcurve.explore.compare_state import CompareState, answers, compare_view
from killcurve.explore.own_rules import OwnExplorer
from killcurve.explore.own_state import own_view
from killcurve.explore.pictures import key_numbers
from killcurve.explore.states import from_json
from killcurve.explore.unit import UnitExplorer
from killcurve.explore.unit_state import UnitState
from killcurve.explore.unit_view import unit_view

PHRASES = [
    "",
    "hit +1",
    "hitt +1",
    "reroll wounds ones; lethal hits",
    "feel no pain 5+",
    "((",
    "ap +1 if charged",
]
DICE = ["1", "D6", "2D3+1", "", "D", "x", "20"]
WORDS = ["", "a", "war", "squad", "xyz", "lord"]


def drawn(chart, footer, look):
    """What a picture shows, without drawing it."""
    return f'<img class="{look}" alt="{chart.title} {chart.alt} {hash(chart.data.write_csv())}{footer}">'


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(answer_panel, "REST", 0.0)
    monkeypatch.setattr(answer_panel.AnswerPanel, "_pictures_of", lambda *_: iter(()))


def target_moves(panel, dice):
    yield lambda: setattr(panel.kind, "value", dice.choice(["profile", "unit", "own"]))
    yield lambda: setattr(panel.profile, "value", dice.choice(list(panel.profile.options)))
    yield lambda: setattr(panel.unit.search, "value", dice.choice(WORDS))
    yield lambda: _choose(panel.unit.list, dice)
    yield lambda: _choose(panel.models, dice)
    yield lambda: setattr(panel.toughness, "value", dice.randrange(1, 14))
    yield lambda: setattr(panel.count, "value", dice.randrange(1, 20))
    yield lambda: _choose(panel.invulnerable, dice)


def unit_moves(panel, dice):
    yield lambda: _choose(panel.faction, dice)
    yield lambda: setattr(panel.unit.search, "value", dice.choice(WORDS))
    yield lambda: _choose(panel.unit.list, dice)
    yield lambda: _choose(panel.models, dice)
    yield lambda: _choose(panel.phase, dice)
    yield lambda: _choose(panel.detachment, dice)
    yield lambda: _tick(list(panel.rules.boxes.values()), dice)
    yield lambda: _tick(list(panel.rules.boxes.values()), dice)
    yield lambda: _tick(list(panel.conditions.boxes.values()), dice)
    yield lambda: _tick([box for box, _ in panel.weapons.rows.values()], dice)
    yield lambda: _count([count for _, count in panel.weapons.rows.values()], dice)
    yield lambda: setattr(panel.effects.entry, "value", dice.choice(PHRASES))


def shared_moves(explorer, dice):
    yield from target_moves(explorer.target, dice)
    yield lambda: _tick(list(explorer.flags.boxes.values()), dice)
    yield lambda: _choose(explorer.edition, dice)
    if hasattr(explorer, "answers"):
        yield lambda: _choose(explorer.answers.detachment, dice)
        yield lambda: _tick(explorer.answers.rules.boxes.values(), dice)
        yield lambda: _tick(explorer.answers.conditions.boxes.values(), dice)
    yield lambda: _tick([explorer.answer.lock, explorer.answer.dark], dice)


def explorer_moves(explorer, dice):
    moves = list(shared_moves(explorer, dice))
    if isinstance(explorer, OwnExplorer):
        rows = explorer.weapons
        moves += [
            rows.add.click,
            lambda: _remove(rows, dice),
            lambda: setattr(dice.choice(rows.rows).parts["attacks"], "value", dice.choice(DICE)),
            lambda: setattr(dice.choice(rows.rows).parts["damage"], "value", dice.choice(DICE)),
            lambda: setattr(
                dice.choice(rows.rows).parts["keywords"], "value", dice.choice(PHRASES)
            ),
            lambda: setattr(explorer.effects.entry, "value", dice.choice(PHRASES)),
            lambda: _choose(explorer.phase, dice),
        ]
        return moves
    moves += list(unit_moves(explorer.panel, dice))
    if isinstance(explorer, CompareExplorer):
        moves += [explorer.another.click, explorer.copy.click, explorer.remove.click]
        moves += [lambda: _choose(explorer.entries, dice), lambda: _choose(explorer.against, dice)]
        moves += [
            lambda: _choose(explorer.measure, dice),
            lambda: _tick([explorer.per_point], dice),
        ]
    return moves


def _choose(control, dice):
    options = [o[1] if isinstance(o, tuple) else o for o in control.options]
    if options:
        control.value = dice.choice(options)


def _tick(boxes, dice):
    boxes = list(boxes)
    if boxes:
        box = dice.choice(boxes)
        box.value = not box.value


def _remove(rows, dice):
    row = dice.choice(rows.rows)
    row.remove.click()


def _count(counts, dice):
    if counts:
        dice.choice(counts).value = dice.randrange(1, 12)


def fresh(explorer) -> View | None:
    """What the state shows, reckoned anew; ``None`` for an error."""
    state, most = explorer.state, explorer.answer.scale
    try:
        if isinstance(explorer, UnitExplorer):
            return unit_view(explorer.choices, state, most)
        if isinstance(explorer, OwnExplorer):
            return own_view(explorer.targets, state, most)
        return compare_view(state, list(answers(explorer.choices, state)), most)
    except ValueError:
        return None


def check(explorer, moves):
    shown = fresh(explorer)
    panel = explorer.answer
    assert from_json(explorer.kind, explorer.to_json()) == explorer.state, moves
    assert explorer._read() == explorer.state, moves
    if shown is None:
        assert 'role="alert"' in panel.told.value
        assert not any("<img" in picture.value for picture in panel.pictures.values())
        return
    assert panel.numbers.value == key_numbers(shown.numbers)
    for kind, picture in panel.pictures.items():
        wanted = (
            drawn(shown.charts[kind], panel._footer, panel.look) if kind in shown.charts else ""
        )
        assert picture.value == wanted, moves


async def play(explorer, sequences, seed):
    dice = random.Random(seed)
    explorer.ask.wait = 0.0
    for _ in range(sequences):
        moves = explorer_moves(explorer, dice)
        played = []
        for _ in range(dice.randrange(1, 7)):
            move = dice.randrange(len(moves))
            played.append(move)
            moves[move]()
            if dice.random() < 0.3:
                await asyncio.sleep(0)
        while not explorer.ask.is_idle:
            await asyncio.sleep(0.001)
        check(explorer, played)


@pytest.mark.parametrize(
    ("kind", "sequences"), [(UnitExplorer, 200), (OwnExplorer, 240), (CompareExplorer, 60)]
)
def test_random_sequences(dataset, kind, sequences):
    start = {"start": CompareState((UnitState("Necrons", "Immortals"),))}
    explorer = kind(dataset, draw=drawn, **(start if kind is CompareExplorer else {}))
    asyncio.run(play(explorer, sequences, seed=7))
