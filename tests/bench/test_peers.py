"""The five questions, asked of us and of our peers in one run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Any

import pytest
from killcurve.engine.resolve import resolve
from killcurve.engine.volley import Outcome
from killcurve.rules.scenario import Scenario, read_scenario
from killcurve.study.solve import solve

from tests.bench.caches import clear_caches
from tests.bench.peers import PEERS, Laws, peer
from tests.bench.questions import QUESTIONS, Question
from tests.bench.tables import Timings, aligned, duration, times

TITLE = "times slower than a warm solve, each timed beside one"
TABLE = "peers"
ROUNDS = 100
TARGET = 20.0
"""How many times slower the fastest exact peer should be."""
SOLVE, FILE, NEW, COLD, ENGINE = "killcurve", "file", "new", "cold", "engine"
"""The same question again, each tool in its own form; again as a scenario file has it; one like
it; one with nothing remembered; the engine alone."""


def exact(question: Question) -> Outcome:
    return solve(question.scenario()).outcome


def laws(outcome: Outcome) -> Laws:
    return Laws(outcome.damage.from_zero(), outcome.slain.from_zero())


@pytest.mark.parametrize("who", [SOLVE, FILE, NEW, COLD, ENGINE])
@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_killcurve_answers(question, who, timed):
    expected, asked = laws(exact(question)), read_scenario(question.scenario())
    if who == ENGINE:
        outcome = timed(TABLE, question.name, who, resolve, question.volley(), **beside(asked))
    elif who == SOLVE:
        outcome = timed(TABLE, question.name, who, solve, asked).outcome
    elif who == FILE:
        outcome = timed(TABLE, question.name, who, solve, question.scenario(), **beside(asked))
        outcome = outcome.outcome
    elif who == COLD:
        own = {"before": clear_caches, **beside(asked), "rounds": 30}
        outcome = timed(TABLE, question.name, who, solve, question.scenario(), **own).outcome
    else:
        own = {"before": partial(never_asked, question.scenario(), count()), **beside(asked)}
        outcome = timed(TABLE, question.name, who, solve, **own).outcome
    assert laws(outcome).error(expected) < 1e-15


@pytest.mark.parametrize("who", PEERS)
@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_a_peer_answers(question, who, timed):
    model = peer(who)
    if question.name in model.CANNOT:
        pytest.skip(f"{who} cannot answer ({question.name}): {model.CANNOT[question.name]}")
    error = model.laws(model.ask(question), question).error(laws(exact(question)))
    known_wrong = question.name in model.WRONG
    assert known_wrong == (error > model.EXACT_TO), f"off by {error:.2g}"
    timed(
        TABLE, question.name, who, model.ask, question, **beside(read_scenario(question.scenario()))
    )


def never_asked(asked: dict[str, Any], number: Iterator[int]) -> tuple[tuple[Any], dict[str, Any]]:
    """The arguments of a question that differs in what changes nothing, so that parts are known."""
    return ({**asked, "context": {"ticked": [f"new {next(number)}"]}},), {}


def beside(asked: Scenario) -> dict[str, Any]:
    """Timed together with our answer."""
    return {"beside": partial(solve, asked), "rounds": ROUNDS}


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_expected_values_are_asked_the_same(question):
    """What wh40kdc can say, the mean of wounds that get through, is ours."""
    model = peer("wh40kdc")
    got = model.unsaved(model.ask(question), question)
    assert got == pytest.approx(exact(question).stages[0].unsaved, abs=1e-9)


def table(measured: Timings) -> list[str]:
    """A row for each question: ours in seconds, all others as multiples of it; the verdict."""
    rows = measured.rows(TABLE)
    if not rows:
        return []
    others = [name for name in (FILE, NEW, COLD, ENGINE, *PEERS) if name in measured.columns(TABLE)]
    head = ["", SOLVE, *others, "fastest exact", f">= {TARGET:.0f}x"]
    lines = [_row(measured, row, others) for row in rows]
    return [*aligned(head, lines), *_notes(others)]


def _row(measured: Timings, row: str, others: list[str]) -> list[str]:
    found = {name: measured.ratio(TABLE, row, name) for name in others}
    right = {n: r for n, r in found.items() if n in PEERS and r and row not in peer(n).WRONG}
    fastest = min(right, key=right.__getitem__, default=None)
    cells = [
        times(ratio) + ("*" if name in PEERS and ratio and name not in right else " ")
        for name, ratio in found.items()
    ]
    verdict = ["-", "-"]
    if fastest is not None:
        best = right[fastest]
        verdict = [f"{fastest} {times(best)}", "PASS" if best >= TARGET else "BELOW"]
    return [f"({row})", duration(measured.get(TABLE, row, SOLVE)), *cells, *verdict]


def _notes(others: list[str]) -> list[str]:
    """Why some answers are not exact, or missing."""
    models = {name: peer(name) for name in others if name in PEERS}
    rounded = [f"{n} rounds to {m.EXACT_TO:g}" for n, m in models.items() if m.EXACT_TO > 1e-9]
    lines = [
        "",
        f"{FILE}: from JSON's form, {NEW}: parts remembered, {COLD}: nothing; {', '.join(rounded)}",
    ]
    lines.append("* not exact, only timed:")
    for name, model in models.items():
        reasons: dict[str, list[str]] = {}
        for row, reason in {**model.WRONG, **model.CANNOT}.items():
            reasons.setdefault(reason, []).append(f"({row})")
        lines += [f"  {name} {', '.join(rows)}: {why}" for why, rows in reasons.items()]
    return lines
