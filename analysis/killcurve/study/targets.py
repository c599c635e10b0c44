"""A unit as a target: groups of models, keywords, cost; and the dataset's standard targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import polars as pl

from killcurve.engine.target import Against, ModelGroup, Protection, Target
from killcurve.rules.effects import Effect
from killcurve.study.lines import unit_keywords
from killcurve.study.loadouts import Loadout
from killcurve.study.loadouts.legal import default_of
from killcurve.study.loadouts.prices import cost, price
from killcurve.study.loadouts.sheet import read_sheet
from killcurve.study.own_rules import OwnRule, own_rules
from killcurve.tables.dataset import DataError, Dataset


@dataclass(frozen=True, slots=True)
class Defender:
    """A unit that is attacked: ``name`` is what charts call it, ``points`` what it costs.

    ``rules`` are its own abilities.
    """

    name: str
    faction: str
    datasheet: str
    target: Target
    keywords: frozenset[str]
    points: int | None
    rules: tuple[OwnRule, ...] = ()

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
    loadout: Loadout | None = None,
    copy: int = 1,
    army: str | None = None,
) -> Defender:
    """A unit of ``models`` models (by default its smallest size) as a target.

    Its core ability Feel No Pain is its models' own; what else it has is not part of it.

    ``loadout`` tells which kinds of models it has and adds the cost of their wargear; the
    default one counts where none is given. The points are those of the ``copy``-th such unit in
    an army of the faction ``army`` (``None`` for the unit's own).

    Raises:
        DataError: if there is no such unit or army, or it has no stat line.
    """
    faction, datasheet = dataset.find(name, faction)
    sheet = read_sheet(dataset, faction, datasheet)
    own = loadout.models if loadout else sheet.smallest
    size = own if models is None else models
    if loadout is None and any(least <= size <= most for least, most in sheet.sizes()):
        loadout = default_of(sheet, size)
    if loadout is None:
        points = cost(dataset, faction, datasheet, size, copy, army)
    else:
        points = price(dataset, loadout, copy=copy, army=army)
    kinds = loadout.kinds if loadout else {}
    return Defender(
        name=label or datasheet,
        faction=faction,
        datasheet=datasheet,
        target=Target(tuple(_groups(dataset, faction, datasheet, size, kinds))),
        keywords=unit_keywords(dataset, faction, datasheet),
        points=points,
        rules=own_rules(dataset, faction, datasheet),
    )


def standard_targets(dataset: Dataset) -> list[Defender]:
    """The dataset's target profiles, in its order."""
    return [
        defender(
            dataset, row["datasheet"], row["faction"], models=row["models"], label=row["target"]
        )
        for row in dataset.target_profiles.sort("number").rows(named=True)
    ]


def _groups(
    dataset: Dataset, faction: str, datasheet: str, size: int, kinds: Mapping[str, int]
) -> list[ModelGroup]:
    lines = {
        row["model"]: row for row in dataset.of_unit("models", faction, datasheet).rows(named=True)
    }
    if not lines:
        raise DataError(f"{datasheet} of {faction} has no stat line, so it cannot be a target")
    composed = dataset.of_unit("compositions", faction, datasheet)
    of_kind = dict(composed.select("model", "statline").rows())
    counts = dict.fromkeys(lines, 0)
    for model, count in kinds.items():
        statline = of_kind.get(model, model)
        counts[statline if statline in counts else next(iter(counts))] += count
    if not any(counts.values()):
        counts[next(iter(counts))] = size
    ignoring = _feel_no_pain(dataset, faction, datasheet)
    alike: dict[ModelGroup, int] = {}
    for model, count in counts.items():
        if count:
            group = _group(lines[model], ignoring)
            alike[group] = alike.get(group, 0) + count
    return [replace(group, count=count) for group, count in alike.items()]


def _feel_no_pain(dataset: Dataset, faction: str, datasheet: str) -> tuple[Protection, ...]:
    """The unit's core ability Feel No Pain, once for each kind of harm that it is against."""
    core = dataset.of_unit("unit_abilities", faction, datasheet).filter(
        (pl.col("kind").cast(pl.String) == "core") & pl.col("model").is_null()
    )
    effects = (Effect.parse(phrase) for row in core["effects"] for phrase in row)
    return tuple(e.amount for e in effects if isinstance(e.amount, Protection) and _always(e))


def _always(effect: Effect) -> bool:
    return effect.what == "feel no pain" and not effect.condition


def _group(line: dict[str, object], ignoring: tuple[Protection, ...]) -> ModelGroup:
    value, against = line["invulnerable_save"], line["invulnerable_save_against"]
    scope = Against.ALL if against is None else Against(against)
    protections = () if value is None else (Protection(int(str(value)), scope),)
    return ModelGroup(
        count=1,
        toughness=int(str(line["toughness"])),
        save=int(str(line["save"])),
        wounds=int(str(line["wounds"])),
        invulnerable=protections,
        feel_no_pain=ignoring,
    )
