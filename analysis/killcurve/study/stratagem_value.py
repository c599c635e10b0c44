"""What each stratagem adds to a unit's attacks, one at a time, per command point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import polars as pl

from killcurve.rules.effect_rules import improves_attacks
from killcurve.rules.effects import Effect
from killcurve.rules.spelling import normal
from killcurve.study.lines import Attacker
from killcurve.study.matchup import Circumstances, attack
from killcurve.study.targets import Defender
from killcurve.tables.dataset import Dataset
from killcurve.tables.reference import EVERYWHERE, compared, core_stratagems, lookup

PHASE_OF_KIND = {"ranged": "shooting", "melee": "fight"}

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


@dataclass(frozen=True, slots=True)
class Stratagem:
    """A stratagem as it bears on a unit's attacks.

    ``assumes`` are the conditions of its effects that are circumstances or words a person
    ticks: they are taken to hold, with and without the stratagem, so that the gain is its own.
    """

    name: str
    detachment: str
    cp: int
    phases: frozenset[str]
    effects: tuple[Effect, ...]
    status: str

    @property
    def assumes(self) -> tuple[str, ...]:
        """The conditions that are taken to hold, in words."""
        kinds = ("flag", "words")
        clauses = [c for e in _flat(self.effects) for c in e.condition if c.kind in kinds]
        return tuple(dict.fromkeys(str(c).strip('"') for c in clauses))

    def circumstances(self, how: Circumstances) -> Circumstances:
        """``how``, with what the stratagem assumes."""
        clauses = [c for e in _flat(self.effects) for c in e.condition]
        return Circumstances(
            edition=how.edition,
            flags=how.flags | {c.words[0] for c in clauses if c.kind == "flag"},
            ticked=how.ticked | {c.words[0].casefold() for c in clauses if c.kind == "words"},
            attacker_effects=how.attacker_effects,
            target_effects=how.target_effects,
        )

    def variants(self) -> Iterator[tuple[Effect, ...]]:
        """The effects for each way to make the choices it offers."""
        options = [
            e.amount if e.what == "one of" and isinstance(e.amount, tuple) else ((e,),)
            for e in self.effects
        ]
        for choice in product(*options):
            yield tuple(effect for part in choice for effect in part)


def attack_stratagems(
    dataset: Dataset, unit: Attacker, edition: str | None = None
) -> list[Stratagem]:
    """The stratagems that change the unit's attacks, by detachment and name, core ones first.

    They are those of its own faction, in the edition of its datasheet, and the core stratagems of
    the rule state ``edition`` (``None`` for that of the datasheet), each once, whether the
    dataset has them or not. One that needs keywords which the unit does not have is left out.
    """
    rows = [
        row
        for row in _rows(dataset, unit, edition or unit.edition)
        if row["side"] in ("attacker", "both") and _may_use(row, unit)
    ]
    made = map(_stratagem, sorted(rows, key=lambda row: (row["detachment"], row["name"])))
    return [s for s in made if any(improves_attacks(e) for e in _flat(s.effects))]


def _rows(dataset: Dataset, unit: Attacker, edition: str) -> list[Mapping[str, Any]]:
    """The stratagems with effects that a unit's army may use.

    A core stratagem is the dataset's (the faction's own page before a row for all factions),
    else the reference's. Where the dataset has it again for another way to play, it is left out.
    """
    found = dataset.stratagems.filter(
        (pl.col("edition") == unit.edition)
        & pl.col("faction").is_in([unit.faction, ""])
        & (pl.col("effects").list.len() > 0)
    ).sort("faction", descending=True)
    core: dict[str, Mapping[str, Any]] = {}
    others = []
    for row in found.rows(named=True):
        if row["detachment"]:
            others.append(row)
        elif edition == unit.edition:
            core.setdefault(_core_key(row["name"], edition), row)
    for entry in core_stratagems(edition):
        core.setdefault(compared(entry.name), asdict(entry))
    again = [
        row
        for row in others
        if normal(row["detachment"]) in EVERYWHERE and _core_key(row["name"], edition) in core
    ]
    return [*core.values(), *(row for row in others if row not in again)]


def _core_key(name: str, edition: str) -> str:
    """A core stratagem's name as it is compared, whichever edition it has the name from."""
    entry = lookup("stratagem", edition, "", "", name)
    return compared(name if entry is None else entry.name)


def _stratagem(row: Mapping[str, Any]) -> Stratagem:
    return Stratagem(
        name=row["name"],
        detachment=row["detachment"],
        cp=row["cp"],
        phases=frozenset(row["phase"]),
        effects=tuple(Effect.parse(phrase) for phrase in row["effects"]),
        status=row["status"],
    )


def _may_use(row: Mapping[str, Any], unit: Attacker) -> bool:
    alternatives = [set(word.split(" + ")) for word in row["used_by"]]
    return not alternatives or any(words <= unit.keywords for words in alternatives)


def _flat(effects: Iterable[Effect]) -> Iterator[Effect]:
    for effect in effects:
        if effect.what == "one of" and isinstance(effect.amount, tuple):
            for option in effect.amount:
                yield from _flat(option)
        yield effect


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
            base = attack(unit, [line], target, base_case)
            results = [
                attack(unit, [line], target, base_case.helped(effects, "attacker"))
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
