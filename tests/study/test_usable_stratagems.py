"""Which stratagems a study finds for a unit's attacks: core ones once, whoever has them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import polars as pl
import pytest
from killcurve.study.lines import attacker
from killcurve.study.matchup import Circumstances
from killcurve.study.stratagem_value import attack_stratagems, stratagem_value
from killcurve.study.targets import standard_targets
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.reference import compared, core_stratagems

from tests.conftest import SHARED, needs_shared

BOTH = ["COMMAND RE-ROLL", "EPIC CHALLENGE"]


def core_names(found):
    return [s.name for s in found if not s.detachment]


def with_stratagems(dataset, rows):
    return Dataset(dataset.about, {**dataset.tables, "stratagems": rows}, {})


@pytest.fixture
def warden(dataset):
    return attacker(dataset, "Royal Warden")


def core_rows(dataset):
    return dataset.stratagems.filter(detachment="")


def test_the_embedded_dataset_has_the_core_stratagems_of_the_reference(dataset):
    rows = {row["name"]: row for row in core_rows(dataset).rows(named=True)}
    assert len(rows) == core_rows(dataset).height
    assert set(rows) == {entry.name for entry in core_stratagems("11e")}
    for entry in core_stratagems("11e"):
        row = rows[entry.name]
        assert (row["cp"], row["type"], row["turn"]) == (entry.cp, entry.type, entry.turn)
        assert tuple(row["phase"]) == entry.phase
        assert tuple(row["effects"]) == entry.effects
        assert tuple(row["used_by"]) == entry.used_by


def test_core_stratagems_need_their_keywords(dataset, warden):
    assert core_names(attack_stratagems(dataset, warden)) == BOTH
    assert core_names(attack_stratagems(dataset, attacker(dataset, "Raider"))) == BOTH[:1]


def test_they_come_first(dataset, warden):
    places = [(s.detachment, s.name) for s in attack_stratagems(dataset, warden)]
    assert places == sorted(places)
    assert len(places) > len(BOTH)


def test_they_are_there_without_any_row(dataset, warden):
    bare = with_stratagems(dataset, dataset.stratagems.clear())
    assert [s.name for s in attack_stratagems(bare, warden)] == BOTH


def test_a_page_of_the_faction_stands_before_the_row_for_all(dataset, warden):
    own = core_rows(dataset).with_columns(
        faction=pl.lit("Necrons"), cp=pl.lit(3, dtype=pl.Int64), name=pl.col("name").str.replace("-", " ")
    )  # fmt: skip
    both = with_stratagems(dataset, pl.concat([dataset.stratagems, own]))
    found = [s for s in attack_stratagems(both, warden) if not s.detachment]
    assert [(compared(s.name), s.cp) for s in found] == [(compared(n), 3) for n in BOTH]


def test_a_row_that_nobody_read_leaves_the_reference(dataset, warden):
    unread = core_rows(dataset).with_columns(
        effects=pl.lit([], dtype=pl.List(pl.String())), status=pl.lit("unread")
    )
    assert core_names(attack_stratagems(with_stratagems(dataset, unread), warden)) == BOTH


def test_boarding_actions_have_the_same_ones_again(dataset, warden):
    boarding = core_rows(dataset).with_columns(detachment=pl.lit("Boarding Actions"))
    other = boarding.with_columns(name=pl.lit("RAM THE DOOR")).head(1)
    rows = pl.concat([dataset.stratagems, boarding, other])
    found = [
        s
        for s in attack_stratagems(with_stratagems(dataset, rows), warden)
        if s.detachment in ("", "Boarding Actions")
    ]
    assert [s.name for s in found] == [*BOTH, "RAM THE DOOR"]


def test_stratagems_of_another_edition_are_not_the_units(dataset, warden):
    old = dataset.stratagems.with_columns(
        edition=pl.lit("10e", dtype=dataset.stratagems.schema["edition"])
    )
    assert core_names(attack_stratagems(with_stratagems(dataset, old), warden)) == BOTH
    both = with_stratagems(dataset, pl.concat([dataset.stratagems, old]))
    names = Counter((s.detachment, s.name) for s in attack_stratagems(both, warden))
    assert set(names.values()) == {1}
    assert len(names) == len(attack_stratagems(dataset, warden))
    veteran = replace(warden, edition="10e")
    assert len(attack_stratagems(with_stratagems(dataset, old), veteran)) == len(names)


def test_the_rule_state_decides_which_core_stratagems_there_are(dataset, warden):
    expected = [s for s in core_stratagems("10e-2023-06") if s.name in BOTH]
    found = [s for s in attack_stratagems(dataset, warden, "10e-2023-06") if not s.detachment]
    assert [tuple(map(str, s.effects)) for s in found] == [s.effects for s in expected]
    with pytest.raises(DataError, match="no core stratagems of edition '9e'"):
        attack_stratagems(dataset, warden, "9e")


@pytest.mark.parametrize("edition", [None, "10e"])
def test_what_a_command_reroll_is_worth(dataset, warden, edition):
    targets = [t for t in standard_targets(dataset) if t.name == "Intercessors (MEQ)"]
    frame = stratagem_value(dataset, [warden], targets, Circumstances(edition=edition))
    rows = frame.filter(stratagem="COMMAND RE-ROLL")
    assert set(rows["kind"]) == {"ranged", "melee"}
    assert rows["gain_damage"].min() > 0.01
    assert (rows["gain_damage"] == rows["gain_damage_per_cp"]).all()


@needs_shared
def test_pages_list_each_core_stratagem_once(dataset):
    from killcurve.sources.pages import read_pages

    made, _ = read_pages(sorted((SHARED / "seeds").glob("*.txt")), dataset)
    for name in made.datasheets["datasheet"]:
        unit = attacker(made, name)
        found = attack_stratagems(made, unit)
        assert core_names(found) == BOTH[: 1 + ("character" in unit.keywords)]
        assert max(Counter(compared(s.name) for s in found).values()) == 1
