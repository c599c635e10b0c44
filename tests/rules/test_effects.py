"""The effect language: every phrase reads, prints back unchanged and does what it says."""

from __future__ import annotations

import json
import re

import pytest
from killcurve.engine.edition import edition
from killcurve.rules.effects import Effect, parse_all
from killcurve.rules.modifiers import ArmedWith, modifiers
from killcurve.rules.situation import Situation

from tests.conftest import SHARED, needs_shared

PHRASES = [
    "hit +1", "wound -1", "skill +1", "attacks +1", "attacks +D3", "strength +2", "damage +1",
    "range +6", "damage = 3", "ap +1", "reroll hits ones", "reroll wounds failed",
    "reroll damage noncritical", "reroll attacks one", "reroll saves ones", "critical hits 5+",
    "critical wounds 5+", "critical wound ap +1", "lethal hits", "sustained hits 2",
    "sustained hits D3", "devastating wounds", "anti-monster 4+", "ignores cover", "precision",
    "lance", "twin-linked", "assault", "rapid fire 1", "blast", "blast 2", "torrent", "melta 2",
    "ignore hit modifiers", "ignore skill modifiers", "ignore damage modifiers",
    "mortal wounds 6D6 on 4+", "mortal wounds 6D6 on 4+ max 6",
    "mortal wounds 1D6 per model on 5+ max 6", "mortal wounds D3", "explosives",
    "crushing impact", "tank shock", "snap shooting", "snap shooting 5+", "set one hit to 6",
    "damage -1", "halve damage", "damage = 0 once", "damage -1 when allocated", "toughness +1",
    "save +1", "wounds +1", "invulnerable 4+", "invulnerable 4+ against ranged",
    "feel no pain 5+ against mortal", "cover", "stealth", "fight on death 4+", "heal D3",
    "return D3 models", "one of (lethal hits | sustained hits 1)",
    "hit +1 if target_on_objective", "sustained hits 1 if half_range",
    "wound -1 if strength > toughness", "damage +1 if target is monster or vehicle",
    "reroll hits failed if leading", "strength +1 for melee", "lethal hits for ranged",
    'ap +1 if "2 Yield points are spent"', 'attacks +1 for "Tesla sphere" if not within 12',
    'hit +1 for psychic if target is not titanic and attacker is psyker and "a b"',
]  # fmt: skip


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_prints_back_unchanged(phrase):
    assert str(Effect.parse(phrase)) == phrase
    assert Effect.parse(str(Effect.parse(phrase))) == Effect.parse(phrase)


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("HIT +1", "hit +1"),
        ("Sustained Hits d3", "sustained hits D3"),
        ("damage =3", "damage = 3"),
        ("hit +1 for melee if “x y”", 'hit +1 for melee if "x y"'),
    ],
)
def test_typing_is_forgiven(typed, printed):
    assert str(Effect.parse(typed)) == printed


