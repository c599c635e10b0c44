"""Who beats whom, point for point: units against units, both ways, exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, log2
from typing import Any

import numpy as np
import polars as pl

from killcurve.engine.pmf import FloatArray
from killcurve.engine.states import states
from killcurve.rules.spelling import did_you_mean
from killcurve.study.armed import Combatant, combatant, together
from killcurve.study.efficiency import per_100
from killcurve.study.engagements import Engagements
from killcurve.study.lines import Line
from killcurve.study.matchup import Circumstances
from killcurve.study.removed import BY_MODELS, Scoring
from killcurve.study.targets import Defender
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.naming import faction_key

COLUMNS: dict[str, pl.DataType] = {
    "attacker_faction": pl.String(),
    "attacker": pl.String(),
    "attacker_models": pl.Int64(),
    "attacker_points": pl.Int64(),
    "target_faction": pl.String(),
    "target": pl.String(),
    "target_models": pl.Int64(),
    "target_points": pl.Int64(),
    "phase": pl.String(),
    "damage": pl.Float64(),
    "slain": pl.Float64(),
    "destroyed": pl.Float64(),
    "points_removed": pl.Float64(),
    "damage_per_100": pl.Float64(),
    "points_removed_per_100": pl.Float64(),
    "answer_phase": pl.String(),
    "answer_per_100": pl.Float64(),
    "log_ratio": pl.Float64(),
    "unmodelled": pl.List(pl.String()),
    "incomplete": pl.List(pl.String()),
}
"""What :func:`matrix` gives, one row a pair, sorted by faction and name of both.

