"""From armaments to distinct halves: each attack half and each target half is worked out once.

An attack side against a Toughness is an attack half, a harm side against a target's
characteristics a target half. Different sides often come to the same half.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from killcurve.engine.allocation import toughness_of
from killcurve.engine.attack import AttackDie
from killcurve.engine.batch import AttackHalf, NotAProduct, Sides, TargetHalf, target_half
from killcurve.engine.batch_attack import (
    attack_dice,
    die_key,
    number_key,
    number_of_attacks,
    wound_needs,
)
from killcurve.engine.edition import Edition
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.target import Target
from killcurve.engine.weapon import WeaponLine
from killcurve.study.sweep.combinations import Entry, Sidings
from killcurve.study.sweep.field import Ids

DiceOfStrengths: TypeAlias = tuple[tuple[float, AttackDie], ...]

NONE = -1
"""No half: the case does not occur, or is no product of halves."""


@dataclass(frozen=True, slots=True)
class Entries:
    """The distinct entries of all armaments, one place each."""

    target_class: Ids
    attack: Ids
    harm: Ids

    @classmethod
    def of(cls, armaments: Iterable[tuple[Entry, ...]]) -> Entries:
        """Those of some armaments, in order."""
        rows = np.array(sorted({entry for entries in armaments for entry in entries}))
        return cls(*rows.reshape(-1, 3).T)


@dataclass(frozen=True, slots=True)
class Classes:
    """How many targets with each distinct characteristics are in each class of targets.

    ``counts[c, s]`` are those of class c with the characteristics ``stats[s]``.
    """

    stats: tuple[Target, ...]
    counts: Ids
    toughness: Ids

    @property
    def has(self) -> npt.NDArray[np.bool_]:
        """Which are there."""
        return self.counts > 0

    @classmethod
    def of(cls, stats: Iterable[Target], stat_of: Ids, members: Iterable[Ids]) -> Classes:
        """``stat_of`` are the numbers of the targets' characteristics, by target."""
        found = tuple(stats)
        rows = list(members)
        counts = np.zeros((len(rows), len(found)), dtype=np.int64)
        for row, targets in enumerate(rows):
            np.add.at(counts[row], stat_of[targets], 1)
        met = [toughness_of(stat, frozenset(range(len(stat.groups)))) for stat in found]
        return cls(found, counts, np.array(met))


@dataclass(slots=True)
class AttackHalves:
    """The distinct attack halves; ``half_of[attack side, toughness]`` is the number of each."""

    half_of: npt.NDArray[np.int32]
    laws: list[FloatArray] = field(default_factory=list)


def attack_halves(
    sidings: Sidings, entries: Entries, classes: Classes, edition: Edition
) -> AttackHalves:
    """Work out the attack halves of all sides against each Toughness that they meet."""
    has = classes.has
    met = np.zeros((len(sidings.attacks), int(classes.toughness.max()) + 1), dtype=bool)
    for toughness in np.unique(classes.toughness).tolist():
        there = has[:, classes.toughness == toughness].any(axis=1)
        met[entries.attack[there[entries.target_class]], toughness] = True
    numbers = [number_of_attacks(line, edition) for line in sidings.numbers]
    number_ids = _numbered(number_key(number) for number in numbers)
    dice = _Dice(list(sidings.dice), edition)
    halves: dict[tuple[int, int], int] = {}
    out = AttackHalves(np.full(met.shape, NONE, dtype=np.int32))
    for side, (number, die) in enumerate(sidings.attacks):
        for toughness in np.flatnonzero(met[side]).tolist():
            law, made = dice.against(die, toughness)
            key = (number_ids[number], law)
            if key not in halves:
                halves[key] = len(halves)
                out.laws.append(AttackHalf(numbers[number], made).law())
            out.half_of[side, toughness] = halves[key]
    return out


