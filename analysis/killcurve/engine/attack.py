"""The attack half: the joint law of the wounds that one batch of attacks makes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from killcurve.engine import law as laws
from killcurve.engine.edition import ROLL_CAP, Edition
from killcurve.engine.hashing import Remembers, hashed_once
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.roll import SURE, Chances, Roll, capped, wound_need
from killcurve.engine.weapon import Modifiers, WeaponLine


@hashed_once
@dataclass(frozen=True, slots=True)
class AttackDie(Remembers):
    """What one attack die may do: its hit chances, its wound chances, and what criticals add.

    ``sustained`` is the law of extra hits of a critical hit. A ``lethal`` critical hit wounds
    by itself; its extra hits roll as usual and are never critical hits (RULES.md §3.3).
    ``special_criticals`` keeps critical wounds apart from the others: they are devastating,
    or have a better AP. ``hit_roll`` and ``wound_roll`` are what is rolled, for players who
    may change a roll; there is no hit roll where attacks hit by themselves.

    >>> die = AttackDie(Roll(3).chances(), Roll(4).chances())
    >>> round(float(die.law()[1, 0]), 12)  # 2/3 to hit, 1/2 to wound
    0.333333333333
    """

    hit: Chances
    wound: Chances
    sustained: Pmf = Pmf.point(0)
    lethal: bool = False
    special_criticals: bool = False
    hit_roll: Roll | None = None
    wound_roll: Roll | None = None

    def wound_law(self) -> FloatArray:
        """The law of one wound roll: ``[n ordinary, m special]``."""
        if not self.special_criticals:
            return np.array([[self.wound.failure], [self.wound.success + self.wound.critical]])
        return np.array([[self.wound.failure, self.wound.critical], [self.wound.success, 0.0]])

    def law(self) -> FloatArray:
        """The joint law of the wounds of one attack die."""
        return _die_law(self)


@lru_cache(maxsize=8192)
def _die_law(die: AttackDie) -> FloatArray:
    wound = die.wound_law()
    first = np.array([[0.0], [1.0]]) if die.lethal else wound
    critical = laws.times(first, laws.mixture(die.sustained, wound))
    law = laws.weighted(
        (die.hit.failure, laws.NOTHING), (die.hit.success, wound), (die.hit.critical, critical)
    )
    law.setflags(write=False)
    return law


@hashed_once
@dataclass(frozen=True, slots=True)
class Batch(Remembers):
    """Identical attacks on one target: the law of attacks per weapon, and what a die does.

    ``dice`` holds (probability, die) pairs: more than one where Strength is random, which is
    rolled for each attack.
    """

    weapons: int
    attacks: Pmf
    dice: tuple[tuple[float, AttackDie], ...]

    def law(self, ordinary: float = 1.0, special: float | None = None) -> FloatArray:
        """P(n ordinary and m special wounds) of the whole batch, shape (n + 1, m + 1).

        Wounds count with the chance given for their kind (that a save fails). With a chance
        for the ``special`` ones both kinds are counted together, in one column.
        """
        return _batch_law(self, ordinary, special)

    def die_law(self) -> FloatArray:
        """P(n ordinary and m special wounds) of one attack die."""
        return laws.weighted(*((p, die.law()) for p, die in self.dice))

    def number(self) -> Pmf:
        """The law of the number of attack dice."""
        return Pmf(laws.mixture(Pmf.point(self.weapons), self.attacks.from_zero()[:, None])[:, 0])


@lru_cache(maxsize=4096)
def _batch_law(batch: Batch, ordinary: float, special: float | None) -> FloatArray:
    die = batch.die_law()
    alike = len(batch.dice) == 1 and not batch.dice[0][1].lethal and die.shape[1] > 1
    if special is None and alike:
        # Every wound comes of a wound roll, so each is special with the same chance.
        wound = batch.dice[0][1].wound
        good = wound.success * ordinary + wound.critical
        both = _power(batch, laws.of_damaging(die, ordinary, 1.0))
        law = laws.split(both[:, 0], wound.critical / good)
        law.setflags(write=False)
        return law
    if special is None:
        die = laws.thinned(die, ordinary)
    else:
        die = laws.of_damaging(die, ordinary, special)
    law = _power(batch, die)
    law.setflags(write=False)
    return law


def _power(batch: Batch, die: FloatArray) -> FloatArray:
    """The law of all attack dice of a batch, from that of one."""
    if len(batch.attacks.weights) == 1:
        return laws.power(die, batch.weapons * batch.attacks.start)
    return laws.power(laws.mixture(batch.attacks, die), batch.weapons)


def batch(line: WeaponLine, toughness: int, edition: Edition) -> Batch:
    """The batch that a weapon line makes against a target of that (changed) Toughness.

    >>> from killcurve.engine.dice import Dice
    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.weapon import Weapon
    >>> bolter = Weapon(count=5, attacks=Dice.parse(2), skill=3, strength=Dice.parse(4), ap=0,
    ...                 damage=Dice.parse(1))
    >>> batch(WeaponLine(bolter), 4, edition("11e")).law().shape
    (11, 1)
    """
    weapon, modifiers = line.weapon, line.modifiers
    attacks = modifiers.attacks.law(weapon.attacks, edition, modifiers.reroll_attacks)
    for dice in modifiers.extra_attacks:
        attacks = attacks + dice.pmf
    strengths = modifiers.strength.law(weapon.strength, edition)
    pairs = zip(strengths.values.tolist(), strengths.weights.tolist(), strict=True)
    return Batch(
        weapons=weapon.count,
        attacks=attacks,
        dice=tuple((p, attack_die(line, s, toughness, edition)) for s, p in pairs),
    )


def modifiers_at(line: WeaponLine, strength: int, toughness: int) -> Modifiers:
    """The modifiers that hold for an attack of that Strength against that Toughness."""
    stronger = line.when_stronger is not None and strength > toughness
    return line.when_stronger if stronger and line.when_stronger else line.modifiers


def attack_die(line: WeaponLine, strength: int, toughness: int, edition: Edition) -> AttackDie:
    """What one attack die of that Strength does against that Toughness."""
    modifiers = modifiers_at(line, strength, toughness)
    wound = Roll(
        need=wound_need(strength, toughness),
        modifier=capped(modifiers.wound, ROLL_CAP),
        critical=modifiers.critical_wounds,
        reroll=modifiers.reroll_wounds,
    )
    sustained = modifiers.sustained
    hit = hit_roll(line.weapon.skill, line.weapon.ranged, modifiers, edition)
    return AttackDie(
        hit=SURE if hit is None else hit.chances(),
        wound=wound.chances(),
        sustained=Pmf.point(0) if sustained is None else sustained.pmf,
        lethal=modifiers.lethal,
        special_criticals=modifiers.devastating or modifiers.critical_wound_ap != 0,
        hit_roll=hit,
        wound_roll=wound,
    )


def hit_roll(
    skill: int | None, ranged: bool, modifiers: Modifiers, edition: Edition
) -> Roll | None:
    """The hit roll, ``None`` where attacks hit by themselves (RULES.md §3.1, §3.2).

    BS and WS changes add up without limit and are then clamped by the edition; roll
    modifiers are capped at one. Cover is one of the former in the 11th edition.

    >>> from killcurve.engine.edition import edition
    >>> hit_roll(3, True, Modifiers(cover=True, hit=-1), edition("11e")).chances().failure
    0.6666666666666666
    """
    if modifiers.hits_automatically:
        return None
    if skill is None and not (modifiers.only_gate_counts and not edition.torrent_ignores_snap):
        return None
    if modifiers.skill_set is not None:
        skill = modifiers.skill_set
    skill = 2 if skill is None else skill
    change = modifiers.skill - (modifiers.cover and ranged and edition.cover_worsens_skill)
    need = 2 if modifiers.only_gate_counts else skill - change
    if edition.skill_clamp is not None:
        low, high = edition.skill_clamp
        need = max(low, min(high, need))
    return Roll(
        need=need,
        modifier=capped(modifiers.hit, ROLL_CAP),
        critical=modifiers.critical_hits,
        gate=modifiers.hit_gate,
        reroll=modifiers.reroll_hits,
        critical_if_successful=modifiers.critical_hits_if_successful,
    )
