"""The report on chosen units: what they do, what they withstand, and what rules add to that."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from killcurve.report import account
from killcurve.report.account import Tell
from killcurve.report.document import Report, Section
from killcurve.report.unit_numbers import PER_100, Numbers, numbers
from killcurve.report.unit_sections import sections, side_by_side
from killcurve.report.unit_words import summary
from killcurve.report.wording import listed
from killcurve.tables.dataset import DataError, Dataset

ATTACK_MADE = (
    "What rules add is told of the attack that is worth most for its points of those that destroy "
    "the target less than half the time, where there are some: nothing adds to an attack that "
    "destroys its target anyway."
)
WORTH_MADE = (
    "What a rule is worth: the attack with it less the attack without it, the rule alone; where "
    "it offers a choice, the best option. Conditions of rules are taken to hold, with and without "
    "the rule, and are named. “In re-rolls” is the gain as a multiple of that of Command Re-roll "
    "at its best moment, for the same side of the same attack. Rules that "
    "give an attack of their own (snap shooting) are not set beside those that change one."
)


def unit_report(dataset: Dataset, names: Sequence[str], tell: Tell = lambda _: None) -> Report:
    """The report on units, each as ``Name:MODELS@FACTION``.

    Raises:
        DataError: if one is not in the dataset, with the closest names; if the data has nothing
            to compute of it, or none is named.
    """
    if not names:
        raise DataError("name at least one unit to report on")
    units = [account.unit_of(dataset, name) for name in dict.fromkeys(names)]
    others = account.panel(dataset)
    found = [numbers(dataset, unit, others, tell) for unit in units]
    factions = {unit.attacker.faction for unit in units}
    several = side_by_side(found) if len(found) > 1 else ()
    return Report(
        title=f"What {listed([unit.name for unit in units], 4)} can do",
        summary=tuple(told for one in found for told in summary(one, several=len(found) > 1)),
        sections=(*several, *(part for one in found for part in sections(one)), _left(found)),
        made=account.made(dataset, others, ATTACK_MADE, WORTH_MADE, factions=factions),
        source=account.source(dataset),
        frames=_frames(found),
    )


def _left(found: Sequence[Numbers]) -> Section:
    rows = _rules(found)
    told = []
    for one in found:
        if one.worth.is_empty():
            continue
        missing = one.worth.filter(pl.col("why_not").is_not_null())
        if missing.height:
            names = listed(missing["name"].unique().sort().to_list(), 12)
            told.append(f"Of the rules that {one.unit.name} may have, not computed: {names}.")
    return account.not_computed(account.named_left_out(rows), len(rows), *told)


def _rules(found: Sequence[Numbers]) -> list[list[str]]:
    """What is left out of each attack."""
    frames = [frame for one in found for frame in (one.does, one.suffers)]
    return [rules for frame in frames for rules in frame["left_out"].to_list()]


def _frames(found: Sequence[Numbers]) -> dict[str, pl.DataFrame]:
    def together(name: str) -> pl.DataFrame:
        frames = [getattr(one, name) for one in found if getattr(one, name).height]
        return pl.concat(frames) if frames else pl.DataFrame()

    made = {
        "efficiency": together("efficiency"),
        "attacks": together("does"),
        "attacks-on-it": together("suffers"),
        "durability": together("durability"),
        "rules-worth": together("worth"),
        "one-more": together("more"),
        "not-computed": account.named_left_out(_rules(found)),
    }
    return account.with_frames(made)


__all__ = ["PER_100", "unit_report"]
