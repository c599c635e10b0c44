"""Many attack halves: the laws of the wounds that batches of attacks make, in groups of a size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from killcurve.engine.attack import AttackDie, Batch, batch
from killcurve.engine.batch_sides import Sides
from killcurve.engine.change import Change
from killcurve.engine.dice import Dice
from killcurve.engine.edition import Edition
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.roll import wound_need
from killcurve.engine.weapon import WeaponLine

Rows = npt.NDArray[np.intp]

STEP = 8
"""Laws are grouped by their sizes, rounded up to multiples of this."""

ROWS_AT_ONCE = 2_048
"""Laws of two kinds of wounds are gated so many at a time, to bound memory."""


class Gate(NamedTuple):
    """The chances that an ordinary and a special wound are not saved."""

    ordinary: float
    special: float = 1.0


OPEN = Gate(1.0)


@dataclass(frozen=True, slots=True)
class AttackHalf:
    """The attack half of a volley of one line: how many attacks, and what each die may do.

    Its ``key`` is the same for halves that do the same.
    """

    number: Pmf
    dice: tuple[tuple[float, AttackDie], ...]

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for equal laws, up to rounding of what a float adds up."""
        return (*number_key(self.number), *die_key(self.batch.die_law()))

    @property
    def batch(self) -> Batch:
        """As one weapon that makes all the attacks."""
        return Batch(1, self.number, self.dice)

    def law(self) -> FloatArray:
        """P(n ordinary and m special wounds), before any save; shape (n + 1, m + 1)."""
        return self.batch.law()


def number_key(number: Pmf) -> tuple[object, ...]:
    """Equal for equal laws of a number of attacks."""
    return number.start, number.weights.round(14).tobytes()


def die_key(law: FloatArray) -> tuple[object, ...]:
    """Equal for equal laws of one attack die."""
    return law.shape, law.round(14).tobytes()


def number_of_attacks(number: WeaponLine, edition: Edition) -> Pmf:
    """The law of the number of attacks, from that side of a line."""
    return batch(number, 1, edition).number()


def attack_dice(
    die: WeaponLine, toughness: int, edition: Edition
) -> tuple[tuple[float, AttackDie], ...]:
    """What an attack die may do against that printed Toughness, by its Strength.

    ``die`` is that side of a line. What is rolled is left out: its chances are there.
    """
    met = die.modifiers.toughness_from(toughness)
    return tuple(
        (chance, replace(made, hit_roll=None, wound_roll=None))
        for chance, made in batch(die, met, edition).dice
    )


def wound_needs(die: WeaponLine, toughness: int, edition: Edition) -> tuple[int, ...]:
    """What wound rolls need, by Strength: all that a Toughness decides about attack dice.

    >>> from killcurve.engine.batch_sides import sides
    >>> from killcurve.engine.dice import Dice
    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.weapon import Weapon
    >>> gun = WeaponLine(Weapon(1, Dice.parse(1), 3, Dice.parse(8), 0, Dice.parse(1)))
    >>> [wound_needs(sides(gun, edition("11e")).die, t, edition("11e")) for t in (4, 7, 8)]
    [(2,), (3,), (4,)]
    """
    met = die.modifiers.toughness_from(toughness)
    strengths = _strengths(die.weapon.strength, die.modifiers.strength, edition)
    return tuple(wound_need(strength, met) for strength in strengths)


@lru_cache(maxsize=4096)
def _strengths(printed: Dice, change: Change, edition: Edition) -> tuple[int, ...]:
    return tuple(change.law(printed, edition).values.tolist())


