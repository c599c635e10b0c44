"""The shell's verb that reads texts of rules into the effect language."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

Rules = Annotated[
    str,
    typer.Argument(
        help="Rules: .jsonl (a JSON object with a text a line), or - for standard input."
    ),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="One JSON object a line; there is no other form.")
]


def read_rules(file: Rules, json: AsJson = False) -> None:  # noqa: ARG001 - always JSON
    """Read texts of rules: effects, whose attacks they change, phases, and what is unread.

    Example: killcurve read-rules rules.jsonl
    """
    from json import dumps

    from killcurve.rules.reader.asking import answer
    from killcurve.rules.reading import ScenarioError
    from killcurve.sources.scenarios import scenarios

    failed = False
    for number, asked in enumerate(scenarios(file), start=1):
        try:
            if isinstance(asked, ScenarioError):
                raise asked
            told = answer(asked)
        except ScenarioError as error:
            failed = True
            told = {"error": error.message, "where": error.where}
            print(f"killcurve: rule {number}: {error}", file=sys.stderr)
        print(dumps(told))
    raise typer.Exit(1 if failed else 0)
