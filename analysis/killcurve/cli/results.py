"""The shell's verb about tables of tournament results."""

from __future__ import annotations

import sys
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from killcurve.cli.datasets import Folder
from killcurve.cli.output import AsJson, Csv, Parquet, show

if TYPE_CHECKING:
    import polars as pl

    from killcurve.sources.results import Results


class Rows(Enum):
    """What the rows of the answer are."""

    FACTION = "faction"
    DETACHMENT = "detachment"
    MATCHUP = "matchup"
    EVENT = "event"


def results(
    files: Annotated[
        list[Path],
        typer.Argument(help="Tables of games (CSV, TSV, JSON): a row a game, a side, or a player."),
    ],
    columns: Annotated[
        list[str] | None,
        typer.Option("--map", help="What a column is, such as 'Army 2=opponent faction'."),
    ] = None,
    since: Annotated[
        datetime | None,
        typer.Option("--since", formats=["%Y-%m-%d"], help="Leave out what is before."),
    ] = None,
    by: Annotated[Rows, typer.Option("--by", help="What the rows are.")] = Rows.FACTION,
    edition: Annotated[
        str | None, typer.Option("--edition", help="That of tables that name none, such as 9e.")
    ] = None,
    fates: Annotated[
        Path | None,
        typer.Option("--rows", help="Also the fate of every row that was read, as CSV."),
    ] = None,
    data: Folder = None,
    json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """Win rates from tables of tournament games, with intervals, and an account of every row.

    Draws are half a win, mirrors do not count, names of players are not kept.

    Example: killcurve results games.csv --map "Army=faction" --since 2026-07-01
    """
    from killcurve.cli.output import as_csv
    from killcurve.sources.default import load
    from killcurve.sources.results import read_results

    factions = load(data)["factions"]["faction"]
    read = read_results(files, told=columns or (), edition=edition, factions=factions)
    if fates is not None:
        _write(fates, as_csv(read.rows))
    if since is not None:
        read = read.since(since.date())
    print(read.in_words(), file=sys.stderr if json else sys.stdout)
    frame, told = _asked(read, by)
    if not json:
        print(f"\n{told}\n")
    show(frame, json=json, csv=csv, parquet=parquet)


def _write(path: Path, content: bytes) -> None:
    from killcurve.tables.dataset import DataError
    from killcurve.tables.storage import write_file

    try:
        write_file(path, content)
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror or error}") from None


def _asked(read: Results, by: Rows) -> tuple[pl.DataFrame, str]:
    """The frame that is asked for, and what its rows are in a sentence."""
    from killcurve.study.meta import samples
    from killcurve.study.meta.by_event import pooled
    from killcurve.study.meta.everything import rates, rates_at_events
    from killcurve.study.meta.matchups import matchups
    from killcurve.tables.dataset import DataError

    if read.games.is_empty() and read.standings.is_empty():
        raise DataError("there is no game left to study; see the account above")
    if by is Rows.DETACHMENT:
        frame = rates(read.games, read.standings, "detachment")
        if frame.is_empty():
            raise DataError("no side of a game names its detachment; ask --by faction")
        return frame, _about_rates("detachments", samples.RULES["win rate"])
    if by is Rows.FACTION:
        mirrors = read.games.is_empty()
        return rates(read.games, read.standings), _about_rates(
            "factions", samples.RULES["win rate"], with_mirrors=mirrors
        )
    if by is Rows.MATCHUP:
        if read.games.is_empty():
            raise DataError("the tables tell players' records and no games; ask --by faction")
        return matchups(read.games), (
            "Match-ups with 95 % intervals: 'shrunk' is drawn towards what both factions' "
            f"strengths promise ('expected'); enough: {samples.RULES['match-up']}."
        )
    return pooled(rates_at_events(read.games, read.standings)), (
        "Win rates pooled over events, with 95 % intervals for the mean and for a further event "
        f"('predict'); enough: {samples.RULES['pooling']}."
    )


def _about_rates(what: str, enough: str, *, with_mirrors: bool = False) -> str:
    mirrors = "cannot be told and are in" if with_mirrors else "do not count"
    return (
        f"Win rates of {what}, draws as half a win; mirrors {mirrors}. 'shrunk' with 'low' to "
        f"'high' (95 %) is drawn towards the others; 'joint' intervals hold for all at once. "
        f"Enough: {enough}; fewer are not tested."
    )
