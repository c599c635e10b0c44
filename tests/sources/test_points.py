"""Points lists: tiers, prices, wargear, allies, detachments; invented armies."""

from __future__ import annotations

from pathlib import Path

import pytest
from killcurve.sources.importing import import_points
from killcurve.sources.points import read_points
from killcurve.sources.points.lists import copies
from killcurve.study.lines import cost
from killcurve.tables.building import build
from killcurve.tables.dataset import About, DataError, Dataset

from tests.tables.changing import contents

ABOUT = About("made", "7", "11e", "2026-01-01", "CC-BY-4.0", "the makers")
CHOIR = """\
name: Iron Choir
slug: iron-choir
version: "2.0"
firstSeen: 2026-08-01
detachments:
  - name: The Cantor'S Armoury
    dp: 2
    objective: TAKE AND HOLD
    unique: Great-Bell
    enhancements:
      - { name: Tuning Fork (Aura), points: 15 }
      - { name: Second Voice (Upgrade), points: 5 }
  - name: Ring Of Bells
    dp: 1
    objective: DISRUPTION
    enhancements: []
units:
  - name: Anvil’S Guard
    pricing:
      - range: "[1,2]"
        label: Your 1st To 2nd Units Cost
        costs:
          - { models: 5, points: 80 }
          - { models: 10, points: 150 }
          - { models: 1, points: 25, desc: Bell Cart, addon: true }
      - range: "[3,)"
        label: Your 3rd + Unit Costs
        costs:
          - { models: 5, points: 90 }
          - { models: 10, points: 160 }
    role: leader
    attachTo:
      - Nobody
    wargear:
      - { item: storm Gun, points: 5 }
      - { item: Banner, points: 10 }
  - name: Wolf Singers
    pricing:
      - range: "[1,)"
        label: Your Unit Costs
        costs:
          - { models: 3, points: 60, desc: 3 Singers }
          - { models: 6, points: 85, desc: "3 Singers, 3 Wolves" }
          - { models: 6, points: 120, desc: 6 Singers }
    legends: true
  - name: Anvil Guardz
    pricing:
      - range: "[1,)"
        label: Your Unit Costs
        costs:
          - { models: 1, points: 40 }
    wargear:
      - { item: Bell, points: 5 }
"""
CHILD = """\
name: Brass Choir
parent: Iron Choir
version: "2.0"
firstSeen: 2026-08-02
units:
  - name: Anvil's Guard
    groupTitle: Iron Choir
    pricing:
      - range: "[1,)"
        label: Your Unit Costs
        costs:
          - { models: 5, points: 75 }
  - name: Wolf Singers
    groupTitle: Iron Choir
    pricing:
      - range: "[1,)"
        label: Your Unit Costs
        costs:
          - { models: 3, points: 60 }
          - { models: 6, points: 120 }
  - name: Brass Bull
    pricing:
      - range: "[1,)"
        label: Your Unit Costs
        costs:
          - { models: 1, points: 200 }
  - name: Moth Swarm
    pricing:
      - range: "[1,)"
        label: Your Unit Costs
        costs:
          - { models: 1, points: 30 }
"""


