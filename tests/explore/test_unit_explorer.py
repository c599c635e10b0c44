"""The explorer of a unit, driven through its traits without a browser."""

from __future__ import annotations

import asyncio
import base64
import io
import re
from dataclasses import replace

import pytest
from killcurve.charts.export import finished
from killcurve.charts.presets import PRESETS
from killcurve.charts.style import house_style
from killcurve.engine.target import Against, ModelGroup, Protection, Target
from killcurve.explore.attacks import scenario, weapon
from killcurve.explore.choosing import titled
from killcurve.explore.states import from_json
from killcurve.explore.targets import TargetState, own_target, stats
from killcurve.explore.unit import UnitExplorer
from killcurve.explore.unit_state import Choices, UnitState, default_counts
from killcurve.explore.unit_view import question, unit_view
from killcurve.study.matchup import Circumstances, engage
from killcurve.study.solve import solve
from PIL import Image


@pytest.fixture
def explorer(dataset, monkeypatch):
    """The explorer, without files to keep."""
    monkeypatch.setattr(
        "killcurve.explore.answer_panel.AnswerPanel._pictures_of", lambda *_: iter(())
    )
    return UnitExplorer(dataset)


@pytest.fixture(scope="module")
def choices(dataset):
    return Choices(dataset)


def picture(explorer):
    return explorer.answer.pictures["survival"].value


def test_picture_and_numbers_follow_the_controls(explorer):
    seen = {picture(explorer)}
    explorer.panel.faction.value = "Drukhari"
    seen.add(picture(explorer))
    explorer.panel.unit.search.value = "raider"
    seen.add(picture(explorer))
    explorer.target.profile.value = "Rhino (transport)"
    seen.add(picture(explorer))
    assert len(seen) == 4
    assert explorer.state.datasheet == "Raider"
    assert 'alt="Falling curves' in picture(explorer)
    assert 'alt="Bars' in explorer.answer.pictures["distribution"].value
    exact = solve(question(explorer.choices, explorer.state), lenient=True).outcome
    assert f">{exact.damage.mean:.2f}<" in explorer.answer.numbers.value
    assert f"{exact.slain.mean:.2f} models slain" in explorer.answer.told.value


@pytest.mark.parametrize(
    "unit", ["Royal Warden", "Immortals", "Doomsday Ark", "Triarch Praetorians"]
)
@pytest.mark.parametrize("phase", ["shooting", "fight"])
def test_the_answer_is_that_of_the_study(choices, unit, phase):
    state = choices.settled(UnitState("Necrons", unit, phase=phase, flags=("cover", "half_range")))
    attacker, lines = choices.unit(state), choices.lines(state)
    target = choices.targets.defender(state.target)
    carried = [replace(lines[name], count=count) for name, count in state.weapons]
    exact = engage(attacker, carried, target, Circumstances(flags=frozenset(state.flags)))
    solved = solve(question(choices, state), lenient=True)
    assert solved.outcome.damage.mean == pytest.approx(exact.outcome.damage.mean, abs=1e-12)
    assert solved.outcome.destroyed == pytest.approx(exact.outcome.destroyed, abs=1e-12)


def test_a_choice_that_still_exists_is_kept(explorer):
    explorer.target.profile.value = "Terminators (TEQ)"
    explorer.flags.boxes["cover"].value = True
    explorer.panel.rules.boxes["stratagem: FIRE OVERWATCH"].value = True
    explorer.panel.faction.value = "Orks"
    assert explorer.state.target.profile == "Terminators (TEQ)"
    assert explorer.state.flags == ("cover",)
    assert "stratagem: FIRE OVERWATCH" in explorer.state.rules
    assert "stratagem: FIRE OVERWATCH" in explorer.panel.rules.value


def test_a_state_moves_the_controls(explorer):
    wanted = UnitState(
        "Tyranids",
        "Gargoyles",
        models=20,
        phase="fight",
        weapons=(("Blinding venom", 7),),
        flags=("charged",),
        effects="hit +1",
        target=TargetState("own", toughness=9, save=2),
        edition="10e",
    )
    explorer.state = wanted
    assert explorer.panel.unit.value == "Gargoyles"
    assert explorer.panel.weapons.rows["Blinding venom"][1].value == 7
    assert explorer.flags.boxes["charged"].value
    assert explorer.target.toughness.value == 9
    assert explorer.edition.value == "10e"
    assert from_json(UnitState, explorer.to_json()) == explorer.state
    assert explorer._read() == explorer.state
    space = {
        "UnitExplorer": UnitExplorer,
        "data": None,
        **{k.__name__: k for k in (UnitState, TargetState)},
    }
    code = explorer.code.removeprefix("UnitExplorer(data, ").removesuffix(")")
    assert eval(code, space) == explorer.state


