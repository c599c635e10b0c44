"""Two ways to the same answer, bounds, and errors."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import pytest

from .asking import ALL, F, ask, mean, models
from .batchsaves import SaveRoll
from .course import Course, nobody_chooses
from .dice import Law, certain, spread
from .reading import read
from .solve import solve
from .target import State, Table
from .volley11 import batch_steps

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


def test_dice_together_or_one_by_one() -> None:
    """Without choices and devastating wounds, one group suffers the same in a batch."""
    weapon = BUSY | {"keywords": ["sustained hits 1", "lethal hits"]}
    other: dict[str, Any] = {
        "attacker_effects": ["reroll wounds ones", "reroll damage ones"],
        "target_effects": ["reroll saves ones"],
    }
    answers = [solve(ask(e, weapon, models(3, wounds=2, save=4), **other)) for e in ALL]
    assert all(answer == answers[0] for answer in answers)


def test_faces_counted_or_sorted() -> None:
    table = Table(read(ask("11e", BUSY, THREE_GROUPS, target_effects=["reroll saves ones"])))
    roll = SaveRoll(table, table.profile(0, table.start), ((1,), (0,), (2,)), 0)

    def in_turn(faces: tuple[int, ...], _: tuple[str, ...]) -> Law:
        law = certain(table.start)
        for face in faces:
            law = spread(law, lambda state, face=face: roll.take(state, face, nobody_chooses))
        return law

    seen = roll.dice_seen(table.start, 4, in_turn, nobody_chooses)
    assert roll.face_by_face(table.start, 4) == seen


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


RIGHTS = {
    1: [
        *[f"reroll {what} one" for what in ("hits", "wounds", "damage", "attacks")],
        *[f"set one {what} to 6" for what in ("hit", "wound", "damage")],
    ],
    -1: ["reroll saves one", "set one save to 6", "damage = 0 once"],
}


@pytest.mark.parametrize("edition", ["11e", "10e", "10e-2023-06"])
@pytest.mark.parametrize("objective", ["damage", "slain", "destroyed"])
@pytest.mark.parametrize("owner", [1, -1])
def test_a_right_does_its_owner_no_harm(edition: str, objective: str, owner: int) -> None:
    """And a second one does none either."""
    weapons = [
        BUSY | {"attacks": "D3", "keywords": ["sustained hits 1"]},
        {"attacks": 1, "skill": 4, "strength": 5, "damage": 3, "keywords": ["devastating wounds"]},
    ]
    side = "attacker_effects" if owner == 1 else "target_effects"

    def value(*rights: str) -> F:
        other: dict[str, Any] = {side: list(rights), "choices": {"objective": objective}}
        answer = solve(ask(edition, None, models(2, wounds=3, save=4), weapons=weapons, **other))
        return owner * (
            answer["destroyed"] if objective == "destroyed" else mean(answer[objective])
        )

    without = value()
    one = {right: value(right) for right in RIGHTS[owner]}
    assert all(gain > without for gain in one.values())
    for first, second in pairwise(RIGHTS[owner]):
        assert value(first, second) >= max(one[first], one[second])


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
    assert Course(batch_steps(table, 0), nobody_chooses).run(dead) == {dead: F(1)}