def attack_half(apart: Sides, toughness: int, edition: Edition) -> AttackHalf:
    """The attack half of a line against that printed Toughness.

    >>> from killcurve.engine.batch_sides import sides
    >>> from killcurve.engine.dice import Dice
    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.weapon import Weapon
    >>> gun = Weapon(count=2, attacks=Dice.parse(3), skill=4, strength=Dice.parse(8), ap=-2,
    ...              damage=Dice.parse("D6"))
    >>> half = attack_half(sides(WeaponLine(gun), edition("11e")), 4, edition("11e"))
    >>> half.law().shape, round(float(half.law()[6, 0]), 9) == round((1 / 2 * 5 / 6) ** 6, 9)
    ((7, 1), True)
    """
    number = number_of_attacks(apart.number, edition)
    return AttackHalf(number, attack_dice(apart.die, toughness, edition))


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Laws of equal size: ``laws[i, n, m]`` is that of the half with number ``ids[i]``.

    ``most`` is the highest number of wounds of both kinds that any of them can make.
    """

    ids: Rows
    laws: FloatArray
    most: int

    @property
    def size(self) -> tuple[int, int]:
        """How many counts of ordinary and of special wounds there are."""
        return self.laws.shape[1], self.laws.shape[2]

    def flat(self) -> FloatArray:
        """One row a law, its counts of both kinds in one axis."""
        return self.laws.reshape(len(self.laws), -1)

    def through(self, gate: Gate) -> FloatArray:
        """The laws of how many wounds are not saved, where both kinds hurt alike.

        One row a law, ``most`` + 1 columns.
        """
        if self.laws.shape[2] == 1:
            return _thinned(self.laws[:, :, 0], gate.ordinary)[:, : self.most + 1]
        out = np.zeros((len(self.laws), self.most + 1))
        for first in range(0, len(self.laws), ROWS_AT_ONCE):
            part = slice(first, first + ROWS_AT_ONCE)
            _add_up(self.laws[part], gate, out[part])
        return out


def _add_up(laws: FloatArray, gate: Gate, out: FloatArray) -> None:
    """Both kinds of wounds that get through a gate, counted together."""
    ordinary = _thinned(np.swapaxes(laws, 1, 2), gate.ordinary)
    unsaved = _thinned(np.swapaxes(ordinary, 1, 2), gate.special)
    for m in range(unsaved.shape[2]):
        width = min(unsaved.shape[1], out.shape[1] - m)
        if width > 0:
            out[:, m : m + width] += unsaved[:, :width, m]


def _thinned(laws: FloatArray, chance: float) -> FloatArray:
    """Laws of counts along the last axis, each counted with that chance."""
    if chance == 1.0:
        return laws
    return np.asarray(laws @ binomial_laws(laws.shape[-1] - 1, chance))


@lru_cache(maxsize=256)
def binomial_laws(most: int, chance: float) -> FloatArray:
    """P(k of n) for n and k from 0 to ``most``, one row an n; read-only.

    >>> binomial_laws(2, 0.5).tolist()
    [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.25, 0.5, 0.25]]
    """
    table = np.zeros((most + 1, most + 1))
    table[0, 0] = 1.0
    for n in range(1, most + 1):
        table[n, : n + 1] = table[n - 1, : n + 1] * (1 - chance)
        table[n, 1 : n + 1] += table[n - 1, :n] * chance
    table.setflags(write=False)
    return table


class Attacks:
    """Many attack halves, numbered from 0, their laws padded and kept in groups of a size.

    >>> many = Attacks([np.array([[0.5], [0.5]]), np.array([[0.25], [0.5], [0.25]])])
    >>> [group.laws.shape for group in many.groups]
    [(2, 8, 1)]
    >>> many.through(0, Gate(0.5))[1].tolist()
    [0.5625, 0.375, 0.0625]
    """

    def __init__(self, laws: Sequence[FloatArray]) -> None:
        by_size: dict[tuple[int, int], list[int]] = {}
        for i, law in enumerate(laws):
            by_size.setdefault((_rounded(law.shape[0]), _rounded(law.shape[1])), []).append(i)
        self.groups = tuple(
            _group(laws, np.array(ids), size) for size, ids in sorted(by_size.items())
        )
        self._group_of = np.zeros(len(laws), dtype=np.intp)
        self._row_of = np.zeros(len(laws), dtype=np.intp)
        for g, group in enumerate(self.groups):
            self._group_of[group.ids] = g
            self._row_of[group.ids] = np.arange(len(group.ids))
        self._gate = OPEN
        self._gated: dict[int, FloatArray] = {}

    def __len__(self) -> int:
        """How many halves there are."""
        return len(self._group_of)

    def by_group(self, ids: Rows) -> list[tuple[int, Rows, Rows]]:
        """The groups that have some of these halves: (group, places among ``ids``, its rows)."""
        of = self._group_of[ids]
        found = []
        for g in range(len(self.groups)):
            places = np.flatnonzero(of == g)
            if len(places):
                found.append((g, places, self._row_of[ids[places]]))
        return found

    def through(self, group: int, gate: Gate) -> FloatArray:
        """The laws of a group's unsaved wounds (:meth:`Group.through`).

        Those of the last gate are kept: ask gate by gate.
        """
        if gate != self._gate:
            self._gate, self._gated = gate, {}
        if group not in self._gated:
            self._gated[group] = self.groups[group].through(gate)
        return self._gated[group]


def _rounded(size: int) -> int:
    return 1 if size == 1 else -(-size // STEP) * STEP


def _group(laws: Sequence[FloatArray], ids: Rows, size: tuple[int, int]) -> Group:
    padded = np.zeros((len(ids), *size))
    most = 0
    for row, i in enumerate(ids.tolist()):
        law = laws[i]
        padded[row, : law.shape[0], : law.shape[1]] = law
        most = max(most, int(np.argwhere(law).sum(axis=1).max()))
    padded.setflags(write=False)
    return Group(ids, padded, most)