class _Dice:
    """The attack dice of die sides against a Toughness, with a number for each distinct law."""

    def __init__(self, lines: list[WeaponLine], edition: Edition) -> None:
        self._lines = lines
        self._edition = edition
        self._needs: dict[tuple[int, int], tuple[int, DiceOfStrengths]] = {}
        self._known: dict[object, tuple[int, DiceOfStrengths]] = {}
        self._made: dict[DiceOfStrengths, int] = {}
        self._laws: dict[object, int] = {}

    def against(self, die: int, toughness: int) -> tuple[int, DiceOfStrengths]:
        """The number of the law of one attack die, and the dice."""
        if (die, toughness) not in self._needs:
            key = (die, wound_needs(self._lines[die], toughness, self._edition))
            if key not in self._known:
                made = attack_dice(self._lines[die], toughness, self._edition)
                if made not in self._made:
                    law = AttackHalf(Pmf.point(1), made).batch.die_law()
                    self._made[made] = self._laws.setdefault(die_key(law), len(self._laws))
                self._known[key] = self._made[made], made
            self._needs[die, toughness] = self._known[key]
        return self._needs[die, toughness]


def _numbered(keys: Iterable[object]) -> list[int]:
    """Equal keys get equal numbers, counted from 0."""
    known: dict[object, int] = {}
    return [known.setdefault(key, len(known)) for key in keys]


@dataclass(slots=True)
class TargetHalves:
    """The distinct target halves; ``half_of[harm side, target]`` is the number of each."""

    half_of: npt.NDArray[np.int32]
    halves: list[TargetHalf] = field(default_factory=list)


def target_halves(
    sidings: Sidings, entries: Entries, classes: Classes, edition: Edition
) -> TargetHalves:
    """Work out the target halves of all harm sides on each target that they meet.

    They are numbered gate by gate, so that laws of unsaved wounds are made once for each.
    """
    has = classes.has
    met = np.zeros((len(sidings.harms), len(classes.stats)), dtype=bool)
    for harm, target_class in np.unique(np.stack([entries.harm, entries.target_class]), axis=1).T:
        met[harm] |= has[target_class]
    found: dict[TargetHalf, int] = {}
    half_of = np.full(met.shape, NONE, dtype=np.int32)
    for harm, (save, damage) in enumerate(sidings.harms):
        apart = Sides(damage, damage, save, damage)
        for stat in np.flatnonzero(met[harm]).tolist():
            try:
                half = target_half(apart, classes.stats[stat], edition)
            except NotAProduct:
                continue
            half_of[harm, stat] = found.setdefault(half, len(found))
    halves = list(found)
    order = sorted(range(len(halves)), key=lambda i: (*halves[i].gate, i))
    place = np.empty(len(halves) + 1, dtype=np.int32)
    place[order] = np.arange(len(halves))
    place[NONE] = NONE
    return TargetHalves(place[half_of], [halves[i] for i in order])


def pairs(
    entries: Entries, classes: Classes, attacks: AttackHalves, targets: TargetHalves
) -> Iterator[Ids]:
    """For each target half the attack halves that it meets, each once, in order."""
    has = classes.has
    meets: list[list[Ids]] = [[] for _ in targets.halves]
    order = np.argsort(entries.harm, kind="stable")
    edges = np.searchsorted(entries.harm[order], np.arange(len(targets.half_of) + 1))
    for harm, (low, high) in enumerate(pairwise(edges)):
        rows = order[low:high]
        there = has[entries.target_class[rows]]
        known: dict[tuple[int, bytes], Ids] = {}
        for stat in np.flatnonzero(targets.half_of[harm] != NONE).tolist():
            toughness, mask = int(classes.toughness[stat]), there[:, stat]
            key = (toughness, np.packbits(mask).tobytes())
            if key not in known:
                halves = attacks.half_of[entries.attack[rows[mask]], toughness]
                known[key] = np.unique(halves)
            meets[targets.half_of[harm, stat]].append(known[key])
    for found in meets:
        yield np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.int32)


def named(
    rows: Iterable[int], armaments: Iterable[tuple[Entry, ...]], here: Ids, targets: TargetHalves
) -> tuple[int, int]:
    """How many combinations have an outcome, their targets counted by name, and how many none.

    ``rows`` are the armaments of all lines; ``here[c, s]`` counts the targets of class c with
    characteristics s.
    """
    known: dict[tuple[int, int], tuple[int, int]] = {}
    each = []
    for entries in armaments:
        found = refused = 0
        for target_class, _, harm in entries:
            if (target_class, harm) not in known:
                there = targets.half_of[harm] != NONE
                counts = here[target_class]
                known[target_class, harm] = int(counts[there].sum()), int(counts[~there].sum())
            more, less = known[target_class, harm]
            found, refused = found + more, refused + less
        each.append((found, refused))
    together = [each[row] for row in rows]
    return sum(found for found, _ in together), sum(refused for _, refused in together)
