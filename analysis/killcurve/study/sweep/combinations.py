"""Every weapon with every set of effects in every context: lines, and what they ask of the engine.

Lines that come to the same attacks share an *armament*: rows of (class of targets, attack side,
harm side). The sides are numbered, each standing for one thing that the engine works out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from killcurve.engine.batch import sides
from killcurve.engine.edition import Edition
from killcurve.engine.weapon import Weapon, WeaponLine
from killcurve.rules.spelling import normal
from killcurve.study.lines import Attacker, Line
from killcurve.study.sweep.arming import CONTEXTS, Armament, Arming, Arms, Asked
from killcurve.study.sweep.bundles import NO_EFFECTS, Bundle
from killcurve.study.sweep.effect_sets import NOTHING, Army, EffectSet

Entry = tuple[int, int, int]
"""A class of targets, and the numbers of the attack side and of the harm side that it meets."""


@dataclass(frozen=True, slots=True)
class Combination:
    """One weapon profile with a set of effects in a context (circumstances that hold).

    ``armament`` numbers what that comes to, ``base`` what the weapon comes to without the effects
    in the same circumstances.
    """

    weapon: int
    effect_set: int
    context: tuple[str, ...]
    armament: int
    base: int


@dataclass(slots=True)
class Sidings:
    """The sides of weapon lines, numbered: numbers of attacks, attack dice, attack sides, harms."""

    edition: Edition
    numbers: dict[WeaponLine, int] = field(default_factory=dict)
    dice: dict[WeaponLine, int] = field(default_factory=dict)
    attacks: dict[tuple[int, int], int] = field(default_factory=dict)
    harms: dict[tuple[WeaponLine, WeaponLine], int] = field(default_factory=dict)

    def of(self, weapon: Weapon, arms: Arms) -> tuple[int, int]:
        """The numbers of the attack side and the harm side of a line."""
        apart = sides(WeaponLine(weapon, arms.plain, arms.when_stronger), self.edition)
        attack = (
            self.numbers.setdefault(apart.number, len(self.numbers)),
            self.dice.setdefault(apart.die, len(self.dice)),
        )
        return (
            self.attacks.setdefault(attack, len(self.attacks)),
            self.harms.setdefault((apart.save, apart.damage), len(self.harms)),
        )


class Combinations:
    """All combinations of weapons, sets of effects and contexts, and the armaments they share.

    ``left_out`` counts weapons by (set of effects, reason) whose outcome is not computed,
    ``without_effect`` sets that change nothing for a weapon that may have them.
    """

    def __init__(self, arming: Arming) -> None:
        self._arming = arming
        self.sidings = Sidings(arming.edition)
        self.weapons: list[tuple[Attacker, Line]] = []
        self.effect_sets: dict[EffectSet, int] = {NOTHING: 0}
        self.rows: list[Combination] = []
        self.armaments: dict[tuple[Entry, ...], int] = {}
        self.left_out: Counter[tuple[EffectSet, str]] = Counter()
        self.unmodelled: dict[int, tuple[str, ...]] = {}
        self.without_effect = 0
        self._weapons: dict[Weapon, int] = {}
        self._guns: list[int] = []
        self._known: dict[tuple[int, Armament], int] = {}
        self._apart: dict[tuple[int, Arms], tuple[int, int]] = {}

    def add(self, unit: Attacker, line: Line, army: Army) -> None:
        """One more weapon profile."""
        number = len(self.weapons)
        self.weapons.append((unit, line))
        weapon = line.armed(max(1, line.count))
        self._guns.append(self._weapons.setdefault(weapon, len(self._weapons)))
        asked = self._arming.asked(line.abilities, line.kind, unit.keywords, normal(line.weapon))
        self._alone(number, asked)
        for effects in army.attacking:
            if effects.may_be_used(unit.keywords, line.kind):
                self._helped(number, asked, effects)

    def _alone(self, number: int, asked: Asked) -> None:
        """The weapon without help, against all targets with and without theirs."""
        seen = set()
        for context in self._arming.contexts(asked, NO_EFFECTS):
            alone = self._arming.against_plain(asked, NO_EFFECTS, context)
            helped = self._arming.against_helped(asked, context)
            base, other = self._armament(number, alone), self._armament(number, helped)
            if (base, other) in seen:
                continue
            seen.add((base, other))
            self.unmodelled[number] = alone.unmodelled
            named = _named(asked, context)
            self.rows.append(Combination(number, 0, named, base, base))
            if helped.armed:
                self.rows.append(Combination(number, 0, named, other, base))

    def _helped(self, number: int, asked: Asked, effects: EffectSet) -> None:
        """The weapon with a set of effects, in each context in which all of it changes a thing."""
        reaching = self._reaching(asked, effects)
        parts = [self._reaching(asked, part) for part in effects.together]
        if NO_EFFECTS in (reaching, *parts):
            self.without_effect += 1
            return
        assumed = reaching.flags.difference(CONTEXTS[asked.kind])
        seen = set()
        for context in self._arming.contexts(asked, reaching):
            flags = context | assumed
            made = self._arming.against_plain(asked, reaching, flags)
            alone = self._arming.against_plain(asked, NO_EFFECTS, flags)
            if reason := made.left_out(alone):
                self.left_out[effects, reason] += 1
                return
            armament, base = self._armament(number, made), self._armament(number, alone)
            less = {base}
            for part in parts:
                found = self._arming.against_plain(asked, part, flags)
                less.add(self._armament(number, found))
            if armament in less or (armament, base) in seen:
                continue
            seen.add((armament, base))
            named = _named(asked, context)
            which = self.effect_sets.setdefault(effects, len(self.effect_sets))
            self.rows.append(Combination(number, which, named, armament, base))
        self.without_effect += not seen

    def _reaching(self, asked: Asked, effects: EffectSet) -> Bundle:
        return effects.reaching(asked.keywords, asked.kind, asked.name)

    def _armament(self, number: int, made: Armament) -> int:
        """The number of what an armament is in the hands of a weapon."""
        key = (self._guns[number], made)
        if key not in self._known:
            _, line = self.weapons[number]
            weapon = line.armed(max(1, line.count))
            entries = sorted(
                (there, *self._sides(key[0], weapon, arms)) for there, arms in made.armed
            )
            self._known[key] = self.armaments.setdefault(tuple(entries), len(self.armaments))
        return self._known[key]

    def _sides(self, number: int, weapon: Weapon, arms: Arms) -> tuple[int, int]:
        key = (number, arms)
        if key not in self._apart:
            self._apart[key] = self.sidings.of(weapon, arms)
        return self._apart[key]


def _named(asked: Asked, context: frozenset[str]) -> tuple[str, ...]:
    return tuple(flag for flag in CONTEXTS[asked.kind] if flag in context)
