"""What is written for people: its examples run, its numbers are ours, and nothing is missing."""

from __future__ import annotations

import json
import math
import re
import tomllib
from pathlib import Path

import pytest
import typer
from killcurve.cli import app
from killcurve.engine import damage, dice, states, target, weapon
from killcurve.engine.decisions import numbers
from killcurve.engine.edition import EDITIONS
from killcurve.rules import choices, conditions, effect_rules, pools, scenario, sides
from killcurve.rules.abilities import ABILITIES, NAMED_ONLY, Ability
from killcurve.rules.edition_changes import DIFFERENCES
from killcurve.rules.effects import Effect
from killcurve.rules.reading import ScenarioError
from killcurve.rules.scenario import OPTIONS
from killcurve.rules.situation import CONTEXT_FLAGS
from killcurve.rules.volley import MOST_GROUPS_WITH_KEYWORDS
from killcurve.study import choosing, editions, explaining
from killcurve.study import solve as solving
from killcurve.study.solve import solve

from tests.conftest import ROOT

MANUAL = ROOT / "data" / "reference" / "scenarios.md"
README = ROOT / "README.md"
TEXT = MANUAL.read_text(encoding="utf-8")
CODE = re.compile(r"`([^`\n]+)`")
WORDS = {
    "solve": lambda asked: solving.in_words(solve(asked)),
    "explain": lambda asked: explaining.in_words(explaining.explain(asked)),
    "compare-editions": lambda asked: editions.in_words(editions.compare_editions(asked)),
}


