"""Which rules bear on attacks: stratagems, detachment rules, enhancements; and who may use them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from killcurve.rules.bearing import flat
from killcurve.rules.effect_rules import improves_attacks
from killcurve.rules.effects import Effect
from killcurve.rules.eligibility import may_use
from killcurve.rules.spelling import normal
from killcurve.rules.ways import ways_to_choose
from killcurve.study.lines import Attacker
from killcurve.study.matchup import Circumstances
from killcurve.tables.dataset import Dataset
from killcurve.tables.reference import EVERYWHERE, compared, core_stratagems, lookup


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
        clauses = [c for e in flat(self.effects) for c in e.condition if c.kind in kinds]
        return tuple(dict.fromkeys(str(c).strip('"') for c in clauses))

    def circumstances(self, how: Circumstances) -> Circumstances:
        """``how``, with what the stratagem assumes."""
        clauses = [c for e in flat(self.effects) for c in e.condition]
        return Circumstances(
            edition=how.edition,
            flags=how.flags | {c.words[0] for c in clauses if c.kind == "flag"},
            ticked=how.ticked | {c.words[0].casefold() for c in clauses if c.kind == "words"},
            attacker_effects=how.attacker_effects,
            target_effects=how.target_effects,
        )

    def variants(self) -> Iterator[tuple[Effect, ...]]:
        """The effects for each way to make the choices it offers."""
        for effects, _ in ways_to_choose(self.effects):
            yield effects


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
        for row in army_stratagems(dataset, unit.faction, unit.edition, edition or unit.edition)
        if row["side"] in ("attacker", "both") and may_use(row["used_by"], unit.keywords)
    ]
    made = map(_stratagem, sorted(rows, key=lambda row: (row["detachment"], row["name"])))
    return [s for s in made if any(improves_attacks(e) for e in flat(s.effects))]


def army_stratagems(
    dataset: Dataset, faction: str, sheets: str, edition: str
) -> list[Mapping[str, Any]]:
    """The stratagems with effects that a faction's army may use, as rows of the dataset's table.

    ``sheets`` is the edition of its datasheets, ``edition`` the rule state. A core stratagem is the
    dataset's (the faction's own page before a row for all factions), else the reference's. Where
    the dataset has it again for another way to play, it is left out.
    """
    found = dataset.stratagems.filter(
        (pl.col("edition") == sheets)
        & pl.col("faction").is_in([faction, ""])
        & (pl.col("effects").list.len() > 0)
    ).sort("faction", descending=True)
    core: dict[str, Mapping[str, Any]] = {}
    others = []
    for row in found.rows(named=True):
        if row["detachment"]:
            others.append(row)
        elif edition == sheets:
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
