"""One attack with and without help: what it does, and what of the help cannot be computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from killcurve.engine.budget import at_most
from killcurve.rules.bearing import flat
from killcurve.rules.effects import Effect
from killcurve.rules.spelling import normal
from killcurve.study.armed import Combatant, in_words, used_against
from killcurve.study.lines import Line
from killcurve.study.matchup import Circumstances, Result, engage
from killcurve.study.targets import Defender
from killcurve.study.worth.helps import Help, near

GOALS = ("points_removed", "damage", "destroyed")
"""What help may be judged by: expected points, wounds, and P(nobody is left)."""

OWN = "ability"
"""The kind of rules that a unit has of itself."""

MOST_WORK = 3e9
"""Estimated nanoseconds for one attack with choices; more is told as not computed."""

SAME = 1e-12
"""Gains that differ by less are the same but for rounding."""


@dataclass(frozen=True, slots=True)
class Measures:
    """What an attack does: expected wounds and models, P(destroyed), expected points.

    ``points_removed`` is ``None`` where the target has no cost.
    """

    damage: float
    slain: float
    destroyed: float
    points_removed: float | None
    weapons: tuple[str, ...]

    def of(self, goal: str) -> float:
        """One of :data:`GOALS`; points that are not known count as none."""
        return float(getattr(self, goal) or 0.0)


NO_ATTACK = Measures(0.0, 0.0, 0.0, 0.0, ())


@dataclass(frozen=True, slots=True)
class Gain:
    """An attack with help and without it, in the same circumstances."""

    without: Measures
    with_it: Measures
    assumes: tuple[str, ...]

    def of(self, goal: str) -> float:
        """By how much the help makes the attack better, negative where it makes it worse."""
        return self.with_it.of(goal) - self.without.of(goal)


class Attack:
    """One unit's attack on another in a phase, asked about with many helps; answers are kept."""

    def __init__(
        self,
        unit: Combatant,
        target: Defender,
        phase: str,
        how: Circumstances = Circumstances(),
    ) -> None:
        self.unit, self.target, self.phase, self.how = unit, target, phase, how
        self._known: dict[Circumstances, Measures | str] = {}
        rules = (*unit.attacker.rules, *target.rules)
        self._own_words = words_of(effect for rule in rules for effect in rule.effects)

    def gain(self, helps: Sequence[Help], side: str) -> Gain | str:
        """What helps of one side do together, or why that is not computed.

        Conditions that are circumstances, distances or words to be ticked are taken to hold,
        with and without the helps. A help that is an attack by itself is compared with none.
        """
        chosen, _ = near(e for each in helps for e in each.effects if each.rule.kind == OWN)
        given, _ = near(e for each in helps for e in each.effects if each.rule.kind != OWN)
        effects, distances = near(effect for each in helps for effect in each.effects)
        # An ability of one's own that asks for words to be ticked is there until they are.
        waiting = [e for e in chosen if any(c.kind == "words" for c in e.condition)]
        base = assuming(self.how, (*given, *(e for e in chosen if e not in waiting)))
        added = given + tuple(e for e in chosen if e not in waiting)
        with_it = self._measures(assuming(base, waiting).helped(added, side))
        if any(each.is_attack for each in helps):
            without: Measures | str = NO_ATTACK
        else:
            without = self._measures(base)
        if isinstance(with_it, str):
            return with_it
        if isinstance(without, str):
            return without
        return Gain(without, with_it, (*assumptions(effects), *distances))

    def _measures(self, how: Circumstances) -> Measures | str:
        how = self._counting(how)
        if how not in self._known:
            self._known[how] = self._measured(how)
        return self._known[how]

    def _counting(self, how: Circumstances) -> Circumstances:
        """The same attack without what cannot count in it, so that it is solved only once.

        That are ticked words that nothing asks for.
        """
        asked = self._own_words | words_of((*how.attacker_effects, *how.target_effects))
        return replace(how, ticked=how.ticked & asked)

    def _measured(self, how: Circumstances) -> Measures | str:
        # A right to roll one die again, of whichever side, does not decide which weapons are used:
        # without it that costs little, with it as many hard questions as there are weapons.
        plain = replace(
            how,
            attacker_effects=tuple(filter(_easy, how.attacker_effects)),
            target_effects=tuple(filter(_easy, how.target_effects)),
        )
        lines = used_against(self.unit, self.phase, self.target, plain)
        if not lines and not self.unit.lines(self.phase):
            return f"{self.unit.name} has no weapons for the {self.phase} phase"
        try:
            with at_most(MOST_WORK):
                result = engage(self.unit.attacker, lines, self.target, how)
        except ValueError as error:  # too much work, or what the engine does not solve
            return str(error)
        return _said(result, lines)


def _easy(effect: Effect) -> bool:
    return effect.what != "command re-roll"


def _said(result: Result, lines: Iterable[Line]) -> Measures | str:
    if result.unmodelled:
        return "; ".join(result.unmodelled)
    outcome = result.outcome
    return Measures(
        damage=outcome.damage.mean,
        slain=outcome.slain.mean,
        destroyed=outcome.destroyed,
        points_removed=result.points_removed,
        weapons=tuple(in_words(tuple(lines))),
    )


def assumptions(effects: Iterable[Effect]) -> tuple[str, ...]:
    """The conditions of effects that are taken to hold, in words.

    >>> assumptions([Effect.parse('hit +1 if charged and "the Waaagh! is active"')])
    ('charged', 'the Waaagh! is active')
    """
    clauses = [c for e in flat(effects) for c in e.condition if c.kind in ("flag", "words")]
    return tuple(dict.fromkeys(str(clause).strip('"') for clause in clauses))


def words_of(effects: Iterable[Effect]) -> frozenset[str]:
    """The words that conditions of effects ask to be ticked.

    >>> sorted(words_of([Effect.parse('hit +1 if charged and "the Waaagh! is active"')]))
    ['the waaagh! is active']
    """
    clauses = (clause for effect in flat(effects) for clause in effect.condition)
    return frozenset(normal(clause.words[0]) for clause in clauses if clause.kind == "words")


def assuming(how: Circumstances, effects: Iterable[Effect]) -> Circumstances:
    """Circumstances in which the conditions of effects hold as well."""
    clauses = [clause for effect in flat(effects) for clause in effect.condition]
    return replace(
        how,
        flags=how.flags | {c.words[0] for c in clauses if c.kind == "flag"},
        ticked=how.ticked | words_of(effects),
    )
