"""Several sources become one dataset: which value stands, where it is from, in any order."""

from __future__ import annotations

from itertools import permutations

import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from killcurve.tables.building import build
from killcurve.tables.dataset import About, DataError
from killcurve.tables.layers import Layer, split
from killcurve.tables.merging import LOST, merged
from killcurve.tables.precedence import Precedence
from killcurve.tables.schemas import SCHEMAS

from tests.tables.changing import CLAW, MODEL, PRICE, SHEET, TRICK, UNIT, made


def together(*datasets, prefer=()):
    return merged([layer for d in datasets for layer in split(d)], Precedence(tuple(prefer)))


def one(dataset, table, column):
    (value,) = dataset[table][column].to_list()
    return value


def pack(faction="Moles", datasheet="Diggers", **changes):
    """The tables of the unit under other names."""
    names = {"faction": faction, "datasheet": datasheet}
    return {
        "datasheets": [{**SHEET, **names}],
        "models": [{**MODEL, **names, **changes}],
        "weapons": [{**CLAW, **names}],
        "points": [{**PRICE, **names}],
        "enhancements": [],
    }


class TestPrecedence:
    @pytest.mark.parametrize(
        ("first", "second", "prefer", "toughness", "cost"),
        [
            ("wh40kdc", "bsdata", (), 4, 80),
            ("bsdata", "wh40kdc", (), 5, 90),
            ("page", "field manual", (), 4, 90),
            ("field manual", "wahapedia", (), 5, 80),
            ("someone", "bsdata", (), 5, 90),
            ("wh40kdc", "bsdata", ("bsdata",), 5, 90),
            ("wh40kdc", "bsdata", ("prices=bsdata",), 4, 90),
            ("wahapedia", "bsdata", ("profiles=bsdata", "wahapedia"), 5, 80),
            ("wh40kdc", "field manual", ("field manual",), 4, 90),
        ],
    )
    def test_by_field(self, first, second, prefer, toughness, cost):
        other = made(second, models=[{**MODEL, "toughness": 5}], points=[{**PRICE, "cost": 90}])
        whole = together(made(first), other, prefer=prefer)
        assert (one(whole, "models", "toughness"), one(whole, "points", "cost")) == (
            toughness,
            cost,
        )
        assert one(whole, "models", "source") == (first if toughness == 4 else second)
        assert one(whole, "points", "source") == (first if cost == 80 else second)
        assert whole.prefer == tuple(prefer)

    def test_of_prices_the_newest_counts(self):
        older = made("page", "2026-01-01", date="2026-01-01")
        newer = made("wahapedia", "2026-09-01", date="2026-09-01", points=[{**PRICE, "cost": 90}])
        assert one(together(older, newer), "points", "cost") == 90
        newest = made("page", "2026-10-01", date="2026-10-01")
        assert one(together(newest, newer), "points", "cost") == 80

    def test_prices_of_a_unit_come_from_one_source(self):
        ten = {**PRICE, "models": 10, "models_max": 10, "cost": 150}
        allied = {**PRICE, "army": "Newts"}
        old = made(points=[PRICE, ten], allied_points=[allied], wargear_costs=[{**UNIT, "item": "Gong", "cost": 5, "per": "item"}])  # fmt: skip
        whole = together(old, made("field manual"))
        assert whole.points.height == 1
        assert whole["allied_points"].is_empty()
        assert whole["wargear_costs"].is_empty()

    def test_a_source_that_has_nothing_of_a_unit_is_passed_over(self):
        other = {**UNIT, "datasheet": "Sleepers"}
        whole = together(
            made("page", models=[], points=[]), made(points=[PRICE, {**PRICE, **other}])
        )
        assert one(whole, "models", "source") == "wh40kdc"
        assert whole.points.height == 2

    def test_wishes_that_are_none(self):
        with pytest.raises(DataError, match="did you mean 'bsdata'"):
            Precedence.of(["bsdta"])
        with pytest.raises(DataError, match=r"no field 'price' .* did you mean 'prices'"):
            Precedence.of(["price=bsdata"])
        assert Precedence.of(["someone"], ["someone"]).prefer == ("someone",)


