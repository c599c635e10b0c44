"""The report on two units against each other."""

from __future__ import annotations

import polars as pl

from killcurve.report import account
from killcurve.report.account import Tell
from killcurve.report.document import Report, Section
from killcurve.report.matchup_numbers import Direction, Exchanges, direction, exchanges
from killcurve.report.matchup_sections import sections
from killcurve.report.matchup_words import summary
from killcurve.report.unit import WORTH_MADE
from killcurve.study.exchange import LEFT_OUT
from killcurve.tables.dataset import DataError, Dataset

MADE = (
    "Exchanges: players' turns are taken alternately; whose turn it is shoots, and charges if the "
    "units are not engaged; then both fight. The joint law of both units' losses is exact. Left "
    f"out: {'; '.join(LEFT_OUT)}.",
    "By distance: a normal move, then a charge, if the roll is enough; it does nothing where it "
    "does not arrive.",
    "The funnel counts attacks that come when nobody is left as if there were somebody, up to "
    "the unsaved wounds.",
)


def matchup_report(
    dataset: Dataset, first: str, second: str, tell: Tell = lambda _: None
) -> Report:
    """The report on two units, each as ``Name:MODELS@FACTION``.

    Raises:
        DataError: if one is not in the dataset, with the closest names, or has no stat line.
    """
    one, other = account.unit_of(dataset, first), account.unit_of(dataset, second)
    if one.name == other.name and one.attacker.faction == other.attacker.faction:
        raise DataError(f"{one.name} is named twice: name another unit, or another size of it")
    ways = [direction(dataset, one, other, tell), direction(dataset, other, one, tell)]
    blows = exchanges(dataset, one, other, tell)
    factions = {unit.attacker.faction for unit in (one, other)}
    return Report(
        title=f"{one.name} against {other.name}",
        summary=summary(ways, blows),
        sections=(*sections(ways, blows), _left(ways, blows)),
        made=account.made(dataset, (), *MADE, WORTH_MADE, factions=factions),
        source=account.source(dataset),
        frames=_frames(ways, blows),
    )


def _left(ways: list[Direction], blows: Exchanges) -> Section:
    rows = [rules for way in ways for rules in way.does["left_out"].to_list()]
    told = [f"The exchange of blows is not computed: {blows.why_not}."] if blows.why_not else []
    told += [
        f"The data does not tell how {way.attacker.name} moves, so nothing is told by distance."
        for way in ways
        if way.reach.is_empty()
    ]
    return account.not_computed(account.named_left_out(rows), len(rows), *told)


def _frames(ways: list[Direction], blows: Exchanges) -> dict[str, pl.DataFrame]:
    def together(name: str) -> pl.DataFrame:
        frames = [
            getattr(way, name).with_columns(pl.lit(way.attacker.name).alias("attacker"))
            for way in ways
            if getattr(way, name).height
        ]
        return pl.concat(frames) if frames else pl.DataFrame()

    names = {"efficiency": "efficiency", "distribution": "laws", "stages": "funnel",
             "arithmetic": "steps", "rules-worth": "worth", "reach": "reach"}  # fmt: skip
    made = {file: together(name) for file, name in names.items()}
    return account.with_frames({**made, "exchange": blows.summary, "exchange-joint": blows.joint})
