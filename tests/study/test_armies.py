"""Army lists: units with what they carry and cost, output by range, and copies destroyed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction as F
from functools import cache
from itertools import product

import killcurve
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from killcurve.sources.rosters import read_rosters
from killcurve.study.armies import army, bands, output, redundancy, sequences, splits, unit_table
from killcurve.study.armies.attacking import as_enemy
from killcurve.study.armies.carrying import loadout_of
from killcurve.study.armies.output import weakest
from killcurve.study.armies.units import COLUMNS, Army, ArmyUnit, datasheet_in_play
from killcurve.study.lines import Attacker
from killcurve.study.matchup import Circumstances, engage
from killcurve.study.targets import standard_targets
from killcurve.tables.dataset import DataError
from killcurve.tables.rosters import Carried, Models, RosterUnit

from tests.conftest import SHARED, needs_shared
from tests.sources import invented_lists as lists
from tests.study import playing
from tests.study.playing import Hand, rank, unit, weapon

LISTS = SHARED / "real" / "rosters"
LINES = [
    {"faction": lists.HOST, "datasheet": sheet, "model": model, "toughness": 4, "save": 4,
     "wounds": 2}
    for sheet, model in (
        ("Ember Marshal", "Ember Marshal"), ("Storm Guards", "Storm Guard"),
        ("Forge Engine", "Forge Engine"), ("Ash Hounds", "Ash Hound"),
    )
]  # fmt: skip


def read(folder, text, base):
    """The dataset with a list in it, in play."""
    path = folder / "army.txt"
    path.write_text(text, encoding="utf-8")
    made, _ = read_rosters([path], base)
    return army(replace(base, tables={**base.tables, **made.tables}))


def in_play(fielded, number=1, points=100):
    """A unit written by hand as one of a list."""
    attacks = Attacker(
        fielded.edition, fielded.faction, fielded.datasheet, fielded.keywords, fielded.models,
        points, (),
    )  # fmt: skip
    return ArmyUnit(
        number, f"{fielded.name} {number}", fielded.faction, fielded.datasheet, fielded.models, 1,
        points, None, attacks, fielded.defender, replace(fielded, points=points),
    )  # fmt: skip


def list_of(*units):
    return Army("made", None, "11e", tuple(in_play(one, n) for n, one in enumerate(units, 1)))


class TestUnits:
    @pytest.mark.parametrize("form", ["GW app", "WTC", "List Forge"])
    def test_what_a_list_prints_is_in_play(self, tmp_path, form):
        found = read(tmp_path, lists.TEXTS[form], lists.host(models=LINES))
        told = {
            (u.datasheet, u.models, u.copy, u.points, u.printed, u.fielded is not None)
            for u in found.units
        }
        assert told == {
            ("Ember Marshal", 1, 1, 95, 95, True),
            ("Storm Guards", 10, 1, 190, 180, True),
            ("Ash Hounds", 3, 1, 45, 45, True),
            ("Forge Engine", 1, 1, 160, 160, True),
            ("Forge Engine", 1, 2, 170, 160, True),
        }
        assert found.points == 95 + 190 + 45 + 160 + 170
        guards = next(u for u in found.units if u.datasheet == "Storm Guards")
        assert "printed 180 points, in the dataset 190" in guards.notes
        assert dict(guards.attacker.loadout.weapons) == {
            "cinder-blade": 1, "close-combat-weapon": 9, "heavy-flare-gun": 2, "storm-gun": 8,
        }  # fmt: skip
        assert {u.points for u in (guards.attacker, guards.defender, guards.fielded)} == {190}

    def test_equal_names_are_told_apart(self, tmp_path):
        found = read(tmp_path, lists.TEXTS["GW app"], lists.host(models=LINES))
        engines = [u.name for u in found.units if u.datasheet == "Forge Engine"]
        assert engines == ["Forge Engine (1)", "Forge Engine (2)"]

    def test_what_has_no_place_is_told_with_its_reason(self, tmp_path):
        text = lists.TEXTS["GW app"] + "\nPaper Tigers (50 points)\n• 2x Paper claws\n"
        text = text.replace("Cinder blade", "Glass blade", 1)
        found = read(tmp_path, text, lists.host(models=LINES[1:]))
        tigers = found.units[-1]
        assert (tigers.attacker, tigers.fielded, tigers.printed) == (None, None, 50)
        assert "the dataset has no datasheet for it, so it is left out" in tigers.notes
        assert found.points is None
        marshal = next(u for u in found.units if u.datasheet == "Ember Marshal")
        assert any("has no stat line" in note for note in marshal.notes)
        assert marshal.attacker is not None
        assert marshal.fielded is None
        assert any("Glass blade" in note for note in marshal.notes)
        table = unit_table(found)
        assert dict(table.schema) == COLUMNS
        assert table.height == len(found.units) == 6
        assert table["is_target"].to_list().count(False) == 2

    def test_an_ally_has_the_price_of_that_army(self, tmp_path):
        text = lists.TEXTS["GW app"] + "\nChoir Chanters (60 points)\n• 5x Chanter\n"
        chanters = read(tmp_path, text, lists.host(models=LINES)).units[-1]
        assert (chanters.points, chanters.printed) == (75, 60)


SORTS = {"pistol": "ranged", "plasma": "ranged", "blade": "melee", "axe": "melee"}


class TestCarrying:
    @staticmethod
    def group(count, **carried):
        things = tuple(Carried(name, n, name) for name, n in carried.items())
        models = (Models("Digger", count, "Digger", things),)
        return RosterUnit(1, "M", "M", "D", count, 1, None, False, None, None, models, ())

    def test_what_few_carry_is_with_the_last_and_in_place_of_the_rest(self):
        nine = self.group(9, pistol=7, blade=7, axe=2, plasma=2)
        made, assumed = loadout_of(nine, SORTS)
        assert [(g.count, g.weapons) for g in made.groups] == [
            (7, (("blade", 1), ("pistol", 1))),
            (2, (("axe", 1), ("plasma", 1))),
        ]
        assert len(assumed) == 1

    def test_what_one_has_besides_is_with_the_last(self):
        made, _ = loadout_of(self.group(5, pistol=5, plasma=1), SORTS)
        assert [(g.count, g.weapons) for g in made.groups] == [
            (4, (("pistol", 1),)),
            (1, (("pistol", 1), ("plasma", 1))),
        ]

    def test_what_all_have_needs_no_assumption(self):
        made, assumed = loadout_of(self.group(3, pistol=6, blade=3), SORTS)
        assert [(g.count, g.weapons) for g in made.groups] == [
            (3, (("blade", 1), ("pistol", 2))),
        ]
        assert assumed == ()

    @given(st.integers(1, 12), st.dictionaries(st.sampled_from(sorted(SORTS)), st.integers(1, 25)))
    def test_nothing_is_lost(self, count, carried):
        made, _ = loadout_of(self.group(count, **carried), SORTS)
        assert dict(made.weapons) == carried
        assert made.models == count


GUN = weapon("gun", attacks=2, skill=3, strength=4, damage=2)
CARBINE = weapon("carbine", attacks=1, skill=3, strength=4, reach=24, keywords=["rapid fire 1"])
CLUB = weapon("club", attacks=2, skill=4, strength=4, reach=0)
PREY = unit(rank(2, toughness=4, save=4, wounds=2), name="prey", points=60)


class TestOutput:
    def test_bands_of_range_and_half_range(self):
        shooters = unit(rank(3, CARBINE, CLUB), name="shooters")
        found = output(list_of(shooters), [PREY.defender])
        one = {row["band"]: row for row in found.rows(named=True) if row["unit"] == 1}
        # one attack: hit 4/6, wound 3/6, not saved 3/6
        big = replace(PREY, ranks=(replace(PREY.ranks[0], count=50),))
        mean = output(list_of(shooters), [big.defender])
        many = {row["band"]: row["damage"] for row in mean.rows(named=True) if row["unit"] == 1}
        through = F(4, 6) * F(3, 6) * F(3, 6)
        assert many["0–6"] == pytest.approx(float(6 * through), abs=1e-12)
        assert many["6–12"] == pytest.approx(float(6 * through), abs=1e-12)
        assert many["12–18"] == pytest.approx(float(3 * through), abs=1e-12)
        assert many["18–24"] == pytest.approx(float(3 * through), abs=1e-12)
        assert many["24–36"] == many["36–48"] == 0
        assert many["fight"] == pytest.approx(float(6 * F(3, 6) ** 3), abs=1e-12)
        assert one["12–18"]["weapons"] == ["3 × carbine"]
        assert one["24–36"]["weapons"] == []
        # four wounds: P(destroyed) at 24 inches takes more than three attacks of one damage
        assert one["18–24"]["destroyed"] == 0
        assert one["6–12"]["destroyed"] > 0

    def test_the_list_is_the_sum_and_counts_who_has_a_cost(self):
        found = list_of(unit(rank(1, GUN), name="a"), unit(rank(2, GUN), name="b"))
        free = replace(found.units[1], points=None)
        rows = output(replace(found, units=(found.units[0], free)), [PREY.defender])
        at = rows.filter(pl.col("band") == "6–12").rows(named=True)
        whole, first, second = at
        assert (whole["unit"], whole["name"]) == (0, "the whole list")
        for what in ("damage", "slain", "points_removed", "points_of_wounds"):
            assert whole[what] == pytest.approx(first[what] + second[what], abs=1e-12)
        assert whole["points"] == 100
        assert whole["points_removed_per_100"] == pytest.approx(first["points_removed"])
        assert second["points_removed_per_100"] is None
        assert first["points_of_wounds"] == pytest.approx(first["damage"] / 4 * 60)

    def test_a_unit_does_what_it_does_alone(self, dataset):
        # the same volley as the study of one unit against another
        boyz = datasheet_in_play(dataset, "Boyz", "Orks")
        target = standard_targets(dataset)[1]
        found = Army("one", None, "11e", (boyz,))
        how = Circumstances(flags=frozenset({"charged"}))
        row = output(found, [target], how, bands(shooting=False)).row(1, named=True)
        assert row["unit"] == 1
        used = [
            line for line in boyz.attacker.default_lines
            if any(told.endswith(f"× {line.name}") for told in row["weapons"])
        ]  # fmt: skip
        counts = {told.split(" × ")[1]: int(told.split(" × ")[0]) for told in row["weapons"]}
        used = [replace(line, count=counts[line.name]) for line in used]
        same = engage(boyz.attacker, used, target, how).outcome
        assert row["damage"] == pytest.approx(same.damage.mean, abs=1e-12)
        assert row["destroyed"] == pytest.approx(same.destroyed, abs=1e-12)
        # its own rule on charging counts
        plain = output(found, [target], where=bands(shooting=False)).row(1, named=True)
        assert row["damage"] > plain["damage"]

    def test_a_target_in_play_is_the_same_target(self, dataset):
        for target in standard_targets(dataset):
            assert as_enemy(target).target == target.target

    def test_edges_have_to_rise(self):
        with pytest.raises(DataError, match="rising numbers"):
            bands((12, 6))
        with pytest.raises(DataError, match="neither"):
            bands(shooting=False, fighting=False)

    def test_the_weakest_match_up_is_beside_the_field(self):
        tough = unit(rank(1, toughness=8, save=7, wounds=4), name="tough", points=100)
        soft = unit(rank(1, toughness=2, save=7, wounds=4), name="soft", points=100)
        light = weapon("light", attacks=1, skill=3, strength=4)
        heavy = weapon("heavy", attacks=1, skill=3, strength=16)
        mine = list_of(unit(rank(2, light), name="mine"))
        field = list_of(unit(rank(1, heavy), name="theirs"))
        found = weakest(mine, field, [soft.defender, tough.defender], where=bands((6,)))
        rows = found.filter(pl.col("band") == "0–6").rows(named=True)
        assert [(row["weakness"], row["target"]) for row in rows] == [(1, "tough"), (2, "soft")]
        # two guns that wound on 6 beside one that wounds on 2; both wound the soft one on 2
        assert rows[0]["ratio"] == pytest.approx(2 * (1 / 6) / (5 / 6))
        assert rows[1]["ratio"] == pytest.approx(2)
        fight = found.filter(pl.col("band") == "fight")
        assert fight["ratio"].to_list() == [None, None]


ATTACKERS = [
    unit(rank(1, weapon("one", attacks=1, skill=3, strength=4, damage=2)), name="one"),
    unit(rank(2, weapon("two", attacks=1, skill=4, strength=4, damage=1)), name="two"),
    unit(rank(1, weapon("big", attacks=1, skill=2, strength=8, ap=-3, damage=3)), name="big"),
    unit(rank(1, weapon("die", attacks=1, skill=3, strength=5, damage="D3")), name="die"),
]


class Brute:
    """Every way to play it, one attack die after another, in fractions."""

    def __init__(self, attackers, prey):
        self.hands = [Hand(one) for one in attackers]
        self.prey = Hand(prey)

    def after(self, number, state, kind="ranged"):
        hand = self.hands[number]
        law = playing.volley(Counter({(hand.start, state): F(1)}), hand, self.prey, kind, True)
        return [(other, chance) for (_, other), chance in law.items() if chance]

    def best(self, left, state, wanted):
        if not wanted:
            return F(1)
        values = [
            sum(
                (self.then(left - {n}, other, wanted) * c for other, c in self.after(n, state)),
                F(0),
            )
            for n in sorted(left)
        ]
        return max(values, default=F(0))

    def then(self, left, state, wanted):
        if any(state):
            return self.best(left, state, wanted)
        return self.best(left, self.prey.start, wanted - 1)

    def in_order(self, copies):
        law = Counter({(0, self.prey.start): F(1)})
        for number in range(len(self.hands)):
            after = Counter()
            for (gone, state), chance in law.items():
                for other, c in self.after(number, state):
                    new = (gone, other) if any(other) else (gone + 1, self.prey.start)
                    after[new] += chance * c
            law = after
        return [sum(c for (g, _), c in law.items() if g >= k) for k in range(copies + 1)]

    def declared(self, copies):
        best = [F(0)] * (copies + 1)
        for split in product(range(copies), repeat=len(self.hands)):
            chances = [
                self.alone([n for n, c in enumerate(split) if c == k]) for k in range(copies)
            ]
            for k in range(copies + 1):
                tail = sum(
                    np.prod([c if up else 1 - c for c, up in zip(chances, ups, strict=True)])
                    for ups in product((0, 1), repeat=copies)
                    if sum(ups) >= k
                )
                best[k] = max(best[k], tail)
        return best

    def alone(self, numbers):
        law = Counter({self.prey.start: F(1)})
        for number in numbers:
            after = Counter()
            for state, chance in law.items():
                for other, c in self.after(number, state):
                    after[other] += chance * c
            law = after
        return sum((c for state, c in law.items() if not any(state)), F(0))


class TestRedundancy:
    def test_all_ways_to_play_it(self):
        prey = unit(rank(1, toughness=4, save=5, wounds=3), name="prey", points=60)
        brute = Brute(ATTACKERS, prey)
        rows = redundancy(list_of(*ATTACKERS), [prey.defender], copies=2)
        best = [brute.best(frozenset(range(4)), brute.prey.start, k) for k in range(3)]
        assert rows["best"].to_list() == pytest.approx([float(v) for v in best], abs=1e-12)
        assert rows["in_order"].to_list() == pytest.approx(
            [float(v) for v in brute.in_order(2)], abs=1e-12
        )
        assert rows["declared"].to_list() == pytest.approx(
            [float(v) for v in brute.declared(2)], abs=1e-12
        )
        assert rows["best_is_optimal"].all()
        assert rows["declared_is_optimal"].all()
        # to see before one chooses is worth something here
        assert rows["best"][2] > rows["declared"][2] > 0
        assert rows["best"][2] > rows["in_order"][2]

    def test_one_unit_is_its_chance_to_destroy(self):
        mine = list_of(ATTACKERS[2])
        prey = replace(PREY, ranks=(replace(PREY.ranks[0], count=1),))
        rows = redundancy(mine, [prey.defender], copies=2)
        # hit 5/6, wound 5/6, no save against AP -3 with 4+: 7+ is never reached
        chance = float(F(5, 6) * F(5, 6))
        for what in ("best", "declared", "in_order"):
            assert rows[what].to_list() == pytest.approx([1, chance, 0], abs=1e-12)
        alone = output(mine, [prey.defender], where=bands((6,), fighting=False))
        assert alone.filter(pl.col("unit") == 1)["destroyed"][0] == pytest.approx(chance)

    def test_shooting_then_fighting(self):
        both = unit(rank(1, weapon("gun", attacks=1, skill=2, strength=8, damage=1),
                         weapon("club", attacks=1, skill=2, strength=8, damage=1, reach=0)),
                    name="both")  # fmt: skip
        prey = unit(rank(1, toughness=4, save=7, wounds=2), name="prey")
        rows = redundancy(list_of(both), [prey.defender], copies=1, fighting=True)
        assert rows["best"][1] == pytest.approx(float(F(25, 36) ** 2), abs=1e-12)
        assert rows["declared"][1] == pytest.approx(float(F(25, 36) ** 2), abs=1e-12)
        assert rows["attack"][0] == "any range + fight"
        shooting = redundancy(list_of(both), [prey.defender], copies=1)
        assert shooting["best"][1] == 0

    def test_all_shoot_before_any_fights(self):
        gun = unit(rank(1, weapon("gun", attacks=1, skill=2, strength=8, damage=1)), name="gun")
        club = unit(rank(1, weapon("axe", attacks=1, skill=2, strength=8, damage=3, reach=0)),
                    name="axe")  # fmt: skip
        prey = unit(rank(1, toughness=4, save=7, wounds=3), name="prey")
        rows = redundancy(list_of(club, gun), [prey.defender], copies=1, fighting=True)
        hit = F(25, 36)
        assert rows["in_order"][1] == pytest.approx(float(hit), abs=1e-12)

    def test_what_is_out_of_reach_does_not_attack(self):
        rows = redundancy(list_of(*ATTACKERS), [PREY.defender], copies=1, distance=30)
        assert rows["units"].to_list() == [0, 0]
        for what in ("best", "declared", "in_order", "exactly_in_order"):
            assert rows[what].to_list() == [1, 0]

    def test_of_asking_for_too_much(self):
        with pytest.raises(DataError, match="ask for 1 to 10"):
            redundancy(list_of(*ATTACKERS), [PREY.defender], copies=11)
        with pytest.raises(DataError, match="neither"):
            redundancy(list_of(*ATTACKERS), [PREY.defender], shooting=False)


@st.composite
def maps(draw):
    """Attacks on a copy with three wounds: each row a law of what is left, more wounds worse."""
    made = []
    for _ in range(draw(st.integers(1, 4))):
        cuts = sorted(draw(st.tuples(*[st.integers(0, 6)] * 3)))
        law = np.diff([0, *cuts, 6]) / 6
        attack = np.zeros((4, 4))
        for state in range(4):
            for lost, chance in enumerate(law):
                attack[state, min(3, state + lost)] += chance
        made.append(attack)
    return made


class TestSequences:
    @settings(max_examples=60, deadline=None)
    @given(maps(), st.randoms(use_true_random=False))
    def test_laws(self, attacks, random):
        law = sequences.in_order(attacks, 0, 3)
        assert law.sum() == pytest.approx(1, abs=1e-12)
        found = sequences.best([attacks], 0, 3)
        tail = np.cumsum(law[::-1])[::-1]
        assert (found.at_least >= tail - 1e-12).all()
        assert (np.diff(found.at_least) <= 1e-12).all()
        mixed = random.sample(attacks, len(attacks))
        assert sequences.best([mixed], 0, 3).at_least == pytest.approx(found.at_least, abs=1e-12)
        split = splits.best_split(attacks, 0, 3).at_least
        # where wounds add up, to see before one chooses is never worse
        assert (found.at_least >= split - 1e-12).all()
        fewer = sequences.best([attacks[1:]], 0, 3).at_least
        assert (found.at_least >= fewer - 1e-12).all()

    @settings(max_examples=40, deadline=None)
    @given(maps())
    def test_where_there_is_no_room_for_all_the_chance_can_still_be_had(self, attacks):
        best = sequences.best([attacks], 0, 2)
        split = splits.best_split(attacks, 0, 2)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sequences, "MOST_VALUES", 2 * 4 * 3)
            patch.setattr(splits, "MOST_SPLITS", 0)
            less = sequences.best([attacks], 0, 2)
            sought = splits.best_split(attacks, 0, 2)
        assert less.optimal is (len(attacks) == 1)
        assert (less.at_least <= best.at_least + 1e-12).all()
        plain = np.cumsum(sequences.in_order(attacks, 0, 2)[::-1])[::-1]
        assert (less.at_least >= plain - 1e-12).all()
        assert not sought.optimal
        assert (sought.at_least <= split.at_least + 1e-12).all()
        # nearly always the best one is found; for one copy all attacks go at it
        assert sought.at_least[1] > 0 or split.at_least[1] == 0

    def test_one_stage_is_before_the_next(self):
        wounds = np.array([[0.0, 1, 0], [0, 1, 0], [0, 0, 1]])
        finishes = np.array([[1.0, 0, 0], [0, 0, 1], [0, 0, 1]])
        assert sequences.best([[wounds], [finishes]], 0, 1).at_least.tolist() == [1, 1]
        assert sequences.best([[finishes], [wounds]], 0, 1).at_least.tolist() == [1, 0]
        assert sequences.best([[finishes, wounds]], 0, 1).at_least.tolist() == [1, 1]

    def test_every_split_is_there_once(self):
        assert len(set(splits.splits(5, 3))) == len(list(splits.splits(5, 3))) == 41
        assert splits._number(5, 3) == 41


@cache
def real():
    """The dataset with all real lists, and these in play."""
    dataset = killcurve.load()
    files = sorted(LISTS.iterdir())
    made, _ = read_rosters(files, dataset)
    whole = replace(dataset, tables={**dataset.tables, **made.tables})
    return whole, {file.stem: army(whole, file.stem) for file in files}


@needs_shared
class TestRealLists:
    def test_nothing_is_dropped(self):
        whole, armies = real()
        assert len(armies) >= 10
        for name, found in armies.items():
            rows = whole["roster_units"].filter(pl.col("roster") == name).rows(named=True)
            assert [u.number for u in found.units] == [row["unit"] for row in rows]
            for unit_, row in zip(found.units, rows, strict=True):
                assert unit_.fielded is not None, (name, unit_.notes)
                assert unit_.models == row["models"]
                assert not any("enhancement" in note for note in unit_.notes)
                assert unit_.printed == row["points_printed"]
                if row["points_dataset"] is not None:
                    assert unit_.points == row["points_dataset"], (name, unit_.name)
                else:
                    assert unit_.points is None
                    assert any("no price" in note for note in unit_.notes)
            lost = whole["roster_unplaced"].filter(pl.col("roster") == name)
            notes = {u.number: " ".join(u.notes) for u in found.units}
            for row in lost.rows(named=True):
                where = " ".join(found.notes) if row["unit"] is None else notes[row["unit"]]
                assert row["reason"] in where

    def test_every_weapon_is_in_play(self):
        whole, armies = real()
        seen = 0
        for name, found in armies.items():
            mine = whole["roster_weapons"].filter(
                (pl.col("roster") == name) & pl.col("weapon_id").is_not_null()
            )
            for unit_ in found.units:
                told = Counter()
                rows = mine.filter(pl.col("unit") == unit_.number)
                for weapon_id, count in rows.select("weapon_id", "count").rows():
                    told[weapon_id] += count
                carried = Counter()
                for one in unit_.fielded.ranks:
                    each = {c.weapon_id: c.count for c in one.weapons}
                    for weapon_id, count in each.items():
                        carried[weapon_id] += count * one.count
                if told:
                    assert carried == told, (name, unit_.name)
                    seen += 1
        assert seen > 150

    def test_they_destroy_something(self, dataset):
        _, armies = real()
        rhino = [t for t in standard_targets(dataset) if t.name.startswith("Rhino")]
        rows = redundancy(armies["gwapp"], rhino, copies=2, fighting=True)
        assert 0.5 < rows["best"][1] <= 1
        assert rows["best"][2] >= rows["in_order"][2]
