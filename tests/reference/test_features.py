"""Single rules with numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from .asking import ALL, TENTH, F, ask, damage, hit, mean, models
from .reading import read
from .solve import solve
from .target import Table
from .volley11 import orders


def test_abilities_against_keywords() -> None:
    """All wounds are critical, a 2+ save is seen unless they are devastating."""
    weapon: dict[str, Any] = {"keywords": ["devastating wounds: infantry/beasts"]}
    other: dict[str, Any] = {"attacker_effects": ["critical wounds 2+"]}
    assert damage("11e", weapon, models(save=2), **other) == F(5, 6)
    assert damage("11e", weapon, models(save=2), keywords=["vehicle"], **other) == F(5, 36)
    weapon = {"skill": 6, "strength": 2, "keywords": ["lethal hits: non-monster/vehicle"]}
    assert damage("11e", weapon) == F(1, 6)
    assert damage("11e", weapon, keywords=["vehicle", "walker"]) == F(1, 36)


@pytest.mark.parametrize("edition", ALL)
def test_conversion_needs_a_success(edition: str) -> None:
    keywords = ["conversion", "sustained hits 1"]
    for skill, far, near in ((4, F(1), F(2, 3)), (5, F(2, 3), F(1, 2))):
        weapon = {"skill": skill, "keywords": keywords}
        assert hit(edition, weapon, context={"long_range": True}) == far
        assert hit(edition, weapon) == near


@pytest.mark.parametrize("edition", ALL)
def test_a_random_strength_is_rolled_for_each_attack(edition: str) -> None:
    assert damage(edition, {"strength": "D6", "attacks": 2}) == F(15, 18)
    worse = damage(edition, {"strength": "D6"}, target_effects=["wound -1 if strength > toughness"])
    assert worse == F(1 + 1 + 2 + 3 + 3 + 3, 36)


def test_scopes_and_conditions() -> None:
    weapon = {"name": "Big Gun", "strength": 4, "keywords": ["psychic"]}
    for effect, need in (
        ("strength +4", 2),
        ("strength +4 for melee", 4),
        ("strength +4 for ranged", 2),
        ("strength +4 for psychic", 2),
        ("strength +4 for torrent", 4),
        ('strength +4 for "big gun"', 2),
        ("strength +4 if charged", 2),
        ("strength +4 if charged and target_on_objective", 4),
        ("strength +4 if target is monster or infantry", 2),
        ("strength +4 if target is not monster or infantry", 4),
        ("strength +4 if unit is ogryn", 2),
        ("strength +4 for ranged if unit is ogryn and target is not titanic", 2),
        ("lance", 3),
        ("lance, wound +1", 3),
    ):
        other: dict[str, Any] = {"attacker_keywords": ["Ogryn"], "context": {"charged": True}}
        assert damage("11e", weapon, attacker_effects=[effect], **other) == F(7 - need, 6), effect


@pytest.mark.parametrize(
    ("effect", "target_effect", "chance"),
    [
        ("ignore hit modifiers", "hit -1", F(1, 2)),
        ("ignore skill modifiers", "cover", F(1, 2)),
        ("ignore hit modifiers", "cover", F(1, 3)),
        ("hit +1", "hit -1", F(1, 2)),
        ("skill +1", "hit -1", F(1, 2)),
        ("critical hits 5+", "hit -1", F(1, 3)),
        ("snap shooting 5+", "hit -1", F(1, 3)),
    ],
)
def test_modifiers_of_a_hit_on_4(effect: str, target_effect: str, chance: F) -> None:
    answer = hit("11e", {"skill": 4}, attacker_effects=[effect], target_effects=[target_effect])
    assert answer == chance


@pytest.mark.parametrize("edition", ALL)
def test_critical_wounds_with_better_ap(edition: str) -> None:
    answer = damage(edition, {}, models(save=4), attacker_effects=["critical wound ap +1"])
    assert answer == F(1, 6) * F(4, 6) + F(4, 6) * F(3, 6)


@pytest.mark.parametrize("edition", ALL)
def test_saves_rolled_again(edition: str) -> None:
    for kind, fails in (("failed", F(1, 9)), ("ones", F(1, 6) + F(1, 18)), ("one", F(1, 9))):
        answer = damage(edition, {}, models(save=3), target_effects=[f"reroll saves {kind}"])
        assert answer == F(5, 6) * fails


@pytest.mark.parametrize("edition", ALL)
def test_things_used_once(edition: str) -> None:
    other: dict[str, Any] = {"target_effects": ["damage = 0 once"]}
    assert damage(edition, {"attacks": 2, "damage": 2}, models(wounds=9), **other) == F(25, 36) * 2
    weapon = {"skill": 6, "keywords": ["sustained hits 1"]}
    assert hit(edition, weapon, attacker_effects=["set one hit to 6"]) == 2
    assert damage(edition, {"strength": 1}, attacker_effects=["set one wound to 6"]) == 1
    rolled = {"attacks": 1, "damage": "D6"}
    wide = models(wounds=9)
    assert damage(edition, rolled, wide, attacker_effects=["set one damage to 6"]) == 5
    assert damage(edition, rolled, wide, attacker_effects=["reroll damage one"]) == F(5, 6) * F(
        17, 4
    )
    assert damage(edition, {}, models(save=6), target_effects=["set one save to 6"]) == 0
    weapons = [{"attacks": 1, "skill": 3, "strength": 8, "damage": 1}] * 2
    once = damage(edition, weapons=weapons, attacker_effects=["reroll hits one"])
    assert once == F(5, 6) * (F(4, 3) + F(5, 9) * F(2, 3))


@pytest.mark.parametrize("edition", TENTH)
def test_extra_attacks_are_not_modified(edition: str) -> None:
    weapon = {"name": "tail", "keywords": ["extra attacks"]}
    assert damage(edition, weapon, attacker_effects=["attacks +1"]) == F(5, 6)
    named = damage(edition, weapon, attacker_effects=['attacks +1 for "tail"'])
    assert named == (F(5, 3) if edition == "10e" else F(5, 6))


BODYGUARD = models(1, name="guard", save=7)
LEADER = models(1, name="leader", toughness=8, save=7, wounds=2, character=True)


@pytest.mark.parametrize(("edition", "second"), [("11e", F(1, 2)), *((e, F(5, 6)) for e in TENTH)])
def test_toughness_of_the_bodyguard(edition: str, second: F) -> None:
    """The first attack kills the guard; 11e looks again for the second batch."""
    weapons = [{"attacks": 1, "skill": None, "strength": 8, "damage": 1}] * 2
    answer = solve(ask(edition, target=[BODYGUARD, LEADER], weapons=weapons))
    assert answer["damage"] == [F(1, 36), 1 - F(1, 36) - F(5, 6) * second, F(5, 6) * second]


@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize(("keywords", "first_victim"), [(["precision"], 2), ([], 1)])
def test_precision(edition: str, keywords: list[str], first_victim: int) -> None:
    """The named leader (2 wounds) falls before its guard (1 wound)."""
    weapon = {"attacks": 2, "damage": 2, "keywords": keywords}
    answer = solve(ask(edition, weapon, [BODYGUARD, LEADER], choices={"precision": "leader"}))
    assert answer["slain"] == [F(1, 36), F(10, 36), F(25, 36)]
    assert answer["damage"][first_victim] == F(10, 36)
    assert answer["damage"][3] == answer["destroyed"] == F(25, 36)


def test_allocation_groups_of_the_eleventh_edition() -> None:
    groups = [
        models(2, name="a", save=4),
        models(1, name="b", save=3),
        models(1, name="c", save=4, toughness=5),
        models(1, name="d", save=2, wounds=3, wounds_lost=1),
        models(2, name="e", save=2, wounds=4, character=True),
    ]
    table = Table(read(ask(target=groups, choices={"allocation": ["e", "a", "b", "c", "d"]})))
    found = list(orders(table, table.profile(0, table.start), table.start))
    assert found == [((3,), (0, 2), (1,), (4,), (5,))]


@pytest.mark.parametrize("edition", ALL)
def test_mortal_wounds_reach_the_leader_last(edition: str) -> None:
    target = [LEADER | {"wounds_lost": 1}, BODYGUARD]
    answer = solve(ask(edition, target=target, weapons=[], attacker_effects=["mortal wounds D3"]))
    assert answer["slain"] == [0, F(1, 3), F(2, 3)]
    assert answer["destroyed"] == F(2, 3)


def test_random_attacks_rolled_again() -> None:
    weapon = {"attacks": "D6", "damage": 1}
    for kind, dice in (("ones", F(47, 12)), ("failed", F(17, 4)), ("one", F(17, 4))):
        assert damage("11e", weapon, attacker_effects=[f"reroll attacks {kind}"]) == F(5, 6) * dice


def test_hazardous_models_of_late_tenth_edition() -> None:
    """A wounded model takes the mortal wounds and the rest is lost."""
    own = [models(2, wounds=2, wounds_lost=1)]
    weapon = {"count": 2, "keywords": ["hazardous"]}
    answer = solve(ask("10e", weapon, attacker_models=own))
    assert answer["self_damage"] == [F(25, 36), F(10, 36), 0, F(1, 36)]
    eleventh = solve(ask("11e", weapon, attacker_models=own))
    assert mean(eleventh["self_damage"]) == F(2, 3)
