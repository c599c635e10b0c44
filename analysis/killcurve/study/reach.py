"""The chance to get there, and what the attack then does, as functions of the distance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from killcurve.engine.edition import Edition, edition
from killcurve.engine.joint import apart
from killcurve.engine.movement import charge_roll, fighting, roll_needed
from killcurve.engine.pmf import FloatArray
from killcurve.study.approach import (
    Approach,
    Arrival,
    Position,
    positions,
    with_effects,
    with_ranges,
)
from killcurve.study.arming import Use, has
from killcurve.study.fielding import Fielded
from killcurve.study.matchup import Circumstances
from killcurve.study.striking import Kind, Striker
from killcurve.tables.dataset import DataError

SNAP_RANGE = 24
"""Inches within which units snap shoot (RULES.md §3.2)."""

FARTHEST = 120
"""Inches that are looked at."""

STRAIGHT = Approach()
"""A normal move, and a charge."""

COLUMNS: dict[str, pl.DataType] = {
    "unit": pl.String(),
    "target": pl.String(),
    "arrival": pl.String(),
    "distance": pl.Float64(),
    "charge_need": pl.Int64(),
    "alive": pl.Float64(),
    "overwatch_slain": pl.Float64(),
    "in_range": pl.Float64(),
    "charge": pl.Float64(),
    "reach": pl.Float64(),
    "damage": pl.Float64(),
    "slain": pl.Float64(),
    "destroyed": pl.Float64(),
    "points_removed": pl.Float64(),
    "points_lost": pl.Float64(),
    "unmodelled": pl.List(pl.String()),
}
"""What :func:`reach` gives, one row a distance.

