"""The report that sets factions' efficiency beside their win rates, and says what that tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

import polars as pl

from killcurve.report import results_account as account
from killcurve.report.document import Column, Figure, Report, Section, Table
from killcurve.report.linked_numbers import (
    RESAMPLES,
    SEED,
    Correlation,
    joined,
    of_factions,
    spearman,
    units_of_study,
    units_of_sweep,
)
from killcurve.report.points import Measure, scatter
from killcurve.report.results import source
from killcurve.report.results_cells import interval
from killcurve.report.results_parts import Part, days, in_words, parts
from killcurve.report.wording import listed, number, percent, signed
from killcurve.sources.results import Results
from killcurve.study.meta import samples
from killcurve.study.sweep.load import Sweep
from killcurve.tables.about import About
from killcurve.tables.dataset import DataError, Dataset

WARNING = (
    "A correlation is no cause. Factions win by what their rules, missions, tables and players do "
    "together; this measure of efficiency is of attacks without help alone, and leaves out "
    "durability, movement, objectives, stratagems and how lists are made of units. A faction "
    "above or below the others here is no proof that its points are wrong."
)

ALONE = (
    "Efficiency of a unit: the points that its best default weapon line removes on average, for "
    "each 100 points of the unit, mean over the standard targets; exact, without stratagems, "
    "detachments or other help, at long range, in the open. Of a faction: the median of its units."
)

OF_SWEEP = (
    "Efficiency is from a sweep: its rows without help, in which units have none of the abilities "
    "of their own datasheets. Solved without a sweep, it counts them as far as they are expressed."
)
OF_STUDY = (
    "Efficiency was solved for this report, with the abilities of units' own datasheets as far as "
    "they are expressed as effects. That of a sweep leaves them out."
)


def linked_report(
    read: Results,
    dataset: Dataset,
    sweep: Sweep | None = None,
    *,
    mixed_editions: bool = False,
    today: date | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Efficiency of factions against their win rates.

    Efficiency is that of ``sweep``, or else is solved for the dataset. Of results of several
    editions those of the rules' edition count, else the newest.

    Raises:
        DataError: if the games are of another edition than the rules, unless ``mixed_editions``;
            if there is no game, or no faction has both.
    """
    about = _about(dataset, sweep)
    part = _chosen(parts(read, progress=progress), about)
    warnings = _warnings(part, about, mixed_editions=mixed_editions)
    known = part.known
    progress("efficiency of the sweep" if sweep else "efficiency")
    units = (
        units_of_sweep(sweep, dataset)
        if sweep
        else units_of_study(dataset, known["faction"], progress)
    )
    factions = of_factions(units)
    frame = joined(part.meta.win_rates, factions)
    if frame.height < 3:
        raise DataError(
            f"only {number(frame.height, 'faction')} with {samples.RULES['win rate']} also has "
            "units in the dataset, and a comparison needs three; give more games"
        )
    found = spearman(frame["efficiency"].to_numpy(), frame["shrunk"].to_numpy())
    return Report(
        title="Efficiency and tournament results of factions",
        summary=(*warnings, *_summary(found), WARNING),
        sections=(
            _compared(part, frame, found, about),
            _left_out(part, frame, factions),
            account.section(read),
        ),
        made=(
            ALONE,
            OF_SWEEP if sweep else OF_STUDY,
            f"Interval of the correlation: percentiles of {RESAMPLES:,} bootstrap samples of "
            f"factions, seed {SEED}. It knows nothing of the chance within win rates.",
            "Win rates are drawn towards the other factions; intervals are of 95 %.",
        ),
        source=f"{source(read, [part], today or date.today())}; rules: "
        f"{about.source} {about.version} of {about.date}, {in_words(about.edition)}",
        frames={"linked": frame, "faction-efficiency": factions, "unit-efficiency": units},
    )


def _about(dataset: Dataset, sweep: Sweep | None) -> About:
    """Where the efficiency comes from."""
    if sweep is None:
        return dataset.about
    told = {**sweep.about["data"], "edition": sweep.about["edition"]}
    return About(**{name: told[name] for name in About.__slots__ if name in told})


def _chosen(several: Sequence[Part], about: About) -> Part:
    same = [part for part in several if part.edition == about.edition]
    return (same or list(several))[0]


