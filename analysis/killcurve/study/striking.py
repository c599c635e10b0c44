"""One unit's strike at another, whatever is left of both: the law of the struck unit's states.

A strike is that of :func:`killcurve.study.matchup.attack`, with the weapons of the models that
live, against the models that live.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from killcurve.engine.edition import Edition, edition
from killcurve.engine.hazards import after_hazards
from killcurve.engine.joint import changed, struck
from killcurve.engine.pmf import FloatArray
from killcurve.engine.remaining import remaining
from killcurve.engine.resolve import resolve
from killcurve.engine.strength import strength_states
from killcurve.engine.target import Target
from killcurve.engine.volley import Volley
from killcurve.engine.weapon import WeaponLine
from killcurve.rules.effect_rules import BESIDE_ATTACKS
from killcurve.rules.effects import Effect
from killcurve.rules.modifiers import ArmedWith, modifiers
from killcurve.rules.modifiers import Arms as Modified
from killcurve.rules.selfharm import STURDY
from killcurve.rules.situation import Situation
from killcurve.study.arming import Arms, Use, arm
from killcurve.study.fielding import Carried, Fielded
from killcurve.study.matchup import Circumstances
from killcurve.tables.dataset import DataError

STRENGTH_FLAGS = ("below_starting", "below_half")


@dataclass(frozen=True, slots=True)
class Kind:
    """What strikes: weapons (places in the striker's list) with how many there are of each.

    ``flags`` are circumstances of the striking unit's own state, ``wounds_left`` the wounds of
    its most damaged model where a rule asks for them.
    """

    weapons: tuple[tuple[int, int], ...]
    flags: frozenset[str] = frozenset()
    wounds_left: int | None = None


@dataclass(slots=True, eq=False)
class Striker:
    """A unit that strikes another in one way: all its strikes, each worked out once.

    ``arms`` are what its models use; chosen against the whole enemy unless given. What cannot
    be computed is named in ``unmodelled``.
    """

    unit: Fielded
    enemy: Fielded
    use: Use
    how: Circumstances = field(default_factory=Circumstances)
    arms: Arms = ()
    unmodelled: list[str] = field(default_factory=list)
    _carried: tuple[Carried, ...] = ()
    _modified: dict[tuple[object, ...], Modified] = field(default_factory=dict)
    _laws: dict[tuple[Kind, int], FloatArray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.unmodelled += [
            f"the effect '{effect}' (beside attacks)"
            for effect in (*self.how.attacker_effects, *self.how.target_effects)
            if effect.what in BESIDE_ATTACKS
        ]
        self.unmodelled += [
            f"the data has no weapons of {rank.name} ({self.unit.name})"
            for rank in self.unit.ranks
            if not rank.weapons
        ]
        everything = {_one(c): None for rank in self.unit.ranks for c in rank.weapons}
        self._carried = tuple(everything)
        if not self.arms:
            self.arms = arm(self.unit, self.enemy.keywords, self.use, self._worth)
        used = {_one(c) for weapons in self.arms for c in weapons}
        self._carried = tuple(carried for carried in everything if carried in used)
        self._modified.clear()

    @property
    def edition(self) -> Edition:
        """The rule state of its attacks."""
        return edition(self.how.edition or self.unit.edition)

    def kinds(self) -> list[Kind | None]:
        """What strikes in each of the unit's states; ``None`` where nothing does."""
        flags, wounds = self._own_flags(), self._wounds_left()
        return [
            self.kind(living, flags[state], wounds[state])
            for state, living in enumerate(self.unit.living().tolist())
        ]

    def kind(
        self,
        living: list[int],
        flags: frozenset[str] = frozenset(),
        wounds_left: int | None = None,
    ) -> Kind | None:
        """What strikes when so many models of each rank do."""
        counts = [0] * len(self._carried)
        for alive, weapons in zip(living, self.arms, strict=True):
            for carried in weapons:
                counts[self._carried.index(_one(carried))] += alive * carried.count
        used = tuple((place, count) for place, count in enumerate(counts) if count)
        return Kind(used, flags, wounds_left) if used else None

    def after(self, kind: Kind, state: int) -> FloatArray:
        """The law of the enemy's states when ``kind`` strikes it in a state; (states,)."""
        key = kind, state
        if key not in self._laws:
            self._laws[key] = self._after(kind, state)
        return self._laws[key]

    def struck(self, joint: FloatArray, kinds: Sequence[Kind | None]) -> FloatArray:
        """The joint law (own states, enemy states) after a strike and its hazard rolls.

        ``kinds`` tell what strikes in each own state.
        """

        def harmed(state: int) -> FloatArray | None:
            kind = kinds[state]
            return None if kind is None else self.harm(kind, state)

        return changed(struck(joint, kinds, self.after), harmed)

    def strike(self, law: FloatArray | None = None) -> FloatArray:
        """The law of the enemy's states when the whole unit strikes it; (states,).

        ``law`` is that of the enemy's states before, that of the fresh enemy unless given.
        """
        before = self.enemy.space.from_start() if law is None else law
        kind = self.kind([rank.count for rank in self.unit.ranks])
        if kind is None:
            return before
        states = np.flatnonzero(before)
        return np.asarray(before[states] @ np.array([self.after(kind, int(s)) for s in states]))

    def _after(self, kind: Kind, state: int) -> FloatArray:
        space = self.enemy.space
        if state == space.destroyed:
            law = np.zeros(space.size)
            law[state] = 1.0
            return law
        left = remaining(self.enemy.target, state)
        flags = kind.flags | self._enemy_flags(state)
        volley = self.volley(kind, left.target, flags)
        try:
            return left.placed(resolve(volley).law)
        except ValueError as error:
            raise DataError(f"{self.unit.name} against {self.enemy.name}: {error}") from None

    def volley(self, kind: Kind, target: Target, flags: frozenset[str] = frozenset()) -> Volley:
        """The attacks of ``kind`` on what is left of the enemy."""
        lines = tuple(
            self._weapon_line(place, count, kind, target, flags) for place, count in kind.weapons
        )
        return Volley(self.edition, target, lines)

    def hazards(self, kind: Kind) -> int:
        """How many hazard rolls follow the attacks of ``kind``."""
        return sum(
            count
            for place, count in kind.weapons
            if self._arms(place, kind, self.enemy.models, frozenset()).hazardous
        )

    def harm(self, kind: Kind, state: int) -> FloatArray | None:
        """The law of the own states after hazard rolls, ``None`` where there are none."""
        tests = self.hazards(kind)
        if not tests:
            return None
        left = remaining(self.unit.target, state)
        keywords = self.unit.keywords
        sturdy = bool(keywords & STURDY) and "infantry" not in keywords
        tough = len(self.unit.target.groups) == 1 and "character" in keywords
        law = after_hazards(left.target, tests, self.edition, sturdy=sturdy, tough=tough)
        return left.placed(law)

    def _worth(self, carried: Carried) -> float:
        """The mean damage of what one model has of a profile, against the whole enemy."""
        kind = Kind(((self._carried.index(_one(carried)), carried.count),))
        try:
            return resolve(self.volley(kind, self.enemy.target)).damage.mean
        except ValueError as error:
            raise DataError(f"{self.unit.name} against {self.enemy.name}: {error}") from None

    def _weapon_line(
        self, place: int, count: int, kind: Kind, target: Target, flags: frozenset[str]
    ) -> WeaponLine:
        arms = self._arms(place, kind, target.models, flags)
        weapon = self._carried[place].line.armed(count)
        return WeaponLine(weapon, arms.modifiers, arms.when_stronger, rights=arms.rights)

    def _arms(self, place: int, kind: Kind, target_models: int, flags: frozenset[str]) -> Modified:
        key = place, kind.wounds_left, target_models // 5, flags
        if key not in self._modified:
            carried = self._carried[place]
            where = Situation(
                edition=self.edition,
                ranged=self.use.ranged,
                flags=self.how.flags | flags | self._range_flags(carried),
                ticked=self.how.ticked,
                distance=self.use.distance,
                attacker_keywords=self.unit.keywords,
                target_keywords=self.enemy.keywords,
                target_models=target_models,
                attacker_wounds_left=kind.wounds_left,
            )
            self._modified[key] = modifiers(
                ArmedWith(carried.line.weapon, carried.line.abilities),
                self.how.attacker_effects,
                self.how.target_effects,
                where,
                unmodelled=self.unmodelled,
            )
        return self._modified[key]

    def _range_flags(self, carried: Carried) -> frozenset[str]:
        """What follows of the distance, and of being engaged."""
        if not self.use.ranged:
            return frozenset()
        distance = self.use.distance
        near = distance is not None and 2 * distance <= carried.range
        return frozenset(["half_range"] * near + ["engaged"] * self.use.engaged)

    def _effects(self) -> Iterator[Effect]:
        yield from (*self.how.attacker_effects, *self.how.target_effects)

    def _asks(self, flag: str) -> bool:
        """Whether an effect asks for a circumstance."""
        return any(
            clause.kind == "flag" and clause.words[0] == flag
            for effect in self._effects()
            for clause in effect.condition
        )

    def _own_flags(self) -> list[frozenset[str]]:
        asked = [state for state in STRENGTH_FLAGS if self._asks(f"unit_{state}")]
        found = strength_states(self.unit.target, self.edition)
        return [
            frozenset(f"unit_{what}" for what in asked if getattr(found, what)[state])
            for state in range(self.unit.space.size)
        ]

    def _enemy_flags(self, state: int) -> frozenset[str]:
        # A rule of the enemy asks for its own strength as that of the unit.
        asked = [
            what
            for what in STRENGTH_FLAGS
            if self._asks(f"target_{what}") or self._asks(f"unit_{what}")
        ]
        found = strength_states(self.enemy.target, self.edition)
        return frozenset(f"target_{what}" for what in asked if getattr(found, what)[state])

    def _wounds_left(self) -> list[int | None]:
        """The wounds of the most damaged living model, where a weapon's rule asks for them."""
        space = self.unit.space
        abilities = [a for c in self._carried for a in c.line.abilities]
        abilities += [e.amount for e in self._effects() if e.what == "ability"]  # type: ignore[misc]
        if not any(ability.name == "damaged" for ability in abilities):
            return [None] * space.size
        least = np.full(space.size, 10**6)
        for g, group in enumerate(self.unit.target.groups):
            left = group.wounds - space.lost[g] % group.wounds
            least = np.where(space.alive(g), np.minimum(least, left), least)
        return least.tolist()


def _one(carried: Carried) -> Carried:
    """The profile, however many of it a model has."""
    return replace(carried, count=1)
