"""The notebooks of studies in JupyterLab and as apps, driven by keyboard and mouse."""

from __future__ import annotations

from importlib.util import find_spec
from statistics import median

import pytest
from killcurve.charts.words import percent
from killcurve.explore.army_state import ArmyState
from killcurve.explore.background import Progress
from killcurve.explore.breakpoints_state import BreakpointState, Weapons, broken
from killcurve.explore.efficiency_state import EfficiencyState, Field, measured
from killcurve.explore.list_text import Lists
from killcurve.explore.states import from_json
from killcurve.explore.unit_state import Choices
from killcurve.explore.whole_units import WholeUnits
from killcurve.explore.worth_state import WorthState, worth
from killcurve.study.armies import output
from killcurve.study.armies.attacking import at_distance
from killcurve.study.targets import standard_targets

from tests.browser.page import Notebook
from tests.browser.serving import voila

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")

NOBODY = Progress(lambda *_: None)


def told(delays):
    listed = ", ".join(f"{delay:.2f}" for delay in delays)
    print(f"\nkey press to picture: {listed} s, median {median(delays):.2f} s")


def test_what_rules_are_worth(opened, dataset):
    notebook = opened("03-stratagems.ipynb")
    counts, page = notebook.counts(), notebook.page
    delays = []
    for label, key in (("Shown", "per c"), ("Shown", "in all"), ("Judged by", "wounds")):
        notebook.labelled(label).focus()
        delays.append(notebook.after(lambda key=key: page.keyboard.type(key)))
    notebook.labelled("Find unit", "input").focus()
    delays.append(notebook.after(lambda: page.keyboard.type("tomb blades")))
    told(delays)
    state = from_json(WorthState, notebook.downloaded("-state.json").decode())
    assert (state.unit.datasheet, state.goal) == ("Tomb Blades", "damage")
    exact = worth(WholeUnits(dataset), state, NOBODY)
    without = exact.filter(exact["side"] == "attacker")["damage_without"].drop_nulls()[0]
    assert f"{without:.2f}" in notebook.answer()
    assert notebook.counts() == counts
    notebook.check()


def test_a_faction_s_efficiency(opened, dataset):
    notebook = opened("04-efficiency.ipynb")
    counts, page = notebook.counts(), notebook.page
    delays = []
    notebook.labelled("Phase").focus()
    delays.append(notebook.after(lambda: page.keyboard.type("shooting")))
    notebook.labelled("Measure").focus()
    delays.append(notebook.after(lambda: page.keyboard.type("chance")))
    notebook.ticked("target in cover").focus()
    delays.append(notebook.after(lambda: page.keyboard.press("Space")))
    folded = page.locator(".killcurve-answer summary", has_text="as a picture")
    folded.click()
    page.locator(".killcurve-answer details[open] figure img[alt*='units against']").wait_for()
    assert notebook.downloaded("heat-map.png").startswith(b"\x89PNG")
    row = page.locator(".killcurve-answer .killcurve-heat tr", has_text="Immortals").first
    delays.append(notebook.after(lambda: row.locator("td").nth(3).click()))
    page.locator(".killcurve-answer", has_text="Immortals against").wait_for()
    delays.append(notebook.after(page.locator(".killcurve-answer .killcurve-heat th").first.click))
    units = page.locator(".killcurve-answer .killcurve-heat tbody th").all_inner_texts()
    assert units == sorted(units)
    notebook.labelled("Find unit", "input").focus()
    page.keyboard.type("doomsday ark")
    page.locator(".killcurve-answer", has_text="Doomsday Ark against Guardsmen").wait_for()
    notebook.labelled("Target").focus()
    page.keyboard.type("Rhino")
    page.locator(".killcurve-answer", has_text="Doomsday Ark against Rhino").wait_for()
    told(delays)
    state = from_json(EfficiencyState, notebook.downloaded("-state.json").decode())
    assert (state.unit, state.target) == ("Doomsday Ark", "Rhino (transport)")
    exact = measured(Field(WholeUnits(dataset)), state, NOBODY).filter(
        attacker=state.unit, target=state.target, phase="shooting"
    )
    assert f"{percent(exact['destroyed'].item(), 1)} chance to destroy" in notebook.answer()
    assert notebook.counts() == counts
    notebook.check()


