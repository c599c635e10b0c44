"""Single re-rolls, changes to a 6 and free damage re-rolls at their best moment: numbers by hand.

The weapon of `ask` hits by itself and wounds on 2+; nothing saves unless told.
"""

from __future__ import annotations

from typing import Any

import pytest

from .asking import ALL, TENTH, F, ask, damage, hit, mean, models
from .solve import solve

LARGE = models(wounds=9)


@pytest.mark.parametrize("edition", ALL)
def test_fishing_for_a_critical_hit(edition: str) -> None:
    """On 2+ a die rolled again is worth 4/6 + 3/6 = 7/6 with SUSTAINED HITS 2: more than an
    ordinary hit, so five faces go again and a 6 stays. With SUSTAINED HITS 1 it is worth 1, a tie:
    only the failure goes again, 1/6 + 4/6 + 2/6.
    """
    for number, hits in ((2, F(5, 6) * F(7, 6) + F(3, 6)), (1, F(7, 6))):
        weapon = {"skill": 2, "keywords": [f"sustained hits {number}"]}
        assert hit(edition, weapon, attacker_effects=["reroll hits one"]) == hits


@pytest.mark.parametrize("edition", ALL)
def test_a_tie_is_declined(edition: str) -> None:
    """Nobody can destroy forty models with one attack, so the right is left unused."""
    other: dict[str, Any] = {"attacker_effects": ["reroll hits one"]}
    assert hit(edition, {"skill": 4}, **other) == F(3, 4)
    assert hit(edition, {"skill": 4}, choices={"objective": "destroyed"}, **other) == F(1, 2)


@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize(
    ("points", "value"),
    [
        # A miss of the first weapon goes again: it hits 3/4; the second 3/4 if the right is left.
        (1, F(3, 4) + F(1, 2) * F(3, 4) + F(1, 2) * F(1, 2)),
        # 1/2 now or 1/2 · 1/2 · 3 later: the right waits.
        (3, F(1, 2) + F(3, 4) * 3),
    ],
)
def test_a_right_waits_for_the_better_weapon(edition: str, points: int, value: F) -> None:
    weapons = [{"attacks": 1, "skill": 4, "strength": 8, "damage": d} for d in (1, points)]
    other: dict[str, Any] = {"weapons": weapons, "attacker_effects": ["reroll hits one"]}
    assert damage(edition, target=LARGE, **other) == F(5, 6) * value


@pytest.mark.parametrize("edition", ALL)
def test_two_rights_in_any_order(edition: str) -> None:
    """Two dice that hit on 6. 11e: both fail (25/36): one is set, the other rolled again, 7/6; else
    2. 10e: the first fails (5/6): it is rolled again and, if it fails again, set: 1/6 · 2 +
    5/6 · 7/6, or set at once: 1 + 11/36, the same; it hits: 2. All give 307/216.
    """
    for first in ("reroll hits one", "set one hit to 6"):
        other = {"reroll hits one", "set one hit to 6"} - {first}
        rights = [first, *other]
        assert hit(edition, {"attacks": 2, "skill": 6}, attacker_effects=rights) == F(307, 216)


@pytest.mark.parametrize("edition", ALL)
def test_the_same_right_twice(edition: str) -> None:
    """Hits on 4+. Two dice may each be rolled again; a single one only once."""
    other: dict[str, Any] = {"attacker_effects": ["reroll hits one"] * 2}
    assert hit(edition, {"skill": 4}, **other) == F(3, 4)
    assert hit(edition, {"attacks": 2, "skill": 4}, **other) == F(3, 2)


@pytest.mark.parametrize("edition", ALL)
def test_a_die_is_rolled_again_only_once(edition: str) -> None:
    """Hits on 5+. Free re-rolls come first: of 1s, then the right takes a 2 to 4; of failures, then
    nothing is left to take. A 6 may still be set after either.
    """
    for effects, chance in (
        (["reroll hits ones", "reroll hits one"], F(2, 6) + F(4, 6) * F(2, 6)),
        (["reroll hits failed", "reroll hits one"], F(2, 6) + F(4, 6) * F(2, 6)),
        (["reroll hits failed", "set one hit to 6"], F(1)),
        (["reroll hits one", "set one hit to 6"], F(1)),
    ):
        assert hit(edition, {"skill": 5}, attacker_effects=effects) == chance


@pytest.mark.parametrize("edition", ALL)
def test_a_success_becomes_critical(edition: str) -> None:
    """A devastating wound needs no save: every die is set to 6."""
    weapon = {"keywords": ["devastating wounds"]}
    assert damage(edition, weapon, models(save=2), attacker_effects=["set one wound to 6"]) == 1


@pytest.mark.parametrize("edition", ALL)
def test_wound_dice_of_a_random_strength(edition: str) -> None:
    """D3+3 against Toughness 5 wounds with p = 1/3, 1/2 or 2/3. One die: the mean of 1 - (1-p)²."""
    weapon = {"strength": "D3+3"}
    target = models(toughness=5)
    other: dict[str, Any] = {"attacker_effects": ["reroll wounds one"]}
    assert damage(edition, weapon, target, **other) == F(79, 108)


