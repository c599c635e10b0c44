"""Many texts are read by two processes, with the same answers, whatever becomes of the second."""

from __future__ import annotations

import pytest
from killcurve.sources.texts import asking
from killcurve.sources.texts.asking import Question, answered
from killcurve.tables.rulings import read_text


def questions(number: int) -> list[Question]:
    """As many different texts, each with its own effect."""
    return [
        Question(
            f"Add {1 + n} to the Strength characteristic of this model's melee weapons.",
            f"Rule {n}", "unit ability", "10e",
        )
        for n in range(number)
    ]  # fmt: skip


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "FEW", 10)
    monkeypatch.setattr(asking, "_cores", lambda: 2)


def by_hand(asked: list[Question]) -> dict:
    return {q.key: read_text(q.text, name=q.name, kind=q.kind, edition=q.edition) for q in asked}


@pytest.mark.usefixtures("two_cores")
def test_both_processes_give_the_answers_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = questions(40)
    here = []
    monkeypatch.setattr(
        asking, "read_text", lambda text, **given: here.append(text) or read_text(text, **given)
    )
    found = answered(asked)
    assert found == by_hand(asked)
    assert len({ruling.effects for ruling in found.values()}) == 40
    assert 0 < len(here) < 40, "the other process read none, or all"


@pytest.mark.usefixtures("two_cores")
@pytest.mark.parametrize("broken", ["/nowhere/python", "true", "false", "echo"])
def test_a_second_process_that_fails_loses_nothing(
    broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking.sys, "executable", broken)
    asked = questions(20)
    assert answered(asked) == by_hand(asked)


def test_of_equal_texts_the_first_counts() -> None:
    one, two = questions(2)
    asked = [one, two, one._replace(name="Another"), one._replace(edition="11e")]
    assert set(answered(asked)) == {one.key, two.key, (one.text, one.kind, "11e")}
