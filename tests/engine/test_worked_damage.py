"""The worked numbers of RULES.md §1.3, §6 and §9: damage, mortal wounds, stratagems."""

from __future__ import annotations

import pytest

from tests.engine.questions import (
    ALL,
    TENTH,
    F,
    answer,
    binomial,
    given_wounds,
    law,
    mean,
    mixed,
    models,
    plus,
    point,
    same,
    weapon,
)

BIG = models(wounds=20)
MELTA = {"keywords": ["melta 2"]}
NEAR = ["half_range"]


def each(*values):
    """The law of a number that is one of these, all alike likely."""
    return [F(values.count(v), len(values)) for v in range(max(values) + 1)]


@pytest.mark.parametrize(
    ("rule_sets", "armed", "asked", "expected"),
    [
        (["11e"], MELTA, {"flags": NEAR, "against": ["halve damage", "damage -1"]}, each(1, 1, 2, 2, 3, 3)),
        (TENTH, MELTA, {"flags": NEAR, "against": ["halve damage", "damage -1"]}, each(2, 2, 3, 3, 4, 4)),
        (["11e"], MELTA, {"flags": NEAR, "against": ["halve damage"]}, each(2, 2, 3, 3, 4, 4)),
        (TENTH, MELTA, {"flags": NEAR, "against": ["halve damage"]}, each(3, 3, 4, 4, 5, 5)),
        (ALL, MELTA, {"flags": NEAR, "effects": ["damage = 1"]}, point(3)),
        (ALL, MELTA, {"flags": NEAR, "against": ["damage = 1"]}, point(3)),
        (ALL, {}, {"against": ["halve damage", "damage -1"]}, each(1, 1, 1, 1, 2, 2)),
        (ALL, {"damage": "D3+1"}, {"against": ["halve damage"]}, each(1, 2, 2)),
        (ALL, {"damage": 1}, {"against": ["damage -1"]}, point(1)),
        (["11e"], MELTA, {"flags": NEAR, "effects": ["damage = 0"]}, point(0)),
    ],
)  # fmt: skip
def test_damage_modifiers_in_words(rule_sets, armed, asked, expected):  # §1.1, §1.3
    for rules in rule_sets:
        got = given_wounds(
            1, of="damage", asked={"at": BIG, "rules": rules, **asked}, **({"damage": "D6"} | armed)
        )
        assert same(got, expected), rules


def test_melta_halved_on_average_in_words():  # §1.3
    for rules, damage in (("11e", 3), ("10e", 4)):
        got = mean(
            weapon(damage="D6", **MELTA), at=BIG, rules=rules, flags=NEAR, against=["halve damage"]
        )
        assert got == pytest.approx(F(5, 6) * damage, abs=1e-14)


@pytest.mark.parametrize("rules", ALL)
def test_strength_and_attacks_are_at_least_1(rules):  # §1.3
    """Strength 4 less 5 is 1, which wounds Toughness 1 on 4+ and 2 on 6s."""
    for toughness, need in ((1, 4), (2, 6)):
        got = law(
            weapon(strength=4),
            of="wounds",
            at=models(toughness=toughness),
            effects=["strength -5", "attacks -3"],
            rules=rules,
        )
        assert same(got, [F(need - 1, 6), F(7 - need, 6)])


# §6.1, §6.2, §6.3


@pytest.mark.parametrize("rules", ALL)
def test_two_failed_saves_of_random_damage(rules):  # §6.1
    got = given_wounds(2, damage="D6", asked={"at": models(count=3, wounds=3), "rules": rules})
    assert same(got, [F(1, 36), F(19, 36), F(4, 9)])


@pytest.mark.parametrize("rules", ALL)
def test_ten_shots(rules):  # §6.1
    armed = weapon(attacks=10, skill=3, strength=4)
    unsaved = mean(armed, of="unsaved", at=models(count=11, save=3), rules=rules)
    assert unsaved == pytest.approx(F(10, 9), abs=1e-14)


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize(
    ("damage", "wounds", "dead"),
    [(3, 3, F(8, 27)), (3, 2, F(20, 27)), (3, 1, F(26, 27)), (2, 2, F(4, 9))],
)
def test_feel_no_pain_in_words(rules, damage, wounds, dead):  # §6.2
    unit = models(count=2, wounds=wounds, feel_no_pain=5)
    got = given_wounds(1, damage=damage, asked={"at": unit, "rules": rules})
    assert same(got, [1 - dead, dead])


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize(
    ("against", "words", "phase", "ignored"),
    [
        ("mortal", [], "shooting", False),
        ("psychic", [], "shooting", False),
        ("psychic", ["psychic"], "shooting", True),
        ("ranged", [], "shooting", True),
        ("ranged", [], "fight", False),
        ("melee", [], "fight", True),
    ],
)
def test_the_scope_of_feel_no_pain(rules, against, words, phase, ignored):  # §6.2
    unit = models(feel_no_pain={"value": 5, "against": against})
    got = given_wounds(1, keywords=words, asked={"at": unit, "rules": rules, "phase": phase})
    assert same(got, [F(1, 3), F(2, 3)] if ignored else [F(0), F(1)])