def test_weapons_are_those_of_the_new_unit(explorer):
    explorer.panel.weapons.rows["Relic gauss blaster"][1].value = 4
    assert explorer.state.weapons == (("Relic gauss blaster", 4),)
    explorer.panel.unit.search.value = "immortals"
    assert explorer.state.weapons == (("Gauss blaster", 5),)
    explorer.panel.models.value = 10
    assert explorer.state.weapons == (("Gauss blaster", 10),)


def test_ticking_a_rule_adds_a_second_curve_and_its_cost(explorer, choices):
    state = choices.settled(UnitState("Necrons", "Immortals"))
    name = next(
        key
        for key, rule in choices.offered_rules(
            replace(state, detachment="Awakened Dynasty")
        ).items()
        if rule.cp and not rule.conditions and "hit" in rule.told
    )
    explorer.state = replace(state, detachment="Awakened Dynasty")
    charts = explorer.answer._shown.charts
    assert charts["survival"].data["series"].n_unique() == 1
    explorer.panel.rules.boxes[name].value = True
    charts, helped = explorer.answer._shown.charts, f"with {titled(name.partition(': ')[2])}"
    assert set(charts["survival"].data["series"]) == {"Gauss blaster", helped}
    assert charts["distribution"].title.startswith(f"W{helped[1:]}: ")  # what is shown, not before
    assert "Command points spent" in explorer.answer.numbers.value


def test_conditions_in_quotes_count_once_they_are_ticked(choices):
    detachments = choices.rules.detachments("Necrons")
    state = choices.settled(UnitState("Necrons", "Immortals"))
    for detachment in detachments:
        offered = choices.offered_rules(replace(state, detachment=detachment))
        found = [r for r in offered.values() if len(r.conditions) == 1 and "reroll" in r.told]
        if found:
            break
    rule = found[0]
    state = choices.settled(replace(state, detachment=detachment, rules=(rule.key,)))
    off = solve(question(choices, state), lenient=True).outcome.damage.mean
    shown = unit_view(choices, state)
    assert any("Counts only where it is ticked" in remark for remark in shown.remarks)
    on = choices.settled(replace(state, ticked=rule.conditions))
    assert solve(question(choices, on), lenient=True).outcome.damage.mean > off


def test_cover_and_the_edition_matter(choices):
    state = choices.settled(UnitState("Drukhari", "Raider", flags=("cover",)))
    means = {
        edition: unit_view(choices, replace(state, edition=edition)).numbers["Damage, mean"]
        for edition in ("11e", "10e")
    }
    assert len(set(means.values())) == 2
    plain = unit_view(choices, replace(state, flags=(), edition="11e")).numbers["Damage, mean"]
    assert float(means["11e"]) < float(plain)


def test_a_phrase_that_is_not_understood_is_left_out_and_told(explorer):
    before = explorer.answer.numbers.value
    explorer.panel.effects.entry.value = "wond +1"
    assert "<mark>wond</mark>" in explorer.panel.effects.told.value
    assert "Left out of the own effects" in explorer.answer.remarks.value
    assert explorer.answer.numbers.value == before
    explorer.panel.effects.entry.value = "wound +1"
    assert explorer.answer.numbers.value != before


def test_what_is_wrong_stands_in_place_of_the_answer(explorer, monkeypatch):
    def refuse(*_):
        raise ValueError("too much work: use fewer weapons")

    monkeypatch.setattr("killcurve.explore.unit.unit_view", refuse)
    explorer.flags.boxes["cover"].value = True
    assert 'role="alert"' in explorer.answer.told.value
    assert "use fewer weapons" in explorer.answer.told.value
    assert "<img" not in picture(explorer)
    assert explorer.answer.numbers.value == ""


