"""Core stratagems of each rule state: who may use them, what they cost, and what they come to."""

from __future__ import annotations

import re
from fractions import Fraction as F

import pytest
from killcurve.engine.edition import EDITIONS
from killcurve.rules.effects import Effect
from killcurve.study.solve import solve
from killcurve.tables.dataset import DataError
from killcurve.tables.reference import (
    all_of,
    core_stratagems,
    folder,
    lookup,
    read_file,
)

OLD = ("10e", "10e-2023-09", "10e-2023-06")
LAUNCH = OLD[1:]
NAMES = {
    "11e": (
        "COMMAND RE-ROLL",
        "EPIC CHALLENGE",
        "INSANE BRAVERY",
        "EXPLOSIVES",
        "CRUSHING IMPACT",
        "RAPID INGRESS",
        "FIRE OVERWATCH",
        "SMOKESCREEN",
        "HEROIC INTERVENTION",
        "COUNTEROFFENSIVE",
    ),
    **dict.fromkeys(
        OLD,
        (
            "COMMAND RE-ROLL",
            "EPIC CHALLENGE",
            "INSANE BRAVERY",
            "GRENADE",
            "TANK SHOCK",
            "RAPID INGRESS",
            "FIRE OVERWATCH",
            "SMOKESCREEN",
            "GO TO GROUND",
            "HEROIC INTERVENTION",
            "COUNTER-OFFENSIVE",
        ),
    ),
}
EVERY = [entry for edition in EDITIONS for entry in core_stratagems(edition)]
COMPUTED = [entry for entry in EVERY if entry.effects]


def core(name, edition):
    entry = lookup("stratagem", edition, "", "", name)
    assert entry is not None, (name, edition)
    return entry


def label(entry):
    return f"{entry.edition} {entry.name}"


TANK = {"count": 1, "toughness": 10, "save": 3, "wounds": 12}
WEAPON = {"attacks": 5, "skill": 3, "strength": 8, "damage": 1}


def squad(**changes):
    return {"count": 6, "toughness": 4, "save": 7, "wounds": 1, **changes}


def used(
    name,
    edition,
    weapon=WEAPON,
    models=None,
    *,
    defends=False,
    phase=None,
    tank=(),
    effects=None,
    **more,
):
    """The answer where a core stratagem is used, by the defender if it is one of its own.

    ``effects`` stand in for the stratagem's own.
    """
    entry = core(name, edition)
    effects = list(entry.effects) if effects is None else effects
    defends = defends or entry.side == "defender"
    charging = set(entry.phase) <= {"charge", "fight"}
    return solve(
        {
            "edition": edition,
            "phase": phase or ("fight" if charging else "shooting"),
            "attacker": {
                "weapons": [weapon] if weapon else [],
                "models": list(tank),
                "effects": [] if defends else effects,
            },
            "target": {"models": models or [squad()], "effects": effects if defends else []},
            **more,
        }
    )


def mean(answer):
    return answer.outcome.damage.mean


def near(fraction):
    return pytest.approx(float(fraction), abs=1e-12)


