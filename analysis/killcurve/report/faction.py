"""The report on a faction: its units ranked per point, its stratagems and enhancements weighed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

from killcurve.charts.bars import ranked_bars
from killcurve.charts.heatmap import heat_map
from killcurve.report import account, changes
from killcurve.report import faction_rules as rules
from killcurve.report import field as fields
from killcurve.report.account import Tell
from killcurve.report.document import Figure, Report, Section, Table
from killcurve.report.faction_words import left_over, summary
from killcurve.report.field import Field, field
from killcurve.report.roles import RULE
from killcurve.report.unit_numbers import PER_100
from killcurve.study.armed import Combatant
from killcurve.study.matrix import combatants
from killcurve.tables.dataset import DataError, Dataset

SHOWN = 20
"""Bars and rows of charts."""

MEASURE = "points of wounds for each 100 points"
LOST = "points of wounds lost for each 100 points that attack"


def faction_report(
    dataset: Dataset, name: str, *, since: Dataset | None = None, tell: Tell = lambda _: None
) -> Report:
    """The report on a faction; ``since`` is another dataset, of which changes are told.

    Raises:
        DataError: if there is no such faction, with the closest names, or nothing of it can be
            ranked since the data has no costs, or no weapons and stat lines.
    """
    tell("equipping the units")
    units = combatants(dataset, name, lambda done, of: tell(f"equipping unit {done} of {of}"))
    faction = units[0].attacker.faction
    others = account.panel(dataset)
    found = field(dataset, units, others, tell)
    worth_ranking(found, faction)
    worth = rules.gather(dataset, units, others, found, tell)
    paid, borne = rules.stratagems(worth), rules.enhancements(worth)
    sections = [*_ranking(found, faction, others), *_durability(found, faction)]
    sections += [*_stratagems(paid, faction), *_enhancements(borne, faction)]
    frames = {"attack": found.attack, "durability": found.tough, "attacks": found.does,
              "attacks-on-them": found.suffers, "stratagems": paid, "enhancements": borne,
              "rules-worth": worth}  # fmt: skip
    told = summary(found, faction, paid, borne)
    if since is not None:
        tell("what changed")
        before = changes.since_words(since)
        changed = changes.changed(since, dataset, faction)
        sections.append(changes.section(changed, since, dataset, before))
        told = (*told, changes.told(changed, before))
        frames["changes"] = changed
    rows = fields.left_out(found)
    left = frames["not-computed"] = account.named_left_out(rows)
    sections.append(account.not_computed(left, len(rows), *left_over(found)))
    return Report(
        title=f"The units of {faction}, point for point",
        summary=told,
        sections=tuple(sections),
        made=account.made(
            dataset, others, fields.RANKED, RULE, rules.MADE, factions={faction}
        ),
        source=account.source(dataset),
        frames=account.with_frames(frames),
    )  # fmt: skip


def worth_ranking(found: Field, whose: str) -> None:
    """Tell where nothing can be ranked, and why.

    Raises:
        DataError: naming what the data lacks.
    """
    if found.attack.height or found.tough.height:
        return
    count = len(found.units)
    lacking = []
    if len(found.unpriced) == count:
        lacking.append("no costs")
    if len(found.unarmed) == count:
        lacking.append("no weapons")
    if len(found.bare) == count:
        lacking.append("no stat lines")
    what = " and ".join(lacking) or "too little"
    raise DataError(
        f"nothing of {whose} can be ranked: the data has {what} of its {count} units; import a "
        "source that has (killcurve import --help)"
    )


def _ranking(found: Field, faction: str, others: Sequence[Combatant]) -> Iterator[Section]:
    ranks = found.attack
    if ranks.is_empty():
        return
    first = ranks.head(SHOWN)
    bars = ranked_bars(
        first, name="unit", value="value", low="low", high="high", detail="role", measure=MEASURE,
        band="luck of one attack, 10 to 90 %",
        conditions=f"{faction}, mean over the panel, {_shown(ranks)}",
    )  # fmt: skip
    table = Table("All units that attack", fields.told(ranks), fields.ATTACK, fields.RANKED)
    yield Section("What the units do for their points", (), (Figure("attack", bars),), (table,))
    known = found.does.filter(pl.col("best") & pl.col("attacker").is_in(first["unit"].implode()))
    grid = heat_map(
        account.in_order(known.drop_nulls(PER_100), others), value=PER_100, measure=MEASURE,
        conditions=f"{faction}, better phase, {_shown(ranks)}",
    )  # fmt: skip
    roles = fields.by_role(ranks)
    tables = (Table("By role", roles, fields.BY_ROLE, f"Roles with {fields.LEAST} units or more."),)
    yield Section(
        "Into which target, and by role", (), (Figure("targets", grid),),
        tables if roles.height else (),
    )  # fmt: skip


def _shown(ranks: pl.DataFrame) -> str:
    return f"the first {SHOWN} of {ranks.height} units" if ranks.height > SHOWN else "all units"


def _durability(found: Field, faction: str) -> Iterator[Section]:
    ranks = found.tough
    if ranks.is_empty():
        return
    weakest = ranks.tail(SHOWN)
    figures = []
    chart = ranked_bars(
        weakest, name="unit", value="value", low="low", high="high", detail="role", measure=LOST,
        band="luck of one attack, 10 to 90 %",
        conditions=f"{faction}, mean over the panel, the {weakest.height} that lose most of "
        f"{ranks.height}",
    )  # fmt: skip
    chart = replace(chart, title=fields.losing_most(weakest, "unit"))
    figures.append(Figure("durability", chart))
    tables = [
        Table("All units, the toughest first", fields.told(ranks), fields.TOUGH, fields.SUFFERED)
    ]
    roles = fields.by_role(ranks)
    if roles.height:
        tables.append(Table("By role", roles, fields.BY_ROLE, "Best: loses fewest points."))
    yield Section("What the units withstand", (fields.SUFFERED,), tuple(figures), tuple(tables))


def _stratagems(paid: pl.DataFrame, faction: str) -> Iterator[Section]:
    if paid.is_empty():
        return
    figures = []
    for side, does in (("attacker", "removed"), ("defender", "saved")):
        rows = paid.filter((pl.col("side") == side) & pl.col("median").is_not_null())
        if rows.height:
            rows = rows.with_columns(
                who=pl.format("{} ({})", "name", "detachment"),
                detail=pl.format("{} of {} units", "helps", "users"),
            )
            chart = ranked_bars(
                rows.head(12), name="who", value="median", low="", high="",
                measure=f"points {does} per command point",
                conditions=f"{faction}, median of the units that gain",
            )  # fmt: skip
            figures.append(Figure(f"stratagems-{side}", chart))
    told = (
        "Each stratagem by the median of the units that gain from it, in the one attack of each "
        "that is looked at; a stratagem that few may use can stand high.",
    )
    table = Table("Stratagems", paid, rules.STRATAGEMS, more=paid.height > 25)
    yield Section("Which stratagems are worth their command points", told, tuple(figures), (table,))


def _enhancements(borne: pl.DataFrame, faction: str) -> Iterator[Section]:
    if borne.is_empty():
        return
    told = (
        f"What enhancements add to attacks of bearers of {faction}, or save them, for each 100 "
        "points of the enhancement; of the bearer alone, without a unit that it leads.",
    )
    table = Table("Enhancements", borne, rules.ENHANCEMENTS, more=borne.height > 25)
    yield Section("Which enhancements are worth their points", told, (), (table,))
