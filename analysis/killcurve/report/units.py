"""The report on chosen units: efficiency into the standard targets, what stratagems add, charts."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

import killcurve
from killcurve.charts.bars import ranked_stratagems
from killcurve.charts.export import Chart, export, flat
from killcurve.charts.heatmap import efficiency_heatmap
from killcurve.charts.survival import survival_curves
from killcurve.report.page import Figure, Section, render
from killcurve.rules.spelling import normal
from killcurve.sources.default import load
from killcurve.study.efficiency import efficiency
from killcurve.study.lines import Attacker, attacker
from killcurve.study.matchup import Circumstances, engage
from killcurve.study.own_rules import PHASE_OF_KIND, incomplete
from killcurve.study.stratagem_value import stratagem_value
from killcurve.study.survival import survival
from killcurve.study.targets import Defender, standard_targets
from killcurve.tables.coverage import coverage_line
from killcurve.tables.dataset import Dataset

DEFAULT_UNITS = (
    "Royal Warden",
    "Memnyr Strategist",
    "Raider",
    "Gargoyles",
    "Acastus Knight Porphyrion",
)

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Numbers:
    """What the report computes: both frames, and the units and targets they speak of."""

    units: tuple[Attacker, ...]
    targets: tuple[Defender, ...]
    efficiency: pl.DataFrame
    stratagems: pl.DataFrame


def compute(dataset: Dataset, names: Sequence[str], progress: Progress) -> Numbers:
    """The numbers of the report; a dataset without target profiles takes the embedded ones.

    Raises:
        DataError: if a unit is not in the dataset, with the closest names.
    """
    units = tuple(attacker(dataset, name) for name in names)
    profiles = load() if dataset.target_profiles.is_empty() else dataset
    targets = tuple(standard_targets(profiles))
    progress(f"{len(units)} units against {len(targets)} targets")
    table = efficiency(units, targets)
    progress("their factions' stratagems, one at a time")
    return Numbers(units, targets, table, stratagem_value(dataset, units, targets))


def write_report(
    dataset: Dataset, names: Sequence[str], out: Path, progress: Progress = lambda _: None
) -> Path:
    """Write the report into a folder and return its ``index.html``.

    The folder is made beside its place and moved there whole; an older report is replaced.
    """
    numbers = compute(dataset, names, progress)
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        sections = _sections(numbers, dataset, fresh / "charts", progress)
        _write_numbers(numbers, fresh / "data")
        page = render(
            title="What these units do",
            lead=f"{_listed([u.datasheet for u in numbers.units])} against "
            f"{len(numbers.targets)} standard targets, every number from the exact distribution.",
            sections=sections,
            about=dataset.about,
            version=killcurve.__version__,
            coverage=coverage_line(dataset, {unit.faction for unit in numbers.units}),
        )
        (fresh / "index.html").write_text(page, encoding="utf-8")
        fresh.chmod(0o755)
        _move(fresh, out)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return out / "index.html"


def _move(fresh: Path, out: Path) -> None:
    """Put a finished folder in place; what stood there goes only after that."""
    if not out.exists():
        fresh.rename(out)
        return
    old = fresh.with_name(f"{fresh.name}-old")
    out.rename(old)
    fresh.rename(out)
    shutil.rmtree(old, ignore_errors=True)


def _sections(
    numbers: Numbers, dataset: Dataset, charts: Path, progress: Progress
) -> list[Section]:
    footer = (
        f"{dataset.about.footer} · {dataset.about.attribution} · killcurve {killcurve.__version__}"
    )

    def figure(chart: Chart, stem: str) -> Figure:
        progress(f"chart {stem}")
        export(chart, charts, stem, footer)
        return Figure(stem=stem, title=chart.title, alt=chart.alt)

    sections = [
        Section(
            "Points for points",
            "Each weapon line at its default count, alone, in the open, outside half range. "
            "The unit's whole cost counts, so a line that is one of several looks modest.",
            [figure(efficiency_heatmap(numbers.efficiency, "no help, no cover"), "efficiency")],
            table=_efficiency_table(numbers.efficiency),
        )
    ]
    for unit in numbers.units:
        stem = normal(unit.datasheet).replace(" ", "-").replace("'", "")
        chosen = _match_up(numbers, unit)
        figures = [figure(_curves(unit, chosen), f"survival-{stem}")]
        gains = numbers.stratagems.filter(
            (pl.col("datasheet") == unit.datasheet) & (pl.col("faction") == unit.faction)
        )
        note = ""
        if gains.is_empty():
            note = f"No stratagem that is read changes the attacks of {unit.datasheet}."
        else:
            figures.append(figure(ranked_stratagems(gains, unit.datasheet), f"stratagems-{stem}"))
        sections.append(Section(_heading(unit), f"{note} {_left_out(unit)}".strip(), figures))
    return sections


def _left_out(unit: Attacker) -> str:
    """The unit's own abilities that bear on its attacks and are not computed, by name."""
    names = dict.fromkeys(
        name
        for phase in PHASE_OF_KIND.values()
        for name in incomplete(unit.rules, "attacker", phase)
    )
    return f"Not, or not wholly, computed: {', '.join(names)}." if names else ""


