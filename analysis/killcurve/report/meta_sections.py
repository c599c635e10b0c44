"""The sections of a report on the whole game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

from killcurve.charts.bars import ranked_bars
from killcurve.report import account
from killcurve.report import field as fields
from killcurve.report.document import Column, Figure, Section, Table
from killcurve.report.meta_frames import LEAST_UNITS, Game
from killcurve.report.outliers import expected_far, threshold
from killcurve.report.unit_words import points
from killcurve.report.wording import number
from killcurve.study.armed import Combatant

SHOWN = 20
MEASURE = "points of wounds for each 100 points"
LOST = "points of wounds lost for each 100 points that attack"
MOST = 40
"""Rows of tables; the files have all."""

FACTION = Column("faction", "Faction")
Z = Column("z", "z", "signed")
QUANTILES = tuple(
    Column(f"p{share}", "Median" if share == 50 else f"{share} %", "number")
    for share in (10, 25, 50, 75, 90)
)
TARGETS = (
    Column("target", "Target"),
    Column("units", "Units", "whole"),
    *QUANTILES,
    Column("highest", "Highest", "number"),
    Column("leader", "By"),
    Column("leader_faction", "Of"),
    Column("outliers", "Outliers", "whole"),
)
FAR = (
    Column("target", "Target"),
    Column("unit", "Unit"),
    FACTION,
    Column("points", "Points", "cost"),
    Column("phase", "Phase"),
    Column("weapon", "With"),
    Column("value", "Per 100", "number"),
    Z,
)
FACTIONS = (
    FACTION,
    Column("units", "Units", "whole"),
    Column("median", "Median", "number"),
    Column("low", "25 %", "number"),
    Column("high", "75 %", "number"),
    Column("best", "Best unit"),
    Column("tough_median", "Loses, median", "number"),
    Column("toughest", "Toughest unit"),
)


def sections(found: Game, others: Sequence[Combatant]) -> Iterator[Section]:
    """All of them, in the order of the page."""
    if found.attack.height:
        yield _ranking(found)
        yield _by_target(found, others)
        yield _outliers(found)
    if found.factions.height:
        yield _factions(found)
    if found.roles.height:
        note = f"Roles with {fields.LEAST} units or more."
        tables = [Table("What they do, by role", found.roles, fields.BY_ROLE, note)]
        if found.tough_roles.height:
            tables.append(Table("What they withstand, by role", found.tough_roles, fields.BY_ROLE,
                                "Values are points lost: the best loses fewest."))  # fmt: skip
        yield Section("Best by role", (), (), tuple(tables))
    if found.tough.height:
        yield _durability(found)


def _with(columns: tuple[Column, ...], *more: Column) -> tuple[Column, ...]:
    """Columns with the faction behind the unit, in place of what has no room."""
    kept = [column for column in columns if column.name not in ("role", "most_told")]
    return (*kept[:2], FACTION, *kept[2:], *more)


def _bars(rows: pl.DataFrame, stem: str, measure: str, conditions: str) -> Figure:
    named = rows.with_columns(who=_who(rows))
    return Figure(stem, ranked_bars(
        named, name="who", value="value", low="low", high="high", detail="role", measure=measure,
        band="luck of one attack, 10 to 90 %", conditions=conditions,
    ))  # fmt: skip


def _who(rows: pl.DataFrame) -> pl.Expr:
    """Units by their names, with the faction where several have one of that name."""
    twice = rows.group_by("unit").len().filter(pl.col("len") > 1)["unit"]
    full = pl.format("{} ({})", "unit", "faction")
    return pl.when(pl.col("unit").is_in(twice.implode())).then(full).otherwise("unit")


def _ranking(found: Game) -> Section:
    ranks = found.attack
    told = f"mean over the panel, the first {min(SHOWN, ranks.height)} of {ranks.height:,} units"
    figure = _bars(ranks.head(SHOWN), "attack", MEASURE, told)
    caption = f"The first {min(MOST, ranks.height)} of {ranks.height:,} units"
    table = Table(caption, fields.told(ranks.head(MOST)), _with(fields.ATTACK, Z), fields.RANKED)
    return Section("What units do for their points", (), (figure,), (table,))


def _by_target(found: Game, others: Sequence[Combatant]) -> Section:
    rows = account.in_order(found.targets, others)
    chart = ranked_bars(
        rows, name="target", value="p50", low="p10", high="p90", detail="", measure=MEASURE,
        band="the middle 80 % of units", conditions="the median unit of the field, better phase",
    )  # fmt: skip
    ordered = rows.sort(["p50", "target"], descending=[True, False])
    most, least = ordered.row(0, named=True), ordered.row(-1, named=True)
    title = (
        f"The median unit takes most for its points from {most['target']}, {most['p50']:.0f} for "
        f"each 100, and least from {least['target']}, {least['p50']:.0f}"
    )
    chart = replace(chart, title=title)
    note = "Quantiles are over units, each counted once."
    return Section(
        "The field, target by target", (), (Figure("field-by-target", chart),),
        (Table("What units take from each target for each 100 points", rows, TARGETS, note),),
    )  # fmt: skip


def _outliers(found: Game) -> Section:
    count = found.attack["z"].count()
    far = found.attack.filter(pl.col("outlier"))
    beyond = found.attack.filter(pl.col("z").abs() > 2).height
    many = int(found.targets["units"].sum())
    told = [
        f"{number(beyond, 'unit')} of {count:,} stand more than 2 from the median of the field; in "
        f"a normal field about {expected_far(count):.0f} would. Outliers over the whole panel are "
        f"those beyond {threshold(count):.1f}: {number(far.height, 'unit')}.",
        f"Target by target {many:,} values are looked at, so there the bar is "
        f"{threshold(many):.1f}: {number(found.far.height, 'value')} beyond it.",
    ]
    tough = found.tough.filter(pl.col("outlier"))
    told.append(
        f"Of {found.tough['z'].count():,} units by what they withstand, {tough.height} "
        f"{'is' if tough.height == 1 else 'are'} beyond {threshold(found.tough['z'].count()):.1f}. "
        "What stands so far out may be a fault of the data, such as a wrong price or a missing "
        "weapon: look before you quote it."
    )
    tables = []
    if tough.height:
        columns = _with(fields.TOUGH, Z)
        ordered = tough.sort(["z", "unit"], descending=[True, False])
        tables.append(Table("Outliers by what they withstand", ordered, columns))
    if far.height:
        columns = _with(fields.ATTACK, Z)
        ordered = far.sort(["z", "unit"], descending=[True, False])
        tables.append(Table("Outliers over the whole panel", fields.told(ordered), columns))
    if found.far.height:
        note = f"The first {MOST} of {found.far.height}." if found.far.height > MOST else ""
        tables.append(Table("Outliers at one target", found.far.head(MOST), FAR, note))
    return Section("Units that stand far from the field", tuple(told), (), tuple(tables))


def _factions(found: Game) -> Section:
    rows = found.factions.filter(pl.col("units") >= LEAST_UNITS)
    figures = []
    for stem, value, low, high, measure in (
        ("factions", "median", "low", "high", MEASURE),
        ("factions-durability", "tough_median", "tough_low", "tough_high", LOST),
    ):
        known = rows.drop_nulls(value)
        if known.height:
            chart = ranked_bars(
                known, name="faction", value=value, low=low, high=high, detail="",
                measure=measure, band="the middle half of its units",
                conditions=f"the median unit of each faction with {LEAST_UNITS} or more",
            )  # fmt: skip
            figures.append(Figure(stem, chart))
    told = (
        "A faction's median says what its units are like, each counted once, and not what armies "
        "of it do: those are made of its best units, of rules and of play.",
    )
    table = Table("Factions", found.factions, FACTIONS, "A shared unit counts in each of them.")
    return Section("Faction by faction", told, tuple(figures), (table,))


def _durability(found: Game) -> Section:
    ranks = found.tough
    quantiles = [ranks["value"].quantile(share, "linear") for share in (0.1, 0.5, 0.9)]
    low, middle, high = (points(float(value or 0.0)) for value in quantiles)
    told = (
        fields.SUFFERED,
        f"The median of {ranks.height:,} units loses {middle}; a tenth of them less than {low}, a "
        f"tenth more than {high}.",
    )
    most = ranks.sort(["value", "unit"], descending=[True, False]).head(SHOWN)
    worst = _bars(
        most, "durability", LOST,
        f"mean over the panel, the {min(SHOWN, ranks.height)} that lose most of {ranks.height:,}",
    )  # fmt: skip
    title = fields.losing_most(most.with_columns(who=_who(most)), "who")
    worst = replace(worst, chart=replace(worst.chart, title=title))
    caption = f"The toughest {min(MOST, ranks.height)} of {ranks.height:,} units"
    table = Table(caption, fields.told(ranks.head(MOST)), _with(fields.TOUGH, Z))
    return Section("What units withstand", told, (worst,), (table,))
