"""The arithmetic of a scenario in fractions, checked by hand and against the answer."""

from __future__ import annotations

import random
from fractions import Fraction as F

import pytest
from killcurve.rules.reading import ScenarioError
from killcurve.study.explaining import explain, in_words
from killcurve.study.solve import solve

from tests.engine import scenarios


def asked(keywords=(), mine=(), theirs=(), edition="11e", context=None, **weapon):
    gun = {"name": "gun", "attacks": 10, "skill": 3, "strength": 4, "ap": 0, "damage": 1}
    return {
        "edition": edition,
        "attacker": {"weapons": [{**gun, **weapon, "keywords": list(keywords)}],
                     "effects": list(mine)},
        "target": {"models": [{"count": 11, "toughness": 4, "save": 3, "wounds": 1}],
                   "effects": list(theirs)},
        "context": context or {},
    }  # fmt: skip


def step(question, name):
    (found,) = [s for s in explain(question).lines[0].steps if s.name == name]
    return found


@pytest.mark.parametrize(
    ("question", "name", "chance", "expected"),
    [
        (asked(), "hit", "hit", F(2, 3)),
        (asked(context={"cover": True}), "hit", "hit", F(1, 2)),
        (asked(["heavy"], context={"cover": True, "stationary": True}), "hit", "hit", F(2, 3)),
        (asked(theirs=["hit -1"], context={"cover": True}), "hit", "hit", F(1, 3)),
        (asked(mine=["reroll hits ones"]), "hit", "critical hit", F(7, 36)),
        (asked(mine=["reroll hits noncritical"]), "hit", "hit", F(13, 18)),
        (asked(["sustained hits 1"], context={"snap_shooting": True}), "hit", "hit", F(1, 6)),
        (asked(["twin-linked"]), "wound", "wound", F(3, 4)),
        (asked(strength=8, theirs=["wound -1"]), "wound", "wound", F(2, 3)),
        (asked(ap=-1), "save", "unsaved", F(1, 2)),
        (asked(edition="10e", ap=-1, context={"cover": True}), "save", "unsaved", F(1, 3)),
        (asked(theirs=["invulnerable 4+"], ap=-3), "save", "unsaved", F(1, 2)),
        (asked(damage="D6"), "damage of an unsaved wound", "mean damage", F(7, 2)),
        (asked(damage=2, theirs=["feel no pain 5+"]), "damage of an unsaved wound",
         "slays a fresh model", F(8, 9)),
    ],
)  # fmt: skip
def test_chances_are_exact(question, name, chance, expected):
    assert step(question, name).chances[chance] == expected


def test_modifiers_are_named_and_capped():
    told = " ".join(step(asked(["heavy"], ["hit +1"], context={"stationary": True}), "hit").says)
    assert "+1 (heavy), +1 (hit +1): +2 in all, of which +1 counts" in told


def test_ignored_modifiers_are_told_of():
    told = " ".join(step(asked(["psychic"], theirs=["hit -1"]), "hit").says)
    assert "bad ones are ignored" in told
    assert step(asked(["psychic"], theirs=["hit -1"]), "hit").chances["hit"] == F(2, 3)


def test_the_order_of_damage_changes_is_the_editions():
    new = asked(["melta 2"], theirs=["halve damage"], damage="D6", context={"half_range": True})
    name = "damage of an unsaved wound"
    assert step(new, name).chances["mean damage"] == 3
    assert "additions, halving" in " ".join(step(new, name).says)
    old = {**new, "edition": "10e"}
    assert step(old, name).chances["mean damage"] == 4
    assert "halving, additions" in " ".join(step(old, name).says)


def test_what_is_so_when_allocated_does_not_reach_devastating_wounds():
    question = asked(["devastating wounds"], theirs=["damage -1 when allocated"], damage=3)
    assert step(question, "devastating wound").chances["mean damage"] == 3
    assert "when allocated" not in " ".join(step(question, "devastating wound").says)
    assert step(question, "damage of an unsaved wound").chances["mean damage"] == 2


TIE = "lethal hits or devastating wounds"


def test_a_true_tie_is_called_one():
    """3+ to hit, 5+ to wound, 4+ to save: 1/6 x 2/3 x 1/2 = 2/3 x 1/6 x 1/2."""
    weaker = {"strength": 3, "ap": -1}
    found = step(asked(["lethal hits"], **weaker), TIE)
    assert found.chances == {"lethal hits add": F(1, 18), "devastating wounds add": F(1, 18)}
    assert "a true tie" in " ".join(found.says)
    both = [solve(asked([k], **weaker)).outcome.damage.mean
            for k in ("lethal hits", "devastating wounds")]  # fmt: skip
    assert both[0] == pytest.approx(both[1], abs=1e-12)


def test_what_is_no_tie_is_not_called_one():
    found = step(asked(["lethal hits"], ap=-2), TIE)
    assert "lethal hits add more here" in found.says
    found = step(asked(["lethal hits"]), TIE)
    assert "devastating wounds add more here" in found.says


@pytest.mark.parametrize(
    ("edition", "ap", "says"),
    [
        ("11e", 0, "wounding by itself is better"),
        ("11e", 1, "rolling is better"),
        ("10e", 1, "in this edition it always wounds by itself"),
    ],
)
def test_the_choice_of_a_lethal_critical_hit(edition, ap, says):
    """RULES.md §3.3: 4+ to wound, P(unsaved) 1/3 is 1/3 against 5/18; 1/6 is 1/6 against 2/9."""
    both = asked(["lethal hits", "devastating wounds"], edition=edition, theirs=[f"save +{ap}"])
    found = step(both, "choice for a lethal critical hit")
    assert says in found.says
    assert found.chances == (
        {"by itself": F(1, 6), "rolling": F(2, 9)} if ap else {"by itself": F(1, 3), "rolling": F(5, 18)}
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(60))
def test_the_steps_multiply_to_the_answers_stages(seed):
    question = scenarios.scenario(random.Random(seed))
    try:
        explanation = explain(question)
    except ScenarioError:
        return
    compared = 0
    for line, stage in zip(explanation.lines, explanation.answer.outcome.stages, strict=True):
        chances = {s.name: s.chances for s in line.steps}
        total = "unsaved wounds of an attack"
        assert float(chances["attacks"]["dice"]) == pytest.approx(stage.attacks, abs=1e-9)
        if total in chances:
            unsaved = chances["attacks"]["dice"] * chances[total]["mean"]
            assert float(unsaved) == pytest.approx(stage.unsaved, abs=1e-9)
            compared += 1
    assert compared or any("D" in str(w["strength"]) or "critical wound ap +1" in str(question)
                           for w in question["attacker"]["weapons"])  # fmt: skip


def test_a_random_strength_has_a_wound_step_each():
    names = [s.name for s in explain(asked(strength="D3+2")).lines[0].steps]
    assert [n for n in names if n.startswith("wound")] == [
        "wound with S 3", "wound with S 4", "wound with S 5",
    ]  # fmt: skip


def test_words_and_json_say_the_same():
    explanation = explain(asked(["lethal hits"]))
    words, data = in_words(explanation), explanation.to_dict()
    assert "hit 2/3 (0.6667)" in words
    assert data["weapons"][0]["steps"][1]["chances"]["hit"] == "2/3"
    assert data["answer"]["damage"]["mean"] == explanation.answer.outcome.damage.mean


def test_a_wrong_scenario_is_an_error_with_its_place():
    with pytest.raises(ScenarioError, match=r"attacker\.weapons\[0\]"):
        explain(asked(attacks="D7"))
