"""A volley with choices in the 11th edition: lines from the last to the first, then forward."""

from __future__ import annotations

import numpy as np

from killcurve.engine.allocation import one_by_one
from killcurve.engine.decisions.batches import Batches, Meter
from killcurve.engine.decisions.choices import Choices
from killcurve.engine.decisions.game import Game
from killcurve.engine.decisions.result import Played
from killcurve.engine.decisions.tape import Situation, Step, Tape, counted
from killcurve.engine.pmf import FloatArray
from killcurve.engine.shot import packet_map
from killcurve.engine.stages import Stage
from killcurve.engine.states import states
from killcurve.engine.volley import Volley, mortal_wound


def play_batches(volley: Volley, choices: Choices) -> Played:
    """The volley under the players' best choices."""
    space = states(volley.target)
    game = Game(volley, choices)
    tape, rights = game.tape, game.rights
    end = tape.end(rights.whatever(choices.objective.worth(space)))
    now = _pools(tape, end, volley)
    batches = Batches(game)
    for line in reversed(volley.lines):
        now = batches.before(now, line)
    tape.run(now, rights.fresh(space.from_start()))
    law = _arrived(end)
    return Played(
        law=rights.forget(law),
        stages=tuple(_stage(batches.meters, line) for line in volley.lines),
        allocated={k: v for k, v in tape.taken().items() if isinstance(k, tuple)},
        lethal=_lethal_share(batches.meters),
        used=rights.used(law),
    )


def _lethal_share(meters: list[Meter]) -> float | None:
    """The expected share of lethal critical hits that wounded by themselves."""
    lethal = [m for m in meters if any(die.lethal for _, die in m.part.shot.batch.dice)]
    criticals = sum(_mean(_arrived(m.hits), 1) for m in lethal)
    automatic = sum(_mean(_arrived(m.rolls), 1) for m in lethal)
    return automatic / criticals if criticals > 0 else None


def _pools(tape: Tape, end: Situation, volley: Volley) -> Situation:
    """Mortal wounds that no weapon makes, after all lines."""
    point = packet_map(mortal_wound(volley), volley.target, one_by_one(volley.target))
    now = end
    for number in reversed(volley.mortal_wounds):
        after = [now]
        for _ in range(number.stop - 1):
            after.append(tape.chance([(Step(point), after[-1])]))
        now = counted(tape, number, after)
    return now


def _arrived(situation: Situation) -> FloatArray:
    return np.zeros_like(situation.value) if situation.law is None else situation.law


def _stage(meters: list[Meter], line: object) -> Stage:
    """The means of a line, read off where its hits and wounds were counted."""
    total = np.zeros(6)
    for meter in meters:
        if meter.line is not line or meter.hits.law is None:
            continue
        total += _read(meter)
    return Stage(*total.tolist())


def _read(meter: Meter) -> FloatArray:
    shot = meter.part.shot
    hits, rolls, wounds = (_arrived(s) for s in (meter.hits, meter.rolls, meter.wounds))
    weight = float(hits.sum())
    criticals = _mean(hits, 1)
    rolled = _mean(rolls, 0)
    n, m = _mean(wounds, 0), _mean(wounds, 1)
    failure = shot.saves[meter.part.order[0][0]].failure if meter.part.order else 0.0
    special = 1.0
    if shot.special_saves is not None and meter.part.order:
        special = shot.special_saves[meter.part.order[0][0]].failure
    chance = sum(p * die.wound.critical for p, die in shot.batch.dice)
    return np.array(
        [
            weight * shot.batch.number().mean,
            _mean(hits, 0) + criticals,
            criticals,
            n + m,
            m if m else rolled * chance,
            n * failure + m * special,
        ]
    )


def _mean(law: FloatArray, axis: int) -> float:
    counts = law.sum(axis=tuple(i for i in range(law.ndim) if i != axis))
    return float(counts @ np.arange(len(counts)))
