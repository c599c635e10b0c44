"""What changed between two datasets: exactly these rows, and none where they are equal."""

from __future__ import annotations

import polars as pl
import pytest
from killcurve.sources.wahapedia import read_export
from killcurve.study.disagreements import between, difference_in_words
from killcurve.tables.dataset import About, Dataset
from killcurve.tables.difference import COLUMNS, difference, not_compared

from tests.conftest import SHARED, needs_shared
from tests.tables.changing import CLAW, MODEL, PRICE, SHEET, TRICK, UNIT, made

NEWT = {"faction": "Newts", "datasheet": "Newt"}
OLD = made()


def test_equal_datasets_differ_in_nothing(dataset):
    for same in (OLD, dataset):
        frame = difference(same, same)
        assert frame.is_empty()
        assert dict(frame.schema) == COLUMNS
    assert difference(Dataset(OLD.about, {}), Dataset(OLD.about, {})).is_empty()


def test_each_changed_value_is_a_row():
    new = made(
        version="2",
        models=[{**MODEL, "toughness": 5, "invulnerable_save": 5}],
        weapons=[{**CLAW, "attacks": "D6", "keywords": ["twin-linked", "lethal hits"]}],
        points=[{**PRICE, "cost": 70, "copies_to": 3}, {**PRICE, "copies_from": 4, "cost": 85}],
        enhancements=[{**TRICK, "cost": 35}],
    )
    assert difference(OLD, new).rows() == [
        ("enhancements", "Moles", "", "Deep Dig (Tunnels)", "cost", "20", "35", 15),
        ("models", "Moles", "Diggers", "Digger", "invulnerable_save", "–", "5", None),
        ("models", "Moles", "Diggers", "Digger", "toughness", "4", "5", 1),
        ("points", "Moles", "Diggers", "5 models", "copies_to", "–", "3", None),
        ("points", "Moles", "Diggers", "5 models", "cost", "80", "70", -10),
        ("points", "Moles", "Diggers", "5 models, from copy 4", "row", None,
         "cost 85, models max 5", None),
        ("weapons", "Moles", "Diggers", "Claw (melee)", "attacks", "3", "D6", None),
        ("weapons", "Moles", "Diggers", "Claw (melee)", "keywords", "lethal hits",
         "lethal hits, twin-linked", None),
    ]  # fmt: skip


def test_rows_that_came_and_went():
    new = made(
        datasheets=[SHEET, {**SHEET, **NEWT, "models_max": 5}],
        models=[MODEL, {**MODEL, **NEWT, "model": "Newt"}],
        weapons=[{**CLAW, "weapon": "Talon", "skill": None, "keywords": ["torrent"]}],
    )
    stats = "move 5, toughness 4, save 3, wounds 2, leadership 6, objective control 2"
    came = [
        ("datasheets", "Newts", "Newt", "datasheet", "row", None,
         "legends false, models min 5, models max 5", None),
        ("models", "Newts", "Newt", "Newt", "row", None, stats, None),
    ]  # fmt: skip
    claw = "range 0, attacks 3, skill 3, strength 4, ap -1, damage 1, keywords lethal hits"
    talon = "range 0, attacks 3, strength 4, ap -1, damage 1, keywords torrent"
    weapons = [
        ("weapons", "Moles", "Diggers", "Claw (melee)", "row", claw, None, None),
        ("weapons", "Moles", "Diggers", "Talon (melee)", "row", None, talon, None),
    ]
    assert difference(OLD, new).rows() == [*came, *weapons]
    back = [(*row[:5], row[6], row[5], None) for row in (*came, *weapons)]
    assert sorted(difference(new, OLD).rows(), key=str) == sorted(back, key=str)


def test_names_are_joined_in_any_spelling():
    respelled = {"faction": "MOLES", "datasheet": "diggers"}
    new = made(
        datasheets=[{**SHEET, **respelled}],
        models=[{**MODEL, **respelled, "model": "The Digger"}],
        weapons=[{**CLAW, **respelled, "weapon": "CLAW"}],
        points=[{**PRICE, **respelled, "cost": 90}],
    )
    assert difference(OLD, new).rows() == [
        ("points", "MOLES", "diggers", "5 models", "cost", "80", "90", 10)
    ]


def test_a_unit_under_another_factions_name_is_joined_where_its_name_is_unique():
    other = {"faction": "Mole Kin"}
    tables = {
        "datasheets": [{**SHEET, **other}],
        "models": [{**MODEL, **other}],
        "weapons": [{**CLAW, **other}],
        "points": [{**PRICE, **other}],
    }
    assert difference(OLD, made(**tables)).is_empty()
    twice = {name: [*rows, {**rows[0], "faction": "Other Kin"}] for name, rows in tables.items()}
    assert set(difference(OLD, made(**twice))["column"]) == {"row"}


def test_several_stat_lines_are_joined_by_name():
    boss = {**MODEL, "model": "Boss", "wounds": 3}
    old = made(models=[MODEL, boss])
    assert difference(old, made(models=[{**MODEL, "wounds": 3}, {**boss, "wounds": 4}])).rows() == [
        ("models", "Moles", "Diggers", "Boss", "wounds", "3", "4", 1),
        ("models", "Moles", "Diggers", "Digger", "wounds", "2", "3", 1),
    ]
    assert difference(old, made(models=[MODEL]))["what"].to_list() == ["Boss"]
    renamed = made(models=[MODEL, {**boss, "model": "Bosses", "wounds": 4}])
    assert difference(old, renamed).select("what", "column", "change").rows() == [
        ("Bosses", "wounds", 1)
    ]
    two_new = made(models=[MODEL, {**boss, "model": "Chief"}, {**boss, "model": "Mate"}])
    assert set(difference(old, two_new)["column"]) == {"row"}


