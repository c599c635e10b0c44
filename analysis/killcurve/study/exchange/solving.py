"""The exact joint law of two units that strike each other in turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from killcurve.engine.edition import Edition, edition
from killcurve.engine.joint import apart, distinct
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.study.arming import Use, check_names, in_words
from killcurve.study.exchange.schedule import Side, Strike
from killcurve.study.fielding import Fielded
from killcurve.study.matchup import Circumstances
from killcurve.study.striking import Striker
from killcurve.tables.dataset import DataError

MOST_PAIRS = 1_000_000
"""States of one side times states of the other."""

MOST_VOLLEYS = 20_000
"""Volleys that one strike may have to work out: distinct survivors times enemy states."""

MOST_HELD = 20_000_000
"""Probabilities of these volleys' laws that may be held at a time."""

LEFT_OUT = (
    "models that fight on death, and units destroyed before they fight",
    "moving, cover and objectives between the turns",
    "recoveries, stratagems used once, battle-shock",
)
"""What an exchange does not look at."""


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """What two units do to each other.

    ``laws[n]`` is the joint law after n strikes, shape (states of A, states of B); the first is
    that of the fresh units. ``weapons`` tell what each side uses, strike by strike;
    ``unmodelled`` are rules that could not be computed.
    """

    edition: Edition
    sides: tuple[Fielded, Fielded]
    strikes: tuple[Strike, ...]
    laws: tuple[FloatArray, ...]
    weapons: tuple[tuple[str, ...], ...]
    unmodelled: tuple[str, ...] = ()

    def unit(self, side: Side) -> Fielded:
        """The unit of a side."""
        return self.sides[side is Side.B]

    def law(self, side: Side, after: int = -1) -> FloatArray:
        """The law of a side's own states after so many strikes (all, unless told)."""
        return np.asarray(self.laws[after].sum(axis=1 if side is Side.A else 0))

    def slain(self, side: Side, after: int = -1) -> Pmf:
        """The law of the models that a side has lost."""
        return self.unit(side).space.slain(self.law(side, after))

    def damage(self, side: Side, after: int = -1) -> Pmf:
        """The law of the wounds that a side has lost."""
        return self.unit(side).space.damage(self.law(side, after))

    def destroyed(self, side: Side, after: int = -1) -> float:
        """P(nobody of a side is left)."""
        return float(self.law(side, after)[-1])

    def after_turn(self, turn: int) -> int:
        """How many strikes have been made when a turn ends."""
        return sum(strike.turn <= turn for strike in self.strikes)


def exchange(
    first: Fielded,
    second: Fielded,
    strikes: Sequence[Strike],
    how: tuple[Circumstances, Circumstances] = (Circumstances(), Circumstances()),
    *,
    distance: float | None = None,
    only: Iterable[str] = (),
) -> Exchange:
    """The joint law of both units' states after each strike.

    ``first`` is side A, ``second`` side B; ``how`` are the circumstances of A's attacks and of
    B's. What strikes are the weapons of the models that live, chosen for most damage against the
    whole enemy (of those named in ``only``, if any are); what is struck are the models that
    live. ``distance`` in inches limits weapons to their range until the units are engaged, and
    tells what is within half of it. Hazard rolls follow each strike. One Shot weapons are used
    in a side's first shooting. Left out is what :data:`LEFT_OUT` tells.

    Raises:
        DataError: if the units have too many states, or a strike too many volleys, to be summed;
            if no model carries a weapon that is named; for two rule states.

    >>> import killcurve
    >>> from killcurve.engine.edition import edition
    >>> from killcurve.study.exchange.schedule import schedule
    >>> from killcurve.study.mustering import fielded
    >>> data = killcurve.load()
    >>> warden, squad = fielded(data, "Royal Warden"), fielded(data, "Intercessor Squad")
    >>> duel = exchange(warden, squad, schedule(2, edition("11e")))
    >>> [f"{duel.slain(side).mean:.4f}" for side in Side]
    ['0.3157', '0.4167']
    """
    ours, theirs = (
        edition(h.edition or u.edition) for h, u in zip(how, (first, second), strict=True)
    )
    if ours is not theirs:
        raise DataError(
            f"{first.name} is of rule state {ours.key} and {second.name} of {theirs.key}; say "
            "which one both follow"
        )
    pairs = first.space.size * second.space.size
    if pairs > MOST_PAIRS:
        raise DataError(
            f"{first.name} and {second.name} have {first.space.size:,} × {second.space.size:,} "
            f"states together; {MOST_PAIRS:,} can be summed. Take fewer models"
        )
    names = check_names(only, (first, second))
    run = _Run((first, second), how, ours, distance, names)
    laws = [apart(first.space.from_start(), second.space.from_start())]
    for strike in strikes:
        laws.append(run.after(strike, laws[-1]))
    return Exchange(
        edition=ours,
        sides=(first, second),
        strikes=tuple(strikes),
        laws=tuple(laws),
        weapons=tuple(run.weapons),
        unmodelled=tuple(dict.fromkeys(run.unmodelled)),
    )


class _Run:
    """An exchange while it is worked out; strikers are kept from turn to turn."""

    def __init__(
        self,
        sides: tuple[Fielded, Fielded],
        how: tuple[Circumstances, Circumstances],
        rules: Edition,
        distance: float | None,
        only: frozenset[str],
    ) -> None:
        self._sides, self._how, self._rules = sides, how, rules
        self._distance, self._only = distance, only
        self._strikers: dict[tuple[Side, Use, bool], Striker] = {}
        self._have_shot: set[Side] = set()
        self.weapons: list[tuple[str, ...]] = []
        self.unmodelled: list[str] = []

    def after(self, strike: Strike, joint: FloatArray) -> FloatArray:
        striker = self._striker(strike)
        own = joint if strike.by is Side.A else joint.T
        kinds = striker.kinds()
        self._check(striker, distinct(own, kinds))
        own = striker.struck(own, kinds)
        self.weapons.append(tuple(in_words(striker.unit, striker.arms)))
        self.unmodelled += striker.unmodelled
        return own if strike.by is Side.A else own.T

    def _striker(self, strike: Strike) -> Striker:
        engaged = strike.ranged and strike.engaged
        near = self._rules.engagement_range if engaged else self._distance
        use = Use(
            ranged=strike.ranged,
            distance=near if strike.ranged else None,
            engaged=engaged,
            again=strike.by in self._have_shot,
            only=self._only,
        )
        if strike.ranged:
            self._have_shot.add(strike.by)
        key = strike.by, use, strike.charged
        if key not in self._strikers:
            here = self._how[strike.by is Side.B]
            if strike.charged:
                here = replace(here, flags=here.flags | {"charged"})
            unit, enemy = self._sides if strike.by is Side.A else self._sides[::-1]
            self._strikers[key] = Striker(unit, enemy, use, here)
        return self._strikers[key]

    @staticmethod
    def _check(striker: Striker, volleys: int) -> None:
        states = striker.enemy.space.size
        if volleys > MOST_VOLLEYS or volleys * states > MOST_HELD:
            raise DataError(
                f"{striker.unit.name} at {striker.enemy.name} takes {volleys:,} volleys over "
                f"{states:,} states; {MOST_VOLLEYS:,} volleys and {MOST_HELD:,} probabilities of "
                "theirs can be summed. Take fewer models"
            )
