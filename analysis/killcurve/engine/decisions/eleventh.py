"""A volley with choices in the 11th edition: lines from the last to the first, then forward."""

from __future__ import annotations

import numpy as np

from killcurve.engine.allocation import one_by_one, turned
from killcurve.engine.decisions.batches import Batches
from killcurve.engine.decisions.choices import Choices
from killcurve.engine.decisions.game import Game
from killcurve.engine.decisions.links import Step
from killcurve.engine.decisions.meters import LineMeters, Metered
from killcurve.engine.decisions.result import Played, played
from killcurve.engine.decisions.tape import Options, Situation, counted
from killcurve.engine.shot import packet_map
from killcurve.engine.states import states
from killcurve.engine.volley import Volley, mortal_wound


def play_batches(volley: Volley, choices: Choices, *, laws: bool) -> Played:
    """The volley under the players' best choices; with ``laws``, its stages' distributions."""
    space = states(volley.target)
    lost = space.all_lost.total
    game = Game(volley, choices)
    tape = game.tape
    end = tape.end(game.rights.whatever(choices.objective.worth(space)))
    now = _pools(game, end)
    meters = [LineMeters() for _ in volley.lines]
    for line, each in reversed(list(zip(volley.lines, meters, strict=True))):
        now = tape.chance([(Metered(each.damage, lost), now)])
        now = Batches(game, line, each).before(now)
        now = tape.chance([(Metered(each.damage, -lost), now)])
    start = now, game.rights.fresh(space.from_start())
    return played(game, start, end, meters, lambda law: law, laws=laws)


def _pools(game: Game, end: Situation) -> Situation:
    """Mortal wounds that no weapon makes, after all lines."""
    tape, target = game.tape, game.volley.target
    usual = one_by_one(target)
    orders = turned(usual) if game.choices.allocation else [usual]
    steps = [Step(packet_map(mortal_wound(game.volley), target, order)) for order in orders]
    now = end
    for number in reversed(game.volley.mortal_wounds):
        after = [now]
        for _ in range(number.stop - 1):
            options: Options = [(step, after[-1]) for step in steps]
            after.append(tape.choice(options, best=np.minimum))
        now = counted(tape, number, after)
    return now
