"""The explorers that compare attackers, and of weapons and rules of one's own."""

from __future__ import annotations

import asyncio

import pytest
from killcurve.explore.compare import CompareExplorer
from killcurve.explore.compare_state import CompareState, answers, compare_view, measured
from killcurve.explore.loadouts import best_loadouts, versions
from killcurve.explore.own_rules import OverridesBox, OwnExplorer
from killcurve.explore.own_state import MOST_WEAPONS
from killcurve.explore.states import from_json
from killcurve.explore.unit_state import Choices, UnitState
from killcurve.explore.unit_view import question
from killcurve.study.solve import solve

IMMORTALS = UnitState("Necrons", "Immortals")
BOYZ = UnitState("Orks", "Boyz", phase="fight")


def plain(chart, footer, style):
    """A picture that takes no time."""
    del footer
    return f'<img alt="{chart.alt}" class="{style}">'


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(
        "killcurve.explore.answer_panel.AnswerPanel._pictures_of", lambda *_: iter(())
    )


@pytest.fixture
def compare(dataset):
    return CompareExplorer(dataset, CompareState((IMMORTALS, BOYZ)), draw=plain)


@pytest.fixture
def own(dataset):
    return OwnExplorer(dataset, draw=plain)


class Steady:
    """A progress that only counts."""

    steps = 0

    def step(self, done, total):
        assert 0 <= done < total
        self.steps += 1


def test_attackers_stand_side_by_side(compare):
    shown = compare.answer.pictures["survival"].value
    assert "5 Immortals" in shown
    assert "10 Boyz" in shown
    alone = solve(question(compare.choices, compare.state.entries[0]), lenient=True)
    assert f"5 Immortals {alone.outcome.damage.mean:.2f}" in compare.answer.told.value


def test_a_copy_is_changed_by_itself(compare):
    compare.entries.value = 0
    compare.copy.click()
    compare.panel.effects.entry.value = "hit +1"
    assert [entry.effects for entry in compare.state.entries] == ["", "", "hit +1"]
    labels = [label for label, _ in compare.entries.options]
    assert labels == ["1. 5 Immortals", "2. 10 Boyz", "3. 5 Immortals, hit +1"]
    compare.entries.value = 1
    assert compare.panel.unit.value == "Boyz"
    assert compare.panel.effects.entry.value == ""
    compare.remove.click()
    assert len(compare.state.entries) == 2


def test_up_to_six_and_at_least_one(compare):
    for _ in range(8):
        compare.another.click()
    assert len(compare.state.entries) == 6
    assert compare.another.disabled
    for _ in range(8):
        compare.remove.click()
    assert len(compare.state.entries) == 1
    assert compare.remove.disabled


def test_the_panel_per_point(compare):
    compare.against.value = "panel"
    compare.measure.value = "points_removed"
    compare.per_point.value = True
    frame = measured(list(answers(compare.choices, compare.state)))
    assert frame.height == 2 * len(compare.choices.targets.profiles)
    row = frame.row(0, named=True)
    per = 100 * row["points_removed"] / row["points"]
    assert row["points_removed_per_100"] == pytest.approx(per)
    assert "Heat map" in compare.answer.pictures["comparison"].value
    assert compare.answer.pictures["survival"].value == ""


def test_an_own_target_has_no_points(compare):
    compare.target.kind.value = "own"
    compare.measure.value = "points_removed"
    assert "not known" in compare.answer.told.value
    assert "No cost is known" in compare.answer.remarks.value


def test_circumstances_are_those_of_all(compare):
    before = compare.answer.told.value
    compare.flags.boxes["cover"].value = True
    assert compare.answer.told.value != before
    assert "target in cover" in compare.answer._shown.charts["survival"].subtitle


def test_the_best_loadouts_are_found_and_can_be_cancelled(dataset):
    choices = Choices(dataset)
    entry = choices.settled(UnitState("Drukhari", "Raider"))
    assert len(versions(choices, entry)) == 2
    progress = Steady()
    best = best_loadouts(choices, CompareState((entry,)), progress)
    assert progress.steps == 2
    means = [a.outcome.damage.mean for _, _, a in answers(choices, best)]
    assert means == sorted(means, reverse=True)

    async def person():
        explorer = CompareExplorer(dataset, CompareState((entry,)), draw=plain)
        explorer.search.start.click()
        explorer.search.cancel.click()
        await asyncio.sleep(0.1)
        assert len(explorer.state.entries) == 1
        explorer.search.start.click()
        for _ in range(500):
            await asyncio.sleep(0.01)
            if not explorer.search.is_running:
                break
        assert len(explorer.state.entries) == 2
        explorer.ask.cancel()

    asyncio.run(person())


def test_one_view_has_the_numbers_of_the_others(dataset):
    choices = Choices(dataset)
    state = CompareState((choices.settled(IMMORTALS), choices.settled(BOYZ)))
    found = list(answers(choices, state))
    view = compare_view(state, found)
    assert view.law["damage"].to_list() == [a.outcome.damage.mean for _, _, a in found]
    assert set(view.charts) == {"survival", "comparison"}


def test_own_weapons_are_solved(own):
    own.weapons.rows[0].parts["attacks"].value = "10"
    own.weapons.rows[0].parts["count"].value = 1
    own.target.kind.value = "own"
    own.target.wounds.value = 1
    own.target.count.value = 11
    assert "1.11 wounds removed" in own.answer.told.value  # 10 x 2/3 x 1/2 x 1/3
    assert from_json(type(own.state), own.to_json()) == own.state


def test_a_wrong_weapon_is_told_under_it_and_in_place(own):
    own.weapons.add.click()
    row = own.weapons.rows[1]
    row.parts["damage"].value = "D"
    assert "damage" in row.told.value
    assert "weapon 2 (Weapon 2), damage" in own.answer.told.value
    assert "<img" not in own.answer.pictures["survival"].value
    row.parts["damage"].value = "D3"
    assert row.told.value == ""
    assert "<img" in own.answer.pictures["survival"].value


def test_rows_come_and_go(own):
    for _ in range(MOST_WEAPONS + 2):
        own.weapons.add.click()
    assert len(own.state.weapons) == MOST_WEAPONS
    kept = own.weapons.rows[2].value
    own.weapons.rows[0].remove.click()
    own.weapons.rows[0].remove.click()
    assert own.state.weapons[0] == kept
    assert len(own.state.weapons) == MOST_WEAPONS - 2


def test_effects_of_both_sides_count(own):
    plain_damage = own.answer.told.value
    own.effects.entry.value = "hit +1"
    helped = own.answer.told.value
    own.target_effects.entry.value = "feel no pain 5+"
    assert len({plain_damage, helped, own.answer.told.value}) == 3


def test_overrides_are_checked_in_place(dataset):
    box = OverridesBox(dataset)
    assert "fits the data" in box.told.value
    assert "overrides.toml" in box.files.value
    assert box.dataset is not dataset
    box.entry.value = box.entry.value.replace("effects", "efects")
    assert "did you mean" in box.told.value
    assert "effects" in box.told.value
    assert box.files.value == ""
    assert box.dataset is dataset
    box.entry.value = "[[stratagem"
    assert 'role="alert"' in box.told.value
    assert "/tmp" not in box.told.value
