"""What the efficiency of a faction or a list shows: heat map, table, the cell that is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from killcurve.charts.distribution import distribution_bars
from killcurve.charts.export import Chart
from killcurve.charts.heatmap import heat_map, log_ratio_map
from killcurve.charts.words import percent
from killcurve.explore.answers import View
from killcurve.explore.background import Progress
from killcurve.explore.efficiency_state import (
    HEADS,
    MEAN,
    MEASURES,
    NAME,
    PHASES,
    POINTS,
    EfficiencyState,
    Field,
    in_phase,
    of_work,
)
from killcurve.explore.heat_table import HeatTable
from killcurve.explore.unit_state import FLAGS
from killcurve.explore.whole_units import circumstances
from killcurve.study.armed import in_words, used_against
from killcurve.study.matchup import engage
from killcurve.tables.dataset import DataError

FREE, ROW, MOST_ROWS = 270, 21, 60
"""Pixels of a heat map without rows, and of a row; rows that one picture has at most."""


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
