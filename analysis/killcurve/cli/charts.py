"""The shell's verbs about charts for articles: one of a kind, the same again, the gallery."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from killcurve.charts.kinds import KINDS
from killcurve.charts.presets import PRESETS
from killcurve.charts.style import STYLES
from killcurve.cli.output import AsJson, Csv, Parquet, show

if TYPE_CHECKING:
    import polars as pl

charts = typer.Typer(
    help="Charts for articles, from any frame: exact sizes, alt text, numbers, footer.",
    no_args_is_help=True,
)

Preset = Enum("Preset", {name: name for name in PRESETS})  # type: ignore[misc]
Style = Enum("Style", {name: name for name in STYLES})  # type: ignore[misc]

From = Annotated[
    Path, typer.Option("--from", help="The frame: .csv, .tsv, .parquet, .json, .jsonl.")
]
Out = Annotated[Path, typer.Option("--out", help="The folder and the name without ending.")]
Size = Annotated[Preset, typer.Option("--preset", help="The size, to the pixel.")]
Look = Annotated[Style, typer.Option("--style", help="Light or dark paper.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", help="A column or setting of the kind, such as value=log_ratio."),
]
Title = Annotated[str | None, typer.Option("--title", help="The finding, in your words.")]
Subtitle = Annotated[str | None, typer.Option("--subtitle", help="Measure, unit, conditions.")]
Alt = Annotated[str | None, typer.Option("--alt", help="What who does not see it should know.")]
Source = Annotated[str, typer.Option("--source", help="Where the numbers are from.")]
Day = Annotated[str, typer.Option("--date", help="The day of the newest data, as 2026-08-20.")]
Edition = Annotated[str, typer.Option("--edition", help="Of the game, such as 11e.")]
Covered = Annotated[str, typer.Option("--coverage", help="How complete the data is.")]
Formats = Annotated[str, typer.Option("--format", help="Some of svg,png,pdf.")]


def _verb(kind: str) -> Callable[..., None]:
    def verb(
        frame: From,
        out: Out,
        preset: Size = Preset["web"],
        style: Look = Style["light"],
        settings: Settings = None,
        title: Title = None,
        subtitle: Subtitle = None,
        alt: Alt = None,
        source: Source = "",
        date: Day = "",
        edition: Edition = "",
        coverage: Covered = "",
        formats: Formats = "svg,png,pdf",
    ) -> None:
        from killcurve import __version__
        from killcurve.charts.kinds import make
        from killcurve.charts.publishing import Footer, publish
        from killcurve.cli.holding import listed

        made = make(kind, read_frame(frame), **told(settings or ()))
        footer = Footer(source, date, edition, coverage, f"killcurve {__version__}")
        written = publish(
            made, out, footer, preset=preset.value, style=style.value, formats=listed(formats),
            title=title, subtitle=subtitle, alt=alt,
        )  # fmt: skip
        print("\n".join(map(str, written)))

    return verb


for _kind in KINDS.values():
    charts.command(
        _kind.name,
        help=f"{_kind.about[:1].upper()}{_kind.about[1:]}.\n\nExample: killcurve chart "
        f"{_kind.name} --from frame.csv --source 'my games' --date 2026-08-20 --out charts/one",
    )(_verb(_kind.name))


@charts.command("kinds")
def kinds(json: AsJson = False, csv: Csv = None, parquet: Parquet = None) -> None:
    """The kinds of charts, the columns each needs and may have, and its settings.

    Columns are given as SETTING=COLUMN with the default; --set names others.

    Example: killcurve chart kinds
    """
    from killcurve.charts.kinds import listing

    show(listing(), json=json, csv=csv, parquet=parquet)


@charts.command("again")
def again(
    file: Annotated[Path, typer.Argument(help="The .json beside a chart.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Another folder and name; else beside it.")
    ] = None,
) -> None:
    """Make a chart's files again, to the byte, from the .json beside them.

    Example: killcurve chart again charts/one.json
    """
    from killcurve.charts.publishing import again as made

    print("\n".join(map(str, made(file, out))))


@charts.command("gallery")
def gallery(
    out: Annotated[Path, typer.Option("--out", help="The folder to write.")],
    preset: Annotated[
        list[Preset] | None, typer.Option("--preset", help="Sizes to show; else web.")
    ] = None,
) -> None:
    """Every kind of chart from invented numbers, light and dark, on one page.

    Example: killcurve chart gallery --out build/gallery
    """
    from killcurve.charts.gallery import gallery as written

    sizes = [size.value for size in preset or [Preset["web"]]]
    print(written(out, sizes, lambda name: print(f"killcurve: {name}", file=sys.stderr)))


def told(settings: Sequence[str]) -> dict[str, str]:
    """Settings as they are written.

    >>> told(["value=log_ratio", "title = a = b"])
    {'value': 'log_ratio', 'title': 'a = b'}
    >>> told(["value"])
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: 'value' is no setting: write NAME=VALUE, such as \
value=log_ratio

    Raises:
        DataError: if one has no value.
    """
    from killcurve.tables.dataset import DataError

    pairs = {}
    for text in settings:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise DataError(f"{text!r} is no setting: write NAME=VALUE, such as value=log_ratio")
        pairs[name.strip()] = value.strip()
    return pairs


def read_frame(path: Path) -> pl.DataFrame:
    """A frame from a file, by its ending; JSON is a list of objects, or one object a line.

    Raises:
        DataError: if it cannot be read, or its ending is another.
    """
    import polars as pl

    from killcurve.tables.dataset import DataError

    readers: dict[str, Callable[[Path], pl.DataFrame]] = {
        ".csv": lambda p: pl.read_csv(p, try_parse_dates=True, infer_schema_length=None),
        ".tsv": lambda p: pl.read_csv(
            p, separator="\t", try_parse_dates=True, infer_schema_length=None
        ),
        ".parquet": pl.read_parquet,
        ".json": _json,
        ".jsonl": _json,
    }
    read = readers.get(path.suffix.casefold())
    if read is None:
        raise DataError(f"{path} ends in none of {', '.join(readers)}: what is it?")
    try:
        return read(path)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from None
    except (pl.exceptions.PolarsError, ValueError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(f"{path} is no {path.suffix[1:].upper()} of rows: {first}") from None


def _json(path: Path) -> pl.DataFrame:
    """A list of objects, or an object a line; days that are written as text become days."""
    from json import loads

    import polars as pl

    text = path.read_text(encoding="utf-8").strip()
    rows = loads(text) if text.startswith("[") else [loads(line) for line in text.splitlines()]
    if not all(isinstance(row, dict) for row in rows):
        raise ValueError("not every row is an object")
    frame = pl.DataFrame(rows, infer_schema_length=None)
    days = [
        name
        for name, kind in frame.schema.items()
        if kind == pl.String
        and frame[name].drop_nulls().len()
        and frame[name].drop_nulls().str.contains(r"^\d{4}-\d{2}-\d{2}$").all()
    ]
    return frame.with_columns(pl.col(name).str.to_date() for name in days)
