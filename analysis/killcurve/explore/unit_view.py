"""What follows from the state of one unit's explorer: its question, and the view of the answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from killcurve.explore.answers import Asked, Scale, View, view
from killcurve.explore.attacks import Plain, scenario, weapon
from killcurve.explore.choosing import titled
from killcurve.explore.phrases import check
from killcurve.explore.unit_rules import Rule
from killcurve.explore.unit_state import FLAGS, Choices, UnitState
from killcurve.rules.effects import Effect
from killcurve.study.as_scenario import scoped_protections
from killcurve.study.own_rules import holding, incomplete
from killcurve.study.targets import Defender

MOST_NAMED = 3
"""Rules that a curve is named after."""


@dataclass(frozen=True, slots=True)
class Help:
    """The effects on both sides, and what they cost."""

    attacker: tuple[Effect, ...]
    target: tuple[Effect, ...]
    cp: int = 0
    target_cp: int = 0
    points: int = 0


def question(choices: Choices, state: UnitState) -> Plain:
    """A settled state as a scenario."""
    return _scenario(choices, state, _help(choices, state))


def unit_view(choices: Choices, state: UnitState, scale: Scale | None = None) -> View:
    """What a settled state shows; ``scale`` is how far axes go, if they are kept.

    Raises:
        ScenarioError: with the place of what is wrong.
    """
    given = _help(choices, state)
    plain = _scenario(choices, state, _help(choices, _plain(choices, state)))
    asked = _scenario(choices, state, given)
    unit, target = choices.unit(state), choices.targets.defender(state.target)
    words = [FLAGS[flag] for flag in state.flags]
    costs = (("Command points spent", given.cp), ("Command points of the target", given.target_cp))
    spent = tuple((label, str(cp)) for label, cp in costs if cp)
    return view(
        Asked(
            scenario=asked,
            attacker=f"{unit.models} {state.datasheet}" if unit.models > 1 else state.datasheet,
            target=target.name,
            conditions=", ".join(words),
            plain=None if plain == asked else plain,
            help=_named_help(choices, state),
            remarks=tuple(_remarks(choices, state, target)),
            numbers=spent,
            scale=scale,
        )
    )


def _named_help(choices: Choices, state: UnitState) -> str:
    """What a person has ticked or written beyond what counts of itself, in words."""
    names = [titled(rule.name) for rule in _used(choices, state) if not rule.is_on]
    names += [f"{titled(rule.name)} (target)" for rule in _used_by_target(choices, state)]
    written = (("own effects", state.effects), ("effects on the target", state.target_effects))
    names += [label for label, text in written if text.strip()]
    shown = names[:MOST_NAMED] + ["more"] * (len(names) > MOST_NAMED)
    return ", ".join(shown) or "what is ticked"


def _used(choices: Choices, state: UnitState) -> list[Rule]:
    offered = choices.offered_rules(state)
    return [offered[key] for key in state.rules or ()]


def _used_by_target(choices: Choices, state: UnitState) -> list[Rule]:
    offered = choices.rules_of_target(state)
    return [offered[key] for key in state.target_rules]


def _plain(choices: Choices, state: UnitState) -> UnitState:
    """The state without the help that a person has added."""
    offered = choices.offered_rules(state)
    own = tuple(key for key in state.rules or () if offered[key].is_on)
    return replace(state, rules=own, effects="", target_rules=(), target_effects="")


def _help(choices: Choices, state: UnitState) -> Help:
    used = _used(choices, state)
    target = choices.targets.defender(state.target)
    unit = choices.unit(state)
    by_name = {rule.name: rule for rule in unit.rules}
    effects: list[Effect] = []
    for rule in used:
        if rule.kind == "ability" and rule.name in by_name:
            effects += by_name[rule.name].of_side("attacker", state.phase)
        else:
            effects += rule.effects
    answers = _used_by_target(choices, state)
    theirs = [
        *holding(target.rules, "defender", state.phase),
        *(effect for rule in answers for effect in rule.effects),
    ]
    return Help(
        attacker=(*effects, *check(state.effects).effects),
        target=(*theirs, *scoped_protections(target), *check(state.target_effects).effects),
        cp=sum(rule.cp for rule in used),
        target_cp=sum(rule.cp for rule in answers),
        points=sum(rule.points for rule in used),
    )


def _scenario(choices: Choices, state: UnitState, given: Help) -> Plain:
    unit, lines = choices.unit(state), choices.lines(state)
    return scenario(
        edition=state.edition or unit.edition,
        phase=state.phase,
        weapons=[weapon(lines[name], count) for name, count in state.weapons or ()],
        target=choices.targets.defender(state.target),
        effects=given.attacker,
        target_effects=given.target,
        keywords=unit.keywords,
        points=None if unit.points is None else unit.points + given.points,
        flags=state.flags,
        ticked=state.ticked,
    )


def _too_many(used: Mapping[str, Sequence[Rule]]) -> Iterator[str]:
    """Who has more stratagems than the 11th edition allows."""
    for whose, rules in used.items():
        if sum(rule.kind == "stratagem" for rule in rules) > 1:
            yield f"More than one stratagem for {whose}: a unit may have one in a phase"


def _remarks(choices: Choices, state: UnitState, target: Defender) -> Iterable[str]:
    used, answers = _used(choices, state), _used_by_target(choices, state)
    for unknown in choices.unknown(state):
        yield f"Fewer attacks than models: {unknown}"
    if (state.edition or choices.unit(state).edition) == "11e":
        yield from _too_many({"the unit": used, "its target": answers})
    used = [*used, *answers]
    open_words = [w for rule in used for w in rule.conditions if w not in state.ticked]
    if open_words:
        words = "; ".join(dict.fromkeys(open_words))
        yield f"Counts only where it is ticked that it holds: {words}"
    if not state.weapons:
        yield "No weapon is ticked: only rules that do harm by themselves count"
    for text, side in ((state.effects, "own effects"), (state.target_effects, "target's effects")):
        for fault in check(text).faults:
            yield f"Left out of the {side}: {fault.message}"
    partly = [rule.name for rule in used if not rule.is_whole]
    if partly:
        yield f"Not wholly computed: {', '.join(partly)}"
    left = incomplete(target.rules, "defender", state.phase)
    if left:
        yield f"Of the target not, or not wholly, computed: {', '.join(left)}"
