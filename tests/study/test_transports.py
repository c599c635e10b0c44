"""Transports: who fires from the deck, what passengers add, what leaving costs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction as F
from itertools import product

import numpy as np
import polars as pl
import pytest
from killcurve.engine.dice import Dice
from killcurve.engine.disembarking import Leaving
from killcurve.engine.edition import edition
from killcurve.rules.effects import Effect
from killcurve.study.arming import Use
from killcurve.study.holding_ground import attacked
from killcurve.study.lines import attacker
from killcurve.study.matchup import Circumstances, attack
from killcurve.study.mustering import fielded
from killcurve.study.transports import (
    PassengerBonus,
    capacity,
    check_capacity,
    core_number,
    known_bonuses,
    on_deck,
    transport_fire,
    with_bonuses,
)
from killcurve.study.wrecks import wreck
from killcurve.tables.dataset import DataError, Dataset

from tests.study.playing import rank, unit, weapon

BOX = unit(
    rank(1, weapon("mount", skill=4), weapon("hull", 2, 4, 6, reach=0), wounds=6, toughness=8),
    name="box", points=80, keywords=("vehicle", "transport"),
)  # fmt: skip
CREW = unit(
    rank(4, weapon("rifle", skill=4), weapon("pistol", 1, 5, 3, keywords=["pistol"])),
    rank(2, weapon("cannon", skill=4, strength=8, ap=-2, damage=2),
         weapon("rocket", 9, 2, 12, -4, 6, keywords=["one shot"]), weapon("pike", 5, reach=0)),
    name="crew", points=60,
)  # fmt: skip
TARGET = unit(rank(5, save=4, wounds=2), name="target")


def lent(armed):
    mine = Counter({c.line.name: c.count for c in armed.ranks[0].weapons})
    return mine - Counter({c.line.name: c.count for c in BOX.ranks[0].weapons})


@pytest.mark.parametrize(
    ("deck", "expected"),
    [
        (1, {"cannon": 1}),
        (3, {"cannon": 2, "rifle": 1}),
        (12, {"cannon": 2, "rifle": 4}),
        (0, {}),
    ],
)
def test_the_best_weapons_are_fired_one_a_model(deck, expected):
    assert lent(on_deck(BOX, [CREW], TARGET, deck)) == expected


def test_two_units_share_the_deck_and_ranges_count():
    far = unit(rank(3, weapon("long gun", skill=3, strength=9, reach=48)), name="far")
    assert lent(on_deck(BOX, [CREW, far], TARGET, 4)) == {"cannon": 2, "long gun": 2}
    assert lent(on_deck(BOX, [CREW, far], TARGET, 9, distance=30)) == {"long gun": 3}


def test_fire_with_passengers_is_one_volley(dataset):
    """The transport's shooting is an attack with its own and the lent weapons."""
    raider, crew = fielded(dataset, "Raider"), fielded(dataset, "Kabalite Warriors", models=10)
    squad = fielded(dataset, "Intercessor Squad")
    row = transport_fire(raider, [crew], squad, 11).row(0, named=True)
    boat, riders = attacker(dataset, "Raider"), attacker(dataset, "Kabalite Warriors", models=10)
    lines = [line for line in boat.default_lines if line.kind == "ranged"]
    counts = Counter()
    for told in row["weapons"]:
        count, name = told.split(" × ")
        counts[name] = int(count)
    lines += [
        replace(x, count=counts[x.name])
        for x in riders.lines
        if counts[x.name] and x.count and x.kind == "ranged"
    ]
    outcome = attack(boat, lines, squad.defender).outcome
    assert row["damage"] == pytest.approx(outcome.damage.mean, abs=1e-12)
    assert sum(counts.values()) == 11
    alone = attack(boat, [x for x in boat.default_lines if x.kind == "ranged"], squad.defender)
    assert row["damage_without"] == pytest.approx(alone.outcome.damage.mean, abs=1e-12)


def test_each_passenger_with_the_keyword_adds_an_attack(dataset):
    raider, squad = fielded(dataset, "Raider"), fielded(dataset, "Intercessor Squad")
    wracks = fielded(dataset, "Wracks", models=10)
    row = transport_fire(raider, [wracks], squad, 0, bonuses=known_bonuses(raider)).filter(
        phase="fight"
    )
    boat = attacker(dataset, "Raider")
    blades = [line for line in boat.default_lines if line.kind == "melee"]
    more = Circumstances(attacker_effects=(Effect.parse("attacks +10"),))
    expected = attack(boat, blades, squad.defender, more).outcome.damage.mean
    assert row["damage"][0] == pytest.approx(expected, abs=1e-12)
    kabalites = fielded(dataset, "Kabalite Warriors")
    same = transport_fire(raider, [kabalites], squad, 0, bonuses=known_bonuses(raider)).filter(
        phase="fight"
    )
    assert same["damage"][0] == same["damage_without"][0]


def test_bonuses_count_models_of_all_units():
    bonus = PassengerBonus.parse("Infantry: strength +1 for melee")
    how = with_bonuses(Circumstances(), [CREW, CREW], [bonus])
    assert [str(e) for e in how.attacker_effects] == ["strength +12 for melee"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("attacks +1", "write a keyword, a colon"),
        ("wracks: atacks +1", "is no effect"),
        ("wracks: lethal hits", "cannot be had several times"),
        ("wracks: attacks = 3", "cannot be had several times"),
        ("wracks: attacks +D3", "cannot be had several times"),
    ],
)
def test_what_is_no_bonus(text, words):
    with pytest.raises(DataError, match=words):
        PassengerBonus.parse(text)


