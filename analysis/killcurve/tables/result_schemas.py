"""The contracts of tables of tournament results: games, and records of players at events.

Players are numbers: no name is kept. They are no part of a dataset of rules.
"""

from __future__ import annotations

import dataframely as dy
import polars as pl

RESULTS = (0.0, 0.5, 1.0)
"""A loss, a draw and a win, from the side of ``player``."""

FATES = ("kept", "other side", "set aside")
"""What becomes of a row: a game of its own, a game that another row told, or neither."""


class Games(dy.Schema):
    """Games, one row each, whichever way the source told them.

    ``player`` and ``opponent`` are numbers of people, null where the source names none; the
    lower number stands first. ``event`` is the name of a tournament, ``date`` the day of the
    game, ``result`` what ``player`` made of it: 1 for a win, 0.5 for a draw, 0 for a loss.
    """

    game = dy.Integer(primary_key=True, min=1)
    event = dy.String(min_length=1)
    date = dy.Date(nullable=True)
    edition = dy.String(nullable=True, regex=r"^\d{1,2}e$")
    round = dy.Integer(min=1, nullable=True)
    player = dy.Integer(min=1, nullable=True)
    faction = dy.String(min_length=1)
    detachment = dy.String(nullable=True, min_length=1)
    opponent = dy.Integer(min=1, nullable=True)
    opponent_faction = dy.String(min_length=1)
    opponent_detachment = dy.String(nullable=True, min_length=1)
    score = dy.Float(nullable=True)
    opponent_score = dy.Float(nullable=True)
    result = dy.Float(min=0, max=1)

    @dy.rule()
    def a_result_is_a_win_a_draw_or_a_loss(cls) -> pl.Expr:
        """Nothing between them."""
        return pl.col("result").is_in(RESULTS)

    @dy.rule()
    def nobody_plays_against_themself(cls) -> pl.Expr:
        """Two people make a game; the lower number stands first."""
        return (pl.col("player") < pl.col("opponent")).fill_null(value=True)


class Standings(dy.Schema):
    """What players made of events, one row a player and event, where games are not told."""

    entry = dy.Integer(primary_key=True, min=1)
    event = dy.String(min_length=1)
    date = dy.Date(nullable=True)
    edition = dy.String(nullable=True, regex=r"^\d{1,2}e$")
    player = dy.Integer(min=1, nullable=True)
    faction = dy.String(min_length=1)
    detachment = dy.String(nullable=True, min_length=1)
    wins = dy.Integer(min=0)
    draws = dy.Integer(min=0)
    losses = dy.Integer(min=0)


class ResultRows(dy.Schema):
    """The fate of each row that was read: every row of every file stands here once.

    ``row`` is the number of the line (or, of JSON, of the object) in the file.
    """

    file = dy.String(primary_key=True, min_length=1)
    row = dy.Integer(primary_key=True, min=1)
    fate = dy.Enum(FATES)
    reason = dy.String(nullable=True)

    @dy.rule()
    def a_row_set_aside_has_a_reason(cls) -> pl.Expr:
        """Nothing goes without a word."""
        return (pl.col("fate") != "set aside") | pl.col("reason").is_not_null()


class ResultNotes(dy.Schema):
    """What is odd about rows that are kept, or was mended in them; names of players never."""

    file = dy.String(min_length=1)
    row = dy.Integer(min=1)
    note = dy.String(min_length=1)


class ResultColumns(dy.Schema):
    """Which column of a file was taken as what.

    ``meaning`` is null for columns that are not used, ``column`` null for what the file lacks;
    ``examples`` are never given of names, nor of columns that are not used.
    """

    file = dy.String(min_length=1)
    column = dy.String(nullable=True)
    meaning = dy.String(nullable=True)
    why = dy.String()
    filled = dy.Float(min=0, max=1, nullable=True)
    examples = dy.List(dy.String())


RESULT_SCHEMAS: dict[str, type[dy.Schema]] = {
    "games": Games,
    "standings": Standings,
    "rows": ResultRows,
    "notes": ResultNotes,
    "columns": ResultColumns,
}
