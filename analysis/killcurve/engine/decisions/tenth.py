"""A volley with choices in the 10th edition: attack after attack (RULES.md §2.2, §5.2).

Axes of a situation's value: one for each kind of devastating wounds that wait until the unit has
attacked, then the rights, then the target's states. Where the defender chooses who takes the
next attack, a state also tells which unhurt model an attack was allocated to already.
"""

from __future__ import annotations

from killcurve.engine.decisions.attacks import Attacks
from killcurve.engine.decisions.bound import Bound
from killcurve.engine.decisions.choices import Choices
from killcurve.engine.decisions.game import Game
from killcurve.engine.decisions.meters import LineMeters, Metered
from killcurve.engine.decisions.result import Played, played
from killcurve.engine.decisions.tape import Situation, counted
from killcurve.engine.decisions.waiting import Waiting
from killcurve.engine.states import states
from killcurve.engine.volley import Volley, mortal_wound


def play_attacks(volley: Volley, choices: Choices, *, laws: bool) -> Played:
    """The volley under the players' best choices; lethal hits are forced in this edition.

    With ``laws``, its stages' distributions are there, too.
    """
    game = Game(volley, choices)
    tape = game.tape
    bound = Bound(tape, volley.target, free=choices.allocation)
    space = states(volley.target)
    lost = bound.over(space.all_lost.total)
    end = tape.end(game.rights.whatever(bound.over(choices.objective.worth(space))))
    meters = [LineMeters() for _ in volley.lines]
    waiting = Waiting(game, bound, meters, lost)
    now = waiting.dealt(_pools(game, end, bound))
    for i in reversed(range(len(volley.lines))):
        now = tape.chance([(Metered(meters[i].damage, lost), now)])
        now = Attacks(game, bound, waiting, i, meters[i]).before(now)
        now = tape.chance([(Metered(meters[i].damage, -lost), now)])
    now = tape.chance([(waiting.none, now)])
    start = now, game.rights.fresh(bound.start())
    return played(game, start, end, meters, bound.forget, laws=laws)


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
