"""The shell's verbs that write reports on units, lists, factions and the whole game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from killcurve.cli.asking import UNIT
from killcurve.cli.datasets import Folder, say
from killcurve.cli.progress import watching

if TYPE_CHECKING:
    from killcurve.report.document import Report
    from killcurve.tables.dataset import Dataset

WithoutPdf = Annotated[bool, typer.Option("--no-pdf", help="Leave out the PDF, which takes long.")]
Edition = Annotated[
    str | None, typer.Option("--edition", help="10e or 11e, where the dataset has both.")
]
Since = Annotated[
    Path | None, typer.Option("--since", help="Another dataset: what changed since it.")
]
Out = Annotated[Path, typer.Option("--out", help="The folder to write.")]
Units = Annotated[list[str], typer.Argument(help=UNIT)]

Make = Callable[["Dataset", Callable[[str], None]], "Report"]


def report_unit(
    units: Units,
    out: Out = Path("build/unit"),
    data: Folder = None,
    edition: Edition = None,
    no_pdf: WithoutPdf = False,
) -> None:
    """What units do and withstand, and what each rule adds to that.

    Example: killcurve report unit "Royal Warden" Boyz:20@Orks --out build/unit
    """
    from killcurve.report.unit import unit_report

    _make(lambda dataset, tell: unit_report(dataset, units, tell), out, data, edition, no_pdf)


def report_matchup(
    first: Annotated[str, typer.Argument(metavar="A", help=UNIT)],
    second: Annotated[str, typer.Argument(metavar="B", help="The other unit.")],
    out: Out = Path("build/matchup"),
    data: Folder = None,
    edition: Edition = None,
    no_pdf: WithoutPdf = False,
) -> None:
    """Two units against each other: both directions, blow by blow, by distance, the arithmetic.

    Example: killcurve report matchup Boyz:20 "Intercessor Squad" --out build/matchup
    """
    from killcurve.report.matchup import matchup_report

    _make(
        lambda dataset, tell: matchup_report(dataset, first, second, tell),
        out, data, edition, no_pdf,
    )  # fmt: skip


def report_list(
    file: Annotated[str, typer.Argument(help="A file with a list, or a list that DIR holds.")],
    out: Out = Path("build/list"),
    data: Folder = None,
    no_pdf: WithoutPdf = False,
) -> None:
    """An army list: what it does by target and range, weak match-ups, how often over.

    Example: killcurve report list my-army.txt --out build/list
    """
    from killcurve.cli.aiming import list_as
    from killcurve.report.army_list import army_report

    def made(dataset: Dataset, tell: Callable[[str], None]) -> Report:
        found, of_it = list_as(dataset, file, None)
        return army_report(of_it, found, tell)

    _make(made, out, data, None, no_pdf, every_edition=True)


def report_editions(
    units: Units,
    out: Out = Path("build/editions"),
    data: Folder = None,
    no_pdf: WithoutPdf = False,
) -> None:
    """Units under the 10th and the 11th edition's rules: what changes, and through which rule.

    Example: killcurve report editions Boyz "Intercessor Squad" --out build/editions
    """
    from killcurve.report.editions import editions_report

    _make(lambda dataset, tell: editions_report(dataset, units, tell), out, data, None, no_pdf)


def report_faction(
    faction: Annotated[str, typer.Argument(help="A faction by its name.")],
    since: Since = None,
    out: Out = Path("build/faction"),
    data: Folder = None,
    edition: Edition = None,
    no_pdf: WithoutPdf = False,
) -> None:
    """A faction's units ranked per point, its stratagems and enhancements weighed.

    Example: killcurve report faction Orks --since older-data --out build/orks
    """
    from killcurve.report.faction import faction_report

    before = _before(since)
    _make(
        lambda dataset, tell: faction_report(dataset, faction, since=before, tell=tell),
        out, data, edition, no_pdf,
    )  # fmt: skip


def report_meta(
    since: Since = None,
    out: Out = Path("build/meta"),
    data: Folder = None,
    edition: Edition = None,
    no_pdf: WithoutPdf = False,
) -> None:
    """The whole game: every unit ranked per point, outliers, roles, factions, durability.

    Example: killcurve report meta --since older-data --out build/meta
    """
    from killcurve.report.meta import meta_report

    before = _before(since)
    _make(
        lambda dataset, tell: meta_report(dataset, since=before, tell=tell),
        out, data, edition, no_pdf,
    )  # fmt: skip


def _make(
    make: Make,
    out: Path,
    data: Path | None,
    edition: str | None,
    no_pdf: bool,
    *,
    every_edition: bool = False,
) -> None:
    """Load, make and write a report; its page is printed."""
    from killcurve.report.writing import write
    from killcurve.sources.default import load

    with watching() as tell:
        tell("loading the tables")
        dataset = load(data, edition)
        whole = edition is not None or every_edition
        report = make(dataset if whole else _newest(dataset), tell)
        page = write(report, out, _steps(tell), pdf=not no_pdf)
    print(page)


def _before(folder: Path | None) -> Dataset | None:
    from killcurve.sources.default import load

    return None if folder is None else _newest(load(folder))


def _newest(dataset: Dataset) -> Dataset:
    return dataset.of_edition() if dataset.editions else dataset


def _steps(tell: Callable[[str], None]) -> Callable[[str], None]:
    """Steps of writing; that there is no PDF stays to be read."""

    def told(step: str) -> None:
        (say if step.startswith("no PDF") else tell)(step)

    return told


REPORTS = {
    "unit": report_unit,
    "matchup": report_matchup,
    "list": report_list,
    "editions": report_editions,
    "faction": report_faction,
    "meta": report_meta,
}
"""The verbs by the names that follow ``report``."""