class TestNames:
    @pytest.mark.parametrize(
        ("faction", "datasheet"),
        [
            ("MOLES", "diggers"),
            ("Möles", "Diggers "),
            ("Moles", "Digger"),
            ("Moles", "Dig-gers"),
        ],
    )
    def test_a_unit_in_another_spelling_is_the_same(self, faction, datasheet):
        whole = together(made(), made("bsdata", **pack(faction, datasheet, toughness=5)))
        assert whole.datasheets.select("faction", "datasheet", "source").rows() == [
            ("Moles", "Diggers", "wh40kdc")
        ]
        assert whole.models["toughness"].to_list() == [4]

    def test_a_faction_of_two_names(self):
        whole = together(
            made("wahapedia", **pack("Space Marines", "Captain’s Guard")),
            made("bsdata", **pack("Adeptus Astartes", "Captain's Guard")),
        )
        assert whole.datasheets["faction"].to_list() == ["Space Marines"]
        assert whole.find("captain's guard", "Adeptus Astartes")[0] == "Space Marines"

    def test_a_chapters_unit_is_its_parents(self):
        factions = [{"faction": "Deep Moles", "parent": "Moles"}]
        chapter = made("page", factions=factions, **pack("Deep Moles", "Diggers"))
        alone = made("wahapedia", **pack("Deep Moles", "Own Guard"))
        whole = together(made(), chapter, alone)
        assert whole.datasheets.select("faction", "datasheet", "source").rows() == [
            ("Deep Moles", "Own Guard", "wahapedia"),
            ("Moles", "Diggers", "page"),
        ]

    def test_units_that_differ_only_loosely_in_one_source_stay_two(self):
        both = {table: [*rows, *pack(datasheet="Digger")[table]] for table, rows in pack().items()}
        whole = together(made(**both), made("bsdata", **pack(datasheet="Digger", toughness=5)))
        assert whole.datasheets["datasheet"].to_list() == ["Digger", "Diggers"]

    def test_another_faction_of_that_name_is_another_unit(self):
        whole = together(made(), made("bsdata", **pack("Newts")))
        assert whole.datasheets.height == 2

    def test_rules_are_joined_by_name(self):
        respelled = {**TRICK, "detachment": "TUNNELS", "name": "DEEP-DIG (Aura)", "cost": 25}
        whole = together(made(), made("field manual", enhancements=[respelled]))
        assert whole["enhancements"].select("detachment", "name", "cost", "source").rows() == [
            ("Tunnels", "Deep Dig", 25, "wh40kdc")
        ]


class TestEditions:
    def test_they_never_mix(self):
        tenth = made("page", "2026-12-01", edition="10e", date="2026-12-01", models=[{**MODEL, "leadership": 9}])  # fmt: skip
        other = made(models=[{**MODEL, "leadership": None}], points=[])
        whole = together(tenth, other)
        assert whole.models.select("edition", "leadership").rows() == [("10e", 9), ("11e", None)]
        assert whole.points["edition"].to_list() == ["10e"]
        assert whole["origins"].is_empty()

    def test_a_unit_has_one_name_in_both(self):
        tenth = made("wahapedia", "2", edition="10e", **pack("MOLES", "Digger"))
        whole = together(tenth, made())
        assert whole.datasheets.select("faction", "datasheet").n_unique() == 1


