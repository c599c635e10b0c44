"""How a unit comes near: where it starts, how it moves, what changes its rolls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from killcurve.engine.checks import CheckReroll
from killcurve.engine.conduct import conduct
from killcurve.engine.edition import Edition, edition
from killcurve.engine.movement import (
    RankBehind,
    advance_roll,
    after_move,
)
from killcurve.rules.effects import Effect, Shift
from killcurve.rules.modifiers import ArmedWith
from killcurve.rules.situation import Situation
from killcurve.rules.volley import holding
from killcurve.study.fielding import Carried, Fielded
from killcurve.study.matchup import Circumstances


class Arrival(Enum):
    """How a unit comes to where it shoots or charges from."""

    STAY = "stay"
    MOVE = "move"
    ADVANCE = "advance"
    RESERVES = "reserves"


@dataclass(frozen=True, slots=True)
class Approach:
    """A turn in which a unit comes near, and what it does then.

    ``arrival`` is how: from where it stands, by a normal move, by an advance, or from reserves
    (deep strike, ingress), where the distance is that of its set-up. It ``shoots``, then
    ``charges`` and fights. ``overwatch``: the enemy snap shoots at it before it does.

    After an advance only Assault weapons fire, and it charges only with
    ``charges_after_advance``. ``move`` stands in for the datasheet's, ``arrives_beyond`` for the
    inches that the rule state keeps arrivals away from enemies; the modifiers and re-rolls come
    on top of those of its effects. ``ranks`` tell how far behind the nearest model others stand
    (all are as near, unless given); ``pile_in`` inches bring more of them into the fight.
    ``reaches_target`` chooses the reading of charges (see
    :func:`killcurve.engine.movement.roll_needed`).
    """

    arrival: Arrival = Arrival.MOVE
    shoots: bool = False
    charges: bool = True
    overwatch: bool = False
    charges_after_advance: bool = False
    move: int | None = None
    arrives_beyond: float | None = None
    advance_modifier: int = 0
    advance_reroll: CheckReroll = CheckReroll.NONE
    charge_modifier: int = 0
    charge_reroll: CheckReroll = CheckReroll.NONE
    ranks: tuple[RankBehind, ...] = ()
    pile_in: float = 3.0
    reaches_target: bool | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """Where a unit is after its move: how likely, ``distance`` inches away."""

    chance: float
    distance: float
    advanced: bool = False


def situation(
    unit: Fielded, target: Fielded, how: Circumstances, *, distance: float | None = None
) -> Situation:
    """The circumstances in which rules about moves and ranges are asked."""
    return Situation(
        edition=edition(how.edition or unit.edition),
        flags=how.flags,
        ticked=how.ticked,
        distance=distance,
        attacker_keywords=unit.keywords,
        target_keywords=target.keywords,
        target_models=target.models,
    )


def with_effects(
    approach: Approach, unit: Fielded, target: Fielded, how: Circumstances
) -> Approach:
    """The approach with what the unit's effects do to its moves and rolls.

    Raises:
        DataError: where the Move of a model that moves is not known.

    >>> import killcurve
    >>> from killcurve.study.mustering import fielded
    >>> data = killcurve.load()
    >>> boyz, squad = fielded(data, "Boyz"), fielded(data, "Intercessor Squad")
    >>> quick = Circumstances(attacker_effects=(Effect.parse("move +2"),
    ...                                         Effect.parse("reroll charge failed")))
    >>> found = with_effects(Approach(), boyz, squad, quick)
    >>> found.move, found.charge_reroll.value
    (8, 'the whole roll')
    """
    held = list(holding(how.attacker_effects, situation(unit, target, how), "attacker"))
    what = {effect.what for effect in held}
    move = approach.move
    if approach.arrival in (Arrival.MOVE, Arrival.ADVANCE):
        if move is None:
            move = min(unit.need("move"))
        move = max(1, _shifted(move, [e for e in held if e.what == "move"]))
    whole = CheckReroll.WHOLE
    return replace(
        approach,
        move=move,
        advance_reroll=whole if "reroll advance" in what else approach.advance_reroll,
        charge_reroll=whole if "reroll charge" in what else approach.charge_reroll,
    )


def _shifted(value: int, effects: list[Effect]) -> int:
    """A characteristic after certain changes: set first, then added to."""
    shifts = [e.amount for e in effects if isinstance(e.amount, Shift) and e.amount.by.is_fixed]
    for shift in sorted(shifts, key=lambda shift: shift.sign != "="):
        value = shift.by.bonus if shift.sign == "=" else value + shift.signed
    return value


def with_ranges(unit: Fielded, target: Fielded, how: Circumstances) -> Fielded:
    """The unit with what its effects do to the ranges of its guns."""
    where = situation(unit, target, how)
    effects = [e for e in how.attacker_effects if e.what == "range"]
    if not effects:
        return unit
    facts = where.facts["attacker"]
    held = [e for e in effects if all(facts.holds(c, stronger=False) for c in e.condition)]

    def lengthened(carried: Carried) -> Carried:
        if carried.line.kind != "ranged":
            return carried
        weapon = ArmedWith(carried.line.weapon, carried.line.abilities)
        mine = [e for e in held if weapon.in_scope(e.scope, where)]
        return replace(carried, range=max(0, _shifted(carried.range, mine)))

    ranks = (replace(r, weapons=tuple(map(lengthened, r.weapons))) for r in unit.ranks)
    return replace(unit, ranks=tuple(ranks))


def positions(
    distance: float, approach: Approach, rules: Edition, longest: int = 0
) -> Iterator[Position]:
    """Where the unit may be after its move; nowhere if it cannot be set up so near.

    ``longest`` is the longest range of what fires after an advance: a re-roll is used where it
    does not come within it, or, for a charge, where a new roll is longer on average.

    >>> from killcurve.engine.edition import edition
    >>> [p.distance for p in positions(13, Approach(move=6), edition("11e"))]
    [7]
    >>> list(positions(8, Approach(Arrival.RESERVES), edition("11e")))
    []
    """
    if approach.arrival is Arrival.STAY:
        yield Position(1.0, distance)
    elif approach.arrival is Arrival.RESERVES:
        stated = approach.arrives_beyond
        if distance > (conduct(rules).arrives_beyond if stated is None else stated):
            yield Position(1.0, distance)
    elif approach.arrival is Arrival.MOVE:
        yield Position(1.0, after_move(distance, approach.move or 0, rules))
    else:
        move, need = approach.move or 0, None
        missing = distance - move - longest
        if not approach.charges_after_advance and missing > 0:
            need = -int(-missing // 1)
        roll = advance_roll(
            need=need, modifier=approach.advance_modifier, reroll=approach.advance_reroll
        )
        for inches, chance in zip(roll.values.tolist(), roll.weights.tolist(), strict=True):
            if chance:
                yield Position(chance, after_move(distance, move + inches, rules), advanced=True)
