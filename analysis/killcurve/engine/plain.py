"""Volleys in which nobody has anything to choose: sums alone, as fast as they can be made."""

from __future__ import annotations

import numpy as np

from killcurve.engine.allocation import one_by_one
from killcurve.engine.attack import AttackDie
from killcurve.engine.edition import Devastating
from killcurve.engine.losses import joined, settle, settle_sorted
from killcurve.engine.packets import Map, gated
from killcurve.engine.parts import Part, parts
from killcurve.engine.pmf import FloatArray
from killcurve.engine.roll import FACES
from killcurve.engine.saves import SaveRoll
from killcurve.engine.shot import Packet, Shot, packet_map, selected
from killcurve.engine.stages import Stage, mean_stage
from killcurve.engine.states import states
from killcurve.engine.target import Target
from killcurve.engine.volley import Volley, suffer_mortal_wounds
from killcurve.engine.weapon import WeaponLine

Waiting = tuple[tuple[Packet, int | None], ...]
"""Packets that wait for the unit's other attacks, each with the character they go to first."""


def play_plainly(volley: Volley) -> tuple[FloatArray, tuple[Stage, ...]]:
    """The law of the target's state after a volley, and the means of each line."""
    space = states(volley.target)
    law = space.from_start()
    waiting: Waiting = ()
    stages, last = [], len(volley.lines) - 1
    for i, line in enumerate(volley.lines):
        stages.append(_stage(law, line, volley))
        if volley.edition.devastating is Devastating.MORTALS_AFTER_BATCH:
            law = batch_after_batch(law, line, volley)
        else:
            law, waiting = attack_after_attack(law, line, volley, waiting, last=i == last)
    for packet, first in waiting:
        order = one_by_one(volley.target, first)
        law = settle(np.moveaxis(law, -2, 0), packet_map(packet, volley.target, order))
    return suffer_mortal_wounds(law, volley), tuple(stages)


def _stage(law: FloatArray, line: WeaponLine, volley: Volley) -> Stage:
    state_law = law.reshape(-1, law.shape[-1]).sum(axis=0)
    rows = []
    for part in parts(volley, line):
        here = part.start(state_law)
        chance = float(here @ part.failures(part.shot.saves)) / max(float(here.sum()), 1e-300)
        alike = part.shot.saves[0].failure
        rows.append((float(here.sum()), part.shot, chance if part.saves_differ else alike))
    return mean_stage(rows)


def batch_after_batch(law: FloatArray, line: WeaponLine, volley: Volley) -> FloatArray:
    """A batch with its critical wounds' special harm right after it (11th edition)."""
    after = np.zeros_like(law)
    for part in parts(volley, line):
        after += _batch(part.start(law), part, line, volley)
    return after


def _batch(start: FloatArray, part: Part, line: WeaponLine, volley: Volley) -> FloatArray:
    shot = part.shot
    if _hurt_alike(shot, part.target):
        return _together(start, part)
    if shot.special_saves is not None:
        return _two_pools(start, part, line, volley)
    joint = _ordinary(start, part)
    if shot.special is None:
        return np.asarray(joint[0])
    return settle(joint, packet_map(shot.special, part.target, part.mortal_order))


def _two_pools(start: FloatArray, part: Part, line: WeaponLine, volley: Volley) -> FloatArray:
    """Critical wounds with a better AP are a pool of their own, saved first (RULES.md §2.1)."""
    shot = part.shot
    assert shot.special_saves is not None
    joint = _saved(joined(shot.batch.law().T, start), part, shot.special_saves)
    after = np.zeros_like(start)
    for pool in parts(volley, line):
        # Toughness and abilities stay those of the batch, the order of groups is declared anew.
        again = Part(pool.where, pool.orders, shot, part.target, part.sorted_saves, part.precision)
        after += _saved(again.start(joint), again, shot.saves)
    return after


def attack_after_attack(
    law: FloatArray,
    line: WeaponLine,
    volley: Volley,
    waiting: Waiting,
    last: bool,
) -> tuple[FloatArray, Waiting]:
    """A line whose devastating wounds wait until the unit has attacked (10th edition).

    What waits is counted by the axes before the last, the latest kind of packet first.
    """
    (part,) = parts(volley, line)
    shot = part.shot
    if shot.special is None:
        return np.asarray(_ordinary(law, part)[0]), waiting
    if shot.special_saves is not None:
        return _one_by_one(law, part), waiting
    if last and not waiting and _hurt_alike(shot, volley.target):
        return _together(law, part), waiting
    joint = _ordinary(law, part)
    new = (shot.special, part.precision)
    if new in waiting:
        return _added_to_axis(joint, len(waiting) - waiting.index(new)), waiting
    return joint, (*waiting, new)


def _hurt_alike(shot: Shot, target: Target) -> bool:
    """Whether only the number of damaging wounds matters, not which were critical."""
    return shot.special is not None and len(target.groups) == 1 and shot.special == shot.ordinary


def _together(start: FloatArray, part: Part) -> FloatArray:
    """Both kinds of wounds, counted as one."""
    shot = part.shot
    special = 1.0 if shot.special_saves is None else shot.special_saves[0].failure
    law = shot.batch.law(shot.saves[0].failure, special)
    return settle(joined(law[:, 0], start), part.packet(shot.ordinary))


def _ordinary(start: FloatArray, part: Part) -> FloatArray:
    """The ordinary wounds; the first axis of the answer still counts the special ones."""
    shot = part.shot
    if part.saves_differ:
        return _saved(joined(shot.batch.law(), start), part, shot.saves)
    law = shot.batch.law(ordinary=shot.saves[0].failure)
    return settle(joined(law, start), part.packet(shot.ordinary))


def _saved(joint: FloatArray, part: Part, saves: tuple[SaveRoll, ...]) -> FloatArray:
    """Save rolls for the wounds that the first axis counts, and the damage of those that fail."""
    packet = part.packet(part.shot.ordinary)
    if not part.sorted_saves or len(set(saves)) == 1:
        return settle(joint, gated(packet, part.failures(saves)))
    first = saves[part.order[0][0]] if part.order else saves[0]
    return settle_sorted(
        joint,
        packet,
        selected(part.target, part.order),
        fails_up_to=[roll.need - 1 for roll in saves],
        face_law=[first.face_law(face) for face in FACES],
    )


def _one_by_one(law: FloatArray, part: Part) -> FloatArray:
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
