"""Layers with one name for each thing: units are joined by faction and normalised name.

The layer that is believed first gives the name, whatever the edition: a unit of two editions has
one name, too, and its editions stay apart.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from killcurve.tables.layers import Layer
from killcurve.tables.naming import faction_key, loose_key, name_key, rule_key

Unit = tuple[str, str]
Rule = tuple[str, str, str]
Place = tuple[str, ...]
OF_UNITS = ("datasheet", "leader", "bodyguard")
"""Columns that name units of the row's faction."""
OF_FACTIONS = ("faction", "parent", "army")
"""Columns that name factions; one that is none of those known stays as it is."""


@dataclass(slots=True)
class Forms:
    """How names of a kind are compared: loosely, but strictly where one source tells them apart."""

    loose: Callable[[str], str]
    strict: set[tuple[Place, str]] = field(default_factory=set)

    def learn(self, names: Iterable[tuple[Place, str]]) -> None:
        """Names that one source has, each with the place in which it stands for one thing."""
        found: dict[tuple[Place, str], set[str]] = defaultdict(set)
        for place, name in names:
            found[place, self.loose(name)].add(name_key(name))
        self.strict |= {key for key, forms in found.items() if len(forms) > 1}

    def key(self, place: Place, name: str) -> tuple[Place, str]:
        """What a name is found by."""
        loose = (place, self.loose(name))
        return (place, name_key(name)) if loose in self.strict else loose


@dataclass(slots=True)
class Names:
    """The names that things have in all layers, by the forms in which they are compared."""

    factions: dict[str, str] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    units: dict[tuple[Place, str], Unit] = field(default_factory=dict)
    detachments: dict[Place, str] = field(default_factory=dict)
    rules: dict[tuple[Place, str], str] = field(default_factory=dict)
    unit_forms: Forms = field(default_factory=lambda: Forms(loose_key))
    rule_forms: Forms = field(default_factory=lambda: Forms(rule_key))

    @classmethod
    def of(cls, layers: Sequence[Layer]) -> Names:
        """The names of layers, of which earlier ones count more."""
        names = cls()
        for layer in layers:
            names._add_factions(layer)
        names._add_units([list(_units(layer)) for layer in layers])
        names._add_rules([list(_rules(layer)) for layer in layers])
        return names

    def unit(self, faction: str, name: str) -> Unit:
        """The faction and name of a unit; no name is that of a faction's own row."""
        known = self.units.get(self.unit_forms.key((faction_key(faction),), name)) if name else None
        return known or (self.faction(faction), name)

    def faction(self, name: str) -> str:
        """The name of a faction."""
        return self.factions.get(faction_key(name), name)

    def detachment(self, faction: str, name: str) -> str:
        """The name of a detachment."""
        return self.detachments.get(_place(faction, name), name)

    def rule(self, faction: str, detachment: str, name: str) -> str:
        """The name of a stratagem or an enhancement."""
        return self.rules.get(self.rule_forms.key(_place(faction, detachment), name), name)

    def _add_factions(self, layer: Layer) -> None:
        for _, frame in sorted(layer.dataset.tables.items()):
            if "faction" in frame.columns:
                for name in frame["faction"].drop_nulls().unique().sort():
                    self.factions.setdefault(faction_key(name), name)
        for faction, parent in layer.dataset["factions"].select("faction", "parent").rows():
            if parent:
                self.parents.setdefault(faction_key(faction), faction_key(parent))
                self.factions.setdefault(faction_key(parent), parent)

    def _add_units(self, listed: Sequence[Sequence[Unit]]) -> None:
        for units in listed:
            self.unit_forms.learn(((faction_key(faction),), name) for faction, name in units)
        keyed = [
            (self.unit_forms.key((faction_key(faction),), name), name)
            for units in listed
            for faction, name in units
        ]
        there = {key for key, _ in keyed}
        homes = {key: self._home(key, there) for key in there}
        for key, name in keyed:
            home = homes[key]
            self.units.setdefault(home, (self.factions[home[0][0]], name))
        for key, home in homes.items():
            self.units[key] = self.units[home]

    def _home(self, key: tuple[Place, str], there: set[tuple[Place, str]]) -> tuple[Place, str]:
        """The unit of the parent faction, if that has one of this name (chapters)."""
        (faction,), name = key
        above = ((self.parents.get(faction, faction),), name)
        return above if above in there else key

    def _add_rules(self, listed: Sequence[Sequence[Rule]]) -> None:
        for rules in listed:
            self.rule_forms.learn((_place(*rule[:2]), rule[2]) for rule in rules)
        for faction, detachment, name in (rule for rules in listed for rule in rules):
            place = _place(faction, detachment)
            self.detachments.setdefault(place, detachment)
            self.rules.setdefault(self.rule_forms.key(place, name), name)