class TestFacts:
    @pytest.mark.parametrize("edition", EDITIONS)
    def test_names_in_order(self, edition):
        assert tuple(s.name for s in core_stratagems(edition)) == NAMES[edition]

    def test_command_points(self):
        dear = {(s.edition, s.name): s.cp for s in EVERY if s.cp != 1}
        assert dear == {
            ("11e", "COUNTEROFFENSIVE"): 2,
            **{(state, "COUNTER-OFFENSIVE"): 2 for state in OLD},
            **{(state, "HEROIC INTERVENTION"): 2 for state in LAUNCH},
        }

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_what_is_computed(self, edition):
        partly = {s.name for s in core_stratagems(edition) if s.status == "partial"}
        without = {s.name for s in core_stratagems(edition) if s.status == "none"}
        assert partly == {"COMMAND RE-ROLL"}
        assert {n.replace("-", "") for n in without} == {
            "INSANE BRAVERY",
            "RAPID INGRESS",
            "HEROIC INTERVENTION",
            "COUNTEROFFENSIVE",
        }
        assert all(s.status in ("modelled", "partial", "none") for s in core_stratagems(edition))
        assert all((s.status == "none") == (s.side is None) for s in core_stratagems(edition))

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_keywords(self, edition):
        needs = {s.name: s.used_by for s in core_stratagems(edition) if s.used_by}
        if edition == "11e":
            assert needs == {
                "EPIC CHALLENGE": ("character",),
                "EXPLOSIVES": ("explosives", "grenades"),
                "CRUSHING IMPACT": ("monster", "vehicle"),
                "SMOKESCREEN": ("smoke",),
            }
        else:
            assert needs == {
                "EPIC CHALLENGE": ("character",),
                "GRENADE": ("grenades",),
                "TANK SHOCK": ("vehicle",),
                "SMOKESCREEN": ("smoke",),
                "GO TO GROUND": ("infantry",),
            }

    def test_when_it_is_used(self):
        assert (core("fire overwatch", "11e").phase, core("fire overwatch", "11e").turn) == (
            ("movement",), "opponent",
        )  # fmt: skip
        assert all(core("fire overwatch", s).phase == ("movement", "charge") for s in OLD)
        for edition in EDITIONS:
            assert core("smokescreen", edition).turn == "opponent"
            assert (core("grenade", edition).phase, core("grenade", edition).turn) == (
                ("shooting",), "your",
            )  # fmt: skip
            assert core("tank shock", edition).phase == ("charge",)

    def test_restrictions(self):
        assert core("explosives", "11e").restrictions == (
            "unengaged", "not advanced", "eligible to shoot", "within 8",
            "target visible", "target unengaged",
        )  # fmt: skip
        late, launch = (set(core("grenade", s).restrictions) for s in ("10e", "10e-2023-06"))
        assert late - launch == {"not advanced", "not fallen back"}
        assert launch < late
        assert core("fire overwatch", "11e").restrictions == (
            "unengaged",
            "not titanic",
            "within 24",
        )
        assert all("once per turn" in core("fire overwatch", s).restrictions for s in OLD)

    def test_the_same_thing_again_in_2023_but_for_what_the_rules_name(self):
        september, june = (core_stratagems(state) for state in LAUNCH)
        for a, b in zip(september, june, strict=True):
            assert (a.name, a.cp, a.phase, a.restrictions, a.effects) == (
                b.name, b.cp, b.phase, b.restrictions, b.effects,
            )  # fmt: skip
        late = core_stratagems("10e")
        changed = [a.name for a, b in zip(late, june, strict=True) if a.cp != b.cp]
        assert changed == ["HEROIC INTERVENTION"]

    def test_they_are_kept_in_their_own_file(self):
        others = read_file(folder() / "stratagems.toml", "stratagem")
        assert all(entry.detachment for entry in others)
        assert all_of("stratagem")[: len(EVERY)] == read_file(
            folder() / "core_stratagems.toml", "stratagem"
        )

    def test_an_edition_that_is_not_there(self):
        with pytest.raises(
            DataError, match=re.escape("'9e'; there are 11e, 10e, 10e-2023-09, 10e-2023-06")
        ):
            core_stratagems("9e")


class TestNames:
    @pytest.mark.parametrize("edition", EDITIONS)
    @pytest.mark.parametrize(
        "name", ["COUNTER-OFFENSIVE", "COUNTEROFFENSIVE", "Counter–Offensive", "counter offensive"]
    )
    def test_punctuation_does_not_count(self, edition, name):
        assert core(name, edition).cp == 2

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_names_of_the_other_edition(self, edition):
        new = edition == "11e"
        for name in ("Explosives", "Grenade"):
            assert core(name, edition).name == ("EXPLOSIVES" if new else "GRENADE")
        for name in ("Crushing Impact", "Tank Shock"):
            assert core(name, edition).name == ("CRUSHING IMPACT" if new else "TANK SHOCK")

    def test_what_an_edition_does_not_have(self):
        assert lookup("stratagem", "11e", "Necrons", "", "GO TO GROUND") is None


