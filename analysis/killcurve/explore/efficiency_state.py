"""The efficiency of a faction's units, or those of a list: what is chosen, and what is measured."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace

import polars as pl

from killcurve.explore.background import Progress
from killcurve.explore.choosing import kept
from killcurve.explore.list_text import Lists, ListText
from killcurve.explore.patience import Kept
from killcurve.explore.unit_state import EDITIONS, FLAGS
from killcurve.explore.whole_units import Who, WholeUnits, circumstances
from killcurve.study.armed import Combatant, combatant
from killcurve.study.matrix import matrix
from killcurve.study.panel import strikes
from killcurve.tables.dataset import DataError

OF = {"faction": "a faction", "list": "an army list"}
PHASES = {
    "best": "the better one",
    "shooting": "shooting",
    "fight": "fight",
    "both": "shooting, then fighting",
}
SHORT = {
    "points_removed_per_100": "points removed per 100",
    "damage_per_100": "wounds removed per 100",
    "destroyed": "chance to destroy",
    "points_removed": "points removed",
    "log_ratio": "against what comes back",
}
MEASURES = {
    "points_removed_per_100": "points removed for each 100 points",
    "damage_per_100": "wounds removed for each 100 points",
    "destroyed": "chance to destroy",
    "points_removed": "points removed",
    "log_ratio": "points removed per point, against what comes back",
}
MEAN = "mean of all targets"
NAME = "name"
POINTS = "points"
HEADS = ("models", "points", "mean")
"""What the table tells of a unit before its targets."""


@dataclass(frozen=True, slots=True)
class EfficiencyState:
    """Whose units are measured, how, and the cell that is looked at: ``unit`` against ``target``.

    ``of`` tells whether ``faction`` or ``army`` counts. ``sort`` orders the table: by the mean,
    by name, points, or a target; ``upward`` has the least first.
    """

    of: str = "faction"
    faction: str = "Necrons"
    army: ListText = field(default_factory=ListText)
    phase: str = "best"
    measure: str = "points_removed_per_100"
    sort: str = MEAN
    upward: bool = False
    unit: str = ""
    target: str = ""
    flags: tuple[str, ...] = ()
    edition: str = ""


class Field:
    """Units of factions and lists as combatants; those of a faction are made once."""

    def __init__(self, units: WholeUnits) -> None:
        self.units = units
        self.lists = Lists(units.dataset)
        self.maps = Kept()
        self._made: dict[ListText, dict[str, Combatant]] = {}

    def names(self, state: EfficiencyState) -> list[str]:
        """The names of the units that are measured; none for a list that cannot be read."""
        if state.of == "faction":
            return self.units.units(state.faction)
        try:
            return [unit.name for unit in self.lists.army(state.army).in_play]
        except DataError:
            return []

    def combatants(self, state: EfficiencyState, progress: Progress) -> dict[str, Combatant]:
        """The units that are measured, by name.

        Raises:
            DataError: if the list cannot be read, or no unit of it can be computed.
        """
        names = self.names(state) if state.of == "faction" else []
        found: dict[str, Combatant] = {}
        for done, name in enumerate(names):
            progress.step(done, 2 * len(names))
            found[name] = self.units.combatant(self.units.settled(Who(state.faction, name)))
        return found if state.of == "faction" else self._listed(state.army)

    def _listed(self, army: ListText) -> dict[str, Combatant]:
        if army not in self._made:
            found = {}
            for unit in self.lists.army(army).in_play:
                assert unit.datasheet is not None
                assert unit.attacker is not None
                made = combatant(
                    self.units.dataset,
                    unit.datasheet,
                    unit.faction,
                    models=unit.models,
                    loadout=unit.attacker.loadout,
                    copy=unit.copy,
                )
                attacker = replace(made.attacker, points=unit.points)
                target = made.defender and replace(made.defender, points=unit.points)
                found[unit.name] = replace(
                    made, name=unit.name, attacker=attacker, defender=target, copy=unit.copy
                )
            if not found:
                raise DataError("no unit of the list can be computed: look at its remarks")
            self._made[army] = found
        return self._made[army]


def settled(field: Field, state: EfficiencyState) -> EfficiencyState:
    """The state with every choice that does not exist replaced by one that does."""
    state = replace(
        state,
        of=kept(state.of, list(OF)),
        faction=kept(state.faction, field.units.factions()),
        phase=kept(state.phase, list(PHASES)),
        measure=kept(state.measure, list(MEASURES)),
        flags=tuple(flag for flag in FLAGS if flag in state.flags),
        edition=kept(state.edition, list(EDITIONS)),
    )
    targets = [one.name for one in field.units.standard()]
    return replace(
        state,
        unit=kept(state.unit, field.names(state) or [""]),
        target=kept(state.target, targets),
        sort=kept(state.sort, [MEAN, NAME, POINTS, *targets]),
    )


def clicked(state: EfficiencyState, row: str, column: str) -> EfficiencyState:
    """The state after a click into the table: on a cell or a unit's name (``row``), or a head.

    >>> clicked(EfficiencyState(target="Rhino"), "Raider", "mean").target
    'Rhino'
    >>> clicked(EfficiencyState(sort=NAME), "", "unit").upward
    True
    """
    if row:
        target = column if column not in HEADS and column != "unit" else state.target
        return replace(state, unit=row, target=target)
    if column == "models":
        return state
    by = {"unit": NAME, "mean": MEAN}.get(column, column)
    if by == state.sort:
        return replace(state, upward=not state.upward)
    return replace(state, sort=by, upward=False)


def is_both_ways(state: EfficiencyState) -> bool:
    """Whether it takes a matrix: what comes back counts, or what is left after shooting."""
    return state.measure == "log_ratio" or state.phase == "both"


def of_work(state: EfficiencyState) -> Hashable:
    """What of a state changes :func:`measured`."""
    whose = state.faction if state.of == "faction" else state.army
    return whose, state.flags, state.edition, is_both_ways(state) and state.phase


def measured(field: Field, state: EfficiencyState, progress: Progress) -> pl.DataFrame:
    """All units against the standard targets, in the phases that the state asks for.

    Columns are those of :func:`killcurve.study.matrix.matrix` for both ways, else those of
    :func:`killcurve.study.panel.strikes`, with a row for each phase.

    Raises:
        DataError: if the list cannot be read, or no unit of it can be computed.
    """
    found = field.combatants(state, progress)
    units = [replace(one, name=name) for name, one in found.items()]
    targets, how = field.units.standard(), circumstances(state.flags, state.edition)

    def tell(done: int, total: int) -> None:
        progress.step(total + done, 2 * total)

    if is_both_ways(state):
        frame = matrix(units, targets, how, phase=state.phase, progress=tell)
    else:
        frame = strikes(units, targets, how, progress=tell).with_columns(
            damage_per_100=100 * pl.col("damage") / pl.col("attacker_points")
        )
    order = pl.DataFrame({"target": [one.name for one in targets], "_order": range(len(targets))})
    in_order = frame.join(order, on="target").sort("attacker", "_order", maintain_order=True)
    return in_order.drop("_order")


def in_phase(state: EfficiencyState, frame: pl.DataFrame) -> pl.DataFrame:
    """One row a unit and target: of the phase that is asked for, or the better one.

    The better phase is the one that removes more points; more wounds, where a cost is not known.
    """
    if is_both_ways(state):
        return frame
    if state.phase != "best":
        return frame.filter(pl.col("phase") == state.phase)
    ranked = frame.with_row_index("_row").sort(
        ["points_removed", "damage", "phase"], descending=[True, True, True], nulls_last=True
    )
    best = ranked.unique(["attacker", "target"], keep="first", maintain_order=True)
    return best.sort("_row").drop("_row")
