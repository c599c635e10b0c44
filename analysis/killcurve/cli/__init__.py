"""The shell's verbs: the same questions as in Python, answered in tables, files or JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from enum import Enum
from typing import Annotated, Any, Protocol, TypeVar

import typer

from killcurve import __version__
from killcurve.cli.app import serve_app
from killcurve.cli.armies import armies
from killcurve.cli.breakpoints import weapons
from killcurve.cli.charts import charts
from killcurve.cli.coverage import coverage
from killcurve.cli.datasets import fetches, holdings, imports
from killcurve.cli.efficiency import studies
from killcurve.cli.loadouts import loadouts
from killcurve.cli.matchups import matchups
from killcurve.cli.reading import read_rules
from killcurve.cli.readings import readings
from killcurve.cli.reporting import REPORTS
from killcurve.cli.reports import report_linked, report_results
from killcurve.cli.results import results
from killcurve.cli.rosters import import_roster
from killcurve.cli.rules import rules
from killcurve.cli.sweep import sweep
from killcurve.cli.worth import worth

app = typer.Typer(
    name="killcurve",
    help="Exact damage, efficiency and stratagem value for Warhammer 40,000.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,
)
reports = typer.Typer(
    help="Write a report: a folder with a page, charts and numbers.", no_args_is_help=True
)
app.add_typer(imports, name="import")
app.add_typer(holdings, name="data")
app.add_typer(fetches, name="fetch")
app.add_typer(reports, name="report")
app.add_typer(charts, name="chart")
app.command()(sweep)
app.command()(worth)
app.add_typer(matchups)
app.add_typer(studies)
app.add_typer(armies)
app.add_typer(weapons)
app.command("app")(serve_app)
app.command()(loadouts)
app.command("read-rules")(read_rules)
app.command()(results)
app.command()(rules)
imports.command("roster")(import_roster)
holdings.command("coverage")(coverage)
holdings.command("readings")(readings)
reports.command("results")(report_results)
reports.command("linked")(report_linked)
for name, verb in REPORTS.items():
    reports.command(name)(verb)


ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
"""Matrices here are small: more threads only wait for each other."""


class Stages(Enum):
    """What is told of each weapon's stages."""

    MEANS = "means"
    FULL = "full"


def run() -> None:
    """The entry point: errors end in one line on standard error.

    Those that a person can mend exit with 1; what is a fault of killcurve itself exits with 70.
    """
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")
    try:
        app()
    except KeyboardInterrupt:
        print("killcurve: stopped", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except Exception as error:
        if _is_data_error(error):
            print(f"killcurve: {error}", file=sys.stderr)
            sys.exit(1)
        print(f"killcurve: {fault(error)}", file=sys.stderr)
        sys.exit(70)


def _is_data_error(error: Exception) -> bool:
    from killcurve.tables.dataset import DataError

    return isinstance(error, DataError)


def fault(error: Exception) -> str:
    """What is told of an error nobody foresaw; ``KILLCURVE_DEBUG=1`` shows all of it.

    >>> fault(KeyError("x"))
    "a fault of killcurve itself (KeyError: 'x'); please report it with what you gave it"
    """
    if os.environ.get("KILLCURVE_DEBUG"):
        raise error
    kind = type(error).__name__
    return f"a fault of killcurve itself ({kind}: {error}); please report it with what you gave it"


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


Scenarios = Annotated[
    str, typer.Argument(help="Scenarios: .json, .toml, .jsonl, or - for standard input.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Unlimited = Annotated[
    bool, typer.Option("--unlimited", help="Also answers that take long, or much memory.")
]
Lenient = Annotated[
    bool, typer.Option("--lenient", help="List rules that are not understood instead of failing.")
]


@app.command()
def solve(
    file: Scenarios,
    json: AsJson = False,
    lenient: Lenient = False,
    stages: Annotated[
        Stages,
        typer.Option("--stages", help="Of each weapon's stages: the means, or full distributions."),
    ] = Stages.MEANS,
    unlimited: Unlimited = False,
) -> None:
    """Answer scenarios exactly.

    Example: killcurve solve attack.json --json
    """
    from killcurve.study import solve as room

    _for_each(
        file,
        lambda scenario: room.solve(
            scenario, lenient=lenient, stages=stages.value, unlimited=unlimited
        ),
        room.in_words,
        as_json=json,
    )


@app.command()
def explain(
    file: Scenarios,
    json: AsJson = False,
    lenient: Lenient = False,
    unlimited: Unlimited = False,
) -> None:
    """Show the arithmetic of scenarios: each roll's need, modifiers and chance as a fraction.

    Example: killcurve explain attack.json
    """
    from killcurve.study import explaining as room

    _for_each(
        file,
        lambda scenario: room.explain(scenario, lenient=lenient, unlimited=unlimited),
        room.in_words,
        as_json=json,
    )


@app.command("compare-editions")
def compare_editions(
    file: Scenarios,
    json: AsJson = False,
    lenient: Lenient = False,
    unlimited: Unlimited = False,
) -> None:
    """Answer scenarios under every rule state, and tell which rules account for the changes.

    Example: killcurve compare-editions attack.json
    """
    from killcurve.study import editions as room

    _for_each(
        file,
        lambda scenario: room.compare_editions(scenario, lenient=lenient, unlimited=unlimited),
        room.in_words,
        as_json=json,
    )


@app.command()
def manual() -> None:
    """How to write scenarios and effects, and what answers hold.

    Example: killcurve manual | less
    """
    from killcurve.tables.reference import folder

    print((folder() / "scenarios.md").read_text(encoding="utf-8"), end="")


class Answered(Protocol):
    """Something that has a form for JSON."""

    def to_dict(self) -> dict[str, Any]:
        """The form for JSON."""
        ...


A = TypeVar("A", bound=Answered)


def _for_each(
    file: str, answer: Callable[[Any], A], in_words: Callable[[A], str], *, as_json: bool
) -> None:
    """Answer each scenario of a file on standard output; one that is wrong is told of instead."""
    from json import dumps

    from killcurve.rules.reading import ScenarioError
    from killcurve.sources.scenarios import scenarios

    failed = False
    for number, scenario in enumerate(scenarios(file), start=1):
        try:
            if isinstance(scenario, ScenarioError):
                raise scenario
            made = answer(scenario)
        except Exception as error:
            failed = True
            wrong = isinstance(error, ScenarioError)
            message, where = (error.message, error.where) if wrong else (fault(error), "")
            if as_json:
                print(dumps({"error": message, "where": where}))
            told = error if wrong else message
            print(f"killcurve: scenario {number}: {told}", file=sys.stderr)
            continue
        print(dumps(made.to_dict()) if as_json else in_words(made))
    raise typer.Exit(1 if failed else 0)
