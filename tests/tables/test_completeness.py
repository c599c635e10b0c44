"""What a dataset holds, from where, how old, and how complete each faction is."""

from __future__ import annotations

from killcurve.study.holdings import columns, holdings_in_words
from killcurve.tables.completeness import completeness, sources
from killcurve.tables.dataset import About, Dataset
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
    other = made("wahapedia", "2025-11-14 19:35:22", edition="10e", points=[])
    frame = sources(merged(other, HALF))
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
    assert holdings_in_words(HALF).splitlines() == [
        "wh40kdc 1 of 2026-01-01",
        "",
        "source   version  date        edition  tables  rows  datasheets  priced",
        "wh40kdc        1  2026-01-01  11e           6    14           3       1",
        "",
        "edition  faction  datasheets  with stat line  with weapons  with points  rules  effects",
        "11e      Moles             2               1             2            1      4      50%",
        "11e      Newts             1               1             0            0      0        –",
        "",
        "effects: the share of stratagems, enhancements and detachment rules that are modelled, "
        "or have nothing to model",
    ]
    assert columns(["a"], [["x" * 60]]).endswith("…")
