"""What rules are worth: by hand in fractions, by trying everything, and what is legal."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F

import polars as pl
import pytest
from killcurve.rules.effects import Effect
from killcurve.study.armed import combatant
from killcurve.study.matchup import Circumstances, engage
from killcurve.study.own_rules import OwnRule
from killcurve.study.worth import best_combinations, rules_worth
from killcurve.tables.dataset import DataError

from tests.study.standing import rank, standing, unit, weapon
from tests.tables.changing import SHEET, made

GUN = weapon(skill=4, strength=4, damage=2)


def rule(name, *effects, side="attacker", detachment="Tunnels", **more):
    return {
        "faction": "Moles", "detachment": detachment, "name": name, "side": side,
        "effects": list(effects), "status": "modelled", **more,
    }  # fmt: skip


def ploy(name, *effects, cp=1, phase=("shooting",), used_by=(), **more):
    return rule(
        name, *effects, cp=cp, type=None, phase=list(phase), turn="your", used_by=list(used_by),
        **more,
    )  # fmt: skip


def detachment(name, *effects, points=1, tag=None, side="attacker"):
    found = rule(name, *effects, side=side, detachment=name)
    del found["name"]
    return {**found, "rules": [name], "detachment_points": points, "unique_tag": tag}


def enhancement(name, *effects, cost=20, **more):
    return rule(name, *effects, cost=cost, upgrade=False, **more)


def army(edition="11e", **tables):
    return made(edition=edition, datasheets=[SHEET], weapons=[], points=[],
                **{"enhancements": [], **tables})  # fmt: skip


def of_moles(found, **more):
    """The unit as one of the invented dataset."""
    own = replace(found.attacker, faction="Moles", datasheet="Diggers", **more)
    return replace(found, attacker=own)


def moles(models=2, keywords=("infantry", "character"), points=100, edition="11e", **more):
    fielded = unit(rank(models, GUN), name="Diggers", keywords=keywords, edition=edition)
    return of_moles(standing(fielded, points), **more)


def rock(models=1, wounds=2, points=60, edition="11e"):
    fielded = unit(rank(models, toughness=4, save=7, wounds=wounds), name="Rock", edition=edition)
    return of_moles(standing(fielded, points))


def kills(chance: F, attacks: int = 2) -> F:
    """P(at least one of so many attacks gets through)."""
    return 1 - (1 - chance) ** attacks


def row(frame: pl.DataFrame, name: str, side="attacker") -> dict:
    return frame.filter((pl.col("name") == name) & (pl.col("side") == side)).row(0, named=True)


class TestAlone:
    def test_numbers_by_hand(self):
        data = army(
            stratagems=[
                ploy("Aim", "hit +1", cp=2),
                ploy("Dig In", "hit -1", side="defender"),
                ploy("Bite", "hit +1", phase=["fight"]),
                ploy("Lords' Aim", "hit +1", used_by=["monster"]),
            ],
            detachments=[detachment("Tunnels", "wound +1")],
            enhancements=[enhancement("Long Eye", "hit +1", cost=25)],
        )
        worth = rules_worth(data, moles(), rock(), "shooting")
        plain, aimed, wounding, hidden = (kills(c) for c in (F(1, 4), F(1, 3), F(1, 3), F(1, 6)))
        aim = row(worth, "Aim")
        assert aim["destroyed_without"] == pytest.approx(float(plain), abs=1e-12)
        assert aim["destroyed"] == pytest.approx(float(aimed), abs=1e-12)
        assert aim["gain_points_removed"] == pytest.approx(float(60 * (aimed - plain)), abs=1e-10)
        per_cp = float(30 * (aimed - plain))
        assert aim["gain_points_removed_per_cp"] == pytest.approx(per_cp, abs=1e-10)
        assert row(worth, "Tunnels")["gain_destroyed"] == pytest.approx(float(wounding - plain))
        assert row(worth, "Tunnels")["gain_points_removed_per_cp"] is None
        eye = row(worth, "Long Eye")["gain_points_removed_per_100"]
        assert eye == pytest.approx(float(4 * 60 * (aimed - plain)))
        spared = row(worth, "Dig In", "defender")["gain_destroyed"]
        assert spared == pytest.approx(float(plain - hidden))
        assert not {"Bite", "Lords' Aim"} & set(worth["name"])

    def test_command_reroll_is_the_yardstick(self):
        data = army(stratagems=[ploy("Aim", "hit +1")])
        worth = rules_worth(data, moles(models=1), rock(), "shooting", sides=["attacker"])
        # One die is rolled again, to hit or to wound: both are seen, the hit roll first.
        again = row(worth, "COMMAND RE-ROLL")
        with_it = F(3, 4) * F(1, 2) + F(1, 2) * F(1, 2) * F(1, 2)
        best = max(with_it, F(1, 2) * F(3, 4))
        assert again["destroyed"] <= float(F(3, 4) * F(3, 4)) + 1e-12
        assert again["destroyed"] >= float(best) - 1e-12
        assert again["in_rerolls"] == 1
        aim = row(worth, "Aim")
        ratio = aim["gain_points_removed"] / again["gain_points_removed"]
        assert aim["in_rerolls"] == pytest.approx(ratio)

    def test_the_best_option_by_the_goal_is_taken(self):
        data = army(stratagems=[ploy("Either", "one of (hit +1 | reroll hits failed)")])
        (found,) = (
            rules_worth(data, moles(), rock(), "shooting").filter(name="Either").rows(named=True)
        )
        assert found["choice"] == "reroll hits failed"
        assert found["destroyed"] == pytest.approx(float(kills(F(3, 8))))

    def test_conditions_are_taken_to_hold_with_and_without(self):
        data = army(
            stratagems=[ploy("Near", "wound +1 if within 12 and half_range")],
        )
        gun = weapon(skill=4, strength=4, damage=2, keywords=["rapid fire 1"])
        own = of_moles(standing(unit(rank(1, gun), name="Diggers")))
        found = row(rules_worth(data, own, rock(), "shooting"), "Near")
        assert set(found["assumes"]) == {"half_range", "within 12"}
        assert found["destroyed_without"] == pytest.approx(float(kills(F(1, 4))))
        assert found["destroyed"] == pytest.approx(float(kills(F(1, 3))))

    def test_own_abilities_that_are_chosen(self):
        on, off, said = (
            OwnRule(name, "ability", "attacker", (), (Effect.parse(text),), "modelled", (), is_on)
            for name, text, is_on in (
                ("Always", "wound +1", True),
                ("Once", "hit +1", False),
                ("Token", 'attacks +1 if "a token is spent"', False),
            )
        )
        own = moles(rules=(on, off, said))
        worth = rules_worth(army(), own, rock(), "shooting")
        assert "Always" not in set(worth["name"])
        for name, chance in (("Once", kills(F(4, 9))), ("Token", kills(F(1, 3), 4))):
            found = row(worth, name)
            assert found["destroyed_without"] == pytest.approx(float(kills(F(1, 3))))
            assert found["destroyed"] == pytest.approx(float(chance))

    def test_an_attack_that_would_not_be_made(self):
        data = army()
        found = row(rules_worth(data, moles(), rock(), "shooting"), "FIRE OVERWATCH")
        assert found["destroyed_without"] == 0
        assert found["destroyed"] == pytest.approx(float(kills(F(1, 12))))

    def test_nobody_fires_overwatch_in_a_fight(self):
        claws = weapon(skill=4, strength=4, damage=2, reach=0)
        own = of_moles(standing(unit(rank(2, claws), name="Diggers")))
        names = set(rules_worth(army(), own, rock(), "fight")["name"])
        assert "COMMAND RE-ROLL" in names
        assert "FIRE OVERWATCH" not in names

    def test_mortal_wounds_beside_the_attacks(self):
        own = moles(keywords=("infantry", "grenades"))
        found = row(rules_worth(army(), own, rock(wounds=20), "shooting"), "EXPLOSIVES")
        assert found["gain_damage"] == pytest.approx(3, abs=1e-9)

    def test_crushing_impact_rolls_with_the_own_toughness(self):
        data = army(stratagems=[ploy("Ram", "crushing impact")])
        found = row(rules_worth(data, moles(toughness=9), rock(wounds=40), "shooting"), "Ram")
        mean = sum(min(6, k) * p for k, p in enumerate(_binomial(9, F(1, 3))))
        assert found["gain_damage"] == pytest.approx(float(mean), abs=1e-9)
        unknown = row(rules_worth(data, moles(), rock(), "shooting"), "Ram")
        assert "Toughness" in unknown["why_not"]
        assert unknown["damage"] is None

    def test_words_that_ask_for_keywords_alone_are_looked_up(self):
        data = army(
            stratagems=[
                ploy("For others", 'hit +1 if "the unit is monster or the unit is vehicle"'),
                ploy("For us", 'hit +1 if "the unit is monster or the unit is infantry"'),
                ploy("Unknown", 'hit +1 if "the unit is riled up"'),
            ],
            keywords=[
                {"faction": "Moles", "datasheet": "Diggers", "keyword": k, "is_faction": False}
                for k in ("monster", "vehicle", "infantry")
            ],
        )
        names = set(rules_worth(data, moles(), rock(), "shooting")["name"])
        assert {"For us", "Unknown"} <= names
        assert "For others" not in names

    @pytest.mark.parametrize(
        ("asked", "told"),
        [
            ({"goal": "points"}, "there is no goal 'points'; there are points_removed"),
            ({"phase": "charge"}, "there is no phase 'charge'"),
            ({"sides": ["both"]}, "there is no side 'both'"),
        ],
    )
    def test_what_is_not_known_is_told(self, asked, told):
        given = {"phase": "shooting", **asked}
        with pytest.raises(DataError, match=told):
            rules_worth(army(), moles(), rock(), **given)

    def test_it_can_be_stopped(self):
        def stop(_):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            rules_worth(army(), moles(), rock(), "shooting", progress=stop)


def _binomial(n: int, p: F) -> list[F]:
    from tests.study.standing import binomial

    return binomial(n, p)


RULES = {
    "stratagems": [
        ploy("Aim", "hit +1"),
        ploy("Brace", "wound +1"),
        ploy("Dear", "ap +1", "reroll wounds failed", cp=2),
        ploy("Far", "reroll hits failed", detachment="Caves"),
    ],
    "detachments": [
        detachment("Tunnels", "sustained hits 1"),
        detachment("Caves", "critical hits 5+", points=2),
        detachment("Pits", "lethal hits", points=2),
        detachment("Holes", "attacks +1", points=1, tag="deep"),
        detachment("Shafts", "attacks +2", points=1, tag="deep"),
    ],
    "enhancements": [enhancement("Eye", "strength +1"), enhancement("Tooth", "damage +1")],
}


def strongest(own, target, helps, edition=None) -> float:
    """The expected points of the attack with those phrases."""
    how = Circumstances(edition=edition, attacker_effects=tuple(map(Effect.parse, helps)))
    lines = own.lines("shooting")
    removed = engage(own.attacker, lines, target.target, how).points_removed
    assert removed is not None
    return removed


class TestTogether:
    def found(self, cp=2, edition="11e", **asked):
        data = army(edition, **RULES)
        own, target = moles(3, edition=edition), rock(3, edition=edition)
        frame = best_combinations(data, own, target, "shooting", cp=cp, most=None, **asked)
        return data, own, target, frame

    def test_the_best_is_the_best_of_all(self):
        """Every legal combination, tried one by one."""
        _, own, target, frame = self.found(cp=1)
        base = strongest(own, target, [])
        effects = {"": [], "Tunnels": ["sustained hits 1"], "Caves": ["critical hits 5+"],
                   "Pits": ["lethal hits"], "Holes": ["attacks +1"], "Shafts": ["attacks +2"]}  # fmt: skip
        legal = [("Tunnels", "Caves"), ("Tunnels", "Pits"), ("Tunnels", "Holes"),
                 ("Tunnels", "Shafts"), ("Caves", "Holes"), ("Caves", "Shafts"),
                 ("Pits", "Holes"), ("Pits", "Shafts")] + [(name,) for name in effects]  # fmt: skip
        ploys = {"": [[], ["command re-roll"]], "Tunnels": [["hit +1"], ["wound +1"]],
                 "Caves": [["reroll hits failed"]]}  # fmt: skip
        borne = {"Tunnels": [["strength +1"], ["damage +1"]]}
        best = 0.0
        for names in legal:
            rules = [e for name in names for e in effects[name]]
            for ploy_ in [p for name in ("", *names) for p in ploys.get(name, [])]:
                for thing in [[], *(t for name in names for t in borne.get(name, []))]:
                    best = max(best, strongest(own, target, rules + ploy_ + thing) - base)
        assert frame["gain_points_removed"][0] == pytest.approx(best, abs=1e-9)

    def test_one_stratagem_in_the_11th_edition_many_in_the_10th(self):
        def most(frame):
            names = {"Aim", "Brace", "Dear", "Far", "COMMAND RE-ROLL"}
            return max(len(names & set(rules)) for rules in frame["rules"].to_list())

        assert most(self.found(cp=3)[3]) == 1
        assert most(self.found(cp=3, edition="10e", detachments=["Tunnels"])[3]) == 3

    @pytest.mark.parametrize("cp", [0, 1, 2])
    def test_no_more_is_spent(self, cp):
        frame = self.found(cp=cp)[3]
        assert frame["cp"].max() == cp
        assert frame["gain_points_removed"].is_sorted(descending=True)

    def test_more_command_points_never_help_less(self):
        best = [self.found(cp=cp)[3]["gain_points_removed"][0] for cp in (0, 1, 2)]
        assert best == sorted(best)

    def test_detachments_that_an_army_cannot_have_together(self):
        sets = {tuple(names) for names in self.found()[3]["detachments"].to_list()}
        assert ("Caves", "Tunnels") in sets
        assert not {("Caves", "Pits"), ("Holes", "Shafts")} & sets
        with pytest.raises(DataError, match="cannot have Caves and Pits together"):
            self.found(detachments=["caves", "pits"])
        with pytest.raises(DataError, match="Moles has no detachment 'Tunels'; did you mean"):
            self.found(detachments=["Tunels"])

    def test_what_adds_nothing_is_not_listed(self):
        data = army(stratagems=[ploy("Vain", "ignore hit modifiers")])
        frame = best_combinations(data, moles(), rock(), "shooting", cp=1, most=None)
        assert frame["gain_points_removed"].min() > 0
        assert "Vain" not in {name for rules in frame["rules"].to_list() for name in rules}

    def test_epic_heroes_bear_nothing(self):
        data = army(**RULES)
        hero = moles(3, keywords=("infantry", "character", "epic hero"))
        frame = best_combinations(data, hero, rock(3), "shooting", most=None)
        assert frame["cost"].null_count() == frame.height

    def test_what_is_listed_can_be_done_again(self):
        _, own, target, frame = self.found(cp=2)
        base = strongest(own, target, [])
        for found in frame.head(8).rows(named=True):
            again = strongest(own, target, found["effects"])
            assert found["points_removed"] == pytest.approx(again, abs=1e-9)
            assert found["gain_points_removed"] == pytest.approx(again - base, abs=1e-9)


def test_of_the_embedded_dataset(dataset):
    """All rules of real units are valued, or it is told why one is not."""
    names = ("Royal Warden", "Boyz", "Raider")
    units = [combatant(dataset, name) for name in names]
    for own in units:
        worth = rules_worth(dataset, own, units[1], "shooting")
        told = worth.filter(pl.col("damage").is_null() != pl.col("why_not").is_not_null())
        assert told.is_empty()
        assert worth.filter(pl.col("why_not").is_null()).height > 5