def test_rules_of_the_target_count_and_cost(explorer):
    bare = solve(question(explorer.choices, explorer.state), lenient=True).outcome.damage.mean
    explorer.answers.detachment.value = "1st Company Task Force"
    explorer.answers.rules.boxes["stratagem: LEGENDARY FORTITUDE"].value = True
    asked = question(explorer.choices, explorer.state)
    assert "damage -1" in asked["target"]["effects"]
    less = solve(asked, lenient=True).outcome.damage.mean
    by_hand = {**asked["target"], "effects": ["damage -1"]}
    assert less == solve({**asked, "target": by_hand}, lenient=True).outcome.damage.mean < bare
    assert f">{less:.2f}<" in explorer.answer.numbers.value
    assert "Command points of the target" in explorer.answer.numbers.value
    series = explorer.answer._shown.charts["survival"].data["series"].unique()
    assert len(series) == 2
    assert from_json(UnitState, explorer.to_json()) == explorer.state
    explorer.target.profile.value = "Questoris Knight"
    assert (explorer.state.target_detachment, explorer.state.target_rules) == ("", ())
    explorer.target.kind.value = "own"
    assert explorer.answers.rules.boxes == {}


def test_conditions_of_the_target_s_rules_are_ticked_with_one_s_own(explorer):
    explorer.answers.detachment.value = "Bastion Task Force"
    explorer.answers.rules.boxes["stratagem: Shock Bombardment"].value = True
    words = "the enemy unit is auspex scanned"
    bare = solve(question(explorer.choices, explorer.state), lenient=True).outcome.damage.mean
    assert f"Counts only where it is ticked that it holds: {words}" in explorer.answer.remarks.value
    explorer.answers.conditions.boxes[words].value = True
    assert explorer.state.ticked == (words,)
    asked = question(explorer.choices, explorer.state)
    assert solve(asked, lenient=True).outcome.damage.mean < bare
    explorer.answers.conditions.boxes[words].value = False
    assert explorer.state.ticked == ()


def bar_limits(explorer):
    """The ends of the axes of the distribution's bars."""
    with house_style():
        axes = finished(explorer.answer._shown.charts["distribution"], "").get_axes()[0]
    return round(axes.get_xlim()[1], 9), round(axes.get_ylim()[1], 9)


def test_the_axes_stay_while_it_is_locked(explorer):
    explorer.target.profile.value = "Guardsmen (GEQ)"
    wide = explorer.answer._shown.charts["survival"].data["k"].max()
    before = bar_limits(explorer)
    explorer.answer.lock.value = True
    explorer.target.profile.value = "Intercessors (MEQ)"
    assert explorer.answer._shown.charts["survival"].data["k"].max() == wide
    assert bar_limits(explorer)[0] == before[0]
    explorer.answer.lock.value = False
    assert bar_limits(explorer)[0] < before[0]
    high = bar_limits(explorer)[1]
    explorer.answer.lock.value = True
    explorer.target.profile.value = "Guardsmen (GEQ)"
    assert bar_limits(explorer)[1] == high > before[1]
    explorer.target.profile.value = "Intercessors (MEQ)"
    explorer.answer.lock.value = False
    assert explorer.answer._shown.charts["survival"].data["k"].max() == 5


@pytest.mark.parametrize("size", ["square", "story"])
def test_files_have_the_size_that_is_chosen(dataset, size):
    explorer = UnitExplorer(dataset)
    assert len(explorer.answer.size.options) == 1 + len(PRESETS)
    explorer.answer.size.value = size
    found = re.search(r'href="data:image/png;base64,([^"]+)"', explorer.answer.files.value)
    picture_ = Image.open(io.BytesIO(base64.b64decode(found[1])))
    assert picture_.size == (PRESETS[size].width, PRESETS[size].height)


def test_what_the_data_does_not_arm_is_told(explorer):
    assert "Fewer attacks" not in explorer.answer.remarks.value
    explorer.panel.faction.value = "Orks"
    explorer.panel.unit.search.value = "boyz"
    told = "Fewer attacks than models: the data has no weapons of Boss Nob (Boyz)"
    assert told in explorer.answer.remarks.value


def test_the_target_s_numbers_stand_below_its_name(explorer):
    explorer.target.profile.value = "Rhino (transport)"
    group = explorer.choices.targets.defender(explorer.state.target).target.groups[0]
    told = f"1 × T{group.toughness} Sv{group.save}+ W{group.wounds}"
    assert told in explorer.target.told.value
    explorer.target.kind.value = "own"
    assert explorer.target.told.value == ""
    ranged = ModelGroup(
        count=3, toughness=6, save=4, wounds=2, invulnerable=(Protection(5, Against.RANGED),)
    )
    assert stats(Target((ranged,))) == "3 × T6 Sv4+ W2, 5+ invulnerable against ranged"