def base(**tables: list[dict]) -> Dataset:
    """A dataset that knows the invented units."""
    units = [
        ("Iron Choir", "Anvil's Guard"),
        ("Iron Choir", "Wolf Singers"),
        ("Iron Choir", "Brass Bull"),
        ("Moths", "Moth Swarm"),
    ]
    guard = {"faction": "Iron Choir", "datasheet": "Anvil's Guard"}
    stats = {"range": 24, "attacks": "2", "skill": 3, "strength": "5", "ap": -1, "damage": "2"}
    gun = {**guard, "weapon_id": "gun", "kind": "ranged", "weapon": "Storm gun", "profile": ""}
    old = {**guard, "models": 5, "models_max": 20, "copies_from": 1, "cost": 1}
    armoury = {"faction": "Iron Choir", "detachment": "The Cantor's Armoury"}
    known = {"rules": ["Louder"], "side": "attacker", "effects": ["hit +1"], "status": "modelled"}
    fork = {"side": "attacker", "effects": ["wound +1"], "status": "modelled"}
    rows: dict[str, list[dict]] = {
        "factions": [
            {"faction": "Iron Choir"},
            {"faction": "Moths"},
            *({"faction": f, "parent": "Iron Choir"} for f in ("Brass Choir", "Tin Choir")),
        ],
        "datasheets": [{"faction": f, "datasheet": d, "legends": False} for f, d in units],
        "weapons": [{**gun, "exclusive": False, "keywords": [], **stats}],
        "points": [old, {**old, "copies_from": 9}],
        "allied_points": [{**old, "army": "Moths"}],
        "wargear_costs": [{**guard, "item": "Old gong", "cost": 3, "per": "item"}],
        "detachments": [
            {**armoury, "detachment_points": 3, **known},
            {**armoury, "faction": "Tin Choir", "detachment_points": 3, **known},
        ],
        "enhancements": [{**armoury, "name": "Tuning Fork", "cost": 1, **fork}],
    }
    return build(ABOUT, {**rows, **tables})


def folder(path: Path, **files: str) -> Path:
    into = path / "lists"
    into.mkdir(exist_ok=True)
    for name, text in files.items():
        (into / f"{name}.yaml").write_text(text, encoding="utf-8")
    return into


def read(path: Path, **files: str) -> tuple[Dataset, list[str]]:
    return read_points(folder(path, **(files or {"choir": CHOIR, "child": CHILD})), base())


@pytest.mark.parametrize(
    ("interval", "found"),
    [
        ("[1,2]", (1, 2)),
        ("[3,)", (3, None)),
        ("[1, 1]", (1, 1)),
        ("[0,2]", None),
        ("(1,2)", None),
        ("", None),
    ],
)
def test_an_interval_names_copies(interval, found):
    assert copies(interval) == found


def test_prices_go_by_size_and_copy(tmp_path):
    made, _ = read(tmp_path, choir=CHOIR)
    rows = made.points.filter(datasheet="Anvil's Guard")
    assert rows.select("models", "models_max", "copies_from", "copies_to", "cost").rows() == [
        (5, 5, 1, 2, 80),
        (5, 5, 3, None, 90),
        (6, 10, 1, 2, 150),
        (6, 10, 3, None, 160),
    ]
    assert set(rows.select("source", "edition", "version").rows()) == {
        ("field manual", "11e", "2.0")
    }


@pytest.mark.parametrize(
    ("models", "copy", "points"),
    [
        (5, 1, 80),
        (5, 2, 80),
        (5, 3, 90),
        (5, 7, 90),
        (6, 1, 150),
        (9, 3, 160),
        (10, 2, 150),
        (11, 1, None),
        (4, 1, 80),
    ],
)
def test_a_unit_pays_for_the_smallest_listed_size_that_fits(tmp_path, models, copy, points):
    made, _ = read(tmp_path, choir=CHOIR)
    assert cost(made, "Iron Choir", "Anvil's Guard", models, copy) == points


def test_of_two_prices_of_one_size_the_plainer_stands(tmp_path):
    made, _ = read(tmp_path, choir=CHOIR)
    rows = made.points.filter(datasheet="Wolf Singers").select("models", "models_max", "cost")
    assert rows.rows() == [(3, 3, 60), (4, 6, 120)]
    assert made.set_aside["points"]["another price of the same number of models"] == 1


def test_wargear_and_added_models_are_paid_on_top(tmp_path):
    made, _ = read(tmp_path, choir=CHOIR)
    assert made["wargear_costs"].select("item", "cost", "per").rows() == [
        ("Banner", 10, "item"),
        ("Bell Cart", 25, "model"),
        ("Storm gun", 5, "item"),
    ]


