"""The funnel of one weapon line: how many attacks hit, wound, get through and hurt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache

import numpy as np

from killcurve.engine import law as laws
from killcurve.engine.attack import AttackDie
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.shot import Shot


@dataclass(frozen=True, slots=True)
class Stage:
    """Expected numbers of one weapon line.

    ``hits`` include the extra hits of sustained hits, ``critical_hits`` count dice;
    ``wounds`` include automatic and critical ones. ``unsaved`` are the wounds that no save
    stops, devastating ones among them; ``damage`` are the wounds that the target loses by
    this line, ``None`` where equal wounds of several lines wait together and cannot be told
    apart. Attacks that come when no model is left are counted as if there were one, up to
    ``unsaved``.
    """

    attacks: float
    hits: float
    critical_hits: float
    wounds: float
    critical_wounds: float
    unsaved: float
    damage: float | None = None


@dataclass(frozen=True, slots=True)
class StageLaws:
    """The distributions of the numbers of a :class:`Stage`."""

    attacks: Pmf
    hits: Pmf
    critical_hits: Pmf
    wounds: Pmf
    critical_wounds: Pmf
    unsaved: Pmf
    damage: Pmf

    def means(self) -> Stage:
        """The expected numbers."""
        return Stage(*(getattr(self, field.name).mean for field in fields(self)))


@dataclass(frozen=True, slots=True)
class Met:
    """A shot, how likely it is, and the chance that an ordinary wound is not saved.

    Where ``saves_differ`` between groups of the target, that chance is of the first group.
    """

    weight: float
    shot: Shot
    failure: float
    saves_differ: bool = False

    @property
    def special_failure(self) -> float:
        """The chance that a critical wound is not saved, where those are apart."""
        special = self.shot.special_saves
        return 1.0 if special is None else special[0].failure


def mean_stage(met: Sequence[Met], damage: float | None) -> Stage:
    """The means over what a line may meet; that of the damage is given."""
    if len(met) == 1:
        return _stage(_row(met[0].shot, met[0].failure, met[0].special_failure), damage)
    rows = np.array([_row(each.shot, each.failure, each.special_failure) for each in met])
    weights = np.array([each.weight for each in met])
    return _stage((weights @ rows / weights.sum()).tolist(), damage)


def _stage(row: list[float], damage: float | None) -> Stage:
    attacks, hits, critical_hits, wounds, critical_wounds, unsaved = row
    return Stage(attacks, hits, critical_hits, wounds, critical_wounds, unsaved, damage)


@lru_cache(maxsize=1024)
def _row(shot: Shot, failure: float, special_failure: float) -> list[float]:
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


def mixed_laws(met: Sequence[Met]) -> dict[str, Pmf]:
    """The laws over what a line may meet: all of a stage's but the damage.

    ``unsaved`` is that of targets whose models save alike.
    """
    total = sum(each.weight for each in met)
    found = [(each.weight / total, _laws(each.shot, *_failures(each))) for each in met]
    return {
        name: Pmf(laws.weighted(*((w, by_name[name]) for w, by_name in found))[:, 0])
        for name in found[0][1]
    }


def _failures(met: Met) -> tuple[float, float]:
    return met.failure, met.special_failure


@lru_cache(maxsize=512)
def _laws(shot: Shot, failure: float, special: float) -> dict[str, FloatArray]:
    batch = shot.batch
    number = batch.number()

    def of_dice(each: Sequence[tuple[float, FloatArray]]) -> FloatArray:
        return laws.mixture(number, laws.weighted(*each))

    return {
        "attacks": number.from_zero()[:, None],
        "hits": of_dice([(p, _hits(die)) for p, die in batch.dice]),
        "critical_hits": of_dice([(p, _critical_hits(die)) for p, die in batch.dice]),
        "wounds": batch.law(1.0, 1.0),
        "critical_wounds": of_dice([(p, _critical_wounds(die)) for p, die in batch.dice]),
        "unsaved": batch.law(failure, special),
    }


def _hits(die: AttackDie) -> FloatArray:
    law = np.zeros((1 + die.sustained.stop, 1))
    law[0] = die.hit.failure
    law[1] = die.hit.success
    law[1:, 0] += die.hit.critical * die.sustained.from_zero()
    return law


def _critical_hits(die: AttackDie) -> FloatArray:
    return np.array([[1 - die.hit.critical], [die.hit.critical]])


def _critical_wounds(die: AttackDie) -> FloatArray:
    apart = replace(die, special_criticals=True).law()
    return np.asarray(apart.sum(axis=0)[:, None])
