"""The funnel of one weapon line: how many attacks hit, wound and get through, on average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from killcurve.engine.shot import Shot


@dataclass(frozen=True, slots=True)
class Stage:
    """Expected numbers of one weapon line.

    ``hits`` include the extra hits of sustained hits, ``critical_hits`` count dice;
    ``wounds`` include automatic and critical ones. ``unsaved`` are the wounds that no save
    stops, devastating ones among them. Attacks that come when no model is left are counted
    as if there were one.
    """

    attacks: float
    hits: float
    critical_hits: float
    wounds: float
    critical_wounds: float
    unsaved: float


def mean_stage(shots: Sequence[tuple[float, Shot, float]]) -> Stage:
    """The means over (weight, shot, chance that an ordinary wound is not saved)."""
    rows = np.array([_row(shot, failure) for _, shot, failure in shots])
    weights = np.array([weight for weight, _, _ in shots])
    means = weights @ rows / weights.sum()
    return Stage(**dict(zip((f.name for f in fields(Stage)), means.tolist(), strict=True)))


def _row(shot: Shot, failure: float) -> list[float]:
    attacks = shot.batch.weapons * shot.batch.attacks.mean
    row = np.zeros(5)
    for probability, die in shot.batch.dice:
        hit, wound = die.hit, die.wound
        rolled = hit.success + hit.critical * die.sustained.mean
        automatic = hit.critical if die.lethal else 0.0
        rolled += hit.critical - automatic
        ordinary = automatic + rolled * (
            wound.success + (0.0 if die.special_criticals else wound.critical)
        )
        special = rolled * wound.critical if die.special_criticals else 0.0
        special_failure = 1.0
        if shot.special_saves is not None:
            special_failure = shot.special_saves[0].failure
        row += probability * np.array(
            [
                hit.success + hit.critical * (1 + die.sustained.mean),
                hit.critical,
                automatic + rolled * (wound.success + wound.critical),
                rolled * wound.critical,
                ordinary * failure + special * special_failure,
            ]
        )
    return [attacks, *(attacks * row).tolist()]
