"""Volleys in which nobody has anything to choose: sums alone, as fast as they can be made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from killcurve.engine.allocation import one_by_one
from killcurve.engine.attack import AttackDie
from killcurve.engine.edition import Devastating
from killcurve.engine.losses import joined, settle, settle_counts, settle_sorted
from killcurve.engine.packets import Map, gated, identity, multiplied
from killcurve.engine.parts import Part, parts
from killcurve.engine.pmf import FloatArray
from killcurve.engine.roll import FACES
from killcurve.engine.saves import SaveRoll
from killcurve.engine.shot import Packet, Shot, packet_map, selected
from killcurve.engine.spectrum import law_of_count, mean_of_count
from killcurve.engine.stages import Met, Stage, StageLaws, mean_stage, mixed_laws
from killcurve.engine.states import states
from killcurve.engine.target import Target
from killcurve.engine.volley import Volley, suffer_mortal_wounds
from killcurve.engine.weapon import WeaponLine

MOST_CELLS = 5_000_000
"""Probabilities that may be held at once."""

CELLS_KEPT_APART = 200_000
"""Up to so many, wounds that wait are told apart by the line that made them."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Numbers that count what one line does (see :mod:`killcurve.engine.spectrum`)."""

    line: int = -1
    unsaved: complex = 1.0
    damage: complex = 1.0


NO_MARKS = Marks()


@dataclass(frozen=True, slots=True)
class Waits:
    """Devastating wounds that wait for the unit's other attacks, and the lines they are of."""

    packet: Packet
    first: int | None
    lines: tuple[int, ...]

    @property
    def kind(self) -> tuple[Packet, int | None]:
        """What is dealt alike."""
        return self.packet, self.first


