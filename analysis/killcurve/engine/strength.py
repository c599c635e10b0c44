"""Half-strength: how far a unit is below the strength it started with (RULES.md §7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from killcurve.engine.edition import Edition
from killcurve.engine.pmf import FloatArray
from killcurve.engine.states import BoolArray, IntArray, States, states
from killcurve.engine.target import Target


@dataclass(frozen=True, slots=True)
class Strength:
    """Probabilities that a unit lives and is below its starting strength, at half or below half.

    A unit below half is below its starting strength, too; a destroyed one is neither.
    """

    below_starting: float
    at_half: float
    below_half: float


@dataclass(frozen=True, slots=True, eq=False)
class StrengthStates:
    """In which of a target's states the unit lives and is so far down; (states,) each."""

    below_starting: BoolArray
    at_half: BoolArray
    below_half: BoolArray


def strength(
    space: States, law: FloatArray, edition: Edition, starting: Sequence[int] | None = None
) -> Strength:
    """How likely a unit is below its starting strength, under a law of its states (states,).

    ``starting`` tells how many models of each group there were when the battle started: as many
    as the target has, unless given.

    Raises:
        ValueError: if ``starting`` does not fit the target.

    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.target import ModelGroup
    >>> space = states(Target((ModelGroup(count=4, toughness=4, save=3, wounds=1),)))
    >>> strength(space, np.array([0.25, 0.0, 0.25, 0.25, 0.25]), edition("11e"))
    Strength(below_starting=0.5, at_half=0.25, below_half=0.25)
    """
    found = strength_states(space.target, edition, None if starting is None else tuple(starting))
    return Strength(
        below_starting=float(law[found.below_starting].sum()),
        at_half=float(law[found.at_half].sum()),
        below_half=float(law[found.below_half].sum()),
    )


def strength_states(
    target: Target, edition: Edition, starting: tuple[int, ...] | None = None
) -> StrengthStates:
    """The states in which a unit is so far down; ``starting`` as in :func:`strength`.

    A unit that started with one model compares wounds, any other counts models. Starting
    strength counts all models of an attached unit; where its parts part, those left alone
    compare with what they started with themselves (inferred: several leaders go on together).

    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.target import ModelGroup
    >>> guards = ModelGroup(count=5, toughness=4, save=3, wounds=1)
    >>> leader = ModelGroup(count=1, toughness=4, save=3, wounds=2, character=True)
    >>> unit = Target((guards, leader))  # its third last state: the unhurt leader alone
    >>> [bool(strength_states(unit, edition(e)).below_half[-3]) for e in ("11e", "10e")]
    [True, False]
    """
    if starting is None:
        starting = tuple(group.count for group in target.groups)
    counts = [group.count for group in target.groups]
    if len(starting) != len(counts) or any(
        started < now for started, now in zip(starting, counts, strict=True)
    ):
        raise ValueError(
            f"starting is {starting}; give one number for each group of the target, none below "
            f"the models it has now: {tuple(counts)}"
        )
    return _strength_states(target, edition.attached_units_part, starting)


@lru_cache(maxsize=512)
def _strength_states(target: Target, parts: bool, starting: tuple[int, ...]) -> StrengthStates:
    space = states(target)
    everyone = range(len(target.groups))
    left, full = _compared(space, everyone, starting)
    if parts and target.is_attached:
        for character in (False, True):
            alone = [g for g in everyone if target.groups[g].character is character]
            others = [g for g in everyone if g not in alone]
            gone = np.all([~space.alive(g) for g in others], axis=0)
            own_left, own_full = _compared(space, alone, starting)
            left, full = np.where(gone, own_left, left), np.where(gone, own_full, full)
    lives = np.arange(space.size) != space.destroyed
    return StrengthStates(
        lives & (left < full), lives & (2 * left == full), lives & (2 * left < full)
    )


def _compared(
    space: States, groups: Sequence[int], starting: tuple[int, ...]
) -> tuple[IntArray, IntArray]:
    """What these groups have left, and what they started with: models, or one model's wounds."""
    started = sum(starting[g] for g in groups)
    if started == 1:
        (group,) = groups
        wounds = space.target.groups[group].wounds
        return wounds - space.lost[group], np.full(space.size, wounds)
    left = np.sum([space.target.groups[g].count - space.dead[g] for g in groups], axis=0)
    return np.asarray(left), np.full(space.size, started)
