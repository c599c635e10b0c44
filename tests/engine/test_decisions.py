"""Players' choices: the path for them equals plain sums where there is nothing to choose."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields
from functools import partial

import numpy as np
import pytest
from killcurve.engine.decisions.choices import Choices
from killcurve.engine.resolve import asks_for_choices, play
from killcurve.engine.stages import StageLaws
from killcurve.engine.weapon import Right, Rolled, Use
from killcurve.rules.reading import ScenarioError
from killcurve.rules.scenario import read_scenario
from killcurve.rules.volley import prepare

from tests.engine import scenarios
from tests.engine.questions import ALL, F, answer, binomial, models, same, weapon

# A volley in which nothing is chosen, played on the path for choices

NOBODYS = Choices(rights=(Right(Rolled.HITS, Use.REROLL, "a right that no weapon has"),))
KINDS = {
    "two groups": (partial(scenarios.scenario, groups=2, attacks=2), 80),
    "precision": (scenarios.with_precision, 30),
}


def volleys(kind: str, rules: str) -> Iterator[tuple[dict, object]]:
    """Generated volleys that plain sums do for."""
    make, number = KINDS[kind]
    for i in range(number):
        question = make(random.Random(f"decisions {kind} {rules} {i}")) | {"edition": rules}
        try:
            volley = prepare(read_scenario(question)).volley
        except ScenarioError:
            continue
        if not asks_for_choices(volley, Choices()):
            yield question, volley


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize("kind", KINDS)
def test_the_path_for_choices_equals_plain_sums(kind, rules):
    compared = 0
    for question, volley in volleys(kind, rules):
        assert asks_for_choices(volley, NOBODYS)
        plain, chosen = play(volley, Choices()), play(volley, NOBODYS)
        np.testing.assert_allclose(chosen.law, plain.law, rtol=0, atol=1e-12, err_msg=str(question))
        assert list(chosen.used.values()) == [0.0]
        for expected, stage in zip(plain.stages, chosen.stages, strict=True):
            for each in fields(stage):
                value = getattr(expected, each.name)
                if value is not None:  # cannot be told apart by plain sums
                    got = getattr(stage, each.name)
                    assert got == pytest.approx(value, abs=1e-12), (each.name, question)
        compared += 1
    assert compared > KINDS[kind][1] * 0.6


def stage_laws(volley, choices: Choices) -> tuple[StageLaws, ...]:
    """The distributions of a volley's stages."""
    try:
        return play(volley, choices, laws=True).stage_laws
    except (TypeError, ValueError) as error:
        pytest.fail(str(error), pytrace=False)


@pytest.mark.parametrize("rules", ALL)
def test_distributions_of_stages_have_the_means_of_stages(rules):
    compared = 0
    for question, volley in volleys("two groups", rules):
        played = play(volley, Choices(), laws=True)
        for stage, laws in zip(played.stages, played.stage_laws, strict=True):
            for each in fields(StageLaws):
                mean = getattr(stage, each.name)
                if mean is not None:
                    got = getattr(laws, each.name).mean
                    assert got == pytest.approx(mean, abs=1e-11), (each.name, question)
        compared += 1
    assert compared > KINDS["two groups"][1] * 0.6


@pytest.mark.parametrize("rules", ALL)
def test_the_path_for_choices_has_the_distributions_of_plain_sums(rules):
    compared = 0
    for question, volley in volleys("two groups", rules):
        plain, chosen = (stage_laws(volley, choices) for choices in (Choices(), NOBODYS))
        for expected, got in zip(plain, chosen, strict=True):
            for each in fields(StageLaws):
                laws = [getattr(laws, each.name).from_zero() for laws in (got, expected)]
                assert same(*laws, within=1e-12), (each.name, question)
        compared += 1
        if compared == 10:
            break
    assert compared == 10


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize(
    ("armed", "effects", "against"),
    [
        ({"skill": None}, ["reroll hits one", "set one hit to 6"], []),
        ({"damage": 2}, ["reroll damage one", "set one damage to 6"], []),
        ({"attacks": 3}, ["reroll attacks one"], []),
        ({"ap": -6}, [], ["reroll saves one", "set one save to 6"]),
        ({"skill": 3, "keywords": ["devastating wounds"]}, ["reroll hits one for melee"], []),
    ],
)
def test_rights_that_nobody_gains_by_are_not_used(rules, armed, effects, against):
    target = models(count=3, wounds=3, save=5)
    asked = {"at": target, "rules": rules}
    with_rights = answer(weapon(**armed), effects=effects, against=against, **asked)
    plain = answer(weapon(**armed), **asked)
    np.testing.assert_allclose(with_rights.outcome.law, plain.outcome.law, rtol=0, atol=1e-14)
    used = [how for what, how in with_rights.choices.items() if what in (*effects, *against)]
    assert used == ["used in 0.0% of cases"] * len(used)


@pytest.mark.parametrize("rules", ALL)
def test_distributions_of_stages_where_something_is_chosen(rules):
    """A re-rolled hit: with one attack of skill 4 it is a hit in 3 of 4 cases."""
    asked = answer(weapon(skill=4, attacks=1), effects=["reroll hits one"], rules=rules)
    (laws,) = stage_laws(asked.prepared.volley, asked.prepared.choices)
    assert same(laws.hits.from_zero(), [F(1, 4), F(3, 4)])
    assert same(laws.critical_hits.from_zero(), [F(3, 4), F(1, 4)])
    assert same(laws.damage.from_zero(), [F(3, 8), F(5, 8)])


@pytest.mark.parametrize("rules", ALL)
def test_distributions_of_the_stages_of_two_weapons(rules):
    asked = answer(
        weapon(skill=3, attacks="D3"),
        weapon(strength=4, attacks=2),
        at=models(count=9),
        effects=["reroll damage one"],
        rules=rules,
    )
    first, second = stage_laws(asked.prepared.volley, asked.prepared.choices)
    third = F(1, 3)
    assert same(first.attacks.from_zero(), [0, third, third, third])
    one, two, three = (binomial(n, F(2, 3)) for n in (1, 2, 3))
    hits = [third * sum(law[k] for law in (one, two, three) if k < len(law)) for k in range(4)]
    assert same(first.hits.from_zero(), hits)
    assert same(second.attacks.from_zero(), [0, 0, 1])
    assert same(second.damage.from_zero(), binomial(2, F(1, 2)))
