"""The shell's verbs about what a dataset holds: from where, what differs, for other tools."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from killcurve import __version__

if TYPE_CHECKING:
    import polars as pl

    from killcurve.tables.collection import Collection
    from killcurve.tables.dataset import Dataset

holdings = typer.Typer(help="What is loaded, how datasets differ, and tables for other tools.")

Folder = Annotated[
    Path | None,
    typer.Option("--data", help="A folder with your own dataset; else the embedded one."),
]
Held = Annotated[str, typer.Argument(help="A folder of tables, or 'default' for the embedded one.")]
Of = Annotated[str | None, typer.Option("--edition", help="10e or 11e.")]
Csv = Annotated[Path | None, typer.Option("--csv", help="Also all of them as CSV.")]


class Form(Enum):
    """What tables are exported as."""

    PARQUET = "parquet"
    CSV = "csv"
    ARROW = "arrow"
    SQLITE = "sqlite"


@holdings.callback(invoke_without_command=True)
def data(context: typer.Context, folder: Folder = None) -> None:
    """What is loaded, from where, how old, and how complete.

    Example: killcurve data --data my-data
    """
    if context.invoked_subcommand is None:
        from killcurve.sources.default import load
        from killcurve.study.holdings import holdings_in_words

        print(holdings_in_words(load(folder), None if folder is None else _layers(folder)))


@holdings.command("diff")
def data_diff(
    old: Held,
    new: Held,
    chart: Annotated[
        Path | None, typer.Option("--chart", help="Also a chart of points: a name without ending.")
    ] = None,
    csv: Csv = None,
) -> None:
    """What changed between two datasets: points, stat lines, weapons; what came and went.

    Example: killcurve data diff my-data default --chart changes
    """
    from killcurve.charts.changes import points_changes
    from killcurve.charts.export import export
    from killcurve.study.disagreements import between, difference_in_words
    from killcurve.tables.difference import difference

    before, after = _held(old), _held(new)
    frame = difference(before, after)
    print(difference_in_words(frame, before, after))
    _write_csv(frame, csv)
    if chart is not None:
        drawn = points_changes(frame, between(before, after))
        footer = f"{after.about.footer} · {after.about.attribution} · killcurve {__version__}"
        export(drawn, chart.parent, chart.name, footer)


@holdings.command("conflicts")
def data_conflicts(
    first: Held,
    second: Annotated[
        str | None, typer.Argument(help="Another one; else the sources within the first.")
    ] = None,
    order: Annotated[
        str, typer.Option("--order", help="Sources to be believed first, as with --prefer.")
    ] = "",
    edition: Of = None,
    csv: Csv = None,
) -> None:
    """Where sources of one edition disagree, and which value is used.

    Of one folder: each value of a source that is not used since another is believed. Of two:
    each value that both have and that differs. Which source is believed:

    \b
      prices: field manual > newest of page, wh40kdc, wahapedia > bsdata
      profiles: page > wh40kdc > wahapedia > bsdata
      rules: page > wh40kdc > wahapedia > bsdata
      legends: field manual > newest of wh40kdc, wahapedia > bsdata

    --order tries another order; `killcurve import … --prefer` keeps one in the folder.

    Example: killcurve data conflicts my-data
    """
    from killcurve.study.disagreements import conflicts_in_words
    from killcurve.tables.conflicts import conflicts, conflicts_within

    wishes = listed(order)
    if second is None:
        layers = _layers(first)
        wishes = wishes or layers.prefer
        frame = conflicts_within(layers, order=wishes, edition=edition)
    else:
        frame = conflicts(_held(first), _held(second), order=wishes, edition=edition)
    print(conflicts_in_words(frame, wishes))
    _write_csv(frame, csv)


@holdings.command("export")
def data_export(
    dataset: Held,
    into: Annotated[Path, typer.Option("--into", help="The folder, or the SQLite file.")],
    form: Annotated[Form, typer.Option("--as", help="The form of the files.")] = Form.PARQUET,
    edition: Of = None,
) -> None:
    """Write all tables for other tools: a file a table, or one SQLite file.

    Lists are JSON texts in CSV and SQLite; Parquet and Arrow keep them.

    Example: killcurve data export my-data --into tables.sqlite --as sqlite
    """
    from killcurve.tables.exporting import export

    held = _held(dataset)
    for path in export(held if edition is None else held.of_edition(edition), into, form.value):
        print(path)


def listed(words: str) -> tuple[str, ...]:
    """What is given with commas.

    >>> listed("bsdata, prices=wahapedia,")
    ('bsdata', 'prices=wahapedia')
    """
    return tuple(word.strip() for word in words.split(",") if word.strip())


def _write_csv(frame: pl.DataFrame, path: Path | None) -> None:
    if path is not None:
        from killcurve.tables.storage import write_file

        write_file(path, frame.write_csv().encode())


def _held(name: str) -> Dataset:
    """A dataset by the name of its folder."""
    from killcurve.sources.default import load

    return load(None if name == "default" else name)


def _layers(name: Path | str) -> Collection:
    """The layers of a dataset by the name of its folder."""
    from killcurve.tables.collection import Collection
    from killcurve.tables.layers import split

    if name == "default":
        return Collection(tuple(split(_held("default"))))
    return Collection.load(name)
