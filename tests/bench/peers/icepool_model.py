"""The question in icepool: exact dice, the rules written with its maps."""

from __future__ import annotations

import numpy as np
from icepool import Die, d
from killcurve.engine.dice import Dice

from tests.bench.peers import Laws
from tests.bench.questions import Question

EXACT_TO = 1e-9
WRONG: dict[str, str] = {}
CANNOT: dict[str, str] = {}
D6 = d(6)


def ask(question: Question) -> Die[int]:
    """The law of the wounds that the unit loses."""
    packets = _rolled(question.attack_dice) @ _attack(question)
    damage = _rolled(question.damage_dice)
    if question.feel_no_pain is not None:
        damage = damage @ D6.map(lambda face: int(face < question.feel_no_pain))
    return _lost(packets, damage, question)


def laws(answer: Die[int], question: Question) -> Laws:
    """Its quantities as probabilities."""
    return Laws(_weights(answer), _weights(answer // question.wounds))


def _attack(q: Question) -> Die[int]:
    """How many damaging wounds one attack makes."""
    unsaved = D6.map(lambda face: int(face < q.save_need))

    def wounds(face: int) -> bool:
        return face >= min(q.wound_need, q.anti or 6)

    def wound_of(face: int) -> Die[int] | int:
        if not wounds(face):
            return 0
        return 1 if q.devastating and face >= (q.anti or 6) else unsaved

    wound_roll = D6
    if q.twin_linked:
        wound_roll = D6.map(lambda face: face if wounds(face) else D6)
    wound = wound_roll.map(wound_of)
    critical_hit = (unsaved if q.lethal else wound) + q.sustained @ wound

    def hit_of(face: int) -> Die[int] | int:
        return critical_hit if face == 6 else wound if face >= q.skill else 0

    hit_roll = D6.map(lambda face: D6 if face == 1 else face) if q.reroll_ones_to_hit else D6
    return hit_roll.map(hit_of)


def _rolled(dice: Dice) -> Die[int]:
    return dice.count @ d(dice.sides) + dice.bonus if dice.count else Die([dice.bonus])


def _lost(packets: Die[int], damage: Die[int], q: Question) -> Die[int]:
    """Damaging wounds one after the other: what a model has not left is lost, no wound spills."""
    everything = q.models * q.wounds
    if len(damage) == 1:
        (points,) = damage
        hits = -(-q.wounds // points)
        return packets.map(lambda n: min(everything, n // hits * q.wounds + n % hits * points))

    def hurt(lost: int, points: int) -> int:
        return min(everything, lost + min(points, q.wounds - lost % q.wounds))

    lost: list[Die[int]] = [Die([0])]
    while len(lost) <= max(packets):
        lost.append(lost[-1].map(hurt, damage))
    return packets.map(lambda n: lost[n])


def _weights(die: Die[int]) -> np.ndarray:
    out = np.zeros(max(die.outcomes()) + 1)
    for outcome, quantity in die.items():
        out[outcome] = quantity / die.denominator()
    return out