def _warnings(part: Part, about: About, *, mixed_editions: bool) -> tuple[str, ...]:
    """What is wrong with comparing these games with these rules."""
    told = []
    if part.edition is None:
        told.append(
            "The tables name no edition: whether their games are of the "
            f"{in_words(about.edition)}, as the rules are, is not known."
        )
    elif part.edition != about.edition:
        words = f"the games are of the {in_words(part.edition)}, the rules of the "
        words += in_words(about.edition)
        if not mixed_editions:
            raise DataError(
                f"{words}: a comparison would say nothing of either; give results or rules of one "
                "edition (--data, --sweep), or --mixed-editions to have it all the same"
            )
        told.append(f"Editions differ: {words}. The comparison says nothing of either.")
    ends = days([part])
    if ends is None:
        told.append("The games have no days: whether they were played by these rules is not known.")
    elif str(ends[0]) < about.date:
        dates = pl.concat([part.games["date"], part.standings["date"]]).drop_nulls()
        early = float((dates < date.fromisoformat(about.date)).mean() or 0.0)  # type: ignore[arg-type]
        some = "All games" if early == 1 else f"{percent(early)} of the games"
        told.append(
            f"{some} were played before {about.date}, the day "
            "of the rules: points and rules may have been others."
        )
    return tuple(told)


def _summary(found: Correlation) -> list[str]:
    if found.rho is None:
        return ["Efficiency and win rate cannot be ranked: one of them does not vary."]
    lead = f"Over {number(found.factions, 'faction')}, Spearman's rank correlation of efficiency "
    lead += f"and win rate is {signed(found.rho)}"
    if found.low is None or found.high is None:
        return [f"{lead}; of so few factions no interval is told."]
    ends = f"95 % bootstrap interval {signed(found.low)} to {signed(found.high)}"
    if found.low <= 0 <= found.high:
        return [f"{lead} ({ends}), which cannot be told from none."]
    word = "more" if found.rho > 0 else "less"
    return [f"{lead} ({ends}): more efficient factions win {word} often in these games."]


def _compared(part: Part, frame: pl.DataFrame, found: Correlation, about: About) -> Section:
    title = _summary(found)[0].rstrip(".")
    differ = part.edition != about.edition
    told = f"games: {in_words(part.edition)}, rules: {in_words(about.edition)} of {about.date}"
    subtitle = (
        f"Win rate with 95 % intervals against efficiency with the middle half of units · {told}"
    )
    if differ:
        subtitle = f"EDITIONS DIFFER · {subtitle}" if part.edition else subtitle
    ranked = frame.sort(["efficiency", "faction"], descending=[True, False])
    ends = ("low_efficiency", "high_efficiency")
    chart = scatter(
        frame,
        "faction",
        Measure("efficiency", "points removed for each 100 points", *ends),
        Measure("shrunk", "win rate", "low", "high", is_share=True),
        title,
        subtitle,
    )
    table = Table(
        "Efficiency and win rate of factions",
        ranked.with_columns(
            interval("low", "high"),
            pl.format(
                "{}–{}", *(pl.col(f"{end}_efficiency").round(1) for end in ("low", "high"))
            ).alias("half"),
        ),
        (
            Column("faction", "Faction"),
            Column("units", "Units", "whole"),
            Column("efficiency", "Points removed per 100", "number"),
            Column("half", "Middle half of units"),
            Column("games", "Games", "whole"),
            Column("shrunk", "Win rate", "percent"),
            Column("interval", "95 % interval"),
        ),
    )
    return Section(
        "Efficiency against win rate",
        (ALONE, f"What is compared: {told}."),
        (Figure("efficiency-and-win-rate", chart),),
        (table,),
    )


def _left_out(part: Part, frame: pl.DataFrame, factions: pl.DataFrame) -> Section:
    """Who is in one of the two only."""
    there = set(frame["faction"])
    rates = part.ranked
    few = rates.filter(~pl.col("enough"))["faction"].to_list()
    without = [name for name in part.known["faction"] if name not in there]
    told = []
    if few:
        told.append(f"Fewer than {samples.GAMES} games: {listed(sorted(few), 40)}.")
    if without:
        told.append(f"No units of their own in the dataset: {listed(sorted(without), 40)}.")
    told.append(f"{number(factions.height, 'faction')} of the rules looked at.")
    return Section("Factions left out", tuple(told))
