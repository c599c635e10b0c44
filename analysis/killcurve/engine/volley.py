"""Weapons in order against one target, its state carried from one to the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from killcurve.engine.allocation import Order, batch_orders, toughness_parts
from killcurve.engine.attack import AttackDie
from killcurve.engine.edition import Devastating, Edition
from killcurve.engine.losses import joined, settle, settle_sorted
from killcurve.engine.packets import Map, gated
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.roll import FACES
from killcurve.engine.saves import SaveRoll
from killcurve.engine.shot import Packet, Shot, packet_map, selected, shot
from killcurve.engine.stages import Stage, mean_stage
from killcurve.engine.states import BoolArray, States, states
from killcurve.engine.target import Harm, Target, best
from killcurve.engine.weapon import Modifiers, WeaponLine


@dataclass(frozen=True, slots=True)
class Volley:
    """One unit's attacks on one target under one rule state.

    ``lines`` are resolved in order, each as one batch. ``mortal_wounds`` are laws of numbers
    of mortal wounds that follow (pools of dice); ``modifiers`` holds what protects the target
    against those.
    """

    edition: Edition
    target: Target
    lines: tuple[WeaponLine, ...] = ()
    mortal_wounds: tuple[Pmf, ...] = ()
    modifiers: Modifiers = Modifiers()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a volley does, exactly.

    ``damage`` counts wounds really removed, overkill not included; ``slain`` counts models;
    ``destroyed`` is P(no model is left); ``stages`` has the means of one line each.
    """

    damage: Pmf
    slain: Pmf
    destroyed: float
    stages: tuple[Stage, ...]


