"""The target's models and what harm does to them (RULES.md §5, §6).

A state holds the remaining wounds of every living model.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from .course import Course, Step, Worth, pick
from .damage import DamageRule, dealt
from .dice import Law, certain, mapped, spread
from .profile import Profile, make_profile
from .reading import Scenario
from .rights import Tokens, all_tokens, kept, rolls_damage, useful
from .saving import full_wounds, pain_ignored
from .scene import Scene

Models = tuple[int, ...]
"""Remaining wounds of a group's living models, ascending: the wounded one comes first."""


class State(NamedTuple):
    """Models of each group; unused rights; 10e: devastating wounds owed by each weapon, and the
    group with an unhurt model an attack was allocated to (-1: none).
    """

    groups: tuple[Models, ...]
    tokens: Tokens = ()
    owed: tuple[int, ...] = ()
    bound: int = -1

    @property
    def living(self) -> tuple[bool, ...]:
        """Which groups have a living model."""
        return tuple(bool(models) for models in self.groups)


class Table:
    """One scenario with what is worked out once."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        groups = scenario.target.groups
        scene = Scene(scenario, None, (True,) * len(groups))
        self.full = tuple(full_wounds(group, scene) for group in groups)
        models = [
            tuple(sorted([full - group.wounds_lost] + [full] * (group.count - 1)))
            if group.count
            else ()
            for full, group in zip(self.full, groups, strict=True)
        ]
        tokens = kept(all_tokens(scenario), self.useful_from(0))
        self.start = State(tuple(models), tokens, (0,) * len(scenario.weapons))
        self._profiles: dict[tuple[int, tuple[bool, ...]], Profile] = {}

    def profile(self, index: int, state: State) -> Profile:
        """Weapon `index` against the living models; 10e keeps the Toughness of the start (§4)."""
        key = (index, state.living)
        if key not in self._profiles:
            met = self.start.living if self.scenario.tenth else state.living
            self._profiles[key] = make_profile(self.scenario, index, state.living, met)
        return self._profiles[key]

    def rolls_damage_again(self, index: int) -> bool:
        """Whether a free re-roll of damage may be to be decided while weapon `index` attacks."""
        return rolls_damage(self.scenario, self.scenario.weapons[index]) and any(
            e.kind == "reroll" and e.what == "damage" and e.how in ("failed", "noncritical")
            for e in self.scenario.attacker.effects
        )

    def useful_from(self, index: int) -> frozenset[str]:
        """The rights that might be used by weapon `index` and those after it."""
        weapons = self.scenario.weapons[index:]
        return frozenset().union(*(useful(self.scenario, weapon) for weapon in weapons))

    def character(self, group: int) -> bool:
        """Whether a group is a CHARACTER."""
        return self.scenario.target.groups[group].character

    def wounded(self, state: State, group: int) -> bool:
        """Whether a living model of the group has lost wounds."""
        return bool(state.groups[group]) and state.groups[group][0] < self.full[group]

    def candidates(self, state: State) -> list[int]:
        """The groups the next harm may go to: wounded non-CHARACTER, non-CHARACTER, then likewise
        CHARACTER (§6.3; §5.2). With a fixed order only the first of them."""
        living = [group for group in self.order() if state.groups[group]]
        plain = [group for group in living if not self.character(group)]
        pool = plain or living
        found = [group for group in pool if self.wounded(state, group)] or pool
        return found if self.scenario.allocation is None else found[:1]

    def order(self) -> tuple[int, ...]:
        """The defender's order of groups; as listed while it is to be optimised."""
        return self.scenario.allocation or tuple(range(len(self.full)))

    def singled_out(self, profile: Profile, state: State) -> int | None:
        """The living CHARACTER that PRECISION attacks name (§5.1, §5.2)."""
        if not profile.precision or self.scenario.precision is None:
            return None
        names = [group.name for group in self.scenario.target.groups]
        for group in self.order():
            if (
                names[group] == self.scenario.precision
                and self.character(group)
                and state.groups[group]
            ):
                return group
        return None


def suffer(state: State, group: int, points: int, ignored: Fraction) -> Law:
    """The chosen model of a group loses points one by one, each ignored with a chance; no spill
    (§6.1, §6.2).
    """
    model, *others = state.groups[group]

    def after(left: int) -> State:
        models = tuple(sorted([left, *others])) if left else tuple(others)
        groups = (*state.groups[:group], models, *state.groups[group + 1 :])
        return state._replace(groups=groups)

    return mapped(wounds_left(model, points, ignored), after)


@lru_cache(maxsize=4096)
def wounds_left(model: int, points: int, ignored: Fraction) -> Law:
    """Law of what is left of a model that loses points one by one until it is dead."""
    law: Law = {model: Fraction(1)}
    for _ in range(points):
        law = spread(
            law, lambda left: {left: ignored, left - 1: 1 - ignored} if left else {0: Fraction(1)}
        )
    return {left: chance for left, chance in law.items() if chance}


def damaged(state: State, group: int, rule: DamageRule, ignored: Fraction, worth: Worth) -> Law:
    """One damaging attack on the chosen model: its damage roll, Feel No Pain, wounds lost."""

    def lost(points: int, tokens: Tokens) -> Law:
        return suffer(state._replace(tokens=tokens), group, points, ignored)

    return dealt(rule, state.tokens, lost, worth)


def finished(position: object) -> bool:
    """Whether a weapon has left a state behind: other positions are in the middle of something."""
    return isinstance(position, State)


def tidy(state: State) -> State:
    """Nothing is left to do to a dead unit."""
    return state if any(state.groups) else State(state.groups, owed=(0,) * len(state.owed))


def forget(useful: frozenset[str]) -> Step:
    """Rights that no later roll can use make no difference any more."""
    return lambda state, _: certain(tidy(state._replace(tokens=kept(state.tokens, useful))))


def mortal_wound(table: Table, state: State, worth: Worth, ignored: tuple[Fraction, ...]) -> Law:
    """One mortal wound, allocated anew (§6.3); `ignored` is Feel No Pain for each group."""
    if not any(state.groups):
        return {state: Fraction(1)}
    return pick(
        table.candidates(state), lambda group: suffer(state, group, 1, ignored[group]), worth, -1
    )


def mortal_wounds(
    table: Table, state: State, worth: Worth, number: int, ignored: tuple[Fraction, ...]
) -> Law:
    """Several, one at a time; they spill from model to model."""
    step = [lambda now, later: mortal_wound(table, now, later, ignored)]
    return Course(step * number, worth).run(state)


def pool_pain(table: Table, state: State) -> tuple[Fraction, ...]:
    """Feel No Pain of each group against mortal wounds that no weapon makes."""
    scene = Scene(table.scenario, None, state.living)
    return tuple(pain_ignored(group, scene, True) for group in table.scenario.target.groups)
