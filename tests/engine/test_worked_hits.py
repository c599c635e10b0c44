"""The worked numbers of RULES.md §1.1-§3 about attacks and hit rolls, asked as scenarios."""

from __future__ import annotations

import pytest
from killcurve.engine.attack import hit_roll
from killcurve.engine.edition import edition
from killcurve.engine.weapon import Modifiers

from tests.engine.questions import (
    ALL,
    TENTH,
    F,
    answer,
    law,
    mean,
    mixed,
    models,
    plus,
    point,
    same,
    weapon,
)

D3 = [F(0), F(1, 3), F(1, 3), F(1, 3)]
D6 = [F(0)] + [F(1, 6)] * 6


def hits(skill, rules="11e", *, words=(), **other):
    """P(hit) of one attack."""
    return mean(weapon(skill=skill, keywords=list(words)), of="hits", rules=rules, **other)


@pytest.mark.parametrize("rules", ALL)
def test_a_d3_is_half_a_d6(rules):  # §1.1
    assert same(law(weapon(attacks="D3"), of="attacks", rules=rules), D3)
    assert same(law(weapon(attacks="2D3+1"), of="attacks", rules=rules), plus(D3, D3, point(1)))


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize("sure", [{"skill": None}, {"skill": 3, "keywords": ["torrent"]}])
def test_what_hits_by_itself_is_never_critical(rules, sure):  # §1.1
    stage = answer(
        weapon(strength=4, **sure),
        effects=["sustained hits 2", "lethal hits", "critical hits 2+", "reroll hits failed"],
        at=models(count=9),
        rules=rules,
    ).outcome.stages[0]
    assert (stage.hits, stage.critical_hits) == (1, 0)
    assert stage.wounds == pytest.approx(1 / 2, abs=1e-15)


