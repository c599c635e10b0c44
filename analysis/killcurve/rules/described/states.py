"""Single conditions of descriptions, each with what it says."""

from __future__ import annotations

import re
from collections.abc import Callable

from killcurve.rules.abilities import ABILITIES
from killcurve.rules.conditions import STRONGER, Clause
from killcurve.rules.described import positions
from killcurve.rules.described.setting import (
    NO_WEAPONS,
    PHASE_OF,
    Setting,
    Told,
    Tree,
    Unread,
    quoted,
)
from killcurve.rules.described.words import SUBJECTS, keyword_clauses, plain

Reader = Callable[[Tree], Told]
SettingReader = Callable[[Tree, Setting], Told]

WHEN = re.compile(
    r"start|end|before|after|when|selected|^on-|once|first-|second-|each|setup|set-up|deploy"
    r"|-phase|-step|-move$|moves?$|advances|falls-back|removed|destroyed|unit-|bearer-|enemy-"
    r"|friendly-|activation|declare|reinforcements|arrives|formations|reserves|roll$|test|game-|battle"
)
"""Words of times at which a rule is used or triggered, and which are no condition of its effect."""


ARRIVAL = re.compile(r"reinforcements|^arriv")


def _phase(parameters: Tree) -> Told:
    return Told(phases=frozenset({str(parameters.get("phase")).removeprefix("opponent-")}))


def _time(parameters: Tree, setting: Setting) -> Told:
    timing = str(parameters.get("timing") or "")
    if ARRIVAL.search(timing) and not setting.is_used_openly:
        return Told((quoted("the unit arrived this turn"),), is_timed=True)
    if not timing or WHEN.search(timing):
        return Told(is_timed=True)
    return Told((quoted(plain(timing)),))


def _nothing(_: Tree) -> Told:
    return Told()


def _use(_: Tree) -> Told:
    return Told(is_timed=True)


def _keyword(whose: str) -> SettingReader:
    def read(parameters: Tree, setting: Setting) -> Told:
        words = [parameters.get("keyword"), *(parameters.get("keywords") or ())]
        found = [keyword_clauses(w, whose, setting) for w in words if w]
        if not found:
            raise Unread(f"a condition on an unnamed keyword of {SUBJECTS[whose]}")
        return Told(tuple(clause for clauses in found for clause in clauses))

    return read


def _attack(parameters: Tree) -> Told:
    kind = str(parameters.get("attack_type") or "")
    if kind in PHASE_OF or plain(kind) in ABILITIES or kind in ABILITIES:
        return Told(scope=kind)
    if parameters.get("comparison") == "strength-greater-than-toughness":
        return Told((Clause("stronger", (STRONGER,)),))
    if kind in ("", "any", "hit"):
        raise Unread(f"a condition on attacks ({kind or 'none'})")
    return Told(scope=f'"{plain(kind)}"')


def _compared(parameters: Tree) -> Told:
    given = tuple(
        parameters.get(key) for key in ("attacker_stat", "comparison", "target_stat", "value")
    )
    if given[:3] == ("S", "greater-than", "T"):
        return Told((Clause("stronger", (STRONGER,)),))
    if given == ("S", "less-than", "T", None):
        return Told((quoted("the attack's Strength is less than the target's Toughness"),))
    if given[:2] == ("D", "equal-to") and given[3] is not None:
        return Told((quoted(f"the attack's Damage is {given[3]}"),))
    raise Unread("a comparison of characteristics")


def _flag(name: str) -> Reader:
    return lambda _: Told((Clause("flag", (name,)),))


def _led(parameters: Tree, setting: Setting) -> Told:
    """ "While leading a unit": no condition where the leader's own rule says it."""
    if parameters.get("keyword"):
        return _keyword("unit")(parameters, setting)
    if any(parameters.values()):
        raise Unread("a condition on who leads the unit")
    return Told() if setting.leads else Told((Clause("flag", ("leading",)),))


def _strength(state: str, name: str) -> Reader:
    """Losses; descriptions often do not tell whether the unit's own or its target's."""

    def read(parameters: Tree) -> Told:
        subject = str(parameters.get("subject") or parameters.get("of") or "")
        if subject in ("target", "defender"):
            return Told((Clause("flag", (f"target_{state}",)),))
        if subject in ("unit", "self", "bearer", "led-unit"):
            return Told((Clause("flag", (f"unit_{state}",)),))
        if subject:
            return Told((quoted(f"the {plain(subject)} is {name}"),))
        return Told((strength_untold(name),))

    return read


def strength_untold(name: str) -> Clause:
    """Losses of a unit, or of its target: which of them is not told."""
    return quoted(f"it is {name} (the unit or its target)")


def _said(words: str) -> Reader:
    """A state of the unit, or of whom the parameters name."""

    def read(parameters: Tree) -> Told:
        subject = str(parameters.get("subject") or parameters.get("of") or "unit")
        whose = SUBJECTS.get(subject, "the unit" if subject == "self" else f"the {plain(subject)}")
        return Told((quoted(f"{whose} {words}"),))

    return read


def _moved(parameters: Tree) -> Told:
    moves = {"fall-back": "fell back", "advance-or-fall-back": "advanced or fell back"}
    move = str(parameters.get("move") or "advance")
    if move == "ingress":
        return Told((quoted("the unit arrived this turn"),))
    return Told((quoted(f"the unit {moves.get(move, 'advanced')} this turn"),))


