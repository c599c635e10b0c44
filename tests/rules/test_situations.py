"""Abilities and circumstances in exact numbers, by hand (RULES.md §3.2, §6.4, §8)."""

from __future__ import annotations

import pytest
from killcurve.rules.effects import Effect
from killcurve.rules.reading import ScenarioError
from killcurve.study.solve import solve

from tests.engine.questions import ALL, TENTH, F, answer, law, mean, models, point, same, weapon


def hits(rules, *words, skill=3, **asked):
    """Expected hits of one attack."""
    armed = weapon(skill=skill, keywords=list(words))
    return mean(armed, of="hits", rules=rules, **{"at": models(count=9), **asked})


def check(chance, expected):
    assert chance == pytest.approx(expected, abs=1e-14)


# Contested rules that may be read otherwise


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize("skill", [None, 2, 5])
def test_torrent_while_snap_shooting(rules, skill):  # §3.2
    asked = {"skill": skill, "flags": ["snap_shooting"]}
    check(hits(rules, "torrent", **asked), 1)
    for option, expected in ((True, F(1)), (False, F(1, 6))):
        check(hits(rules, "torrent", options={"torrent_ignores_snap": option}, **asked), expected)
    check(hits(rules, "torrent", skill=skill, options={"torrent_ignores_snap": False}), 1)


@pytest.mark.parametrize(
    ("skill", "flags", "literal", "flat"),
    [
        (2, ["spotted", "stationary"], F(1, 2), F(1, 2)),
        (4, ["spotted", "stationary"], F(1, 3), F(1, 2)),
        (6, ["spotted", "stationary"], F(1, 6), F(1, 2)),
        (2, [], F(1, 6), F(1, 6)),
    ],
)
def test_indirect_fire_as_a_flat_number(skill, flags, literal, flat):  # §3.2
    for options, expected in (
        ({}, literal),
        ({"indirect_flat": False}, literal),
        ({"indirect_flat": True}, flat),
    ):
        got = hits("11e", "indirect fire", skill=skill, flags=["indirect", *flags], options=options)
        check(got, expected)


@pytest.mark.parametrize(
    ("rules", "option", "damage"),
    [
        ("11e", None, 3),
        ("11e", False, 3),
        ("11e", True, 2),
        ("10e", None, 2),
        ("10e", True, 2),
        ("10e", False, 3),
        ("10e-2023-06", None, 2),
    ],
)
def test_devastating_wounds_and_damage_less_when_allocated(rules, option, damage):  # §6.4
    options = {} if option is None else {"dw_respects_allocated_dr": option}
    got = law(
        weapon(damage=3, keywords=["devastating wounds"]),
        at=models(save=2, wounds=6),
        effects=["critical wounds 2+"],
        against=["damage -1 when allocated"],
        rules=rules,
        options=options,
    )
    assert same(got, [F(1, 6), *[F(0)] * (damage - 1), F(5, 6)])


@pytest.mark.parametrize(
    ("options", "where", "words"),
    [
        ({"torrent_ignores_snaps": True}, "options.torrent_ignores_snaps", "torrent_ignores_snap"),
        ({"indirect_flat": "yes"}, "options.indirect_flat", "true nor false"),
    ],
)
def test_options_that_do_not_exist(options, where, words):
    with pytest.raises(ScenarioError, match=words) as caught:
        answer(weapon(), options=options)
    assert caught.value.where == where


# Circumstances


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize(
    ("words", "keywords", "target", "phase", "expected"),
    [
        ([], ["vehicle"], [], "shooting", F(1, 2)),
        ([], ["Monster"], ["infantry"], "shooting", F(1, 2)),
        ([], ["infantry"], ["monster"], "shooting", F(1, 2)),
        ([], ["vehicle"], ["vehicle"], "shooting", F(1, 2)),
        ([], ["infantry"], ["infantry"], "shooting", F(2, 3)),
        (["pistol"], ["vehicle"], ["monster"], "shooting", F(2, 3)),
        (["close-quarters"], ["vehicle"], ["monster"], "shooting", F(2, 3)),
        ([], ["vehicle"], ["monster"], "fight", F(2, 3)),
    ],
)
def test_shooting_while_engaged(rules, words, keywords, target, phase, expected):  # §3.2
    asked = {"keywords": keywords, "target_keywords": target, "phase": phase}
    check(hits(rules, *words, flags=["engaged"], **asked), expected)
    check(hits(rules, *words, **asked), F(2, 3))


