"""The shell's verbs that bring data in: importing and fetching."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from killcurve.cli.holding import Folder, holdings, listed
from killcurve.cli.progress import importing

if TYPE_CHECKING:
    from killcurve.sources.fetching import Fetched
    from killcurve.sources.importing import Imported

__all__ = ["Folder", "fetches", "holdings", "imports", "say"]

imports = typer.Typer(
    help="Read your own data into tables. A folder may hold several sources: each value is from "
    "the one believed first (`killcurve data conflicts --help`), or that you --prefer.",
    no_args_is_help=True,
)
fetches = typer.Typer(
    help="Download source files, one after the other and only what is new.", no_args_is_help=True
)

Into = Annotated[Path, typer.Option("--into", help="The folder of your dataset.")]
Counts = Annotated[bool, typer.Option("--json", help="Print counts as JSON.")]
Prefer = Annotated[
    str | None,
    typer.Option(
        "--prefer",
        help="Sources to be believed first, with commas: bsdata, or prices=bsdata (the fields are "
        "prices, profiles, rules, legends). The folder keeps it; '' is the stated precedence.",
    ),
]


@imports.command("page")
def import_page(
    files: Annotated[list[Path], typer.Argument(help="Datasheet pages saved as text.")],
    into: Into,
    prefer: Prefer = None,
    json: Counts = False,
) -> None:
    """Read datasheet pages saved as text (10th and 11th edition) into a folder of tables.

    Example: killcurve import page raider.txt --into my-data
    """
    from killcurve.sources.importing import import_pages

    with importing(into) as tell:
        done = import_pages(files, into, _wishes(prefer), tell)
    _imported(done, as_json=json)


@imports.command("points")
def import_points(
    folder: Annotated[
        Path, typer.Argument(help="A folder of Munitorum Field Manual files (YAML).")
    ],
    into: Into,
    prefer: Prefer = None,
    json: Counts = False,
) -> None:
    """Read points of the 11th edition: units by size and copy, wargear, detachments, enhancements.

    Example: killcurve import points mfm --into my-data
    """
    from killcurve.sources.importing import import_points as read

    with importing(into) as tell:
        done = read(folder, into, _wishes(prefer), tell)
    _imported(done, as_json=json)


@imports.command("wahapedia")
def import_wahapedia(
    folder: Annotated[Path, typer.Argument(help="A folder of exported tables (CSV).")],
    into: Into,
    prefer: Prefer = None,
    json: Counts = False,
) -> None:
    """Read a Wahapedia export of the 10th or the 11th edition into a folder of tables.

    Example: killcurve import wahapedia export --into my-data
    """
    from killcurve.sources.importing import import_wahapedia as read

    with importing(into) as tell:
        done = read(folder, into, _wishes(prefer), tell)
    _imported(done, as_json=json)


@imports.command("bsdata")
def import_bsdata(
    folder: Annotated[Path, typer.Argument(help="A folder of catalogues: .cat and .gst, or JSON.")],
    into: Into,
    prefer: Prefer = None,
    json: Counts = False,
) -> None:
    """Read BSData catalogues of the 10th (XML) or the 11th edition (JSON) into a folder of tables.

    Example: killcurve import bsdata wh40k-10e --into my-data
    """
    from killcurve.sources.importing import import_bsdata as read

    with importing(into) as tell:
        done = read(folder, into, _wishes(prefer), tell)
    _imported(done, as_json=json)


@imports.command("community")
def import_community(
    wheel: Annotated[Path, typer.Argument(help="The wheel file of a version of wh40kdc.")],
    into: Into,
    prefer: Prefer = None,
    json: Counts = False,
) -> None:
    """Read another version of the embedded dataset's package into a folder of tables.

    Example: killcurve import community wh40kdc-1.4.3-py3-none-any.whl --into older
    """
    from killcurve.sources.importing import import_community as read

    with importing(into) as tell:
        done = read(wheel, into, _wishes(prefer), tell)
    _imported(done, as_json=json)


@imports.command("default")
def import_default(into: Into, prefer: Prefer = None, json: Counts = False) -> None:
    """Put the embedded default into a folder of tables, as one source among others.

    Example: killcurve import default --into my-data
    """
    from killcurve.sources.importing import import_default as read

    with importing(into) as tell:
        done = read(into, _wishes(prefer), tell)
    _imported(done, as_json=json)


def _wishes(prefer: str | None) -> tuple[str, ...] | None:
    """What is preferred: nothing given leaves what the folder prefers."""
    return None if prefer is None else listed(prefer)


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