def test_a_unit_without_a_datasheet_is_set_aside_with_the_nearest_name(tmp_path):
    made, warnings = read(tmp_path, choir=CHOIR)
    reason = "no datasheet of that name in Iron Choir"
    assert {t: made.set_aside[t][reason] for t in ("points", "datasheets", "wargear_costs")} == {
        "points": 1,
        "datasheets": 1,
        "wargear_costs": 1,
    }
    assert warnings[0] == (
        "choir.yaml: units without a datasheet: 1: 'Anvil Guardz' (nearest: \"Anvil's Guard\")"
    )


def test_legends_are_as_printed(tmp_path):
    made, _ = read(tmp_path, choir=CHOIR)
    assert dict(made.datasheets.select("datasheet", "legends").rows()) == {
        "Anvil's Guard": False,
        "Wolf Singers": True,
    }


def test_another_army_pays_another_price(tmp_path):
    made, _ = read(tmp_path)
    assert cost(made, "Iron Choir", "Anvil's Guard", 5) == 80
    assert cost(made, "Iron Choir", "Brass Bull", 1) == 200
    rows = made["allied_points"].select("army", "faction", "datasheet", "models_max", "cost").rows()
    assert rows == [
        ("Brass Choir", "Iron Choir", "Anvil's Guard", 5, 75),
        ("Brass Choir", "Moths", "Moth Swarm", 1, 30),
    ]
    assert made.set_aside["points"]["the same price stands in another list"] == 2


def test_a_price_under_a_keyword_is_of_armies_with_it(tmp_path):
    again = CHOIR[CHOIR.index("  - name: Anvil’S") : CHOIR.index("  - name: Wolf")]
    again = again.replace("points: 80", "points: 99").replace(
        "    pricing:", "    groupTitle: Every Model Has The Metal Keyword\n    pricing:"
    )
    made, _ = read(tmp_path, choir=CHOIR + again)
    assert cost(made, "Iron Choir", "Anvil's Guard", 5) == 80
    assert made["allied_points"]["army"].unique().to_list() == ["Metal"]
    assert 99 in made["allied_points"]["cost"].to_list()


def test_detachments_keep_their_rules_and_get_their_price(tmp_path):
    made, warnings = read(tmp_path)
    columns = ("faction", "detachment", "detachment_points", "force_disposition", "unique_tag")
    assert made["detachments"].select(*columns, "status", "source", "version").rows() == [
        (*("Iron Choir", "Ring of Bells", 1, "disruption", None), "unread", "field manual", "2.0"),
        *(
            (
                *(faction, "The Cantor's Armoury", 2, "take and hold", "great bell", "modelled"),
                *("made + field manual", "7 + 2.0"),
            )
            for faction in ("Iron Choir", "Tin Choir")
        ),
    ]
    assert any("stand also for Tin Choir" in warning for warning in warnings)


def test_enhancements_keep_their_effects_and_get_their_cost(tmp_path):
    made, _ = read(tmp_path, choir=CHOIR)
    rows = made["enhancements"].filter(faction="Iron Choir")
    assert rows.select("name", "cost", "upgrade", "effects", "status").rows() == [
        ("Second Voice", 5, True, [], "unread"),
        ("Tuning Fork", 15, False, ["wound +1"], "modelled"),
    ]


def test_a_list_of_an_army_that_is_unknown_is_set_aside(tmp_path):
    made, _ = read(tmp_path, rats=CHOIR.replace("Iron Choir", "Rats"))
    reason = "no faction of the name Rats"
    assert made.set_aside["detachments"] == {reason: 2}
    assert made.set_aside["enhancements"] == {reason: 2}
    assert made.points.is_empty()


def test_the_same_faction_has_two_names(tmp_path):
    sheets = [{"faction": "Adeptus Astartes", "datasheet": "Anvil's Guard", "legends": False}]
    lists = folder(tmp_path, marines=CHOIR.replace("name: Iron Choir", "name: Space Marines"))
    made, _ = read_points(lists, base(datasheets=sheets, factions=[]))
    assert cost(made, "Adeptus Astartes", "Anvil's Guard", 5) == 80