def test_the_penalty_for_being_engaged_is_a_modifier_like_others():  # §3.2
    asked = {"keywords": ["vehicle"], "flags": ["engaged"]}
    check(hits("11e", effects=["hit +1"], **asked), F(2, 3))
    check(hits("11e", against=["hit -1"], **asked), F(1, 2))
    check(hits("11e", effects=["ignore hit modifiers"], **asked), F(2, 3))


@pytest.mark.parametrize("rules", ["11e", "10e"])
@pytest.mark.parametrize(
    ("lost", "expected"), [(0, F(2, 3)), (7, F(2, 3)), (8, F(1, 2)), (11, F(1, 2))]
)
def test_a_damaged_model(rules, lost, expected):  # §8.1
    """Damaged 4 on a model of 12 wounds."""
    unit = [models(name="tank", wounds=12, wounds_lost=lost)]
    check(hits(rules, "damaged 4", attackers=unit), expected)


def test_whether_a_model_is_damaged_must_be_known():
    with pytest.raises(ScenarioError, match=r"attacker\.models") as caught:
        answer(weapon(skill=3, keywords=["damaged 4"]))
    assert caught.value.where == "attacker.weapons[0]"


@pytest.mark.parametrize(
    ("rules", "hit", "fails"),
    [
        ("11e", F(5, 6), F(1, 2)),
        ("10e", F(2, 3), F(2, 3)),
        ("10e-2023-09", F(2, 3), F(2, 3)),
        ("10e-2023-06", F(2, 3), F(2, 3)),
    ],
)
def test_plunging_fire(rules, hit, fails):  # §3.2, §8.2
    """It improves the skill, in the 10th edition AP: a 4+ save fails on 4, too."""
    asked = {"at": models(save=4), "rules": rules}
    shot = weapon(skill=3)
    check(mean(shot, flags=["plunging_fire"], **asked), hit * F(5, 6) * fails)
    check(mean(shot, **asked), F(2, 3) * F(5, 6) * F(1, 2))
    check(mean(shot, flags=["plunging_fire"], phase="fight", **asked), F(2, 3) * F(5, 6) * F(1, 2))


@pytest.mark.parametrize("rules", ALL)
def test_snap_shooting(rules):  # §3.2
    snap = {"flags": ["snap_shooting"]}
    for effects, against in (([], []), (["hit +1", "skill +1"], []), ([], ["hit -1", "stealth"])):
        check(hits(rules, skill=2, effects=effects, against=against, **snap), F(1, 6))
    again = F(1, 6) if rules == "11e" else F(1, 6) + F(5, 6) * F(1, 6)
    for phrase in ("reroll hits failed", "reroll hits noncritical", "reroll hits one"):
        check(hits(rules, effects=[phrase], **snap), again)
    once = F(1, 6) if rules == "11e" else F(1, 6) + F(1, 6) * F(1, 6)
    check(hits(rules, effects=["reroll hits ones"], **snap), once)
    check(hits(rules, effects=["snap shooting"]), F(1, 6))
    check(hits(rules, effects=["snap shooting 5+"]), F(1, 3))
    check(hits(rules, effects=["snap shooting"], phase="fight"), F(2, 3))
    wider = ["snap shooting 5+", "critical hits 5+"]
    critical = mean(weapon(skill=3), of="critical_hits", rules=rules, effects=wider)
    check(critical, F(1, 6))  # 5s hit, 6s are critical, whatever else holds
    wounds = mean(
        weapon(skill=2, strength=4, keywords=["twin-linked"]), of="wounds", rules=rules, **snap
    )
    check(wounds, F(1, 6) * F(3, 4))  # wound rolls may be made again


def test_rerolls_of_indirect_fire():  # §3.2
    """Skill 3 in cover, unmodified 1 to 3 fail; the 10th edition takes 1 off and re-rolls."""
    flags = ["indirect", "spotted", "stationary"]
    for rules, expected in (("11e", F(1, 2)), ("10e", F(3, 4)), ("10e-2023-09", F(3, 4))):
        check(hits(rules, "indirect fire", effects=["reroll hits failed"], flags=flags), expected)
        check(hits(rules, effects=["reroll hits failed"], flags=flags), F(8, 9))  # another weapon