def blocks(path: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a page: their language and what they hold."""
    return re.findall(r"^```(\w+)\n(.*?)^```", path.read_text(encoding="utf-8"), re.S | re.M)


def asked(path: Path) -> list[tuple[str, str, dict]]:
    """Each block with the scenario it is about: ``attack.json`` is the first, else the last."""
    found, scenarios = [], [{}]
    for language, text in blocks(path):
        if language in ("json", "toml"):
            data = json.loads(text) if language == "json" else tomllib.loads(text)
            if "target" in data:
                scenarios.append(data)
        about = scenarios[1] if "attack.json" in text else scenarios[-1]
        found.append((language, text, about))
    return found


def section(title: str) -> str:
    """What stands under a title, up to the next one of its rank or higher."""
    found = re.search(rf"^(#+) {re.escape(title)}\n(.*?)(?=^#{{1,2}} |^\1 |\Z)", TEXT, re.S | re.M)
    assert found, title
    return found[2]


def first_cells(title: str) -> list[str]:
    """The code in the first column of a section's table."""
    rows = re.findall(r"^\| ([^|]*) \|", section(title), re.M)
    return [code for row in rows for code in CODE.findall(row)]


def examples(kind):
    return [
        pytest.param(*block, id=f"{path.name} {i}")
        for path in (MANUAL, README)
        for i, block in enumerate(asked(path), start=1)
        if kind(*block[:2])
    ]


def test_every_key_of_an_answer_is_explained():
    rules = ["heal 1", "return 1 models", "fight on death 4+"]
    asked = with_effect(WORLDS[0], "target", *rules)
    asked["target"]["points"] = asked["attacker"]["points"] = 100
    answer = told(solve(asked))
    assert set(answer["efficiency"]) <= set(CODE.findall(section("An answer")))
    assert set(answer) - {"edition"} == set(first_cells("An answer"))
    listed = CODE.findall(section("An answer"))
    assert set(answer["stages"][0]) - {"weapon"} <= set(listed)


@pytest.mark.parametrize(
    ("language", "text", "about"), examples(lambda language, _: language in ("json", "toml"))
)
def test_scenarios_run_and_answers_are_theirs(language, text, about):
    data = json.loads(text) if language == "json" else tomllib.loads(text)
    if "target" in data:
        assert sum(solve(data).to_dict()["damage"]["pmf"]) == pytest.approx(1, abs=1e-12)
    else:
        assert_same(solve(about).to_dict(), data, "answer")


def assert_same(got, printed, where):
    """The numbers of an answer, printed with four decimals, and every key of it."""
    if isinstance(printed, dict):
        assert set(got) == set(printed), where
        for key in printed:
            assert_same(got[key], printed[key], f"{where}.{key}")
    elif isinstance(printed, list):
        assert len(got) == len(printed), where
        for i, value in enumerate(printed):
            assert_same(got[i], value, f"{where}[{i}]")
    elif isinstance(printed, str):
        assert got == printed, where
    else:
        assert math.isclose(got, printed, abs_tol=5.1e-5), where


@pytest.mark.parametrize(
    ("_", "text", "about"),
    examples(lambda _, text: text.startswith("$ killcurve") and "wrong.json" not in text),
)
def test_what_commands_print(_, text, about):
    """Printed lines are the command's; ``…`` stands for any number of them."""
    command, *lines = text.splitlines()
    out = WORDS[command.split()[2]](about).splitlines()
    place, skips = 0, command.split()[2] == "explain"
    for line in lines:
        if line == "…":
            skips = True
            continue
        assert line in out[place:], line
        at = out.index(line, place)
        assert skips or at == place, f"{line!r} comes later"
        place, skips = at + 1, False
    assert skips or place == len(out), "there is more"


def test_the_form_of_an_error():
    (text,) = [text for _, text in blocks(MANUAL) if "wrong.json" in text]
    (scenario, *_) = (about for _, _, about in asked(MANUAL))
    scenario["attacker"]["weapons"][0]["keywords"] = ["lethal hit"]
    with pytest.raises(ScenarioError) as wrong:
        solve(scenario)
    printed = json.loads(text.splitlines()[1])
    assert printed == {"error": wrong.value.message, "where": wrong.value.where}


def test_the_same_scenario_in_toml_and_in_the_readme():
    scenarios = [about for language, _, about in asked(MANUAL) if language in ("json", "toml")]
    assert scenarios[0] == scenarios[1]
    assert scenarios[0] in [about for _, _, about in asked(README)]


SIDES = {"Phrases of the attacker": "attacker", "Phrases of the target": "target"}
PHRASES = [(side, phrase) for title, side in SIDES.items() for phrase in first_cells(title)]


@pytest.mark.parametrize(("side", "phrase"), PHRASES)
def test_a_phrase_parses_and_changes_an_answer(side, phrase):
    """What a phrase table lists is computed, in one of some plain situations at least."""
    assert str(Effect.parse(phrase)) == phrase
    plain = [told(solve(with_effect(world, side))) for world in WORLDS]
    changed = [told(solve(with_effect(world, side, phrase))) for world in WORLDS]
    assert plain != changed


def told(answer):
    return {**answer.to_dict(), "choices": None}


def with_effect(world, side, *phrases):
    made = json.loads(json.dumps(world))
    made[side]["effects"] += phrases
    return made


def world(phase, keywords=(), spoiling=(), **context):
    return {
        "phase": phase,
        "attacker": {
            "weapons": [
                {"name": "gun", "attacks": "D3", "skill": 3, "strength": 5, "ap": -2, "damage": "D3",
                 "keywords": list(keywords)}
            ],
            "models": [{"count": 2, "toughness": 5, "save": 4, "wounds": 3}],
            "effects": [],
        },
        "target": {
            "keywords": ["monster"],
            "models": [{"count": 2, "toughness": 5, "save": 4, "wounds": 3}],
            "effects": list(spoiling),
        },
        "context": context,
    }  # fmt: skip


WORLDS = (
    world("shooting", half_range=True),
    world("shooting", ["devastating wounds"]),
    world("shooting", spoiling=["hit -1", "skill -1", "wound -1", "ap -1", "damage -1", "cover"]),
    world("fight"),
    {
        **world("shooting", ["psychic"]),
        "attacker": {**world("shooting", ["psychic"])["attacker"], "effects": ["mortal wounds D3"]},
    },
)


def test_every_kind_of_effect_is_in_a_table():
    listed = [phrase for _, phrase in PHRASES]
    without = section("Phrases without attacks").replace("\n", " ")
    listed += CODE.findall(without)
    kinds = {Effect.parse(phrase).what for phrase in listed}
    assert kinds == set(effect_rules.RULES) | effect_rules.WITHOUT_ATTACKS


@pytest.mark.parametrize("phrase", first_cells("Phrases that are not computed"))
def test_a_phrase_that_is_not_computed_gives_no_number(phrase):
    Effect.parse(phrase)
    side = "attacker" if re.match("hit|skill|ap|attacks", phrase) else "target"
    with pytest.raises(ScenarioError) as caught:
        solve(with_effect(WORLDS[0], side, phrase))
    assert caught.value.where


def test_conditions_and_scopes_parse():
    for condition in first_cells("When"):
        assert conditions.parse(condition)
    listed = {c.words[0] for text in first_cells("When") for c in conditions.parse(text)}
    assert set(conditions.FLAGS) <= listed
    for scope in first_cells("Which weapons"):
        assert Effect.parse(f"hit +1 {scope}").scope
    (phrase,) = [text for language, text in blocks(MANUAL) if text.startswith("damage +1 for")]
    assert len(Effect.parse(phrase).condition) == 2


def test_scoped_phrases_without_rolls_are_as_said():
    unchanged = told(solve(WORLDS[0]))
    assert told(solve(with_effect(WORLDS[0], "target", "wounds +1 for melee"))) == unchanged
    assert told(solve(with_effect(WORLDS[0], "target", "wounds +1 for ranged"))) != unchanged
    assert "after_recovery" in told(solve(with_effect(WORLDS[0], "target", "heal 1 for ranged")))
    with pytest.raises(ScenarioError, match="take 'for psychic' away"):
        solve(with_effect(WORLDS[0], "target", "heal 1 for psychic"))


def test_every_weapon_ability_is_in_the_table():
    listed = {Ability.parse(text).name for text in first_cells("Weapon abilities")}
    assert listed == set(ABILITIES)
    named = section("Weapon abilities").replace("\n", " ")
    assert all(f"`{name}`" in named for name in NAMED_ONLY)
    assert Ability.parse("lethal hits: non-monster/vehicle").excluding


KEYS = {
    "scenario": set(scenario._TOP) - {"context", "choices", "options"},
    "context": {*CONTEXT_FLAGS, "ticked", "distance"},
    "choices": set(choices.CHOICES),
    "options": set(OPTIONS),
    "units": {*sides.ATTACKER, *sides.TARGET},
    "weapons": set(sides._WEAPON),
    "models": set(sides._MODELS),
    "editions": set(EDITIONS),
    "values": {*choices.OBJECTIVES, *choices.LETHAL, *choices.REROLL, *choices.POOLS},
    "phases": set(scenario.PHASES),
}


@pytest.mark.parametrize(
    ("kind", "key"),
    [(kind, key) for kind, keys in KEYS.items() for key in sorted(keys)],
)
def test_every_key_is_explained(kind, key):
    where = section("How rules are read" if kind == "options" else "A scenario, key by key")
    assert key in CODE.findall(where)


SWITCHED = {
    "torrent_ignores_snap": world("shooting", ["torrent"], snap_shooting=True),
    "indirect_flat": world(
        "shooting", ["indirect fire"], ["skill -1"], indirect=True, spotted=True, stationary=True
    ),
    "dw_respects_allocated_dr": world(
        "shooting", ["devastating wounds"], ["damage -1 when allocated"]
    ),
}
"""For each option a question that it changes."""


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("option", OPTIONS)
def test_the_defaults_of_options(option, edition):
    row = re.search(rf"^\| `{option}` \|[^|]*\| `(\w+)`(?: in `11e`, `(\w+)`)?", TEXT, re.M)
    assert row
    default = (row[1] if edition == "11e" else row[2] or row[1]) == "true"
    asked = {**SWITCHED[option], "edition": edition}
    answers = [
        told(solve({**asked, "options": {option: value}})) for value in (default, not default)
    ]
    assert told(solve(asked)) == answers[0] != answers[1]


@pytest.mark.parametrize("difference", [d.name for d in DIFFERENCES])
def test_every_difference_between_rule_states_is_named(difference):
    names = " | ".join(re.findall(r"^\| ([^|]*) \|", section("compare-editions"), re.M))
    assert difference in re.split(r" \| |, ", names)


LIMITS = [
    (dice.MOST_DICE, "{}, and a bonus"),
    (dice.MOST_BONUS, "bonus up to {}"),
    (pools.MOST_DICE, "pool of mortal wounds | {}"),
    (states.MOST_STATES, "{} combinations"),
    (MOST_GROUPS_WITH_KEYWORDS, "| {}; with more"),
    (choosing.MOST_WAYS, "{} ways"),
    (damage.MOST_DICE, "of {} dice; of several"),
    (numbers.MOST_ROLLS, "made by {} dice"),
    (weapon.MOST_WEAPONS, "1 to {}"),
    (target.MOST_MODELS, "1 to {}"),
    (solving.FULL_STAGES, "ten times"),
]


@pytest.mark.parametrize(("limit", "words"), LIMITS, ids=[words for _, words in LIMITS])
def test_limits_are_as_told(limit, words):
    assert words.format(f"{limit:,}") in TEXT
    assert solving.FULL_STAGES == 10


def test_commands_and_their_options_are_told():
    verbs = typer.main.get_command(app).commands
    told_of = TEXT + README.read_text(encoding="utf-8")
    for name in ("solve", "explain", "compare-editions", "import", "report", "manual"):
        assert f"killcurve {name}" in told_of
    for name in ("solve", "explain", "compare-editions"):
        options = [o for p in verbs[name].params for o in p.opts if o.startswith("--")]
        for option in options:
            assert option == "--help" or f"`{option}" in section("Three commands"), option


def test_the_readme_knows_make_and_the_rooms():
    text = README.read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):.*##", makefile, re.M))
    assert set(re.findall(r"make ([a-z]+)", text)) == targets - {"help"}
    rooms = {
        p.name for p in (ROOT / "analysis" / "killcurve").iterdir() if (p / "__init__.py").is_file()
    }
    assert set(re.findall(r"^  (\w+)/ ", text, re.M)) == rooms
    for name in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / name).exists(), name


def test_links_within_the_manual_lead_somewhere():
    titles = {re.sub(r"\W+", "-", t.lower()) for t in re.findall(r"^#+ (.+)$", TEXT, re.M)}
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= titles


def test_lines_of_prose_are_not_too_long():
    for line in TEXT.splitlines():
        assert len(line) <= 110 or line.startswith(("|", "{")), line
