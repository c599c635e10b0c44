"""Explorers of rules' worth, efficiency, breakpoints and army lists: the studies' numbers."""

from __future__ import annotations

import asyncio
import base64
import re
import threading
from dataclasses import replace
from datetime import UTC, datetime

import polars as pl
import pytest
from killcurve.explore import answer_panel
from killcurve.explore.army import ArmyExplorer
from killcurve.explore.army_state import SHOWS, ArmyState
from killcurve.explore.breakpoints import BreakpointExplorer
from killcurve.explore.breakpoints_state import GRIDS, BreakpointState
from killcurve.explore.efficiency import EfficiencyExplorer
from killcurve.explore.efficiency_state import NAME, POINTS, EfficiencyState, in_phase
from killcurve.explore.list_text import ListText
from killcurve.explore.patience import Patience
from killcurve.explore.states import code_of, from_json
from killcurve.explore.targets import TargetState
from killcurve.explore.whole_units import Who
from killcurve.explore.worth import WorthExplorer
from killcurve.explore.worth_state import WorthState
from killcurve.study.armed import combatant, standard_combatants
from killcurve.study.armies import output, redundancy
from killcurve.study.armies.attacking import at_distance
from killcurve.study.breakpoints import strength_toughness
from killcurve.study.editions import compare_editions
from killcurve.study.exchange import exchange, schedule, summary
from killcurve.study.lines import attacker
from killcurve.study.matchup import Circumstances
from killcurve.study.matrix import matrix
from killcurve.study.mustering import fielded
from killcurve.study.targets import standard_targets
from killcurve.study.worth import best_combinations, rules_worth

LIST = """\
Hunters (200 points)

Orks
Incursion (1000 points)

Boyz (75 points)
• 9x Boy
  • 9x Choppa
    9x Slugga
• 1x Boss Nob
  • 1x Power klaw
    1x Slugga

Paper Tigers (50 points)
• 3x Paper claws
"""


def drawn(chart, _, look):
    return f'<img class="{look}" alt="{chart.title} {chart.alt}">'


@pytest.fixture(autouse=True)
def without_files(monkeypatch):
    monkeypatch.setattr(answer_panel, "REST", 0.0)
    monkeypatch.setattr(answer_panel.AnswerPanel, "_pictures_of", lambda *_: iter(()))


def shown(explorer, name):
    return explorer.answer._shown.charts[name].data


def is_kept(explorer, *kinds):
    """The state survives JSON, and its line of code is the state."""
    assert from_json(explorer.kind, explorer.to_json()) == explorer.state
    space = {kind.__name__: kind for kind in (explorer.kind, *kinds)}
    assert eval(code_of(explorer.state), space) == explorer.state
    assert explorer._read() == explorer.state


def test_worth_is_that_of_the_study(dataset):
    state = WorthState(Who("Orks", "Boyz"), phase="fight", cp=1, detachment="War Horde")
    explorer = WorthExplorer(dataset, state, drawn)
    units = [combatant(dataset, name) for name in ("Boyz", "Intercessor Squad")]
    exact = rules_worth(dataset, *units, "fight")
    for side in ("attacker", "defender"):
        of_side = exact.filter((pl.col("side") == side) & (pl.col("gain_points_removed") > 0))
        column = "gain_points_removed"
        assert shown(explorer, side)[column].to_list() == pytest.approx(
            of_side[column].sort(descending=True).to_list()
        )
    best = best_combinations(dataset, *units, "fight", cp=1, detachments=["War Horde"])
    assert shown(explorer, "together")["gain"].max() == pytest.approx(
        best["gain_points_removed"].max()
    )
    explorer.measure.value = "in_rerolls"
    reroll = shown(explorer, "attacker").filter(pl.col("name") == "COMMAND RE-ROLL")
    assert reroll["in_rerolls"].to_list() == [1.0]
    is_kept(explorer, Who)


def test_worth_depends_on_who_and_keeps_what_exists(dataset):
    explorer = WorthExplorer(dataset, WorthState(together=False), drawn)
    explorer.target.unit.search.value = "terminator squad"
    chosen = explorer.state.target
    explorer.unit.faction.value = "Drukhari"
    assert explorer.state.target == chosen
    assert explorer.state.unit.faction == "Drukhari"
    assert explorer.detachment.disabled
    explorer.side.value = "defender"
    assert explorer.answer.pictures["attacker"].value == ""
    explorer.state = replace(explorer.state, detachment="no such", cp=99)
    assert (explorer.state.detachment, explorer.state.cp) == ("", 4)