def test_torrent_fired_indirectly():  # §3.2, §8.2
    for rules in ("11e", "10e-2023-09", "10e-2023-06"):
        check(hits(rules, "torrent", "indirect fire", flags=["indirect"]), 1)
    check(hits("10e", "torrent", "indirect fire"), 1)
    with pytest.raises(ScenarioError, match="cannot be fired indirectly"):
        hits("10e", "torrent", "indirect fire", flags=["indirect"])


PSYCHIC = [
    # what the attacker has, what the target has, flags, hit in the 11th, hit in the 10th
    ([], ["hit -1"], [], F(2, 3), F(1, 2)),
    (["hit +1"], ["hit -1"], [], F(5, 6), F(2, 3)),
    (["skill -1"], [], [], F(2, 3), F(1, 2)),
    (["skill +1"], ["hit -1"], [], F(5, 6), F(2, 3)),
    ([], [], ["snap_shooting"], F(1, 6), F(1, 6)),
]


@pytest.mark.parametrize(("effects", "against", "flags", "eleventh", "tenth"), PSYCHIC)
def test_psychic_weapons_ignore_bad_modifiers(effects, against, flags, eleventh, tenth):  # §3.2
    asked = {"effects": effects, "against": against, "flags": flags}
    check(hits("11e", "psychic", **asked), eleventh)
    for rules in TENTH:
        check(hits(rules, "psychic", **asked), tenth)


def test_psychic_weapons_ignore_cover_and_no_more():  # §3.2
    check(hits("11e", "psychic", flags=["cover"]), F(2, 3))
    check(hits("11e", "psychic", against=["stealth"]), F(2, 3))
    wound = mean(weapon(keywords=["psychic"]), of="wounds", against=["wound -1"])
    check(wound, F(2, 3))
    for rules in TENTH:
        check(hits(rules, "psychic", against=["stealth"]), F(1, 2))


# Abilities


@pytest.mark.parametrize(
    ("rules", "effects", "attacks"),
    [
        ("11e", ["attacks +1"], 4),
        ("11e", ['attacks +1 for "Tail"'], 4),
        ("11e", ["attacks +1", 'attacks +1 for "Tail"'], 5),
        ("10e", ["attacks +1"], 3),
        ("10e", ['attacks +1 for "Tail"'], 4),
        ("10e", ["attacks +1", 'attacks +1 for "Tail"'], 4),
        ("10e-2023-09", ["attacks +1", 'attacks +1 for "Tail"'], 3),
        ("10e-2023-06", ["attacks -1"], 3),
    ],
)
def test_attacks_of_a_weapon_with_extra_attacks(rules, effects, attacks):  # §8.2
    tail = weapon(name="Tail", attacks=3, keywords=["extra attacks"])
    claw = weapon(name="Tail", attacks=3)
    asked = {"of": "attacks", "rules": rules, "phase": "fight", "effects": effects}
    assert same(law(tail, **asked), point(attacks))
    plain = 3 + sum(-1 if "-" in phrase else 1 for phrase in effects)
    assert same(law(claw, **asked), point(plain))


VEHICLE, INFANTRY, BOTH = ["vehicle"], ["infantry"], ["Infantry", "VEHICLE"]


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize(
    ("word", "target", "expected"),
    [
        ("sustained hits 1: infantry", INFANTRY, F(5, 6)),
        ("sustained hits 1: infantry", VEHICLE, F(2, 3)),
        ("[SUSTAINED HITS: MONSTER/VEHICLE 2]", VEHICLE, F(1)),
        ("[SUSTAINED HITS: MONSTER/VEHICLE 2]", INFANTRY, F(2, 3)),
        ("sustained hits 1: non-vehicle", INFANTRY, F(5, 6)),
        ("sustained hits 1: non-vehicle", BOTH, F(2, 3)),
        ("sustained hits 1: non-monster/vehicle", VEHICLE, F(2, 3)),
        ("sustained hits D3", [], F(1)),
    ],
)
def test_abilities_against_some_keywords(rules, word, target, expected):  # §8.1
    check(hits(rules, word, target_keywords=target), expected)