class TestSolved:
    """The numbers of RULES.md §9."""

    @pytest.mark.parametrize("entry", COMPUTED, ids=label)
    def test_every_effect_is_computed_and_changes_something(self, entry):
        assert all(str(Effect.parse(phrase)) == phrase for phrase in entry.effects)
        weapon = {**WEAPON, "ap": -1, "strength": 12}
        models = [
            squad(name="squad", count=4, save=4),
            squad(name="captain", count=1, save=2, wounds=5, character=True),
        ]
        for defends in {"both": (False, True)}.get(entry.side, (False,)):
            answer = used(
                entry.name,
                entry.edition,
                weapon,
                models,
                defends=defends,
                tank=[TANK],
                choices={"precision": "captain"},
            )
            plain = solve(
                {
                    "edition": entry.edition,
                    "phase": "shooting" if answer.scenario.ranged else "fight",
                    "attacker": {"weapons": [weapon]},
                    "target": {"models": models},
                }
            )
            assert answer.unmodelled == ()
            law, before = (a.outcome.damage.from_zero() for a in (answer, plain))
            assert law.sum() == pytest.approx(1, abs=1e-12)
            assert abs(law - before).max() > 1e-3

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_explosives(self, edition):
        answer = used("EXPLOSIVES", edition, weapon=None, models=[squad(count=10)])
        expected = [F(1, 64), F(3, 32), F(15, 64), F(5, 16), F(15, 64), F(3, 32), F(1, 64)]
        law = answer.outcome.damage
        assert [law.probability(n) for n in range(7)] == [near(p) for p in expected]
        assert law.mean == near(3)

    @pytest.mark.parametrize("edition", ["11e", "10e"])
    def test_ramming_with_toughness_10(self, edition):
        answer = used(
            "CRUSHING IMPACT", edition, weapon=None, models=[squad(count=10)], tank=[TANK]
        )
        assert mean(answer) == near(F(195446, 59049))
        assert answer.outcome.damage.probability(6) == near(F(1507, 19683))
        own = F(25189889, 15116544) if edition == "11e" else 0
        assert answer.prepared.self_damage.mean == near(own)

    @pytest.mark.parametrize("edition", LAUNCH)
    @pytest.mark.parametrize(("toughness", "dice"), [(10, 14), (12, 12)])
    def test_ramming_with_strength_12(self, edition, toughness, dice):
        blade = {"attacks": 1, "skill": 3, "strength": 12, "damage": 1}
        wall = [squad(count=1, toughness=toughness, wounds=100)]
        alone = solve(
            {
                "edition": edition,
                "phase": "fight",
                "attacker": {"weapons": [blade]},
                "target": {"models": wall},
            }
        )
        answer = used("TANK SHOCK", edition, blade, wall)
        pool = _capped(dice, F(1, 3), 6)
        if dice == 14:
            assert pool == F(2358182, 531441)
        assert mean(answer) - mean(alone) == near(pool)
        assert answer.prepared.self_damage.mean == 0

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_command_reroll_of_the_attacker(self, edition):
        """One attack: of a miss (1/3) the hit roll is made again, of a failed wound roll that."""
        answer = used("COMMAND RE-ROLL", edition, {**WEAPON, "attacks": 1})
        missed, wounded = F(2, 3) * F(5, 6), F(5, 6) + F(1, 6) * F(5, 6)
        assert mean(answer) == near(F(1, 3) * missed + F(2, 3) * wounded)

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_command_reroll_beats_a_reroll_of_any_one_kind(self, edition):
        gain = F(422, 729)
        assert gain == F(2, 3) * (1 - F(2, 3) ** 5)
        of_hits = mean(used("COMMAND RE-ROLL", edition, effects=["reroll hits one"]))
        assert of_hits == near((F(10, 3) + gain) * F(5, 6))
        assert mean(used("COMMAND RE-ROLL", edition)) >= of_hits

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_command_reroll_of_the_defender(self, edition):
        torrent = {"attacks": 5, "skill": None, "strength": 5, "damage": 1}
        answer = used("COMMAND RE-ROLL", edition, torrent, [squad(save=3)], defends=True)
        expected = F(10, 9) - F(2, 3) * (1 - F(7, 9) ** 5)
        assert mean(answer) == near(expected)

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_epic_challenge(self, edition):
        models = [
            squad(name="squad"),
            squad(name="captain", count=1, save=2, wounds=20, character=True),
        ]
        wanted = {"choices": {"precision": "captain"}}
        answer = used("EPIC CHALLENGE", edition, models=models, **wanted)
        assert mean(answer) == near(5 * F(2, 3) * F(5, 6) * F(1, 6))
        shot = used("EPIC CHALLENGE", edition, models=models, phase="shooting", **wanted)
        assert mean(shot) == near(5 * F(2, 3) * F(5, 6))

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_fire_overwatch(self, edition):
        assert mean(used("FIRE OVERWATCH", edition)) == near(F(25, 36))
        sustained = {**WEAPON, "keywords": ["sustained hits 1"]}
        answer = used("FIRE OVERWATCH", edition, sustained, [squad(count=20)])
        assert mean(answer) == near(F(50, 36))

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_overwatch_takes_no_rerolls_of_hits_in_the_eleventh(self, edition):
        overwatch = core("FIRE OVERWATCH", edition).effects
        answer = solve(
            {
                "edition": edition,
                "attacker": {"weapons": [WEAPON], "effects": [*overwatch, "reroll hits failed"]},
                "target": {"models": [squad()]},
            }
        )
        each = F(1, 6) if edition == "11e" else F(11, 36)
        assert mean(answer) == near(5 * each * F(5, 6))

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_smokescreen(self, edition):
        """Skill worse by 1; before, saves better by 1 and hits worse by 1."""
        answer = used("SMOKESCREEN", edition, models=[squad(save=4)])
        expected = F(25, 24) if edition == "11e" else F(25, 36)
        assert mean(answer) == near(expected)
        near_by = used("SMOKESCREEN", edition, models=[squad(save=4)], phase="fight")
        assert mean(near_by) == near(5 * F(2, 3) * F(5, 6) * F(1, 2))

    @pytest.mark.parametrize("edition", OLD)
    @pytest.mark.parametrize(("ap", "unsaved"), [(0, F(1, 3)), (-1, F(1, 2)), (-4, F(5, 6))])
    def test_go_to_ground(self, edition, ap, unsaved):
        answer = used("GO TO GROUND", edition, {**WEAPON, "ap": ap}, [squad(save=4)])
        assert mean(answer) == near(5 * F(2, 3) * F(5, 6) * unsaved)


def _capped(dice, chance, most):
    """The mean of successes, of which no more than ``most`` count."""
    law = [F(1)]
    for _ in range(dice):
        law = [
            (law[n] if n < len(law) else 0) * (1 - chance) + (law[n - 1] * chance if n else 0)
            for n in range(len(law) + 1)
        ]
    return sum(min(n, most) * p for n, p in enumerate(law))
