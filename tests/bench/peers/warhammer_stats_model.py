"""The question in warhammer-stats (akabbeke): mass functions by Fourier transform, 8th edition."""

from __future__ import annotations

from typing import Any

import numpy as np
from killcurve.engine.dice import Dice

from tests.bench.peers import Laws
from tests.bench.questions import Question

EXACT_TO = 1e-5  # it leaves out whatever is less likely than that
WRONG = {
    "ii": "automatic wounds of lethal hits vanish, extra hits are an independent stream",
    "iii": "damage is capped at each hit, not at the wounds that are left; no end of the unit",
    "iv": "damage is capped at each hit, not at the wounds that are left; no end of the unit",
}
CANNOT = {"v": "it has neither anti-X nor devastating wounds"}


def ask(question: Question) -> Any:
    """Its results: laws of damage and kills."""
    from warhammer_stats import Attack, ModifierCollection, Target, Weapon
    from warhammer_stats.modifiers.generator_modifiers import (
        EndAttackAndGenrateExtraWoundsUnmodifiable,
        GenerateExtraAutomaticHitsUnmodifiable,
    )
    from warhammer_stats.modifiers.reroll_modifiers import ReRollOnes

    to_hit = []
    if question.reroll_ones_to_hit:
        to_hit.append(ReRollOnes())
    if question.sustained:
        to_hit.append(GenerateExtraAutomaticHitsUnmodifiable(6, question.sustained))
    if question.lethal:
        to_hit.append(EndAttackAndGenrateExtraWoundsUnmodifiable(6, 1))
    weapon = Weapon(
        bs=question.skill,
        shots=_rolled(question.attack_dice),
        strength=question.strength,
        ap=-question.ap,
        damage=_rolled(question.damage_dice),
        modifiers=ModifierCollection(hit_mods=to_hit),
    )
    target = Target(
        toughness=question.toughness,
        save=question.save,
        invuln=question.invulnerable or 7,
        fnp=question.feel_no_pain or 7,
        wounds=question.wounds,
    )
    return Attack(weapon, target).run()


def laws(answer: Any, question: Question) -> Laws:
    """Its laws, those of kills cut at the size of the unit, which it does not know."""
    kills = np.array(answer.kills_dist.values)
    slain = np.append(kills[: question.models], kills[question.models :].sum())
    return Laws(np.array(answer.total_damage_dist.values), slain)


def _rolled(dice: Dice) -> Any:
    from warhammer_stats import PMFCollection

    if not dice.count:
        return PMFCollection.static(dice.bonus)
    return PMFCollection.mdn(dice.count, dice.sides).plus(dice.bonus)
