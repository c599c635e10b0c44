"""What has been passed on the way to a leaf, put on its effect: conditions, weapons, phases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from killcurve.engine.target import Against, Protection
from killcurve.rules.abilities import Ability
from killcurve.rules.conditions import Clause
from killcurve.rules.described.conditions import said
from killcurve.rules.described.positions import OWN_OBJECTIVE
from killcurve.rules.described.setting import (
    ATTACK_PHASES,
    NO_WEAPONS,
    PHASE_OF,
    SCOPE_OF,
    Given,
    Leaf,
    Unread,
    quoted,
)
from killcurve.rules.described.states import strength_untold
from killcurve.rules.effects import Effect

WHEN_SHOOTING = frozenset(
    {
        *("assault", "blast", "close-quarters", "conversion", "heavy", "ignores cover"),
        *("indirect fire", "melta", "pistol", "rapid fire", "torrent"),
    }
)
WHEN_FIGHTING = frozenset({"cleave", "lance"})

NEVER_SCOPED = frozenset(
    {
        *("cover", "fight on death", "heal", "mortal wounds", "range", "return models"),
        *("set one", "snap shooting", "stealth", "wounds"),
    }
)
"""Effects of which no part belongs to one kind of attack."""

BETWEEN_ATTACKS = frozenset({"heal", "return models"})
"""Effects that are over at once: a time in which they are in use says nothing of them."""


def attached(leaf: Leaf, given: Given) -> Leaf:
    """The leaf with the conditions, weapons and phases of its place in the tree.

    Raises:
        Unread: if they do not go together with it.
    """
    phases = _phases(leaf, given)
    return with_clauses(replace(leaf, effect=_scoped(leaf, given, phases), phases=phases), given)


def with_clauses(leaf: Leaf, given: Given) -> Leaf:
    """The leaf with the conditions of its place.

    Raises:
        Unread: if one of them has no certain meaning for the side that has the effect.
    """
    clauses = dict.fromkeys((*leaf.effect.condition, *_clauses(leaf, given)))
    told = tuple(fit for clause in clauses for fit in _fitting(clause, leaf, given))
    is_passing = given.setting.passing and leaf.effect.what not in BETWEEN_ATTACKS
    if is_passing and all(clause.kind == "keyword" for clause in told):
        told += (quoted(given.setting.passing),)
    return replace(leaf, effect=replace(leaf.effect, condition=told))


def _clauses(leaf: Leaf, given: Given) -> Iterator[Clause]:
    yield from given.told.clauses
    if given.roll and not leaf.takes_roll:
        yield quoted(given.roll if " " in given.roll else f"D6 roll of {given.roll}")
    if given.setting.selects_openly or leaf.effect.what == "mortal wounds":
        return
    if leaf.on_selected or given.is_selected:
        yield quoted(_selected(leaf, given))


def _selected(leaf: Leaf, given: Given) -> str:
    """Whom a choice was about, as a condition of the effect."""
    if leaf.on_selected or given.unit == "attackers":
        return "target is the selected unit"
    if given.unit == "own":
        return "the unit is the selected unit"
    whom = "target" if leaf.side == "attacker" else "the attacker"
    return f"{whom} is the selected unit"


def _fitting(clause: Clause, leaf: Leaf, given: Given) -> Iterator[Clause]:
    """A clause as the side that has the effect sees it; nothing if it always holds."""
    side, own = leaf.side, given.setting.keywords
    if leaf.effect.what in BETWEEN_ATTACKS:
        clause = _SURELY_OWN.get(clause, clause)
    is_of_unit = clause.kind == "keyword" and clause.whose == "unit"
    if is_of_unit and not clause.negated and own & set(clause.words):
        return
    if clause == OWN_OBJECTIVE:
        place = "attacker" if side == "attacker" else "target"
        yield Clause("flag", (f"{place}_on_objective",))
    elif side == "defender" and clause.kind == "keyword" and clause.whose == "target":
        raise Unread(f"whether {said(clause)}, in a rule about attacks against the unit")
    elif side == "defender" and clause.kind == "flag" and clause.words[0] in _OF_ATTACKERS:
        yield quoted(said(clause))
    elif side == "defender" and clause.words[0].startswith("the target "):
        yield quoted(clause.words[0].replace("the target ", "the enemy unit "))
    else:
        yield clause


_SURELY_OWN = {
    strength_untold("below its starting strength"): Clause("flag", ("unit_below_starting",)),
    strength_untold("below half-strength"): Clause("flag", ("unit_below_half",)),
}
"""Losses of a unit that is healed."""

_OF_ATTACKERS = frozenset({"charged", "stationary", "attacker_on_objective", "closest_target"})
"""Flags that speak of the unit that attacks."""


def _inherent(effect: Effect) -> str | None:
    """The only phase in which an effect does something."""
    if effect.what in ("cover", "stealth", "range", "snap shooting"):
        return "shooting"
    if effect.what == "fight on death":
        return "fight"
    if isinstance(effect.amount, Ability):
        if effect.amount.name in WHEN_SHOOTING:
            return "shooting"
        if effect.amount.name in WHEN_FIGHTING:
            return "fight"
    return None


def _phases(leaf: Leaf, given: Given) -> tuple[str, ...]:
    if leaf.phases is not None:
        return leaf.phases
    effect = leaf.effect
    scope = effect.scope if effect.scope in PHASE_OF else given.told.scope
    phase = _inherent(effect) or PHASE_OF.get(scope or "")
    if phase is None and isinstance(effect.amount, Protection):
        phase = PHASE_OF.get(effect.amount.against.value)
    if phase:
        return (phase,)
    told = tuple(p for p in ATTACK_PHASES if p in given.told.phases)
    if told and not given.setting.outlasts_phase:
        _check_sure(told, given)
        return told
    return _of_setting(given)


def _check_sure(told: tuple[str, ...], given: Given) -> None:
    """That a phase named by conditions is that of the attacks, not only of the rule's use."""
    setting = given.setting
    if given.told.is_timed or setting.kind == "stratagem" or not setting.phases:
        return
    others = set(setting.phases) - set(told)
    if told == ("fight",):
        others &= {"shooting"}
    if others and len(told) == 1:
        raise Unread(f"whether the {told[0]} phase is when it is used, or when it works")