def _place(faction: str, detachment: str) -> Place:
    return faction_key(faction), name_key(detachment)


def _units(layer: Layer) -> Iterator[Unit]:
    """The units that a layer names, each once, those with datasheets first."""
    seen: Counter[Unit] = Counter()
    tables = layer.dataset.tables
    for table in sorted(tables, key=lambda name: (name != "datasheets", name)):
        frame = tables[table]
        for column in OF_UNITS:
            if column in frame.columns and "faction" in frame.columns:
                for unit in (
                    frame.select("faction", column).drop_nulls().unique().sort(pl.all()).rows()
                ):
                    seen[unit] += 1
                    if unit[1] and seen[unit] == 1:
                        yield unit


def _rules(layer: Layer) -> Iterator[Rule]:
    """The rules that a layer names; a detachment itself has an empty name."""
    for table in ("detachments", "stratagems", "enhancements"):
        rows = layer.dataset[table]
        name = pl.col("name") if "name" in rows.columns else pl.lit("").alias("name")
        yield from rows.select("faction", "detachment", name).rows()


def joined(layers: Sequence[Layer]) -> list[Layer]:
    """The layers with one name for each thing: that of the first layer which has it."""
    names = Names.of(layers)
    return [
        replace(
            layer,
            dataset=replace(
                layer.dataset,
                tables={t: _renamed(f, names) for t, f in layer.dataset.tables.items()},
            ),
        )
        for layer in layers
    ]


def _renamed(frame: pl.DataFrame, names: Names) -> pl.DataFrame:
    """A table under the common names."""
    if frame.is_empty() or "faction" not in frame.columns:
        return frame
    columns = [c for c in (*OF_FACTIONS, *OF_UNITS, "detachment", "name") if c in frame.columns]
    keys = frame.select(columns).unique()
    changed = [new for row in keys.rows(named=True) if (new := _new(row, names)) is not None]
    if not changed:
        return frame
    schema = dict.fromkeys((*columns, *(f"{c}_new" for c in columns)), pl.String)
    moves = pl.DataFrame(changed, schema=schema)
    moved = frame.join(moves, on=columns, how="left", nulls_equal=True, maintain_order="left")
    is_moved = pl.col("faction_new").is_not_null()
    return moved.with_columns(
        pl.when(is_moved).then(pl.col(f"{c}_new")).otherwise(pl.col(c)).alias(c) for c in columns
    ).select(frame.columns)


def _new(row: dict[str, str | None], names: Names) -> dict[str, str | None] | None:
    """The names of a row, beside its old ones; null if they are the same."""
    new = dict(row)
    faction = row["faction"]
    if faction is None:
        return None
    for column in OF_FACTIONS:
        if row.get(column):
            new[column] = names.faction(str(row[column]))
    for column in reversed(OF_UNITS):
        if row.get(column):
            new["faction"], new[column] = names.unit(faction, str(row[column]))
    if row.get("detachment"):
        new["detachment"] = names.detachment(faction, str(row["detachment"]))
    if row.get("name") and "detachment" in row:
        new["name"] = names.rule(faction, str(row["detachment"]), str(row["name"]))
    return None if new == row else {**row, **{f"{c}_new": value for c, value in new.items()}}
