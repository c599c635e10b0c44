"""The shell's verbs about datasets: importing, fetching, what is held and how it differs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from killcurve import __version__

if TYPE_CHECKING:
    from killcurve.sources.fetching import Fetched
    from killcurve.sources.importing import Imported
    from killcurve.tables.dataset import Dataset

imports = typer.Typer(help="Read your own data into tables.", no_args_is_help=True)
holdings = typer.Typer(help="What is loaded, and how two datasets differ.")
fetches = typer.Typer(
    help="Download source files, one after the other and only what is new.", no_args_is_help=True
)

Folder = Annotated[
    Path | None,
    typer.Option("--data", help="A folder with your own dataset; else the embedded one."),
]

Into = Annotated[Path, typer.Option("--into", help="The folder of your dataset.")]
Counts = Annotated[bool, typer.Option("--json", help="Print counts as JSON.")]


@imports.command("page")
def import_page(
    files: Annotated[list[Path], typer.Argument(help="Datasheet pages saved as text.")],
    into: Into,
    json: Counts = False,
) -> None:
    """Read datasheet pages saved as text (10th and 11th edition) into a folder of tables.

    Example: killcurve import page raider.txt --into my-data
    """
    from killcurve.sources.importing import import_pages

    _imported(import_pages(files, into), as_json=json)


@imports.command("points")
def import_points(
    folder: Annotated[
        Path, typer.Argument(help="A folder of Munitorum Field Manual files (YAML).")
    ],
    into: Into,
    json: Counts = False,
) -> None:
    """Read points of the 11th edition: units by size and copy, wargear, detachments, enhancements.

    Example: killcurve import points mfm --into my-data
    """
    from killcurve.sources.importing import import_points as read

    _imported(read(folder, into), as_json=json)


@imports.command("wahapedia")
def import_wahapedia(
    folder: Annotated[Path, typer.Argument(help="A folder of exported tables (CSV).")],
    into: Into,
    json: Counts = False,
) -> None:
    """Read a Wahapedia export of the 10th or the 11th edition into a folder of tables.

    Example: killcurve import wahapedia export --into my-data
    """
    from killcurve.sources.importing import import_wahapedia as read

    _imported(read(folder, into), as_json=json)


@imports.command("bsdata")
def import_bsdata(
    folder: Annotated[Path, typer.Argument(help="A folder of catalogues: .cat and .gst, or JSON.")],
    into: Into,
    json: Counts = False,
) -> None:
    """Read BSData catalogues of the 10th (XML) or the 11th edition (JSON) into a folder of tables.

    Example: killcurve import bsdata wh40k-10e --into my-data
    """
    from killcurve.sources.importing import import_bsdata as read

    _imported(read(folder, into), as_json=json)


@imports.command("community")
def import_community(
    wheel: Annotated[Path, typer.Argument(help="The wheel file of a version of wh40kdc.")],
    into: Into,
    json: Counts = False,
) -> None:
    """Read another version of the embedded dataset's package into a folder of tables.

    Example: killcurve import community wh40kdc-1.4.3-py3-none-any.whl --into older
    """
    from killcurve.sources.importing import import_community as read

    _imported(read(wheel, into), as_json=json)


def _imported(result: Imported, *, as_json: bool) -> None:
    """Tell what an import did."""
    from killcurve.sources.importing import summary

    for warning in result.warnings:
        print(f"killcurve: {warning}", file=sys.stderr)
    print(summary(result, as_json=as_json))


Raw = Annotated[Path, typer.Option("--into", help="The folder for the files.")]
Of = Annotated[str, typer.Option("--edition", help="10e or 11e.")]


@fetches.command("wahapedia")
def fetch_wahapedia(into: Raw, edition: Of = "11e", json: Counts = False) -> None:
    """Download the export of Wahapedia (powered by Wahapedia; their files, for your own use).

    Example: killcurve fetch wahapedia --edition 10e --into data/raw/wahapedia-10e
    """
    from killcurve.sources.fetching import fetch_wahapedia as fetch

    _fetched(fetch(edition, into, say), as_json=json)


@fetches.command("bsdata")
def fetch_bsdata(into: Raw, edition: Of = "11e", json: Counts = False) -> None:
    """Download the catalogues of BSData.

    Example: killcurve fetch bsdata --into data/raw/bsdata-11e
    """
    from killcurve.sources.fetching import fetch_bsdata as fetch

    _fetched(fetch(edition, into, say), as_json=json)


@fetches.command("points")
def fetch_points(into: Raw, json: Counts = False) -> None:
    """Download the points of the 11th edition.

    Example: killcurve fetch points --into data/raw/points
    """
    from killcurve.sources.fetching import fetch_points as fetch

    _fetched(fetch(into, say), as_json=json)


def say(step: str) -> None:
    """Tell on standard error what is being done."""
    print(f"killcurve: {step}", file=sys.stderr)


def _fetched(result: Fetched, *, as_json: bool) -> None:
    """Tell what a download did; for people it has been told on the way."""
    if as_json:
        print(result.summary(as_json=True))


@holdings.callback(invoke_without_command=True)
def data(context: typer.Context, folder: Folder = None) -> None:
    """What is loaded, from where, how old, and how complete.

    Example: killcurve data --data my-data
    """
    if context.invoked_subcommand is None:
        from killcurve.sources.default import load
        from killcurve.study.holdings import holdings_in_words

        print(holdings_in_words(load(folder)))


Held = Annotated[str, typer.Argument(help="A folder of tables, or 'default' for the embedded one.")]


@holdings.command("diff")
def data_diff(
    old: Held,
    new: Held,
    chart: Annotated[
        Path | None, typer.Option("--chart", help="Also a chart of points: a name without ending.")
    ] = None,
    csv: Annotated[Path | None, typer.Option("--csv", help="Also all changes as CSV.")] = None,
) -> None:
    """What changed between two datasets: points, stat lines, weapons; what came and went.

    Example: killcurve data diff my-data default --chart changes
    """
    from killcurve.charts.changes import points_changes
    from killcurve.charts.export import export
    from killcurve.study.holdings import between, difference_in_words
    from killcurve.tables.difference import difference

    before, after = _held(old), _held(new)
    frame = difference(before, after)
    print(difference_in_words(frame, before, after))
    if csv is not None:
        frame.write_csv(csv)
    if chart is not None:
        drawn = points_changes(frame, between(before, after))
        footer = f"{after.about.footer} · {after.about.attribution} · killcurve {__version__}"
        export(drawn, chart.parent, chart.name, footer)


@holdings.command("conflicts")
def data_conflicts(
    first: Held,
    second: Held,
    order: Annotated[
        str, typer.Option("--order", help="Sources, the one to be believed first, with commas.")
    ] = "",
    edition: Annotated[str | None, typer.Option("--edition", help="10e or 11e.")] = None,
) -> None:
    """Where two datasets of one edition disagree, and which value counts.

    Example: killcurve data conflicts default my-data --edition 11e
    """
    from killcurve.study.holdings import conflicts_in_words
    from killcurve.tables.conflicts import conflicts

    believed = tuple(source.strip() for source in order.split(",") if source.strip())
    frame = conflicts(_held(first), _held(second), order=believed, edition=edition)
    print(conflicts_in_words(frame, believed))


def _held(name: str) -> Dataset:
    """A dataset by the name of its folder."""
    from killcurve.sources.default import load

    return load(None if name == "default" else name)
