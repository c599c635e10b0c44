"""Sections of a report on results: for each question words, charts and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl

from killcurve.report import results_figures as figures
from killcurve.report import results_more_tables as more
from killcurve.report import results_tables as tables
from killcurve.report.document import Section
from killcurve.report.results_parts import Part, in_words
from killcurve.report.results_words import (
    over_represented,
    spread_over_events,
    tops,
)
from killcurve.report.wording import number
from killcurve.study.meta import samples


def sections(part: Part) -> list[Section]:
    """All sections of a part that its tables allow."""
    makers: tuple[Callable[[Part], Section | None], ...] = (
        _rates, _representation, _pooled, _tops, _matchups, _over_time, _skill, _detachments,
        _tests,
    )  # fmt: skip
    return [made for maker in makers if (made := maker(part))]


def _rates(part: Part) -> Section:
    how = (
        "Draws are half a win; mirrors do not count."
        if part.is_of_games
        else "The tables tell players' records and no games, so mirrors cannot be told and are in: "
        "they draw rates towards one half."
    )
    inflated = part.meta.win_rates["design_effect"].max() or 1.0
    alike = (
        f"Games of one player are alike, so intervals count {number(10, 'game')} as "
        f"{10 / inflated:.1f}."  # type: ignore[operator]
        if inflated > 1.05  # type: ignore[operator]
        else ""
    )
    return Section(
        f"{part.headed}Win rates",
        (f"{how} {alike}".strip(),),
        tuple(figures.win_rates(part)),
        (tables.win_rates(part),),
    )


def _representation(part: Part) -> Section:
    both: tuple[str, ...] = ()
    if part.games.height and part.standings.height:
        both = (
            "Representation counts players of games and records of players that tell no games; "
            "win rates count games only.",
        )
    return Section(
        f"{part.headed}Win rate against representation",
        ("A faction that many people play and that wins much shapes the game most.", *both),
        tuple(figures.popularity(part)),
        (tables.representation(part),),
    )


def _pooled(part: Part) -> Section | None:
    if part.meta.pooled.is_empty():
        return None
    return Section(
        f"{part.headed}Differences between events",
        (
            spread_over_events(part),
            "Pooled by DerSimonian and Laird's method of moments (with Hartung and Knapp's "
            "interval), and by the binomial-normal model, which takes small events as they are.",
        ),
        tuple(figures.pooled(part)),
        (tables.pooled(part),),
    )


def _tops(part: Part) -> Section | None:
    what, frame, key = tops(part)
    if frame.is_empty():
        return Section(
            f"{part.headed}Top finishes",
            (f"Not told: {dict(_missing(part)).get(key, 'no data')}.",),
        )
    there = tables.winning_position(part)
    return Section(
        f"{part.headed}Top finishes",
        (over_represented(what, frame),),
        tuple(figures.top_finishes(part)),
        (tables.top_finishes(part), *([there] if there else ())),
    )


def _matchups(part: Part) -> Section | None:
    frame = part.meta.matchups
    if frame.is_empty():
        return None
    once = frame.filter(pl.col("faction") < pl.col("opponent_faction"))
    enough = once.filter("enough").height
    return Section(
        f"{part.headed}Match-ups",
        (
            f"{number(once.height, 'pair')} of factions met; {enough} of them have "
            f"{samples.RULES['match-up']}. All rates are drawn towards what both factions' "
            "strengths against everybody promise, the more the fewer games they have.",
        ),
        tuple(figures.matchups(part)),
        (more.extremes(part),),
    )


def _over_time(part: Part) -> Section | None:
    if part.meta.windows.is_empty():
        return None
    told = "Windows are months." if part.meta.changes.is_empty() else (
        "Windows are cut at the given dates. A change at a date is no proof of its cause: other "
        "things change on the same days, and players choose their armies.")  # fmt: skip
    why = part.meta.missing.get("changes", "")
    without = f"Changes: {why}." if why else ""
    return Section(
        f"{part.headed}Over time",
        tuple(filter(None, (told, without))),
        tuple(figures.over_time(part)),
        (
            *(() if part.meta.changes.is_empty() else (more.changes(part),)),
            more.windows(part),
        ),
    )


def _skill(part: Part) -> Section | None:
    frame = part.meta.skill.factions
    if frame.is_empty():
        return None
    groups = frame["group"].n_unique()
    apart = (
        f"Factions form {groups} groups that never met, even through others; rates of different "
        "groups cannot be compared."
    )
    return Section(
        f"{part.headed}Skill of players",
        (
            "Good players may prefer good armies. Here each player has a skill of their own "
            "(Bradley and Terry's model), and a faction's win rate is what is left.",
            *([apart] if groups > 1 else ()),
        ),
        tuple(figures.skill(part)),
        (more.skill(part),),
    )


def _detachments(part: Part) -> Section | None:
    if part.detachments.is_empty():
        return None
    return Section(
        f"{part.headed}Detachments",
        (f"Sides that name no detachment do not count; {samples.RULES['win rate']} are needed.",),
        (),
        (more.detachments(part),),
    )


def _tests(part: Part) -> Section:
    missing = "; ".join(f"{name.replace('_', ' ')}: {why}" for name, why in _missing(part))
    rules = "; ".join(f"{name}: {rule}" for name, rule in samples.RULES.items())
    return Section(
        f"{part.headed}How many tests, and how much is enough",
        (
            "Least numbers, below which rows are shown, flagged, not tested and not named: "
            f"{rules}.",
            *([f"Not studied: {missing}."] if missing else ()),
        ),
        (),
        (more.questions(part),),
    )


def _missing(part: Part) -> Iterator[tuple[str, str]]:
    """What is not studied, and why, without what one should ask for instead."""
    for name, why in part.meta.missing.items():
        if name == "skill" and not part.is_of_games:
            why = NO_GAMES  # noqa: PLW2901 - a better reason
        yield name, why.partition("; ask")[0]


NO_GAMES = "the tables tell no games, only players' records"


def mixed(several: list[Part]) -> list[str]:
    """What is said where the tables mix editions."""
    if len(several) < 2:
        return []
    names = [in_words(part.edition) for part in several]
    return [
        f"The tables mix games of several editions ({', '.join(names)}). They are studied apart, "
        "since win rates of different rules do not add up."
    ]