@pytest.mark.parametrize("extra", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("skill", [2, 3, 4, 5])
def test_when_fishing_for_sustained_hits_pays(skill, extra):  # §1.2
    asked = answer(
        weapon(skill=skill, keywords=[f"sustained hits {extra}"]),
        effects=["reroll hits failed"],
        at=models(count=9),
        choices={"reroll": "optimal"},
    )
    hit, critical = F(7 - skill, 6), F(1, 6)
    failures = (hit + critical * extra) * (1 + (1 - hit))
    fishing = critical * (1 + extra) + (1 - critical) * (hit + critical * extra)
    pays = extra > (1 - hit) / critical
    assert asked.choices["reroll"] == ["successes, too: hits" if pays else "failures"]
    assert (fishing > failures) == pays
    assert asked.outcome.stages[0].hits == pytest.approx(max(failures, fishing), abs=1e-14)


WOUND_CHANCES = {
    F(1, 6): (4, 8, []),
    F(7, 36): (4, 8, ["reroll wounds ones"]),
    F(11, 36): (4, 8, ["reroll wounds failed"]),
    F(1, 3): (4, 5, []),
    F(1, 2): (4, 4, []),
    F(2, 3): (5, 4, []),
}
"""Chances to wound, with the Strength, Toughness and re-roll that make them."""


@pytest.mark.parametrize("wound", WOUND_CHANCES)
@pytest.mark.parametrize(
    ("skill", "limit"), [(2, F(1, 2)), (3, F(1, 3)), (4, F(1, 4)), (5, F(1, 5))]
)
def test_when_fishing_for_lethal_hits_pays(skill, limit, wound):  # §1.2
    strength, toughness, effects = WOUND_CHANCES[wound]
    asked = answer(
        weapon(skill=skill, strength=strength, keywords=["lethal hits"]),
        effects=["reroll hits failed", *effects],
        at=models(toughness=toughness),
        choices={"reroll": "optimal"},
    )
    fishes = asked.choices["reroll"] == ["successes, too: hits"]
    assert fishes == (wound < limit)
    hit, critical = F(7 - skill, 6), F(1, 6)
    one = critical + (hit - critical) * wound
    best = critical + (1 - critical) * one if fishes else one * (1 + (1 - hit))
    assert asked.outcome.damage.mean == pytest.approx(best, abs=1e-14)


@pytest.mark.parametrize(
    ("words", "attacks", "count", "phase", "expected", "rule_sets"),
    [
        ("blast 2", 3, 12, "shooting", point(7), ["11e"]),
        ("cleave 1", 3, 16, "fight", point(6), ["11e"]),
        ("cleave 1", 3, 16, "fight", point(3), TENTH),
        ("blast", 3, 4, "shooting", point(3), ALL),
        ("blast", 3, 5, "shooting", point(4), ALL),
        ("blast", "D6", 11, "shooting", plus(D6, point(2)), ALL),
        ("blast", 3, 11, "fight", point(3), ALL),
        ("cleave 1", 3, 16, "shooting", point(3), ALL),
    ],
)
def test_attacks_at_many_models(words, attacks, count, phase, expected, rule_sets):  # §2.1, §2.2
    for rules in rule_sets:
        armed = weapon(attacks=attacks, keywords=[words])
        got = law(armed, of="attacks", at=models(count=count), phase=phase, rules=rules)
        assert same(got, expected), rules


@pytest.mark.parametrize("rules", ALL)
def test_random_attacks_are_rolled_for_every_weapon(rules):  # §2.1
    got = law(weapon(count=2, attacks="D6"), of="attacks", rules=rules)
    assert same(got, plus(D6, D6))
    near = weapon(count=2, attacks=2, keywords=["rapid fire D3"])
    got = law(near, of="attacks", flags=["half_range"], rules=rules)
    assert same(got, plus(D3, D3, point(4)))


def test_extras_are_dice_in_the_eleventh_and_attacks_in_the_tenth():  # §2.1, §2.2
    """One attack less than 1 is still 1, before Rapid Fire in the 11th edition, after it else."""
    near = weapon(attacks=1, keywords=["rapid fire 1"])
    for rules, attacks in (("11e", 2), ("10e", 1), ("10e-2023-09", 1), ("10e-2023-06", 1)):
        got = law(near, of="attacks", effects=["attacks -1"], flags=["half_range"], rules=rules)
        assert same(got, point(attacks)), rules
        blast = weapon(attacks=1, keywords=["blast"])
        got = law(blast, of="attacks", at=models(count=5), effects=["attacks -1"], rules=rules)
        assert same(got, point(2)), rules


@pytest.mark.parametrize("rules", ALL)
def test_attacks_left_when_the_unit_is_dead_are_lost(rules):  # §2.1
    got = answer(
        weapon(attacks=20, damage=3), weapon(attacks=20), at=models(count=2, wounds=2), rules=rules
    )
    assert got.outcome.damage.stop == 5
    assert got.outcome.destroyed > 0.99


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize("gate", [1, 3, 5])
def test_the_formula_of_a_hit(rules, gate):  # §3.1
    def chance(need, critical, modifier):
        counts = [
            r for r in range(2, 7) if r > gate and (r == 6 or r >= critical or r + modifier >= need)
        ]
        return F(len(counts), 6)

    for skill in range(2, 7):
        for worse in range(-2, 3):
            for modifier in range(-3, 4):
                for critical in (4, 5, 6):
                    need = skill + worse
                    if rules == "11e":
                        need = max(2, min(6, need))
                    changed = Modifiers(
                        skill=-worse, hit=modifier, critical_hits=critical, hit_gate=gate
                    )
                    roll = hit_roll(skill, True, changed, edition(rules))
                    expected = chance(need, critical, max(-1, min(1, modifier)))
                    assert 1 - roll.chances().failure == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("rules", ALL)
def test_a_critical_hit_below_the_skill(rules):  # §3.1
    rolled = {"rules": rules, "effects": ["critical hits 5+"], "against": ["hit -1"]}
    assert hits(6, **rolled) == pytest.approx(F(1, 3), abs=1e-15)
    assert mean(weapon(skill=6), of="critical_hits", **rolled) == pytest.approx(F(1, 3), abs=1e-15)
    snapped = {**rolled, "flags": ["snap_shooting"]}
    assert hits(6, **snapped) == pytest.approx(F(1, 6), abs=1e-15)
    assert mean(weapon(skill=2), of="critical_hits", **snapped) == pytest.approx(F(1, 6), abs=1e-15)


HEAVY = {"words": ["heavy"], "flags": ["cover", "stationary"]}


@pytest.mark.parametrize(
    ("skill", "rules", "asked", "expected"),
    [
        (3, "11e", {"flags": ["cover"]}, F(1, 2)),
        (3, "11e", HEAVY, F(2, 3)),
        (3, "11e", {**HEAVY, "against": ["hit -1"]}, F(1, 2)),
        (3, "11e", {"flags": ["cover"], "against": ["hit -1"]}, F(1, 3)),
        (6, "11e", {"flags": ["cover"]}, F(1, 6)),
        (6, "11e", {"flags": ["cover"], "against": ["hit -1"]}, F(1, 6)),
        (2, "11e", {"flags": ["plunging_fire"]}, F(5, 6)),
        (2, "11e", {"flags": ["plunging_fire"], "against": ["hit -1"]}, F(2, 3)),
        (3, "10e", {"effects": ["hit -1"], "against": ["hit -1"]}, F(1, 2)),
        (3, "10e", {"effects": ["skill -1"], "against": ["hit -1"]}, F(1, 3)),
        (3, "10e", {"flags": ["cover"]}, F(2, 3)),
        (3, "10e", {"against": ["stealth"]}, F(1, 2)),
        (3, "11e", {"against": ["stealth"], "flags": ["cover"]}, F(1, 2)),
    ],
)
def test_hits_in_words(skill, rules, asked, expected):  # §3.4
    assert hits(skill, rules, **asked) == pytest.approx(expected, abs=1e-15)


SKILLS = (2, 3, 4, 5, 6)
SEEN = ["indirect", "spotted", "stationary"]


@pytest.mark.parametrize(
    ("rules", "words", "flags", "expected"),
    [
        ("11e", [], ["indirect"], [F(1, 6)] * 5),
        ("11e", [], ["indirect", "spotted"], [F(1, 6)] * 5),
        ("11e", [], SEEN, [F(1, 2), F(1, 2), F(1, 3), F(1, 6), F(1, 6)]),
        ("11e", ["ignores cover"], SEEN, [F(1, 2), F(1, 2), F(1, 2), F(1, 3), F(1, 6)]),
        ("11e", ["heavy"], SEEN, [F(1, 2), F(1, 2), F(1, 2), F(1, 3), F(1, 3)]),
        ("10e", [], ["indirect"], [F(1, 2), F(1, 2), F(1, 3), F(1, 6), F(1, 6)]),
        ("10e-2023-09", [], ["indirect"], [F(2, 3), F(1, 2), F(1, 3), F(1, 6), F(1, 6)]),
        ("10e-2023-06", [], ["indirect"], [F(2, 3), F(1, 2), F(1, 3), F(1, 6), F(1, 6)]),
    ],
)
def test_indirect_fire(rules, words, flags, expected):  # §3.4
    got = [hits(s, rules, words=["indirect fire", *words], flags=flags) for s in SKILLS]
    assert same(got, expected, within=1e-15)


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize("skill", SKILLS)
def test_snap_shooting_with_sustained_hits(rules, skill):  # §3.4
    got = mean(
        weapon(skill=skill, attacks=4, keywords=["sustained hits 1"]),
        of="hits",
        rules=rules,
        flags=["snap_shooting"],
    )
    assert got == pytest.approx(F(4, 3), abs=1e-14)


@pytest.mark.parametrize("rules", ALL)
def test_a_random_number_of_extra_hits_is_rolled_for_each_critical_hit(rules):  # §3.3
    one = mixed((F(5, 6), point(0)), (F(1, 6), plus(point(1), D3)))
    armed = weapon(skill=6, attacks=2, keywords=["sustained hits D3"])
    assert same(law(armed, of="hits", at=models(count=9), rules=rules), plus(one, one))


@pytest.mark.parametrize("rules", ALL)
def test_extra_hits_roll_to_wound_and_lethal_ones_do_not(rules):  # §3.3
    """A critical hit wounds by itself, its two extra hits on a 6 only; none is a critical wound."""
    one = plus(point(1), [F(5, 6), F(1, 6)], [F(5, 6), F(1, 6)])
    armed = weapon(skill=6, strength=4, keywords=["lethal hits", "sustained hits 2"])
    target = models(count=9, toughness=8)
    got = law(armed, of="wounds", at=target, rules=rules)
    assert same(got, mixed((F(5, 6), point(0)), (F(1, 6), one)))
    critical = law(armed, of="critical_wounds", at=target, rules=rules)
    assert same(critical, [1 - F(11, 216), F(10, 216), F(1, 216)])


@pytest.mark.parametrize(
    ("strength", "anti", "save", "automatic", "rolled"),
    [
        (4, [], 3, F(1, 3), F(5, 18)),
        (4, [], 2, F(1, 6), F(2, 9)),
        (4, ["anti-infantry 4+"], 3, F(1, 3), F(1, 2)),
        (5, [], 3, F(1, 3), F(1, 3)),
    ],
)
def test_to_roll_or_to_wound_by_itself(strength, anti, save, automatic, rolled):  # §3.3
    """What a lethal critical hit of a devastating weapon is worth, either way.

    With skill 6 it is the only hit there is, one attack in six.
    """
    words = ["lethal hits", "devastating wounds", *anti]

    def asked(lethal, rules="11e"):
        return answer(
            weapon(skill=6, strength=strength, keywords=words),
            at=models(save=save),
            target_keywords=["infantry"],
            choices={"lethal": lethal},
            rules=rules,
        )

    means = {way: 6 * asked(way).outcome.damage.mean for way in ("always", "never", "optimal")}
    expected = {"always": automatic, "never": rolled, "optimal": max(automatic, rolled)}
    assert means == pytest.approx({way: float(e) for way, e in expected.items()}, abs=1e-14)
    best = "never" if rolled > automatic else "always"
    assert asked("optimal").choices["lethal"] == best
    for rules in TENTH:  # forced there, whatever is asked
        assert 6 * asked("never", rules).outcome.damage.mean == pytest.approx(automatic, abs=1e-14)