@pytest.mark.parametrize("phase", ["best", "shooting", "both"])
def test_the_heat_map_is_the_matrix(dataset, phase):
    explorer = EfficiencyExplorer(
        dataset, EfficiencyState(faction="Drukhari", phase=phase, flags=("cover",)), drawn
    )
    units = [combatant(dataset, name, "Drukhari") for name in ("Raider", "Incubi")]
    how = Circumstances(flags=frozenset({"cover"}))
    exact = matrix(units, standard_combatants(dataset), how, phase=phase)
    exact = exact.filter(pl.col("phase").is_not_null(), pl.col("points_removed").is_not_null())
    both = exact.join(shown(explorer, "heat-map"), on=["attacker", "target"], suffix="_shown")
    assert both.height == exact.height > 10
    for column in ("points_removed_per_100", "damage_per_100", "destroyed"):
        assert both[column].to_list() == pytest.approx(both[f"{column}_shown"].to_list())


def rows(explorer):
    return explorer.answer._shown.heat.frame


def test_a_click_chooses_a_cell_and_sorts(dataset):
    explorer = EfficiencyExplorer(
        dataset, EfficiencyState(faction="Drukhari", unit="Raider", phase="shooting"), drawn
    )
    explorer.clicked.value = '["cell", "Ravager", "Rhino (transport)", 1]'
    assert (explorer.state.unit, explorer.target.value) == ("Ravager", "Rhino (transport)")
    assert "Ravager against Rhino (transport)" in explorer.answer.told.value
    cells = re.findall(r'<td aria-current="true" style="[^"]*">([^<]*)</td>',
                       explorer.answer.heat.value)  # fmt: skip
    here = rows(explorer).filter(unit="Ravager")["Rhino (transport)"].item()
    assert [float(cell) for cell in cells] == [pytest.approx(here, abs=0.51)]
    explorer.clicked.value = '["cell", "Incubi", "points", 2]'
    assert (explorer.state.unit, explorer.state.target) == ("Incubi", "Rhino (transport)")
    explorer.clicked.value = '["cell", "", "points", 3]'
    assert (explorer.state.sort, explorer.state.upward) == (POINTS, False)
    explorer.clicked.value = '["cell", "", "points", 4]'
    assert rows(explorer)["points"].is_sorted()
    for nothing in (
        '["cell", "", "models", 5]',
        '["cell", "No such unit", "nor target", 6]',
        "[1, 2, 3]",
        "7",
    ):
        before = explorer.state
        explorer.clicked.value = nothing
        assert (explorer.state.sort, explorer.state.upward) == (before.sort, before.upward)
    assert explorer.state.unit in explorer.units.units("Drukhari")


def test_a_cell_its_table_and_what_comes_back(dataset):
    explorer = EfficiencyExplorer(
        dataset, EfficiencyState(faction="Drukhari", unit="Raider", phase="shooting"), drawn
    )
    folded = explorer.answer.pictures["heat-map"]
    assert "<img" not in folded.value
    explorer.clicked.value = '["open", "heat-map", 1]'
    assert folded.value.count("<img") == 1
    first = shown(explorer, "heat-map")
    explorer.target.value = "Rhino (transport)"
    assert shown(explorer, "heat-map") is first
    assert "<img" not in folded.value
    assert "Raider against Rhino (transport)" in explorer.answer.told.value
    law = shown(explorer, "cell")
    assert law["probability"].sum() == pytest.approx(1.0)
    here = shown(explorer, "heat-map").filter(attacker="Raider", target="Rhino (transport)")
    assert (law["k"] * law["probability"]).sum() == pytest.approx(here["damage"].item())
    explorer.sort.value = "Rhino (transport)"
    assert rows(explorer)["Rhino (transport)"].drop_nulls().is_sorted(descending=True)
    explorer.upward.value = True
    assert rows(explorer)["Rhino (transport)"].drop_nulls().is_sorted()
    explorer.sort.value = NAME
    assert rows(explorer)["unit"].is_sorted(descending=True)
    explorer.sort.value = POINTS
    assert rows(explorer)["points"].is_sorted()
    explorer.measure.value = "log_ratio"
    ratio = shown(explorer, "heat-map").filter(attacker="Raider", target="Intercessors (MEQ)")
    exact = matrix(
        [combatant(dataset, "Raider")], standard_combatants(dataset), phase="shooting"
    ).filter(target="Intercessors (MEQ)")
    assert ratio["log_ratio"].item() == pytest.approx(exact["log_ratio"].item())
    assert explorer.state.unit == "Raider"
    is_kept(explorer, ListText)


