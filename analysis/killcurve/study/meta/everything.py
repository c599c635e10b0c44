"""All studies of one set of results at once, as a report needs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

import polars as pl

from killcurve.study.meta import by_event, matchups, records, skill, top_finishes, trend, win_rates
from killcurve.study.meta.intervals import LEVEL
from killcurve.study.meta.sides import By
from killcurve.tables.dataset import DataError


@dataclass(frozen=True, slots=True)
class Meta:
    """Frames of all studies; empty ones have their reason in ``missing`` (name → why)."""

    win_rates: pl.DataFrame
    shares: pl.DataFrame
    event_rates: pl.DataFrame
    pooled: pl.DataFrame
    starts: pl.DataFrame
    perfect: pl.DataFrame
    winning_position: pl.DataFrame
    matchups: pl.DataFrame
    windows: pl.DataFrame
    changes: pl.DataFrame
    skill: skill.Skill
    missing: dict[str, str]


def study_results(
    games: pl.DataFrame,
    standings: pl.DataFrame,
    dates: Sequence[date] = (),
    by: By = "faction",
    level: float = LEVEL,
) -> Meta:
    """Every study that the tables allow: of games, and of standings where there are no games.

    ``dates`` are those of dataslates. Match-ups and skill are of factions, whatever ``by`` is.
    Starts are of the games where there are some: of standings only those of players who won
    everything are known, and with them starts would seem better than they are.

    Raises:
        DataError: if there is neither a game nor a record.
    """
    if games.is_empty() and standings.is_empty():
        raise DataError("there is no game to study; look at the account of the reading")
    missing: dict[str, str] = {}
    people = both_records(games, standings)
    starters = people if games.is_empty() else records.records_of_games(games)
    of_events = rates_at_events(games, standings, by, level)

    def attempt(name: str, made: Callable[[], pl.DataFrame]) -> pl.DataFrame:
        try:
            return made()
        except DataError as error:
            missing[name] = str(error)
            return pl.DataFrame()

    def of_games(name: str, made: Callable[[], pl.DataFrame]) -> pl.DataFrame:
        if games.is_empty():
            missing[name] = "the tables tell no games, only players' records"
            return pl.DataFrame()
        return attempt(name, made)

    adjusted = skill.skill_adjusted(games, level)
    if adjusted.why_not:
        missing["skill"] = adjusted.why_not
    return Meta(
        win_rates=rates(games, standings, by, level),
        shares=records.shares(people, by),
        event_rates=of_events,
        pooled=by_event.pooled(of_events, by, level),
        starts=attempt("starts", lambda: top_finishes.undefeated_starts(starters, by, level=level)),
        perfect=attempt("perfect", lambda: top_finishes.perfect_records(people, by, level=level)),
        winning_position=attempt(
            "winning_position", lambda: top_finishes.in_winning_position(starters, by)
        ),
        matchups=of_games("matchups", lambda: matchups.matchups(games, level)),
        windows=of_games("windows", lambda: trend.windows(games, dates, by, level=level)),
        changes=of_games("changes", lambda: trend.changes(games, dates, by, level)),
        skill=adjusted,
        missing=missing,
    )


def rates(
    games: pl.DataFrame, standings: pl.DataFrame, by: By = "faction", level: float = LEVEL
) -> pl.DataFrame:
    """Win rates of games, or of standings (mirrors included) where there are no games."""
    if not games.is_empty():
        return win_rates.win_rates(games, by, level)
    counts = win_rates.tally_of_standings(standings, by)
    return win_rates.rated(counts, win_rates.design_effect_of_records(standings, by), level)


def rates_at_events(
    games: pl.DataFrame, standings: pl.DataFrame, by: By = "faction", level: float = LEVEL
) -> pl.DataFrame:
    """Win rates at each event, of games or of standings as :func:`rates` has them."""
    if not games.is_empty():
        return by_event.event_rates(games, by, level)
    return by_event.event_rates_of_standings(standings, by, level)


def both_records(games: pl.DataFrame, standings: pl.DataFrame) -> pl.DataFrame:
    """The records of players in games and in standings."""
    parts = [records.records_of_games(games), records.records_of_standings(standings)]
    return pl.concat(parts)