class TestCells:
    def test_what_the_row_leaves_open_is_filled_and_told(self):
        first = made("page", models=[{**MODEL, "move": None, "invulnerable_save": None}])
        second = made("wahapedia", "2", date="2026-02-02", models=[{**MODEL, "move": 6, "invulnerable_save": 5}])  # fmt: skip
        whole = together(first, second)
        assert whole.models.select("move", "invulnerable_save", "source").row(0) == (
            6,
            None,
            "page",
        )
        assert whole["origins"].rows(named=True) == [
            {
                "source": "wahapedia", "edition": "11e", "version": "2", "date": "2026-02-02",
                "table": "models", "key": "Moles | Diggers | Digger", "column": "move",
            }
        ]  # fmt: skip

    def test_the_only_stat_lines_of_two_sources_are_one(self):
        first = made("page", models=[{**MODEL, "move": None}])
        whole = together(first, made(models=[{**MODEL, "model": "Diggers", "move": 6}]))
        assert one(whole, "models", "move") == 6

    def test_prices_in_rows_of_rules(self):
        detachment = {
            "faction": "Moles", "detachment": "Tunnels", "detachment_points": 1, "rules": ["Dig"],
            "side": "attacker", "effects": ["hit +1"], "status": "modelled",
        }  # fmt: skip
        unread = {"rules": [], "side": None, "effects": [], "status": "unread"}
        dearer = made("field manual", "3", detachments=[{**detachment, **unread, "detachment_points": 2}])  # fmt: skip
        page = made("page", "2026-03-03", detachments=[{**detachment, **unread}])
        whole = together(made(detachments=[detachment]), dearer, page)
        row = whole["detachments"].row(0, named=True)
        assert (row["source"], row["detachment_points"], row["effects"]) == ("page", 2, ["hit +1"])
        origins = whole["origins"].filter(pl.col("table") == "detachments")
        assert dict(origins.select("column", "source").rows()) == {
            "detachment_points": "field manual",
            "effects": "wh40kdc",
            "rules": "wh40kdc",
            "side": "wh40kdc",
            "status": "wh40kdc",
        }
        assert one(whole, "effects", "source") == "wh40kdc"
        assert SCHEMAS["effects"].is_valid(whole["effects"])

    def test_only_who_knows_tells_what_is_of_legends(self):
        whole = together(made("page"), made("bsdata", datasheets=[{**SHEET, "legends": True}]))
        assert one(whole, "datasheets", "legends") is True


class TestReferences:
    CARRIED = {**UNIT, "model": "Digger", "count": 1}  # noqa: RUF012

    def test_default_weapons_get_the_ids_of_the_weapons(self):
        page = made("page", weapons=[{**CLAW, "weapon_id": "own-claw", "weapon": "CLAW"}])
        carried = [
            {**self.CARRIED, "weapon_id": "claw"},
            {**self.CARRIED, "weapon_id": "gun", "count": 2},
        ]
        gun = {**CLAW, "weapon_id": "gun", "weapon": "Gun", "kind": "ranged", "range": 12}
        whole = together(page, made(weapons=[CLAW, gun], default_weapons=carried))
        assert whole["default_weapons"].select("weapon_id", "count").rows() == [("own-claw", 1)]
        assert whole.set_aside == {"default_weapons": {LOST: 1}}

    def test_an_id_that_is_the_same_stays(self):
        """Of two weapons of one name each keeps its own id."""
        pair = [CLAW, {**CLAW, "weapon_id": "claw-2", "ap": -2}]
        carried = [{**self.CARRIED, "weapon_id": "claw-2"}]
        whole = together(made("page", weapons=pair), made(weapons=pair, default_weapons=carried))
        assert one(whole, "default_weapons", "weapon_id") == "claw-2"

    def test_borrowed_weapons_are_named_by_the_ids_already(self):
        page = made("page", default_weapons=[{**self.CARRIED, "weapon_id": "claw"}])
        lent = Layer(made(models=[], weapons=[], points=[], default_weapons=[{**self.CARRIED, "weapon_id": "claw"}]), borrowed=True)  # fmt: skip
        whole = merged([*split(made("page", default_weapons=[])), lent])
        assert whole["default_weapons"].height == 1
        assert together(page)["default_weapons"].height == 1

    def test_sizes_name_the_stat_line(self):
        size = {**UNIT, "tier": 1, "model": "Boss", "statline": "DIGGERS", "count_min": 1, "count_max": 1}  # fmt: skip
        boss = {**MODEL, "model": "Boss"}
        theirs = made(models=[{**MODEL, "model": "DIGGERS"}], compositions=[size])
        assert one(together(made("page"), theirs), "compositions", "statline") == "Digger"
        several = made("page", models=[{**MODEL, "model": "Diggers"}, boss])
        assert one(together(several, theirs), "compositions", "statline") == "Diggers"

    def test_options_name_the_weapons(self):
        option = {**UNIT, "option": 1, "replaces": ["claw-id"], "choices": ["Claw + Rope", "Rope"]}
        theirs = made(weapons=[{**CLAW, "weapon_id": "claw-id"}], wargear_options=[option])
        page = made("page", weapons=[{**CLAW, "weapon": "CLAW"}])
        row = together(page, theirs)["wargear_options"].row(0, named=True)
        assert (row["replaces"], row["choices"]) == (["CLAW"], ["CLAW + Rope", "Rope"])


QUICK = (Phase.explicit, Phase.reuse, Phase.generate)


