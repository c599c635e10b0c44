"""What rules do, from their texts: for every rule that nobody has said anything of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from killcurve.rules.eligibility import bearer, eligible
from killcurve.rules.spelling import normal
from killcurve.sources.texts.abilities import Reads, ability_row
from killcurve.sources.texts.asking import Question, Tell, answered
from killcurve.sources.texts.shelf import Ability, Shelf
from killcurve.tables.building import checked, effect_rows, frame
from killcurve.tables.dataset import Dataset
from killcurve.tables.rulings import Ruling, together

Row = dict[str, Any]
RULES = {"stratagems": "stratagem", "enhancements": "enhancement", "detachments": "detachment"}
"""Tables of rules, and the kind of text that tells of them."""


def with_rules_read(dataset: Dataset, tell: Tell = lambda _: None) -> Dataset:
    """The dataset with what its texts say of rules that are not read yet.

    Rules that the toolkit's reference knows stay as they are. ``tell`` is told how far it is.
    """
    if dataset["texts"].is_empty():
        return dataset
    shelf, known = Shelf(dataset), _keywords(dataset)
    abilities = list(shelf.abilities())
    asking = _Asking()
    _told(dataset, shelf, abilities, known, asking)
    rows, told = _told(dataset, shelf, abilities, known, _Answers(asking.questions, tell))
    tables = {table: _filled(table, own) for table, own in rows.items()}
    if told:
        tables["unit_abilities"] = _abilities(dataset, told)
    whole = {**dataset.tables, **tables}
    whole["effects"], _ = checked("effects", frame("effects", effect_rows(whole)))
    return Dataset(dataset.about, whole, dataset.set_aside)


def _told(
    dataset: Dataset, shelf: Shelf, abilities: list[Ability], known: frozenset[str], reading: Reads
) -> tuple[dict[str, list[Row]], list[Row]]:
    """The rows of rules with what their texts say, by table, and those of abilities."""
    rows = {
        table: [_read(table, row, shelf, known, reading) for row in given]
        for table in RULES
        if (given := dataset[table].rows(named=True))
    }
    return rows, [ability_row(ability, reading) for ability in abilities]


class _Asking:
    """Notes what is asked; the answers come in a second round, from all questions at once."""

    def __init__(self) -> None:
        self.questions: list[Question] = []

    def __call__(self, text: str, *, name: str, kind: str, edition: str) -> Ruling:
        self.questions.append(Question(text, name, kind, edition))
        return Ruling()


class _Answers:
    """Gives the answers to questions that were asked before."""

    def __init__(self, questions: list[Question], tell: Tell) -> None:
        self._found = answered(questions, tell)

    def __call__(self, text: str, *, name: str, kind: str, edition: str) -> Ruling:
        return self._found[Question(text, name, kind, edition).key]


def _keywords(dataset: Dataset) -> frozenset[str]:
    """Every keyword, and the names of units, which are keywords as well."""
    names = {normal(name) for name in dataset.datasheets["datasheet"]}
    return frozenset(dataset["keywords"]["keyword"]) | names


def _filled(table: str, rows: list[Row]) -> pl.DataFrame:
    kept, _ = checked(table, frame(table, rows))
    return kept


def _read(table: str, row: Row, shelf: Shelf, known: frozenset[str], reading: Reads) -> Row:
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


def _detachment(row: Row, shelf: Shelf, reading: Reads) -> Row:
    """A detachment with what the texts of its rules say, together."""
    if row["status"] != "unread" or not row["rules"]:
        return row
    found = list(_rulings(row, shelf, reading))
    return {**row, **together(found).columns()} if any(f.read_from for f in found) else row


def _rulings(row: Row, shelf: Shelf, reading: Reads) -> Iterator[Ruling]:
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
