"""Results split by edition, each with its studies: what a report on results is made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

import polars as pl

from killcurve.sources.results import Results
from killcurve.study.meta import win_rates
from killcurve.study.meta.everything import Meta, rates, study_results
from killcurve.tables.dataset import DataError

ALPHA = 0.05
"""Adjusted p-values below this are called findings."""

RATED = ("rate", "shrunk", "low", "high")


@dataclass(frozen=True, slots=True)
class Part:
    """The games of one edition and what their studies say.

    ``name`` stands before headings and sentences where there are several parts, else it is
    empty; ``standings`` are records of players at events that tell no games.
    """

    edition: str | None
    name: str
    games: pl.DataFrame
    standings: pl.DataFrame
    meta: Meta
    detachments: pl.DataFrame

    @property
    def stem(self) -> str:
        """What names of this part's files begin with."""
        return f"{self.edition or 'unnamed'}-" if self.name else ""

    @property
    def headed(self) -> str:
        """What headings of this part begin with."""
        return f"{self.name}: " if self.name else ""

    @property
    def is_of_games(self) -> bool:
        """Whether win rates are of games; else of players' records, mirrors included."""
        return not self.games.is_empty()

    @property
    def days(self) -> tuple[date, date] | None:
        """The first and the last day with a game, where days are told."""
        told = pl.concat([self.games["date"], self.standings["date"]]).drop_nulls()
        return None if told.is_empty() else (told.min(), told.max())  # type: ignore[return-value]

    @property
    def ranked(self) -> pl.DataFrame:
        """Win rates, the highest first; rows with too few games stand behind all others."""
        order = ["enough", "shrunk", "faction"]
        return self.meta.win_rates.sort(order, descending=[True, True, False], nulls_last=True)

    @property
    def known(self) -> pl.DataFrame:
        """Those of :attr:`ranked` with enough games: only they are named as findings."""
        return self.ranked.filter("enough")


def parts(
    read: Results,
    dates: Sequence[date] = (),
    progress: Callable[[str], None] = lambda _: None,
) -> list[Part]:
    """One part an edition, the newest first; games without an edition are a part of their own.

    Win rates of different editions are of different games, so they are never mixed.

    Raises:
        DataError: if there is neither a game nor a record.
    """
    if read.games.is_empty() and read.standings.is_empty():
        raise DataError("there is no game left to report on; look at the account of the reading")
    found = {*read.games["edition"], *read.standings["edition"]}
    made = []
    for edition in sorted(found, key=_age, reverse=True):
        name = in_words(edition)
        progress(f"studies of {name}" if len(found) > 1 else "studies")
        same = pl.col("edition").eq_missing(pl.lit(edition))
        games, standings = read.games.filter(same), read.standings.filter(same)
        made.append(
            Part(
                edition=edition,
                name=name if len(found) > 1 else "",
                games=games,
                standings=standings,
                meta=study_results(games, standings, dates),
                detachments=rates(games, standings, "detachment"),
            )
        )
    return made


def _age(edition: str | None) -> int:
    return int(edition[:-1]) if edition else 0


def in_words(edition: str | None) -> str:
    """An edition as a heading calls it.

    >>> in_words("9e"), in_words("11e"), in_words(None)
    ('9th edition', '11th edition', 'Edition not told')
    """
    return f"{edition[:-1]}th edition" if edition else "Edition not told"


def told_apart(
    frame: pl.DataFrame, rate: str, half: float, adjusted: str = "p_holm"
) -> tuple[list[str], list[str]]:
    """The factions above and below a rate, by adjusted p-values; the furthest first.

    >>> frame = pl.DataFrame({"faction": ["A", "B", "C"], "rate": [0.6, 0.4, 0.55],
    ...     "enough": [True, True, True], "p_holm": [0.01, 0.02, 0.4]})
    >>> told_apart(frame, "rate", 0.5)
    (['A'], ['B'])
    """
    found = frame.filter(pl.col("enough") & (pl.col(adjusted) < ALPHA))
    above = found.filter(pl.col(rate) > half).sort([rate, "faction"], descending=[True, False])
    below = found.filter(pl.col(rate) < half).sort([rate, "faction"])
    return above["faction"].to_list(), below["faction"].to_list()


def events(part: Part) -> int:
    """How many tournaments a part has."""
    return pl.concat([part.games["event"], part.standings["event"]]).n_unique()


def days(of: Iterable[Part]) -> tuple[date, date] | None:
    """The first and the last day of several parts."""
    told = [ends for part in of if (ends := part.days)]
    return (min(first for first, _ in told), max(last for _, last in told)) if told else None


def others_together(frame: pl.DataFrame) -> pl.DataFrame:
    """Win rates of factions with enough games, and one row for all others together."""
    kept = frame.filter("enough")
    few = frame.filter(~pl.col("enough") & (pl.col("games") > 0))
    if few.height < 2:
        return frame.filter(pl.col("games") > 0)
    sums = few.select(pl.col("games", "wins", "draws", "losses", "mirrors").sum())
    # Of one row only the plain rate and its interval can be told: there is nothing to draw it to.
    row = win_rates.rated(sums.with_columns(faction=pl.lit(f"{few.height} others together")))
    row = row.with_columns(shrunk="rate", low="wilson_low", high="wilson_high")
    return pl.concat([kept, row.select(kept.columns)])