def test_units_of_other_factions_are_told_where_one_searches(explorer):
    explorer.panel.unit.search.value = "gretchin"
    assert "(but 2 in Orks: choose the faction first)" in explorer.panel.unit.told.value
    explorer.panel.unit.search.value = "xyzzy"
    assert "nothing here has “xyzzy” in its name; chosen" in explorer.panel.unit.told.value


def test_the_funnel_has_all_weapons_together(explorer):
    explorer.panel.faction.value = "Drukhari"
    explorer.panel.unit.search.value = "ravager"
    explorer.panel.weapons.rows["Disintegrator cannon"][0].value = True
    view = explorer.answer._shown
    assert view.funnel.height == 2
    drawn = dict(view.charts["stages"].data.select("stage", "mean").rows())
    assert drawn == pytest.approx(view.funnel.drop("weapon").sum().row(0, named=True))
    exact = solve(question(explorer.choices, explorer.state), lenient=True).outcome.stages
    assert drawn["hits"] == pytest.approx(sum(stage.hits for stage in exact))
    assert drawn["hits"] > 0


def test_a_narrow_page_has_a_picture_of_its_own_size(explorer):
    wide = picture(explorer)
    explorer.clicked.value = '["width", "narrow", 1]'
    narrow = picture(explorer)
    assert (' width="1200" ' in wide, ' width="520" ' in narrow) == (True, True)
    explorer.clicked.value = '["width", "narrow", 2]'
    assert picture(explorer) == narrow
    explorer.clicked.value = '["width", "wide", 3]'
    assert picture(explorer) == wide


def test_pictures_to_keep_are_made_when_a_person_reaches_for_them(dataset):
    async def reached():
        explorer = UnitExplorer(dataset)
        while "follow" not in explorer.answer.files.value:
            await asyncio.sleep(0.005)
        assert ".png" not in explorer.answer.files.value
        explorer.clicked.value = '["reach", 1]'
        made = explorer.answer.files.value
        explorer.ask.cancel()
        return made

    made = asyncio.run(reached())
    assert made.count('.png" href="data:image/png') == 3
    assert "follow" not in made
    assert "-state.json" in made


def test_files_to_keep_hold_the_state_and_the_numbers(dataset):
    links = UnitExplorer(dataset).answer.files.value
    for name in ("survival.svg", "survival.png", ".csv", "-state.json", "-scenario.json"):
        assert f'{name}" href="data:' in links
    assert "http" not in links.replace("data:", "")


def test_what_is_saved_is_the_last_answer(explorer, monkeypatch):
    shown, updates = [], []

    class Handle:
        def update(self, data, raw):
            assert raw
            updates.append(data)

    def display(data, raw, **options):
        assert raw
        shown.append(data)
        return Handle() if options.get("display_id") else None

    monkeypatch.setattr("IPython.display.display", display)
    explorer._ipython_display_()
    assert "application/vnd.jupyter.widget-view+json" in shown[0]
    assert picture(explorer) in shown[1]["text/html"]
    explorer.flags.boxes["cover"].value = True
    assert picture(explorer) in updates[-1]["text/html"]
    assert updates[-1]["text/plain"] == explorer.code


def test_profiles_that_exclude_each_other_are_used_once(choices):
    state = choices.settled(UnitState("Adeptus Astartes", "Intercessor Squad"))
    chosen = [name for name, _ in state.weapons]
    assert "Bolt Rifle - Focused Fire" in chosen
    assert "Bolt Rifle - Saturation" not in chosen
    assert "Bolt Pistol" not in chosen
    lines = list(choices.lines(state).values())
    assert "Bolt Pistol" in dict(default_counts(lines, big=True))


def test_a_target_of_its_own_numbers():
    target = own_target(
        TargetState(
            "own",
            count=3,
            toughness=9,
            save=2,
            invulnerable=5,
            wounds=4,
            feel_no_pain=6,
            keywords="Vehicle, Fly",
        )
    )
    (group,) = target.target.groups
    assert (group.count, group.toughness, group.invulnerable) == (3, 9, (Protection(5),))
    assert target.keywords == {"vehicle", "fly"}
    asked = scenario(edition="11e", phase="fight", weapons=[], target=target)
    assert asked["target"]["models"][0]["feel_no_pain"] == 6


def test_a_weapon_keeps_its_line(choices):
    state = choices.settled(UnitState("Necrons", "Royal Warden"))
    line = choices.lines(state)["Relic gauss blaster"]
    told = weapon(line, 3)
    assert told["count"] == 3
    assert told["keywords"] == ["lethal hits", "rapid fire 2"]