class PlainVolley:
    """One run of a volley: the law of the target's state afterwards, and what each line met.

    While it runs, its law counts wounds that wait by axes before the last, the latest first.

    >>> from killcurve.engine.dice import Dice
    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.target import ModelGroup
    >>> from killcurve.engine.weapon import Weapon
    >>> gun = Weapon(count=1, attacks=Dice.parse(2), skill=None, strength=Dice.parse(8), ap=0,
    ...              damage=Dice.parse("D6"))
    >>> squad = Target((ModelGroup(count=3, toughness=4, save=7, wounds=3),))
    >>> run = PlainVolley(Volley(edition("11e"), squad, (WeaponLine(gun),)))
    >>> round(float(run.law.sum()), 12), round(run.stages()[0].unsaved, 12)
    (1.0, 1.666666666667)
    """

    def __init__(self, volley: Volley, marks: Marks = NO_MARKS) -> None:
        self._volley = volley
        self._marks = marks
        self._space = states(volley.target)
        self._lost = self._space.all_lost.total
        self._law: npt.NDArray[Any] = self._space.from_start()
        self._waiting: list[Waits] = []
        self._blurred: set[int] = set()
        self.damage = [0.0] * len(volley.lines)
        self.met: list[list[Met]] = []
        after_batch = volley.edition.devastating is Devastating.MORTALS_AFTER_BATCH
        for i, line in enumerate(volley.lines):
            self.met.append(list(self._meets(line)))
            before = self._before((i,))
            (self._batch if after_batch else self._attacks)(i, line)
            self._after((i,), before)
        self._deal_what_waits()
        self.law = suffer_mortal_wounds(self._law, volley)

    def stages(self) -> tuple[Stage, ...]:
        """The means of each line."""
        out = []
        for i, met in enumerate(self.met):
            damage = None if i in self._blurred else self.damage[i]
            out.append(mean_stage(met, damage))
        return tuple(out)

    # Measuring

    def _before(self, lines: tuple[int, ...]) -> float:
        """What the target has lost so far, on average; counted down for the marked line."""
        if self._marks.damage != 1.0 and self._marks.line in lines:
            self._law = self._law * self._marks.damage**-self._lost
        return float(self._mean_lost())

    def _after(self, lines: tuple[int, ...], before: float) -> None:
        if len(lines) > 1:
            self._blurred.update(lines)
        self.damage[lines[0]] += self._mean_lost() - before
        if self._marks.damage != 1.0 and self._marks.line in lines:
            self._law = self._law * self._marks.damage**self._lost

    def _mean_lost(self) -> float:
        if self._law.ndim == 1:
            return float((self._law @ self._lost).real)
        return float((self._law.reshape(-1, self._space.size) @ self._lost).sum().real)

    def _meets(self, line: WeaponLine) -> Iterator[Met]:
        law = self._law
        if law.ndim > 1:
            law = law.reshape(-1, self._space.size).sum(axis=0)
        for part in parts(self._volley, line):
            here = part.start(law)
            weight = float(here.sum().real)
            if weight > 0:
                yield Met(weight, part.shot, part.shot.saves[0].failure, part.saves_differ)

    def _mark(self, line: int) -> complex:
        return self._marks.unsaved if line == self._marks.line else 1.0

    # A batch with its critical wounds' special harm right after it (11th edition)

    def _batch(self, i: int, line: WeaponLine) -> None:
        after = np.zeros_like(self._law, dtype=np.result_type(self._law, self._mark(i)))
        for part in parts(self._volley, line):
            start = part.start(self._law)
            if start.any():
                after += self._one_batch(start, part, i)
        self._law = after

    def _one_batch(self, start: FloatArray, part: Part, i: int) -> FloatArray:
        shot, mark = part.shot, self._mark(i)
        if _hurt_alike(shot, part.target):
            return _together(start, part)
        if shot.special_saves is not None:
            return self._two_pools(start, part, i)
        joint = _ordinary(start, part, mark)
        if shot.special is None:
            return np.asarray(joint[0])
        devastating = packet_map(shot.special, part.target, part.mortal_order)
        if mark != 1.0:
            joint = joint * _powers(mark, joint)
        return settle(joint, devastating)

    def _two_pools(self, start: FloatArray, part: Part, i: int) -> FloatArray:
        """Critical wounds with a better AP are a pool of their own (RULES.md §2.1)."""
        shot, mark, line = part.shot, self._mark(i), self._volley.lines[i]
        assert shot.special_saves is not None
        pools = [(shot.batch.law().T, shot.special_saves), (shot.batch.law(), shot.saves)]
        (counts, saves), (_, others) = reversed(pools) if line.ordinary_first else pools
        joint = _saved(counts, start, part, saves, mark)
        after = np.zeros_like(joint[0], dtype=np.result_type(joint, mark))
        for pool in parts(self._volley, line):
            # Toughness and abilities stay those of the batch, the order is declared anew.
            again = replace(part, where=pool.where, everywhere=pool.everywhere, orders=pool.orders)
            left = again.start(joint)
            if left.any():
                after += _saved_jointly(left, again, others, mark)
        return after

    # A line whose devastating wounds wait until the unit has attacked (10th edition)

    def _attacks(self, i: int, line: WeaponLine) -> None:
        (part,) = parts(self._volley, line)
        shot, mark = part.shot, self._mark(i)
        if shot.special is None:
            self._law = np.asarray(_ordinary(self._law, part, mark)[0])
        elif shot.special_saves is not None:
            self._law = _one_by_one(self._law, part, mark)
        elif self._is_last(i) and not self._waiting and _hurt_alike(shot, part.target):
            self._law = _together(self._law, part)
        else:
            self._wait(i, part, mark)

    def _is_last(self, i: int) -> bool:
        return i == len(self._volley.lines) - 1

    def _wait(self, i: int, part: Part, mark: complex) -> None:
        """Deal the ordinary wounds; the special ones become an axis, or join one of their kind."""
        assert part.shot.special is not None
        new = Waits(part.shot.special, part.precision, (i,))
        most = part.shot.batch.law().shape[1]
        if most * self._law.size > MOST_CELLS:
            raise ValueError(
                "too many devastating wounds of different kinds wait until the unit has attacked; "
                "take fewer attacks, or fewer kinds of them"
            )
        joint = _ordinary(self._law, part, mark)
        if mark != 1.0:
            joint = joint * _powers(mark, joint)
        alike = [j for j, waits in enumerate(self._waiting) if waits.kind == new.kind]
        if not alike or joint.size <= CELLS_KEPT_APART:
            self._law = joint
            self._waiting.append(new)
            return
        j = alike[-1]
        self._law = _added_to_axis(joint, len(self._waiting) - j)
        self._waiting[j] = replace(new, lines=(*self._waiting[j].lines, i))

    def _deal_what_waits(self) -> None:
        """The wounds that wait, kind by kind in the order in which the kinds came up."""
        if not self._waiting:
            return
        kinds = list(dict.fromkeys(waits.kind for waits in self._waiting))
        for waits in sorted(self._waiting, key=lambda waits: kinds.index(waits.kind)):
            before = self._before(waits.lines)
            axis = len(self._waiting) - 1 - self._waiting.index(waits)
            order = one_by_one(self._volley.target, waits.first)
            step = packet_map(waits.packet, self._volley.target, order)
            self._law = settle(np.moveaxis(self._law, axis, 0), step)
            self._waiting.remove(waits)
            self._after(waits.lines, before)


def play_plainly(volley: Volley) -> tuple[FloatArray, tuple[Stage, ...]]:
    """The law of the target's state after a volley, and the means of each line."""
    run = PlainVolley(volley)
    stages = list(run.stages())
    for i, met in enumerate(run.met):
        if any(each.saves_differ for each in met):
            unsaved = mean_of_count(_unsaved(volley, i))
            stages[i] = replace(stages[i], unsaved=unsaved)
    return run.law, tuple(stages)


def plain_stage_laws(volley: Volley) -> Iterator[StageLaws]:
    """The distributions of every line's stages."""
    run = PlainVolley(volley)
    most_lost = states(volley.target).can_lose
    for i, met in enumerate(run.met):
        found = mixed_laws(met)
        if any(each.saves_differ for each in met):
            found["unsaved"] = law_of_count(_unsaved(volley, i), found["wounds"].stop - 1)
        damage = law_of_count(partial(_marked_total, volley, i, "damage"), most_lost)
        yield StageLaws(**found, damage=damage)


