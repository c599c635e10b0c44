"""A user's own word on rules: effects added or replaced by the rule's name.

``overrides.toml`` beside a dataset's tables (in a checkout ``data/overrides.toml`` for the
embedded default) holds entries as the toolkit's reference has them, with less to say::

    [[stratagem]]
    name = "VOLLEY OF SPITE"
    effects = ["reroll hits ones for ranged", "lethal hits if charged"]

Every rule of that name is meant, unless ``faction``, ``detachment``, ``datasheet`` or ``edition``
say which. ``replace = false`` adds the effects to those that are known. A stratagem or an
enhancement that no table has is added, if the entry says enough of it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from killcurve.rules.effects import Effect
from killcurve.rules.spelling import did_you_mean, normal
from killcurve.tables.building import checked, effect_rows, frame
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.reference_files import compared
from killcurve.tables.rulings import Ruling
from killcurve.tables.schemas import EDITIONS, SCHEMAS, SIDES

FILE = "overrides.toml"

_TABLES = {
    "stratagem": ("stratagems", "name"),
    "enhancement": ("enhancements", "name"),
    "detachment": ("detachments", "rules"),
    "ability": ("unit_abilities", "ability"),
}
_PLACES = ("edition", "faction", "detachment", "datasheet")
_OWN = ("name", "effects", "side", "replace")
_FACTS: dict[str, tuple[str, ...]] = {
    "stratagem": ("cp", "type", "phase", "turn", "used_by"),
    "enhancement": ("cost", "used_by"),
    "detachment": (),
    "ability": (),
}
_NEEDED = {
    "stratagem": ("edition", "faction", "detachment", "cp", "phase"),
    "enhancement": ("edition", "faction", "detachment"),
}


@dataclass(frozen=True, slots=True)
class Override:
    """One entry: the rule's kind and name, which of that name, and what it does.

    ``facts`` are other columns that the entry sets (``cp``, ``phase``, …).
    """

    kind: str
    name: str
    places: Mapping[str, str]
    effects: tuple[Effect, ...]
    side: str | None
    replaces: bool
    facts: Mapping[str, Any]
    where: str

    def is_of(self, row: Mapping[str, Any]) -> bool:
        """Whether a row is of the rule that is meant."""
        _, column = _TABLES[self.kind]
        names = row[column] if isinstance(row[column], list) else [row[column]]
        if compared(self.name) not in {compared(name) for name in names}:
            return False
        return all(normal(str(row.get(key, ""))) == normal(v) for key, v in self.places.items())

    def changed(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The row with what the entry says."""
        phrases = [str(effect) for effect in self.effects]
        if not self.replaces:
            phrases = list(dict.fromkeys([*row["effects"], *phrases]))
        side = self.side or row["side"] or ("attacker" if phrases else None)
        status = "modelled" if phrases else "none"
        said = Ruling(side if phrases else None, tuple(phrases), status, (), "override")
        return {**row, **self.facts, **said.columns()}


def read(path: Path) -> tuple[Override, ...]:
    """The entries of a file; none if there is no file.

    Raises:
        DataError: naming the file, the entry, and the word that is wrong.
    """
    if not path.is_file():
        return ()
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path} is not TOML in UTF-8: {error}") from None
    found = []
    for kind, entries in data.items():
        if kind not in _TABLES:
            raise DataError(
                f"{path}: there is no [[{kind}]]{did_you_mean(kind, _TABLES)}; there are "
                f"{', '.join(f'[[{name}]]' for name in _TABLES)}"
            )
        if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
            raise DataError(f"{path}: write [[{kind}]] with two brackets, once for each rule")
        for number, entry in enumerate(entries, start=1):
            where = f"{path}, [[{kind}]] {number} ({entry.get('name')!r})"
            found.append(_entry(kind, entry, where))
    return tuple(found)


