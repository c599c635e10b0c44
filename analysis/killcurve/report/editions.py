"""The report on units under the 10th and the 11th edition's rules: what changes, through what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from killcurve.charts.heatmap import log_ratio_map
from killcurve.report import account
from killcurve.report.account import Tell
from killcurve.report.document import Column, Figure, Report, Section, Table
from killcurve.report.wording import listed, number, signed
from killcurve.study.armed import Combatant, used_against
from killcurve.study.as_scenario import as_scenario
from killcurve.study.editions import compare_editions
from killcurve.study.matchup import Circumstances
from killcurve.study.panel import strikes
from killcurve.tables.dataset import DataError, Dataset

OLD, NEW = "10e", "11e"
PLACES = {"in the open": frozenset[str](), "in cover": frozenset({"cover"})}
"""Circumstances that are compared, by their names; those with flags are for shooting only."""

SAME = 5e-4
"""Changes of the mean that are less are called none."""

CHANGES: dict[str, pl.DataType] = {
    "faction": pl.String(),
    "unit": pl.String(),
    "target": pl.String(),
    "phase": pl.String(),
    "where": pl.String(),
    "weapon": pl.String(),
    "damage_10e": pl.Float64(),
    "damage_11e": pl.Float64(),
    "change": pl.Float64(),
    "share": pl.Float64(),
    "destroyed_10e": pl.Float64(),
    "destroyed_11e": pl.Float64(),
    "rules": pl.String(),
    "why_not": pl.String(),
}
"""A row a match-up: mean wounds lost under both states, and the rules that account for it."""

RULES: dict[str, pl.DataType] = {
    "faction": pl.String(),
    "unit": pl.String(),
    "target": pl.String(),
    "phase": pl.String(),
    "where": pl.String(),
    "rule": pl.String(),
    "says": pl.String(),
    "damage": pl.Float64(),
    "slain": pl.Float64(),
    "destroyed": pl.Float64(),
    "moved": pl.Float64(),
}
"""A row a rule that changes a match-up; changes of a match-up's rules add up to the whole."""

SHOWN = (
    Column("unit", "Unit"),
    Column("target", "Target"),
    Column("phase", "Phase"),
    Column("where", "Target is"),
    Column("damage_10e", "Wounds, 10th", "number", 2),
    Column("damage_11e", "Wounds, 11th", "number", 2),
    Column("change", "Change", "signed", 2),
    Column("rules", "Through"),
)
THROUGH = (
    Column("rule", "Rule"),
    Column("says", "What holds now"),
    Column("matchups", "Match-ups changed", "whole"),
    Column("mean", "Mean change of wounds", "signed", 3),
    Column("least", "Least", "signed", 2),
    Column("most", "Most", "signed", 2),
)
MADE = (
    "The same datasheets, weapons and points under two sets of rules: the 10th edition's as they "
    "ended and the 11th's. What new datasheets or prices changed is not part of it.",
    "Each unit attacks with what does most damage under the 11th edition's rules, in the open and, "
    "shooting, with the target in cover. The rules that differ are turned one after the other, so "
    "the changes through them add up to the whole; another order would share them out otherwise.",
)


def editions_report(dataset: Dataset, names: Sequence[str], tell: Tell = lambda _: None) -> Report:
    """The report on units, each as ``Name:MODELS@FACTION``, under both editions' rules.

    Raises:
        DataError: if one is not in the dataset, with the closest names; if none has weapons.
    """
    if not names:
        raise DataError("name at least one unit to report on")
    units = [account.unit_of(dataset, name) for name in dict.fromkeys(names)]
    others = account.panel(dataset)
    rows: list[dict[str, Any]] = []
    through: list[dict[str, Any]] = []
    for unit in units:
        for other in others:
            tell(f"{unit.name} against {other.name} under both editions")
            for row, rules in _compared(unit, other):
                rows.append(row)
                through += rules
    if not rows:
        whose = listed([unit.name for unit in units])
        raise DataError(f"the data has no weapons of {whose}: nothing can be compared")
    found = pl.DataFrame(rows, schema=CHANGES)
    rules_left = strikes(units, others)["left_out"].to_list()
    left = account.named_left_out(rules_left)
    rules_found = pl.DataFrame(through, schema=RULES)
    return Report(
        title=f"From the 10th to the 11th edition: {listed([unit.name for unit in units], 4)}",
        summary=tuple(summary(found, rules_found)),
        sections=(
            *_sections(found, rules_found),
            account.not_computed(left, len(rules_left)),
        ),
        made=account.made(
            dataset, others, *MADE, factions={unit.attacker.faction for unit in units}
        ),
        source=account.source(dataset),
        frames=account.with_frames({"changes": found, "rules": rules_found, "not-computed": left}),
    )


