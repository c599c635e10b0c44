"""Matrices: rows are single answers, ratios are mirrored, and numbers by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from math import inf, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from killcurve.rules.effects import Effect
from killcurve.study.armed import standard_combatants, used_against
from killcurve.study.engagements import Engagements
from killcurve.study.matchup import Circumstances, engage
from killcurve.study.matrix import COLUMNS, combatants, log_ratio, matrix
from killcurve.study.own_rules import OwnRule
from killcurve.study.removed import WHOLE_UNITS
from killcurve.tables.dataset import DataError

from tests.study.standing import binomial, hurt, rank, squad, standing, unit, weapon

RIFLE = weapon("rifle", attacks=2, skill=3, strength=4)
BLADE = weapon("blade", attacks=3, skill=4, strength=4, reach=0)
ONE = squad(2, RIFLE, name="one", points=50, toughness=4, save=5)
OTHER = squad(4, BLADE, name="other", points=120, toughness=4, save=6)


def pair(frame, own: str, target: str) -> dict:
    """The row of two units by name."""
    found = frame.filter((frame["attacker"] == own) & (frame["target"] == target))
    assert found.height == 1
    return found.row(0, named=True)


class TestNumbersByHand:
    def test_both_ways(self):
        shot, cut = hurt(3, 4, 5), hurt(4, 4, 4)
        law = binomial(4, shot)
        forth = 30 * sum(k * p for k, p in enumerate(law))
        back = 25 * sum(min(2, k) * p for k, p in enumerate(binomial(12, cut)))
        frame = matrix([ONE, OTHER])
        assert dict(frame.schema) == COLUMNS
        row = pair(frame, "one", "other")
        assert row["points_removed"] == pytest.approx(float(forth), abs=1e-12)
        assert row["points_removed_per_100"] == pytest.approx(float(2 * forth), abs=1e-12)
        assert row["answer_per_100"] == pytest.approx(float(back / F(6, 5)), abs=1e-12)
        ratio = log2(2 * forth) - log2(back / F(6, 5))
        assert row["log_ratio"] == pytest.approx(ratio, abs=1e-12)
        assert row["destroyed"] == pytest.approx(float(law[4]), abs=1e-12)
        assert (row["phase"], row["answer_phase"]) == ("shooting", "fight")

    def test_the_best_phase_and_both(self):
        gun = weapon("gun", skill=3, strength=4, damage=1)
        hammer = weapon("hammer", skill=3, strength=4, damage=1, reach=0)
        own = squad(1, gun, hammer, name="own")
        tank = squad(1, name="tank", points=80, toughness=4, save=5, wounds=2)
        p = hurt(3, 4, 4)
        best = pair(matrix([own], [tank]), "own", "tank")
        assert (best["destroyed"], best["damage"]) == (0, pytest.approx(float(p), abs=1e-12))
        both = pair(matrix([own], [tank], phase="both"), "own", "tank")
        assert both["phase"] == "both"
        assert both["destroyed"] == pytest.approx(float(p * p), abs=1e-12)
        assert both["damage"] == pytest.approx(float(2 * p), abs=1e-12)
        assert both["points_removed"] == pytest.approx(float(80 * p * p), abs=1e-12)
        fist = weapon("fist", attacks=2, skill=3, strength=4, damage=2, reach=0)
        fists = squad(1, gun, fist, name="fists")
        assert pair(matrix([fists], [tank]), "fists", "tank")["phase"] == "fight"

    def test_whole_units_only(self):
        row = pair(matrix([ONE, OTHER], scoring=WHOLE_UNITS), "one", "other")
        all_four = binomial(4, hurt(3, 4, 5))[4]
        assert row["points_removed"] == pytest.approx(float(120 * all_four), abs=1e-12)

    def test_the_best_phase_without_costs_is_by_damage(self):
        weak = weapon("weak", skill=3, strength=4)
        own = squad(1, weak, BLADE, name="own")
        free = squad(3, name="free", points=None)
        row = pair(matrix([own], [free]), "own", "free")
        assert (row["phase"], row["points_removed"], row["log_ratio"]) == ("fight", None, None)


class TestRatios:
    def test_they_are_mirrored(self):
        units = [ONE, OTHER, squad(3, RIFLE, BLADE, name="third", points=90, save=4)]
        frame = matrix(units)
        assert frame.height == 6
        for row in frame.rows(named=True):
            back = pair(frame, row["target"], row["attacker"])
            assert row["log_ratio"] == -back["log_ratio"]
            assert row["answer_per_100"] == back["points_removed_per_100"]
            assert row["answer_phase"] == back["phase"]

    def test_who_cannot_answer(self):
        helpless = squad(2, name="helpless")
        frame = matrix([ONE, helpless])
        assert pair(frame, "one", "helpless")["log_ratio"] == inf
        row = pair(frame, "helpless", "one")
        assert (row["log_ratio"], row["phase"], row["points_removed"]) == (-inf, None, 0)
        peace = matrix([squad(1, name="a"), squad(1, name="b")])
        assert peace["log_ratio"].to_list() == [None, None]

    @given(st.floats(1e-9, 1e9), st.floats(1e-9, 1e9))
    def test_the_logarithm(self, a, b):
        assert log_ratio(a, b) == -log_ratio(b, a)


class TestWhoMeetsWhom:
    def test_units_against_targets(self):
        frame = matrix([ONE, OTHER], [OTHER])
        assert frame.select("attacker", "target").rows() == [("one", "other"), ("other", "other")]
        assert pair(frame, "other", "other")["log_ratio"] == 0

    def test_a_unit_without_a_stat_line_is_no_target(self):
        from dataclasses import replace

        ghost = replace(ONE, name="ghost", defender=None)
        frame = matrix([ghost, OTHER])
        assert frame.select("attacker", "target").rows() == [("ghost", "other")]
        row = frame.row(0, named=True)
        assert (row["answer_per_100"], row["answer_phase"], row["log_ratio"]) == (None, None, None)
        with pytest.raises(DataError, match="no stat line"):
            _ = ghost.target

    def test_names_of_phases_and_factions(self, dataset):
        with pytest.raises(DataError, match="shooting, fight, best, both"):
            matrix([ONE, OTHER], phase="charge")
        with pytest.raises(DataError, match="did you mean 'Orks'"):
            combatants(dataset, "Orcs")
        told: list[tuple[int, int]] = []
        found = combatants(dataset, "world eaters", lambda *now: told.append(now))
        assert {one.attacker.faction for one in found} == {"World Eaters"}
        assert told[-1] == (len(found), len(found))

    def test_progress_may_end_it(self):
        class Stopped(Exception):
            pass

        def stop(done, of):
            if done == 1:
                raise Stopped(of)

        with pytest.raises(Stopped, match="2"):
            matrix([ONE, OTHER], progress=stop)
        told = []
        matrix([ONE, OTHER], progress=lambda *now: told.append(now))
        assert told == [(0, 2), (1, 2), (2, 2)]


GUNS = st.builds(
    weapon,
    name=st.sampled_from(["a", "b", "c"]),
    attacks=st.sampled_from([1, 2, "D3", "D6+1"]),
    skill=st.integers(2, 6),
    strength=st.sampled_from([3, 4, 5, 8, 10]),
    ap=st.integers(-3, 0),
    damage=st.sampled_from([1, 2, "D3", "D6"]),
    keywords=st.sampled_from(
        [(), ("devastating wounds",), ("sustained hits 1",), ("lethal hits",), ("blast",),
         ("anti-infantry 4+",), ("anti-monster 2+",), ("pistol",), ("torrent",)]
    ),
)  # fmt: skip


@st.composite
def shooters(draw, name):
    guns = draw(st.lists(GUNS, min_size=1, max_size=3, unique_by=lambda one: one.weapon_id))
    ranks = [
        rank(draw(st.integers(1, 5)), *guns, toughness=draw(st.integers(3, 6)),
             save=draw(st.integers(2, 7)), wounds=draw(st.integers(1, 3)))
    ]  # fmt: skip
    if draw(st.booleans()):
        ranks.append(
            rank(1, name="boss", toughness=ranks[0].model.toughness + draw(st.integers(0, 1)),
                 save=draw(st.sampled_from([3, ranks[0].model.save])),
                 wounds=draw(st.integers(1, 4)))
        )  # fmt: skip
    return standing(unit(*ranks, name=name), draw(st.integers(1, 200)))


HELP = st.sampled_from(
    [(), ("hit +1",), ("reroll wounds failed",), ("sustained hits 1",), ("damage +1",),
     ("lethal hits for ranged if target is infantry",)]
)  # fmt: skip
HINDRANCE = st.sampled_from(
    [(), ("feel no pain 5+",), ("wound -1 if strength > toughness",), ("damage -1",),
     ("invulnerable 4+",), ("reroll saves ones",)]
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    shooters("a"),
    shooters("b"),
    st.sampled_from(["11e", "10e", "10e-2023-06"]),
    HELP,
    HINDRANCE,
    st.sampled_from([(), ("cover",), ("half_range", "stationary")]),
)
def test_rows_are_single_answers(own, other, edition, helps, hinders, flags):
    how = Circumstances(
        edition=edition,
        flags=frozenset(flags),
        attacker_effects=tuple(map(Effect.parse, helps)),
        target_effects=tuple(map(Effect.parse, hinders)),
    )
    frame = matrix([own, other], how=how, phase="shooting")
    for a, b in ((own, other), (other, own)):
        row = pair(frame, a.name, b.name)
        lines = used_against(a, "shooting", b.target, how)
        if not lines:
            assert row["phase"] is None
            continue
        found = engage(a.attacker, lines, b.target, how)
        assert row["damage"] == pytest.approx(found.outcome.damage.mean, abs=1e-12)
        assert row["slain"] == pytest.approx(found.outcome.slain.mean, abs=1e-12)
        assert row["destroyed"] == pytest.approx(found.outcome.destroyed, abs=1e-12)
        assert row["points_removed"] == pytest.approx(found.points_removed, abs=1e-10)
        assert row["unmodelled"] == [*found.unmodelled, *a.unknown]


def test_large_models_and_long_volleys_are_single_answers():
    tall = squad(1, name="tall", toughness=6, save=4, wounds=90)
    many = squad(30, weapon("a", attacks=3), weapon("b", damage=2, strength=8), name="many")
    lines = many.lines("shooting")
    law = Engagements().attack(many.attacker, lines, tall.target).law
    expected = engage(many.attacker, lines, tall.target).outcome.law
    assert np.allclose(law, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["mixed", "tough", "alike"])
@pytest.mark.parametrize("words", [(), ("devastating wounds",), ("sustained hits 1",)])
@pytest.mark.parametrize("edition", ["11e", "10e"])
def test_chains_of_lines_are_single_answers(words, edition, name):
    weak = rank(2, toughness=4, save=5)
    guard = rank(2, name="guard", toughness=6, save=3, wounds=2)
    ranks = {"mixed": (weak, guard), "tough": (guard, weak), "alike": (rank(3, wounds=3),)}
    target = standing(unit(*ranks[name], name=name)).target
    guns = weapon("a", attacks=2, ap=-1, strength=5), weapon("b", attacks=2, damage=2, strength=5, keywords=words)  # fmt: skip
    own = squad(3, *guns, name="own", edition=edition)
    for lines in (own.lines("shooting"), own.lines("shooting")[::-1]):
        law = Engagements().attack(own.attacker, lines, target).law
        expected = engage(own.attacker, lines, target).outcome.law
        assert np.allclose(law, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("edition", "phase", "flags"),
    [(None, "shooting", ("half_range",)), (None, "fight", ("charged",)), ("10e", "shooting", ())],
)
def test_real_units_against_standard_targets(dataset, edition, phase, flags):
    how = Circumstances(edition=edition, flags=frozenset(flags))
    units = combatants(dataset, "Leagues of Votann")
    targets = standard_combatants(dataset)[::3]
    frame = matrix(units, targets, how, phase=phase)
    assert frame.height == len(units) * len(targets)
    by_name = {one.name: one for one in (*units, *targets)}
    for row in frame.rows(named=True):
        own, other = by_name[row["attacker"]], by_name[row["target"]]
        lines = used_against(own, phase, other.target, how)
        assert (row["phase"] is None) is (not lines)
        if lines:
            found = engage(own.attacker, lines, other.target, how)
            assert row["damage"] == pytest.approx(found.outcome.damage.mean, abs=1e-12)
            assert row["destroyed"] == pytest.approx(found.outcome.destroyed, abs=1e-12)
            assert row["incomplete"] == list(found.incomplete)


def test_mortal_wounds_beside_the_attacks_are_told_as_left_out():
    how = Circumstances(attacker_effects=(Effect.parse("explosives"),))
    own, other = squad(2, weapon()), squad(3, name="other")
    (row,) = matrix([own], [other], how, phase="shooting").rows(named=True)
    assert row["unmodelled"] == ["explosives"]


class TestOptions:
    """Of what effects offer each side takes what is best for it."""

    OFFERS = "one of (hit +1 | attacks +1)"

    def test_the_attacker_takes_the_option_with_the_most_damage(self):
        rule = own_rule(self.OFFERS, "attacker")
        own = squad(1, weapon(skill=3, strength=4, damage=1))
        own = replace(own, attacker=replace(own.attacker, rules=(rule,)))
        target = squad(5, name="other", toughness=4, save=7)
        (row,) = rows_of(own, target)
        more = 2 * hurt(3, 4, 6)  # two attacks rather than one that hits on 2+
        assert more > hurt(2, 4, 6)
        assert row["damage"] == pytest.approx(float(more), abs=1e-12)
        found = engage(own.attacker, own.lines("shooting"), target.target)
        assert found.outcome.damage.mean == pytest.approx(float(more), abs=1e-12)

    def test_the_target_takes_the_one_with_the_least(self):
        rule = own_rule("one of (hit -1 | feel no pain 4+)", "defender")
        own = squad(1, weapon(skill=3, strength=4, damage=1))
        target = squad(5, name="other", toughness=4, save=7)
        target = replace(target, defender=replace(target.defender, rules=(rule,)))
        (row,) = rows_of(own, target)
        less = hurt(3, 4, 6) / 2
        assert less < hurt(4, 4, 6)
        assert row["damage"] == pytest.approx(float(less), abs=1e-12)
        found = engage(own.attacker, own.lines("shooting"), target.target)
        assert found.outcome.damage.mean == pytest.approx(float(less), abs=1e-12)


def own_rule(phrase, side):
    return OwnRule("Choice", "ability", side, (), (Effect.parse(phrase),), "modelled", (), True)


def rows_of(own, target):
    return matrix([own], [target], phase="shooting").rows(named=True)