@pytest.mark.parametrize("rules", ALL)
def test_critical_hits_and_wounds_against_some_keywords(rules):  # §8.1
    """Skill and wound roll need 6s; the save is a 2+."""
    lethal = weapon(skill=6, strength=2, keywords=["lethal hits: non-monster/vehicle"])
    check(mean(lethal, of="wounds", target_keywords=INFANTRY, rules=rules), F(1, 6))
    check(mean(lethal, of="wounds", target_keywords=VEHICLE, rules=rules), F(1, 36))
    deadly = weapon(keywords=["devastating wounds: infantry/beasts"])
    asked = {"at": models(save=2), "effects": ["critical wounds 2+"], "rules": rules}
    check(mean(deadly, target_keywords=["Beasts"], **asked), F(5, 6))
    check(mean(deadly, target_keywords=VEHICLE, **asked), F(5, 36))


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize(
    ("words", "effects", "expected"),
    [
        (["sustained hits 1", "sustained hits 2"], [], F(1)),
        (["sustained hits 2", "sustained hits 1"], [], F(1)),
        (["sustained hits 1"], ["sustained hits 2"], F(1)),
        (["sustained hits 1"], ["sustained hits 1"], F(5, 6)),
        (["sustained hits 1", "sustained hits 3: monster"], [], F(5, 6)),
    ],
)
def test_of_equal_abilities_one_counts(rules, words, effects, expected):  # §8.1
    check(hits(rules, *words, effects=effects), expected)


@pytest.mark.parametrize("rules", ALL)
def test_of_several_anti_abilities_the_best_that_applies_counts(rules):  # §8.1
    words = ["anti-vehicle 4+", "anti-infantry 2+", "anti-infantry 5+"]
    for target, wound in ((VEHICLE, F(1, 2)), (INFANTRY, F(5, 6)), (BOTH, F(5, 6)), ([], F(1, 6))):
        got = mean(
            weapon(strength=1, keywords=words), of="wounds", target_keywords=target, rules=rules
        )
        check(got, wound)


@pytest.mark.parametrize("rules", ALL)
def test_duplicates_of_what_adds_attacks_or_damage(rules):  # §8.1
    near = weapon(attacks=2, keywords=["rapid fire 1", "rapid fire 2"])
    assert same(law(near, of="attacks", flags=["half_range"], rules=rules), point(4))
    assert same(law(near, of="attacks", rules=rules), point(2))
    hot = weapon(damage=1, keywords=["melta 2", "melta 4"])
    got = law(hot, at=models(wounds=9), flags=["half_range"], rules=rules)
    assert same(got, [F(1, 6), 0, 0, 0, 0, F(5, 6)])
    wounding = weapon(strength=4, keywords=["lance", "lance"])
    check(mean(wounding, of="wounds", flags=["charged"], rules=rules), F(2, 3))


def test_cleave_and_blast_take_the_larger_number():  # §8.1
    sixteen = models(count=16)
    for words, attacks in ((["cleave 1", "cleave 2"], 9), (["cleave 2"], 9), (["cleave"], 6)):
        got = law(weapon(attacks=3, keywords=words), of="attacks", at=sixteen, phase="fight")
        assert same(got, point(attacks))
    got = law(weapon(attacks=3, keywords=["blast", "blast 2"]), of="attacks", at=sixteen)
    assert same(got, point(9))
    # Models are counted when the target is selected, those of all groups together.
    groups = [models(name="a", count=3), models(name="b", count=2)]
    got = law(weapon(attacks=3, keywords=["cleave 1"]), of="attacks", at=groups, phase="fight")
    assert same(got, point(4))


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize(
    ("skill", "asked", "far", "near"),
    [
        (4, {}, F(1), F(2, 3)),
        (5, {}, F(2, 3), F(1, 2)),
        (6, {}, F(1, 3), F(1, 3)),
        (5, {"effects": ["hit +1"]}, F(1), F(2, 3)),
        (4, {"against": ["hit -1"]}, F(2, 3), F(1, 2)),
        (2, {}, F(5, 6) + F(1, 2), F(1)),
    ],
)
def test_conversion(rules, skill, asked, far, near):  # §3.1, §8.1
    """An unmodified 4+ that hits is critical, farther than 12 inches; one extra hit each."""
    words = ("conversion", "sustained hits 1")
    check(hits(rules, *words, skill=skill, flags=["long_range"], **asked), far)
    check(hits(rules, *words, skill=skill, **asked), near)


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize("word", ["one shot", "assault", "pistol", "close-quarters", "hunter fly"])
def test_abilities_that_say_when_a_weapon_may_be_used(rules, word):  # §8.1
    """Nothing about the numbers changes."""
    got = law(weapon(attacks=2, skill=3, keywords=[word]), at=models(count=2), rules=rules)
    one = F(2, 3) * F(5, 6)
    assert same(got, [(1 - one) ** 2, 2 * one * (1 - one), one**2])


