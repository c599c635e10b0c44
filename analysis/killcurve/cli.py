"""The shell's verbs: the same questions as in Python, answered in tables, files or JSON."""

from __future__ import annotations

import os
import sys
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from killcurve import __version__
from killcurve.tables.dataset import DataError

app = typer.Typer(
    name="killcurve",
    help="Exact damage, efficiency and stratagem value for Warhammer 40,000.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,
)
imports = typer.Typer(help="Read your own data into tables.", no_args_is_help=True)
reports = typer.Typer(
    help="Write a report: a folder with a page, charts and numbers.", no_args_is_help=True
)
app.add_typer(imports, name="import")
app.add_typer(reports, name="report")


ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
"""Matrices here are small: more threads only wait for each other."""


class Stages(Enum):
    """What is told of each weapon's stages."""

    MEANS = "means"
    FULL = "full"


def run() -> None:
    """The entry point: errors a person can mend end in one line on standard error, exit 1."""
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")
    try:
        app()
    except DataError as error:
        print(f"killcurve: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("killcurve: stopped", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)


def _version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Exact damage, efficiency and stratagem value for Warhammer 40,000."""


Folder = Annotated[
    Path | None,
    typer.Option("--data", help="A folder with your own dataset; else the embedded one."),
]


@app.command()
def solve(
    file: Annotated[
        str, typer.Argument(help="A scenario: .json, .toml, .jsonl, or - for standard input.")
    ],
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    lenient: Annotated[
        bool,
        typer.Option("--lenient", help="List rules that are not understood instead of failing."),
    ] = False,
    stages: Annotated[
        Stages,
        typer.Option("--stages", help="Of each weapon's stages: the means, or full distributions."),
    ] = Stages.MEANS,
) -> None:
    """Answer scenarios exactly.

    Example: killcurve solve attack.json --json
    """
    from killcurve.sources.scenarios import scenarios

    failed = False
    for number, scenario in enumerate(scenarios(file), start=1):
        failed |= not _answered(scenario, number, as_json=json, lenient=lenient, stages=stages)
    raise typer.Exit(1 if failed else 0)


def _answered(
    scenario: Any,  # noqa: ANN401 - whatever the file holds
    number: int,
    *,
    as_json: bool,
    lenient: bool,
    stages: Stages,
) -> bool:
    """Answer one scenario on standard output; whether it could be answered."""
    from json import dumps

    from killcurve.rules.reading import ScenarioError
    from killcurve.study.solve import in_words, solve

    try:
        if isinstance(scenario, ScenarioError):
            raise scenario
        answer = solve(scenario, lenient=lenient, stages=stages.value)
    except ScenarioError as error:
        if as_json:
            print(dumps({"error": error.message, "where": error.where}))
        print(f"killcurve: scenario {number}: {error}", file=sys.stderr)
        return False
    print(dumps(answer.to_dict()) if as_json else in_words(answer))
    return True


@imports.command("page")
def import_page(
    files: Annotated[list[Path], typer.Argument(help="Datasheet pages saved as text.")],
    into: Annotated[Path, typer.Option("--into", help="The folder of your dataset.")],
    json: Annotated[bool, typer.Option("--json", help="Print counts as JSON.")] = False,
) -> None:
    """Read datasheet pages saved as text (10th and 11th edition) into a folder of tables.

    Example: killcurve import page raider.txt --into my-data
    """
    from killcurve.sources.importing import import_pages, summary

    result = import_pages(files, into)
    for warning in result.warnings:
        print(f"killcurve: {warning}", file=sys.stderr)
    print(summary(result, as_json=json))


@reports.command("units")
def report_units(
    units: Annotated[
        list[str] | None, typer.Argument(help="Units by name; else five well-known ones.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="The folder to write.")] = Path("build/report"),
    data: Folder = None,
) -> None:
    """What units do to the standard targets, and what each stratagem adds.

    Example: killcurve report units "Royal Warden" Raider --out build/report
    """
    from killcurve.report.units import DEFAULT_UNITS, write_report
    from killcurve.sources.default import load

    def say(step: str) -> None:
        print(f"killcurve: {step}", file=sys.stderr)

    say("loading the tables")
    page = write_report(load(data), units or DEFAULT_UNITS, out, say)
    print(page)
