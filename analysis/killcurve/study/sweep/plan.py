"""What a sweep has to compute: distinct halves, which of them meet, and the names behind them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum

import numpy as np
import polars as pl

from killcurve.engine.batch import Attacks, TargetHalf, work
from killcurve.engine.edition import edition as rule_state
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.rules.spelling import did_you_mean, normal
from killcurve.study.lines import Attacker, attacker
from killcurve.study.sweep.arming import Arming
from killcurve.study.sweep.combinations import Combinations
from killcurve.study.sweep.effect_sets import Army
from killcurve.study.sweep.field import Field, Ids
from killcurve.study.sweep.halves import (
    Classes,
    Entries,
    attack_halves,
    named,
    pairs,
    target_halves,
)
from killcurve.study.sweep.tables import Frames, keys, tables
from killcurve.study.targets import defender
from killcurve.tables.dataset import DataError, Dataset

PAIRS_A_PART = 200_000
"""So many outcomes, or just more, are computed and written together."""

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A sweep to be done.

    ``attack_laws`` and ``target_halves`` are the distinct halves; target half t meets the attack
    halves ``met[starts[t] : starts[t + 1]]``. ``tables`` are those of
    :mod:`killcurve.study.sweep.tables`. ``combinations`` counts named combinations with an
    outcome, ``cells`` multiplications.
    """

    attack_laws: list[FloatArray]
    target_halves: list[TargetHalf]
    starts: Ids
    met: Ids
    tables: Frames
    combinations: int
    without_effect: int
    cells: int
    pairs_a_part: int = PAIRS_A_PART

    @property
    def distinct(self) -> int:
        """How many outcomes there are to compute."""
        return len(self.met)

    def parts(self) -> Iterator[slice]:
        """The target halves of each part."""
        first = 0
        for half in range(1, len(self.target_halves) + 1):
            enough = self.starts[half] - self.starts[first] >= self.pairs_a_part
            if enough or half == len(self.target_halves):
                yield slice(first, half)
                first = half

    def describe(self) -> str:
        """What there is to do, for people."""
        return (
            f"{self.combinations:,} combinations of {self.tables['weapons'].height:,} weapon "
            f"profiles, {self.tables['effect_sets'].height:,} sets of effects and "
            f"{self.tables['targets'].height:,} targets\n"
            f"{len(self.attack_laws):,} attack halves, {len(self.target_halves):,} target halves, "
            f"{self.distinct:,} distinct pairs ({self.combinations / max(1, self.distinct):.0f} "
            f"combinations each)\n"
            f"{self.cells:.3g} multiplications in {len(list(self.parts()))} parts"
        )

    def digest(self) -> str:
        """A hash of everything in the plan."""
        found = hashlib.sha256()
        for name, frame in sorted(self.tables.items()):
            found.update(name.encode())
            found.update(frame.write_csv().encode() if not _nested(frame) else _flat_bytes(frame))
        for array in (self.starts, self.met, *self.attack_laws):
            found.update(str(array.shape).encode() + np.ascontiguousarray(array).tobytes())
        for half in self.target_halves:
            found.update("\n".join(_told(half)).encode())
        return found.hexdigest()


def _nested(frame: pl.DataFrame) -> bool:
    return any(kind.is_nested() for kind in frame.dtypes)


def _flat_bytes(frame: pl.DataFrame) -> bytes:
    lists = [name for name, kind in frame.schema.items() if kind.is_nested()]
    return frame.with_columns(pl.col(lists).list.join("\t")).write_csv().encode()


def _told(value: object) -> Iterator[str]:
    """Everything a half holds, in words that tell floats apart."""
    if isinstance(value, Pmf):
        yield f"{value.start}:{value.weights.tobytes().hex()}"
    elif isinstance(value, Enum):
        yield value.name
    elif is_dataclass(value) and not isinstance(value, type):
        yield type(value).__name__
        for each in fields(value):
            yield from _told(getattr(value, each.name))
    elif isinstance(value, tuple):
        yield str(len(value))
        for item in value:
            yield from _told(item)
    else:
        yield repr(value)


def make_plan(
    dataset: Dataset,
    edition: str = "11e",
    *,
    faction: str | None = None,
    limit: int | None = None,
    say: Say = lambda _: None,
) -> Plan:
    """Plan the sweep of a dataset: every weapon (of a faction; the first so many) and target.

    ``edition`` is a rule state. ``say`` is told what is being done.

    Raises:
        DataError: if there is no such faction, or no weapon.
    """
    rules = rule_state(edition)
    say("reading units")
    sheets = dataset.datasheets.select("faction", "datasheet", "edition")
    units = (
        sheets.unique(["faction", "datasheet"], keep="first").sort("faction", "datasheet").rows()
    )
    chosen = _faction(dataset, faction)
    armies = {
        (name, sheet): Army(dataset, name, sheet, edition)
        for name, sheet in dict.fromkeys((f, e) for f, _, e in units)
    }
    field = Field()
    for name, datasheet, sheet in units:
        if dataset.of_unit("models", name, datasheet).height:
            field.add(defender(dataset, datasheet, name), armies[name, sheet].defending)
    say("arming weapons")
    arming = Arming(field, rules)
    found = Combinations(arming)
    attackers = (
        attacker(dataset, datasheet, name) for name, datasheet, _ in units if chosen in (None, name)
    )
    _arm(found, attackers, armies, limit)
    if not found.weapons:
        raise DataError("there is no weapon to compute; take a larger --limit, or another faction")
    say("working out halves")
    classes = Classes.of(field.stats, field.stat_of(), field.class_members)
    entries = Entries.of(found.armaments)
    attacks = attack_halves(found.sidings, entries, classes, rules)
    targets = target_halves(found.sidings, entries, classes, rules)
    meets = list(pairs(entries, classes, attacks, targets))
    many = Attacks(attacks.laws)
    rows = [row.armament for row in found.rows]
    combinations, refused = named(rows, found.armaments, classes.counts, targets)
    return Plan(
        attack_laws=attacks.laws,
        target_halves=targets.halves,
        starts=np.concatenate([[0], np.cumsum([len(ids) for ids in meets])]).astype(np.int64),
        met=np.concatenate([np.zeros(0, dtype=np.int32), *meets]),
        tables={
            **tables(field, found, arming, classes, refused),
            "attack_keys": keys(attacks.half_of, ("attack", "toughness", "attack_half")),
            "target_keys": keys(targets.half_of, ("harm", "stat", "target_half")),
        },
        combinations=combinations,
        without_effect=found.without_effect,
        cells=sum(work(many, h, ids) for h, ids in zip(targets.halves, meets, strict=True)),
    )


def _faction(dataset: Dataset, name: str | None) -> str | None:
    if name is None:
        return None
    factions = dataset.datasheets["faction"].unique().sort().to_list()
    found = [f for f in factions if normal(f) == normal(name)]
    if not found:
        raise DataError(f"no faction {name!r}{did_you_mean(name, factions)}")
    return str(found[0])


def _arm(
    found: Combinations,
    units: Iterable[Attacker],
    armies: Mapping[tuple[str, str], Army],
    limit: int | None,
) -> None:
    for unit in units:
        for line in unit.lines:
            if limit is not None and len(found.weapons) >= limit:
                return
            found.add(unit, line, armies[unit.faction, unit.edition])
