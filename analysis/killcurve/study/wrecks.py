"""What it costs passengers to leave a transport: destroyed, or engaged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from killcurve.engine.dice import Dice
from killcurve.engine.disembarking import Escape, Leaving, escape
from killcurve.engine.edition import Edition
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.rules.selfharm import STURDY
from killcurve.study.fielding import Fielded
from killcurve.tables.dataset import DataError

LOSSES: dict[str, pl.DataType] = {
    "unit": pl.String(),
    "models": pl.Int64(),
    "points": pl.Int64(),
    "destroyed": pl.Float64(),
    "models_lost": pl.Float64(),
    "models_lost_p90": pl.Int64(),
    "models_lost_if_wrecked": pl.Float64(),
    "destroyed_if_wrecked": pl.Float64(),
    "points_lost": pl.Float64(),
    "points_lost_if_wrecked": pl.Float64(),
}
"""What :meth:`Wreck.frame` gives: the transport, each unit in it, and all together.

``…_if_wrecked`` is given that the passengers have to leave.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Wreck:
    """A transport that may be destroyed, with what leaving it costs each passenger unit.

    ``law`` is that of the transport's states; ``wrecked`` the chance that passengers have to
    leave (it is destroyed, or they choose to).
    """

    transport: Fielded
    passengers: tuple[Fielded, ...]
    law: FloatArray
    wrecked: float
    escapes: tuple[Escape, ...]

    def lost(self, number: int) -> tuple[Pmf, Pmf]:
        """The laws of the models that passenger unit ``number`` loses: in all, and if wrecked."""
        unit = self.passengers[number]
        given = unit.space.slain(self.escapes[number].law)
        weights = given.from_zero() * self.wrecked
        weights[0] += 1 - self.wrecked
        return Pmf(weights), given

    def points_lost(self) -> pl.DataFrame:
        """The law of all points lost together, the transport's among them.

        Columns ``points``, ``probability`` and ``at_least``. Passenger units suffer apart, but
        from one explosion. No rows where a unit has no cost.
        """
        schema = {"points": pl.Float64, "probability": pl.Float64, "at_least": pl.Float64}
        units = (self.transport, *self.passengers)
        if any(unit.points is None for unit in units):
            return pl.DataFrame(schema=schema)
        own = self.transport.points if self.law[-1] > 0 else 0
        total = {0.0: 1 - self.wrecked}
        for chance, law in self._courses():
            for points, part in law.items():
                key = round(points + float(own or 0), 6)
                total[key] = total.get(key, 0.0) + self.wrecked * chance * part
        values = sorted(value for value, chance in total.items() if chance > 0)
        chances = np.array([total[value] for value in values])
        tails = np.minimum(1.0, np.cumsum(chances[::-1])[::-1])
        columns = dict(zip(schema, (np.array(values), chances, tails), strict=True))
        return pl.DataFrame(columns, schema=schema)

    def _courses(self) -> Iterator[tuple[float, dict[float, float]]]:
        """With and without an explosion: its chance, and the law of the passengers' points."""
        explodes = self.escapes[0].explodes if self.escapes else 0.0
        for exploded, chance in ((False, 1 - explodes), (True, explodes)):
            total = {0.0: 1.0}
            for unit, way in zip(self.passengers, self.escapes, strict=True):
                slain = unit.space.slain(way.exploded if exploded else way.quiet)
                each = unit.points_per_model or 0.0
                after: dict[float, float] = {}
                for before, part in total.items():
                    for models, more in enumerate(slain.from_zero().tolist()):
                        key = before + models * each
                        after[key] = after.get(key, 0.0) + part * more
                total = after
            yield chance, total

    def frame(self) -> pl.DataFrame:
        """Losses unit by unit; columns are :data:`LOSSES`."""
        rows = [self._transport_row()]
        rows += [self._row(number) for number in range(len(self.passengers))]
        columns = ("points_lost", "points_lost_if_wrecked")
        together = {
            name: None if any(row[name] is None for row in rows) else sum(row[name] for row in rows)
            for name in columns
        }
        models = sum(row["models_lost"] for row in rows)
        rows.append({"unit": "together", "models_lost": models, **together})
        return pl.DataFrame(rows, schema=LOSSES)

    def _transport_row(self) -> dict[str, Any]:
        unit, destroyed = self.transport, float(self.law[-1])
        slain = unit.space.slain(self.law)
        gone = 1.0 if destroyed > 0 else 0.0
        each = unit.points_per_model
        return {
            "unit": unit.name,
            "models": unit.models,
            "points": unit.points,
            "destroyed": destroyed,
            "models_lost": slain.mean,
            "models_lost_p90": slain.quantile(0.9),
            "models_lost_if_wrecked": gone * unit.models,
            "destroyed_if_wrecked": gone,
            "points_lost": None if each is None else slain.mean * each,
            "points_lost_if_wrecked": None if each is None else gone * unit.models * each,
        }

    def _row(self, number: int) -> dict[str, Any]:
        unit = self.passengers[number]
        law, given = self.lost(number)
        each = unit.points_per_model
        return {
            "unit": unit.name,
            "models": unit.models,
            "points": unit.points,
            "destroyed": law.probability(unit.models),
            "models_lost": law.mean,
            "models_lost_p90": law.quantile(0.9),
            "models_lost_if_wrecked": given.mean,
            "destroyed_if_wrecked": given.probability(unit.models),
            "points_lost": None if each is None else law.mean * each,
            "points_lost_if_wrecked": None if each is None else given.mean * each,
        }


def wreck(
    transport: Fielded,
    passengers: Sequence[Fielded],
    law: FloatArray | None,
    rules: Edition,
    *,
    how: Leaving = Leaving.DESTROYED,
    demise: Dice | None = None,
) -> Wreck:
    """What passengers lose when a transport is left under a law of its states (states,).

    Without a law they leave it for certain: that is what leaving costs (in a combat
    disembarkation the transport is not lost). ``demise`` is the X of its Deadly Demise.

    Raises:
        DataError: for a way of leaving that the rule state does not have.

    >>> import killcurve
    >>> from killcurve.engine.edition import edition
    >>> from killcurve.study.mustering import fielded
    >>> data = killcurve.load()
    >>> boat, crew = fielded(data, "Raider"), fielded(data, "Kabalite Warriors", models=10)
    >>> left = wreck(boat, [crew], None, edition("11e"), how=Leaving.COMBAT)
    >>> round(left.lost(0)[0].mean, 6)  # ten hazard rolls of 1 or 2
    3.333333
    """
    space = transport.space
    leaves = how is Leaving.COMBAT
    if law is None:
        law = np.zeros(space.size)
        law[space.start if leaves else space.destroyed] = 1.0
    try:
        escapes = tuple(
            escape(
                unit.target,
                rules,
                how,
                demise=demise,
                sturdy=bool(unit.keywords & STURDY) and "infantry" not in unit.keywords,
            )
            for unit in passengers
        )
    except ValueError as error:
        raise DataError(str(error)) from None
    wrecked = 1.0 if leaves else float(law[space.destroyed])
    return Wreck(transport, tuple(passengers), law, wrecked, escapes)
