"""A faction's units, or those of a list, against the standard targets: state, charts, numbers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from killcurve.charts.distribution import distribution_bars
from killcurve.charts.export import Chart
from killcurve.charts.heatmap import heat_map, log_ratio_map
from killcurve.charts.words import percent
from killcurve.explore.answers import View
from killcurve.explore.background import Progress
from killcurve.explore.choosing import kept
from killcurve.explore.heat_table import HeatTable
from killcurve.explore.list_text import Lists, ListText
from killcurve.explore.patience import Kept
from killcurve.explore.unit_state import EDITIONS, FLAGS
from killcurve.explore.whole_units import Who, WholeUnits, circumstances
from killcurve.study.armed import Combatant, combatant, in_words, used_against
from killcurve.study.matchup import engage
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
FREE, ROW, MOST_ROWS = 270, 21, 60
"""Pixels of a heat map without rows, and of a row; rows that one picture has at most."""

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


def efficiency_view(field: Field, state: EfficiencyState, frame: pl.DataFrame) -> View:
    """What the frame of a settled state shows, and the cell that is looked at.

    Raises:
        DataError: if nothing has a value of the measure.
    """
    frame = in_phase(state, frame)
    conditions = ", ".join(
        [PHASES[state.phase] if state.phase != "best" else "the better phase of each"]
        + [FLAGS[flag] for flag in state.flags]
    )
    cell, law, told = _cell(field, state)
    here = frame.filter((pl.col("attacker") == state.unit) & (pl.col("target") == state.target))
    value = here[state.measure][0] if here.height else None
    return View(
        charts={"heat-map": _map_once(field, state, frame, conditions), **cell},
        numbers={**_numbers(state, frame), **law},
        remarks=tuple(_remarks(frame, state, field.names(state))),
        funnel=pl.DataFrame(),
        summary=f"{state.unit} against {state.target}: {_told(value, state.measure)} "
        f"{MEASURES[state.measure]}. {told}",
        law=_flat(frame),
        heat=_heat(state, frame, conditions),
    )


def _heat(state: EfficiencyState, frame: pl.DataFrame, conditions: str) -> HeatTable:
    wide = table(state, frame)
    measure = MEASURES[state.measure][:1].upper() + MEASURES[state.measure][1:]
    share = " in %" if state.measure == "destroyed" else ""
    order = f"by {state.sort}{', the least first' if state.upward else ''}"
    return HeatTable(
        frame=wide,
        heads=HEADS,
        targets=tuple(name for name in wide.columns if name not in ("unit", *HEADS)),
        caption=f"{measure}{share} ({conditions}), {wide.height} units {order}. "
        "A click on a cell shows its distribution, one on a head sorts.",
        chosen=(state.unit, state.target),
        by={NAME: "unit", MEAN: "mean"}.get(state.sort, state.sort),
        upward=state.upward,
        share=state.measure == "destroyed",
        ratios=state.measure == "log_ratio",
    )


def _map_once(field: Field, state: EfficiencyState, frame: pl.DataFrame, conditions: str) -> Chart:
    """The heat map, the same object for the same map: another cell asks for no new picture."""
    key = of_work(state), state.measure, state.phase
    if key not in field.maps:
        field.maps.put(key, _map(state, frame, conditions))
    found = field.maps.get(key)
    assert isinstance(found, Chart)
    return found


def _map(state: EfficiencyState, frame: pl.DataFrame, conditions: str) -> Chart:
    measure = MEASURES[state.measure]
    if state.measure != "log_ratio":
        chart = heat_map(
            frame,
            value=state.measure,
            measure=measure,
            conditions=conditions,
            share=state.measure == "destroyed",
        )
        rows = chart.data["attacker"].n_unique()
        return replace(chart, height=FREE + ROW * min(MOST_ROWS, rows), alt=_alt(chart.alt))
    known = frame.filter(pl.col("log_ratio").is_finite())
    if known.is_empty():
        raise DataError("no pair has points on both sides: choose another measure")
    chart = log_ratio_map(
        known, "the unit", "its target", measure="points removed for each 100 points",
        conditions=conditions,
    )  # fmt: skip
    rows = known["attacker"].n_unique()
    return replace(chart, height=FREE + ROW * min(MOST_ROWS, rows), alt=_alt(chart.alt))


def _alt(words: str) -> str:
    return words.replace("attackers", "units")


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    lists = [name for name, dtype in frame.schema.items() if dtype == pl.List(pl.String)]
    return frame.with_columns(pl.col(name).list.join("; ") for name in lists)


def table(state: EfficiencyState, frame: pl.DataFrame) -> pl.DataFrame:
    """One row a unit: its points, the mean, and each target; sorted as the state tells."""
    targets = frame["target"].unique(maintain_order=True).to_list()
    wide = frame.pivot(
        on="target",
        index=["attacker", "attacker_models", "attacker_points"],
        values=state.measure,
        aggregate_function="first",
    )
    finite = [pl.when(pl.col(name).is_finite()).then(pl.col(name)) for name in targets]
    wide = wide.with_columns(pl.mean_horizontal(finite).alias(MEAN))
    by = {NAME: "attacker", POINTS: "attacker_points"}.get(state.sort, state.sort)
    descending = (by != "attacker") is not state.upward
    wide = wide.sort([by, "attacker"], descending=[descending, False], nulls_last=True)
    return wide.select(
        pl.col("attacker").alias("unit"),
        pl.col("attacker_models").alias("models"),
        pl.col("attacker_points").alias("points"),
        pl.col(MEAN).alias("mean"),
        *targets,
    )


def _cell(field: Field, state: EfficiencyState) -> tuple[dict[str, Chart], dict[str, str], str]:
    """The distribution behind a cell, its numbers, and the weapons in words."""
    found = field.combatants(state, Progress(lambda *_: None))
    target = next(one.target for one in field.units.standard() if one.name == state.target)
    if state.unit not in found:
        return {}, {}, ""
    unit, how = found[state.unit], circumstances(state.flags, state.edition)
    phases = [state.phase] if state.phase in ("shooting", "fight") else ["shooting", "fight"]
    rows: list[dict[str, object]] = []
    numbers: dict[str, str] = {}
    words = []
    models = target.target.models
    for phase in phases:
        lines = used_against(unit, phase, target, how)
        if not lines:
            continue
        outcome = engage(unit.attacker, lines, target, how).outcome
        law = outcome.slain if models > 1 else outcome.damage
        rows += [
            {"series": f"{state.unit}, {phase}", "k": k, "probability": float(chance)}
            for k, chance in enumerate(law.from_zero())
        ]
        numbers[f"{state.unit}, {phase}: destroyed"] = percent(outcome.destroyed, 1)
        words.append(f"{phase}: {', '.join(in_words(lines))}")
    if not rows:
        return {}, {}, f"{state.unit} has no weapon in this phase."
    chart = distribution_bars(
        pl.DataFrame(rows),
        what="models slain" if models > 1 else "wounds lost",
        conditions=f"{state.unit} against {state.target}",
    )
    return {"cell": chart}, numbers, f"It uses, {'; '.join(words)}."


def _numbers(state: EfficiencyState, frame: pl.DataFrame) -> dict[str, str]:
    ranked = table(replace(state, sort=MEAN, upward=False), frame).filter(
        pl.col("mean").is_not_null()
    )
    return {
        f"{row['unit']}, mean": _told(row["mean"], state.measure)
        for row in ranked.head(3).rows(named=True)
    }


def _told(value: float | None, measure: str) -> str:
    if value is None:
        return "no known"
    if measure == "destroyed":
        return percent(value, 1)
    if measure == "log_ratio":
        return f"{'×' if value >= 0 else '÷'}{2 ** min(abs(value), 20.0):.1f}"
    return f"{value:.1f}"


def _remarks(frame: pl.DataFrame, state: EfficiencyState, names: Sequence[str]) -> list[str]:
    told = []
    armed = set(frame["attacker"])
    unarmed = [name for name in names if name not in armed]
    if unarmed:
        told.append(f"Without a weapon in this phase: {', '.join(unarmed)}")
    unknown = frame.filter(pl.col(state.measure).is_null())["attacker"].unique().sort().to_list()
    if unknown:
        told.append(f"Without a known cost: {', '.join(unknown)}")
    named = "left_out" if "left_out" in frame.columns else "unmodelled"
    left = frame[named].explode().drop_nulls().unique().sort().to_list()
    if left:
        told.append(f"Left out: {'; '.join(map(str, left))}")
    return told
