"""The report on the state of the game: what tables of tournament results tell, and what not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date

import polars as pl

from killcurve.report import results_account as account
from killcurve.report.document import Report
from killcurve.report.results_parts import Part, days, parts
from killcurve.report.results_sections import mixed, sections
from killcurve.report.results_words import summary
from killcurve.report.wording import listed, number
from killcurve.sources.results import Results
from killcurve.study.meta import samples
from killcurve.study.meta.intervals import LEVEL

FRAMES = (
    *("win_rates", "shares", "event_rates", "pooled", "starts", "perfect", "winning_position"),
    *("matchups", "windows", "changes"),
)
"""Frames of the studies that a report keeps; their columns are described with each study."""

MADE = (
    "Win rates: games won and half of those drawn, over all games that are no mirrors.",
    f"Intervals: {LEVEL:.0%} credible intervals of a beta-binomial model whose prior is made of "
    "all factions; plain rates have Wilson's interval in the numbers' files. Intervals for all "
    "at once are Wilson's, with Bonferroni's allowance.",
    "Tests: the score test for win rates, Fisher's exact test for top finishes, likelihood ratios "
    "for changes; p-values by Holm (any false finding) and by Benjamini and Hochberg (the share "
    "of false ones).",
    "Pooling over events: DerSimonian and Laird's random effects on log-odds, and the "
    "binomial-normal model by maximal likelihood with profile intervals; prediction intervals "
    "tell where the true rate of a further event lies.",
    "Match-ups: drawn towards the win rate that both factions' strengths promise.",
    f"Least numbers: {'; '.join(f'{name}: {rule}' for name, rule in samples.RULES.items())}.",
    "Not told by such tables: which lists were played, on which missions, and why anybody won. "
    "A high win rate is no proof that a faction is too strong.",
)


def results_report(
    read: Results,
    dates: Sequence[date] = (),
    *,
    today: date | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """The report on what was read of tournament results.

    ``dates`` are those of dataslates, at which changes are looked for. Charts carry the day of
    the newest game; where games have none, ``today`` (by default the day it is).

    Raises:
        DataError: if there is no game and no record to report on.
    """
    several = parts(read, dates, progress)
    return Report(
        title=_title(several),
        summary=(*mixed(several), *(told for part in several for told in summary(part))),
        sections=(
            *(made for part in several for made in sections(part)),
            account.section(read),
        ),
        made=(*MADE, _dates_told(dates)),
        source=source(read, several, today or date.today()),
        frames=_frames(read, several),
    )


def _title(several: Sequence[Part]) -> str:
    ends = days(several)
    return f"Tournament results, {ends[0]} to {ends[1]}" if ends else "Tournament results"


def _dates_told(dates: Sequence[date]) -> str:
    if not dates:
        return "No dates of dataslates were given, so no changes were looked for."
    return f"Dates at which changes were looked for: {listed([str(d) for d in sorted(dates)], 12)}."


def source(read: Results, several: Iterable[Part], today: date) -> str:
    """The line about the data: files, the day of the newest game, editions."""
    names = [f"“{name}”" for name in sorted({*read.rows["file"]})]
    several = list(several)
    ends = days(several)
    when = f"of {ends[1]}" if ends else f"without days, read on {today}"
    editions = [part.edition for part in several if part.edition]
    rules = (
        f" · {listed([f'{edition[:-1]}th' for edition in editions])} edition" if editions else ""
    )
    return f"Data: {number(len(names), 'table')} of results, {listed(names, 3)}, {when}{rules}"


def _frames(read: Results, several: Sequence[Part]) -> dict[str, pl.DataFrame]:
    """All numbers by the names of their files; neither games nor numbers of players."""
    made = {
        f"{part.stem}{name.replace('_', '-')}": getattr(part.meta, name)
        for part in several
        for name in FRAMES
    }
    for part in several:
        made[f"{part.stem}skill"] = part.meta.skill.factions
        made[f"{part.stem}detachments"] = part.detachments
    made["reading-files"] = account.by_file(read)
    made["reading-reasons"] = account.reasons(read)
    made["reading-columns"] = read.columns.drop("examples")
    return {name: frame for name, frame in made.items() if frame.height}
