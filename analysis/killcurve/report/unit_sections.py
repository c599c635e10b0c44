"""The sections of a report on units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

from killcurve.charts.bars import ranked_bars
from killcurve.charts.distribution import distribution_bars
from killcurve.charts.heatmap import heat_map
from killcurve.charts.survival import survival_curves
from killcurve.charts.tornado import tornado
from killcurve.charts.words import titled
from killcurve.report.account import stem
from killcurve.report.document import Column, Figure, Section, Table
from killcurve.report.unit_numbers import PER_100, Numbers
from killcurve.report.unit_words import costs
from killcurve.report.wording import listed, percent

OPEN = "in the open, no help"
MEASURE = "points of wounds for each 100 points"

EFFICIENCY = (
    Column("target", "Target"),
    Column("phase", "Phase"),
    Column("weapon", "With"),
    Column("damage", "Wounds", "number"),
    Column("damage_p10", "10 %", "whole"),
    Column("damage_p90", "90 %", "whole"),
    Column("slain", "Slain", "number", 2),
    Column("destroyed", "P(destroyed)", "percent"),
    Column("points_removed_per_100", "Points removed per 100", "number"),
    Column("earned_back", "P(earns its points)", "percent"),
)
NEEDED = (
    Column("attacker", "Attacker"),
    Column("phase", "Phase"),
    Column("attacker_points", "Its points", "cost"),
    Column("destroyed", "P(one destroys it)", "percent"),
    Column("half", "For 50 %", "whole"),
    Column("most", "For 90 %", "whole"),
    Column("points", "Points for 90 %", "cost"),
)
WORTH = (
    Column("name", "Rule"),
    Column("kind", "Kind"),
    Column("detachment", "Detachment"),
    Column("cp", "CP", "whole"),
    Column("cost", "Points", "cost"),
    Column("gain_points_removed", "Gain", "signed", 2),
    Column("gain_points_removed_per_cp", "Per CP", "signed", 2),
    Column("gain_points_removed_per_100", "Per 100 points", "signed", 1),
    Column("in_rerolls", "In re-rolls", "number", 2),
    Column("gain_damage", "Wounds", "signed", 2),
    Column("assumes", "Taken to hold"),
)
PRICES = (
    Column("models", "Models from", "whole"),
    Column("models_max", "to", "whole"),
    Column("copies_from", "Copies from", "whole"),
    Column("copies_to", "to", "whole"),
    Column("cost", "Points", "cost"),
)


def side_by_side(found: Sequence[Numbers]) -> tuple[Section, ...]:
    """All units against the whole panel."""
    rows = pl.concat([one.does.filter(pl.col("best")) for one in found])
    if rows.drop_nulls(PER_100).is_empty():
        return ()
    rows = _in_order(rows, found[0])
    chart = heat_map(rows, value=PER_100, measure=MEASURE, conditions=f"better phase, {OPEN}")
    return (Section("Side by side", (), (Figure("side-by-side", chart),)),)


def _in_order(rows: pl.DataFrame, one: Numbers) -> pl.DataFrame:
    """The rows with targets in the panel's order, as the efficiency has them."""
    names = one.efficiency["target"].unique(maintain_order=True).to_list()
    place = {name: number for number, name in enumerate(names)}
    order = pl.col("target").replace_strict(place, default=len(place), return_dtype=pl.Int64)
    return rows.sort(order, maintain_order=True)


def sections(one: Numbers) -> Iterator[Section]:
    """Those of one unit."""
    name, key = one.unit.name, stem(f"{one.unit.name} {one.unit.attacker.faction}")
    yield Section(name, (f"{costs(one)}.",), (), tuple(_prices(one)))
    if not one.efficiency.is_empty():
        yield _attacks(one, name, key)
    if one.suffers.height:
        yield _withstands(one, name, key)
    for side, word in (("attacker", "add to its attack"), ("defender", "save it")):
        part = _rules(one, name, key, side, word)
        if part is not None:
            yield part
    if one.more.height:
        yield _more(one, name, key)


def _prices(one: Numbers) -> Iterator[Table]:
    if one.prices.height:
        note = "An empty last cell: and all further copies of it in the same army."
        yield Table(f"What {one.unit.name} costs", one.prices, PRICES, note)


def _attacks(one: Numbers, name: str, key: str) -> Section:
    figures = []
    known = _in_order(one.does.drop_nulls(PER_100), one)
    if known.height:
        labelled = known.with_columns(unit=pl.format("{}, {}", "attacker", "phase"))
        chart = heat_map(
            labelled, row="unit", value=PER_100, measure=MEASURE, conditions=f"{name}, {OPEN}"
        )
        figures.append(Figure(f"{key}-attacks", chart))
    if one.curves.height and one.curves.filter(pl.col("k") == 1).height:
        curves = survival_curves(one.curves, name, "its targets", OPEN, "wounds")
        figures.append(Figure(f"{key}-survival", replace(curves, title=_at_least(one, name))))
        figures.append(Figure(f"{key}-distribution", distribution_bars(
            one.laws.filter(pl.col("probability") > 0), what="wounds lost",
            conditions=f"{name}, {OPEN}")))  # fmt: skip
    told = (
        "The best and the worst target are those in which an attack of it in its better phase is "
        "worth most and least for its points, whole models or not.",
    )
    table = Table(
        f"Attacks of {name} on the panel", one.efficiency, EFFICIENCY,
        "10 % and 90 %: the wounds up to which so much of the distribution lies.", more=True,
    )  # fmt: skip
    return Section(f"{name}: what it does", told if figures else (), tuple(figures), (table,))


