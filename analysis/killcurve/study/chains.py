"""Volleys as chains of products, with everything that recurs kept.

Where all models save alike, a line is a law of how many wounds are not saved, times the powers of
the map of one such wound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from killcurve.engine.allocation import toughness_of
from killcurve.engine.attack import AttackDie, Batch
from killcurve.engine.batch import Alike, AttackHalf, Gate, NotAProduct, Sides, target_half
from killcurve.engine.batch_attack import attack_dice, number_of_attacks, wound_needs
from killcurve.engine.batch_losses import Region, harm_map, orders_from
from killcurve.engine.edition import Devastating, Edition
from killcurve.engine.losses import settle_counts
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.states import States, states
from killcurve.engine.target import Target
from killcurve.engine.weapon import WeaponLine
from killcurve.study.mixed import MixedLink, mixed_link, reach

MOST_STATES = 64
"""Up to so many states all powers of a map are kept."""

MOST_KEPT = 20_000_000
"""So many numbers the powers that are kept may hold together."""

LineApart: TypeAlias = tuple[WeaponLine, Sides]
"""A line, and its sides."""


@dataclass(frozen=True, slots=True)
class Link:
    """What a wound does that is not saved: the same, whichever kind of wound it is.

    ``gate`` are the chances that wounds are not saved, ``points[g]`` is the law of the wounds that
    a model of group g loses. ``regions`` are the states with the order in which groups suffer.
    """

    gate: Gate
    points: tuple[Pmf, ...]
    space: States
    regions: tuple[Region, ...]
    key: object


def link(apart: Sides, target: Target, rules: Edition) -> Link | None:
    """The link that a line is against a target; ``None`` where it is none."""
    try:
        half = target_half(apart, target, rules)
    except NotAProduct:
        return None
    if isinstance(half, Alike):
        if half.looks:
            return None
        ((_, points),) = half.harm
        space = half.space
        everywhere = np.ones(space.size, dtype=bool)
        return Link(
            half.gate, (points,), space, ((everywhere, ((0,),)),), (half.harm, space.target)
        )
    alike = len(set(half.saves)) == 1 and len({group.toughness for group in target.groups}) == 1
    if not alike or half.special is not None or half.special_saves is not None:
        return None
    if not isinstance(half.harm, tuple):
        return None
    space = half.space
    regions = orders_from(space, half.kinds, half.sorted_saves)
    key = (half.harm, space.target, half.kinds, half.sorted_saves)
    return Link(Gate(half.saves[0].failure), half.harm, space, regions, key)


class Chains:
    """Laws of lines in order against equal models.

    >>> from killcurve.engine.batch import sides
    >>> from killcurve.engine.dice import Dice
    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.target import ModelGroup
    >>> from killcurve.engine.weapon import Weapon
    >>> gun = WeaponLine(Weapon(2, Dice.parse(1), None, Dice.parse(8), 0, Dice.parse(1)))
    >>> squad, rules = Target((ModelGroup(2, toughness=4, save=7, wounds=1),)), edition("11e")
    >>> law = Chains().law([(gun, sides(gun, rules))], squad, rules)
    >>> [round(36 * chance, 9) for chance in law.tolist()]
    [1.0, 10.0, 25.0]
    """

    def __init__(self) -> None:
        self._links: dict[object, Link | None] = {}
        self._mixed: dict[object, MixedLink | None] = {}
        self._numbers: dict[object, Pmf] = {}
        self._dice: dict[object, tuple[tuple[float, AttackDie], ...]] = {}
        self._batches: dict[object, Batch] = {}
        self._needs: dict[object, tuple[int, ...]] = {}
        self._counts: dict[object, FloatArray] = {}
        self._powers: dict[object, FloatArray] = {}
        self._kept = 0

    def law(self, lines: Sequence[LineApart], target: Target, rules: Edition) -> FloatArray | None:
        """The law of the target's states; ``None`` where the volley is no such chain."""
        links = self._all_links(lines, target, rules)
        if links is None:
            return self._mixed_law(lines, target, rules) if len(target.groups) > 1 else None
        toughness = toughness_of(target, frozenset(range(len(target.groups))))
        law: FloatArray | None = None
        for (_, apart), each in zip(lines, links, strict=True):
            law = self._struck(law, self._unsaved(apart, each.gate, toughness, rules), each)
        return states(target).from_start() if law is None else law

    def _all_links(
        self, lines: Sequence[LineApart], target: Target, rules: Edition
    ) -> list[Link] | None:
        """The link that each line is; ``None`` where one is none."""
        waits = rules.devastating is not Devastating.MORTALS_AFTER_BATCH and len(lines) > 1
        found = []
        for line, apart in lines:
            key = (apart.save, apart.damage, target, rules)
            if key not in self._links:
                self._links[key] = link(apart, target, rules)
            each = self._links[key]
            kinds = (line.modifiers, line.when_stronger)
            late = waits and any(kind is not None and kind.devastating for kind in kinds)
            if each is None or late:
                return None
            found.append(each)
        return found

    def _mixed_law(
        self, lines: Sequence[LineApart], target: Target, rules: Edition
    ) -> FloatArray | None:
        """The same where models save differently; ``None`` where that is not all."""
        links = []
        for _, apart in lines:
            key = (apart.save, apart.damage, target, rules)
            if key not in self._mixed:
                self._mixed[key] = mixed_link(apart, target, rules)
            each = self._mixed[key]
            if each is None:
                return None
            links.append(each)
        found = reach(target, rules)
        law = found.start
        for (_, apart), each in zip(lines, links, strict=True):
            after = np.zeros_like(law)
            for toughness, where in found.by_toughness:
                here = np.where(where, law, 0.0)
                if here.any():
                    after += each.struck(self._attacks(apart, toughness, rules).law(), here)
            law = after
        return found.everywhere(law)

    def _unsaved(self, apart: Sides, gate: Gate, toughness: int, rules: Edition) -> FloatArray:
        """The law of how many wounds of a line are not saved, of both kinds together."""
        made = self._attacks(apart, toughness, rules)
        key = (made, gate)
        if key not in self._counts:
            law = made.law(gate.ordinary, gate.special)
            self._counts[key] = np.ascontiguousarray(law[:, 0])
        return self._counts[key]

    def _attacks(self, apart: Sides, toughness: int, rules: Edition) -> Batch:
        """The attacks of a line, made once for all Toughness against which it wounds alike."""
        asked = (apart.die, toughness, rules)
        if asked not in self._needs:
            self._needs[asked] = wound_needs(*asked)
        key = (apart.number, apart.die, self._needs[asked], rules)
        if key not in self._batches:
            self._batches[key] = self._batch(apart, toughness, rules)
        return self._batches[key]

    def _batch(self, apart: Sides, toughness: int, rules: Edition) -> Batch:
        """The attacks of a line, both parts of them made once."""
        number, die = (apart.number, rules), (apart.die, toughness, rules)
        if number not in self._numbers:
            self._numbers[number] = number_of_attacks(*number)
        needed = (apart.die, self._needs[die], rules)
        if needed not in self._dice:
            self._dice[needed] = attack_dice(*die)
        return AttackHalf(self._numbers[number], self._dice[needed]).batch

    def _struck(self, law: FloatArray | None, counts: FloatArray, each: Link) -> FloatArray:
        """The law of the states after so many unsaved wounds; ``None`` is the fresh target's."""
        space = each.space
        if space.size > MOST_STATES:
            before = space.from_start() if law is None else law
            parts = [(np.where(where, before, 0.0), order) for where, order in each.regions]
            settled = [
                settle_counts(counts, part, harm_map(space, order, each.points))
                for part, order in parts
                if part.any()
            ]
            return np.asarray(np.sum(settled, axis=0))
        powers = self._powers_of(each, len(counts))[: len(counts)]
        if law is None:
            return np.asarray(counts @ powers[:, space.start])
        return np.asarray(counts @ (law @ powers))

    def _powers_of(self, each: Link, rows: int) -> FloatArray:
        """At least the first ``rows`` powers of a map; shape (powers, states, states).

        Groups suffer in the order of the state in which the wounds begin.
        """
        known = self._powers.get(each.key)
        if known is None or len(known) < rows:
            space = each.space
            made = np.zeros((_at_least(rows), space.size, space.size))
            for where, order in each.regions:
                step = np.asarray(harm_map(space, order, each.points))
                made[:, where] = _powers(step, len(made))[:, where]
            if self._kept + made.size > MOST_KEPT:
                self._powers.clear()
                self._kept = 0
            self._kept += made.size
            self._powers[each.key] = known = made
        return known


def _at_least(rows: int) -> int:
    """The next power of two."""
    return int(1 << (rows - 1).bit_length())


def _powers(step: FloatArray, rows: int) -> FloatArray:
    """The first ``rows`` powers of a map, each time twice as many."""
    made = np.eye(len(step))[None]
    while len(made) < rows:
        made = np.concatenate([made, made @ (made[-1] @ step)])
    return made[:rows]