``charge_need`` is the charge roll that is needed (null where the move is rolled, or no charge is
possible), ``alive`` P(the unit outlives overwatch), ``in_range`` P(it lives and some weapon of it
is in range), ``charge`` P(it lives and its charge arrives), ``reach`` P(any of the two). What it
does is over all of that: where it does not arrive it does nothing.
"""


def reach(
    unit: Fielded,
    target: Fielded,
    distances: Sequence[float],
    approach: Approach = STRAIGHT,
    how: Circumstances = Circumstances(),
    overwatch: Circumstances = Circumstances(),
) -> pl.DataFrame:
    """The chance to arrive from each distance (inches between the nearest models), and the effect.

    ``how`` are the circumstances of the unit's attacks; effects in it on Move, Range, and on
    re-rolls of advances and charges count as well. ``overwatch`` are those of the enemy's snap
    shooting. Models lost to it are not there to attack; that they are not the nearest ones is
    taken for granted. Columns are :data:`COLUMNS`.

    Raises:
        DataError: where the Move is not known, or for impossible distances.

    >>> import killcurve
    >>> from killcurve.study.mustering import fielded
    >>> data = killcurve.load()
    >>> boyz, squad = fielded(data, "Boyz"), fielded(data, "Intercessor Squad")
    >>> frame = reach(boyz, squad, [8, 8.5, 13], Approach(Arrival.RESERVES))
    >>> frame["charge_need"].to_list(), [round(36 * p) for p in frame["charge"]]
    ([None, 9, None], [0, 10, 0])
    """
    rules = edition(how.edition or unit.edition)
    wrong = [d for d in distances if not rules.engagement_range < d <= FARTHEST]
    if wrong:
        raise DataError(
            f"a distance of {wrong[0]} inches: more than {rules.engagement_range} (else the "
            f"units are engaged) and up to {FARTHEST} are possible"
        )
    approach = with_effects(approach, unit, target, how)
    flags = how.flags - {"stationary"}
    if approach.arrival is Arrival.STAY:
        flags |= {"stationary"}
    run = _Run(
        unit=with_ranges(unit, target, how),
        target=target,
        approach=approach,
        rules=rules,
        how=replace(how, flags=flags),
        snap=replace(overwatch, flags=overwatch.flags | {"snap_shooting"}),
    )
    rows = [run.row(float(d)) for d in distances]
    left_out = run.unmodelled()
    return pl.DataFrame([{**row, "unmodelled": left_out} for row in rows], schema=COLUMNS)


@dataclass(slots=True)
class _Found:
    """Chances of one position, and the joint law of both units afterwards."""

    law: FloatArray
    before: FloatArray
    in_range: float = 0.0
    charge: float = 0.0
    reach: float = 0.0


@dataclass(slots=True)
class _Run:
    """What stays the same from distance to distance."""

    unit: Fielded
    target: Fielded
    approach: Approach
    rules: Edition
    how: Circumstances
    snap: Circumstances
    _strikers: dict[tuple[bool, Use, Circumstances], Striker] = field(default_factory=dict)

    def row(self, distance: float) -> dict[str, Any]:
        """The row of one distance: the mixture over where the move ends."""
        where = list(positions(distance, self.approach, self.rules, self._longest()))
        found = [(p.chance, self._from(p)) for p in where]
        nowhere = 1.0 - sum(chance for chance, _ in found) if not found else 0.0
        start = apart(self.unit.space.from_start(), self.target.space.from_start())
        law = sum((chance * each.law for chance, each in found), nowhere * start)
        before = sum(
            (chance * each.before for chance, each in found),
            nowhere * self.unit.space.from_start(),
        )
        own, other = self.unit.space, self.target.space
        struck_law = law.sum(axis=0)
        slain = other.slain(struck_law).mean
        lost = own.slain(law.sum(axis=1)).mean
        needs = {self._need(p) for p in where}
        return {
            "unit": self.unit.name,
            "target": self.target.name,
            "arrival": self.approach.arrival.value,
            "distance": distance,
            "charge_need": needs.pop() if len(needs) == 1 and self.approach.charges else None,
            "alive": 1.0 - float(before[own.destroyed]),
            "overwatch_slain": own.slain(before).mean,
            "in_range": sum(chance * each.in_range for chance, each in found),
            "charge": sum(chance * each.charge for chance, each in found),
            "reach": sum(chance * each.reach for chance, each in found),
            "damage": other.damage(struck_law).mean,
            "slain": slain,
            "destroyed": float(struck_law[other.destroyed]),
            "points_removed": _points(self.target, slain),
            "points_lost": _points(self.unit, lost),
        }

    def _from(self, position: Position) -> _Found:
        """Overwatch, shooting, charge and fight from one position."""
        before = self._after_overwatch(position)
        found = _Found(apart(before, self.target.space.from_start()), before)
        alive = 1.0 - float(before[-1])
        if self.approach.shoots:
            use = Use(True, position.distance, advanced=position.advanced)
            striker = self._striker(own=True, use=use, how=self.how)
            kinds = striker.kinds()
            armed = np.array([kind is not None for kind in kinds])
            found.in_range = float(before @ armed)
            found.law = striker.struck(found.law, kinds)
        chances = self._fighting(position)
        arrives = 1.0 - chances.get(0, 0.0)
        found.charge = alive * arrives
        found.reach = found.in_range + (alive - found.in_range) * arrives
        if arrives:
            charged = replace(self.how, flags=self.how.flags | {"charged"})
            striker = self._striker(own=True, use=Use(False), how=charged)
            found.law = chances.get(0, 0.0) * found.law + sum(
                chance * striker.struck(found.law, self._near(striker, models))
                for models, chance in chances.items()
                if models
            )
        return found

    def _after_overwatch(self, position: Position) -> FloatArray:
        """The law of the unit's states when the enemy has snap shot at it."""
        start = self.unit.space.from_start()
        if not self.approach.overwatch or position.distance > SNAP_RANGE:
            return start
        use = Use(True, position.distance)
        return self._striker(own=False, use=use, how=self.snap).strike()

    def _fighting(self, position: Position) -> dict[int, float]:
        """P(so many models are near enough to fight); 0 where the charge fails."""
        need = self._need(position)
        if need is None:
            return {0: 1.0}
        approach = self.approach
        roll = charge_roll(need, modifier=approach.charge_modifier, reroll=approach.charge_reroll)
        if not approach.ranks:
            arrives = roll.at_least(need)
            return {0: 1.0 - arrives, self.unit.models: arrives}
        return fighting(
            roll, need, position.distance, self.rules, approach.ranks, pile_in=approach.pile_in
        )

    def _need(self, position: Position) -> int | None:
        """The charge roll that is needed, ``None`` where no charge is possible."""
        if not self.approach.charges:
            return None
        if position.advanced and not self.approach.charges_after_advance:
            return None
        return roll_needed(
            position.distance, self.rules, reaches_target=self.approach.reaches_target
        )

    def _near(self, striker: Striker, models: int) -> list[Kind | None]:
        """What strikes when so many models are near enough: those who fall last stand in front."""
        living = self.unit.living()
        spare = np.maximum(0, living.sum(axis=1) - models)
        for rank in range(living.shape[1]):
            away = np.minimum(spare, living[:, rank])
            living[:, rank] -= away
            spare = spare - away
        return [
            None if whole is None else striker.kind(row, whole.flags, whole.wounds_left)
            for row, whole in zip(living.tolist(), striker.kinds(), strict=True)
        ]

    def _striker(self, *, own: bool, use: Use, how: Circumstances) -> Striker:
        key = own, use, how
        if key not in self._strikers:
            unit, enemy = (self.unit, self.target) if own else (self.target, self.unit)
            self._strikers[key] = Striker(unit, enemy, use, how)
        return self._strikers[key]

    def _longest(self) -> int:
        """The longest range of what fires after an advance."""
        weapons: Iterator[int] = (
            carried.range
            for rank in self.unit.ranks
            for carried in rank.weapons
            if has(carried, "assault")
        )
        return max(weapons, default=0)

    def unmodelled(self) -> list[str]:
        """The rules that could not be computed so far."""
        rules = [rule for striker in self._strikers.values() for rule in striker.unmodelled]
        return list(dict.fromkeys(rules))


def _points(unit: Fielded, models: float) -> float | None:
    each = unit.points_per_model
    return None if each is None else models * each
