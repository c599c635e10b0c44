"""The real points lists, where they lie beside the project: every row is accounted for."""

from __future__ import annotations

import time
from collections import Counter
from functools import cache
from pathlib import Path

import killcurve
import polars as pl
import pytest
import yaml
from killcurve.sources.importing import import_points
from killcurve.sources.points import read_points
from killcurve.sources.points.lists import Manual, read_manual
from killcurve.study.lines import cost
from killcurve.tables.dataset import Dataset

from tests.conftest import SHARED, needs_shared

pytestmark = needs_shared

LISTS = SHARED / "real" / "points-11e"
COPIES = ["Crimson Fists", "Imperial Fists", "Iron Hands", "Raven Guard", "Salamanders"]
COPIES += ["Ultramarines", "White Scars"]


@cache
def manual() -> Manual:
    return read_manual(LISTS)


@cache
def made() -> tuple[Dataset, tuple[str, ...]]:
    dataset, warnings = read_points(LISTS, killcurve.load())
    return dataset, tuple(warnings)


@cache
def raw() -> list[dict]:
    files = sorted(p for p in Path(LISTS).glob("*.yaml") if p.stem != "meta")
    return [yaml.load(p.read_text(encoding="utf-8"), yaml.CSafeLoader) for p in files]


def units() -> list[dict]:
    return [unit for army in raw() for unit in army["units"]]


def aside(table: str) -> int:
    return sum(made()[0].set_aside.get(table, {}).values())


def test_the_labels_say_what_the_ranges_say():
    labels = Counter(t["label"] for unit in units() for t in unit["pricing"])
    assert labels == {
        "Your Unit Costs": 1267,
        "Your 1st To 2nd Units Cost": 369,
        "Your 3rd + Unit Costs": 369,
        "Your 1st Unit Costs": 108,
        "Your 2nd + Unit Costs": 108,
        "Your 1st To 3rd Units Cost": 61,
        "Your 4th + Unit Costs": 61,
    }
    tiers = Counter(
        tier
        for army in manual().lists
        for unit in army.units
        for tier in {(p.first, p.last) for p in unit.prices}
    )
    assert tiers == {
        (1, None): 1267,
        (1, 2): 369,
        (3, None): 369,
        (1, 1): 108,
        (2, None): 108,
        (1, 3): 61,
        (4, None): 61,
    }


def test_what_is_listed_was_counted():
    lists = manual().lists
    listed = [unit for army in lists for unit in army.units]
    detachments = [d for army in lists for d in army.detachments]
    assert (len(lists), manual().version, manual().date) == (30, "1.1", "2026-07-22")
    assert Counter(d.points for d in detachments) == {1: 101, 2: 182, 3: 63}
    assert sum(d.unique is not None for d in detachments) == 55
    assert sum(unit.legends for unit in listed) == 343
    assert sum(bool(unit.wargear) for unit in listed) == 71
    assert sum(price.addon for unit in listed for price in unit.prices) == 7
    assert sum(len(d.enhancements) for d in detachments) == 1199


def test_every_unit_and_price_is_kept_or_set_aside():
    dataset, _ = made()
    lines = [c for unit in units() for tier in unit["pricing"] for c in tier["costs"]]
    prices = [line for line in lines if not line.get("addon")]
    on_top = sum(len(unit.get("wargear", ())) for unit in units()) + len(lines) - len(prices)
    assert len(units()) == 1805 == dataset.datasheets.height + aside("datasheets")
    kept = dataset.points.height + dataset["allied_points"].height
    assert len(prices) == 2952 == kept + aside("points") + aside("allied_points")
    assert on_top == 88 == dataset["wargear_costs"].height + aside("wargear_costs")


def test_every_detachment_and_enhancement_is_kept():
    dataset, _ = made()
    own = ~pl.col("faction").is_in(COPIES)
    for table, number in (("detachments", 346), ("enhancements", 1199)):
        # What only a chapter without a list has (Blade of Ultramar) is printed for all Marines.
        of_marines = dataset[table].filter(faction="Adeptus Astartes")
        key = ["detachment"] if table == "detachments" else ["detachment", "name"]
        only = dataset[table].filter(~own).join(of_marines, on=key, how="anti")
        assert dataset[table].filter(own).height + only.height == number
        assert aside(table) == 0


def test_most_units_that_are_no_legends_have_a_datasheet():
    _, warnings = made()
    current = [w for w in warnings if "units without a datasheet" in w]
    missing = sum(
        int(w.split("datasheet: ")[1].split(",")[0].split(":")[0])
        - (int(w.split(", ")[1].split(" ")[0]) if "of them Legends" in w else 0)
        for w in current
    )
    assert missing == 18  # titans (8), Orks of before their codex (9), a Defiler


@pytest.mark.parametrize(
    ("faction", "unit", "models", "copy", "points"),
    [
        ("Necrons", "Royal Warden", 1, 1, 50),
        ("Leagues of Votann", "Memnyr Strategist", 1, 9, 45),
        ("Drukhari", "Raider", 1, 3, 75),
        ("Drukhari", "Raider", 1, 4, 85),
        ("Tyranids", "Gargoyles", 10, 1, 80),
        ("Tyranids", "Gargoyles", 11, 1, 155),
        ("Adeptus Astartes", "Outrider Squad", 3, 1, 70),
        ("Adeptus Astartes", "Wolf Guard Headtakers", 6, 2, 170),
        ("Adeptus Astartes", "Wolf Guard Headtakers", 6, 3, 180),
        ("Orks", "Gretchin", 12, 1, 80),
        ("Agents of the Imperium", "Inquisitor", 1, 1, 55),
    ],
)
def test_units_cost_what_their_lists_say(faction, unit, models, copy, points):
    assert cost(made()[0], faction, unit, models, copy) == points


def test_other_armies_pay_other_prices():
    rows = made()[0]["allied_points"]
    found = {
        (army, unit): points
        for army, unit, points in rows.filter(copies_from=1)
        .sort("models", descending=True)
        .select("army", "datasheet", "cost")
        .rows()
    }
    assert found["Blood Angels", "Outrider Squad"] == 75
    assert found["Imperium", "Inquisitor"] == 65
    assert found["World Eaters", "Bloodletters"] == 90
    assert found["Black Templars", "Impulsor"] == 75


def test_names_come_out_as_the_dataset_prints_them():
    dataset, _ = made()
    found = dataset["detachments"].filter(faction="Necrons")
    assert {"The Phaeron’s Armoury", "Hand of the Dynasty"} <= {
        name.replace("'", "’") for name in found["detachment"]
    }
    [row] = (
        dataset["enhancements"].filter(faction="Necrons", name="Quantum Abacus").rows(named=True)
    )
    assert row["cost"] == 15
    addons = dataset["wargear_costs"].filter(per="model").select("datasheet", "item", "cost").rows()
    assert addons == [
        ("Outrider Squad", "Invader ATV", 60),
        ("Tidewall Shieldline", "Tidewall Defence Platform", 20),
    ]


def test_the_import_takes_seconds_and_keeps_everything_else(tmp_path, dataset):
    started = time.perf_counter()
    result = import_points(LISTS, tmp_path / "kept")
    assert time.perf_counter() - started < 20
    whole = Dataset.load(tmp_path / "kept")
    for table in ("models", "weapons", "keywords", "stratagems", "compositions"):
        assert whole[table].equals(dataset[table])
    assert whole.datasheets.height == dataset.datasheets.height
    assert whole.about.attribution == dataset.about.attribution
    counts = result.counts()
    assert counts["datasheets"]["read"] == 1805
    assert counts["points"]["read"] + counts["allied_points"]["read"] == 2952