``damage`` (wounds), ``slain`` (models) and ``points_removed`` are means of what the whole attacker
does to the fresh target in ``phase`` (null: it has no weapons there); ``destroyed`` is P(no model
is left). What ends in ``_per_100`` is for each 100 points of who attacks; ``answer_per_100`` are
the points that the target, fresh as well, removes from the attacker for each 100 of its own.
``log_ratio`` is log2(points_removed_per_100 ÷ answer_per_100): 1 where the attacker's points are
worth twice the target's, infinite where only one side does anything, null where neither does or
a cost is not known. ``unmodelled`` and ``incomplete`` tell what of both units' rules is left out of
the attack.
"""

PHASES = ("shooting", "fight", "best", "both")

Progress = Callable[[int, int], None]
"""Told how many of how many pairs are done. What it raises ends the work."""


def combatants(
    dataset: Dataset, faction: str | None = None, progress: Progress = lambda *_: None
) -> list[Combatant]:
    """Every unit of a faction, or of all, at its smallest size with its default loadout.

    Raises:
        DataError: if there is no such faction, with the closest names.

    >>> import killcurve
    >>> len(combatants(killcurve.load(), "leagues of votann")) > 10
    True
    """
    sheets = dataset.datasheets.select("faction", "datasheet").unique()
    if faction is not None:
        sheets = sheets.filter(pl.col("faction") == _faction(dataset, faction))
    rows = sheets.sort("faction", "datasheet").rows()
    made = []
    for done, (of, name) in enumerate(rows):
        progress(done, len(rows))
        made.append(combatant(dataset, name, of))
    progress(len(rows), len(rows))
    return made


def _faction(dataset: Dataset, name: str) -> str:
    known = dataset.datasheets["faction"].unique().sort().to_list()
    found = [faction for faction in known if faction_key(faction) == faction_key(name)]
    if not found:
        raise DataError(f"there is no faction {name!r}{did_you_mean(name, known)}")
    return str(found[0])


def matrix(
    units: Sequence[Combatant],
    targets: Sequence[Combatant] | None = None,
    how: Circumstances = Circumstances(),
    *,
    phase: str = "best",
    scoring: Scoring = BY_MODELS,
    progress: Progress = lambda *_: None,
) -> pl.DataFrame:
    """Each unit against each target (by default each other unit), and what the target does back.

    ``phase`` is ``shooting``, ``fight``, ``best`` (whichever removes more points; damage where a
    cost is not known) or ``both``: the unit shoots, then all of it fights what is left.
    The circumstances are those of whoever attacks, so both sides are helped alike. Units without
    a stat line are no targets and get no answer. Columns are :data:`COLUMNS`.

    Raises:
        DataError: for another phase.

    >>> import killcurve
    >>> data = killcurve.load()
    >>> pair = [combatant(data, name) for name in ("Boyz", "Intercessor Squad")]
    >>> frame = matrix(pair)
    >>> frame.select("attacker", "target").rows()
    [('Intercessor Squad', 'Boyz'), ('Boyz', 'Intercessor Squad')]
    >>> round(frame["log_ratio"].sum(), 9)
    0.0
    """
    if phase not in PHASES:
        raise DataError(f"there is no phase {phase!r}; there are {', '.join(PHASES)}")
    others = units if targets is None else targets
    asked = _pairs(units, others, is_square=targets is None)
    solved = _Solver(Engagements(how), phase, scoring).all(_both_ways(asked), progress)
    rows = [_row(a, b, solved.get((a, b)), solved.get((b, a))) for a, b in asked]
    return pl.DataFrame(rows, schema=COLUMNS).sort(
        "attacker_faction", "attacker", "attacker_points", "target_faction", "target",
        "target_points", maintain_order=True,
    )  # fmt: skip


Pair = tuple[Combatant, Combatant]


def _pairs(
    units: Sequence[Combatant], others: Sequence[Combatant], *, is_square: bool
) -> list[Pair]:
    return [
        (unit, other)
        for unit in units
        for other in others
        if other.defender is not None and not (is_square and unit is other)
    ]


def _both_ways(asked: Sequence[Pair]) -> list[Pair]:
    """All attacks that are to be solved, those on the same target one after the other."""
    every = dict.fromkeys((*asked, *((b, a) for a, b in asked if a.defender is not None)))
    by_target: dict[Combatant, list[Pair]] = {}
    for pair in every:
        by_target.setdefault(pair[1], []).append(pair)
    return [pair for pairs in by_target.values() for pair in pairs]


@dataclass(frozen=True, slots=True)
class _Solved:
    """What one unit does to another, on average; ``phase`` is ``None`` where it has no weapons."""

    phase: str | None
    damage: float = 0.0
    slain: float = 0.0
    destroyed: float = 0.0
    removed: float | None = None
    unmodelled: tuple[str, ...] = ()
    incomplete: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[float, float]:
        """What the best phase has most of."""
        return (self.removed or 0.0, self.damage)


@dataclass(frozen=True, slots=True, eq=False)
class _Worths:
    """What each state of a target is worth: wounds lost, models dead and points."""

    lost: FloatArray
    dead: FloatArray
    points: FloatArray | None

    @classmethod
    def of(cls, target: Defender, scoring: Scoring) -> _Worths:
        """Those of a target that is fresh at the start."""
        space = states(target.target)
        dead = space.all_dead.total
        points = None
        if target.points is not None:
            points = scoring.of(target.target.models, target.points)[dead.astype(np.int64)]
        return cls(space.all_lost.total, dead, points)


class _Solver:
    """Attacks of whole units under the same circumstances."""

    def __init__(self, engagements: Engagements, phase: str, scoring: Scoring) -> None:
        self._engagements = engagements
        self._phase = phase
        self._scoring = scoring
        self._targets: dict[int, _Worths] = {}
        self._one = ("shooting", "fight") if phase in ("best", "both") else (phase,)

    def all(self, pairs: Sequence[Pair], progress: Progress) -> dict[Pair, _Solved]:
        """Every pair's outcome."""
        found: dict[Pair, _Solved] = {}
        for done, pair in enumerate(pairs):
            progress(done, len(pairs))
            found[pair] = self._pair(*pair)
        progress(len(pairs), len(pairs))
        return found

    def _pair(self, unit: Combatant, other: Combatant) -> _Solved:
        used = {phase: self._lines(unit, phase, other) for phase in self._one}
        used = {phase: lines for phase, lines in used.items() if lines}
        if self._phase == "both":
            lines = tuple(line for phase in used for line in used[phase])
            return self._outcome(unit, other, {"both": lines} if lines else {})
        return self._outcome(unit, other, used)

    def _lines(self, unit: Combatant, phase: str, other: Combatant) -> tuple[Line, ...]:
        target = other.target
        lost = self._worths(target).lost

        def worth(line: Line) -> float:
            return float(self._engagements.attack(unit.attacker, [line], target).law @ lost)

        return together(unit, phase, target, worth)

    def _worths(self, target: Defender) -> _Worths:
        if id(target) not in self._targets:
            self._targets[id(target)] = _Worths.of(target, self._scoring)
        return self._targets[id(target)]

    def _outcome(
        self, unit: Combatant, other: Combatant, used: dict[str, tuple[Line, ...]]
    ) -> _Solved:
        """The best of some ways to attack."""
        found = [self._solved(unit, other, phase, lines) for phase, lines in used.items()]
        cost = other.target.points
        nothing = _Solved(None, removed=None if cost is None else 0.0)
        return max(found, key=lambda solved: solved.order, default=nothing)

    def _solved(
        self, unit: Combatant, other: Combatant, phase: str, lines: tuple[Line, ...]
    ) -> _Solved:
        target = other.target
        struck = self._engagements.attack(unit.attacker, lines, target)
        law, worths = struck.law, self._worths(target)
        phases = self._one if phase == "both" else (phase,)
        left = [
            rule
            for each in phases
            for rule in self._engagements.incomplete(unit.attacker, target, each)
        ]
        return _Solved(
            phase=phase,
            damage=float(law @ worths.lost),
            slain=float(law @ worths.dead),
            destroyed=float(law[-1]),
            removed=None if worths.points is None else float(law @ worths.points),
            unmodelled=(
                *struck.unmodelled,
                *unit.unknown,
            ),
            incomplete=tuple(dict.fromkeys(left)),
        )


def _row(unit: Combatant, other: Combatant, does: _Solved | None, back: _Solved | None) -> Any:  # noqa: ANN401
    own, target = unit.attacker, other.target
    assert does is not None
    removed = per_100(does.removed, own.points)
    answer = None if back is None else per_100(back.removed, other.attacker.points)
    return {
        "attacker_faction": own.faction,
        "attacker": unit.name,
        "attacker_models": own.models,
        "attacker_points": own.points,
        "target_faction": target.faction,
        "target": other.name,
        "target_models": target.target.models,
        "target_points": target.points,
        "phase": does.phase,
        "damage": does.damage,
        "slain": does.slain,
        "destroyed": does.destroyed,
        "points_removed": does.removed,
        "damage_per_100": per_100(does.damage, own.points),
        "points_removed_per_100": removed,
        "answer_phase": None if back is None else back.phase,
        "answer_per_100": answer,
        "log_ratio": log_ratio(removed, answer),
        "unmodelled": list(does.unmodelled),
        "incomplete": list(does.incomplete),
    }


def log_ratio(one: float | None, other: float | None) -> float | None:
    """log2(one ÷ other): infinite where one of them is nought, ``None`` where both are.

    >>> log_ratio(16, 4), log_ratio(0, 5), log_ratio(5, 0), log_ratio(0, 0), log_ratio(None, 5)
    (2.0, -inf, inf, None, None)
    """
    if one is None or other is None or one == other == 0:
        return None
    if one == 0 or other == 0:
        return inf if other == 0 else -inf
    return log2(one) - log2(other)