def test_weapons_of_one_name_are_told_apart():
    pair = [CLAW, {**CLAW, "weapon_id": "claw-2", "ap": -2}]
    sharper = [CLAW, {**CLAW, "weapon_id": "claw-2", "ap": -3}]
    assert difference(made(weapons=pair), made(weapons=sharper)).rows() == [
        ("weapons", "Moles", "Diggers", "Claw (melee) #2", "ap", "-2", "-3", -1)
    ]


def test_profiles_are_named():
    gun = {**CLAW, "kind": "ranged", "range": 12, "profile": "hot", "exclusive": True}
    change = difference(made(weapons=[gun]), made(weapons=[{**gun, "range": 18}]))
    assert change.select("what", "column", "change").rows() == [("Claw – hot (ranged)", "range", 6)]


def test_a_table_that_one_side_lacks_is_left_out_and_named():
    new = made(points=[], weapons=[{**CLAW, "ap": -2}])
    assert not_compared(OLD, new) == ["points"]
    assert difference(OLD, new)["table"].to_list() == ["weapons"]


def test_editions():
    tenth = made("wahapedia", "2025-01-01", edition="10e", date="2025-01-01")
    change = made(points=[{**PRICE, "cost": 100}], date="2026-02-02")
    assert difference(tenth, change)["change"].to_list() == [20]
    both = Dataset(
        change.about, {t: pl.concat([tenth[t], change[t]]) for t in ("points", "models")}
    )
    assert difference(tenth, both).filter(pl.col("table") == "points").is_empty()
    assert difference(both, change).is_empty()
    assert between(tenth, change) == "2025-01-01 (10e) and 2026-02-02 (11e)"
    assert between(OLD, change) == "2026-01-01 and 2026-02-02"
    assert between(OLD, made(version="2")) == "wh40kdc 1 and wh40kdc 2"


def test_words():
    new = made(version="2", weapons=[], points=[{**PRICE, "cost": 70}, {**PRICE, "models": 10, "models_max": 10}])  # fmt: skip
    frame = difference(OLD, new)
    assert difference_in_words(frame, OLD, new) == (
        "wh40kdc 1 of 2026-01-01 (11e) → wh40kdc 2 of 2026-01-01 (11e)\n"
        "weapons: not compared, only one of them has any\n"
        "\n"
        "table   values changed  rows came  rows went\n"
        "points               1          1          0\n"
        "\n"
        "points\n"
        "faction  datasheet  row        value  old          new                     change\n"
        "Moles    Diggers    5 models   cost   80           70                         -10\n"
        "Moles    Diggers    10 models         (not there)  cost 80, models max 10"
    )
    assert difference_in_words(frame, OLD, new, most=1).endswith("\n… and 1 more")
    assert difference_in_words(frame.clear(), OLD, OLD).endswith(
        "\nno value differs in what both have"
    )


def test_a_folder_and_the_embedded_default(dataset, tmp_path):
    raider = (pl.col("datasheet") == "Raider") & (pl.col("copies_from") == 1)
    cost = pl.when(raider).then(pl.lit(95)).otherwise("cost").cast(pl.Int64)
    points = dataset.points.with_columns(cost.alias("cost"))
    changed = Dataset(About("mine", "1", "11e", "2026-12-01"), {**dataset.tables, "points": points})
    changed.save(tmp_path)
    assert difference(dataset, Dataset.load(tmp_path)).rows() == [
        ("points", "Drukhari", "Raider", "1 model", "cost", "75", "95", 20)
    ]


@needs_shared
@pytest.mark.skipif(not (SHARED / "real").is_dir(), reason="the exports are not here")
def test_two_exports():
    old, new = (read_export(SHARED / "real" / f"wahapedia-10e-{day}")[0] for day in ("2025-11", "2026-01"))  # fmt: skip
    frame = difference(old, new)
    assert not_compared(old, new) == ["points", "allied_points", "wargear_costs"]
    prices = frame.filter((pl.col("column") == "cost") & pl.col("change").is_not_null())
    assert prices.select("what", "old", "new", "change").rows() == [
        ("The Endless Gift (Daemonic Incursion)", "45", "30", -15),
        ("Trivärg Cyber Implant (Brandfast Oathband)", "30", "40", 10),
        ("Berzerker Glaive (Berzerker Warband)", "25", "35", 10),
        ("Helm of Brazen Ire (Berzerker Warband)", "20", "30", 10),
    ]
    wounds = frame.filter((pl.col("datasheet") == "Transcendent C’tan") & (pl.col("column") == "wounds"))  # fmt: skip
    assert wounds["change"].to_list() == [4]
    sheets = frame.filter(pl.col("table") == "datasheets")
    assert (sheets["old"].null_count(), sheets["new"].null_count()) == (4, 1)
    assert frame.equals(difference(old, new))
    assert UNIT["datasheet"] not in frame["datasheet"]
