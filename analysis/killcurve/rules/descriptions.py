"""Structured descriptions of rules (trees of typed nodes) read into the effect language.

The embedded dataset describes many rules as trees: ``conditional`` and ``sequence`` nodes around
leaves such as ``roll-modifier`` or ``re-roll``. A leaf that is understood becomes an effect; one
that moves units or scores counts as bearing on no attack; any other is named as unread.
"""

from __future__ import annotations

from dataclasses import dataclass

from killcurve.rules.described import choosing, passing
from killcurve.rules.described.setting import ATTACK_PHASES, Given, Setting, Tree
from killcurve.rules.described.walking import Walk
from killcurve.rules.effects import Effect

__all__ = ["Reading", "Setting", "Tree", "read_description"]

STEPS = {**passing.STEPS, **choosing.STEPS}


@dataclass(frozen=True, slots=True)
class Reading:
    """What a rule does to attack maths, as far as it is understood.

    ``side`` is whose attacks it changes (``attacker``, ``defender``, ``both`` or none);
    ``status`` is ``modelled``, ``partial``, ``unmodelled`` or ``none``. ``unread`` names what is
    left; ``phases`` are those (``shooting``, ``fight``) in which the effects change attacks.
    """

    effects: tuple[Effect, ...]
    side: str | None
    status: str
    unread: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()


def read_description(tree: Tree, setting: Setting | None = None) -> Reading:
    """Read a description, with what else is known of the rule.

    >>> reading = read_description({
    ...     "type": "conditional",
    ...     "condition": {"type": "target-has-keyword", "parameters": {"keyword": "MONSTER"}},
    ...     "effect": {"type": "re-roll", "modifier": {"roll": "wound", "subset": "ones"}}})
    >>> [str(e) for e in reading.effects], reading.side, reading.status
    (['reroll wounds ones if target is monster'], 'attacker', 'modelled')
    """
    walk = Walk(STEPS)
    walk.into(tree, Given(setting or Setting()))
    effects = tuple(dict.fromkeys(leaf.effect for leaf in walk.leaves))
    sides = {leaf.side for leaf in walk.leaves}
    side = sides.pop() if len(sides) == 1 else ("both" if sides else None)
    found = {phase for leaf in walk.leaves for phase in leaf.phases or ()}
    if effects:
        status = "partial" if walk.unread else "modelled"
    else:
        status = "unmodelled" if walk.unread else "none"
    phases = tuple(phase for phase in ATTACK_PHASES if phase in found)
    return Reading(effects, side, status, tuple(dict.fromkeys(walk.unread)), phases)