def by_hand(passengers, wrecked, fails_on, demise, cost):
    """P(points lost together), roll by roll: (models, wounds each, points each) a unit."""
    total: Counter = Counter({F(0): 1 - wrecked})
    for boom in range(1, 7):
        for sizes in product((1, 2, 3), repeat=len(passengers)):
            law = Counter({F(cost): wrecked * F(1, 6 * 3 ** len(passengers))})
            for (models, wounds, each), size in zip(passengers, sizes, strict=True):
                after: Counter = Counter()
                for rolls in product(range(1, 7), repeat=models):
                    lost = sum(roll <= fails_on for roll in rolls)
                    lost += size if demise and boom == 6 else 0
                    dead = min(models, lost // wounds)
                    for points, chance in law.items():
                        after[points + dead * each] += chance * F(1, 6**models)
                law = after
            total.update(law)
    return total


@pytest.mark.parametrize(
    ("rules", "how", "fails_on", "reached"),
    [
        ("11e", Leaving.DESTROYED, 2, True),
        ("10e", Leaving.DESTROYED, 1, False),
        ("10e", Leaving.FAR, 3, False),
    ],
)
def test_losses_together_roll_by_roll(rules, how, fails_on, reached):
    one, two = unit(rank(3), name="one", points=30), unit(rank(2, wounds=2), name="two", points=50)
    law = np.zeros(7)
    law[[0, 3, 6]] = 0.25, 0.25, 0.5
    found = wreck(BOX, [one, two], law, edition(rules), how=how, demise=Dice.parse("D3"))
    told = dict(found.points_lost().select("points", "probability").rows())
    passengers = [(3, 1, F(10)), (2, 2, F(25))]
    expected = by_hand(passengers, F(1, 2), fails_on, reached, 80)
    assert told == pytest.approx({float(v): float(p) for v, p in expected.items() if p}, abs=1e-13)
    mean = float(sum(v * p for v, p in expected.items()))
    together = found.frame().filter(unit="together")
    assert together["points_lost"][0] == pytest.approx(mean, abs=1e-12)
    assert together["points_lost_if_wrecked"][0] == pytest.approx(2 * mean, abs=1e-12)


def test_the_transport_may_live():
    shooters = unit(
        rank(5, weapon("lance", skill=3, strength=12, ap=-3, damage="D6")), name="enemy"
    )
    law = attacked([(shooters, Use(True))], BOX)
    found = wreck(BOX, [CREW], law, edition("11e"), demise=Dice.parse("D3"))
    frame = found.frame()
    assert frame["destroyed"][0] == pytest.approx(law[-1])
    in_all, given = found.lost(0)
    assert in_all.mean == pytest.approx(law[-1] * given.mean)
    assert frame["models_lost"][1] == pytest.approx(in_all.mean)
    assert in_all.weights.sum() == pytest.approx(1, abs=1e-12)


def test_combat_disembarkation_costs_the_passengers_alone():
    found = wreck(BOX, [CREW], None, edition("11e"), how=Leaving.COMBAT, demise=Dice.parse("D3"))
    frame = found.frame()
    assert frame["models_lost"].to_list() == pytest.approx([0, 2, 2])
    assert found.points_lost()["points"].max() == 60
    with pytest.raises(DataError, match="no combat disembarkation"):
        wreck(BOX, [CREW], None, edition("10e"), how=Leaving.COMBAT)


def test_without_costs_there_is_no_law_of_points():
    free = replace(CREW, points=None)
    found = wreck(BOX, [free], None, edition("11e"))
    assert found.points_lost().is_empty()
    assert found.frame()["points_lost"].to_list()[1:] == [None, None]


def test_what_the_data_does_not_tell_is_named(dataset):
    raider, boyz = fielded(dataset, "Raider"), fielded(dataset, "Boyz")
    assert capacity(dataset, raider) == 11
    with pytest.raises(DataError, match="no transport capacity of Boyz"):
        capacity(dataset, boyz)
    with pytest.raises(DataError, match=r"Firing Deck of Raider .*--deck"):
        core_number(dataset, raider, "Firing Deck", "--deck")
    with pytest.raises(DataError, match="12 spaces and there are 11"):
        check_capacity(11, [CREW], spaces=2)
    check_capacity(12, [CREW], spaces=2)


def test_numbers_of_the_users_own_pages(dataset):
    """A page's core abilities stand in one text; a table has one a row."""
    row = {
        "source": "page", "edition": "11e", "version": "1", "faction": "Drukhari",
        "datasheet": "Raider", "detachment": "", "number": 1,
    }  # fmt: skip
    texts = [
        {**row, "kind": "core ability", "name": "CORE", "text": "Deadly Demise D3, Firing Deck 11"},
        {**row, "kind": "ability", "name": "Other", "text": "Firing Deck 99"},
    ]
    frame = pl.DataFrame(texts, schema=dataset["texts"].schema)
    own = Dataset(dataset.about, {**dataset.tables, "texts": frame})
    raider = fielded(own, "Raider")
    assert core_number(own, raider, "Firing Deck", "--deck") == "11"
    assert core_number(own, raider, "Deadly Demise", "--demise") == "D3"
