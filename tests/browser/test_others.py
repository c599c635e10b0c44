"""The other notebooks in JupyterLab, and one as an app, driven by keyboard and mouse."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from killcurve.explore.compare_state import CompareState, answers
from killcurve.explore.own_state import OwnState, OwnWeapon, question
from killcurve.explore.states import from_json
from killcurve.explore.targets import Targets
from killcurve.explore.unit_state import Choices
from killcurve.study.solve import solve

from tests.browser.page import Notebook
from tests.browser.serving import voila

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")


def test_attackers_are_compared(opened, dataset):
    notebook = opened("02-compare.ipynb")
    counts, page = notebook.counts(), notebook.page
    notebook.labelled("Compared").focus()
    page.keyboard.press("End")  # the last attacker
    page.wait_for_timeout(300)
    assert notebook.labelled("Unit").input_value() == "Intercessor Squad"
    notebook.labelled("Own effects", "textarea").fill("hit +1")
    page.get_by_text("3. 5 Intercessor Squad").wait_for(state="attached")
    slow = notebook.after(
        lambda: notebook.labelled("Against").select_option("all standard profiles")
    )
    quick = notebook.after(lambda: notebook.ticked("for each 100 points").click())
    print(f"\nto all profiles {slow:.2f} s, per point {quick:.2f} s")
    page.locator(".killcurve button", has_text="Find its best").click()
    page.wait_for_timeout(1500)  # the search may be over before its Cancel is seen
    page.locator('.killcurve button[title="Cancel"][disabled]').first.wait_for(timeout=60_000)
    page.wait_for_timeout(1500)  # what was found is shown
    state = from_json(CompareState, notebook.downloaded("-state.json").decode())
    choices = Choices(dataset)
    exact = list(answers(choices, state))
    assert len(exact) == len(state.entries) * len(choices.targets.profiles)
    told = notebook.page.locator(".killcurve-answer table").first.inner_text()
    assert f"{exact[0][2].outcome.damage.mean:.2f}" in told
    assert notebook.counts() == counts
    notebook.check()


def test_own_weapons_and_rules(opened, dataset):
    notebook = opened("07-own-rules.ipynb")
    counts, page = notebook.counts(), notebook.page
    damage = notebook.labelled("Damage", "input")
    damage.focus()
    page.keyboard.press("End")
    page.keyboard.type("D")
    page.locator('.killcurve [role="alert"]', has_text="damage").first.wait_for()
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.type("D6+1")
    one = OwnState((OwnWeapon("Rifle", 5, "2", 3, "5", -1, "D6+1"),))
    mean = solve(question(Targets(dataset), one)).outcome.damage.mean
    notebook.wait_for_answer(f"{mean:.2f} wounds removed")
    page.locator(".killcurve button", has_text="Add a weapon").focus()
    delay = notebook.after(lambda: page.keyboard.press("Enter"))
    print(f"\nanother weapon: {delay:.2f} s")
    state = from_json(OwnState, notebook.downloaded("-state.json").decode())
    assert [weapon.damage for weapon in state.weapons] == ["D6+1", "1"]
    exact = solve(question(Targets(dataset), state)).outcome
    notebook.wait_for_answer(f"{exact.damage.mean:.2f} wounds removed")
    overrides = notebook.labelled("overrides.toml", "textarea")
    overrides.fill(overrides.input_value().replace("effects", "efects"))
    page.locator('.killcurve [role="alert"]', has_text="did you mean 'effects'").wait_for()
    assert notebook.counts() == counts
    notebook.check()


def test_an_app_without_code(context, notebooks, tmp_path):
    if find_spec("voila") is None:
        pytest.skip("no Voilà: install the extra 'app'")
    server, address = voila(notebooks, tmp_path)
    try:
        notebook = Notebook(context, address.format("01-explore-a-unit.ipynb"))
        notebook.wait_for_picture()
        notebook.labelled("Faction").focus()
        delay = notebook.after(lambda: notebook.page.keyboard.type("Tyr"))
        notebook.ticked("target in cover").focus()
        again = notebook.after(lambda: notebook.page.keyboard.press("Space"))
        print(
            f"\nVoilà up in {server.seconds:.1f} s; key press to picture {delay:.2f}, {again:.2f} s"
        )
        assert "import killcurve" not in notebook.page.locator("body").inner_text()
        assert not notebook.page.locator(".killcurve-still").first.is_visible()
        notebook.check()
        notebook.page.close()
    finally:
        server.stop()