def _compared(
    unit: Combatant, other: Combatant
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    for phase in ("shooting", "fight"):
        for where, flags in PLACES.items():
            if flags and phase == "fight":
                continue
            how = Circumstances(edition=NEW, flags=flags)
            lines = used_against(unit, phase, other.target, how)
            if not lines:
                continue
            key = {"faction": unit.attacker.faction, "unit": unit.name, "target": other.name,
                   "phase": phase, "where": where}  # fmt: skip
            weapon = "; ".join(f"{line.count} × {line.name}" for line in lines)
            made = compare_editions(
                as_scenario(unit.attacker, lines, other.target, how), lenient=True
            )
            if OLD not in made.states or NEW not in made.states:
                why = "; ".join(made.failed.values())
                yield {**key, "weapon": weapon, "why_not": why}, []
                continue
            effects = [
                effect for change in made.changes if change.goal == NEW for effect in change.effects
            ]
            old, new = made.states[OLD], made.states[NEW]
            before, after = old.damage.mean, new.damage.mean
            yield {
                **key,
                "weapon": weapon,
                "damage_10e": before,
                "damage_11e": after,
                "change": after - before,
                "share": after / before - 1 if before else None,
                "destroyed_10e": old.destroyed,
                "destroyed_11e": new.destroyed,
                "rules": "; ".join(f"{e.rule} ({signed(e.by['damage'])})" for e in effects),
            }, [
                {**key, "rule": e.rule, "says": e.says, "damage": e.by["damage"],
                 "slain": e.by["slain"], "destroyed": e.by["destroyed"], "moved": e.moved}
                for e in effects
            ]  # fmt: skip


def summary(found: pl.DataFrame, rules: pl.DataFrame) -> Iterator[str]:
    """What a reader in a hurry needs first."""
    known = found.filter(pl.col("change").is_not_null())
    moved = known.filter(pl.col("change").abs() >= SAME)
    more, less = (
        moved.filter(pl.col("change") > 0).height,
        moved.filter(pl.col("change") < 0).height,
    )
    yield (
        f"Of {number(known.height, 'match-up')} {more} do more damage under the 11th edition's "
        f"rules, {less} less, and {known.height - more - less} the same on average."
    )
    if moved.height:
        top = moved.sort(
            [pl.col("change").abs(), "unit", "target"], descending=[True, False, False]
        )
        row = top.row(0, named=True)
        yield (
            f"The largest change is that of {row['unit']} against {row['target']} "
            f"{row['where']} ({row['phase']}): {row['damage_10e']:.2f} wounds become "
            f"{row['damage_11e']:.2f}."
        )
    by = through(rules)
    if by.height:
        first = by.row(0, named=True)
        yield (
            f"By the sum of changes {first['rule']} moves most: it changes "
            f"{number(first['matchups'], 'match-up')}, by {signed(first['mean'])} wounds on "
            "average."
        )


def through(rules: pl.DataFrame) -> pl.DataFrame:
    """One row a rule and what holds now, the largest sum of changes first."""
    return (
        rules.group_by("rule", "says")
        .agg(
            matchups=pl.len().cast(pl.Int64),
            mean=pl.col("damage").mean(),
            least=pl.col("damage").min(),
            most=pl.col("damage").max(),
            size=pl.col("damage").abs().sum(),
        )
        .sort(["size", "rule", "says"], descending=[True, False, False])
    )


def _sections(found: pl.DataFrame, rules: pl.DataFrame) -> Iterator[Section]:
    ratios = found.filter((pl.col("damage_10e") > 0) & (pl.col("damage_11e") > 0)).with_columns(
        log_ratio=(pl.col("damage_11e") / pl.col("damage_10e")).log(2),
        attack=pl.format("{}, {}, {}", "unit", "phase", "where"),
    )
    figures = []
    if ratios.height:
        chart = log_ratio_map(
            ratios, "The 11th edition", "the 10th", row="attack", measure="mean wounds lost"
        )
        figures.append(Figure("editions", chart))
    changed = found.filter(pl.col("change").abs() >= SAME).sort(
        [pl.col("change").abs(), "unit", "target", "phase", "where"],
        descending=[True, *[False] * 4],
    )
    tables = []
    if changed.height:
        caption = "Match-ups that change on average, the largest change first"
        tables.append(Table(caption, changed, SHOWN, more=changed.height > 30))
    yield Section("What changes", (), tuple(figures), tuple(tables))
    by = through(rules)
    if by.height:
        note = (
            "Over the match-ups that the rule changes. A rule may move chances and leave the mean."
        )
        yield Section("Through which rules", (), (), (Table("Rules", by, THROUGH, note),))
    failed = found.filter(pl.col("why_not").is_not_null())
    if failed.height:
        columns = (Column("unit", "Unit"), Column("target", "Target"), Column("phase", "Phase"),
                   Column("why_not", "Why"))  # fmt: skip
        yield Section("Not compared", (), (), (Table("Without an answer", failed, columns),))
