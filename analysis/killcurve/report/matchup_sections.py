"""The sections of a report on two units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

from killcurve.charts.distribution import distribution_bars
from killcurve.charts.exchanges import exchange_joint, exchange_turns
from killcurve.charts.lines import lines_over
from killcurve.charts.stages import stage_funnel
from killcurve.charts.words import titled
from killcurve.report.account import stem
from killcurve.report.document import Column, Figure, Section, Table
from killcurve.report.matchup_numbers import Direction, Exchanges, counted
from killcurve.report.unit_sections import EFFICIENCY, OPEN, WORTH
from killcurve.report.wording import listed

STEPS = (
    Column("weapon", "Weapon"),
    Column("step", "Step"),
    Column("says", "How"),
    Column("chances", "Chances"),
)
REACH = (
    Column("distance", "Inches", "whole"),
    Column("charge_need", "Roll", "whole"),
    Column("charge", "P(charge)", "percent"),
    Column("damage", "Wounds", "number", 2),
    Column("slain", "Slain", "number", 2),
    Column("destroyed", "P(destroyed)", "percent"),
)
TURNS = (
    Column("first", "First"),
    Column("turn", "Turn", "whole"),
    Column("unit", "Unit"),
    Column("models_lost", "Models lost", "number", 2),
    Column("models_lost_p10", "10 %", "whole"),
    Column("models_lost_p90", "90 %", "whole"),
    Column("destroyed", "P(destroyed)", "percent"),
    Column("swing", "Points ahead", "signed", 1),
)


def sections(ways: Sequence[Direction], blows: Exchanges) -> Iterator[Section]:
    """All of them, in the order of the page."""
    for way in ways:
        if way.phase:
            yield _attack(way)
    if blows.summary.height:
        yield _exchange(blows)
    if any(way.reach.height for way in ways):
        yield _distance(ways)
    for way in ways:
        if way.worth.height and way.worth["gain_points_removed"].count():
            yield _rules(way)
    for way in ways:
        if way.steps.height:
            yield _arithmetic(way)


def _key(way: Direction) -> str:
    return stem(way.attacker.name)


def _attack(way: Direction) -> Section:
    name, other = way.attacker.name, way.target.name
    kept = way.laws.filter(pl.col("probability") > 0)
    law = distribution_bars(
        kept, what=counted(way.target), conditions=f"{name} against {other}, {OPEN}"
    )
    law = replace(law, title=_finding(way))
    funnel = stage_funnel(
        way.funnel, attacker=f"{way.main} of {name} against {other}", conditions=OPEN
    )
    figures = (Figure(f"{_key(way)}-distribution", law), Figure(f"{_key(way)}-stages", funnel))
    table = Table(f"{name} against {other}", way.efficiency, EFFICIENCY[1:])
    return Section(f"{name} attacks {other}", (), figures, (table,))


def _finding(way: Direction) -> str:
    """What the distributions tell: the mean of each phase."""
    column = "slain" if counted(way.target) == "models slain" else "damage"
    rows = way.efficiency.sort([column, "phase"], descending=[True, False])
    means = [
        f"{row[column]:.1f} {'in a fight' if row['phase'] == 'fight' else 'shooting'}"
        for row in rows.rows(named=True)
    ]
    return f"{way.attacker.name} against {way.target.name}: {counted(way.target)} on average " + (
        listed(means)
    )


def _exchange(blows: Exchanges) -> Section:
    figures = []
    for first in blows.summary["first"].unique(maintain_order=True):
        rows = blows.summary.filter(pl.col("first") == first)
        chart = exchange_turns(rows, conditions=f"{first} goes first, both shoot, charge and fight")
        figures.append(Figure(f"exchange-{stem(first)}-first", chart))
    first = blows.summary["first"][0]
    sides = (
        blows.summary.filter(pl.col("first") == first)
        .sort("side")["unit"]
        .unique(maintain_order=True)
    )
    law = blows.joint.filter(pl.col("first") == first)
    chart = exchange_joint(law, sides[0], sides[1], conditions=f"{first} goes first")
    figures.append(Figure("exchange-joint", chart))
    note = "Losses are counted from the beginning; points ahead: the enemy's losses less one's own."
    table = Table("Turn by turn", blows.summary, TURNS, note, more=True)
    return Section("Blow by blow, and who goes first", (), tuple(figures), (table,))


def _distance(ways: Sequence[Direction]) -> Section:
    rows = pl.concat(
        way.reach.with_columns(pl.lit(way.attacker.name).alias("who"))
        for way in ways
        if way.reach.height
    )
    chart = lines_over(
        rows, x="distance", y="charge", series="who", low="", high="", measure="chance to charge",
        over="distance in inches, before a normal move", conditions=OPEN, share=True,
    )  # fmt: skip
    tables = tuple(
        Table(f"{way.attacker.name} towards {way.target.name}", way.reach, REACH,
              "What the fight does is over all charges, those that fail among them.", more=True)
        for way in ways
        if way.reach.height
    )  # fmt: skip
    return Section("By distance", (), (Figure("reach", chart),), tables)


def _rules(way: Direction) -> Section:
    shown = way.worth.filter(pl.col("gain_points_removed").abs() > 1e-9).with_columns(
        pl.col("name").map_elements(titled, return_dtype=pl.String),
        pl.when(pl.col("detachment") == "").then(None).otherwise("detachment").alias("detachment"),
    )
    tables = tuple(
        Table(f"Rules of {who.name}, which {word}", rows, WORTH, more=rows.height > 14)
        for side, who, word in (
            ("attacker", way.attacker, "attacks"),
            ("defender", way.target, "is attacked"),
        )
        if (rows := shown.filter(pl.col("side") == side)).height
    )
    told = (
        f"{way.attacker.name} attacks {way.target.name} in the {way.phase} phase. Gains are points "
        "removed for who attacks and points saved for who is attacked.",
    )
    return Section(f"What rules are worth when {way.attacker.name} attacks", told, (), tables)


def _arithmetic(way: Direction) -> Section:
    table = Table("Step by step", way.steps, STEPS, more=way.steps.height > 12)
    told = (f"Every roll of {way.attacker.name} against {way.target.name}, {way.phase} phase.",)
    return Section(f"The arithmetic: {way.attacker.name} attacks", told, (), (table,))
