"""A volley with choices in the 10th edition: attack after attack (RULES.md §2.2, §5.2).

Axes of a situation's value: one for each kind of devastating wounds that wait until the unit has
attacked, then the rights, then the target's states. Where the defender chooses who takes the
next attack, a state also tells which unhurt model an attack was allocated to already.
"""

from __future__ import annotations

import numpy as np

from killcurve.engine.decisions.attacks import Attacks
from killcurve.engine.decisions.bound import Bound
from killcurve.engine.decisions.choices import Choices
from killcurve.engine.decisions.game import Game
from killcurve.engine.decisions.result import Played
from killcurve.engine.decisions.tape import Situation, counted
from killcurve.engine.decisions.waiting import Waiting
from killcurve.engine.states import states
from killcurve.engine.volley import Volley, mortal_wound


def play_attacks(volley: Volley, choices: Choices) -> Played:
    """The volley under the players' best choices; lethal hits are forced in this edition."""
    game = Game(volley, choices)
    tape, rights = game.tape, game.rights
    bound = Bound(tape, volley.target, free=choices.allocation)
    worth = choices.objective.worth(states(volley.target))
    end = tape.end(rights.whatever(bound.over(worth)))
    waiting = Waiting(game, bound)
    now = waiting.dealt(_pools(game, end, bound))
    lines = [Attacks(game, bound, waiting, line) for line in volley.lines]
    for line in reversed(lines):
        now = line.before(now)
    start = tape.chance([(waiting.none, now)])
    tape.run(start, rights.fresh(bound.start()))
    law = np.zeros_like(end.value) if end.law is None else end.law
    return Played(
        law=bound.forget(rights.forget(law)),
        stages=tuple(line.stage() for line in lines),
        allocated={k: v for k, v in tape.taken().items() if isinstance(k, tuple)},
        lethal=None,
        used=rights.used(law),
    )


def _pools(game: Game, end: Situation, bound: Bound) -> Situation:
    """Mortal wounds that no weapon makes, after everything else."""
    point = mortal_wound(game.volley)
    now = end
    for number in reversed(game.volley.mortal_wounds):
        after = [now]
        for _ in range(number.stop - 1):
            after.append(bound.mortal(after[-1], point, None))
        now = counted(game.tape, number, after)
    return now