def test_the_best_of_the_failed_dice() -> None:
    """As before, two dice: 1 wound, and the p of the best failed die. For one die that is none,
    1/3, 1/2 or 2/3 with 1/2, 2/9, 1/6 and 1/9; for the best of two none, 1/3, 1/2 or 2/3 with 81,
    88, 87 and 68 of 324.

    10e: the second die's failures gain G = 79/108 - 1/2 = 25/108 if the right is left: then the
    first failure is only rolled again where p > G, which is always; its mean is 1/2 + 1/2 + 25/108
    from the first die, and G from the second if the first succeeded (1/2).
    """
    weapon = {"strength": "D3+3", "attacks": 2}
    target = models(toughness=5)
    other: dict[str, Any] = {"attacker_effects": ["reroll wounds one"]}
    gain = F(88, 324) / 3 + F(87, 324) / 2 + F(68, 324) * F(2, 3)
    assert damage("11e", weapon, target, **other) == 1 + gain
    for edition in TENTH:
        assert damage(edition, weapon, target, **other) == 1 + F(25, 108) * F(3, 2)


def test_a_random_strength_with_sustained_hits_is_left_out() -> None:
    weapon = {"strength": "D3+3", "skill": 4, "keywords": ["sustained hits 1"]}
    with pytest.raises(NotImplementedError):
        damage("11e", weapon, models(toughness=5), attacker_effects=["reroll wounds one"])


@pytest.mark.parametrize("edition", ALL)
def test_two_rights_of_the_defender(edition: str) -> None:
    """Two wounds (25/36) against 4+. 11e: both fail (1/4): one is set, the other rolled again, 1/2.
    10e: the first fails (1/2): set, and the second fails twice, 1/4, or rolled again and set, 1/2
    that the second has nothing left, and fails: 1/4. So 1/8 either way; one wound is always saved.
    """
    rights = ["reroll saves one", "set one save to 6"]
    answer = damage(edition, {"attacks": 2}, models(save=4), target_effects=rights)
    assert answer == F(25, 36) / 8


@pytest.mark.parametrize("edition", ALL)
def test_a_harmless_attack_waits_for_the_worst(edition: str) -> None:
    """The first weapon's point (5/6) is suffered, the second's three never are."""
    weapons = [{"attacks": 1, "skill": None, "strength": 8, "damage": d} for d in (1, 3)]
    other: dict[str, Any] = {"weapons": weapons, "target_effects": ["damage = 0 once"]}
    assert damage(edition, target=LARGE, **other) == F(5, 6)


@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("phrase", ["reroll damage failed", "reroll damage noncritical", "one"])
@pytest.mark.parametrize(
    ("wounds", "objective", "value"),
    [
        (9, "damage", F(17, 4)),  # 1 to 3 go again: (3 · 7/2 + 4 + 5 + 6) / 6
        (4, "damage", F(7, 2)),  # min(D6, 4) has mean 3: 1 and 2 go again: (2 · 3 + 3 + 3 · 4) / 6
        (2, "damage", F(71, 36)),  # min(D6, 2) has mean 11/6: a 1 goes again: (11/6 + 5 · 2) / 6
        (4, "destroyed", F(3, 4)),  # 1 to 3 go again
    ],
)
def test_damage_rolled_again(
    edition: str, phrase: str, wounds: int, objective: str, value: F
) -> None:
    effect = "reroll damage one" if phrase == "one" else phrase
    answer = solve(
        ask(
            edition,
            {"damage": "D6"},
            models(1, wounds=wounds),
            attacker_effects=[effect],
            choices={"objective": objective},
        )
    )
    got = answer["destroyed"] if objective == "destroyed" else mean(answer["damage"])
    assert got == F(5, 6) * value


def test_one_die_or_the_whole_of_a_sum() -> None:
    """2D3, mean 4. 11e: a lowest die of 1 (5/9) goes again and gains 1. 10e: the whole of 2 or 3
    (1/9, 2/9) goes again and gains 2 or 1. For attacks likewise; two weapons of D3 lose the lowest.
    """
    other: dict[str, Any] = {"attacker_effects": ["reroll damage one", "reroll attacks one"]}
    for edition, value in (("11e", F(41, 9)), *((tenth, F(40, 9)) for tenth in TENTH)):
        assert damage(edition, {"damage": "2D3"}, LARGE, **other) == F(5, 6) * value
        assert damage(edition, {"attacks": "2D3"}, **other) == F(5, 6) * value
        assert damage(edition, {"count": 2, "attacks": "D3"}, **other) == F(5, 6) * F(41, 9)


def test_the_attacker_knows_what_is_left_of_the_target() -> None:
    """Two D3 hits on a model of 3 wounds, 11e: 2 wounding attacks (25/36), all to destroy it.

    The first roll of 1 or 2 is kept: going again kills with 1/3 now, else the second needs the
    rest; the right is worth more later. First 3: dead. First 2: the second needs 1, always. First
    1: the second needs 2, or again: 1 - (1/3)² = 8/9; going again instead: 1/3 + 1/3 · 1 + 1/3 ·
    2/3 = 8/9, a tie. Together (1 + 1 + 8/9) / 3. A single attack (10/36) kills with 5/9.
    """
    answer = solve(
        ask(
            "11e",
            {"attacks": 2, "damage": "D3"},
            models(1, wounds=3),
            attacker_effects=["reroll damage one"],
            choices={"objective": "destroyed"},
        )
    )
    assert answer["destroyed"] == F(25, 36) * F(26, 27) + F(10, 36) * F(5, 9)