def _of_setting(given: Given) -> tuple[str, ...]:
    """The phases of the rule itself, where they are sure to be those of the attacks."""
    setting = given.setting
    if setting.kind == "stratagem" and not setting.outlasts_phase:
        if "charge" in setting.phases and not setting.attack_phases:
            return ("fight",)
        return setting.attack_phases or ATTACK_PHASES
    if setting.attack_phases == ("fight",) and set(setting.phases) <= {"fight", "charge"}:
        return ("fight",)
    return ATTACK_PHASES


def _scoped(leaf: Leaf, given: Given, phases: tuple[str, ...]) -> Effect:
    """The effect for the attacks that the conditions and the phases leave."""
    effect, told = leaf.effect, given.told.scope
    kinds = {s for s in (effect.scope, told) if s in PHASE_OF}
    if len(kinds) == 2:
        raise Unread("attacks that are melee and ranged")
    scope = next((s for s in (effect.scope, told) if s and s not in PHASE_OF), None)
    scope = scope or (kinds.pop() if kinds else None)
    if scope is None and len(phases) == 1 and given.setting.kind != "stratagem":
        scope = SCOPE_OF[phases[0]]
    if scope in PHASE_OF and PHASE_OF[scope] == given.setting.only_phase:
        scope = None
    if effect.what in NEVER_SCOPED and scope in PHASE_OF:
        scope = None
    if isinstance(effect.amount, Protection):
        return _against(effect, effect.amount, scope, given)
    if scope == "mortal":
        raise Unread(f"{effect.what} against mortal wounds")
    return replace(effect, scope=scope)


def _against(effect: Effect, save: Protection, scope: str | None, given: Given) -> Effect:
    """A save or Feel No Pain: what it is against stands in its place for weapons."""
    against = save.against
    if scope in PHASE_OF and against is Against.ALL:
        against = Against(scope)
    elif scope not in PHASE_OF and scope is not None:
        if scope not in NO_WEAPONS or against not in (Against.ALL, Against(scope)):
            raise Unread(f"{effect.what} against {scope}")
        against = Against(scope)
    if PHASE_OF.get(against.value) == given.setting.only_phase and given.setting.only_phase:
        against = Against.ALL
    return replace(effect, amount=Protection(save.value, against), scope=None)