def _entry(kind: str, entry: Mapping[str, Any], where: str) -> Override:
    known = (*_OWN, *_PLACES, *_FACTS[kind])
    for key in entry:
        if key not in known:
            raise DataError(f"{where}: there is no field {key!r}{did_you_mean(key, known)}")
    name = entry.get("name")
    if not isinstance(name, str) or not compared(name):
        raise DataError(f'{where}: say the rule\'s name (name = "…")')
    phrases = entry.get("effects")
    if not isinstance(phrases, list):
        raise DataError(f"{where}: effects is a list of phrases; [] for a rule that does nothing")
    replaces = entry.get("replace", True)
    if not isinstance(replaces, bool):
        raise DataError(f"{where}: replace is true or false, not {replaces!r}")
    side = _word(entry, "side", where, SIDES)
    places = {key: str(entry[key]) for key in _PLACES if key in entry}
    _word(entry, "edition", where, EDITIONS)
    return Override(
        kind=kind,
        name=name,
        places=places,
        effects=tuple(_effect(phrase, where) for phrase in phrases),
        side=side,
        replaces=replaces,
        facts={key: entry[key] for key in _FACTS[kind] if key in entry},
        where=where,
    )


def _word(entry: Mapping[str, Any], key: str, where: str, allowed: tuple[str, ...]) -> str | None:
    value = entry.get(key)
    if value is not None and value not in allowed:
        raise DataError(f"{where}: {key} is {value!r}; it is one of {', '.join(allowed)}")
    return value


def _effect(phrase: object, where: str) -> Effect:
    if not isinstance(phrase, str):
        raise DataError(f"{where}: {phrase!r} is no phrase of the effect language")
    try:
        return Effect.parse(phrase)
    except ValueError as error:
        raise DataError(f"{where}: {error}") from None


def overridden(dataset: Dataset, overrides: tuple[Override, ...]) -> Dataset:
    """The dataset with the user's word on its rules.

    Raises:
        DataError: if there is no rule of a name, with the closest ones, unless the entry says
            enough to add it.
    """
    if not overrides:
        return dataset
    tables = dict(dataset.tables)
    for override in overrides:
        table, _ = _TABLES[override.kind]
        tables[table] = _changed(Dataset(dataset.about, tables)[table], table, override, dataset)
    tables["effects"], _ = checked("effects", frame("effects", effect_rows(tables)))
    return Dataset(
        dataset.about, tables, dataset.set_aside, sources=dataset.sources, prefer=dataset.prefer
    )


def _changed(known: pl.DataFrame, table: str, override: Override, dataset: Dataset) -> pl.DataFrame:
    rows = known.rows(named=True)
    hits = [override.is_of(row) for row in rows]
    if any(hits):
        new = [override.changed(r) if hit else r for r, hit in zip(rows, hits, strict=True)]
    else:
        new = [*rows, _added(override, known, dataset)]
    kept, reasons = checked(table, frame(table, new))
    if reasons:
        why = "; ".join(reasons)
        raise DataError(f"{override.where} does not fit: {why}")
    return kept


def _added(override: Override, known: pl.DataFrame, dataset: Dataset) -> dict[str, Any]:
    """The row of a rule that no table has."""
    _, column = _TABLES[override.kind]
    needed = _NEEDED.get(override.kind)
    given = {**override.places, **override.facts}
    missing = [key for key in needed or () if key not in given]
    if needed is None or missing:
        names = known[column].explode() if known.schema[column] == pl.List else known[column]
        close = did_you_mean(override.name, names.drop_nulls().unique().to_list())
        more = f"; to add it, also say its {', '.join(missing)}" if needed else ""
        raise DataError(f"{override.where}: no {override.kind} has this name{close}{more}")
    empty = dict.fromkeys(SCHEMAS[_TABLES[override.kind][0]].columns())
    own = {"source": "overrides", "version": dataset.about.version, "name": override.name}
    base = {**empty, **own, "effects": [], "used_by": [], **given}
    return override.changed(base)
