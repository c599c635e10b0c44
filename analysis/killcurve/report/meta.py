"""The report on the whole game: every unit of a dataset against the panel, and it against them."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from killcurve.report import account, changes
from killcurve.report import field as fields
from killcurve.report.account import Tell
from killcurve.report.document import Report
from killcurve.report.field import Field, field
from killcurve.report.meta_frames import Game, game
from killcurve.report.meta_sections import sections
from killcurve.report.meta_words import summary
from killcurve.report.outliers import MADE
from killcurve.report.roles import RULE
from killcurve.study.armed import Combatant
from killcurve.study.matrix import combatants
from killcurve.tables.dataset import DataError, Dataset


def meta_report(
    dataset: Dataset, *, since: Dataset | None = None, tell: Tell = lambda _: None
) -> Report:
    """The report on all factions of a dataset; ``since`` is another one, of which changes are told.

    Raises:
        DataError: if nothing can be ranked, with what the data lacks.
    """
    others = account.panel(dataset)
    parts = _parts(dataset, others, tell)
    whole = _together(parts)
    if not (whole.attack.height or whole.tough.height):
        raise DataError(
            f"nothing can be ranked: of {len(whole.units)} units the data has no cost of "
            f"{len(whole.unpriced)}, no weapons of {len(whole.unarmed)} and no stat line of "
            f"{len(whole.bare)}; import a source that has (killcurve import --help)"
        )
    tell("the field")
    found = game(whole)
    told, parts_of_it = summary(found, whole), list(sections(found, others))
    frames = found.frames()
    if since is not None:
        tell("what changed")
        before = changes.since_words(since)
        changed = changes.changed(since, dataset)
        parts_of_it.append(changes.section(changed, since, dataset, before))
        told = (*told, changes.told(changed, before))
        frames["changes"] = changed
    rows = fields.left_out(whole)
    left = frames["not-computed"] = account.named_left_out(rows)
    parts_of_it.append(account.not_computed(left, len(rows), *_left_over(whole)))
    return Report(
        title=f"The state of the game: {len(parts)} factions, point for point",
        summary=told,
        sections=tuple(parts_of_it),
        made=account.made(dataset, others, fields.RANKED, MADE, RULE, factions=None),
        source=account.source(dataset),
        frames=account.with_frames(frames),
    )


def _parts(dataset: Dataset, others: Sequence[Combatant], tell: Tell) -> list[Field]:
    """Faction by faction, so that what is remembered of one is let go before the next."""
    factions = dataset.datasheets["faction"].unique().sort().to_list()
    made = []
    for number, faction in enumerate(factions, start=1):

        def told(step: str, where: str = f"{faction} ({number} of {len(factions)})") -> None:
            tell(f"{where}: {step}")

        told("equipping its units")
        made.append(field(dataset, combatants(dataset, faction), others, told))
    return made


def _together(parts: Sequence[Field]) -> Field:
    """All factions as one field."""
    if not parts:
        raise DataError("the data has no unit at all: import some (killcurve import --help)")

    def rows(name: str) -> pl.DataFrame:
        return pl.concat([getattr(part, name) for part in parts])

    attack, tough = rows("attack").drop("rank"), rows("tough").drop("rank")
    return Field(
        units=tuple(unit for part in parts for unit in part.units),
        does=rows("does"),
        suffers=rows("suffers"),
        attack=fields.ranked(attack),
        tough=fields.ranked(tough, lowest=True),
        unarmed=tuple(name for part in parts for name in part.unarmed),
        bare=tuple(name for part in parts for name in part.bare),
        unpriced=tuple(name for part in parts for name in part.unpriced),
    )


def _left_over(whole: Field) -> tuple[str, ...]:
    return (
        f"Of {len(whole.units):,} units, {len(whole.unpriced)} have no cost above nought in the "
        f"data, {len(whole.unarmed)} no weapons and {len(whole.bare)} no stat line: they are not "
        "ranked where that is needed.",
    )


__all__ = ["Game", "meta_report"]