@pytest.mark.parametrize("rules", ALL)
def test_one_feel_no_pain_a_wound(rules):  # §6.2
    """A 5+ and a 4+ do not add up: the 4+ is rolled."""
    unit = models(feel_no_pain=5)
    got = given_wounds(1, asked={"at": unit, "rules": rules, "against": ["feel no pain 4+"]})
    assert same(got, [F(1, 2), F(1, 2)])


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize(
    ("number", "slain"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (10, 4), (11, 5)]
)
def test_mortal_wounds_spill(rules, number, slain):  # §6.3
    """Wounded non-character, other non-characters, wounded character, other characters."""
    unit = [
        models(name="boss", wounds=4, character=True),
        models(name="hurt boss", wounds=4, wounds_lost=2, character=True),
        models(name="guard", count=2, wounds=2),
        models(name="hurt guard", wounds=2, wounds_lost=1),
    ]
    got = answer(at=unit, effects=[f"mortal wounds {number}"], rules=rules).outcome
    assert same(got.damage.from_zero(), point(number))
    assert same(got.slain.from_zero(), point(slain))


# §6.4

CRITICAL = {"keywords": ["devastating wounds"]}
ALWAYS = {"effects": ["critical wounds 2+"]}


@pytest.mark.parametrize(
    ("rules", "damage"), [("10e-2023-06", 3), ("10e-2023-09", 2), ("10e", 2), ("11e", 2)]
)
def test_one_devastating_critical_in_words(rules, damage):  # §6.4
    unit = models(count=5, save=2, wounds=2)
    asked = {"at": unit, "rules": rules, **ALWAYS}
    assert same(given_wounds(1, of="damage", damage=3, asked=asked, **CRITICAL), point(damage))
    assert same(given_wounds(1, of="slain", damage=3, asked=asked, **CRITICAL), point(1))


def suffered(packets, spilling=()):
    """(models slain, wounds lost) of W3 models that suffer packets of damage in order."""
    lost = 0
    for damage in packets:
        lost += min(damage, 3 - lost % 3)
    lost += sum(spilling)
    return lost // 3, lost


def dealt(rules, ordinary, critical, later):
    """What so many wounds come to: D2 of the first batch, D3 of the second."""
    if rules == "11e":
        return suffered([2] * ordinary + [2] * critical + [3] * later)
    if rules == "10e-2023-06":
        return suffered([2] * ordinary + [3] * later, [2] * critical)
    return suffered([2] * ordinary + [3] * later + [2] * critical)


@pytest.mark.parametrize("rules", ALL)
def test_when_devastating_wounds_land_in_words(rules):  # §6.4
    """One ordinary and one critical wound, then one wound of another batch, among the others."""
    assert dealt("11e", 1, 1, 1) == (2, 6)
    assert dealt("10e", 1, 1, 1) == (1, 5)
    first = weapon(attacks=2, damage=2, keywords=["devastating wounds", "anti-infantry 4+"])
    second = weapon(damage=3)
    got = law(
        first, second, at=models(count=5, wounds=3), target_keywords=["infantry"], rules=rules
    )
    chances = {"ordinary": F(1, 3), "critical": F(1, 2), "none": F(1, 6)}
    expected = mixed(
        *(
            (
                chances[one] * chances[two] * (F(5, 6) if later else F(1, 6)),
                point(
                    dealt(
                        rules,
                        (one, two).count("ordinary"),
                        (one, two).count("critical"),
                        later,
                    )[1]
                ),
            )
            for one in chances
            for two in chances
            for later in (0, 1)
        )
    )
    assert same(got, expected)


@pytest.mark.parametrize(
    ("rules", "spared"),
    [("10e-2023-06", True), ("10e-2023-09", False), ("10e", True), ("11e", True)],
)
def test_feel_no_pain_against_mortal_wounds_in_words(rules, spared):  # §6.4
    unit = models(save=2, wounds=3, feel_no_pain={"value": 5, "against": "mortal"})
    asked = {"at": unit, "rules": rules, **ALWAYS}
    got = given_wounds(1, of="damage", damage=3, asked=asked, **CRITICAL)
    assert same(got, binomial(3, F(2, 3)) if spared else point(3))


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize("phrase", ["damage -1", "damage -1 when allocated"])
def test_less_damage_of_a_devastating_wound(rules, phrase):  # §6.4
    asked = {"at": models(save=2, wounds=6), "rules": rules, "against": [phrase], **ALWAYS}
    got = given_wounds(1, of="damage", damage=3, asked=asked, **CRITICAL)
    untouched = rules == "11e" and phrase.endswith("allocated")
    assert same(got, point(3 if untouched else 2))


# §6.5

MAN = models(name="man", count=3, wounds=2)
TANK = models(name="tank", wounds=12, toughness=10, keywords=["vehicle"])
BOSS = models(name="boss", wounds=5, character=True)