def test_the_better_phase_is_the_one_that_removes_more_points():
    rows = [("a", "t", phase, removed, damage) for phase, removed, damage in (
        ("fight", 5.0, 1.0), ("shooting", 3.0, 9.0))]  # fmt: skip
    frame = pl.DataFrame(
        rows, schema=["attacker", "target", "phase", "points_removed", "damage"], orient="row"
    )
    assert in_phase(EfficiencyState(), frame)["phase"].to_list() == ["fight"]
    unknown = frame.with_columns(points_removed=pl.lit(None, pl.Float64))
    assert in_phase(EfficiencyState(), unknown)["phase"].to_list() == ["shooting"]


def test_efficiency_of_a_list(dataset):
    explorer = EfficiencyExplorer(dataset, EfficiencyState(of="list"), drawn)
    assert "there is no list yet" in explorer.answer.told.value
    assert "<img" not in explorer.answer.pictures["heat-map"].value
    explorer.army.entry.value = LIST
    assert set(shown(explorer, "heat-map")["attacker"]) == {"Boyz"}
    assert explorer.state.unit == "Boyz"
    is_kept(explorer, ListText)
    explorer.of.value = "faction"
    assert explorer.state.army.text == LIST


def test_grids_one_more_and_editions_are_those_of_the_studies(dataset):
    state = BreakpointState(Who("Drukhari", "Raider"), weapon="Dark lance", flags=("cover",))
    explorer = BreakpointExplorer(dataset, state, drawn)
    target = next(t for t in standard_targets(dataset) if t.name == "Intercessors (MEQ)")
    how = Circumstances(flags=frozenset({"cover"}))
    exact = strength_toughness(attacker(dataset, "Raider"), "Dark lance", target, how)
    key = ["strength", "toughness"]
    assert shown(explorer, "grid").sort(key)["need"].equals(exact.sort(key)["need"])
    own = shown(explorer, "grid").filter("is_own")["label"].to_list()
    assert own == ["[2+]"]
    states = compare_editions(explorer.weapons.question(explorer.state), lenient=True).states
    for edition in ("11e", "10e"):
        mean = states[edition].damage.mean
        assert explorer.answer._shown.numbers[f"Wounds removed, {edition}"] == f"{mean:.2f}"
    assert states["11e"].damage.mean < states["10e"].damage.mean
    assert "cover" in explorer.answer._shown.funnel["rule"].to_list()
    assert shown(explorer, "one-more")["effect"].n_unique() == 7
    is_kept(explorer, Who, TargetState)


def test_every_grid_and_cell_is_shown(dataset):
    explorer = BreakpointExplorer(dataset, None, drawn)
    for key, grid in GRIDS.items():
        explorer.grid.value = key
        for cell in grid.cells:
            explorer.cell.value = cell
            assert explorer.state.cell == cell
            assert 'role="alert"' not in explorer.answer.told.value
    explorer.unit.unit.search.value = "incubi"
    assert explorer.state.phase == "fight"
    assert explorer.state.grid == "d-w"


def listed(dataset, **more):
    return ArmyExplorer(dataset, ArmyState(ListText(LIST), **more), drawn)


def test_a_list_is_that_of_the_study(dataset):
    explorer = listed(dataset, phase="fight")
    army = explorer.muster.lists.army(explorer.state.army)
    targets = standard_targets(dataset)
    exact = output(army, targets, where=[at_distance(None, ranged=False)]).filter(unit=1)
    told = shown(explorer, "list").sort("target")
    assert told["points_removed_per_100"].to_list() == pytest.approx(
        exact.sort("target")["points_removed_per_100"].to_list()
    )
    assert any("Paper Tigers" in line for line in explorer.answer._shown.remarks)
    explorer.shows.value = "redundancy"
    exact = redundancy(army, targets[:1], copies=3, shooting=False, fighting=True)
    table = explorer.answer._shown.funnel
    assert table["in the best order"].to_list() == exact["best"].to_list()[1:]
    explorer.shows.value = "weak"
    ratios = explorer.answer._shown.funnel["ratio"].to_list()
    assert ratios == sorted(ratios)
    assert explorer.answer._shown.law["weakness"].to_list() == list(range(1, len(ratios) + 1))
    is_kept(explorer, ListText, Who)


def test_an_exchange_of_a_unit_of_the_list(dataset):
    explorer = listed(dataset, shows="exchange")
    other = fielded(dataset, "Intercessor Squad", "Adeptus Astartes")
    unit = explorer.muster.lists.army(explorer.state.army).in_play[0]
    from killcurve.engine.edition import edition

    strikes = schedule(2, edition("11e"), shooting=True, fighting=True)
    exact = summary(exchange(unit.fielded, other, strikes))
    assert explorer.answer._shown.law.equals(exact)
    before = explorer.answer.told.value
    explorer.enemy_first.value = True
    assert explorer.answer.told.value != before


