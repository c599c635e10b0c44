"""The shell's verbs that write reports on results."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from killcurve.cli.datasets import Folder, say

if TYPE_CHECKING:
    from killcurve.report.document import Report
    from killcurve.sources.results import Results

Files = Annotated[
    list[Path],
    typer.Argument(help="Tables of games (CSV, TSV, JSON): a row a game, a side, or a player."),
]
Mapped = Annotated[
    list[str] | None,
    typer.Option("--map", help="What a column is, such as 'Army 2=opponent faction'."),
]
Since = Annotated[
    datetime | None,
    typer.Option("--since", formats=["%Y-%m-%d"], help="Leave out what is before."),
]
Dataslates = Annotated[
    list[datetime] | None,
    typer.Option(
        "--dataslate", formats=["%Y-%m-%d"], help="A day at which changes are looked for."
    ),
]
Edition = Annotated[
    str | None, typer.Option("--edition", help="That of tables that name none, such as 9e.")
]
WithoutPdf = Annotated[bool, typer.Option("--no-pdf", help="Leave out the PDF, which takes long.")]


def report_results(
    files: Files,
    out: Annotated[Path, typer.Option("--out", help="The folder to write.")] = Path(
        "build/results"
    ),
    columns: Mapped = None,
    since: Since = None,
    dataslate: Dataslates = None,
    edition: Edition = None,
    no_pdf: WithoutPdf = False,
    data: Folder = None,
) -> None:
    """The state of the game from tables of tournament results: a page, a PDF, charts, numbers.

    Example: killcurve report results games.csv --dataslate 2026-06-11 --out build/results
    """
    from killcurve.report.results import results_report
    from killcurve.report.writing import check_place

    check_place(out)
    read = _read(files, columns, edition, since, data)
    dates = [day.date() for day in dataslate or ()]
    _write(results_report(read, dates, progress=say), out, pdf=not no_pdf)


def _read(
    files: list[Path],
    columns: list[str] | None,
    edition: str | None,
    since: datetime | None,
    data: Path | None,
) -> Results:
    from killcurve.sources.default import load
    from killcurve.sources.results import read_results

    say("reading the tables")
    factions = load(data)["factions"]["faction"]
    read = read_results(files, told=columns or (), edition=edition, factions=factions)
    first: date | None = since.date() if since else None
    return read.since(first) if first else read


def _write(report: Report, out: Path, *, pdf: bool) -> None:
    from killcurve.report.writing import write

    print(write(report, out, say, pdf=pdf))


def report_linked(
    files: Files,
    out: Annotated[Path, typer.Option("--out", help="The folder to write.")] = Path("build/linked"),
    sweep: Annotated[
        Path | None,
        typer.Option("--sweep", help="A folder of `killcurve sweep`; else it is solved here."),
    ] = None,
    columns: Mapped = None,
    since: Since = None,
    edition: Edition = None,
    mixed_editions: Annotated[
        bool,
        typer.Option("--mixed-editions", help="Also where games and rules are of other editions."),
    ] = False,
    no_pdf: WithoutPdf = False,
    data: Folder = None,
) -> None:
    """Efficiency of factions against their win rates, and what that tells and does not.

    Example: killcurve report linked games.csv --sweep build/sweep --out build/linked
    """
    from killcurve.report.linked import linked_report
    from killcurve.report.writing import check_place
    from killcurve.sources.default import load
    from killcurve.study.sweep.load import load_sweep

    check_place(out)
    swept = None if sweep is None else load_sweep(sweep)
    read = _read(files, columns, edition, since, data)
    dataset = load(data)
    made = linked_report(read, dataset, swept, mixed_editions=mixed_editions, progress=say)
    _write(made, out, pdf=not no_pdf)