def resolve(volley: Volley) -> Outcome:
    """The exact outcome of a volley.

    >>> from killcurve.engine.dice import Dice
    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.target import ModelGroup
    >>> from killcurve.engine.weapon import Weapon
    >>> gun = Weapon(count=1, attacks=Dice.parse(2), skill=None, strength=Dice.parse(8), ap=0,
    ...              damage=Dice.parse("D6"))
    >>> squad = Target((ModelGroup(count=3, toughness=4, save=7, wounds=3),))
    >>> out = resolve(Volley(edition("11e"), squad, (WeaponLine(gun),)))
    >>> round(out.slain.probability(2), 9) == round(4 / 9 * 25 / 36, 9)
    True
    """
    space = states(volley.target)
    law = space.from_start()
    waiting: tuple[Packet, ...] = ()
    stages, last = [], len(volley.lines) - 1
    for i, line in enumerate(volley.lines):
        parts = list(_parts(space, line, volley.edition))
        stages.append(_stage(law, parts))
        if volley.edition.devastating is Devastating.MORTALS_AFTER_BATCH:
            law = sum((_batch(law, part, volley) for part in parts), start=np.zeros_like(law))
        else:
            law, waiting = _line_of_unit(law, parts[0], waiting, i == last)
    for packet in waiting:
        law = settle(np.moveaxis(law, -2, 0), packet_map(packet, volley.target, None))
    law = _suffer_mortal_wounds(law, volley)
    return Outcome(
        damage=space.damage(law),
        slain=space.slain(law),
        destroyed=float(law[space.destroyed]),
        stages=tuple(stages),
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """The states in which a line meets one Toughness and one order of groups."""

    where: BoolArray
    order: Order | None
    shot: Shot
    target: Target

    @property
    def saves_differ(self) -> bool:
        """Whether it matters which group a wound goes to."""
        return len(set(self.shot.saves)) > 1

    def start(self, law: FloatArray) -> FloatArray:
        """The law of the states of this part."""
        return law if self.where.all() else np.where(self.where, law, 0.0)

    def failures(self, saves: tuple[SaveRoll, ...]) -> FloatArray:
        """For each state the chance that the model to suffer next fails its save."""
        chances = np.array([*(roll.failure for roll in saves), 0.0])
        return chances[selected(self.target, self.order)]

    def packet(self, packet: Packet) -> Map:
        """The map of a packet, allocated as attacks of this part are."""
        return packet_map(packet, self.target, self.order)


def _parts(space: States, line: WeaponLine, edition: Edition) -> Iterator[_Part]:
    for there, toughness in toughness_parts(space, line.modifiers.toughness, edition):
        ready = shot(line, toughness, space.target, edition)
        for where, order in batch_orders(space, edition):
            if (there & where).any():
                yield _Part(there & where, order, ready, space.target)


def _stage(law: FloatArray, parts: list[_Part]) -> Stage:
    state_law = law.reshape(-1, law.shape[-1]).sum(axis=0)
    rows = []
    for part in parts:
        here = part.start(state_law)
        chance = float(here @ part.failures(part.shot.saves)) / max(float(here.sum()), 1e-300)
        alike = part.shot.saves[0].failure
        rows.append((float(here.sum()), part.shot, chance if part.saves_differ else alike))
    return mean_stage(rows)


def _batch(law: FloatArray, part: _Part, volley: Volley) -> FloatArray:
    """A batch with its critical wounds' special harm right after it (11th edition)."""
    start, shot = part.start(law), part.shot
    if _hurt_alike(shot, volley.target):
        return _together(start, part)
    if shot.special_saves is not None:
        return _two_pools(start, part, volley)
    joint = _ordinary(start, part)
    if shot.special is None:
        return np.asarray(joint[0])
    return settle(joint, packet_map(shot.special, volley.target, None))


def _two_pools(start: FloatArray, part: _Part, volley: Volley) -> FloatArray:
    """Critical wounds with a better AP are a pool of their own, saved first (RULES.md §2.1)."""
    shot = part.shot
    assert shot.special_saves is not None
    joint = _saved(joined(shot.batch.law().T, start), part, shot.special_saves)
    after = np.zeros_like(start)
    for where, order in batch_orders(states(volley.target), volley.edition):
        pool = _Part(where, order, shot, volley.target)
        after += _saved(pool.start(joint), pool, shot.saves)
    return after


def _line_of_unit(
    law: FloatArray, part: _Part, waiting: tuple[Packet, ...], last: bool
) -> tuple[FloatArray, tuple[Packet, ...]]:
    """A line whose devastating wounds wait until the unit has attacked (10th edition).

    What waits is counted by the axes before the last, the latest kind of packet first.
    """
    shot = part.shot
    if shot.special is None:
        return _ordinary(law, part)[0], waiting
    if shot.special_saves is not None:
        return _one_by_one(law, part), waiting
    if last and not waiting and _hurt_alike(shot, part.target):
        return _together(law, part), waiting
    joint = _ordinary(law, part)
    if shot.special in waiting:
        return _added_to_axis(joint, len(waiting) - waiting.index(shot.special)), waiting
    return joint, (*waiting, shot.special)


def _hurt_alike(shot: Shot, target: Target) -> bool:
    """Whether only the number of damaging wounds matters, not which were critical."""
    return shot.special is not None and len(target.groups) == 1 and shot.special == shot.ordinary


def _together(start: FloatArray, part: _Part) -> FloatArray:
    """Both kinds of wounds, counted as one."""
    shot = part.shot
    special = 1.0 if shot.special_saves is None else shot.special_saves[0].failure
    law = shot.batch.law(shot.saves[0].failure, special)
    return settle(joined(law[:, 0], start), part.packet(shot.ordinary))


def _ordinary(start: FloatArray, part: _Part) -> FloatArray:
    """The ordinary wounds; the first axis of the answer still counts the special ones."""
    shot = part.shot
    if part.saves_differ:
        return _saved(joined(shot.batch.law(), start), part, shot.saves)
    law = shot.batch.law(ordinary=shot.saves[0].failure)
    return settle(joined(law, start), part.packet(shot.ordinary))


def _saved(joint: FloatArray, part: _Part, saves: tuple[SaveRoll, ...]) -> FloatArray:
    """Save rolls for the wounds that the first axis counts, and the damage of those that fail."""
    packet = part.packet(part.shot.ordinary)
    if part.order is None or len(set(saves)) == 1:
        return settle(joint, gated(packet, part.failures(saves)))
    first = saves[part.order[0][0]]
    return settle_sorted(
        joint,
        packet,
        selected(part.target, part.order),
        fails_up_to=[roll.need - 1 for roll in saves],
        face_law=[first.face_law(face) for face in FACES],
    )


def _one_by_one(law: FloatArray, part: _Part) -> FloatArray:
    """Attack after attack, critical wounds with their better AP in between (10th edition)."""
    shot = part.shot
    if len(part.target.groups) == 1:
        return _together(law, part)
    packet = part.packet(shot.ordinary)
    ordinary = gated(packet, part.failures(shot.saves))
    special = gated(packet, part.failures(shot.special_saves or shot.saves))
    attack = sum(
        (
            chance * _attack_map(die, ordinary, special, law.shape[-1])
            for chance, die in shot.batch.dice
        ),
        start=np.zeros((1, 1)),
    )
    return settle(joined(shot.batch.number().from_zero(), law), attack)


def _attack_map(die: AttackDie, ordinary: Map, special: Map, size: int) -> Map:
    """What one attack does to every state, its wound rolls taken in the order they are made."""
    nothing = np.eye(size)
    wound = die.wound.failure * nothing + die.wound.success * ordinary
    wound = wound + die.wound.critical * special
    extra = settle(joined(die.sustained.from_zero(), nothing), wound)
    critical = (ordinary if die.lethal else wound) @ extra
    return die.hit.failure * nothing + die.hit.success * wound + die.hit.critical * critical


def _added_to_axis(joint: FloatArray, axis: int) -> FloatArray:
    """Count what the first axis counts on a later axis, which counts the same packets."""
    behind = np.moveaxis(joint, axis, 1)
    out = np.zeros((behind.shape[0] + behind.shape[1] - 1, *behind.shape[2:]))
    for more, part in enumerate(behind):
        out[more : more + len(part)] += part
    return np.moveaxis(out, 0, axis - 1)


def _suffer_mortal_wounds(law: FloatArray, volley: Volley) -> FloatArray:
    """Pools of mortal wounds, each point on whoever is next (RULES.md §6.3)."""
    harm = Harm(ranged=None, mortal=True)
    protection = volley.modifiers.feel_no_pain
    point = Packet(
        damage=Pmf.point(1),
        feel_no_pain=tuple(best(g.feel_no_pain + protection, harm) for g in volley.target.groups),
    )
    for number in volley.mortal_wounds:
        law = settle(joined(number.from_zero(), law), packet_map(point, volley.target, None))
    return law
