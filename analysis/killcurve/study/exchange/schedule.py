"""Who strikes whom, when and how: the strikes of an exchange in their order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from killcurve.engine.conduct import conduct
from killcurve.engine.edition import Edition


class Side(Enum):
    """The two sides of an exchange."""

    A = "A"
    B = "B"

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.B if self is Side.A else Side.A


@dataclass(frozen=True, slots=True)
class Strike:
    """One side's attacks in one phase of a player's ``turn`` (from 1).

    ``ranged`` is shooting, else fighting. ``engaged``: the units are while it is made;
    ``charged``: the side has charged this turn.
    """

    turn: int
    by: Side
    ranged: bool
    engaged: bool = False
    charged: bool = False

    def __str__(self) -> str:
        how = "shoots" if self.ranged else "charges and fights" if self.charged else "fights"
        return f"turn {self.turn}: {self.by.value} {how}"


def schedule(
    turns: int,
    edition: Edition,
    *,
    first: Side = Side.A,
    shooting: bool = True,
    fighting: bool = False,
) -> tuple[Strike, ...]:
    """The strikes of so many players' turns, taken alternately, ``first`` having the first.

    In a turn whose player it is shoots; with ``fighting`` it charges, if the units are not
    engaged, and both fight: the one that has charged before the other. Once engaged they stay
    so; then the rule state says who fights first.

    Raises:
        ValueError: for no turns, or with neither shooting nor fighting.

    >>> from killcurve.engine.edition import edition
    >>> for strike in schedule(2, edition("10e"), fighting=True):
    ...     print(strike)
    turn 1: A shoots
    turn 1: A charges and fights
    turn 1: B fights
    turn 2: B shoots
    turn 2: A fights
    turn 2: B fights
    """
    if turns < 1:
        raise ValueError(f"{turns} turns are asked for; give 1 or more")
    if not (shooting or fighting):
        raise ValueError("neither shooting nor fighting is asked for; take one of them, or both")
    return tuple(_strikes(turns, edition, first, shooting=shooting, fighting=fighting))


def _strikes(
    turns: int, edition: Edition, first: Side, *, shooting: bool, fighting: bool
) -> Iterator[Strike]:
    engaged, side = False, first
    for turn in range(1, turns + 1):
        if shooting:
            yield Strike(turn, side, ranged=True, engaged=engaged)
        if fighting:
            earlier = side
            if engaged and not conduct(edition).turn_taker_fights_first:
                earlier = side.other
            for by in (earlier, earlier.other):
                yield Strike(
                    turn, by, ranged=False, engaged=True, charged=by is side and not engaged
                )
            engaged = True
        side = side.other