@pytest.mark.parametrize("shows", SHOWS)
@pytest.mark.parametrize("text", ["", "nothing of a list", "Paper Tigers (50 points)"])
def test_what_is_no_list_is_told_in_place(dataset, shows, text):
    explorer = ArmyExplorer(dataset, ArmyState(ListText(text), shows=shows), drawn)
    assert 'role="alert"' in explorer.answer.told.value
    assert "<img" not in explorer.answer.pictures["list"].value
    explorer.army.entry.value = LIST
    assert 'role="alert"' not in explorer.answer.told.value
    assert "<img" in explorer.answer.pictures["list"].value


def opened(name, content):
    when = datetime(2026, 1, 1, tzinfo=UTC)
    told = {"name": name, "type": "", "size": len(content), "last_modified": when}
    return {**told, "content": memoryview(content)}


def test_a_list_s_file_is_opened(dataset):
    explorer = ArmyExplorer(dataset, None, drawn)
    explorer.army.upload.value = (opened("mine.txt", LIST.encode()),)
    assert explorer.state.army == ListText(LIST)
    explorer.army.upload.value = (opened("mine.rosz", b"PK\x03\x04"),)
    assert explorer.state.army.content() == b"PK\x03\x04"
    assert "mine.rosz" in explorer.answer.told.value
    assert 'role="alert"' in explorer.answer.told.value
    damaged = replace(explorer.state, army=ListText("?", "mine.ros"))
    explorer.state = damaged
    assert "open it again" in explorer.answer.told.value
    plain = ListText(base64.b64encode(LIST.encode()).decode(), "mine.txt")
    explorer.state = replace(explorer.state, army=plain)
    assert 'role="alert"' not in explorer.answer.told.value


def test_long_work_is_cancelled_and_not_kept():
    patience, begun = Patience(), threading.Event()

    def work(progress):
        step = 0
        while step < 2000:
            progress.step(step, 2000)
            begun.set()
            threading.Event().wait(0.005)
            step += 1
        return step

    async def done(steps, at_glance):
        glances = 0
        while True:
            try:
                pause = next(steps)
            except StopIteration as end:
                return end.value
            await asyncio.sleep(pause)
            at_glance(glances)
            glances += 1

    def stop(glances):
        if glances == 3:
            assert begun.is_set()
            assert not patience.cancel.disabled
            patience.cancel.click()

    async def person():
        with pytest.raises(ValueError, match="cancelled: counting"):
            await done(patience.steps("question", work, "counting"), stop)
        assert patience.cancel.disabled
        assert "question" not in patience.kept
        assert await done(patience.steps("other", lambda _: 7, "quick"), lambda _: None) == 7
        assert patience.kept.get("other") == 7

    asyncio.run(person())


def test_work_that_is_no_longer_wanted_stops():
    patience, stopped = Patience(), threading.Event()

    def work(progress):
        try:
            while True:
                progress.step(0, 1)
                threading.Event().wait(0.005)
        finally:
            stopped.set()

    async def person():
        steps = patience.steps("question", work, "counting")
        await asyncio.sleep(next(steps))
        steps.close()
        for _ in range(200):
            if stopped.is_set():
                break
            await asyncio.sleep(0.005)
        assert stopped.is_set()

    asyncio.run(person())


def test_combinations_that_fail_leave_the_rest(dataset, monkeypatch):
    def refuse(*_, **__):
        raise ValueError("too much work: choose a detachment")

    monkeypatch.setattr("killcurve.explore.worth.together", refuse)
    explorer = WorthExplorer(dataset, WorthState(), drawn)
    assert "choose a detachment" in explorer.answer.remarks.value
    assert "<img" in explorer.answer.pictures["attacker"].value
    assert explorer.answer.pictures["together"].value == ""


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        (WorthExplorer, WorthState(Who("Drukhari", "Raider"), phase="shooting", together=False)),
        (EfficiencyExplorer, EfficiencyState(faction="Drukhari", phase="shooting")),
        (BreakpointExplorer, BreakpointState(weapon="Dark lance")),
        (ArmyExplorer, ArmyState(ListText(LIST))),
    ],
    ids=["worth", "efficiency", "breakpoints", "army"],
)
def test_what_is_kept_is_not_taken_for_another_question(dataset, kind, state):
    explorer = kind(dataset, state, drawn)
    before = explorer.answer.static()
    explorer.flags.boxes["cover"].value = True
    alone = kind(dataset, explorer.state, drawn)
    assert explorer.answer.static() == alone.answer.static() != before
    explorer.flags.boxes["cover"].value = False
    assert explorer.answer.static() == before