@pytest.mark.parametrize(
    ("rules", "count", "keywords", "unit", "expected"),
    [
        ("11e", 2, ["infantry"], [MAN], [F(4, 9), F(4, 9), F(1, 9)]),
        ("11e", 2, ["infantry"], [], [F(4, 9), F(4, 9), F(1, 9)]),
        ("11e", 1, ["vehicle"], [TANK], [F(2, 3), 0, 0, F(1, 3)]),
        ("11e", 1, ["infantry"], [TANK, MAN], [F(2, 3), F(1, 3)]),
        ("11e", 1, ["infantry", "vehicle"], [TANK], [F(2, 3), F(1, 3)]),
        ("10e", 1, ["vehicle"], [TANK], [F(5, 6), 0, 0, F(1, 6)]),
        ("10e", 1, ["infantry"], [MAN], [F(5, 6), 0, F(1, 6)]),
        ("10e", 1, ["infantry"], [BOSS], [F(5, 6), 0, 0, F(1, 6)]),
        ("10e-2023-09", 1, ["infantry"], [MAN], [F(5, 6), 0, F(1, 6)]),
        ("10e-2023-09", 1, ["infantry"], [models(wounds=4)], [F(5, 6), 0, 0, 0, F(1, 6)]),
        ("10e-2023-09", 1, ["infantry"], [BOSS], [F(5, 6), 0, 0, F(1, 6)]),
        ("10e-2023-06", 1, ["vehicle"], [TANK], [F(5, 6), 0, 0, F(1, 6)]),
    ],
)
def test_hazardous_weapons(rules, count, keywords, unit, expected):  # §6.5
    got = law(
        weapon(count=count, keywords=["hazardous"]),
        of="self_damage",
        keywords=keywords,
        attackers=unit,
        rules=rules,
    )
    assert same(got, expected)


# §9


@pytest.mark.parametrize("rules", ALL)
def test_explosives(rules):  # §9
    got = law(at=BIG, effects=["explosives"], rules=rules)
    assert same(got, [F(n, 64) for n in (1, 6, 15, 20, 15, 6, 1)])


@pytest.mark.parametrize(("rules", "phrase"), [("11e", "crushing impact"), ("10e", "tank shock")])
def test_ramming_with_toughness_10(rules, phrase):  # §9
    got = answer(at=BIG, effects=[phrase], attackers=[TANK], keywords=["vehicle"], rules=rules)
    assert got.outcome.damage.mean == pytest.approx(F(195446, 59049), abs=1e-14)
    assert got.outcome.damage.probability(6) == pytest.approx(F(1507, 19683), abs=1e-15)
    own = F(25189889, 15116544) if rules == "11e" else 0
    assert got.prepared.self_damage.mean == pytest.approx(own, abs=1e-14)


@pytest.mark.parametrize("rules", ["10e-2023-09", "10e-2023-06"])
def test_tank_shock_of_2023(rules):  # §9
    """Strength 12 above Toughness 10 rolls 14 dice; the weapon itself wounds on 3+."""
    for toughness, dice, wound in ((10, 14, F(2, 3)), (12, 12, F(1, 2))):
        got = law(
            weapon(strength=12),
            at=models(toughness=toughness, wounds=20),
            effects=["tank shock"],
            attackers=[TANK],
            rules=rules,
            phase="fight",
        )
        fives = binomial(dice, F(1, 3))
        pool = [*fives[:6], sum(fives[6:])]
        if dice == 14:
            assert sum(k * p for k, p in enumerate(pool)) == F(2358182, 531441)
        assert same(got, plus([1 - wound, wound], pool))


GAIN = F(422, 729)
"""What one re-roll of five dice that succeed with 2/3 is worth: p (1 - p^5)."""


@pytest.mark.parametrize("rules", ALL)
def test_a_command_reroll_among_five_dice(rules):  # §9
    unit = models(count=9)
    for what, armed in (("hits", {"skill": 3}), ("wounds", {"strength": 5})):
        got = mean(
            weapon(attacks=5, **armed),
            of=what,
            at=unit,
            rules=rules,
            effects=[f"reroll {what} one"],
        )
        assert got == pytest.approx(F(10, 3) + GAIN, abs=1e-13)
    asked = {"at": models(count=9, save=3), "rules": rules, "against": ["reroll saves one"]}
    dead = given_wounds(5, asked=asked)
    assert sum(k * p for k, p in enumerate(dead)) == pytest.approx(F(5, 3) - GAIN, abs=1e-12)


def test_smokescreen_and_go_to_ground():  # §9
    shot = weapon(skill=3, strength=4)
    unit = models(save=4)
    smoke = mean(shot, at=unit, against=["cover"])
    assert smoke == pytest.approx(F(1, 2) * F(1, 2) * F(1, 2), abs=1e-15)
    for rules in TENTH:
        smoke = mean(shot, at=unit, against=["cover", "stealth"], rules=rules)
        assert smoke == pytest.approx(F(1, 2) * F(1, 2) * F(1, 3), abs=1e-15)
        ground = ["cover", "invulnerable 6+"]
        pinned = mean({**shot, "ap": -4}, at=unit, against=ground, rules=rules)
        assert pinned == pytest.approx(F(2, 3) * F(1, 2) * F(5, 6), abs=1e-15)
