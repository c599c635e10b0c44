"""What each stratagem adds to a unit's attacks, one at a time, per command point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import polars as pl

from killcurve.study.applicable import Stratagem, attack_stratagems
from killcurve.study.lines import Attacker
from killcurve.study.matchup import Circumstances, engage
from killcurve.study.own_rules import PHASE_OF_KIND
from killcurve.study.targets import Defender
from killcurve.tables.dataset import Dataset

__all__ = ["COLUMNS", "PHASE_OF_KIND", "Stratagem", "attack_stratagems", "stratagem_value"]

COLUMNS: dict[str, pl.DataType] = {
    "faction": pl.String(),
    "datasheet": pl.String(),
    "detachment": pl.String(),
    "stratagem": pl.String(),
    "cp": pl.Int64(),
    "effects": pl.List(pl.String()),
    "assumes": pl.List(pl.String()),
    "status": pl.String(),
    "weapon": pl.String(),
    "kind": pl.String(),
    "target": pl.String(),
    "damage": pl.Float64(),
    "damage_without": pl.Float64(),
    "destroyed": pl.Float64(),
    "destroyed_without": pl.Float64(),
    "points_removed": pl.Float64(),
    "points_removed_without": pl.Float64(),
    "gain_damage": pl.Float64(),
    "gain_damage_per_cp": pl.Float64(),
    "gain_destroyed": pl.Float64(),
    "gain_points_removed": pl.Float64(),
    "gain_points_removed_per_cp": pl.Float64(),
}
"""What :func:`stratagem_value` gives, one row a stratagem, weapon line and target."""


def stratagem_value(
    dataset: Dataset,
    units: Iterable[Attacker],
    targets: Sequence[Defender],
    how: Circumstances = Circumstances(),
) -> pl.DataFrame:
    """The gain of each stratagem over the same attack without it; columns are :data:`COLUMNS`.

    Where a stratagem offers a choice, the option with the most damage against the target is
    taken. Only lines of a phase in which it is used are listed.
    """
    rows = [
        row
        for unit in units
        for stratagem in attack_stratagems(dataset, unit, how.edition)
        for row in _of_stratagem(unit, stratagem, targets, how)
    ]
    return pl.DataFrame(rows, schema=COLUMNS)


def _of_stratagem(
    unit: Attacker, stratagem: Stratagem, targets: Sequence[Defender], how: Circumstances
) -> Iterator[dict[str, Any]]:
    base_case = stratagem.circumstances(how)
    for line in unit.default_lines:
        if PHASE_OF_KIND[line.kind] not in stratagem.phases:
            continue
        for target in targets:
            base = engage(unit, [line], target, base_case)
            results = [
                engage(unit, [line], target, base_case.helped(effects, "attacker"))
                for effects in stratagem.variants()
            ]
            best = max(results, key=lambda r: r.outcome.damage.mean)
            if best.unmodelled:
                continue
            damage = best.outcome.damage.mean - base.outcome.damage.mean
            removed = (best.points_removed or 0.0) - (base.points_removed or 0.0)
            yield {
                "faction": unit.faction,
                "datasheet": unit.datasheet,
                "detachment": stratagem.detachment,
                "stratagem": stratagem.name,
                "cp": stratagem.cp,
                "effects": [str(e) for e in stratagem.effects],
                "assumes": list(stratagem.assumes),
                "status": stratagem.status,
                "weapon": line.name,
                "kind": line.kind,
                "target": target.name,
                "damage": best.outcome.damage.mean,
                "damage_without": base.outcome.damage.mean,
                "destroyed": best.outcome.destroyed,
                "destroyed_without": base.outcome.destroyed,
                "points_removed": best.points_removed,
                "points_removed_without": base.points_removed,
                "gain_damage": damage,
                "gain_damage_per_cp": damage / stratagem.cp if stratagem.cp else None,
                "gain_destroyed": best.outcome.destroyed - base.outcome.destroyed,
                "gain_points_removed": removed,
                "gain_points_removed_per_cp": removed / stratagem.cp if stratagem.cp else None,
            }
