"""What players made of events: one row a player and event, from games or from standings."""

from __future__ import annotations

import polars as pl

from killcurve.study.meta.sides import KEYS, By, sides, sorted_by

COLUMNS = pl.Schema(
    {
        "event": pl.String(),
        "date": pl.Date(),
        "player": pl.Int64(),
        "faction": pl.String(),
        "detachment": pl.String(),
        "games": pl.Int64(),
        "wins": pl.Int64(),
        "draws": pl.Int64(),
        "losses": pl.Int64(),
        "won_first": pl.Int64(),
        "rounds": pl.Int64(),
    }
)
"""Columns of records.

``won_first`` is how many games were won before the first that was not, null where rounds are not
told; byes are no games. ``rounds`` is the most games that anybody played at the event.
"""


def records_of_games(games: pl.DataFrame) -> pl.DataFrame:
    """The records of all players that have a number, mirrors included.

    Whoever played several factions at one event is counted with the one played most.
    """
    told = sides(games).drop_nulls("player").sort("event", "player", "round", nulls_last=True)
    people = ("event", "player")
    won = pl.col("result") == 1
    frame = told.group_by(people, maintain_order=True).agg(
        date=pl.col("date").min(),
        faction=pl.col("faction").sort().mode(maintain_order=True).first(),
        detachment=pl.col("detachment").drop_nulls().sort().mode(maintain_order=True).first(),
        games=pl.len().cast(pl.Int64),
        wins=won.sum().cast(pl.Int64),
        draws=(pl.col("result") == 0.5).sum().cast(pl.Int64),
        losses=(pl.col("result") == 0).sum().cast(pl.Int64),
        won_first=won.cast(pl.Int64).cum_prod().sum(),
        ordered=(pl.col("round").n_unique() == pl.len()) & pl.col("round").is_not_null().all(),
    )
    known = pl.when(pl.col("ordered")).then(pl.col("won_first"))
    return _finished(frame.with_columns(won_first=known))


def records_of_standings(standings: pl.DataFrame) -> pl.DataFrame:
    """The records of standings: who won everything started so, of others that is not known."""
    frame = standings.with_columns(games=pl.sum_horizontal("wins", "draws", "losses"))
    all_won = pl.col("wins") == pl.col("games")
    return _finished(
        frame.with_columns(won_first=pl.when(all_won).then(pl.col("wins")), player=pl.col("player"))
    )


def _finished(frame: pl.DataFrame) -> pl.DataFrame:
    rounds = frame.with_columns(rounds=pl.col("games").max().over("event"))
    keys = ["event", "player", "faction", "wins", "draws", "losses"]
    return rounds.select(*COLUMNS).cast(COLUMNS).sort(keys, nulls_last=True)


def shares(records: pl.DataFrame, by: By = "faction") -> pl.DataFrame:
    """How many people bring each army: entries at events, people, shares, wins of events.

    ``entries`` count players once for each event, ``people`` once in all (null where they have
    no numbers). ``share`` is of all entries, ``share_of_games`` of all sides of games.
    """
    keys = KEYS[by]
    known = records.drop_nulls(keys[-1])
    frame = known.group_by(keys).agg(
        entries=pl.len().cast(pl.Int64),
        people=pl.col("player").drop_nulls().n_unique().cast(pl.Int64),
        events=pl.col("event").n_unique().cast(pl.Int64),
        games=pl.col("games").sum(),
        undefeated=((pl.col("wins") == pl.col("rounds")).sum()).cast(pl.Int64),
    )
    people = pl.when(pl.col("people") > 0).then(pl.col("people"))
    return sorted_by(
        frame.with_columns(
            people=people,
            share=pl.col("entries") / pl.col("entries").sum(),
            share_of_games=pl.col("games") / pl.col("games").sum(),
        ),
        keys,
    )
