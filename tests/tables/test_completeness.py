"""What a dataset holds, from where, how old, and how complete each faction is."""

from __future__ import annotations

from datetime import date

from killcurve.study.holdings import columns, holdings_in_words
from killcurve.tables.collection import Collection
from killcurve.tables.completeness import completeness, sources
from killcurve.tables.dataset import About, Dataset
from killcurve.tables.layers import split
from killcurve.tables.merging import merged

from tests.tables.changing import CLAW, MODEL, PRICE, SHEET, TRICK, made

NEWT = {"faction": "Newts", "datasheet": "Newt"}
TRICKS = [
    TRICK,
    {**TRICK, "name": "Sharp", "side": "attacker", "effects": ["hit +1"], "status": "modelled"},
    {**TRICK, "name": "Odd", "status": "unmodelled"},
    {**TRICK, "name": "New", "status": "unread"},
]
HALF = made(
    datasheets=[SHEET, {**SHEET, "datasheet": "Sleepers"}, {**SHEET, **NEWT}],
    models=[MODEL, {**MODEL, **NEWT}],
    weapons=[CLAW, {**CLAW, "datasheet": "Sleepers"}],
    points=[PRICE, {**PRICE, "models": 10, "models_max": 10}],
    enhancements=TRICKS,
)


def test_each_faction():
    frame = completeness(HALF)
    assert frame.columns == [
        "edition", "faction", "datasheets", "with_stat_line", "with_weapons", "with_points",
        "complete", "rules", "modelled", "partial", "unmodelled", "none", "unread", "effects",
    ]  # fmt: skip
    assert frame.rows() == [
        ("11e", "Moles", 2, 1, 2, 1, 1, 4, 1, 0, 1, 1, 1, 0.5),
        ("11e", "Newts", 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, None),
    ]


def test_each_source():
    other = made("wahapedia", "2025-11-14 19:35:22", edition="10e", date="2025-11-14", points=[])
    frame = sources(merged([*split(other), *split(HALF)]))
    assert frame.rows() == [
        ("10e", "wahapedia", "2025-11-14 19:35:22", "2025-11-14", 4, 4, 1, 0),
        ("11e", "wh40kdc", "1", "2026-01-01", 6, 14, 3, 1),
    ]


def test_the_embedded_default(dataset):
    frame = completeness(dataset)
    assert frame["datasheets"].sum() == dataset.datasheets.height
    assert frame["with_stat_line"].sum() == dataset.datasheets.height
    assert sources(dataset)["rows"].sum() == sum(t.height for t in dataset.tables.values())


def test_nothing_at_all():
    empty = Dataset(About("none", "0", "11e", "2026-01-01"), {})
    assert completeness(empty).is_empty()
    assert sources(empty).is_empty()
    assert "none 0 of 2026-01-01" in holdings_in_words(empty)


def test_words():
    assert holdings_in_words(HALF, today=date(2026, 2, 2)).splitlines() == [
        "wh40kdc 1 of 2026-01-01",
        "",
        "source   version  date        days old  edition  tables  rows  datasheets  priced",
        "wh40kdc        1  2026-01-01        32  11e           6    14           3       1",
        "",
        "rows by table",
        "table         wh40kdc 11e",
        "datasheets              3",
        "models                  2",
        "weapons                 2",
        "points                  2",
        "enhancements            4",
        "",
        "edition  faction  datasheets  with stat line  with weapons  with points  rules  effects",
        "11e      Moles             2               1             2            1      4      50%",
        "11e      Newts             1               1             0            0      0        –",
        "",
        "effects: the share of stratagems, enhancements and detachment rules that are modelled, "
        "or have nothing to model",
    ]
    assert columns(["a"], [["x" * 60]]).endswith("…")


def test_several_sources_in_words():
    """How many rows of each are used, and which of them is believed."""
    weapons = [CLAW, {**CLAW, "datasheet": "Newt"}]
    other = made("bsdata", "2025-01-01", date="2025-01-01", weapons=weapons)
    collection = Collection((*split(HALF), *split(other)), ("prices=bsdata",))
    told = holdings_in_words(collection.merged(), collection, date(2026, 2, 2)).splitlines()
    table = told.index("rows by table: used of those held")
    assert told[table + 1 : table + 7] == [
        "table         bsdata 11e  wh40kdc 11e",
        "datasheets    0 of 1      3",
        "models        0 of 1      2",
        "weapons       1 of 2      2",
        "points        1           0 of 2",
        "enhancements  0 of 1      4",
    ]
    assert "prices: bsdata > field manual > newest of page, wh40kdc, wahapedia" in told
    assert "preferred here: prices=bsdata" in told
    assert sum(line.startswith("bsdata   2025-01-01  2025-01-01       397") for line in told) == 1
