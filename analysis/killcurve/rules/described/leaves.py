"""Which leaf is read by what, and which bear on no attack."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from killcurve.rules.described import characteristics, granted, mortal, protection, rolls
from killcurve.rules.described.setting import Given, Leaf, Tree

LEAVES: dict[str, Callable[[Tree, Given], Iterable[Leaf]]] = {
    "ability-grant": granted.abilities,
    "attack-restriction": granted.restrictions,
    "auto-result": rolls.results,
    "bs-modifier": rolls.ballistic_skill,
    "damage-reduction": protection.less_damage,
    "feel-no-pain": protection.feel_no_pain,
    "fight-on-death": protection.last_fight,
    "flyover": mortal.mortal_wounds,
    "heal-wounds": protection.healing,
    "invulnerable-save": protection.invulnerable,
    "keyword-grant": granted.weapon_abilities,
    "modifier-immunity": rolls.immunity,
    "mortal-wounds": mortal.mortal_wounds,
    "re-roll": rolls.rerolls,
    "recovery-pool": protection.recovery,
    "replace-roll-from-pool": rolls.dice_of_a_pool,
    "resurrection": protection.revival,
    "roll-modifier": rolls.modifiers,
    "rule-state": granted.rules,
    "shoot-on-death": protection.last_shot,
    "stat-modifier": characteristics.characteristic,
    "unit-tag": granted.tags,
}
"""The leaves that bear on attacks, each with its reader."""

SILENT = frozenset(
    {
        *("battle-shock-test", "charge-roll-modifier", "cp-gain", "cp-on-destroy", "cp-refund"),
        *("deep-strike", "desperate-escape", "detection-range-modifier", "disembark"),
        *("disembark-after-move", "engagement-passthrough", "fallback-and-act", "fight-first"),
        *("fight-eligibility-extension", "firing-deck", "leadership-modifier", "movement-modifier"),
        *("model-destruction", "no-effect", "objective-control-modifier", "objective-tag"),
        *("once-per-battle", "once-per-battle-resource", "pool-add-die", "remove-battle-shock"),
        *(
            "resource-clear",
            "resource-gain",
            "resource-spend",
            "set-battle-shock",
            "stratagem-cost-modifier",
        ),
        *("stratagem-for-0cp", "stratagem-targeting-permission", "strategic-reserves-arrival"),
        *("targeting-permission", "terrain-area-tag", "tracking-token", "unit-attachment"),
        *("transport-capacity-conversion", "unit-division", "unit-keyword", "unit-keyword-grant"),
    }
)
"""Leaves about moves, morale, targets, objectives and resources: they bear on no attack."""