def _unsaved(volley: Volley, line: int) -> Callable[[complex], complex]:
    return partial(_marked_total, volley, line, "unsaved")


def _marked_total(volley: Volley, line: int, what: str, mark: complex) -> complex:
    run = PlainVolley(volley, Marks(line, **{what: mark}))
    return complex(run.law.sum())


def _powers(mark: complex, joint: FloatArray) -> npt.NDArray[Any]:
    """The mark, as often as the first axis counts."""
    powers = mark ** np.arange(joint.shape[0])
    return powers.reshape(-1, *(1,) * (joint.ndim - 1))


def _hurt_alike(shot: Shot, target: Target) -> bool:
    """Whether only the number of damaging wounds matters, not which were critical."""
    return shot.special is not None and len(target.groups) == 1 and shot.special == shot.ordinary


def _together(start: FloatArray, part: Part) -> FloatArray:
    """Both kinds of wounds, counted as one."""
    shot = part.shot
    special = 1.0 if shot.special_saves is None else shot.special_saves[0].failure
    law = shot.batch.law(shot.saves[0].failure, special)
    return part.settled(law[:, 0], start, shot.ordinary)


def _ordinary(start: FloatArray, part: Part, mark: complex) -> FloatArray:
    """The ordinary wounds; the first axis of the answer still counts the special ones."""
    shot = part.shot
    if part.saves_differ or mark != 1.0:
        return _saved(shot.batch.law(), start, part, shot.saves, mark)
    law = shot.batch.law(ordinary=shot.saves[0].failure)
    return part.settled(law, start, shot.ordinary)


def _saved(
    counts: FloatArray,
    start: FloatArray,
    part: Part,
    saves: tuple[SaveRoll, ...],
    mark: complex,
) -> FloatArray:
    """Save rolls for so many wounds, and the damage of those that fail."""
    if part.sorted_saves and len(set(saves)) > 1:
        return _saved_jointly(joined(counts, start), part, saves, mark)
    packet = part.packet(part.shot.ordinary)
    return settle_counts(counts, start, gated(packet, part.failures(saves), mark))


def _saved_jointly(
    joint: FloatArray, part: Part, saves: tuple[SaveRoll, ...], mark: complex
) -> FloatArray:
    """Save rolls for the wounds that the first axis counts, and the damage of those that fail."""
    packet = part.packet(part.shot.ordinary)
    if not part.sorted_saves or len(set(saves)) == 1:
        return settle(joint, gated(packet, part.failures(saves), mark))
    order = part.order
    first = saves[order[0][0]] if order else saves[0]
    last = saves[order[-1][-1]] if order else saves[0]
    return settle_sorted(
        joint,
        packet,
        selected(part.target, order),
        fails_up_to=[*(roll.need - 1 for roll in saves), last.need - 1],
        face_law=[first.face_law(face) for face in FACES],
        mark=mark,
    )


def _one_by_one(law: FloatArray, part: Part, mark: complex) -> FloatArray:
    """Attack after attack, critical wounds with their better AP in between (10th edition)."""
    shot = part.shot
    if len(part.target.groups) == 1:
        return _together(law, part)
    packet = part.packet(shot.ordinary)
    ordinary = gated(packet, part.failures(shot.saves), mark)
    special = gated(packet, part.failures(shot.special_saves or shot.saves), mark)
    maps = [
        (chance, _attack_map(die, ordinary, special, law.shape[-1]))
        for chance, die in shot.batch.dice
    ]
    attack = maps[0][0] * maps[0][1]
    for chance, more in maps[1:]:
        attack = attack + chance * more
    return settle_counts(shot.batch.number().from_zero(), law, attack)


def _attack_map(die: AttackDie, ordinary: Map, special: Map, size: int) -> Map:
    """What one attack does to every state, its wound rolls taken in the order they are made."""
    nothing = identity(size)
    wound = die.wound.failure * nothing + die.wound.success * ordinary
    wound = wound + die.wound.critical * special
    extra = nothing * die.sustained.weights[-1]
    for number in range(die.sustained.stop - 2, -1, -1):
        extra = multiplied(extra, wound) + nothing * die.sustained.probability(number)
    critical = multiplied(ordinary if die.lethal else wound, extra)
    return die.hit.failure * nothing + die.hit.success * wound + die.hit.critical * critical


def _added_to_axis(joint: FloatArray, axis: int) -> FloatArray:
    """Count what the first axis counts on a later axis, which counts the same packets."""
    behind = np.moveaxis(joint, axis, 1)
    out = np.zeros((behind.shape[0] + behind.shape[1] - 1, *behind.shape[2:]), joint.dtype)
    for more, part in enumerate(behind):
        out[more : more + len(part)] += part
    return np.moveaxis(out, 0, axis - 1)
