"""What a unit still holds after an attack: its strength, its nerve, its objective control."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from killcurve.engine.checks import CheckReroll, Kept, UnitRoll
from killcurve.engine.conduct import conduct
from killcurve.engine.edition import Edition, edition
from killcurve.engine.morale import control, control_left, failing, must_test
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.strength import strength
from killcurve.study.arming import Use, in_words
from killcurve.study.fielding import Fielded
from killcurve.study.matchup import Circumstances
from killcurve.study.striking import Striker


@dataclass(frozen=True, slots=True)
class Nerve:
    """How a unit takes its battle-shock test: as :class:`killcurve.engine.checks.UnitRoll`.

    ``forced``: it is tested however strong it is; ``steady``: it passes whatever is rolled
    (Insane Bravery); ``shocked``: it is battle-shocked until its next Command phase.
    """

    dice: int = 2
    kept: Kept = Kept.ALL
    modifier: int = 0
    reroll: CheckReroll = CheckReroll.NONE
    forced: bool = False
    steady: bool = False
    shocked: bool = False

    @property
    def roll(self) -> UnitRoll:
        """The roll."""
        return UnitRoll(self.dice, self.kept, self.modifier, self.reroll)


@dataclass(frozen=True, slots=True)
class Holding:
    """What an attack leaves of a unit, exactly.

    ``below_starting``, ``at_half`` and ``below_half`` are chances that it lives and is so far
    down (below half is below starting, too); ``tested`` and ``failed`` that it lives and takes,
    and fails, the test of its next Command phase. ``control_before`` and ``control`` are the
    laws of its objective control before and after that test.
    """

    destroyed: float
    below_starting: float
    at_half: float
    below_half: float
    tested: float
    failed: float
    control_start: int
    control_before: Pmf
    control: Pmf

    def holds(self, against: int) -> tuple[float, float]:
        """P(more control than an enemy with so much), before and after the test."""
        return self.control_before.at_least(against + 1), self.control.at_least(against + 1)


def attacked(
    attackers: Iterable[tuple[Fielded, Use]],
    target: Fielded,
    how: Circumstances = Circumstances(),
    unmodelled: list[str] | None = None,
    weapons: list[str] | None = None,
) -> FloatArray:
    """The law of a unit's states after attacks, one after the other; shape (states,).

    What cannot be computed is added to ``unmodelled``, what is used to ``weapons``.
    """
    law = target.space.from_start()
    for unit, use in attackers:
        striker = Striker(unit, target, use, how)
        law = striker.strike(law)
        if unmodelled is not None:
            unmodelled += [rule for rule in striker.unmodelled if rule not in unmodelled]
        if weapons is not None:
            weapons += in_words(unit, striker.arms)
    return law


def holding(target: Fielded, law: FloatArray, rules: Edition, nerve: Nerve = Nerve()) -> Holding:
    """What a law of a unit's states leaves of it; its models started the battle as they are.

    The test is taken at or below half-strength (10th edition: below it), against the best
    Leadership of the models that live. A battle-shocked unit controls nothing.

    Raises:
        DataError: if the data does not tell Leadership or Objective Control.

    >>> import killcurve
    >>> from killcurve.study.mustering import fielded
    >>> squad = fielded(killcurve.load(), "Intercessor Squad", models=5)
    >>> law = np.zeros(squad.space.size)
    >>> law[[0, 6]] = 0.5, 0.5  # unhurt, or three of five dead
    >>> held = holding(squad, law, edition("11e"))
    >>> held.below_half, round(36 * held.failed, 9), held.control_before.mean
    (0.5, 5.0, 7.0)
    """
    space = target.space
    down = strength(space, law, rules)
    alive = np.arange(space.size) != space.destroyed
    again = nerve.shocked and conduct(rules).shocked_test_again
    test = alive if nerve.forced or again else must_test(space, rules)
    fails = failing(space, _leaderships(target), nerve.roll)
    shocked = np.where(test, 0.0 if nerve.steady else fails, 0.0)
    held = control(space, _controls(target))
    before = np.where(alive, float(nerve.shocked), 0.0)
    return Holding(
        destroyed=float(law[space.destroyed]),
        below_starting=down.below_starting,
        at_half=down.at_half,
        below_half=down.below_half,
        tested=float(law @ test),
        failed=float(law @ shocked),
        control_start=int(held[space.start]),
        control_before=control_left(law, held, before),
        control=control_left(law, held, shocked),
    )


def _leaderships(target: Fielded) -> list[list[int]]:
    """The best Leadership left in each group with 0, 1, … of its models dead."""
    known = target.need("leadership")
    return [[min(left) for left in lefts[:-1]] for lefts in _left(target, known)]


def _controls(target: Fielded) -> list[list[int]]:
    """The objective control left in each group with 0, 1, … of its models dead."""
    return [[sum(left) for left in lefts] for lefts in _left(target, target.need("control"))]


def _left(target: Fielded, values: Sequence[int]) -> list[list[list[int]]]:
    """The values of the models left in each group, with 0, 1, …, all of its models dead."""
    found = []
    for group in range(len(target.target.groups)):
        models = [values[r] for r in target.in_group(group) for _ in range(target.ranks[r].count)]
        found.append([models[dead:] for dead in range(len(models) + 1)])
    return found


COLUMNS: dict[str, pl.DataType] = {
    "target": pl.String(),
    "models": pl.Int64(),
    "attackers": pl.String(),
    "weapons": pl.List(pl.String()),
    "destroyed": pl.Float64(),
    "below_starting": pl.Float64(),
    "at_half": pl.Float64(),
    "below_half": pl.Float64(),
    "tested": pl.Float64(),
    "failed": pl.Float64(),
    "control_start": pl.Int64(),
    "control_before": pl.Float64(),
    "control": pl.Float64(),
    "enemy_control": pl.Int64(),
    "holds_before": pl.Float64(),
    "holds": pl.Float64(),
    "unmodelled": pl.List(pl.String()),
}
"""What :func:`holding_ground` gives.