def _at_least(one: Numbers, name: str) -> str:
    """The finding of the curves: how likely the first wound is, target by target."""
    ones = one.curves.filter(pl.col("k") == 1).sort("chance", descending=True)
    told = [f"{percent(row['chance'])} against {row['series']}" for row in ones.rows(named=True)]
    return f"{name} takes at least one wound: {listed(told)}"


def _withstands(one: Numbers, name: str, key: str) -> Section:
    best = one.suffers.filter(pl.col("best")).drop_nulls(PER_100)
    figures = []
    if best.height:
        chart = ranked_bars(
            best, name="attacker", value=PER_100, low=f"{PER_100}_p10", high=f"{PER_100}_p90",
            measure="points of wounds lost for each 100 that attack", detail="phase",
            conditions=f"{name}, attackers in their better phase, {OPEN}",
        )  # fmt: skip
        figures.append(Figure(f"{key}-withstands", chart))
    tables = []
    if one.durability.height:
        tables.append(Table(
            f"How many of each destroy {name}", by_chance(one.durability), NEEDED,
            "Whole units that attack one after the other; empty: more than 1,000.",
        ))  # fmt: skip
    told = "The longer the bar, the more of its cost an attacker takes for its own points."
    return Section(f"{name}: what it withstands", (told,), tuple(figures), tuple(tables))


def by_chance(durability: pl.DataFrame) -> pl.DataFrame:
    """A row an attacker and phase, with the units needed for each chance beside each other."""
    rows = durability.filter(pl.col("scope") == "unit")
    keys = ["attacker", "phase", "attacker_points", "destroyed"]
    least, most = rows["chance"].min(), rows["chance"].max()
    return (
        rows.group_by(keys)
        .agg(
            half=pl.col("units").filter(pl.col("chance") == least).first(),
            most=pl.col("units").filter(pl.col("chance") == most).first(),
            points=pl.col("points").filter(pl.col("chance") == most).first(),
        )
        .sort(["points", "attacker", "phase"], nulls_last=True)
    )


def _rules(one: Numbers, name: str, key: str, side: str, word: str) -> Section | None:
    if one.worth.is_empty():
        return None
    rows = one.worth.filter((pl.col("side") == side) & pl.col("gain_points_removed").is_not_null())
    if rows.is_empty():
        return None
    against, phase = rows["against"][0], rows["phase"][0]
    rows = rows.with_columns(
        pl.col("name").map_elements(titled, return_dtype=pl.String),
        pl.when(pl.col("detachment") == "").then(None).otherwise("detachment").alias("detachment"),
    )
    attack = (
        f"its attack on {against}, {phase}"
        if side == "attacker"
        else f"the attack of {against} on it, {phase}"
    )
    figures = []
    paid = rows.filter(
        (pl.col("kind") == "stratagem") & (pl.col("gain_points_removed_per_cp") > 0.005)
    ).with_columns(detail=pl.concat_str(pl.col("detachment").fill_null("core")))
    paid = paid.sort("gain_points_removed_per_cp", descending=True).unique(
        "name", keep="first", maintain_order=True
    )
    if paid.height:
        does = "removed" if side == "attacker" else "saved"
        chart = ranked_bars(
            paid.head(12), name="name", value="gain_points_removed_per_cp", low="", high="",
            measure=f"points {does} per command point", conditions=f"{name}, {attack}",
        )  # fmt: skip
        figures.append(Figure(f"{key}-{side}", chart))
    some = rows.filter(pl.col("gain_points_removed").abs() > 1e-9)
    none = rows.height - some.height
    note = "Gain in points removed, or for the defender in points saved."
    if none:
        note += f" {none} more change nothing here."
    table = Table(f"What rules {word}: {attack}", some, WORTH, note, more=some.height > 14)
    return Section(f"{name}: what rules {word}", (), tuple(figures), (table,))


def _more(one: Numbers, name: str, key: str) -> Section:
    row = one.more.row(0, named=True)
    what = f"{row['count']} × {row['weapon']} of {name} against {row['target']}"
    chart = tornado(
        one.more, gain="gain_damage", loss="loss_damage", measure="mean wounds lost", what=name,
        conditions=f"{what}, as it is {row['damage']:.2f}",
    )  # fmt: skip
    told = "One thing is changed at a time and all else stays, so changes do not add up."
    return Section(f"{name}: where one more matters", (told,), (Figure(f"{key}-more", chart),))
