"""The question in dyce: exact counts of outcomes, the rules written with its histograms."""

from __future__ import annotations

import numpy as np
from dyce import H
from dyce.h import aggregate_weighted
from killcurve.engine.dice import Dice

from tests.bench.peers import Laws
from tests.bench.questions import Question

EXACT_TO = 1e-9
WRONG: dict[str, str] = {}
CANNOT: dict[str, str] = {}
D6 = H(6)


def ask(question: Question) -> H[int]:
    """The law of the wounds that the unit loses."""
    attack = _attack(question)
    packets = aggregate_weighted((n @ attack, c) for n, c in _rolled(question.attack_dice).items())
    damage = _rolled(question.damage_dice)
    if question.feel_no_pain is not None:
        felt = _chance(question.feel_no_pain - 1)
        damage = aggregate_weighted((points @ felt, c) for points, c in damage.items())
    return _lost(packets, damage, question)


def laws(answer: H[int], question: Question) -> Laws:
    """Its counts as probabilities."""
    slain = answer.apply(lambda lost: lost // question.wounds)
    return Laws(_weights(answer), _weights(slain))


def _attack(q: Question) -> H[int]:
    """How many damaging wounds one attack makes."""
    unsaved = _chance(q.save_need - 1)
    wound_roll = D6
    if q.twin_linked:
        wound_roll = _rerolled(D6, [face for face in D6 if not _wounds(q, face)])
    wound = aggregate_weighted(
        ((1 if _critical(q, f) and q.devastating else unsaved) if _wounds(q, f) else 0, c)
        for f, c in wound_roll.items()
    )
    critical_hit = (unsaved if q.lethal else wound) + (q.sustained @ wound if q.sustained else 0)
    hit_roll = _rerolled(D6, [1]) if q.reroll_ones_to_hit else D6
    return aggregate_weighted(
        (critical_hit if f == 6 else wound if f >= q.skill else 0, c) for f, c in hit_roll.items()
    )


def _critical(q: Question, face: int) -> bool:
    return face >= (q.anti or 6)


def _wounds(q: Question, face: int) -> bool:
    return _critical(q, face) or face >= q.wound_need


def _rerolled(die: H[int], faces: list[int]) -> H[int]:
    return aggregate_weighted((die if f in faces else f, c) for f, c in die.items())


def _chance(faces: int) -> H[int]:
    """1 on so many faces of a die, else 0."""
    return D6.apply(lambda face: int(face <= faces))


def _rolled(dice: Dice) -> H[int]:
    return dice.count @ H(dice.sides) + dice.bonus if dice.count else H({dice.bonus: 1})


def _lost(packets: H[int], damage: H[int], q: Question) -> H[int]:
    """Damaging wounds one after the other: what a model has not left is lost, no wound spills."""
    everything = q.models * q.wounds
    if len(damage) == 1:
        (points,) = damage
        hits = -(-q.wounds // points)

        def after(n: int) -> int:
            return min(everything, n // hits * q.wounds + n % hits * points)

        return packets.apply(after)

    def hurt(lost: int, points: int) -> int:
        return min(everything, lost + min(points, q.wounds - lost % q.wounds))

    lost = [H({0: 1})]
    while len(lost) <= max(packets):
        lost.append(lost[-1].apply(hurt, damage))
    return aggregate_weighted((lost[n], count) for n, count in packets.items())


def _weights(counts: H[int]) -> np.ndarray:
    out = np.zeros(max(counts) + 1)
    for outcome, count in counts.items():
        out[outcome] = count / counts.total
    return out
