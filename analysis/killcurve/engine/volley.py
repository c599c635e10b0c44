"""A volley: weapons in order against one target; and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from killcurve.engine.allocation import one_by_one
from killcurve.engine.edition import Edition
from killcurve.engine.hashing import Remembers, hashed_once
from killcurve.engine.losses import joined, settle
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.shot import Packet, packet_map
from killcurve.engine.stages import Stage
from killcurve.engine.states import States
from killcurve.engine.target import Harm, Protection, Target, best
from killcurve.engine.weapon import Right, WeaponLine


@hashed_once
@dataclass(frozen=True, slots=True)
class Volley(Remembers):
    """One unit's attacks on one target under one rule state.

    ``lines`` are resolved in order, each as one batch. ``mortal_wounds`` are laws of numbers
    of mortal wounds that follow (pools of dice), ``feel_no_pain`` what rules give the target
    against those, beside its own.
    """

    edition: Edition
    target: Target
    lines: tuple[WeaponLine, ...] = ()
    mortal_wounds: tuple[Pmf, ...] = ()
    feel_no_pain: tuple[Protection, ...] = ()

    @property
    def precise(self) -> frozenset[int]:
        """The groups that precise attacks go to first."""
        return _precise(self)

    @property
    def rights(self) -> tuple[Right, ...]:
        """The single changes of rolls that its lines may use, each once."""
        return tuple(dict.fromkeys(right for line in self.lines for right in line.rights))


@lru_cache(maxsize=1024)
def _precise(volley: Volley) -> frozenset[int]:
    return frozenset(line.precision for line in volley.lines if line.precision is not None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a volley does, exactly.

    ``damage`` counts wounds really removed, overkill not included; ``slain`` counts models;
    ``destroyed`` is P(no model is left); ``stages`` has the means of one line each; ``law`` is
    the law of the target's state afterwards (:mod:`killcurve.engine.states`).
    """

    damage: Pmf
    slain: Pmf
    destroyed: float
    stages: tuple[Stage, ...]
    law: FloatArray


def outcome(space: States, law: FloatArray, stages: tuple[Stage, ...]) -> Outcome:
    """The outcome that a law of the target's state is."""
    return Outcome(
        damage=space.damage(law),
        slain=space.slain(law),
        destroyed=float(law[space.destroyed]),
        stages=stages,
        law=law,
    )


def suffer_mortal_wounds(law: FloatArray, volley: Volley) -> FloatArray:
    """Pools of mortal wounds, each point on whoever is next (RULES.md §6.3)."""
    if not volley.mortal_wounds:
        return law
    point = mortal_wound(volley)
    order = one_by_one(volley.target)
    for number in volley.mortal_wounds:
        law = settle(joined(number.from_zero(), law), packet_map(point, volley.target, order))
    return law


def mortal_wound(volley: Volley) -> Packet:
    """One mortal wound that no weapon makes."""
    harm = Harm(ranged=None, mortal=True)
    return Packet(
        damage=Pmf.point(1),
        feel_no_pain=tuple(
            best(g.feel_no_pain + volley.feel_no_pain, harm) for g in volley.target.groups
        ),
    )
