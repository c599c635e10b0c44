"""Loadouts: legal ones are all there and nothing else, numbers are exact, points follow."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from killcurve.cli import app
from killcurve.study.efficiency import efficiency
from killcurve.study.lines import attacker, attackers
from killcurve.study.loadouts import custom_loadout, default_loadout, legal_loadouts, telling
from killcurve.study.loadouts.legal import default_of, every_loadout, loadouts_of
from killcurve.study.loadouts.prices import cost, enhancement_cost, price
from killcurve.study.loadouts.sheet import Exchange, Kind, Limit, Shared, Sheet, read_sheet
from killcurve.study.matchup import attack
from killcurve.study.targets import defender
from killcurve.tables.building import build
from killcurve.tables.dataset import About, DataError
from typer.testing import CliRunner

ABOUT = About("test", "1", "11e", "2026-01-01")
MOLES = {"faction": "Moles", "datasheet": "Diggers"}
WEAPONS = ("Claw", "Drill", "Flare gun", "Pistol")


def option(number, kind="exchange", replaces=(), choices=(), **more):
    row = {"option": number, "kind": kind, "replaces": list(replaces), "choices": list(choices)}
    return {**MOLES, **row, **more}


def dataset_of(options=(), compositions=None, **tables):
    """A unit of a Boss and 4 to 9 Diggers, each with a claw and a pistol, and its options."""
    sizes = compositions or [(1, "Boss", 1, 1), (1, "Digger", 4, 9)]
    columns = ("tier", "model", "count_min", "count_max")
    weapon = {
        "profile": "", "kind": "melee", "exclusive": False, "range": 0, "attacks": "2", "skill": 3,
        "strength": "4", "ap": 0, "damage": "1", "keywords": [],
    }  # fmt: skip
    rows = {
        "factions": [{"faction": "Moles"}, {"faction": "Newts"}, {"faction": "Owls"}],
        "datasheets": [{**MOLES, "legends": False, "models_min": 5, "models_max": 10}],
        "models": [
            {**MOLES, "model": model, "toughness": 4, "save": 4, "wounds": wounds}
            for model, wounds in (("Boss", 3), ("Digger", 1))
        ],
        "weapons": [
            {**MOLES, **weapon, "weapon_id": name.casefold().replace(" ", "-"), "weapon": name}
            for name in WEAPONS
        ],
        "compositions": [
            {**MOLES, "statline": size[1], **dict(zip(columns, size, strict=True))}
            for size in sizes
        ],
        "default_weapons": [
            {**MOLES, "model": model, "weapon_id": weapon_id, "count": 1}
            for model in dict.fromkeys(size[1] for size in sizes)
            for weapon_id in ("claw", "pistol")
        ],
        "wargear_options": options,
        "points": [
            {**MOLES, "models": 5, "models_max": 5, "copies_from": 1, "copies_to": 2, "cost": 80},
            {**MOLES, "models": 5, "models_max": 5, "copies_from": 3, "cost": 95},
            {**MOLES, "models": 6, "models_max": 10, "copies_from": 1, "cost": 150},
        ],
        **tables,
    }
    return build(ABOUT, rows)


def counts(found):
    """What each loadout has, as dicts."""
    return [dict(one.weapons) | dict(one.wargear) for one in found.shown]


class TestWhatIsAllowed:
    def test_the_default(self):
        one = default_loadout(dataset_of(), "Diggers")
        assert one.models == 5
        assert one.weapons == (("claw", 5), ("pistol", 5))
        assert [(g.model, g.count) for g in one.groups] == [("Boss", 1), ("Digger", 4)]
        assert default_loadout(dataset_of(), "Diggers", models=8).weapons[0] == ("claw", 8)

    def test_sizes_that_the_unit_has_not(self):
        with pytest.raises(DataError, match="no size of 4 models: it has 5 to 10"):
            default_loadout(dataset_of(), "Diggers", models=4)
        gap = dataset_of(
            compositions=[(1, "Digger", 5, 5), (2, "Digger", 10, 10), (3, "Digger", 20, 20)]
        )
        with pytest.raises(DataError, match="5 or 10 or 20"):
            legal_loadouts(gap, "Diggers", models=0)

    def test_any_number_of_one_kind(self):
        row = option(1, replaces=["Claw"], choices=["Drill"], model="Digger")
        found = legal_loadouts(dataset_of([row]), "Diggers")
        assert found.complete
        assert counts(found) == [
            {"claw": 5, "pistol": 5},
            {"claw": 4, "drill": 1, "pistol": 5},
            {"claw": 3, "drill": 2, "pistol": 5},
            {"claw": 2, "drill": 3, "pistol": 5},
            {"claw": 1, "drill": 4, "pistol": 5},
        ]

    @pytest.mark.parametrize(
        ("limits", "models", "most"),
        [
            ({"at_most": 2}, 5, 2),
            ({"times": 1, "per_models": 5}, 9, 1),
            ({"times": 2, "per_models": 5}, 9, 2),
            ({"times": 2, "per_models": 5}, 10, 4),
            ({"times": 2, "per_models": 5, "at_most": 3}, 10, 3),
            ({"times": 1, "per_models": 10}, 9, 0),
        ],
    )
    def test_limits_of_the_unit(self, limits, models, most):
        row = option(1, replaces=["Pistol"], choices=["Flare gun"], **limits)
        found = legal_loadouts(dataset_of([row]), "Diggers", models=models)
        assert max(one.get("flare-gun", 0) for one in counts(found)) == most

    def test_a_bundle_and_one_thing_several_times(self):
        rows = [
            option(1, replaces=["Claw", "Pistol"], choices=["Drill + Drill"], model="Boss"),
            option(2, choices=["Flare gun"], each=2, model="Boss"),
        ]
        made = counts(legal_loadouts(dataset_of(rows), "Diggers"))
        assert len(made) == 6
        assert {"claw": 4, "pistol": 4, "drill": 2, "flare-gun": 2} in made

    def test_wargear_without_attacks_can_be_carried_and_given_up(self):
        rows = [
            option(1, kind="carried", choices=["Lamp"], model="Boss"),
            option(2, replaces=["Lamp"], choices=["Drill"]),
        ]
        made = counts(legal_loadouts(dataset_of(rows), "Diggers"))
        assert made == [
            {"claw": 5, "pistol": 5, "Lamp": 1},
            {"claw": 5, "pistol": 5, "drill": 1},
        ]

    def test_a_shared_limit_counts_all_models_and_what_is_there_by_default_is_allowed(self):
        rows = [
            option(1, replaces=["Claw"], choices=["Drill"], model="Digger"),
            option(2, replaces=["Pistol"], choices=["Flare gun"]),
            option(3, kind="limit", choices=["Drill", "Flare gun"], at_most=2),
            option(4, kind="limit", choices=["Pistol"], at_most=1),
        ]
        made = counts(legal_loadouts(dataset_of(rows), "Diggers"))
        assert made[0] == {"claw": 5, "pistol": 5}
        assert all(one.get("drill", 0) + one.get("flare-gun", 0) <= 2 for one in made)
        # Drills: 0 to 2 with no flare gun, 0 or 1 with one (of the Boss or of a Digger), none with
        # two (one of the Boss, or both of Diggers).
        assert len(made) == 3 + 2 * 2 + 2

    def test_a_limit_on_one_model(self):
        rows = [
            option(1, choices=["Drill", "Flare gun"], each=2, model="Boss"),
            option(2, kind="limit", choices=["Drill"], each=1),
        ]
        made = [c.get("drill", 0) for c in counts(legal_loadouts(dataset_of(rows), "Diggers"))]
        assert sorted(made) == [0, 0, 0, 1, 1]

    def test_limits_count_what_no_exchange_touches(self):
        rows = [
            option(1, replaces=["Pistol"], choices=["Flare gun"], model="Digger"),
            option(2, kind="limit", choices=["Claw", "Flare gun"], at_most=7),
        ]
        made = counts(legal_loadouts(dataset_of(rows), "Diggers"))
        assert [one.get("flare-gun", 0) for one in made] == [0, 1, 2]
        rows = [
            option(1, choices=["Drill"], each=2, model="Boss"),
            option(2, kind="limit", choices=["Claw", "Drill"], each=2),
        ]
        made = counts(legal_loadouts(dataset_of(rows), "Diggers"))
        assert [one.get("drill", 0) for one in made] == [0, 1]

    def test_needs_and_without(self):
        rows = [
            option(1, replaces=["Claw"], choices=["Drill"], model="Boss"),
            option(2, choices=["Lamp"], model="Boss", needs=["Drill"]),
            option(3, choices=["Horn"], model="Boss", without=["Drill"]),
        ]
        made = [
            sorted(set(one) - {"claw", "pistol"})
            for one in counts(legal_loadouts(dataset_of(rows), "Diggers"))
        ]
        assert sorted(made) == [[], ["Horn"], ["Lamp", "drill"], ["drill"]]

    def test_all_together_or_none(self):
        rows = [
            option(1, replaces=["Claw"], choices=["Drill", "Flare gun"], together=True),
            option(2, replaces=["Pistol"], choices=["Lamp"], model="Boss"),
        ]
        found = legal_loadouts(dataset_of(rows), "Diggers")
        assert (found.total, found.complete) == (6, True)
        assert {dict(one.weapons).get("drill", 0) for one in found.shown} == {0, 5}

    def test_what_all_do_at_once_may_be_what_each_may_do(self):
        rows = [
            option(1, replaces=["Claw"], choices=["Drill"], together=True),
            option(2, replaces=["Claw"], choices=["Drill"]),
        ]
        found = legal_loadouts(dataset_of(rows), "Diggers")
        assert (found.total, len(found.shown)) == (10, 10)  # 2 of the Boss × 5 of the Diggers
        assert legal_loadouts(dataset_of(rows), "Diggers", limit=3).total == 10

    def test_kinds_in_any_numbers(self):
        sizes = [(1, "Boss", 0, 2), (1, "Digger", 0, 5)]
        found = legal_loadouts(dataset_of(compositions=sizes), "Diggers", models=5)
        assert [one.kinds for one in found.shown] == [
            {"Boss": 2, "Digger": 3},
            {"Boss": 1, "Digger": 4},
            {"Digger": 5},
        ]

    def test_options_that_are_not_understood_are_counted(self):
        row = option(1, kind=None, text="Who knows.")
        found = legal_loadouts(dataset_of([row]), "Diggers")
        assert (found.total, found.unread) == (1, 1)

    def test_a_unit_without_default_weapons_carries_everything(self):
        found = legal_loadouts(dataset_of(default_weapons=[]), "Diggers")
        assert found.shown[0].assumed
        assert counts(found) == [{"claw": 5, "drill": 5, "flare-gun": 5, "pistol": 5}]


class TestManyLoadouts:
    def options(self):
        return [
            option(1, replaces=["Claw"], choices=["Drill", "Lamp"], model="Digger"),
            option(2, replaces=["Pistol"], choices=["Flare gun"], model="Digger", at_most=3),
        ]

    def test_more_than_the_limit_are_counted_and_corners_shown(self):
        found = legal_loadouts(dataset_of(self.options()), "Diggers", models=10, limit=5)
        assert found.total == 55 * 4
        assert not found.complete
        assert found.told == (
            "220 loadouts; 5 of them shown: the default, then those that go as far as possible "
            "in one exchange or several"
        )
        assert counts(found) == [
            {"claw": 10, "pistol": 10},
            {"claw": 1, "drill": 9, "pistol": 10},
            {"claw": 1, "Lamp": 9, "pistol": 10},
            {"claw": 10, "flare-gun": 3, "pistol": 7},
            {"claw": 1, "drill": 9, "flare-gun": 3, "pistol": 7},
        ]

    def test_corners_of_kinds_that_share_a_limit(self):
        rows = [
            option(1, replaces=["Claw"], choices=["Drill"], model="Digger"),
            option(2, replaces=["Pistol"], choices=["Flare gun"], at_most=1),
        ]
        found = legal_loadouts(dataset_of(rows), "Diggers", limit=14)
        assert (found.total, len(found.shown)) == (15, 6)
        assert max(one.get("flare-gun", 0) for one in counts(found)) == 1

    def test_the_limit_is_at_least_one(self):
        with pytest.raises(DataError, match="at least 1"):
            legal_loadouts(dataset_of(), "Diggers", limit=0)

    def test_every_loadout_is_lazy(self):
        sheet = read_sheet(dataset_of(self.options()), "Moles", "Diggers")
        assert len(list(islice(every_loadout(sheet, 10), 7))) == 7


ITEMS = ("a", "b", "c", "d")
things = st.lists(st.sampled_from(ITEMS), min_size=0, max_size=2).map(sorted).map(tuple)
limits = st.one_of(
    st.just(Limit()),
    st.integers(1, 3).map(lambda n: Limit(at_most=n)),
    st.tuples(st.integers(1, 2), st.integers(1, 3)).map(lambda t: Limit(*t)),
)
exchanges = st.builds(
    Exchange,
    number=st.integers(0, 10**9),
    model=st.sampled_from([None, None, "X", "Y"]),
    replaces=things,
    choices=st.lists(things.filter(bool), min_size=1, max_size=2, unique=True).map(tuple),
    each=st.integers(1, 2),
    limit=limits,
    needs=st.sampled_from([frozenset(), frozenset(), frozenset("c")]),
    without=st.sampled_from([frozenset(), frozenset(), frozenset("d")]),
    together=st.just(False),
)
shared = st.builds(
    Shared,
    items=st.sets(st.sampled_from(ITEMS), min_size=1, max_size=2).map(frozenset),
    each=st.sampled_from([None, None, 1, 2]),
    limit=limits,
)
sheets = st.builds(
    lambda kinds, x, y, exchanges, shared: Sheet(
        "F", "S", (kinds,), {"X": x, "Y": y}, tuple(exchanges), tuple(shared), {}, 1
    ),
    st.sampled_from([(Kind("X", 3, 3),), (Kind("X", 0, 2), Kind("Y", 1, 2))]),
    things,
    things,
    st.lists(exchanges, max_size=3, unique_by=lambda e: e.number),
    st.lists(shared, max_size=2),
)


def states_of(carried, exchanges):
    """All that one model may have with the exchanges made, by trying every sequence."""
    start = (tuple(carried), (0,) * len(exchanges))
    seen, waiting = {start}, [start]
    while waiting:
        have, made = waiting.pop()
        for i, e in enumerate(exchanges):
            left = Counter(have)
            left.subtract(e.replaces)
            if made[i] == e.each or min(left.values(), default=0) < 0:
                continue
            for choice in e.choices:
                after = tuple(sorted((left + Counter(choice)).elements()))
                state = (after, tuple(n + (j == i) for j, n in enumerate(made)))
                if state not in seen:
                    seen.add(state)
                    waiting.append(state)
    return seen


def fits(have, made, carried, exchanges, shared):
    """Whether one model may end so."""
    for e, n in zip(exchanges, made, strict=True):
        if n and (not e.needs <= set(have) or e.without & set(have)):
            return False
    return all(
        one.each is None
        or sum(have.count(i) for i in one.items)
        <= max(one.each, sum(carried.count(i) for i in one.items))
        for one in shared
    )


def by_trying(sheet, size):
    """The loadouts of a unit, model by model, with every limit looked at in the end."""
    found = set()
    for allocation in sheet.allocations(size):
        whole = [(model, count) for model, count in allocation for _ in range(count)]
        usual = Counter(i for model, _ in whole for i in sheet.carried[model])
        units = {((), (0,) * len(sheet.exchanges))}
        for model, _ in whole:
            own = [e for e in sheet.exchanges if e.model in (None, model)]
            carried = sheet.carried[model]
            ways = []
            for have, made in states_of(carried, own):
                if fits(have, made, carried, own, sheet.shared):
                    by_number = dict(zip((e.number for e in own), made, strict=True))
                    used = tuple(by_number.get(e.number, 0) for e in sheet.exchanges)
                    ways.append((model, have, used))
            units = {
                (
                    tuple(sorted((*has, *((m, i) for i in have)))),
                    tuple(a + b for a, b in zip(used, more, strict=True)),
                )
                for has, used in units
                for m, have, more in ways
            }
        for has, used in units:
            total = Counter(item for _, item in has)
            caps = [
                (n, cap)
                for e, n in zip(sheet.exchanges, used, strict=True)
                if (cap := e.limit.cap(size)) is not None
            ]
            caps += [
                (sum(total[i] for i in s.items), max(cap, sum(usual[i] for i in s.items)))
                for s in sheet.shared
                if (cap := s.limit.cap(size)) is not None
            ]
            if all(n <= cap for n, cap in caps):
                found.add((allocation, has))
    return found


def as_tried(sheet, one):
    has = sorted(
        (group.model, item)
        for group in one.groups
        for item, n in group.wargear
        for _ in range(n * group.count)
    )
    order = [kind.model for kind in sheet.tiers[0]]
    allocation = tuple((model, one.kinds[model]) for model in order if model in one.kinds)
    return allocation, tuple(has)


class TestAgainstTrying:
    @settings(max_examples=100, deadline=None)
    @given(sheets)
    def test_all_that_is_allowed_and_nothing_else(self, sheet):
        wanted = by_trying(sheet, 3)
        found = loadouts_of(sheet, 3, limit=100_000)
        made = [as_tried(sheet, one) for one in found.shown]
        assert len(made) == len(set(made)) == found.total
        assert set(made) == wanted
        assert made[0] == as_tried(sheet, default_of(sheet, 3))

    @settings(max_examples=50, deadline=None)
    @given(sheets, st.integers(1, 5))
    def test_corners_are_legal_and_the_number_is_that_of_all(self, sheet, limit):
        wanted = by_trying(sheet, 3)
        found = loadouts_of(sheet, 3, limit=limit)
        made = [as_tried(sheet, one) for one in found.shown]
        assert found.total == len(wanted)
        assert len(made) == len(set(made)) <= limit
        assert set(made) <= wanted
        assert made[0] == as_tried(sheet, default_of(sheet, 3))


class TestPoints:
    def test_size_and_copy(self):
        data = dataset_of()
        assert [cost(data, "Moles", "Diggers", n) for n in (5, 6, 10, 11)] == [80, 150, 150, None]
        assert [cost(data, "Moles", "Diggers", 5, copy) for copy in (1, 2, 3, 9)] == [
            80,
            80,
            95,
            95,
        ]
        with pytest.raises(DataError, match="the first one is 1"):
            cost(data, "Moles", "Diggers", 5, 0)

    def test_wargear_is_paid_for_each(self):
        rows = [option(1, replaces=["Claw"], choices=["Drill", "Lamp"], model="Digger")]
        paid = [
            {**MOLES, "item": "drill", "cost": 5, "per": "item"},
            {**MOLES, "item": "Lamp", "cost": 2, "per": "item"},
        ]
        data = dataset_of(rows, wargear_costs=paid)
        found = legal_loadouts(data, "Diggers")
        for one in found.shown:
            have = dict(one.weapons) | dict(one.wargear)
            assert price(data, one) == 80 + 5 * have.get("drill", 0) + 2 * have.get("Lamp", 0)

    def test_models_that_are_paid_one_by_one(self):
        sizes = [(1, "Boss", 0, 1), (1, "Digger", 5, 5)]
        paid = [{**MOLES, "item": "Boss", "cost": 30, "per": "model"}]
        data = dataset_of(compositions=sizes, wargear_costs=paid)
        prices = [price(data, default_loadout(data, "Diggers", models=n)) for n in (5, 6)]
        assert prices == [80, 110]

    def test_other_armies(self):
        row = {**MOLES, "models": 5, "models_max": 5, "copies_from": 1}
        ours = [{**row, "army": "Newts", "cost": 70}, {**row, "army": "Night", "cost": 60}]
        owls = {"faction": "Owls", "keyword": "night", "is_faction": False}
        data = dataset_of(
            allied_points=ours,
            keywords=[{**owls, "datasheet": "Barn"}, {**owls, "datasheet": "Elf"}],
        )
        found = [
            cost(data, "Moles", "Diggers", 5, army=a) for a in (None, "Moles", "newts", "Owls")
        ]
        assert found == [80, 80, 70, 60]
        assert cost(data, "Moles", "Diggers", 5, army="Night") == 60
        with pytest.raises(DataError, match="no army 'Newt'; did you mean 'Newts'"):
            cost(data, "Moles", "Diggers", 5, army="Newt")

    def test_enhancements(self):
        row = {"faction": "Moles", "effects": [], "status": "none"}
        rows = [
            {**row, "detachment": "Deep", "name": "Lantern", "cost": 15},
            {**row, "detachment": "Dark", "name": "Lantern", "cost": 20},
            {**row, "detachment": "Dark", "name": "Rope", "cost": 10},
            {**row, "detachment": "Dark", "name": "Gift", "cost": None},
        ]
        data = dataset_of(enhancements=rows)
        assert attacker(data, "Diggers", enhancement="rope").points == 90
        assert enhancement_cost(data, "Moles", "Lantern (Deep)") == 15
        for name, told in (
            ("Lantern", "several costs"), ("Ropes", "did you mean 'Rope'"), ("Gift", "no cost"),
        ):  # fmt: skip
            with pytest.raises(DataError, match=told):
                attacker(data, "Diggers", enhancement=name)


class TestStudies:
    def test_an_attacker_has_the_loadouts_counts_and_points(self):
        rows = [option(1, replaces=["Claw"], choices=["Drill"], model="Digger")]
        paid = [{**MOLES, "item": "Drill", "cost": 5, "per": "item"}]
        data = dataset_of(rows, wargear_costs=paid)
        found = legal_loadouts(data, "Diggers")
        units = attackers(data, found)
        assert [unit.points for unit in units] == [80, 85, 90, 95, 100]
        last = units[-1]
        assert last.loadout == found.shown[-1]
        assert {line.weapon: line.count for line in last.default_lines} == {
            "Claw": 1, "Drill": 4, "Pistol": 5,
        }  # fmt: skip
        again = attacker(data, "Diggers", loadout=found.shown[-1], copy=3)
        assert (again.lines, again.points) == (last.lines, 115)
        target = defender(data, "Diggers")
        frame = efficiency([last], [target])
        [row] = frame.rows(
            named=True,
        )[1:2]
        line = last.default_lines[1]
        assert (row["weapon"], row["count"], row["points"]) == ("Drill", 4, 100)
        assert row["damage"] == attack(last, [line], target).outcome.damage.mean
        assert row["damage_per_100"] == pytest.approx(row["damage"])

    def test_a_loadout_of_ones_own(self):
        data = dataset_of([option(1, choices=["Lamp"])])
        own = custom_loadout(data, "Diggers", weapons={"DRILL": 2, "lamp": 1}, models=6)
        assert (own.models, own.weapons, own.wargear) == (6, (("drill", 2),), (("Lamp", 1),))
        unit = attacker(data, "Diggers", loadout={"Drill": 2}, models=6)
        assert [(line.weapon, line.count) for line in unit.default_lines] == [("Drill", 2)]
        assert (unit.models, unit.points) == (6, 150)

    @pytest.mark.parametrize(
        ("weapons", "told"),
        [
            ({"Dril": 1}, "did you mean 'Drill'"),
            ({"Drill": -1}, "give 0 or more"),
        ],
    )
    def test_what_is_wrong_with_it(self, weapons, told):
        with pytest.raises(DataError, match=told):
            attacker(dataset_of(), "Diggers", loadout=weapons)

    def test_a_loadout_of_another_unit_or_size(self, dataset):
        boat = default_loadout(dataset, "Raider")
        with pytest.raises(DataError, match="loadout is one of Raider"):
            attacker(dataset, "Gargoyles", loadout=boat)
        with pytest.raises(DataError, match="of 1 models, and not of 2"):
            attacker(dataset, "Raider", loadout=boat, models=2)

    def test_defenders(self):
        data = dataset_of()
        big = defender(data, "Diggers", models=7, copy=3)
        assert sorted((g.count, g.wounds) for g in big.target.groups) == [(1, 3), (6, 1)]
        assert (defender(data, "Diggers", copy=3).points, big.points) == (95, 150)


class TestTheEmbeddedDataset:
    def test_every_unit_has_its_default_and_only_its_own_weapons(self, dataset):
        number = total = 0
        for unit in dataset.datasheets.select("faction", "datasheet").unique().rows():
            sheet = read_sheet(dataset, *unit)
            default = default_of(sheet, sheet.smallest)
            found = loadouts_of(sheet, sheet.smallest, limit=12)
            assert found.shown[0].same() == default.same(), unit
            assert found.total is None or found.total >= len(found.shown), unit
            assert len({one.same() for one in found.shown}) == len(found.shown), unit
            for one in found.shown:
                assert one.models == sheet.smallest, unit
                assert {item for item, _ in one.weapons} <= set(sheet.weapons), unit
                assert one.kinds.keys() <= {k.model for tier in sheet.tiers for k in tier}, unit
            number += 1
            total += found.total or 0
        assert number >= 1096
        assert total > 100_000

    @pytest.mark.parametrize("name", ["Battle Sisters Squad", "Kasrkin", "Hearthkyn Warriors"])
    def test_limits_hold_in_every_loadout(self, dataset, name):
        sheet = read_sheet(dataset, *dataset.find(name))
        default = default_of(sheet, sheet.smallest)
        usual = Counter(dict(default.weapons)) + Counter(dict(default.wargear))
        number = 0
        for one in every_loadout(sheet, sheet.smallest):
            have = Counter(dict(one.weapons)) + Counter(dict(one.wargear))
            for limit in sheet.shared:
                cap = limit.limit.cap(one.models)
                if cap is not None:
                    most = max(cap, sum(usual[i] for i in limit.items))
                    assert sum(have[i] for i in limit.items) <= most
            number += 1
        assert number == loadouts_of(sheet, sheet.smallest).total > 100

    @pytest.mark.parametrize("name", ["Battle Sisters Squad", "Chosen", "Meganobz"])
    def test_whatever_things_are_worth_a_corner_is_worth_most(self, dataset, name):
        sheet = read_sheet(dataset, *dataset.find(name))
        size = sheet.sizes()[-1][1]
        everything = list(every_loadout(sheet, size))
        shown = loadouts_of(sheet, size, limit=len(everything) - 1).shown
        assert len(shown) < len(everything)
        dice = random.Random(3)
        for _ in range(10):
            worth = {item: dice.random() - 0.3 for one in everything for item, _ in one.weapons}
            value = [sum(worth[i] * n for i, n in one.weapons) for one in everything]
            best = max(sum(worth[i] * n for i, n in one.weapons) for one in shown)
            assert best == pytest.approx(max(value))


class TestTelling:
    def test_words_table_and_json(self, dataset):
        found = legal_loadouts(dataset, "Raider")
        lines = telling.in_words(dataset, found).splitlines()
        assert lines[0] == "Raider (Drukhari), 1 model: 2 loadouts, all shown"
        assert lines[1] == "   1  75 points, the default"
        frame = telling.loadout_table(dataset, found)
        assert frame["default"].to_list() == [True, False]
        assert frame["weapons"].to_list()[1] == (
            "1 × Bladevanes and chainsnares, 1 × Disintegrator cannon"
        )
        plain = json.loads(json.dumps(telling.to_dict(dataset, found)))
        assert (plain["total"], plain["complete"], len(plain["loadouts"])) == (2, True, 2)

    def test_in_a_shell(self, tmp_path):
        table = tmp_path / "loadouts.csv"
        asked = ["loadouts", "raider", "--faction", "drukhari"]
        words = CliRunner().invoke(app, asked)
        assert words.stdout.startswith("Raider (Drukhari), 1 model: 2 loadouts, all shown")
        both = CliRunner().invoke(app, [*asked, "--limit", "1", "--json", "--csv", str(table)])
        assert both.exit_code == 0
        assert json.loads(both.stdout)["complete"] is False
        assert len(table.read_text(encoding="utf-8").splitlines()) == 2

    def test_a_table_that_cannot_be_written(self, tmp_path):
        done = CliRunner().invoke(app, ["loadouts", "Raider", "--csv", str(tmp_path)])
        assert isinstance(done.exception, DataError)
        assert "is a folder" in str(done.exception)
        assert not list(tmp_path.iterdir())
