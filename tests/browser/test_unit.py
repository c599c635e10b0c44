"""The explorer of a unit in JupyterLab, driven by keyboard and mouse."""

from __future__ import annotations

import json
from statistics import median

import pytest
from killcurve.charts.words import percent
from killcurve.explore.states import from_json
from killcurve.explore.unit_state import Choices, UnitState
from killcurve.explore.unit_view import question
from killcurve.study.solve import solve

from tests.browser.page import Notebook

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def notebook(context, address):
    opened = Notebook(context, address.format("01-explore-a-unit.ipynb"))
    print(f"\nrun all to the first picture: {opened.run_all():.2f} s")
    opened.counts()
    yield opened
    if not opened.page.is_closed():
        opened.close()


def test_a_person_explores(notebook, dataset):
    counts = notebook.counts()
    page = notebook.page
    # by keyboard: letters jump in a list, typing searches, arrows choose, space ticks
    notebook.labelled("Faction").focus()
    notebook.after(lambda: page.keyboard.type("Astra"))
    notebook.labelled("Find unit", "input").focus()
    notebook.after(lambda: page.keyboard.type("cadian shock"))
    notebook.labelled("Models").focus()
    delays = [notebook.after(lambda: page.keyboard.press("End"))]
    for gun in ("Meltagun", "Flamer"):
        notebook.ticked(gun).focus()
        delays.append(notebook.after(lambda: page.keyboard.press("Space")))
    notebook.labelled("Profile").focus()
    delays += [
        notebook.after(lambda key=key: page.keyboard.press(key))
        for key in ("ArrowUp", "ArrowDown", "ArrowUp")
    ]
    for label in ("target in cover", "stationary", "within half range"):
        notebook.ticked(label).focus()
        delays.append(notebook.after(lambda: page.keyboard.press("Space")))
    notebook.labelled("Own effects", "textarea").focus()
    page.keyboard.type("wond +1")
    page.locator(".killcurve mark", has_text="wond").wait_for(timeout=5000)
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    delays.append(notebook.after(lambda: page.keyboard.type("u")))
    page.locator(".killcurve mark").wait_for(state="detached")
    print(
        f"\n20 models, 3 weapon lines; key press to picture: "
        f"{', '.join(f'{d:.2f}' for d in delays)} s, median {median(delays):.2f} s"
    )
    page.locator('.killcurve a[download$="-state.json"]').first.hover()  # pictures come at once
    page.locator('.killcurve a[download$=".png"]').first.wait_for(timeout=3000)
    state = from_json(UnitState, notebook.downloaded("-state.json").decode())
    assert (state.datasheet, state.effects) == ("Cadian Shock Troops", "wound +1")
    assert state.models == 20
    assert len(state.weapons or ()) == 3
    assert set(state.flags) == {"cover", "stationary", "half_range"}
    answer = solve(question(Choices(dataset), state), lenient=True)
    assert f"{answer.outcome.damage.mean:.2f}" in notebook.answer()
    assert percent(answer.outcome.destroyed) in notebook.answer()
    asked = json.loads(notebook.downloaded("-scenario.json"))
    assert solve(asked, lenient=True).outcome.damage.mean == answer.outcome.damage.mean
    assert notebook.downloaded(".csv").startswith(b"series,k,chance")
    assert notebook.downloaded(".png").startswith(b"\x89PNG")
    assert notebook.counts() == counts
    notebook.check()


def test_a_saved_notebook_shows_the_last_answer(notebook, context, address):
    page = notebook.page
    told = notebook.answer().splitlines()[0]
    assert not page.locator(".killcurve-still").first.is_visible()
    page.wait_for_function(
        "told => document.querySelector('.killcurve-still').textContent.includes(told)", arg=told
    )
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_timeout(700)
    notebook.close()
    again = Notebook(context, address.format("01-explore-a-unit.ipynb"))
    still = again.page.locator(".killcurve-still").first
    still.locator("img").first.wait_for(timeout=30_000)
    assert still.inner_text().splitlines()[0] == told
    again.close()
