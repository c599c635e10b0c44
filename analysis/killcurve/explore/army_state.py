"""An army list in play: what it does, where it is weak, how often it can, and one exchange."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace

import polars as pl

from killcurve.charts.bars import ranked_bars
from killcurve.charts.exchanges import exchange_turns
from killcurve.charts.heatmap import heat_map
from killcurve.charts.lines import lines_over
from killcurve.charts.words import percent
from killcurve.engine.edition import edition as rules
from killcurve.explore.answers import View
from killcurve.explore.background import Progress
from killcurve.explore.choosing import kept
from killcurve.explore.list_text import Lists, ListText, unplaced
from killcurve.explore.unit_state import EDITIONS, FLAGS
from killcurve.explore.whole_units import Who, WholeUnits, circumstances, title
from killcurve.study.armies import LEFT_OUT, Army, output, panel, redundancy, weakest
from killcurve.study.armies.attacking import Band, at_distance
from killcurve.study.exchange import Exchange, Side, Strike, exchange, schedule, summary
from killcurve.study.mustering import fielded
from killcurve.study.targets import Defender, standard_targets
from killcurve.tables.dataset import DataError

SHOWS = {
    "output": "output by target",
    "weak": "weak spots",
    "redundancy": "copies destroyed",
    "exchange": "exchange of two units",
}
PHASES = {"shooting": "shooting", "fight": "fight"}
MEASURES = {
    "points_removed_per_100": "points removed for each 100 points",
    "points_removed": "points removed",
    "damage": "wounds removed",
    "destroyed": "chance to destroy",
}
SHORT = {**MEASURES, "points_removed_per_100": "points removed per 100"}
EXCHANGES = {"shooting": "shooting", "fight": "fighting", "both": "shooting and fighting"}
MOST_COPIES, MOST_TURNS, FARTHEST = 5, 6, 72
SERIES = {
    "best": "in the best order",
    "declared": "all declared before",
    "in_order": "in the list's order",
}


@dataclass(frozen=True, slots=True)
class ArmyState:
    """A list and what is shown of it.

    ``distance`` in inches tells which weapons reach (0: all). ``target`` and ``copies`` count
    for redundancy; ``unit`` (of the list), ``enemy``, ``strikes``, ``turns`` and ``enemy_first``
    for the exchange.
    """

    army: ListText = field(default_factory=ListText)
    shows: str = "output"
    phase: str = "shooting"
    distance: int = 0
    measure: str = "points_removed_per_100"
    target: str = ""
    copies: int = 3
    unit: str = ""
    enemy: Who = field(default_factory=lambda: Who("Adeptus Astartes", "Intercessor Squad"))
    strikes: str = "both"
    turns: int = 2
    enemy_first: bool = False
    flags: tuple[str, ...] = ()
    edition: str = ""


class Muster:
    """What this explorer chooses from: lists, targets, enemies."""

    def __init__(self, units: WholeUnits) -> None:
        self.units = units
        self.lists = Lists(units.dataset)
        self.targets: dict[str, Defender] = {t.name: t for t in standard_targets(units.dataset)}

    def names(self, state: ArmyState) -> list[str]:
        """The units of the list that can be computed; none where it cannot be read."""
        try:
            return [unit.name for unit in self.lists.army(state.army).in_play]
        except DataError:
            return []

    def settled(self, state: ArmyState) -> ArmyState:
        """The state with every choice that does not exist replaced by one that does."""
        return replace(
            state,
            shows=kept(state.shows, list(SHOWS)),
            phase=kept(state.phase, list(PHASES)),
            distance=min(FARTHEST, max(0, state.distance)),
            measure=kept(state.measure, list(MEASURES)),
            target=kept(state.target, list(self.targets)),
            copies=min(MOST_COPIES, max(1, state.copies)),
            unit=kept(state.unit, self.names(state) or [""]),
            enemy=self.units.settled(state.enemy),
            strikes=kept(state.strikes, list(EXCHANGES)),
            turns=min(MOST_TURNS, max(1, state.turns)),
            flags=tuple(flag for flag in FLAGS if flag in state.flags),
            edition=kept(state.edition, list(EDITIONS)),
        )


def band(state: ArmyState) -> Band:
    """Where the list attacks from."""
    if state.phase == "fight":
        return at_distance(None, ranged=False)
    return at_distance(float(state.distance) if state.distance else None)


Found = pl.DataFrame | Exchange


def of_work(state: ArmyState) -> Hashable:
    """What of a state changes :func:`worked`."""
    where = (state.army, state.shows, state.flags, state.edition, state.distance)
    if state.shows == "exchange":
        return (*where, state.unit, state.enemy, state.strikes, state.turns, state.enemy_first)
    if state.shows == "redundancy":
        return (*where, state.phase, state.target, state.copies)
    return (*where, state.phase)


def worked(muster: Muster, state: ArmyState, progress: Progress) -> Found:
    """The study of a settled state: a frame, or an exchange.

    Raises:
        DataError: if the list cannot be read, or what is asked cannot be computed.
    """
    found = muster.lists.army(state.army)
    if not found.in_play:
        raise DataError("no unit of the list can be computed; the remarks of its units tell why")
    how = circumstances(state.flags, state.edition)
    if state.shows == "exchange":
        return _exchange(muster, state, found)
    if state.shows == "redundancy":
        return redundancy(
            found, [muster.targets[state.target]], how, copies=state.copies,
            distance=float(state.distance) if state.distance else None,
            shooting=state.phase == "shooting", fighting=state.phase == "fight",
        )  # fmt: skip
    others = panel(muster.units.dataset) if state.shows == "weak" else None
    frames = []
    for done, target in enumerate(muster.targets.values()):
        progress.step(done, len(muster.targets))
        if others is None:
            frames.append(output(found, [target], how, [band(state)]))
        else:
            frames.append(weakest(found, others, [target], how, [band(state)]))
    made = pl.concat(frames)
    if others is None:
        return made
    ranked = made.sort(["ratio", "target"], nulls_last=True)
    return ranked.with_columns(weakness=pl.int_range(1, pl.len() + 1))


def _exchange(muster: Muster, state: ArmyState, found: Army) -> Exchange:
    unit = next(unit for unit in found.in_play if unit.name == state.unit)
    assert unit.fielded is not None
    enemy = state.enemy
    other = fielded(muster.units.dataset, enemy.datasheet, enemy.faction, models=enemy.models)
    strikes = schedule(
        state.turns,
        rules(state.edition or unit.fielded.edition),
        first=Side.B if state.enemy_first else Side.A,
        shooting=state.strikes != "fight",
        fighting=state.strikes != "shooting",
    )
    how = circumstances(state.flags, state.edition)
    distance = float(state.distance) if state.distance else None
    return exchange(unit.fielded, other, strikes, (how, how), distance=distance)


def army_view(muster: Muster, state: ArmyState, found: Found) -> View:
    """What the study of a settled state shows."""
    army = muster.lists.army(state.army)
    remarks = [f"Not placed, or assumed: {line}" for line in unplaced(army)]
    if isinstance(found, Exchange):
        return _exchanged(state, found, remarks)
    made = {"output": _output, "weak": _weakest, "redundancy": _redundancy}[state.shows]
    shown = made(state, found)
    return replace(
        shown, remarks=(*remarks, *shown.remarks, f"Not looked at: {'; '.join(LEFT_OUT)}")
    )


def _conditions(state: ArmyState) -> str:
    where = band(state).name if state.phase == "shooting" else ""
    return ", ".join(filter(None, [PHASES[state.phase], where, *(FLAGS[f] for f in state.flags)]))


def _output(state: ArmyState, found: pl.DataFrame) -> View:
    measure = MEASURES[state.measure]
    units = found.filter(pl.col("unit") > 0)
    whole = found.filter(pl.col("unit") == 0)
    known = units.filter(pl.col(state.measure).is_not_null())
    if known.is_empty():
        raise DataError(f"no unit has {measure}: no cost is known. Choose another measure")
    chart = heat_map(
        known, row="name", value=state.measure, measure=measure, conditions=_conditions(state),
        share=state.measure == "destroyed",
    )  # fmt: skip
    best = known.sort([state.measure, "name"], descending=[True, False]).row(0, named=True)
    told = "; ".join(
        f"{row['target']} {row['points_removed_per_100']:.0f}"
        for row in whole.rows(named=True)
        if row["points_removed_per_100"] is not None
    )
    targets = found["target"].unique(maintain_order=True).to_list()
    table = found.sort("unit").pivot(
        on="target", index=["name", "points"], values=state.measure, aggregate_function="first"
    )
    return View(
        charts={"list": replace(chart, alt=chart.alt.replace("names", "units"))},
        numbers={
            f"{row['target']}": f"{row['damage']:.1f} wounds"
            for row in whole.sort("damage", descending=True).head(3).rows(named=True)
        },
        remarks=tuple(_left(found)),
        funnel=table.select(pl.col("name").alias("unit"), "points", *targets),
        summary=f"Most: {best['name']}, {_told(best[state.measure], state.measure)} "
        f"{measure} against {best['target']}. The whole list, points removed for each 100: {told}.",
        law=_flat(found),
        about_funnel=f"{measure.capitalize()} ({_conditions(state)}); the whole list is a sum",
    )


def _told(value: float, measure: str) -> str:
    return percent(value, 1) if measure == "destroyed" else f"{value:.1f}"


def _weakest(state: ArmyState, found: pl.DataFrame) -> View:
    ranked = found.sort(["ratio", "target"], nulls_last=True)
    known = ranked.filter(pl.col("ratio").is_not_null())
    if known.is_empty():
        raise DataError("the standard units do nothing here: choose another phase or distance")
    chart = ranked_bars(
        known, name="target", value="ratio",
        measure="times what the standard units do, point for point", conditions=_conditions(state),
    )  # fmt: skip
    worst = known.row(0, named=True)
    told = ", ".join(f"{row['target']} ×{row['ratio']:.2f}" for row in known.rows(named=True))
    return View(
        charts={"list": replace(
            chart,
            title=f"The list is weakest against {worst['target']}: {worst['ratio']:.2f} times "
            "what the standard units do",
        )},
        numbers={
            f"Weak: {row['target']}": f"×{row['ratio']:.2f}"
            for row in known.head(3).rows(named=True)
        },
        remarks=(),
        funnel=ranked.select(
            "target",
            pl.col("points_of_wounds_per_100").alias("the list"),
            pl.col("field_per_100").alias("standard units"),
            pl.col("ratio"),
        ),
        summary=f"Points of wounds for each 100 points, beside the standard units; the weakest "
        f"first: {told}.",
        law=ranked,
        about_funnel="Points of the wounds that targets lose, for each 100 points of who attacks",
    )  # fmt: skip


def _redundancy(state: ArmyState, found: pl.DataFrame) -> View:
    long = found.filter(pl.col("copies") > 0).unpivot(
        on=list(SERIES), index="copies", variable_name="way", value_name="chance"
    ).with_columns(pl.col("way").replace(SERIES))  # fmt: skip
    first = found.filter(pl.col("copies") == 1).row(0, named=True)
    last = found.sort("copies").row(-1, named=True)
    summary_ = (
        f"In one turn the list destroys at least one {state.target} in "
        f"{percent(first['best'], 1)} of cases in the best order, {last['copies']} of them in "
        f"{percent(last['best'], 1)}."
    )
    chart = lines_over(
        long, x="copies", y="chance", series="way",
        measure=f"chance to destroy at least so many {state.target}",
        over="copies of the target", conditions=_conditions(state), share=True,
    )  # fmt: skip
    exact = found["best_is_optimal"].all() and found["declared_is_optimal"].all()
    return View(
        charts={"list": replace(chart, title=summary_.rstrip("."))},
        numbers={
            f"P(at least {row['copies']})": percent(row['best'], 1)
            for row in found.rows(named=True)
            if row["copies"]
        },
        remarks=() if exact else ("Not all orders could be gone through: the chances can be had, "
                                  "and better ones may exist",),
        funnel=found.filter(pl.col("copies") > 0).select(
            "copies", *(pl.col(name).alias(label) for name, label in SERIES.items())
        ),
        summary=summary_,
        law=_flat(found),
        about_funnel=f"Chance to destroy at least so many {state.target} in one turn; "
        f"{first['units']} units attack",
    )  # fmt: skip


def _exchanged(state: ArmyState, found: Exchange, remarks: list[str]) -> View:
    frame = summary(found)
    labels = {"A": state.unit, "B": title(state.enemy)}
    if labels["A"] == labels["B"]:
        labels["B"] = f"enemy {labels['B']}"
    named = frame.with_columns(pl.col("side").replace(labels).alias("unit"))
    conditions = ", ".join([EXCHANGES[state.strikes], *(FLAGS[f] for f in state.flags)])
    chart = exchange_turns(named, conditions=conditions)
    last = named.filter(pl.col("turn") == named["turn"].max())
    told = "; ".join(
        f"{row['unit']} loses {row['models_lost']:.2f} of {row['models']} models and is destroyed "
        f"in {percent(row['destroyed'], 1)} of cases"
        for row in last.rows(named=True)
    )
    weapons = [
        f"{_strike(strike, labels)}: {', '.join(used) or 'nothing to strike with'}"
        for strike, used in zip(found.strikes, found.weapons, strict=True)
    ]
    return View(
        charts={"list": chart},
        numbers={
            f"{unit}: destroyed": percent(chance, 1)
            for unit, chance in last.select("unit", "destroyed").rows()
        },
        remarks=(*remarks, *weapons, *(f"Left out: {what}" for what in found.unmodelled)),
        funnel=named.select(
            "turn", "unit", "models", pl.col("models_lost").alias("models lost"),
            pl.col("wounds_lost").alias("wounds lost"), "destroyed",
            pl.col("points_lost").alias("points lost"), "swing",
        ),
        summary=f"After {state.turns} turns: {told}.",
        law=frame,
        about_funnel="Losses from the beginning to the end of each turn, means; swing: points",
    )  # fmt: skip


def _strike(strike: Strike, labels: dict[str, str]) -> str:
    when, _, who = str(strike).partition(": ")
    side, _, does = who.partition(" ")
    return f"{when}: {labels[side]} {does}"


def _left(found: pl.DataFrame) -> list[str]:
    left = found["left_out"].explode().drop_nulls().unique().sort().to_list()
    return [f"Left out: {'; '.join(map(str, left))}"] if left else []


def _flat(found: pl.DataFrame) -> pl.DataFrame:
    lists = [name for name, dtype in found.schema.items() if dtype == pl.List(pl.String)]
    return found.with_columns(pl.col(name).list.join("; ") for name in lists)
