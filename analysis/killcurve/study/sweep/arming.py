"""What abilities and effects make of a weapon's attacks, target class by target class.

Rules ask a weapon's abilities, the circumstances and a target's keywords, not its numbers: so
weapons with the same abilities are armed once, and targets they treat alike are one class.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from killcurve.engine.edition import Edition
from killcurve.engine.weapon import Modifiers
from killcurve.rules.abilities import Ability
from killcurve.rules.modifiers import ArmedWith, modifiers
from killcurve.rules.situation import Situation
from killcurve.study.sweep.bundles import NO_EFFECTS, Bundle, asked_by, asked_when
from killcurve.study.sweep.field import Field, Ids

CONTEXTS = {"ranged": ("half_range", "cover", "stationary"), "melee": ("charged",)}
"""The circumstances of which each combination is looked at, where they change anything."""

PER_MODELS = frozenset({"blast", "cleave"})
"""Abilities that count the target's models."""

RIGHTS = "a single re-roll or change of a roll, used at its best moment"
"""Why a set of effects is left out: its outcome is no product of halves."""

NO_FLAGS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Arms:
    """What rules make of attacks: the modifiers, and those with Strength above Toughness."""

    plain: Modifiers
    when_stronger: Modifiers | None


@dataclass(frozen=True, slots=True, eq=False)
class Armament:
    """A weapon's attacks against each class of targets; equal ones are one object.

    ``armed`` are (number of the class, arms). ``rights`` tells that single rolls may be changed,
    ``unmodelled`` names what is not computed.
    """

    armed: tuple[tuple[int, Arms], ...]
    rights: bool = False
    unmodelled: tuple[str, ...] = ()

    def left_out(self, usual: Armament) -> str:
        """Why it cannot be computed though the weapon alone can; empty where it can."""
        if self.rights:
            return RIGHTS
        return "; ".join(rule for rule in self.unmodelled if rule not in usual.unmodelled)


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What rules ask of a weapon and its unit: ``number`` stands for its abilities and kind."""

    number: int
    abilities: tuple[Ability, ...]
    kind: str
    keywords: frozenset[str]
    name: str


class Arming:
    """Arms weapons under a rule state against the targets of a field; each kind of case once.

    ``refused`` are the effects of targets that cannot be computed, with the reason.
    """

    def __init__(self, field: Field, edition: Edition) -> None:
        self._field = field
        self.edition = edition
        self.refused: dict[Bundle, str] = {}
        self._guns: dict[object, int] = {}
        self._arms: dict[object, Arms] = {}
        self._armaments: dict[object, Armament] = {}
        self._known: dict[object, Armament] = {}
        self._matter: dict[object, tuple[str, ...]] = {}
        self._helped: dict[object, Armament] = {}
        self._asked_attacker = frozenset[str]().union(
            *(each.asks["attacker"] for cast in field.casts.values() for each in cast)
        )

    def asked(
        self, abilities: tuple[Ability, ...], kind: str, keywords: frozenset[str], name: str
    ) -> Asked:
        """What rules ask of a weapon with these abilities."""
        number = self._guns.setdefault((abilities, kind), len(self._guns))
        return Asked(number, abilities, kind, keywords, name)

    def against_plain(self, asked: Asked, effects: Bundle, flags: frozenset[str]) -> Armament:
        """A weapon with effects against all targets that have no help."""
        return self._armament(asked, effects, flags, NO_EFFECTS)

    def against_helped(self, asked: Asked, flags: frozenset[str]) -> Armament:
        """A weapon without effects against all targets that have some help."""
        key = (asked.number, flags, asked.keywords & self._asked_attacker)
        if key not in self._helped:
            self._helped[key] = self._against_helped(asked, flags)
        return self._helped[key]

    def _against_helped(self, asked: Asked, flags: frozenset[str]) -> Armament:
        usual = self.against_plain(asked, NO_EFFECTS, flags)
        armed: list[tuple[int, Arms]] = []
        for defence in self._field.casts[asked.kind]:
            if defence is NO_EFFECTS:
                continue
            assumed = {flag.replace("unit_below", "target_below") for flag in defence.flags}
            found = self._armament(asked, NO_EFFECTS, flags | assumed, defence)
            if reason := found.left_out(usual):
                self.refused[defence] = reason
            else:
                armed += found.armed
        return self._one(Armament(tuple(armed), unmodelled=usual.unmodelled))

    def contexts(self, asked: Asked, effects: Bundle) -> list[frozenset[str]]:
        """The circumstances to be told apart, least first: those that may change something."""
        may = set(self._that_matter(asked, effects))
        may |= effects.flags.intersection(CONTEXTS[asked.kind])
        ordered = [flag for flag in CONTEXTS[asked.kind] if flag in may]
        return [
            frozenset(some)
            for size in range(len(ordered) + 1)
            for some in combinations(ordered, size)
        ]

    def _that_matter(self, asked: Asked, effects: Bundle) -> tuple[str, ...]:
        """The circumstances that change the attacks of a weapon with these abilities at all."""
        key = (asked.number, effects.abilities)
        if key in self._matter:
            return self._matter[key]
        abilities = asked.abilities + effects.abilities
        bare = self.asked(abilities, asked.kind, frozenset(), "")
        every = frozenset(CONTEXTS[asked.kind])

        def armed(flags: frozenset[str]) -> Armament:
            return self.against_plain(bare, NO_EFFECTS, flags)

        self._matter[key] = tuple(
            flag
            for flag in CONTEXTS[asked.kind]
            if armed(NO_FLAGS) is not armed(frozenset({flag}))
            or armed(every) is not armed(every - {flag})
        )
        return self._matter[key]

    def _armament(
        self, asked: Asked, effects: Bundle, flags: frozenset[str], defence: Bundle
    ) -> Armament:
        words = effects.asks["attacker"] | defence.asks["attacker"] | asked_when(flags)
        key = (
            asked.number,
            effects.number,
            defence.number,
            flags,
            asked.keywords & words,
            asked.name if effects.names_weapons or defence.names_weapons else "",
        )
        if key not in self._known:
            self._known[key] = self._one(self._armed(asked, effects, flags, defence))
        return self._known[key]

    def _armed(
        self, asked: Asked, effects: Bundle, flags: frozenset[str], defence: Bundle
    ) -> Armament:
        abilities = asked.abilities + effects.abilities
        words = asked_by(abilities) | asked_when(flags)
        words |= effects.asks["target"] | defence.asks["target"] | defence.asks["unit"]
        alike: dict[Arms, list[Ids]] = {}
        unmodelled: list[str] = []
        rights = False
        for keywords, models, members in self._field.alike(
            asked.kind, defence, words, by_models=any(a.name in PER_MODELS for a in abilities)
        ):
            where = Situation(
                edition=self.edition,
                ranged=asked.kind == "ranged",
                flags=flags,
                ticked=effects.words | defence.words,
                attacker_keywords=asked.keywords,
                target_keywords=keywords,
                target_models=models,
            )
            weapon = ArmedWith(asked.name, asked.abilities)
            made = modifiers(weapon, effects.effects, defence.effects, where, unmodelled=unmodelled)
            rights = rights or bool(made.rights)
            key = (made.modifiers, made.when_stronger)
            arms = self._arms.setdefault(key, Arms(*key))
            alike.setdefault(arms, []).append(members)
        armed = tuple((self._class_of(members), arms) for arms, members in alike.items())
        return Armament(armed, rights, tuple(unmodelled))

    def _class_of(self, members: list[Ids]) -> int:
        joined = members[0] if len(members) == 1 else np.sort(np.concatenate(members))
        return self._field.class_of(joined)

    def _one(self, made: Armament) -> Armament:
        """The object that stands for all armaments equal to this one."""
        key = (made.armed, made.rights, made.unmodelled)
        return self._armaments.setdefault(key, made)