class TestNotes:
    def test_a_datasheet_has_the_note_of_its_stat_lines_source(self):
        page = made("page", models=[], datasheets=[{**SHEET, "note": "no stat line"}])
        noted = made(datasheets=[{**SHEET, "note": "only the Boss"}])
        assert one(together(page, noted), "datasheets", "note") == "only the Boss"
        assert one(together(page, made()), "datasheets", "note") is None
        assert one(together(page), "datasheets", "note") == "no stat line"
        lent = Layer(made(datasheets=[]), borrowed=True)
        assert one(merged([*split(page), lent]), "datasheets", "note") == "no stat line"


SOURCES = ("page", "wh40kdc", "wahapedia", "bsdata", "field manual", "someone")


@st.composite
def datasets(draw):
    """What a source says of some of four units under one of several spellings, with gaps."""
    source = draw(st.sampled_from(SOURCES))
    edition = draw(st.sampled_from(["10e", "11e"]))
    day = f"2026-0{draw(st.integers(1, 3))}-01"
    rows = {t: [] for t in ("datasheets", "models", "weapons", "points", "default_weapons", "enhancements", "detachments")}  # fmt: skip
    for unit in draw(st.lists(st.integers(0, 3), unique=True)):
        faction = draw(st.sampled_from(["Space Marines", "Adeptus Astartes"] if unit < 2 else ["Moles", "MOLES"]))  # fmt: skip
        name = draw(st.sampled_from([f"{unit} Digger", f"{unit} Diggers", f"{unit}-DIGGERS"]))
        place = {"faction": faction, "datasheet": name}
        number = draw(st.integers(1, 9))
        rows["datasheets"].append({**SHEET, **place, "models_min": draw(st.sampled_from([None, number]))})  # fmt: skip
        if draw(st.booleans()):
            move = draw(st.sampled_from([None, 5, 6]))
            rows["models"].append({**MODEL, **place, "toughness": number, "move": move})
        if draw(st.booleans()):
            weapon = {"weapon_id": draw(st.sampled_from(["claw", "c"])), "weapon": "Claw"}
            rows["weapons"].append({**CLAW, **place, **weapon, "ap": -number})
            rows["default_weapons"].append(
                {**place, "model": "Digger", "weapon_id": weapon["weapon_id"], "count": number}
            )
        if draw(st.booleans()):
            rows["points"].append({**PRICE, **place, "cost": number})
        status = draw(st.sampled_from(["none", "unread"]))
        trick = {**TRICK, "faction": faction, "cost": number, "status": status}
        if draw(st.booleans()) and not rows["enhancements"]:
            rows["enhancements"].append(trick)
    return build(About(source, day, edition, day), rows)


@settings(max_examples=25, deadline=None, phases=QUICK)
@given(given_sets=st.lists(datasets(), max_size=4, unique_by=lambda d: (d.about.source, d.about.edition)), prefer=st.lists(st.sampled_from(SOURCES), max_size=2))  # fmt: skip
def test_the_order_of_layers_does_not_matter(given_sets, prefer):
    orders = [*permutations(given_sets)][:: max(1, len(given_sets) * 2)]
    first, *others = [together(*order, prefer=prefer) for order in orders] if given_sets else [None]
    if first is None:
        return
    for other in others:
        assert other.about == first.about
        assert other.sources == first.sources
        assert other.set_aside == first.set_aside
        for table in SCHEMAS:
            assert other[table].equals(first[table]), table
    for table, schema in SCHEMAS.items():
        assert schema.is_valid(first[table]), table
    units = first.datasheets.select(
        "edition", pl.col("faction").str.to_lowercase().str.head(2), pl.col("datasheet").str.extract(r"(\d)")
    )  # fmt: skip
    assert not units.is_duplicated().any()


@settings(max_examples=15, deadline=None, phases=QUICK)
@given(datasets(), datasets())
def test_every_value_is_one_that_its_source_gives(one_set, other):
    """Nothing is made up: the source that a price or a stat line names has that value."""
    if one_set.about.source == other.about.source:
        return
    whole = together(one_set, other)
    said = {d.about.source: d for d in (one_set, other)}
    for table, column in (("models", "toughness"), ("points", "cost"), ("weapons", "ap")):
        for source, edition, value in whole[table].select("source", "edition", column).rows():
            theirs = said[source][table].filter(pl.col("edition").cast(pl.String) == edition)
            assert value in theirs[column].to_list()
