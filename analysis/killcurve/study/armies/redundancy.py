"""How often a list can destroy a target in one turn: P(at least k copies of it).

Every unit attacks one copy with all that it has. In sequence a unit sees what those before it
have left: it attacks the copy that is being attacked until that is destroyed, then a fresh one.
``best`` chooses which unit is next, with that in sight; ``in_order`` has them attack in the list's
order; ``declared`` shares them out over copies before any die is rolled, and what is more than
needed at a copy is lost. In a turn of both phases all units shoot, then all fight.

The best sequence is the best of those that finish a copy before the next; ways that leave a
wounded copy and come back to it are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from killcurve.engine.pmf import FloatArray
from killcurve.engine.states import states
from killcurve.study.armies.attacking import Band, at_distance, left_out, striker
from killcurve.study.armies.sequences import best, in_order
from killcurve.study.armies.splits import best_split
from killcurve.study.armies.units import Army, ArmyUnit
from killcurve.study.matchup import Circumstances
from killcurve.study.targets import Defender
from killcurve.tables.dataset import DataError

COLUMNS: dict[str, pl.DataType] = {
    "roster": pl.String(),
    "target": pl.String(),
    "target_models": pl.Int64(),
    "target_points": pl.Int64(),
    "attack": pl.String(),
    "copies": pl.Int64(),
    "best": pl.Float64(),
    "best_is_optimal": pl.Boolean(),
    "declared": pl.Float64(),
    "declared_is_optimal": pl.Boolean(),
    "in_order": pl.Float64(),
    "exactly_in_order": pl.Float64(),
    "units": pl.Int64(),
    "left_out": pl.List(pl.String()),
}
"""What :func:`redundancy` gives: a row a target and number of copies, from 0.

``best``, ``declared`` and ``in_order`` are P(at least so many copies are destroyed in one turn),
each ``best`` and ``declared`` under the sequence or split that is best for that number;
``…_is_optimal`` is false where not all of them could be gone through, and the chance is one that
can be had. ``exactly_in_order`` is the law in the list's order; its last row is that number or
more. ``attack`` tells the phases and the distance, ``units`` how many units attack.
"""

MOST_COPIES = 10


def redundancy(
    found: Army,
    targets: Sequence[Defender],
    how: Circumstances = Circumstances(),
    *,
    copies: int = 3,
    distance: float | None = None,
    shooting: bool = True,
    fighting: bool = False,
) -> pl.DataFrame:
    """P(a list destroys at least k copies of a target in one turn), k from 0 to ``copies``.

    ``distance`` in inches says which weapons reach; ``None`` has all of them reach. Columns are
    :data:`COLUMNS`.

    Raises:
        DataError: for fewer than 1 or too many copies, or without a phase.
    """
    if not 1 <= copies <= MOST_COPIES:
        raise DataError(f"{copies} copies are asked for: ask for 1 to {MOST_COPIES}")
    if not (shooting or fighting):
        raise DataError("neither shooting nor fighting is asked for: take one of them, or both")
    phases = [at_distance(distance)] if shooting else []
    phases += [at_distance(None, ranged=False)] if fighting else []
    rows = [row for t in targets for row in _of_target(found, t, how, phases, copies)]
    return pl.DataFrame(rows, schema=COLUMNS)


def _of_target(
    found: Army,
    target: Defender,
    how: Circumstances,
    phases: Sequence[Band],
    copies: int,
) -> Iterator[dict[str, Any]]:
    stages: list[list[FloatArray]] = []
    by_unit: dict[int, list[FloatArray]] = {}
    told: dict[str, None] = {}
    for band in phases:
        stage = []
        for unit in found.in_play:
            attack, missing = attack_map(unit, target, band, how)
            told.update(dict.fromkeys(missing))
            if attack is not None:
                stage.append(attack)
                by_unit.setdefault(unit.number, []).append(attack)
        stages.append(stage)
    start = states(target.target).start
    law = in_order([attack for stage in stages for attack in stage], start, copies)
    sequence = best(stages, start, copies)
    # A unit that shoots and fights at its own copy does both there: no other's fight is between.
    whole = [_one_after_the_other(maps) for maps in by_unit.values()]
    split = best_split(whole, start, copies)
    tail = np.cumsum(law[::-1])[::-1]
    for number in range(copies + 1):
        yield {
            "roster": found.name,
            "target": target.name,
            "target_models": target.target.models,
            "target_points": target.points,
            "attack": " + ".join(band.name for band in phases),
            "copies": number,
            "best": min(1.0, float(sequence.at_least[number])),
            "best_is_optimal": sequence.optimal,
            "declared": min(1.0, float(split.at_least[number])),
            "declared_is_optimal": split.optimal,
            "in_order": min(1.0, float(tail[number])),
            "exactly_in_order": float(law[number]),
            "units": len(by_unit),
            "left_out": list(told),
        }


def attack_map(
    unit: ArmyUnit, target: Defender, band: Band, how: Circumstances = Circumstances()
) -> tuple[FloatArray | None, list[str]]:
    """What a unit's attack makes of a target in each of its states; (states, states).

    ``None`` where it has nothing to attack with; with it comes what is left out.
    """
    made = striker(unit, target, band, how)
    kind = made.kind([rank.count for rank in made.unit.ranks])
    missing = left_out(made, unit, target)
    if kind is None:
        return None, missing
    return np.array([made.after(kind, s) for s in range(made.enemy.space.size)]), missing


def _one_after_the_other(maps: Sequence[FloatArray]) -> FloatArray:
    whole = maps[0]
    for attack in maps[1:]:
        whole = whole @ attack
    return whole
