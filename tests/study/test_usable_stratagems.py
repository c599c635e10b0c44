"""Which stratagems a study finds for a unit's attacks: core ones once, whoever has them."""

from __future__ import annotations

from collections import Counter

import polars as pl
import pytest
from killcurve.study.armed import combatant
from killcurve.study.lines import attacker
from killcurve.study.matchup import Circumstances
from killcurve.study.usable import usable
from killcurve.study.worth import rules_worth
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.reference import compared, core_stratagems

from tests.conftest import SHARED, needs_shared

BOTH = ["COMMAND RE-ROLL", "EPIC CHALLENGE"]
"""The core stratagems of a character that fights."""


def found(dataset, unit, *phases, target=None, **how):
    """The stratagems that count for the unit's attacks: in a fight, unless phases are named."""
    target = target or combatant(dataset, "Intercessor Squad")
    frames = [
        rules_worth(dataset, unit, target, phase, Circumstances(**how), sides=["attacker"])
        for phase in phases or ["fight"]
    ]
    return pl.concat(frames).filter(kind="stratagem").sort("detachment", "name")


def core_names(frame):
    return frame.filter(detachment="")["name"].to_list()


def places(frame):
    return frame.select("detachment", "name").rows()


def with_tables(dataset, **tables):
    return Dataset(dataset.about, {**dataset.tables, **tables}, {})


def with_stratagems(dataset, rows):
    return with_tables(dataset, stratagems=rows)


def of_edition(table, edition):
    return table.with_columns(edition=pl.lit(edition, dtype=table.schema["edition"]))


@pytest.fixture
def warden(dataset):
    return combatant(dataset, "Royal Warden")


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
    raider = combatant(dataset, "Raider")
    assert core_names(found(dataset, warden)) == BOTH
    assert core_names(found(dataset, raider)) == [BOTH[0], "CRUSHING IMPACT"]
    assert core_names(found(dataset, warden, "shooting")) == [BOTH[0], "FIRE OVERWATCH"]
    listed = usable(dataset, "Royal Warden", side="attacker").filter(kind="stratagem")
    assert core_names(listed) == [*BOTH, "FIRE OVERWATCH"]


def test_they_come_first(dataset, warden):
    listed = usable(dataset, "Royal Warden", side="attacker").filter(kind="stratagem")
    assert places(listed) == sorted(places(listed))
    assert listed["detachment"][0] == ""
    assert set(places(found(dataset, warden, "shooting", "fight"))) <= set(places(listed))
    assert found(dataset, warden).height > len(BOTH)


def test_they_are_there_without_any_row(dataset, warden):
    bare = with_stratagems(dataset, dataset.stratagems.clear())
    assert found(bare, warden)["name"].to_list() == BOTH


def test_a_page_of_the_faction_stands_before_the_row_for_all(dataset, warden):
    own = core_rows(dataset).with_columns(
        faction=pl.lit("Necrons"), cp=pl.lit(3, dtype=pl.Int64), name=pl.col("name").str.replace("-", " ")
    )  # fmt: skip
    both = with_stratagems(dataset, pl.concat([dataset.stratagems, own]))
    rows = found(both, warden).filter(detachment="").select("name", "cp").rows()
    assert [(compared(name), cp) for name, cp in rows] == [(compared(n), 3) for n in BOTH]


def test_a_row_that_nobody_read_leaves_the_reference(dataset, warden):
    unread = core_rows(dataset).with_columns(
        effects=pl.lit([], dtype=pl.List(pl.String())), status=pl.lit("unread")
    )
    assert core_names(found(with_stratagems(dataset, unread), warden)) == BOTH


def test_boarding_actions_have_the_same_ones_again(dataset, warden):
    boarding = core_rows(dataset).with_columns(detachment=pl.lit("Boarding Actions"))
    other = boarding.with_columns(name=pl.lit("RAM THE DOOR")).head(1)
    made = with_stratagems(dataset, pl.concat([dataset.stratagems, boarding, other]))
    rows = found(made, warden).filter(pl.col("detachment").is_in(["", "Boarding Actions"]))
    assert rows["name"].to_list() == [*BOTH, "RAM THE DOOR"]


def test_stratagems_of_another_edition_are_not_the_units(dataset, warden):
    old = of_edition(dataset.stratagems, "10e")
    only_old = found(with_stratagems(dataset, old), warden)
    assert only_old["name"].to_list() == BOTH
    now = places(found(dataset, warden))
    both = with_stratagems(dataset, pl.concat([dataset.stratagems, old]))
    assert places(found(both, warden)) == now
    assert len(set(now)) == len(now) > len(BOTH)
    tables = {n: of_edition(t, "10e") for n, t in dataset.tables.items() if "edition" in t.columns}
    earlier = with_tables(dataset, **{**tables, "stratagems": both.stratagems})
    assert places(found(earlier, combatant(earlier, "Royal Warden"))) == now


def test_the_rule_state_decides_which_core_stratagems_there_are(dataset, warden):
    expected = {s.name: list(s.effects) for s in core_stratagems("10e-2023-06") if s.name in BOTH}
    then = found(dataset, warden, edition="10e-2023-06").filter(detachment="")
    assert dict(then.select("name", "effects").rows()) == expected
    assert set(expected) == set(BOTH)
    with pytest.raises(DataError, match="no core stratagems of edition '9e'"):
        found(dataset, warden, edition="9e")


@pytest.mark.parametrize("edition", [None, "10e"])
@pytest.mark.parametrize("phase", ["shooting", "fight"])
def test_what_a_command_reroll_is_worth(dataset, warden, phase, edition):
    (row,) = found(dataset, warden, phase, edition=edition).filter(name=BOTH[0]).rows(named=True)
    assert row["gain_damage"] > 0.01
    assert row["gain_damage"] == row["gain_damage_per_cp"]


@needs_shared
def test_pages_list_each_core_stratagem_once(dataset):
    from killcurve.sources.pages import read_pages

    made, _ = read_pages(sorted((SHARED / "seeds").glob("*.txt")), dataset)
    squad = combatant(dataset, "Intercessor Squad")
    for faction, name, edition in made.datasheets.select("faction", "datasheet", "edition").rows():
        keywords = attacker(made, name, faction).keywords
        expected = {
            entry.name
            for entry in core_stratagems(edition)
            if entry.side in ("attacker", "both")
            and (not entry.used_by or keywords.intersection(entry.used_by))
        }
        listed = usable(made, name, faction, side="attacker").filter(kind="stratagem")
        core = core_names(listed.filter(pl.col("effects").list.len() > 0))
        assert sorted(map(compared, core)) == sorted(map(compared, expected)), name
        unit = combatant(made, name, faction)
        for phase in filter(unit.lines, ("shooting", "fight")):
            names = found(made, unit, phase, target=squad)["name"]
            assert max(Counter(map(compared, names)).values()) == 1, name