def _charged(parameters: Tree) -> Told:
    if parameters.get("subject") in (None, "self", "unit"):
        return Told((Clause("flag", ("charged",)),))
    return _said("charged this turn")(parameters)


def _lost_wounds(parameters: Tree) -> Told:
    most = parameters.get("wounds_remaining_max") or parameters.get("threshold")
    if most:
        return Told((quoted(f"the model has {most} or fewer wounds left"),))
    return Told((quoted("the model has lost wounds"),))


def _disposition(parameters: Tree) -> Told:
    """Whose unit it is says nothing; other dispositions are states."""
    given = str(parameters.get("disposition") or "")
    if given in ("friendly", "enemy"):
        if parameters.get("model_count_min"):
            count = parameters["model_count_min"]
            return Told((quoted(f"the unit has at least {count} models"),))
        return Told(is_timed=True)
    if given == "closest-eligible-target":
        return Told((Clause("flag", ("closest_target",)),))
    if not given:
        raise Unread("a condition on the disposition of units")
    return _said("fell back" if given == "fell-back" else f"is {plain(given)}")(parameters)


def _tag(parameters: Tree) -> Told:
    tag = str(parameters.get("tag") or "")
    if tag.endswith("-active"):
        return Told((quoted(f"the {plain(tag.removesuffix('-active'))} is active"),))
    return _said(f"is {plain(tag)}")(parameters)


def _destroyed_units(parameters: Tree) -> Told:
    side = {"friendly": "a friendly", "self": "this"}.get(str(parameters.get("side")), "an enemy")
    keyword = f" {plain(parameters['keyword'])}" if parameters.get("keyword") else ""
    window = plain(parameters.get("window") or "").removeprefix("this ")
    when = f" this {window}" if window in ("phase", "turn", "battle", "attack") else ""
    return Told((quoted(f"{side}{keyword} unit was destroyed{when}"),))


def _round(parameters: Tree) -> Told:
    one, most = parameters.get("round"), parameters.get("max")
    if one:
        return Told((quoted(f"it is battle round {one}"),))
    return Told((quoted(f"it is battle round {parameters.get('min', 1)} to {most}"),))


def _rule(parameters: Tree) -> Told:
    return Told((quoted(f"the {plain(parameters.get('rule'))} is active"),))


def _tokens(parameters: Tree) -> Told:
    return Told((quoted(f"{resource(parameters, parameters.get('threshold'))} or more are held"),))


def resource(parameters: Tree, amount: object) -> str:
    """An amount of a resource, by its name.

    >>> resource({"pool_id": "pain-token-pool"}, 1), resource({"pool_id": "yp-pool"}, 3)
    ('1 pain token', '3 Yield points')
    """
    pool = str(parameters.get("pool_id") or parameters.get("resource") or "token")
    name = {"yp": "Yield point"}.get(pool.removesuffix("-pool"), plain(pool.removesuffix("-pool")))
    return f"{amount} {name}{'' if str(amount) == '1' or name.endswith('s') else 's'}"


def _region(parameters: Tree) -> Told:
    place = parameters.get("area") or (parameters.get("state_ref") or {}).get("region_id")
    return Told((quoted(f"wholly within the {plain(place or 'area')}"),))


def _hit(parameters: Tree) -> Told:
    """Having been hit is how a rule is triggered, or how its target is chosen."""
    if parameters.get("attack_type") in NO_WEAPONS:
        return Told(scope=str(parameters["attack_type"]), is_timed=True)
    if parameters.get("subject") == "target" and not parameters.get("source"):
        return Told((quoted("the target was hit by this unit's attacks"),), is_timed=True)
    return Told(is_timed=True)


STATES: dict[str, Reader] = {
    "phase-is": _phase,
    "player-turn-is": _nothing,
    "attack-is-type": _attack,
    "attack-stat-compare": _compared,
    "unit-below-half-strength": _strength("below_half", "below half-strength"),
    "unit-below-starting-strength": _strength("below_starting", "below its starting strength"),
    "charged-this-turn": _charged,
    "remained-stationary": _flag("stationary"),
    "advanced-this-turn": _moved,
    "disembarked-from-transport": _said("disembarked from a transport this turn"),
    "made-ingress-move-this-turn": _said("arrived this turn"),
    "is-battle-shocked": _said("is battle-shocked"),
    "has-lost-wounds": _lost_wounds,
    "wounds-remaining-at-or-below": _lost_wounds,
    "disposition-matches": _disposition,
    "unit-has-tag": _tag,
    "units-destroyed": _destroyed_units,
    "battle-round": _round,
    "faction-rule-active": _rule,
    "token-count-at-or-above": _tokens,
    "terrain-area-control": _region,
    "region-membership": _region,
    "was-hit-by-attack": _hit,
    "wounds-lost-from-attack": _use,
    "has-fought-this-phase": _use,
    "destroyed-by-attack-type": _use,
    "controls-objective": _said("controls the objective"),
    "target-is-visible": _nothing,
    "fights-first": _said("fights first"),
    "target-within-half-weapon-range": _flag("half_range"),
    **positions.STATES,
}
"""The conditions that are known, each with its reader."""

IN_A_SETTING: dict[str, SettingReader] = {
    "target-has-keyword": _keyword("target"),
    "unit-has-keyword": _keyword("unit"),
    "timing-is": _time,
    "is-attached": _led,
    "model-is-leader": _led,
}
"""The conditions that mean something only with what else is known of the rule."""
