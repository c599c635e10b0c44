"""The reference against every worked number of RULES.md and the public cases."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from .asking import ALL, TENTH, F, ask, damage, hit, mean, models
from .batchsaves import SaveRoll
from .course import Course, Rounds, nobody_chooses
from .dice import Law, certain, mapped, spread
from .reading import read
from .solve import damage_done, slain, solve
from .target import State, Table, finished
from .volley10 import Firing, Settling, Volley
from .volley11 import Batch, Wounded

CASES = Path(__file__).resolve().parents[2].parent / "shared" / "cases" / "attacks.jsonl"


# §1.2 --------------------------------------------------------------------------------------
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize(
    ("reroll", "hits", "one", "two"),
    [
        (None, F(2, 3), F(5, 6), F(1)),
        ("ones", F(7, 9), F(35, 36), F(7, 6)),
        ("failed", F(8, 9), F(10, 9), F(4, 3)),
        ("noncritical", F(13, 18), F(37, 36), F(4, 3)),
    ],
)
def test_rerolled_hits(edition: str, reroll: str | None, hits: F, one: F, two: F) -> None:
    effects = [f"reroll hits {reroll}"] if reroll else []
    for keywords, wanted in (([], hits), (["sustained hits 1"], one), (["sustained hits 2"], two)):
        assert hit(edition, {"skill": 3, "keywords": keywords}, attacker_effects=effects) == wanted


def test_fishing_for_lethal_hits_ties_at_a_third() -> None:
    """BS3+ and wounding on 5+."""
    weapon, target = {"skill": 3, "strength": 3, "keywords": ["lethal hits"]}, models(toughness=4)
    fished = damage("10e", weapon, target, attacker_effects=["reroll hits noncritical"])
    assert fished == damage("10e", weapon, target, attacker_effects=["reroll hits failed"])


# §1.3 --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("edition", "keywords", "effects", "points"),
    [
        ("11e", ["melta 2"], ["halve damage", "damage -1"], [1, 1, 2, 2, 3, 3]),
        ("10e", ["melta 2"], ["halve damage", "damage -1"], [2, 2, 3, 3, 4, 4]),
        ("11e", ["melta 2"], ["halve damage"], [2, 2, 3, 3, 4, 4]),
        ("10e", ["melta 2"], ["halve damage"], [3, 3, 4, 4, 5, 5]),
        ("11e", ["melta 2"], ["damage = 1"], [3] * 6),
        ("10e", ["melta 2"], ["damage = 1"], [3] * 6),
        ("11e", [], ["halve damage", "damage -1"], [1, 1, 1, 1, 2, 2]),
        ("10e", [], ["halve damage", "damage -1"], [1, 1, 1, 1, 2, 2]),
    ],
)
def test_order_of_damage_modifiers(
    edition: str, keywords: list[str], effects: list[str], points: list[int]
) -> None:
    weapon = {"damage": "D6", "keywords": keywords}
    answer = solve(
        ask(
            edition,
            weapon,
            models(1, wounds=20),
            target_effects=effects,
            context={"half_range": True},
        )
    )
    law = [F(1, 6)] + [F(5, 36) * points.count(number) for number in range(1, max(points) + 1)]
    assert answer["damage"] == law


# §1.4 --------------------------------------------------------------------------------------
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize(
    ("strength", "toughness", "need"),
    [
        (4, 8, 6),
        (4, 7, 5),
        (8, 4, 2),
        (7, 4, 3),
        (3, 5, 5),
        (3, 6, 6),
        (12, 6, 2),
        (12, 7, 3),
        (6, 11, 5),
        (6, 12, 6),
    ],
)
def test_strength_against_toughness(edition: str, strength: int, toughness: int, need: int) -> None:
    assert damage(edition, {"strength": strength}, models(toughness=toughness)) == F(7 - need, 6)


# §2 ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("attacks", "keyword", "phase", "count", "dice"),
    [
        (3, "blast 2", "shooting", 12, 7),
        (3, "cleave 1", "fight", 16, 6),
        (3, "blast", "shooting", 4, 3),
        ("D6", "blast", "shooting", 11, F(11, 2)),
        (2, "rapid fire D3", "shooting", 9, 4),
        (2, "rapid fire D3", "fight", 9, 2),
        (3, "blast", "fight", 12, 3),
        (3, "cleave 1", "shooting", 16, 3),
    ],
)
def test_number_of_attacks(attacks: Any, keyword: str, phase: str, count: int, dice: F) -> None:
    weapon = {"attacks": attacks, "keywords": [keyword], "damage": 1}
    target = models(count, wounds=9)
    assert damage("11e", weapon, target, phase=phase, context={"half_range": True}) == dice * F(
        5, 6
    )


# §3.3, §3.4 --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("strength", "save", "keywords", "automatic", "rolled"),
    [
        (4, 3, [], F(1, 3), F(5, 18)),
        (4, 2, [], F(1, 6), F(2, 9)),
        (4, 3, ["anti-infantry 4+"], F(1, 3), F(1, 2)),
        (5, 3, [], F(1, 3), F(1, 3)),
    ],
)
def test_lethal_hits_or_a_roll(
    strength: int, save: int, keywords: list[str], automatic: F, rolled: F
) -> None:
    weapon = {
        "skill": 6,
        "strength": strength,
        "keywords": ["lethal hits", "devastating wounds", *keywords],
    }
    for lethal, wanted in (
        ("always", automatic),
        ("never", rolled),
        ("optimal", max(automatic, rolled)),
    ):
        assert damage("11e", weapon, models(save=save), choices={"lethal": lethal}) == wanted / 6
    for edition in TENTH:
        assert (
            damage(edition, weapon, models(save=save), choices={"lethal": "never"}) == automatic / 6
        )


INDIRECT = {"indirect": True, "spotted": True, "stationary": True}


@pytest.mark.parametrize(
    ("edition", "skill", "keywords", "effects", "context", "chance"),
    [
        ("11e", 3, [], [], {"cover": True}, F(1, 2)),
        ("11e", 3, ["heavy"], [], {"cover": True, "stationary": True}, F(2, 3)),
        ("11e", 3, ["heavy"], ["hit -1"], {"cover": True, "stationary": True}, F(1, 2)),
        ("11e", 3, [], ["hit -1"], {"cover": True}, F(1, 3)),
        ("11e", 6, [], [], {"cover": True}, F(1, 6)),
        ("11e", 6, [], ["hit -1"], {"cover": True}, F(1, 6)),
        ("11e", 2, [], [], {"plunging_fire": True}, F(5, 6)),
        ("11e", 2, [], ["hit -1"], {"plunging_fire": True}, F(2, 3)),
        ("10e", 3, [], ["hit -1", "hit -1"], {}, F(1, 2)),
        ("10e", 3, [], ["skill -1", "hit -1"], {}, F(1, 3)),
        *[
            ("11e", bs, ["indirect fire"], [], {"indirect": True}, F(1, 6))
            for bs in (2, 3, 4, 5, 6)
        ],
        *[
            ("11e", bs, ["indirect fire"], [], INDIRECT, p)
            for bs, p in zip(
                (2, 3, 4, 5, 6), (F(1, 2), F(1, 2), F(1, 3), F(1, 6), F(1, 6)), strict=True
            )
        ],
        *[
            ("11e", bs, ["indirect fire", "ignores cover"], [], INDIRECT, p)
            for bs, p in zip(
                (2, 3, 4, 5, 6), (F(1, 2), F(1, 2), F(1, 2), F(1, 3), F(1, 6)), strict=True
            )
        ],
        *[
            ("11e", bs, ["indirect fire", "heavy"], [], INDIRECT, p)
            for bs, p in zip(
                (2, 3, 4, 5, 6), (F(1, 2), F(1, 2), F(1, 2), F(1, 3), F(1, 3)), strict=True
            )
        ],
        *[
            ("10e", bs, ["indirect fire"], [], {"indirect": True}, p)
            for bs, p in zip(
                (2, 3, 4, 5, 6), (F(1, 2), F(1, 2), F(1, 3), F(1, 6), F(1, 6)), strict=True
            )
        ],
        ("10e-2023-09", 3, ["indirect fire"], [], {"indirect": True}, F(1, 2)),
        *[
            (edition, 3, ["sustained hits 1"], [], {"snap_shooting": True}, F(1, 3))
            for edition in ALL
        ],
        ("11e", 3, ["psychic"], ["hit -1"], {"cover": True}, F(2, 3)),
        ("10e", 3, ["psychic"], ["hit -1"], {}, F(1, 2)),
        ("11e", 3, [], ["stealth"], {"cover": True}, F(1, 2)),
        ("10e", 3, [], ["stealth"], {"cover": True}, F(1, 2)),
    ],
)
def test_hit_chances(
    edition: str,
    skill: int,
    keywords: list[str],
    effects: list[str],
    context: dict[str, bool],
    chance: F,
) -> None:
    weapon = {"skill": skill, "ap": -3, "keywords": keywords}
    assert hit(edition, weapon, target_effects=effects, context=context) == chance


# §4 ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize(
    ("strength", "toughness", "keywords", "effects", "wounds", "criticals"),
    [
        (4, 10, ["anti-vehicle 4+"], [], F(1, 2), F(1, 2)),
        (4, 10, ["anti-monster 4+"], [], F(1, 6), F(1, 6)),
        (4, 4, [], ["wound +1"], F(2, 3), F(1, 6)),
        (8, 4, [], ["wound -1"], F(2, 3), F(1, 6)),
        (4, 4, ["twin-linked"], [], F(3, 4), F(1, 4)),
        (4, 4, ["twin-linked"], ["reroll wounds noncritical"], F(7, 12), F(11, 36)),
    ],
)
def test_wounds(
    edition: str,
    strength: int,
    toughness: int,
    keywords: list[str],
    effects: list[str],
    wounds: F,
    criticals: F,
) -> None:
    weapon = {"strength": strength, "keywords": keywords}
    other: dict[str, Any] = {"keywords": ["vehicle"], "attacker_effects": effects}
    assert damage(edition, weapon, models(toughness=toughness), **other) == wounds
    weapon["keywords"] = [*keywords, "devastating wounds"]
    seen = damage(edition, weapon, models(toughness=toughness, save=2), **other)
    assert seen == criticals + (wounds - criticals) / 6


# §5 ----------------------------------------------------------------------------------------
def given(scenario: dict[str, Any], *wounds: tuple[int, int]) -> tuple[Table, Law]:
    """11e: the law of the states after these ordinary and devastating wounds, one entry a weapon."""
    table = Table(read(scenario))
    law = certain(table.start)
    for index, (ordinary, devastating) in enumerate(wounds):

        def after(
            state: State, index: int = index, number: tuple[int, ...] = (0, ordinary, devastating)
        ) -> Law:
            batch = Batch(table, index, table.profile(index, state))
            course = Course([Rounds(batch.move, finished)], nobody_chooses)
            return course.run(Wounded(state, state.living, *number))

        law = spread(law, after)
    return table, law


TWO_GROUPS = [models(1, name="A", save=2), models(4, name="B", save=5)]


@pytest.mark.parametrize(
    ("order", "number", "slain_mean"),
    [
        ("AB", 2, F(1, 2)),
        ("BA", 2, F(4, 3)),
        ("AB", 1, F(1, 6)),
        ("AB", 3, F(23, 24)),
        ("BA", 1, F(2, 3)),
        ("BA", 3, F(2)),
    ],
)
def test_sorted_save_dice(order: str, number: int, slain_mean: F) -> None:
    scenario = ask(target=TWO_GROUPS, choices={"allocation": list(order)})
    table, law = given(scenario, (number, 0))
    assert sum(slain(table, state) * chance for state, chance in law.items()) == slain_mean
    if (order, number) == ("AB", 2):
        left = mapped(law, lambda state: tuple(map(len, state.groups)))
        assert left == {(1, 4): F(25, 36), (0, 4): F(1, 9), (0, 3): F(7, 36)}


def test_official_dice() -> None:
    target = [models(2, name="A", save=3, invulnerable=4), models(10, name="B", save=4)]
    table = Table(read(ask("11e", {"ap": -1}, target)))
    roll = SaveRoll(table, table.profile(0, table.start), ((0,), (1,)), 0)
    law = certain(table.start)
    for face in (1, 1, 3, 5, 6):
        law = spread(law, lambda state, face=face: roll.take(state, face, nobody_chooses))
    assert mapped(law, lambda state: tuple(map(len, state.groups))) == {(0, 9): F(1)}


def test_sequential_saves_of_the_tenth_edition() -> None:
    scenario = ask("10e", {"attacks": 2}, TWO_GROUPS, choices={"allocation": ["A", "B"]})
    wanted = F(2, 1) * F(5, 6) * F(1, 6) * F(1, 6) + F(25, 36) * F(5, 12)
    assert mean(solve(scenario)["slain"]) == wanted


@pytest.mark.parametrize(
    ("save", "ap", "invulnerable", "need"),
    [
        (3, 0, None, 3),
        (4, 0, None, 3),
        (3, -1, None, 3),
        (3, -2, 5, 4),
        (2, 0, None, 2),
    ],
)
def test_cover_of_the_tenth_edition(
    save: int, ap: int, invulnerable: int | None, need: int
) -> None:
    target = models(save=save, invulnerable=invulnerable)
    assert damage("10e", {"ap": ap}, target, context={"cover": True}) == F(5, 6) * F(need - 1, 6)


# §6 ----------------------------------------------------------------------------------------
def test_damage_does_not_spill() -> None:
    table, law = given(ask("11e", {"damage": "D6"}, models(3, wounds=3)), (2, 0))
    assert mapped(law, lambda state: slain(table, state)) == {0: F(1, 36), 1: F(19, 36), 2: F(4, 9)}
    assert damage("10e", {"attacks": 10, "skill": 3, "strength": 4}, models(save=3)) == F(10, 9)


@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize(
    ("points", "wounds", "dead"),
    [(3, 3, F(8, 27)), (3, 2, F(20, 27)), (3, 1, F(26, 27)), (2, 2, F(4, 9))],
)
def test_feel_no_pain(edition: str, points: int, wounds: int, dead: F) -> None:
    assert solve(ask(edition, {"damage": points}, models(2, wounds=wounds, feel_no_pain=5)))[
        "slain"
    ][1] == dead * F(5, 6)


@pytest.mark.parametrize(
    ("edition", "slain_mean", "damage_mean"),
    [
        ("10e-2023-06", 1, 3),
        ("10e-2023-09", 1, 2),
        ("10e", 1, 2),
        ("11e", 1, 2),
    ],
)
def test_one_devastating_wound(edition: str, slain_mean: int, damage_mean: int) -> None:
    weapon = {"damage": 3, "keywords": ["devastating wounds"]}
    answer = solve(
        ask(edition, weapon, models(5, wounds=2, save=2), attacker_effects=["critical wounds 2+"])
    )
    assert mean(answer["slain"]) == slain_mean * F(5, 6)
    assert mean(answer["damage"]) == damage_mean * F(5, 6)


TIMING: dict[str, Any] = {
    "target": models(5, wounds=3),
    "weapons": [
        {
            "attacks": 1,
            "skill": None,
            "strength": 8,
            "damage": points,
            "keywords": ["devastating wounds"],
        }
        for points in (2, 3)
    ],
}


def test_devastating_wounds_follow_their_batch() -> None:
    table, law = given(ask("11e", **TIMING), (1, 1), (1, 0))
    assert [slain(table, state) for state in law] == [2]
    assert [damage_done(table, state) for state in law] == [6]


def one_wound(table: Table, index: int, critical: bool, state: State) -> Law:
    """10e: a wounding attack of weapon `index`, allocated and saved or not."""
    volley = Volley(table, index)
    law = volley.allocate(Firing(state, 0), critical, nobody_chooses)
    course = Course([Rounds(volley.move, finished)], nobody_chooses)
    return spread(law, course.run)


def test_devastating_wounds_follow_the_unit() -> None:
    """Late 10e: the first model is dead, the next has one wound left."""
    table = Table(read(ask("10e", **TIMING)))
    law = certain(table.start)
    for index, critical in ((0, False), (0, True), (1, False)):
        law = spread(law, partial(one_wound, table, index, critical))
    law = spread(law, Course(Settling(table, 0).steps(), nobody_chooses).run)
    assert [state.groups[0] for state in law] == [(1, 3, 3, 3)]


@pytest.mark.parametrize(
    ("edition", "effect", "points"),
    [
        ("11e", "damage -1", 2),
        ("11e", "damage -1 when allocated", 3),
        ("10e", "damage -1 when allocated", 2),
        ("10e-2023-09", "damage -1 when allocated", 2),
        ("10e-2023-06", "damage -1 when allocated", 2),
    ],
)
def test_devastating_wounds_and_less_damage(edition: str, effect: str, points: int) -> None:
    weapon = {"damage": 3, "keywords": ["devastating wounds"]}
    other: dict[str, Any] = {"attacker_effects": ["critical wounds 2+"], "target_effects": [effect]}
    assert damage(edition, weapon, models(1, wounds=6, save=2), **other) == points * F(5, 6)


@pytest.mark.parametrize(
    ("edition", "ignored"),
    [("11e", True), ("10e", True), ("10e-2023-09", False), ("10e-2023-06", True)],
)
def test_devastating_wounds_and_pain_of_mortal_wounds(edition: str, ignored: bool) -> None:
    weapon = {"damage": 3, "keywords": ["devastating wounds"]}
    target = models(1, wounds=3, save=2, feel_no_pain={"value": 5, "against": "mortal"})
    answer = solve(ask(edition, weapon, target, attacker_effects=["critical wounds 2+"]))
    assert answer["destroyed"] == F(5, 6) * (F(8, 27) if ignored else 1)


def test_hazardous() -> None:
    weapon = {"keywords": ["hazardous"]}
    assert solve(ask("11e", weapon | {"count": 2}))["self_damage"] == [F(4, 9), F(4, 9), F(1, 9)]
    for edition, chance in (("11e", F(1, 3)), ("10e", F(1, 6)), ("10e-2023-09", F(1, 6))):
        answer = solve(ask(edition, weapon, attacker_keywords=["vehicle"]))
        assert answer["self_damage"] == [1 - chance, 0, 0, chance]
    destroyed = solve(ask("10e-2023-06", weapon, attacker_models=[models(5, wounds=2)]))
    assert destroyed["self_damage"] == [F(5, 6), 0, F(1, 6)]


# §9 ----------------------------------------------------------------------------------------
def test_stratagem_pools() -> None:
    grenades = solve(ask("11e", weapons=[], attacker_effects=["explosives"]))["damage"]
    assert grenades == [F(1, 64), F(3, 32), F(15, 64), F(5, 16), F(15, 64), F(3, 32), F(1, 64)]
    own = [models(1, toughness=10, wounds=12)]
    ram = solve(ask("11e", weapons=[], attacker_effects=["crushing impact"], attacker_models=own))
    assert mean(ram["damage"]) == F(195446, 59049)
    assert ram["damage"][6] == F(1507, 19683)
    assert mean(ram["self_damage"]) == F(25189889, 15116544)
    late = solve(ask("10e", weapons=[], attacker_effects=["tank shock"], attacker_models=own))
    assert late["damage"] == ram["damage"]
    assert late["self_damage"] == [1]
    weapons = [{"count": 0, "attacks": 1, "skill": 3, "strength": 12, "damage": 1}]
    launch = ask(
        "10e-2023-09",
        target=models(toughness=10),
        weapons=weapons,
        attacker_effects=["tank shock"],
        phase="fight",
    )
    assert mean(solve(launch)["damage"]) == F(2358182, 531441)


@pytest.mark.parametrize("edition", ALL)
def test_command_reroll(edition: str) -> None:
    weapon = {"attacks": 5, "skill": 3}
    assert hit(edition, weapon, attacker_effects=["reroll hits one"]) == F(10, 3) + F(422, 729)


# The public cases --------------------------------------------------------------------------
def cases() -> list[Any]:
    if not CASES.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason="the shared cases are not here"))]
    lines = [
        json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    return [pytest.param(case, id=case["id"]) for case in lines]


@pytest.mark.parametrize("case", cases())
def test_case(case: dict[str, Any]) -> None:
    answer, expect = solve(case["scenario"]), case["expect"]
    for key in ("damage", "slain", "self_damage"):
        wanted = expect.get(f"{key}_pmf")
        if wanted is not None:
            got = [float(chance) for chance in answer[key]]
            size = max(len(got), len(wanted))
            padded = zip(
                got + [0.0] * (size - len(got)), wanted + [0.0] * (size - len(wanted)), strict=True
            )
            assert all(abs(one - other) <= 1e-12 for one, other in padded)
    if expect.get("destroyed") is not None:
        assert abs(float(answer["destroyed"]) - expect["destroyed"]) <= 1e-12
