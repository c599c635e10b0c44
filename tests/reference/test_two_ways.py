"""Two ways to the same answer, bounds, and errors."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from .asking import ALL, TENTH, F, ask, mean, models, nothing
from .batchsaves import SaveRoll
from .course import Course
from .dice import mapped
from .reading import read
from .solve import program, solve
from .target import State, Table
from .volley10 import all_attacks
from .volley11 import batch_step

BUSY = {
    "attacks": 3,
    "skill": 3,
    "strength": 5,
    "ap": -1,
    "damage": "D3",
    "keywords": ["sustained hits 1", "lethal hits", "devastating wounds"],
}
THREE_GROUPS = [
    models(2, name="A", save=2, wounds=2),
    models(2, name="B", save=4, wounds=1),
    models(1, name="C", save=3, invulnerable=4, wounds=3, character=True),
]


@pytest.mark.parametrize("edition", TENTH)
def test_fast_dice_change_nothing(edition: str) -> None:
    scenario = ask(
        edition,
        BUSY,
        models(3, wounds=2, save=4),
        attacker_effects=["reroll wounds one"],
        target_effects=["reroll saves one"],
    )
    table = Table(read(scenario))
    steps = program(table)
    fast = [steps[0], lambda state, worth: all_attacks(table, 0, state, worth), steps[-1]]
    one_by_one, together = (
        mapped(Course(course, nothing).run(table.start), lambda state: state.groups)
        for course in (steps, fast)
    )
    assert one_by_one == together


def test_faces_counted_or_sorted() -> None:
    table = Table(read(ask("11e", BUSY, THREE_GROUPS, target_effects=["reroll saves ones"])))
    roll = SaveRoll(table, table.profile(0, table.start), ((1,), (0,), (2,)), 0)
    assert roll.face_by_face(table.start, 4) == roll.dice_seen(table.start, 4)


@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("objective", ["damage", "slain", "destroyed"])
def test_an_optimal_defender_does_no_worse_than_a_fixed_order(edition: str, objective: str) -> None:
    def value(allocation: Any) -> F:
        answer = solve(
            ask(
                edition,
                BUSY,
                THREE_GROUPS,
                choices={"allocation": allocation, "objective": objective},
            )
        )
        return answer["destroyed"] if objective == "destroyed" else mean(answer[objective])

    assert value("optimal") <= min(value(list(order)) for order in permutations("ABC"))


@pytest.mark.parametrize("objective", ["damage", "slain", "destroyed"])
def test_an_optimal_attacker_does_no_worse_than_a_fixed_habit(objective: str) -> None:
    def value(lethal: str) -> F:
        answer = solve(
            ask(
                "11e",
                BUSY,
                models(3, wounds=2, save=4),
                choices={"lethal": lethal, "objective": objective},
            )
        )
        return answer["destroyed"] if objective == "destroyed" else mean(answer[objective])

    assert value("optimal") >= max(value("always"), value("never"))


@pytest.mark.parametrize("edition", ALL)
def test_laws_are_whole(edition: str) -> None:
    effects = ["mortal wounds D3", "reroll damage one", "set one damage to 6"]
    other: dict[str, Any] = {
        "attacker_effects": effects,
        "target_effects": ["damage = 0 once", "set one save to 6"],
    }
    answer = solve(ask(edition, BUSY, THREE_GROUPS, **other))
    assert all(sum(answer[key]) == 1 for key in ("damage", "slain", "self_damage"))
    assert answer["destroyed"] == (answer["slain"] + [F(0)] * 5)[5]


@pytest.mark.parametrize(
    "effect",
    [
        "hit +1 if within 12",
        'hit +1 if "a person ticks it"',
        "one of (lethal hits | sustained hits 1)",
        "heal D3",
        "mortal wounds 1D6 per model on 4+",
    ],
)
def test_what_is_left_out_says_so(effect: str) -> None:
    with pytest.raises(NotImplementedError):
        solve(ask("11e", {"skill": 3}, attacker_effects=[effect]))


@pytest.mark.parametrize("effect", ["lethal hitz", "hit plus 1", "hit +1 if the moon is full"])
def test_what_is_not_understood_is_an_error(effect: str) -> None:
    with pytest.raises(ValueError, match="unknown"):
        solve(ask("11e", {"skill": 3}, attacker_effects=[effect]))


def test_states_without_models_end_the_sequence() -> None:
    table = Table(read(ask("11e", BUSY, models(1))))
    dead: State = table.start._replace(groups=((),))
    assert batch_step(table, 0)(dead, nothing) == {dead: F(1)}