def test_long_work_is_cancelled_and_narrow_pages_have_their_pictures(opened):
    notebook = opened("04-efficiency.ipynb")
    page = notebook.page
    notebook.labelled("Faction").select_option("Adeptus Astartes")
    cancel = page.locator(".killcurve button", has_text="Cancel").first
    cancel.click(timeout=10_000)
    alert = page.locator('.killcurve-answer [role="alert"]')
    alert.filter(has_text="cancelled: measuring all units").wait_for(timeout=10_000)
    notebook.labelled("Faction").select_option("Drukhari")
    notebook.wait_for_answer("against")
    assert page.locator(".killcurve-answer figure img").first.get_attribute("width") == "1200"
    page.set_viewport_size({"width": 420, "height": 900})
    page.locator('.killcurve-answer figure img[width="520"]').first.wait_for(timeout=20_000)
    assert notebook.errors == []


def test_breakpoints_and_editions(opened, dataset):
    notebook = opened("05-breakpoints-and-editions.ipynb")
    counts, page = notebook.counts(), notebook.page
    delays = []
    for label, key in (("Cells tell", "wounds"), ("Grid", "save"), ("Weapon", "disi")):
        notebook.labelled(label).focus()
        delays.append(notebook.after(lambda key=key: page.keyboard.type(key)))
    told(delays)
    state = from_json(BreakpointState, notebook.downloaded("-state.json").decode())
    assert (state.weapon, state.grid, state.cell) == ("Disintegrator cannon", "sv-ap", "damage")
    exact = broken(Weapons(Choices(dataset)), state, NOBODY).states.states
    for edition in ("10e", "11e"):
        assert f"{exact[edition].damage.mean:.2f}" in notebook.answer()
    assert notebook.counts() == counts
    notebook.check()


def test_an_army_list(opened, dataset):
    notebook = opened("06-army-list.ipynb")
    counts, page = notebook.counts(), notebook.page
    entry = notebook.labelled("Army list", "textarea")
    text = entry.input_value()
    entry.fill("nothing of a list")
    page.locator('.killcurve-answer [role="alert"]', has_text="is no army list").wait_for()
    entry.fill(text.replace("Doomsday Ark", "Paper Tigers"))
    page.locator(".killcurve-answer", has_text="Paper Tigers").wait_for()
    delays = []
    for label, key in (("Phase", "fight"), ("Shown", "weak"), ("Shown", "exch")):
        notebook.labelled(label).focus()
        delays.append(notebook.after(lambda key=key: page.keyboard.type(key)))
    notebook.labelled("Turns", "input").focus()
    delays.append(notebook.after(lambda: page.keyboard.press("ArrowUp")))
    notebook.labelled("Shown").focus()
    delays.append(notebook.after(lambda: page.keyboard.type("output")))
    told(delays)
    state = from_json(ArmyState, notebook.downloaded("-state.json").decode())
    army = Lists(dataset).army(state.army)
    where = [at_distance(None, ranged=False)]
    exact = output(army, standard_targets(dataset), where=where).filter(unit=0)
    best = exact["damage"].max()
    assert f"{best:.1f} wounds" in notebook.answer()
    assert notebook.counts() == counts
    notebook.check()


def test_apps_without_code(context, notebooks, tmp_path):
    if find_spec("voila") is None:
        pytest.skip("no Voilà: install the extra 'app'")
    server, address = voila(notebooks, tmp_path)
    try:
        for name, label, key in (
            ("04-efficiency", "Phase", "shooting"),
            ("06-army-list", "Phase", "fight"),
        ):
            notebook = Notebook(context, address.format(f"{name}.ipynb"))
            notebook.wait_for_picture()
            notebook.labelled(label).focus()
            delay = notebook.after(lambda key=key, one=notebook: one.page.keyboard.type(key))
            print(f"\nVoilà, {name}: key press to picture {delay:.2f} s")
            assert "import killcurve" not in notebook.page.locator("body").inner_text()
            notebook.check()
            notebook.page.close()
    finally:
        server.stop()
