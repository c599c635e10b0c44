"""A unit as a target: groups of models, keywords, cost; and the dataset's standard targets."""

from __future__ import annotations

from dataclasses import dataclass, replace

from killcurve.engine.target import Against, ModelGroup, Protection, Target
from killcurve.study.lines import cost, smallest_size, unit_keywords
from killcurve.tables.dataset import DataError, Dataset


@dataclass(frozen=True, slots=True)
class Defender:
    """A unit that is attacked: ``name`` is what charts call it, ``points`` what it costs."""

    name: str
    faction: str
    datasheet: str
    target: Target
    keywords: frozenset[str]
    points: int | None

    @property
    def points_per_model(self) -> float | None:
        """The share of the cost that one model stands for."""
        return None if self.points is None else self.points / self.target.models


def defender(
    dataset: Dataset,
    name: str,
    faction: str | None = None,
    *,
    models: int | None = None,
    label: str | None = None,
) -> Defender:
    """A unit of ``models`` models (by default its smallest size) as a target.

    Raises:
        DataError: if there is no such unit, or it has no stat line.
    """
    faction, datasheet = dataset.find(name, faction)
    size = models or smallest_size(dataset, faction, datasheet)
    return Defender(
        name=label or datasheet,
        faction=faction,
        datasheet=datasheet,
        target=Target(tuple(_groups(dataset, faction, datasheet, size))),
        keywords=unit_keywords(dataset, faction, datasheet),
        points=cost(dataset, faction, datasheet, size),
    )


def standard_targets(dataset: Dataset) -> list[Defender]:
    """The dataset's target profiles, in its order."""
    return [
        defender(
            dataset, row["datasheet"], row["faction"], models=row["models"], label=row["target"]
        )
        for row in dataset.target_profiles.sort("number").rows(named=True)
    ]


def _groups(dataset: Dataset, faction: str, datasheet: str, size: int) -> list[ModelGroup]:
    lines = {
        row["model"]: row for row in dataset.of_unit("models", faction, datasheet).rows(named=True)
    }
    if not lines:
        raise DataError(f"{datasheet} of {faction} has no stat line, so it cannot be a target")
    counts = dict.fromkeys(lines, 0)
    for statline, count in _counts(dataset, faction, datasheet, size):
        counts[statline if statline in counts else next(iter(counts))] += count
    if not any(counts.values()):
        counts[next(iter(counts))] = size
    alike: dict[ModelGroup, int] = {}
    for model, count in counts.items():
        if count:
            group = _group(lines[model])
            alike[group] = alike.get(group, 0) + count
    return [replace(group, count=count) for group, count in alike.items()]


def _counts(dataset: Dataset, faction: str, datasheet: str, size: int) -> list[tuple[str, int]]:
    """(stat line, models) of the smallest tier that holds ``size`` models, filled to that size."""
    rows = dataset.of_unit("compositions", faction, datasheet)
    for _, tier in rows.sort("tier").group_by("tier", maintain_order=True):
        least, most = int(tier["count_min"].sum()), int(tier["count_max"].sum())
        if least <= size <= most:
            counts = tier["count_min"].to_list()
            for i, room in enumerate((tier["count_max"] - tier["count_min"]).to_list()):
                counts[i] += min(room, size - sum(counts))
            return list(zip(tier["statline"].to_list(), counts, strict=True))
    return []


def _group(line: dict[str, object]) -> ModelGroup:
    value, against = line["invulnerable_save"], line["invulnerable_save_against"]
    scope = Against.ALL if against is None else Against(against)
    protections = () if value is None else (Protection(int(str(value)), scope),)
    return ModelGroup(
        count=1,
        toughness=int(str(line["toughness"])),
        save=int(str(line["save"])),
        wounds=int(str(line["wounds"])),
        invulnerable=protections,
    )