``control_before`` and ``control`` are means; ``holds`` is P(more control than the enemy there).
"""


def holding_ground(
    attackers: Sequence[tuple[Fielded, Use]],
    target: Fielded,
    how: Circumstances = Circumstances(),
    nerve: Nerve = Nerve(),
    *,
    enemy_control: int = 0,
) -> pl.DataFrame:
    """What a unit still holds after these attacks, one after the other: a frame of one row.

    Columns are :data:`COLUMNS`; ``how`` are the circumstances of the attacks.
    """
    unmodelled: list[str] = []
    weapons: list[str] = []
    law = attacked(attackers, target, how, unmodelled, weapons)
    held = holding(target, law, _rules(target, how), nerve)
    before, after = held.holds(enemy_control)
    row: dict[str, Any] = {
        "target": target.name,
        "models": target.models,
        "attackers": ", ".join(dict.fromkeys(unit.name for unit, _ in attackers)),
        "weapons": weapons,
        "destroyed": held.destroyed,
        "below_starting": held.below_starting,
        "at_half": held.at_half,
        "below_half": held.below_half,
        "tested": held.tested,
        "failed": held.failed,
        "control_start": held.control_start,
        "control_before": held.control_before.mean,
        "control": held.control.mean,
        "enemy_control": enemy_control,
        "holds_before": before,
        "holds": after,
        "unmodelled": unmodelled,
    }
    return pl.DataFrame([row], schema=COLUMNS)


def control_law(
    attackers: Sequence[tuple[Fielded, Use]],
    target: Fielded,
    how: Circumstances = Circumstances(),
    nerve: Nerve = Nerve(),
) -> pl.DataFrame:
    """The law of the objective control that is left, before and after the battle-shock test.

    Columns ``control``, ``probability_before``, ``probability``, ``at_least_before`` and
    ``at_least``, from 0 up.
    """
    held = holding(target, attacked(attackers, target, how), _rules(target, how), nerve)
    rows = [
        {
            "control": value,
            "probability_before": held.control_before.probability(value),
            "probability": held.control.probability(value),
            "at_least_before": min(1.0, held.control_before.at_least(value)),
            "at_least": min(1.0, held.control.at_least(value)),
        }
        for value in range(held.control_start + 1)
    ]
    floats = ("probability_before", "probability", "at_least_before", "at_least")
    return pl.DataFrame(rows, schema={"control": pl.Int64, **dict.fromkeys(floats, pl.Float64)})


def _rules(target: Fielded, how: Circumstances) -> Edition:
    return edition(how.edition or target.edition)
