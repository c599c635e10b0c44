"""Getting there: arrivals, moves and charges by rule state, and who then is near enough to fight.

Distances are in inches, between the nearest models. Where a rule says "more than", the distance
meant is the least one above (:data:`JUST` more).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from killcurve.engine.checks import CheckReroll, UnitRoll, charge_need
from killcurve.engine.conduct import conduct
from killcurve.engine.edition import Edition
from killcurve.engine.pmf import Pmf

JUST = 1e-6
"""Inches by which "more than" is more; far above what checks take for rounding."""

CHARGES_WITHIN = 12
"""Inches within which a charge may be declared."""

PILE_IN = 3
"""Inches that a model may pile in after a charge move."""


def nearest_unengaged(edition: Edition) -> float:
    """The least distance at which a unit is not engaged."""
    return edition.engagement_range + JUST


def after_move(distance: float, inches: float, edition: Edition) -> float:
    """How far away a unit is after it has moved straight towards an enemy, unengaged.

    >>> from killcurve.engine.edition import edition
    >>> after_move(13, 6, edition("11e")), round(after_move(7, 6, edition("11e")), 3)
    (7, 2.0)
    """
    if distance <= edition.engagement_range:
        return distance
    return max(distance - inches, nearest_unengaged(edition))


def roll_needed(
    distance: float, edition: Edition, *, reaches_target: bool | None = None
) -> int | None:
    """The charge roll that a charge at so many inches needs, ``None`` beyond 12".

    ``reaches_target`` stands in for the rule state's own reading
    (:class:`killcurve.engine.conduct.Conduct`). 0 where the units are engaged already.

    >>> from killcurve.engine.edition import edition
    >>> [roll_needed(d, edition("11e")) for d in (2, 2.1, 8.1, 12, 12.1)]
    [0, 3, 9, 12, None]
    >>> roll_needed(8.1, edition("11e"), reaches_target=False), roll_needed(9.1, edition("10e"))
    (7, 9)
    """
    need = charge_need(distance, edition)
    if need == 0:
        return 0
    if distance > CHARGES_WITHIN:
        return None
    if reaches_target is None:
        reaches_target = conduct(edition).charge_reaches_target
    return math.ceil(distance - JUST / 2) if reaches_target else need


def advance_roll(
    *, need: int | None = None, modifier: int = 0, reroll: CheckReroll = CheckReroll.NONE
) -> Pmf:
    """The law of the inches that an advance adds to a move.

    A re-roll is used on results below ``need``; without a need, where a new roll is longer on
    average.

    >>> advance_roll().mean, advance_roll(reroll=CheckReroll.WHOLE).mean
    (3.5, 4.25)
    """
    roll = UnitRoll(1, modifier=modifier, reroll=reroll)
    average = max(1, 4 + modifier)
    return roll.law(average if need is None else need)


def charge_roll(need: int, *, modifier: int = 0, reroll: CheckReroll = CheckReroll.NONE) -> Pmf:
    """The law of a charge roll that is made again as a whole where it falls short of ``need``.

    Raises:
        ValueError: if one die alone is to be rolled again.

    >>> round(36 * charge_roll(9).at_least(9)), round(36**2 * charge_roll(
    ...     9, reroll=CheckReroll.WHOLE).at_least(9))
    (10, 620)
    """
    if reroll is CheckReroll.ONE_DIE:
        raise ValueError(
            "one die of a charge cannot be rolled again; all of them can (CheckReroll.WHOLE)"
        )
    return UnitRoll(2, modifier=modifier, reroll=reroll).law(need)


@dataclass(frozen=True, slots=True)
class RankBehind:
    """``models`` of a unit that stand ``inches`` farther from the enemy than its nearest model.

    Raises:
        ValueError: for less than one model, or inches below zero.
    """

    models: int
    inches: float = 0.0

    def __post_init__(self) -> None:
        if self.models < 1 or not (math.isfinite(self.inches) and self.inches >= 0):
            raise ValueError(
                f"{self.models} models {self.inches} inches behind the nearest; a rank has 1 "
                "model or more, 0 inches or more behind"
            )


def fighting(
    roll: Pmf,
    need: int,
    distance: float,
    edition: Edition,
    ranks: Sequence[RankBehind],
    *,
    pile_in: float = PILE_IN,
) -> dict[int, float]:
    """P(so many models are near enough to fight) after a charge; 0 models is a failed charge.

    A model that stands farther back is engaged if the roll and a pile-in of ``pile_in`` inches
    together bring it within engagement range. Without ``ranks`` there is one model.

    >>> from killcurve.engine.edition import edition
    >>> two_ranks = (RankBehind(5), RankBehind(5, inches=4))
    >>> found = fighting(charge_roll(7), 7, 8, edition("10e"), two_ranks)
    >>> {models: round(36 * chance) for models, chance in found.items()}
    {0: 15, 5: 6, 10: 15}
    """
    found: dict[int, float] = {}
    for value, chance in zip(roll.values.tolist(), roll.weights.tolist(), strict=True):
        if chance == 0.0:
            continue
        models = 0
        if value >= need:
            reached = value + pile_in + edition.engagement_range - distance + JUST / 2
            models = sum(
                rank.models for rank in (ranks or (RankBehind(1),))
                if rank.inches == 0 or rank.inches <= reached
            )  # fmt: skip
        found[models] = found.get(models, 0.0) + chance
    return found
