"""What ``solve`` chooses: never worse for its owner than any way that is fixed, and named."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest
from killcurve.rules.reading import ScenarioError
from killcurve.study.solve import Answer, solve

from tests.engine import scenarios
from tests.engine.questions import ALL, F, answer, models, question, weapon

OBJECTIVES = ("damage", "slain", "destroyed")


def worth(answered: Answer, objective: str) -> float:
    """What an answer is worth to the attacker."""
    outcome = answered.outcome
    means = {"damage": outcome.damage.mean, "slain": outcome.slain.mean}
    return means.get(objective, outcome.destroyed)


def best(ways: dict, objective: str, *, least: bool = False) -> float:
    """The best worth among ways; they must differ, so that there is something to choose."""
    worths = [worth(way, objective) for way in ways.values()]
    assert max(worths) - min(worths) > 1e-4
    return min(worths) if least else max(worths)


# The attacker's ways

ARMS = (
    weapon(name="big", attacks=2, skill=3, damage=3),
    weapon(name="small", attacks=4, skill=3, strength=5),
    weapon(name="middle", attacks=2, damage=2, ap=-1),
)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("rules", ALL)
def test_the_best_order_of_weapons(rules, objective):
    asked = {"at": models(count=3, wounds=3, save=5), "rules": rules}
    fixed = {
        order: answer(*ARMS, choices={"order": list(order)}, **asked)
        for order in permutations(["big", "small", "middle"])
    }
    chosen = answer(*ARMS, choices={"order": "optimal", "objective": objective}, **asked)
    assert worth(chosen, objective) == pytest.approx(best(fixed, objective), abs=1e-12)
    named = fixed[tuple(chosen.choices["order"])]
    assert named.outcome.damage == chosen.outcome.damage
    assert [stage["weapon"] for stage in chosen.to_dict()["stages"]] == chosen.choices["order"]


def test_weapons_that_are_not_named_follow_in_their_own_order():
    got = answer(*ARMS, choices={"order": ["middle"]}).choices["order"]
    assert got == ["middle", "big", "small"]


LED = [
    models(name="guard", wounds=2, save=4),
    models(name="captain", wounds=3, save=3, invulnerable=4, character=True),
    models(name="priest", wounds=2, save=6, character=True),
]


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("rules", ALL)
def test_whom_precise_attacks_go_to_at_best(rules, objective):
    arms = (
        weapon(name="rifle", attacks=3, skill=3, damage=2, ap=-1, keywords=["precision"]),
        weapon(name="gun", attacks=4),
    )
    fixed = {
        target: answer(*arms, at=LED, rules=rules, choices={"precision": target})
        for target in (None, "captain", "priest")
    }
    choices = {"precision": "optimal", "objective": objective}
    chosen = answer(*arms, at=LED, rules=rules, choices=choices)
    assert worth(chosen, objective) == pytest.approx(best(fixed, objective), abs=1e-12)
    assert fixed[chosen.choices["precision"]].outcome.damage == chosen.outcome.damage


def test_precise_attacks_find_the_character():
    """One wound by itself, no save: the guard dies first, or else the priest loses 1."""
    priest = models(name="priest", wounds=2, character=True)
    unit = [models(name="guard"), priest]
    rifle = weapon(attacks=1, keywords=["precision"])
    for rules in ALL:
        slain = {
            target: answer(rifle, at=unit, rules=rules, choices={"precision": target}).outcome.slain
            for target in (None, "priest")
        }
        assert slain[None].mean == pytest.approx(F(5, 6))
        assert slain["priest"].mean == 0


FISHING = (
    weapon(
        name="a", attacks=2, skill=2, strength=5, keywords=["sustained hits 3", "devastating wounds"]
    ),
    weapon(
        name="b", attacks=2, skill=4, strength=4, damage=3, keywords=["twin-linked", "devastating wounds"]
    ),
)  # fmt: skip
SUBSETS = ((), ("hits",), ("wounds",), ("hits", "wounds"))
IN_WORDS = {
    (): "failures",
    ("hits",): "successes, too: hits",
    ("wounds",): "successes, too: wounds",
    ("hits", "wounds"): "successes, too: hits, wounds",
}


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("rules", ALL)
def test_free_rerolls_at_their_best(rules, objective):
    asked = {"at": models(count=4, save=2, wounds=2), "rules": rules}
    free = ["reroll hits failed", 'reroll wounds failed for "a"']
    fixed = {
        (first, second): answer(
            *FISHING,
            effects=[
                *free,
                *(f'reroll {rolls} noncritical for "a"' for rolls in first),
                *(f'reroll {rolls} noncritical for "b"' for rolls in second),
            ],
            **asked,
        )
        for first, second in product(SUBSETS, repeat=2)
    }
    choices = {"reroll": "optimal", "objective": objective}
    chosen = answer(*FISHING, effects=free, choices=choices, **asked)
    assert worth(chosen, objective) == pytest.approx(best(fixed, objective), abs=1e-12)
    named = [way for way in fixed if [IN_WORDS[w] for w in way] == chosen.choices["reroll"]]
    assert fixed[named[0]].outcome.damage == chosen.outcome.damage
    assert chosen.choices["reroll"][0] == IN_WORDS["hits", "wounds"]
    as_given = answer(*FISHING, effects=free, **asked)
    assert as_given.outcome.damage == fixed[(), ()].outcome.damage
    assert "reroll" not in as_given.choices


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_which_of_two_numbers_counts(count, objective):
    """Two extra hits for certain, or D3 of them: four models die with D3 alone."""
    arms = weapon(skill=6, keywords=["sustained hits 2", "sustained hits D3"])

    def asked(duplicates):
        choices = {"duplicates": duplicates, "objective": objective}
        return answer(arms, at=models(count=count), choices=choices)

    worths = {n: worth(asked({"sustained hits": n}), objective) for n in ("2", "D3")}
    chosen = asked("optimal")
    assert worth(chosen, objective) == pytest.approx(max(worths.values()), abs=1e-14)
    (named,) = chosen.choices["duplicates"]
    assert worths[named["sustained hits"]] == pytest.approx(max(worths.values()), abs=1e-14)
    if (count, objective) == (4, "destroyed"):
        assert worths["D3"] > worths["2"] == 0


def test_the_highest_on_average_counts_unless_another_is_named():
    words = ["sustained hits 1", "sustained hits D3"]

    def hits(**choices):
        asked = answer(weapon(skill=6, keywords=words), at=models(count=9), choices=choices)
        return asked.outcome.stages[0].hits

    assert hits() == pytest.approx(F(1, 6) * 3)
    assert hits(duplicates={"sustained hits": 1}) == pytest.approx(F(1, 6) * 2)
    assert hits(duplicates="optimal") == pytest.approx(F(1, 6) * 3)


ARMOURED = models(name="armoured", wounds=2, save=2)
NAKED = models(name="naked", wounds=2)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(
    ("unit", "pool"),
    [([ARMOURED, NAKED], "critical first"), ([NAKED, ARMOURED], "ordinary first")],
)
def test_which_pool_of_wounds_is_saved_first(unit, pool, objective):
    """Critical wounds have AP -4: they had better meet the model that has a save."""
    arms = weapon(attacks=4, strength=5, damage=2)
    asked = {"at": unit, "effects": ["critical wound ap +4", "critical wounds 5+"]}
    fixed = {
        pools: answer(arms, choices={"pools": pools}, **asked)
        for pools in ("critical first", "ordinary first")
    }
    chosen = answer(arms, choices={"pools": "optimal", "objective": objective}, **asked)
    assert worth(chosen, objective) == pytest.approx(best(fixed, objective), abs=1e-12)
    assert chosen.choices["pools"] == pool
    assert fixed[pool].outcome.damage == chosen.outcome.damage
    usual = answer(arms, **asked)
    assert usual.outcome.damage == fixed["critical first"].outcome.damage


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_lethal_hits_at_their_best(objective):
    words = ["lethal hits", "devastating wounds", "sustained hits 1"]
    arms = weapon(attacks=6, skill=3, strength=4, damage=3, keywords=words)
    asked = {"at": models(count=2, wounds=3, save=2)}
    fixed = {
        lethal: answer(arms, choices={"lethal": lethal}, **asked) for lethal in ("always", "never")
    }
    chosen = answer(arms, choices={"lethal": "optimal", "objective": objective}, **asked)
    assert worth(chosen, objective) >= best(fixed, objective) - 1e-12
    if chosen.choices["lethal"] in fixed:
        named = fixed[chosen.choices["lethal"]]
        assert worth(chosen, objective) == pytest.approx(worth(named, objective), abs=1e-12)
    else:
        assert "as the dice fall" in chosen.choices["lethal"]
        assert worth(chosen, objective) > best(fixed, objective) + 1e-9


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("rules", ALL)
def test_options_of_both_sides(rules, objective):
    """The attacker takes the option whose worst answer is best for it."""
    arms = weapon(attacks=4, skill=3, strength=5, ap=-1, damage=2)
    mine = ["sustained hits 1", "ap +2", "damage +1"]
    theirs = ["invulnerable 4+", "toughness +2", "feel no pain 5+"]
    asked = {"at": models(count=3, wounds=3, save=3), "rules": rules}
    fixed = {
        way: answer(arms, effects=[way[0]], against=[way[1]], **asked)
        for way in product(mine, theirs)
    }
    chosen = answer(
        arms,
        effects=[f"one of ({' | '.join(mine)})"],
        against=[f"one of ({' | '.join(theirs)})"],
        choices={"objective": objective},
        **asked,
    )
    best(fixed, objective)
    value = max(min(worth(fixed[m, t], objective) for t in theirs) for m in mine)
    assert worth(chosen, objective) == pytest.approx(value, abs=1e-12)
    way = (chosen.choices["one of"][0], chosen.choices["defender's one of"][0])
    assert fixed[way].outcome.damage == chosen.outcome.damage


def test_several_choices_at_once():
    """Order, whom precise attacks go to and how re-rolls are used, all ways tried together."""
    arms = (
        weapon(name="rifle", attacks=2, skill=3, damage=2, keywords=["precision", "sustained hits 2"]),
        weapon(name="gun", attacks=3, strength=4, keywords=["devastating wounds"]),
    )  # fmt: skip
    effects = ['reroll hits failed for "rifle"']
    fixed = {}
    for order, target, fishing in product(
        (["rifle", "gun"], ["gun", "rifle"]), (None, "captain", "priest"), (False, True)
    ):
        more = ['reroll hits noncritical for "rifle"'] if fishing else []
        choices = {"order": order, "precision": target}
        fixed[order[0], target, fishing] = answer(
            *arms, at=LED, effects=effects + more, choices=choices
        )
    choices = {"order": "optimal", "precision": "optimal", "reroll": "optimal"}
    chosen = answer(*arms, at=LED, effects=effects, choices=choices)
    assert worth(chosen, "damage") == pytest.approx(best(fixed, "damage"), abs=1e-12)
    order, rerolls = chosen.choices["order"], chosen.choices["reroll"]
    fishing = rerolls[order.index("rifle")] != "failures"
    named = fixed[order[0], chosen.choices["precision"], fishing]
    assert named.outcome.damage == chosen.outcome.damage


# The defender's way

MIXED = [
    models(name="shield", save=3, invulnerable=4),
    models(name="brute", wounds=3, save=5),
    models(name="runt", count=2, toughness=3, save=6),
]


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("rules", ALL)
def test_the_defenders_best_allocation(rules, objective):
    arms = (weapon(attacks=6, damage=3, ap=-1), weapon(attacks=6))
    names = [group["name"] for group in MIXED]
    fixed = {
        order: answer(*arms, at=MIXED, rules=rules, choices={"allocation": list(order)})
        for order in permutations(names)
    }
    choices = {"allocation": "optimal", "objective": objective}
    chosen = answer(*arms, at=MIXED, rules=rules, choices=choices)
    assert worth(chosen, objective) <= best(fixed, objective, least=True) + 1e-12
    named = chosen.choices["allocation"]
    if isinstance(named, list):
        assert fixed[tuple(named)].outcome.damage == chosen.outcome.damage
    else:
        assert sum(named.values()) == pytest.approx(1, abs=1e-9)
        assert {name for order in named for name in order.split(", ")} <= set(names)


@pytest.mark.parametrize("rules", ALL)
def test_no_fixed_order_is_better_for_the_defender(rules):
    compared = 0
    for i in range(14):
        dice = random.Random(f"allocation {rules} {i}")
        asked = scenarios.scenario(dice, groups=3, attacks=2) | {"edition": rules}
        names = [group["name"] for group in asked["target"]["models"]]
        objective = dice.choice(OBJECTIVES)
        if len(names) == 1:
            continue
        try:
            fixed = [
                worth(solve(asked | {"choices": {"allocation": list(order)}}), objective)
                for order in permutations(names)
            ]
            choices = {"allocation": "optimal", "objective": objective}
            chosen = worth(solve(asked | {"choices": choices}), objective)
        except ScenarioError:
            continue
        assert chosen <= min(fixed) + 1e-12, asked
        compared += 1
    assert compared >= 6


@pytest.mark.parametrize(
    ("rules", "slain"),
    [
        # Both wound: a 1 among two save dice slays the 2+ save, and the other one survives.
        ("11e", F(25, 36) * F(11, 36)),
        # The first wounds: it goes to the 2+ save, and so does the second, if that was made.
        ("10e", F(5, 6) * (F(1, 6) + F(5, 6) * F(5, 6) * F(1, 6))),
        ("10e-2023-09", F(5, 6) * (F(1, 6) + F(5, 6) * F(5, 6) * F(1, 6))),
        ("10e-2023-06", F(5, 6) * (F(1, 6) + F(5, 6) * F(5, 6) * F(1, 6))),
    ],
)
def test_the_defender_chooses_as_the_dice_fall(rules, slain):
    """A model with a 2+ save, one without but two wounds: the latter takes a single wound."""
    unit = [models(name="fragile", save=2), models(name="naked", wounds=2)]

    def asked(allocation):
        choices = {"allocation": allocation, "objective": "slain"}
        return answer(weapon(attacks=2), at=unit, rules=rules, choices=choices)

    chosen = asked("optimal")
    assert chosen.outcome.slain.mean == pytest.approx(slain, abs=1e-14)
    for order in (["fragile", "naked"], ["naked", "fragile"]):
        assert asked(order).outcome.slain.mean > float(slain) + 0.01
    assert isinstance(chosen.choices["allocation"], dict)
    assert len(chosen.choices["allocation"]) == 2


# What cannot be

CANNOT = [
    ({"order": ["a", "a"]}, "order[1]", "more often"),
    ({"order": ["c"]}, "order[0]", "no weapon 'c'"),
    ({"order": "a"}, "order", "not a list"),
    ({"precision": "guard"}, "precision", "go to a character"),
    ({"precision": "ghost"}, "precision", "no group 'ghost'"),
    ({"allocation": ["guard", "ghost"]}, "allocation[1]", "no group 'ghost'"),
    ({"allocation": "best"}, "allocation", "not a list"),
    ({"duplicates": {"sustained hits": 3}}, "duplicates.sustained hits", "no weapon has"),
    ({"duplicates": {"sustained hits": "D7"}}, "duplicates.sustained hits", "D3 and D6"),
    ({"duplicates": {"lethal hits": 1}}, "duplicates.lethal hits", "no key"),
    ({"duplicates": "best"}, "duplicates", "not an object"),
    ({"pools": "last"}, "pools", "ordinary first, optimal"),
    ({"reroll": "all"}, "reroll", "as given, optimal"),
    ({"lethal": "maybe"}, "lethal", "always, never, optimal"),
    ({"lethal": True}, "lethal", "not a text"),
    ({"objective": "glory"}, "objective", "damage, slain, destroyed"),
    ({"glory": 1}, "glory", "no key 'glory'"),
]


@pytest.mark.parametrize(("choices", "where", "words"), CANNOT)
def test_choices_that_cannot_be_made_are_named_with_their_place(choices, where, words):
    arms = (weapon(name="a", keywords=["sustained hits 1"]), weapon(name="b"))
    with pytest.raises(ScenarioError, match=words) as caught:
        solve(question(*arms, at=LED, choices=choices))
    assert caught.value.where == f"choices.{where}"


def test_too_many_ways_are_refused_with_their_place():
    with pytest.raises(ScenarioError, match="best order of 7 weapons") as caught:
        answer(*(weapon(name=name) for name in "abcdefg"), choices={"order": "optimal"})
    assert caught.value.where == "choices.order"
    words = ["sustained hits 2", "sustained hits D3"]
    with pytest.raises(ScenarioError, match="more than 720 ways") as caught:
        answer(
            *(weapon(name=name, skill=3, keywords=words) for name in "abcde"),
            choices={"order": "optimal", "duplicates": "optimal"},
        )
    assert caught.value.where == "choices"


def test_the_best_order_of_six_weapons_is_solved_as_its_limit_says():
    arms = [weapon(name=name, damage=1 + i % 3) for i, name in enumerate("abcdef")]
    assert len(answer(*arms, choices={"order": "optimal"}).choices["order"]) == 6


def test_a_group_cannot_be_named_twice():
    with pytest.raises(ScenarioError, match="twice"):
        answer(weapon(), at=LED, choices={"allocation": ["captain", "captain"]})


def test_two_weapons_of_one_name_may_be_ordered():
    asked = answer(weapon(name="gun"), weapon(name="gun"), choices={"order": ["gun", "gun"]})
    assert asked.choices["order"] == ["gun", "gun"]
