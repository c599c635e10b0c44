"""How a unit of a list attacks a target: at which distance, with what, under whose rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from killcurve.study.armies.units import ArmyUnit
from killcurve.study.arming import Use
from killcurve.study.fielding import Fielded, Rank
from killcurve.study.matchup import Circumstances
from killcurve.study.own_rules import holding, incomplete
from killcurve.study.striking import Striker
from killcurve.study.targets import Defender
from killcurve.tables.dataset import DataError

EDGES = (6, 12, 18, 24, 36, 48)
"""Where bands of range end, in inches: the ranges that most weapons have."""

FIGHT = "fight"

LEFT_OUT = (
    "what leaders, auras, detachments, enhancements and stratagems give to others, unless given "
    "as effects",
    "moving, cover, lines of sight and hazard rolls",
)
"""What studies of army lists do not look at."""


@dataclass(frozen=True, slots=True)
class Band:
    """A band of range, or fighting: ``far`` is its far end in inches (``None`` in a fight).

    Units are taken to stand at its far end: whatever reaches, or has half of its range, there
    does so in the whole band.
    """

    name: str
    far: float | None
    use: Use


def bands(
    edges: Sequence[float] = EDGES, *, shooting: bool = True, fighting: bool = True
) -> tuple[Band, ...]:
    """The bands up to each edge in turn, nearest first; fighting comes before them.

    Raises:
        DataError: if the edges do not rise from above 0, or nothing is asked for.

    >>> [band.name for band in bands((6, 12, 24))]
    ['fight', '0–6', '6–12', '12–24']
    """
    if not (shooting or fighting):
        raise DataError("neither shooting nor fighting is asked for: take one of them, or both")
    ends = (0, *edges)
    if not edges or any(b <= a for a, b in pairwise(ends)):
        told = ", ".join(f"{edge:g}" for edge in edges) or "none"
        raise DataError(f"the bands of range end at {told}: give rising numbers of inches above 0")
    near = [Band(FIGHT, None, Use(ranged=False))] if fighting else []
    shot = [Band(f"{a:g}–{b:g}", b, Use(ranged=True, distance=b)) for a, b in pairwise(ends)]
    return (*near, *(shot if shooting else ()))


def at_distance(distance: float | None, *, ranged: bool = True) -> Band:
    """One distance instead of a band; ``None`` is everything in range."""
    if not ranged:
        return Band(FIGHT, None, Use(ranged=False))
    name = "any range" if distance is None else f"at {distance:g}"
    return Band(name, distance, Use(ranged=True, distance=distance))


def as_enemy(target: Defender) -> Fielded:
    """A target in play, as it is: one rank for each of its groups of models, which do nothing."""
    ranks = tuple(
        Rank(f"{target.name} {number}", group.count, replace(group, count=1))
        for number, group in enumerate(target.target.groups, start=1)
    )
    return Fielded(
        target.name, "", target.faction, target.datasheet, target.keywords, target.points, ranks
    )


def striker(
    unit: ArmyUnit, target: Defender, band: Band, how: Circumstances = Circumstances()
) -> Striker:
    """The unit's attacks on a target, with both units' own rules that are on.

    Raises:
        DataError: if the unit is not in play.
    """
    if unit.fielded is None or unit.attacker is None:
        raise DataError(f"{unit.name} is not in play: {'; '.join(unit.notes)}")
    phase = _phase(band)
    how = how.helped(holding(unit.attacker.rules, "attacker", phase), "attacker")
    how = how.helped(holding(target.rules, "defender", phase), "defender")
    return Striker(unit.fielded, as_enemy(target), band.use, how)


def left_out(made: Striker, unit: ArmyUnit, target: Defender) -> list[str]:
    """What of both units' rules and of the effects could not be computed."""
    phase = _phase(made.use)
    own = unit.attacker.rules if unit.attacker else ()
    found = [f"{rule} ({unit.datasheet})" for rule in incomplete(own, "attacker", phase)]
    found += [f"{r} ({target.datasheet})" for r in incomplete(target.rules, "defender", phase)]
    return list(dict.fromkeys((*made.unmodelled, *found)))


def _phase(where: Band | Use) -> str:
    use = where.use if isinstance(where, Band) else where
    return "shooting" if use.ranged else "fight"


def signature(unit: ArmyUnit, band: Band) -> tuple[bool | tuple[bool, bool], ...]:
    """What of the unit's weapons depends on the distance: bands that agree in it are alike."""
    return tuple(_reaching(unit, band))


def _reaching(unit: ArmyUnit, band: Band) -> Iterator[bool | tuple[bool, bool]]:
    yield band.use.ranged
    if band.far is None or unit.fielded is None:
        return
    for rank in unit.fielded.ranks:
        for carried in rank.weapons:
            yield carried.range >= band.far, carried.range >= 2 * band.far
