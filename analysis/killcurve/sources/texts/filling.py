"""What rules do, from their texts: for every rule that nobody has said anything of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import polars as pl

from killcurve.rules.eligibility import bearer, eligible
from killcurve.rules.spelling import normal
from killcurve.sources.texts.abilities import ability_row
from killcurve.sources.texts.shelf import Shelf
from killcurve.tables.building import checked, effect_rows, frame
from killcurve.tables.dataset import Dataset
from killcurve.tables.rulings import Ruling, read_text, together

Row = dict[str, Any]
Tell = Callable[[str], None]
RULES = {"stratagems": "stratagem", "enhancements": "enhancement", "detachments": "detachment"}
"""Tables of rules, and the kind of text that tells of them."""

EVERY = 500


def with_rules_read(dataset: Dataset, tell: Tell = lambda _: None) -> Dataset:
    """The dataset with what its texts say of rules that are not read yet.

    Rules that the toolkit's reference knows stay as they are. ``tell`` is told how far it is.
    """
    if dataset["texts"].is_empty():
        return dataset
    shelf, known = Shelf(dataset), _keywords(dataset)
    reading = _Reading(tell)
    tables = {
        table: _filled(table, [_read(table, row, shelf, known, reading) for row in rows])
        for table in RULES
        if (rows := dataset[table].rows(named=True))
    }
    told = [ability_row(ability, reading) for ability in shelf.abilities()]
    if told:
        tables["unit_abilities"] = _abilities(dataset, told)
    whole = {**dataset.tables, **tables}
    whole["effects"], _ = checked("effects", frame("effects", effect_rows(whole)))
    return Dataset(dataset.about, whole, dataset.set_aside)


class _Reading:
    """Reads texts, each once, and tells how many it has read."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._known: dict[tuple[str, str, str], Ruling] = {}

    def __call__(self, text: str, *, name: str, kind: str, edition: str) -> Ruling:
        key = (text, kind, edition)
        if key not in self._known:
            self._known[key] = read_text(text, name=name, kind=kind, edition=edition)
            if len(self._known) % EVERY == 0:
                self._tell(f"{len(self._known)} rules texts read")
        return self._known[key]


def _keywords(dataset: Dataset) -> frozenset[str]:
    """Every keyword, and the names of units, which are keywords as well."""
    names = {normal(name) for name in dataset.datasheets["datasheet"]}
    return frozenset(dataset["keywords"]["keyword"]) | names


def _filled(table: str, rows: list[Row]) -> pl.DataFrame:
    kept, _ = checked(table, frame(table, rows))
    return kept


def _read(table: str, row: Row, shelf: Shelf, known: frozenset[str], reading: _Reading) -> Row:
    """A row with what its text says, where nobody has said anything of the rule."""
    if table == "detachments":
        return _detachment(row, shelf, reading)
    kind = RULES[table]
    text = shelf.find(kind, row, row["name"])
    if text is None:
        return row
    if not row["used_by"]:
        row = {**row, "used_by": list(_who(kind, text, known))}
    if row["status"] != "unread":
        return row
    found = reading(text, name=row["name"], kind=kind, edition=row["edition"])
    return {**row, **found.columns()}


def _detachment(row: Row, shelf: Shelf, reading: _Reading) -> Row:
    """A detachment with what the texts of its rules say, together."""
    if row["status"] != "unread" or not row["rules"]:
        return row
    found = list(_rulings(row, shelf, reading))
    return {**row, **together(found).columns()} if any(f.read_from for f in found) else row


def _rulings(row: Row, shelf: Shelf, reading: _Reading) -> Iterator[Ruling]:
    for name in row["rules"]:
        text = shelf.find("detachment", row, name)
        if text is None:
            yield Ruling()
        else:
            yield reading(text, name=name, kind="detachment rule", edition=row["edition"])


def _who(kind: str, text: str, known: frozenset[str]) -> tuple[str, ...]:
    """The keywords of which its unit needs one."""
    if kind == "enhancement":
        return bearer(text, known)
    _, _, target = text.partition("TARGET:")
    return eligible(target.partition("EFFECT:")[0], known)


def _abilities(dataset: Dataset, told: list[Row]) -> pl.DataFrame:
    """The abilities that texts tell of beside those that are known already."""
    about = dataset.about
    rows = frame("unit_abilities", told, source=about.source, version=about.version)
    kept, _ = checked("unit_abilities", pl.concat([dataset["unit_abilities"], rows]))
    return kept