@pytest.mark.parametrize("rules", ALL)
def test_heavy_weapons(rules):  # §3.2
    check(hits(rules, "heavy", flags=["stationary"]), F(5, 6))
    check(hits(rules, "heavy"), F(2, 3))
    check(hits(rules, "heavy", flags=["stationary"], phase="fight"), F(2, 3))
    check(hits(rules, "heavy", flags=["stationary"], effects=["hit +1"], skill=5), F(1, 2))


def test_heavy_weapons_of_an_engaged_unit():  # §3.2
    """The 11th edition asks for an unengaged unit, the 10th for a stationary one alone."""
    flags = ["stationary", "engaged"]
    check(hits("10e", "heavy", flags=flags), F(5, 6))
    check(hits("11e", "heavy", flags=flags), F(2, 3))


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize(
    ("side", "phrase", "stage", "expected"),
    [
        ("mine", "skill = 2", "hits", F(5, 6)),
        ("mine", "skill = 5", "hits", F(1, 3)),
        ("mine", "ap = 3", "unsaved", F(2, 3) * F(1, 2) * F(5, 6)),
        ("theirs", "toughness = 8", "wounds", F(2, 3) * F(1, 6)),
        ("theirs", "save = 2", "unsaved", F(2, 3) * F(1, 2) * F(1, 6)),
    ],
)
def test_characteristics_that_are_set(rules, side, phrase, stage, expected):
    """3+ to hit, S4 against T4, Sv3+ without AP, but for what the phrase sets."""
    asked = {
        "edition": rules,
        "attacker": {
            "weapons": [{"attacks": 1, "skill": 3, "strength": 4, "damage": 1}],
            "effects": [phrase] if side == "mine" else [],
        },
        "target": {
            "models": [{"count": 2, "toughness": 4, "save": 3, "wounds": 1}],
            "effects": [phrase] if side == "theirs" else [],
        },
    }
    check(getattr(solve(asked).outcome.stages[0], stage), expected)


@pytest.mark.parametrize(
    "phrase", ["hit = 3", "hit +D3", "skill = 7", "attacks -D3", "toughness = 0", "save +D3"]
)
def test_what_is_not_computed_is_an_error_with_its_place(phrase):
    side = "attacker" if phrase[0] in "has" and not phrase.startswith("save") else "target"
    asked = {
        "attacker": {"weapons": [{"attacks": 1, "skill": 3, "strength": 4, "damage": 1}]},
        "target": {"models": [{"count": 2, "toughness": 4, "save": 3, "wounds": 1}]},
    }
    asked[side]["effects"] = [phrase]
    with pytest.raises(ScenarioError) as caught:
        solve(asked)
    assert caught.value.where
    assert solve(asked, lenient=True).unmodelled


@pytest.mark.parametrize(("rules", "victim"), [("11e", "squad"), ("10e", "boss")])
def test_a_torrent_weapon_has_no_precision_in_the_eleventh(rules, victim):  # §8.1, no. 37
    boss = {"name": "boss", "toughness": 4, "save": 7, "wounds": 1, "character": True}
    squad = {"name": "squad", "count": 1, "toughness": 4, "save": 7, "wounds": 2}
    gun = {"attacks": 1, "strength": 8, "damage": 1, "keywords": ["torrent", "precision"]}
    asked = {
        "edition": rules,
        "attacker": {"weapons": [gun]},
        "target": {"models": [squad, boss]},
        "choices": {"precision": "boss"},
    }
    check(solve(asked).outcome.slain.mean, F(5, 6) if victim == "boss" else 0)


def test_letters_may_have_any_case():
    asked = ["HIT +1 FOR Ranged IF Half_Range", "Reroll Hits ONES", "SET one HIT to 6"]
    wanted = ["hit +1 for ranged if half_range", "reroll hits ones", "set one hit to 6"]
    assert [str(Effect.parse(phrase)) for phrase in asked] == wanted
