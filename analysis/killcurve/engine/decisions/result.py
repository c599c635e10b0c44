"""What a volley with choices comes to, and what was chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from killcurve.engine.decisions.game import Game
from killcurve.engine.decisions.meters import LineMeters
from killcurve.engine.decisions.tape import Situation
from killcurve.engine.parts import parts
from killcurve.engine.pmf import FloatArray
from killcurve.engine.stages import Stage, StageLaws
from killcurve.engine.states import states
from killcurve.engine.weapon import Right, WeaponLine


@dataclass(frozen=True, slots=True)
class Played:
    """The law of the target's state under the best choices, and the choices.

    ``allocated`` says how often each order of groups was declared (11th edition; the tuple has
    all groups) or each group was picked (10th; a tuple of one); ``lethal`` is the expected share
    of critical hits that were let wound by themselves, ``None`` without any; ``used`` the chance
    that each right was used. ``stage_laws`` are there where they were asked for.
    """

    law: FloatArray
    stages: tuple[Stage, ...]
    allocated: dict[tuple[int, ...], float]
    lethal: float | None
    used: dict[Right, float]
    stage_laws: tuple[StageLaws, ...] = ()


def played(
    game: Game,
    start: tuple[Situation, FloatArray],
    end: Situation,
    meters: Sequence[LineMeters],
    forget: Callable[[FloatArray], FloatArray],
    *,
    laws: bool,
) -> Played:
    """Run the tape, and read off what it comes to.

    ``start`` is the first situation with its law; ``forget`` takes the law of the end, its
    rights forgotten, to that of the target's states.
    """
    tape, rights = game.tape, game.rights

    def run() -> FloatArray:
        tape.run(*start)
        return np.zeros_like(end.value) if end.law is None else end.law

    law = run()
    stages = tuple(each.stage() for each in meters)
    seen = [each.seen() for each in meters]
    allocated = {k: v for k, v in tape.taken().items() if isinstance(k, tuple)}
    lethal = _lethal_share(game, meters)
    most_lost = states(game.volley.target).can_lose
    distributions: tuple[StageLaws, ...] = ()
    if laws:
        distributions = tuple(
            each.laws(saw, lambda: complex(run().sum()), _most_hits(game, line), most_lost)
            for each, saw, line in zip(meters, seen, game.volley.lines, strict=True)
        )
    return Played(
        law=forget(rights.forget(law)),
        stages=stages,
        allocated=allocated,
        lethal=lethal,
        used=rights.used(law),
        stage_laws=distributions,
    )


def _most_hits(game: Game, line: WeaponLine) -> int:
    most = 0
    for part in parts(game.volley, line, per_attack=True):
        batch = part.shot.batch
        extra = max(die.sustained.stop for _, die in batch.dice)
        most = max(most, (batch.number().stop - 1) * extra)
    return most


def _lethal_share(game: Game, meters: Sequence[LineMeters]) -> float | None:
    """The expected share of lethal critical hits that wounded by themselves."""
    lethal = [
        each for each, line in zip(meters, game.volley.lines, strict=True) if line.modifiers.lethal
    ]
    criticals = sum(each.critical_hits.total for each in lethal)
    return sum(each.automatic.total for each in lethal) / criticals if criticals else None
