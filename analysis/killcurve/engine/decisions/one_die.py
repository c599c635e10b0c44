"""One die at a time: what a player may make of what it shows, before the next one is rolled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from killcurve.engine.decisions.links import SAME, Link
from killcurve.engine.decisions.table import Uses
from killcurve.engine.decisions.tape import Options, Situation, Tape
from killcurve.engine.weapon import Use


def faced(
    tape: Tape,
    uses: Uses,
    left_alone: Sequence[Situation],
    *,
    six: Sequence[Situation],
    again: Callable[[Sequence[Situation]], Sequence[Situation]],
    best: np.ufunc,
) -> tuple[list[Situation], list[Situation]]:
    """What follows each result of a die: one that may be re-rolled, and one that may not.

    ``left_alone`` holds what follows each result if no right is used on it, ``six`` what follows
    when a result is set to 6, and ``again`` what follows a re-roll of a result, given what follows
    each result of a die that may not be re-rolled any more.

    >>> from killcurve.engine.decisions.links import Shift, Weight
    >>> tape = Tape()
    >>> ends = [tape.end(np.full(2, worth)) for worth in (0.0, 1.0)]  # by rights left
    >>> uses = [(Use.REROLL, Shift(0, -1, -np.inf))]
    >>> def again(then):
    ...     even = tape.chance([(Weight(0.5), then[0]), (Weight(0.5), then[1])])
    ...     return [even, even]
    >>> fresh, _ = faced(tape, uses, ends, six=ends, again=again, best=np.maximum)
    >>> fresh[0].value.tolist()
    [0.0, 0.5]
    """
    fresh = stale = list(left_alone)
    for _ in uses:
        rolled = again(stale)
        before: list[Options] = [[(SAME, end)] for end in left_alone]
        for i, options in enumerate(before):
            options += [(spend, six[i]) for use, spend in uses if use is Use.SIX]
        rerolls: list[Link] = [spend for use, spend in uses if use is Use.REROLL]
        stale = [best_of(tape, options, best) for options in before]
        fresh = [
            best_of(tape, [*options, *((spend, rolled[i]) for spend in rerolls)], best)
            for i, options in enumerate(before)
        ]
    return fresh, stale


def best_of(tape: Tape, options: Options, best: np.ufunc) -> Situation:
    """The best of some options; a single one that changes nothing is what follows itself."""
    if len(options) == 1 and options[0][0] is SAME:
        return options[0][1]
    return tape.choice(options, best=best)