def test_a_range_that_is_not_understood_is_counted(tmp_path):
    made, _ = read(tmp_path, choir=CHOIR.replace("[3,)", "third and on"))
    assert made.set_aside["points"]["the range of copies is not understood"] == 2
    assert made.points.filter(datasheet="Anvil's Guard").height == 2


def test_new_prices_of_a_unit_replace_all_its_old_ones(tmp_path):
    old = base()
    old.save(tmp_path / "kept")
    import_points(folder(tmp_path, choir=CHOIR), tmp_path / "kept")
    whole = Dataset.load(tmp_path / "kept")
    assert whole.points.height == 6
    assert whole["allied_points"].is_empty()
    assert "Old gong" not in whole["wargear_costs"]["item"].to_list()
    assert whole.weapons.equals(old.weapons)
    assert whole.datasheets.height == old.datasheets.height
    assert whole.about.footer == "Data: made 7 + field manual 2.0 of 2026-08-01 · 11th edition"
    assert whole.about.attribution == "the makers"


def test_an_import_is_merged_into_the_folder_and_repeats(tmp_path):
    base().save(tmp_path / "kept")
    lists = folder(tmp_path, choir=CHOIR, child=CHILD)
    first = import_points(lists, tmp_path / "kept")
    before = contents(tmp_path / "kept")
    import_points(lists, tmp_path / "kept")
    assert contents(tmp_path / "kept") == before
    assert first.counts()["points"] == {"read": 11, "kept": 7, "set_aside": 4}
    assert cost(Dataset.load(tmp_path / "kept"), "Iron Choir", "Anvil's Guard", 7, 3) == 160


def test_a_refused_import_writes_nothing(tmp_path):
    lists = folder(tmp_path, choir=CHOIR, broken=CHOIR[:900])
    with pytest.raises(DataError, match=r"broken\.yaml"):
        import_points(lists, tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


def test_a_folder_without_a_dataset_gets_the_default(tmp_path, dataset):
    import_points(folder(tmp_path, choir=CHOIR), tmp_path / "kept")
    whole = Dataset.load(tmp_path / "kept")
    assert whole.points.equals(dataset.points)
    assert whole.weapons.equals(dataset.weapons)


def test_points_need_datasheets_of_their_edition(tmp_path):
    old = [{"faction": "Iron Choir", "datasheet": "X", "legends": False, "edition": "10e"}]
    with pytest.raises(DataError, match="11th edition"):
        read_points(folder(tmp_path, choir=CHOIR), base(datasheets=old))


def test_points_older_than_what_they_replace_are_noted(tmp_path):
    lists = folder(tmp_path, choir=CHOIR.replace("2026-08-01", "2025-01-01"))
    assert "older than" in read_points(lists, base())[1][0]


def test_a_list_that_meta_names_and_is_not_there_is_noted(tmp_path):
    meta = 'version: "3.0"\nlastUpdated: 2026-09-01\nfactions:\n  - choir\n  - rats\n'
    made, warnings = read(tmp_path, choir=CHOIR, meta=meta)
    assert "meta.yaml names 'rats': no such file" in warnings
    assert (made.about.version, made.about.date) == ("3.0", "2026-09-01")


def test_the_default_has_prices_on_top_and_in_other_armies(dataset):
    items = dict(
        dataset["wargear_costs"]
        .filter(datasheet="Victrix Honour Guard")
        .select("item", "cost")
        .rows()
    )
    assert items == {"Banner of macragge": 15, "Blades of honour": 10}
    allied = dataset["allied_points"].filter(datasheet="Bloodletters")
    assert allied.select("army", "models", "cost").rows() == [("World Eaters", 10, 90)]


def test_the_default_has_dispositions_unique_tags_and_upgrades(dataset):
    detachments = dataset["detachments"].filter(faction="Necrons")
    tags = dict(detachments.select("detachment", "unique_tag").rows())
    assert tags["Hypercrypt Legion"] == "hypercrypt"
    assert dataset["detachments"]["force_disposition"].null_count() == 0
    upgrades = dataset["enhancements"].filter(upgrade=True)["name"]
    assert "Tools of Dominion (Upgrade)" in upgrades.to_list()
