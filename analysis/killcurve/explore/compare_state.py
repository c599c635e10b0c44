"""Up to six attackers, or versions of one, side by side: the state, and its numbers and charts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import polars as pl

from killcurve.charts.bars import ranked_bars
from killcurve.charts.export import Chart
from killcurve.charts.heatmap import heat_map
from killcurve.charts.survival import at_least_one, survival_curves
from killcurve.charts.words import percent
from killcurve.explore.answers import Scale, View
from killcurve.explore.targets import TargetState
from killcurve.explore.unit_state import FLAGS, Choices, UnitState
from killcurve.explore.unit_view import question
from killcurve.study.efficiency import per_100
from killcurve.study.solve import Answer, solve
from killcurve.study.survival import survival

MOST = 6

AGAINST = {"target": "one target", "panel": "all standard profiles"}
"""What is attacked, with labels."""

MEASURES = {
    "damage": "mean damage",
    "slain": "mean models slain",
    "points_removed": "points removed",
    "destroyed": "chance to destroy",
}
"""Measures with their labels; all but the last also for each 100 points."""

COLUMNS: dict[str, pl.DataType] = {
    "attacker": pl.String(),
    "target": pl.String(),
    "points": pl.Float64(),
    **dict.fromkeys(MEASURES, pl.Float64()),
    "low": pl.Int64(),
    "high": pl.Int64(),
    **dict.fromkeys((f"{name}_per_100" for name in list(MEASURES)[:3]), pl.Float64()),
}
"""What :func:`measured` gives; ``low`` and ``high`` are the 10–90 % band of damage."""


@dataclass(frozen=True, slots=True)
class CompareState:
    """What is compared: ``entries`` (whose own targets and circumstances do not count), of which
    ``chosen`` is the one that is changed, against a target or the panel."""

    entries: tuple[UnitState, ...]
    chosen: int = 0
    against: str = "target"
    target: TargetState = field(default_factory=TargetState)
    measure: str = "damage"
    per_point: bool = False
    flags: tuple[str, ...] = ()
    edition: str = ""


def settled(choices: Choices, state: CompareState) -> CompareState:
    """The state with every choice that does not exist replaced by one that does."""
    entries = tuple(choices.settled(entry) for entry in state.entries[:MOST])
    return replace(
        state,
        entries=entries,
        chosen=min(max(0, state.chosen), len(entries) - 1),
        against=state.against if state.against in AGAINST else "target",
        target=choices.targets.settled(state.target),
        measure=state.measure if state.measure in MEASURES else "damage",
        flags=tuple(flag for flag in FLAGS if flag in state.flags),
    )


def labels(entries: Sequence[UnitState]) -> list[str]:
    """A name for each entry; those of one unit differ by phase, effects, weapons, or a number.

    >>> boyz = UnitState("Orks", "Boyz", models=10)
    >>> labels([boyz, replace(boyz, effects="hit +1"), boyz])
    ['10 Boyz', '10 Boyz, hit +1', '10 Boyz (2)']
    """
    plain = [f"{e.models} {e.datasheet}" if e.models > 1 else e.datasheet for e in entries]
    told = []
    for name, entry in zip(plain, entries, strict=True):
        same = [e for other, e in zip(plain, entries, strict=True) if other == name]
        told.append(", ".join([name, *_differences(entry, same)]))
    seen: dict[str, int] = {}
    out = []
    for name in told:
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return out


def _differences(entry: UnitState, others: Sequence[UnitState]) -> Iterator[str]:
    """What tells an entry from others of its unit."""
    if len({e.phase for e in others}) > 1:
        yield entry.phase
    if len({e.weapons for e in others}) > 1 and entry.weapons:
        yield " + ".join(f"{count} {name}" for name, count in entry.weapons[:2])
    if len({e.rules for e in others}) > 1 and entry.rules:
        chosen = [key.partition(": ")[2] for key in entry.rules]
        common = {k for k in entry.rules if all(k in (e.rules or ()) for e in others)}
        own = [c for c, key in zip(chosen, entry.rules, strict=True) if key not in common]
        if own:
            yield " + ".join(own[:2]).lower()
    if entry.effects and len({e.effects for e in others}) > 1:
        yield entry.effects


def targets_of(choices: Choices, state: CompareState) -> dict[str, TargetState]:
    """What is attacked, by name."""
    if state.against == "panel":
        return {name: TargetState(profile=name) for name in choices.targets.profiles}
    return {choices.targets.defender(state.target).name: state.target}


def asked(entry: UnitState, target: TargetState, state: CompareState) -> UnitState:
    """An entry with the target and the circumstances of all."""
    return replace(entry, target=target, flags=state.flags, edition=state.edition)


def answers(choices: Choices, state: CompareState) -> Iterator[tuple[str, str, Answer]]:
    """Each entry's name, each target's name, and the answer."""
    found = targets_of(choices, state)
    for name, entry in zip(labels(state.entries), state.entries, strict=True):
        for target, one in found.items():
            yield name, target, _solved(choices, asked(entry, one, state))


@lru_cache(maxsize=512)
def _solved(choices: Choices, entry: UnitState) -> Answer:
    """The answer for one attacker and target: those that stay as they are are not solved again."""
    return solve(question(choices, entry), lenient=True)


def measured(found: Sequence[tuple[str, str, Answer]]) -> pl.DataFrame:
    """The numbers of answers, one row an entry and target; columns are :data:`COLUMNS`."""
    rows = []
    for name, target, answer in found:
        outcome, points = answer.outcome, answer.scenario.attacker.points
        numbers: dict[str, float | None] = {
            "damage": outcome.damage.mean,
            "slain": outcome.slain.mean,
            "points_removed": answer.efficiency.get("points_removed"),
            "destroyed": outcome.destroyed,
        }
        rows.append(
            {
                "attacker": name,
                "target": target,
                "points": points,
                **numbers,
                "low": outcome.damage.quantile(0.1),
                "high": outcome.damage.quantile(0.9),
                **{
                    f"{key}_per_100": per_100(value, None if points is None else int(points))
                    for key, value in numbers.items()
                    if key != "destroyed"
                },
            }
        )
    return pl.DataFrame(rows, schema=COLUMNS)


def column_of(state: CompareState) -> tuple[str, str]:
    """The column that is compared, and what it is called."""
    label = MEASURES[state.measure]
    if state.per_point and state.measure != "destroyed":
        return f"{state.measure}_per_100", f"{label} for each 100 points"
    return state.measure, label


def compare_view(
    state: CompareState, found: Sequence[tuple[str, str, Answer]], scale: Scale | None = None
) -> View:
    """What answers show side by side."""
    frame = measured(found)
    column, label = column_of(state)
    known = frame.filter(pl.col(column).is_not_null())
    conditions = ", ".join(FLAGS[flag] for flag in state.flags)
    charts: dict[str, Chart] = {}
    if state.against == "target":
        charts["survival"] = _curves(found, conditions, scale)
    share = state.measure == "destroyed"
    if state.against == "panel" and known.height:
        charts["comparison"] = heat_map(
            known, value=column, measure=label, conditions=conditions, share=share
        )
    elif known.height:
        charts["comparison"] = ranked_bars(
            known.drop("low", "high"),
            name="attacker",
            value=column,
            measure=label,
            conditions=conditions,
            share=share,
        )
    shown = ["attacker", "target", "points", *MEASURES]
    columns = shown if column in shown else [*shown, column]
    return View(
        charts=charts,
        numbers=_best(known, column, label),
        remarks=tuple(_remarks(frame, column, found)),
        funnel=_table(frame, columns if state.against == "panel" else [*columns[:1], *columns[2:]]),
        summary=_summary(known, column, label),
        law=frame,
        about_funnel=f"Means of exact distributions; compared: {label}",
    )


def _curves(
    found: Sequence[tuple[str, str, Answer]], conditions: str, scale: Scale | None
) -> Chart:
    first = found[0][2].scenario.target.groups
    models = sum(group.count for group in first)
    what = "models" if models > 1 else "wounds"
    laws = {n: a.outcome.slain if models > 1 else a.outcome.damage for n, _, a in found}
    whole = models if models > 1 else first[0].wounds
    frame = survival(laws, scale.most if scale else whole)
    best = max(laws, key=lambda name: laws[name].at_least(1))
    target = found[0][1]
    title = at_least_one(laws[best].at_least(1), what, target, best)
    return replace(survival_curves(frame, best, target, conditions, what), title=title)


def _table(frame: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    heads = {name: name.replace("_", " ") for name in columns}
    return frame.select(columns).with_columns(pl.col("points").cast(pl.Int64)).rename(heads)


def _best(known: pl.DataFrame, column: str, label: str) -> dict[str, str]:
    return {f"{name}: {label}": _told(value, column) for name, value in _means(known, column)[:3]}


def _means(known: pl.DataFrame, column: str) -> list[tuple[str, float]]:
    """Each attacker's mean over the targets, the highest first."""
    means = known.group_by("attacker").agg(pl.col(column).mean())
    return means.sort([column, "attacker"], descending=[True, False]).rows()


def _told(value: float, column: str) -> str:
    return percent(value, 1) if column == "destroyed" else f"{value:.2f}"


def _summary(known: pl.DataFrame, column: str, label: str) -> str:
    if known.is_empty():
        return f"Nothing has {label} here: its cost, or that of the target, is not known."
    number = known["target"].n_unique()
    over = f", mean over {number} targets" if number > 1 else f" against {known['target'][0]}"
    told = "; ".join(f"{name} {_told(value, column)}" for name, value in _means(known, column))
    return f"{label[:1].upper()}{label[1:]}{over}: {told}."


def _remarks(
    frame: pl.DataFrame, column: str, found: Sequence[tuple[str, str, Answer]]
) -> Iterator[str]:
    unknown = frame.filter(pl.col(column).is_null())["attacker"].unique().sort().to_list()
    if unknown:
        yield f"No cost is known, so it is left out: {', '.join(unknown)}"
    left = dict.fromkeys(what for _, _, answer in found for what in answer.unmodelled)
    if left:
        yield f"Left out: {', '.join(left)}"