@pytest.mark.parametrize(
    ("phrase", "words"),
    [
        ("hitt +1", "did you mean 'hit +1'"),
        ("reroll hit ones", "did you mean 'reroll hits ones'"),
        ("lethal hit", "did you mean 'lethal hits'"),
        ("hit +1 if half_rang", "did you mean 'half_range'"),
        ("hit +1 for mele", "scope 'for mele' is not known"),
        ("invulnerable 1+", "2+ to 6+"),
        ("damage +D7", "D3 and D6"),
        ("mortal wounds 6D6+1 on 4+", "dice alone"),
        ("sustained hits", "needs a number"),
        ("lethal hits 2", "takes no number"),
        ("", "is no effect"),
    ],
)
def test_a_wrong_phrase_is_named_with_the_way_out(phrase, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        Effect.parse(phrase)


def test_several_phrases_in_one_text():
    texts = ["hit +1, wound +1", 'ap +1 if "a, b"', "one of (hit +1, wound +1 | lethal hits)"]
    assert [str(e) for e in parse_all(texts)] == ["hit +1", "wound +1", *texts[1:]]


@needs_shared
def test_the_labelled_rules_speak_the_language():
    lines = (SHARED / "cases" / "rules.jsonl").read_text(encoding="utf-8").splitlines()
    phrases = [phrase for line in lines for phrase in json.loads(line)["effects"]]
    assert len(phrases) > 150
    assert [str(Effect.parse(p)) for p in phrases] == phrases


def made(*phrases, side="attacker", rules="11e", keywords=(), ranged=True, **situation):
    effects = parse_all(phrases)
    where = Situation(edition(rules), ranged=ranged, target_models=10, **situation)
    sides = (effects, ()) if side == "attacker" else ((), effects)
    weapon = ArmedWith("Gun", tuple(a.amount for a in parse_all(keywords)))
    return modifiers(weapon, *sides, where).modifiers


def test_the_widest_reroll_and_the_best_sustained_hits_stand():
    got = made("reroll hits ones", "reroll hits failed", "sustained hits 1", "sustained hits D3")
    assert got.reroll_hits.value == "failed"
    assert str(got.sustained) == "D3"


def test_bad_modifiers_are_ignored_before_the_cap_and_good_ones_kept():
    got = made("hit +1", "hit -1", "hit -1", "ignore hit modifiers")
    assert got.hit == 1


def test_cover_does_not_reach_who_ignores_skill_modifiers_in_the_eleventh():
    assert not made("ignore skill modifiers", flags=frozenset({"cover"})).cover
    assert made("ignore skill modifiers", rules="10e", flags=frozenset({"cover"})).cover


def test_stealth_by_edition_and_phase():
    assert made("stealth", side="defender").cover
    tenth = made("stealth", side="defender", rules="10e")
    assert (tenth.cover, tenth.hit) == (False, -1)
    assert not made("stealth", side="defender", ranged=False).cover


def test_abilities_of_the_other_phase_do_nothing():
    shooting = ["blast", "rapid fire 2", "melta 2", "heavy", "cleave 1"]
    flags = frozenset({"half_range", "stationary"})
    near = made(keywords=shooting, flags=flags)
    assert (len(near.extra_attacks), near.damage.added, near.hit) == (3, 2, 1)
    fight = made(keywords=shooting, flags=flags, ranged=False)
    assert (len(fight.extra_attacks), fight.damage.added, fight.hit) == (2, 0, 0)
    tenth = made(keywords=shooting, flags=flags, ranged=False, rules="10e")
    assert len(tenth.extra_attacks) == 0


def test_scopes_and_conditions():
    infantry = frozenset({"infantry"})
    assert made("hit +1 if target is infantry", target_keywords=infantry).hit == 1
    assert made("hit +1 if target is not infantry", target_keywords=infantry).hit == 0
    assert made('hit +1 for "gun"').hit == 1
    assert made("hit +1 for melee").hit == 0
    assert made("hit +1 for heavy", keywords=["heavy"]).hit == 1
    assert made('hit +1 if "Marked for death"').hit == 0
    assert made('hit +1 if "Marked for death"', ticked=frozenset({"marked for death"})).hit == 1
    assert made("hit +1 if within 12").hit == 1
    assert made("hit +1 if not within 12", flags=frozenset({"long_range"})).hit == 1
    assert made("hit +1 if within 6").hit == 0
    assert made("hit +1 if within 6", distance=5.0).hit == 1


def test_rules_about_strength_above_toughness_are_kept_apart():
    where = Situation(edition("11e"))
    effects = parse_all("wound -1 if strength > toughness, hit -1")
    arms = modifiers(ArmedWith("Gun", ()), (), effects, where)
    always, stronger = arms.modifiers, arms.when_stronger
    assert (always.wound, always.hit) == (0, -1)
    assert stronger is not None
    assert (stronger.wound, stronger.hit) == (-1, -1)


def test_a_stronger_form_stands_in_for_the_weaker_one():
    honour = ("ap +1 for melee", 'ap +2 for melee if "3 Yield points are spent"')
    fight = {"ranged": False}
    assert made(*honour, **fight).ap == 1
    assert made(*honour, ticked=frozenset({"3 yield points are spent"}), **fight).ap == 2
    assert made("ap +1", "ap +1").ap == 2
