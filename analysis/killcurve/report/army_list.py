"""The report on an army list: what it does by target and range, to whom least, how often."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from killcurve.charts.heatmap import heat_map, log_ratio_map
from killcurve.report import account
from killcurve.report.account import Tell
from killcurve.report.army_words import summary, where
from killcurve.report.document import Column, Figure, Report, Section, Table
from killcurve.report.wording import listed, number, percent
from killcurve.sources.default import load
from killcurve.study import armies as room
from killcurve.study.targets import standard_targets
from killcurve.tables.dataset import DataError, Dataset

COPIES = 3
MEASURE = "points of wounds for each 100 points"
PER_100 = "points_of_wounds_per_100"

UNITS = (
    Column("unit", "#", "whole"),
    Column("name", "Unit"),
    Column("models", "Models", "whole"),
    Column("points", "Points", "cost"),
    Column("points_printed", "Printed", "cost"),
    Column("weapons", "Weapons"),
    Column("notes", "Notes"),
)
WEAK = (
    Column("band", "Range"),
    Column("target", "Target"),
    Column(PER_100, "The list, per 100", "number"),
    Column("field_per_100", "The panel, per 100", "number"),
    Column("ratio", "Ratio", "number", 2),
)
OFTEN = (
    Column("target", "Target"),
    Column("copies", "At least", "whole"),
    Column("best", "Best order", "percent"),
    Column("declared", "Declared before", "percent"),
    Column("in_order", "In the list's order", "percent"),
)
MADE = (
    "The list's units have the sizes, weapons and enhancements that the list tells, and the "
    "data's prices. Bands of range: units stand at the far end; what reaches there counts, and "
    "what has half of its range there is within half range. “0–6” to “36–48” are inches of "
    "shooting; “fight” is one fight, without a charge.",
    "The list's numbers are sums over its units of their means, each against a fresh target.",
    "Weak match-ups: the list for each 100 of its points beside the panel's own units for each "
    "100 of theirs against the same targets; a ratio of 1 is as much.",
    "How often: the chance that all units in one turn of shooting, everything in range, destroy at "
    "least so many copies of a target, one unit after the other; the best order sees what those "
    "before have left.",
)


def army_report(dataset: Dataset, found: room.Army, tell: Tell = lambda _: None) -> Report:
    """The report on a list in play (:func:`killcurve.study.armies.army`).

    Raises:
        DataError: if no unit of it can be computed, with the reasons.
    """
    if not found.in_play:
        why = "; ".join(f"{unit.name}: {', '.join(unit.notes)}" for unit in found.units[:3])
        raise DataError(f"no unit of {found.name} can be computed: {why or 'it has none'}")
    profiles = load() if dataset.target_profiles.is_empty() else dataset
    targets = standard_targets(profiles)
    tell(f"{len(found.in_play)} units by target and range")
    output = room.output(found, targets)
    tell("weak match-ups")
    weak = room.weakest(found, room.panel(profiles), targets)
    often = _often(found, targets, tell)
    units = room.unit_table(found)
    whole = output.filter(pl.col("unit") == 0)
    factions = {unit.faction for unit in found.units if unit.faction}
    frames = {
        "output": output,
        "weak-match-ups": weak,
        "redundancy": often,
        "units": units,
        "not-computed": account.named_left_out(_rules(output)),
    }
    return Report(
        title=f"The list {found.name}",
        summary=summary(found, whole, weak, often),
        sections=tuple(_sections(found, output, weak, often, units)),
        made=account.made(
            dataset, account.panel(dataset), *MADE, f"Left out: {'; '.join(room.LEFT_OUT)}.",
            factions=factions or None, common=(account.WEAPONS, account.CIRCUMSTANCES),
        ),
        source=account.source(dataset),
        frames=account.with_frames(frames),
    )  # fmt: skip


def _often(found: room.Army, targets: list, tell: Tell) -> pl.DataFrame:  # type: ignore[type-arg]
    frames = []
    for target in targets:
        tell(f"how often it destroys {target.name}")
        frames.append(room.redundancy(found, [target], copies=COPIES))
    return pl.concat(frames)


def _sections(
    found: room.Army,
    output: pl.DataFrame,
    weak: pl.DataFrame,
    often: pl.DataFrame,
    units: pl.DataFrame,
) -> Iterator[Section]:
    whole = output.filter(pl.col("unit") == 0).drop_nulls(PER_100)
    if whole.height:
        chart = heat_map(
            whole, row="band", value=PER_100, measure=MEASURE,
            conditions=f"{found.name}, inches of shooting, or a fight",
        )  # fmt: skip
        best = whole.sort([PER_100, "band", "target"], descending=[True, False, False])
        title = f"The list does most {where(best['band'][0])} to {best['target'][0]}"
        chart = replace(chart, title=f"{title}: {best[PER_100][0]:.0f} {MEASURE}")
        yield Section("What the list does, by target and range", (), (Figure("output", chart),))
        yield _by_unit(output, found)
    yield _weak(weak)
    several = often.filter(pl.col("copies") > 0)
    yield Section(
        "How often it destroys each target in a turn of shooting",
        ("Dice alone decide here: everything is in range and in sight, and nothing else is shot "
         "at.",),
        _often_chart(several),
        (Table("At least so many copies", several, OFTEN, more=True),),
    )  # fmt: skip
    yield Section("Its units", (), (), (Table("Units of the list", units, UNITS),))
    yield _left(found, output)


def _by_unit(output: pl.DataFrame, found: room.Army) -> Section:
    """Each unit at its best range, by target."""
    mine = output.filter(pl.col("unit") > 0).drop_nulls(PER_100)
    best = (
        mine.sort([PER_100, "far"], descending=[True, False])
        .unique(["unit", "target"], keep="first", maintain_order=True)
        .with_columns(who=pl.format("{}. {}", "unit", "name"))
    )
    order = {name: i for i, name in enumerate(output["target"].unique(maintain_order=True))}
    best = best.sort(pl.col("target").replace_strict(order, return_dtype=pl.Int64), "unit")
    chart = heat_map(
        best, row="who", value=PER_100, measure=MEASURE,
        conditions=f"{found.name}, each unit at the range at which it does most",
    )  # fmt: skip
    return Section("Unit by unit", (), (Figure("units", chart),))


def _weak(weak: pl.DataFrame) -> Section:
    known = weak.filter(pl.col("ratio") > 0).with_columns(log_ratio=pl.col("ratio").log(2))
    figures = []
    if known.height:
        chart = log_ratio_map(
            known, "The list", "the panel", row="band", measure=MEASURE,
            conditions="inches of shooting, or a fight",
        )  # fmt: skip
        figures.append(Figure("weak-match-ups", chart))
    first = weak.filter((pl.col("weakness") <= 3) & pl.col("ratio").is_not_null())
    table = Table("The three weakest match-ups at each range", first, WEAK)
    return Section("Weak match-ups", (), tuple(figures), (table,))


def _often_chart(often: pl.DataFrame) -> tuple[Figure, ...]:
    if often.is_empty():
        return ()
    rows = often.with_columns(times=pl.format("{} or more", "copies"))
    chart = heat_map(
        rows, row="times", value="best", measure="chance", share=True,
        conditions="best order of units, shooting with everything in range",
    )  # fmt: skip
    ones = often.filter(pl.col("copies") == 1).sort(["best", "target"], descending=[True, False])
    easy, hard = ones.row(0, named=True), ones.row(-1, named=True)
    title = (
        f"A turn of shooting destroys one {easy['target']} {percent(easy['best'])} of the time, "
        f"one {hard['target']} {percent(hard['best'])}"
    )
    return (Figure("redundancy", replace(chart, title=title)),)


def _left(found: room.Army, output: pl.DataFrame) -> Section:
    rows = _rules(output)
    told = []
    out = [unit for unit in found.units if unit.fielded is None]
    if out:
        names = [f"{unit.name} ({'; '.join(unit.notes) or 'no reason told'})" for unit in out]
        told.append(f"{number(len(out), 'unit')} of the list left out: {listed(names, 20)}.")
    if found.notes:
        told.append(f"In the list, but placed nowhere: {listed(list(found.notes), 20)}.")
    if not told:
        told.append("Every unit of the list is in play, and everything in it has its place.")
    return account.not_computed(account.named_left_out(rows), len(rows), *told)


def _rules(output: pl.DataFrame) -> list[list[str]]:
    """What is left out of each unit's attacks."""
    return list(output.filter(pl.col("unit") > 0)["left_out"].to_list())