def _heading(unit: Attacker) -> str:
    cost = f", {unit.points} points" if unit.points else ""
    return f"{unit.datasheet} ({unit.faction}{cost})"


def _match_up(numbers: Numbers, unit: Attacker) -> Defender:
    """The target of several models that the unit's best weapon trades best into."""
    squads = [t for t in numbers.targets if t.target.models > 1] or list(numbers.targets)
    rows = numbers.efficiency.filter(
        (pl.col("datasheet") == unit.datasheet)
        & (pl.col("faction") == unit.faction)
        & pl.col("target").is_in([t.name for t in squads])
    ).sort(["points_removed", "target"], descending=[True, False], nulls_last=True)
    if rows.is_empty():
        return squads[0]
    return next(t for t in squads if t.name == rows["target"][0])


def _curves(unit: Attacker, target: Defender) -> Chart:
    how = Circumstances()
    laws = {}
    for line in unit.default_lines:
        times = f" ×{line.count}" if line.count > 1 else ""
        laws[f"{line.name}{times}"] = engage(unit, [line], target, how).outcome.slain
    shots = [line for line in unit.default_lines if line.kind == "ranged" and not line.exclusive]
    if len(shots) > 1:
        laws["all ranged weapons in turn"] = engage(unit, shots, target, how).outcome.slain
    most = max((law.quantile(0.999) for law in laws.values()), default=1)
    frame = survival(laws, min(target.target.models, max(1, most + 1)))
    return survival_curves(
        frame, unit.datasheet, target.name, "no help, no cover, outside half range"
    )


def _efficiency_table(frame: pl.DataFrame) -> list[dict[str, object]]:
    return [
        {
            "unit": row["datasheet"],
            "weapon": row["weapon"] + (f" ×{row['count']}" if row["count"] > 1 else ""),
            "target": row["target"],
            "damage": f"{row['damage']:.2f}",
            "band": f"{row['damage_p10']}–{row['damage_p90']}",
            "slain": f"{row['slain']:.2f}",
            "destroyed": f"{row['destroyed']:.1%}",
            "damage_per_100": _number(row["damage_per_100"]),
            "removed_per_100": _number(row["points_removed_per_100"]),
            "unmodelled": "; ".join(row["unmodelled"]),
        }
        for row in frame.rows(named=True)
    ]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _write_numbers(numbers: Numbers, folder: Path) -> None:
    folder.mkdir(parents=True)
    for name, frame in (("efficiency", numbers.efficiency), ("stratagems", numbers.stratagems)):
        frame.write_parquet(folder / f"{name}.parquet")
        flat(frame).write_csv(folder / f"{name}.csv")


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
