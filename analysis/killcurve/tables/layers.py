"""The layers of a dataset: what each source says by itself, for each edition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import polars as pl

from killcurve.tables.about import About
from killcurve.tables.dataset import Dataset
from killcurve.tables.precedence import number
from killcurve.tables.schemas import SCHEMAS

BORROWED = "borrowed"
UNIT_COLUMNS = ("datasheet", "leader")
"""Columns of which a table's key has one, if its rows belong to a unit."""
NO_UNITS = ("texts", "target_profiles")


@dataclass(frozen=True, slots=True)
class Layer:
    """The rows of one source and edition.

    ``borrowed`` rows stand in where no other source has any, such as a stat line of the
    embedded default for a unit of a page. ``raw`` are the source's own files, by name, if its
    rows depend on what else is known (points go to datasheets by name). ``folder`` is where the
    layer is kept already.
    """

    dataset: Dataset
    borrowed: bool = False
    raw: Mapping[str, bytes] = field(default_factory=dict)
    folder: str = ""

    @property
    def about(self) -> About:
        """Where its rows come from."""
        return self.dataset.about

    @property
    def name(self) -> str:
        """What tells it from the other layers of a dataset."""
        source = BORROWED if self.borrowed else self.about.source.replace(" ", "-")
        return f"{source}-{self.about.edition}"


def split(dataset: Dataset) -> list[Layer]:
    """The layers of a dataset that was read in one go, or was merged and has none any more.

    Rows of the dataset's own source are its own, and those that no stat line is from. Others
    are borrowed. Where none is of its own source, it was merged, and each source has a layer.
    """
    given = {source for f in dataset.tables.values() for source in f["source"].unique()}
    own = dataset.about.source
    layers = []
    for edition in dataset.editions or (dataset.about.edition,):
        is_here = pl.col("edition").cast(pl.String) == edition
        rows = {table: frame.filter(is_here) for table, frame in dataset.tables.items()}
        others = given if own not in given else {*dataset.models["source"]} - {own}
        apart = pl.col("source").is_in(sorted(others))
        about = replace(dataset.about, edition=edition)
        mine = {table: frame.filter(~apart) for table, frame in rows.items()}
        if any(frame.height for frame in mine.values()) or not dataset.editions:
            layers.append(Layer(Dataset(about, mine, dataset.set_aside)))
        for source in sorted(others):
            theirs = {table: f.filter(pl.col("source") == source) for table, f in rows.items()}
            versions = {version for f in theirs.values() for version in f["version"].unique()}
            if versions:
                version = max(versions, key=number)
                day = dataset.day(source, version) or about.date
                of = replace(about, source=source, version=version, date=day)
                layers.append(Layer(Dataset(of, theirs), borrowed=own in given))
    return layers


def group_of(table: str) -> list[str]:
    """The columns that tell which rows of a table belong together: those of one unit, mostly.

    >>> group_of("weapons"), group_of("stratagems")
    (['edition', 'faction', 'datasheet'], ['edition', 'faction', 'detachment', 'name'])
    """
    keys = SCHEMAS[table].primary_key()
    if "roster" in keys:
        return ["edition", "roster"]
    unit = unit_column(table)
    if unit:
        return ["edition", "faction", unit]
    return [key for key in keys if key != "number"]


def unit_column(table: str) -> str | None:
    """The column that names the unit of a table's rows, if they belong to units."""
    keys = SCHEMAS[table].primary_key()
    found = [name for name in UNIT_COLUMNS if name in keys and "faction" in keys]
    return found[0] if found and table not in NO_UNITS else None


def renewed(old: Layer | None, new: Layer, *, whole: bool) -> Layer:
    """A layer after another reading of its source: of each thing the newest version stays.

    A source that is read ``whole`` replaces all it said before, table by table (a table that
    the new version lacks stays as it was). Of one that is read piece by piece, such as pages,
    each unit or rule is replaced that is there again. Of equal versions the new reading stays.
    """
    if old is None:
        return new
    is_newer = _version(new) >= _version(old)
    if whole:
        first, second = (new, old) if is_newer else (old, new)
        tables = {
            table: first.dataset[table] if first.dataset[table].height else second.dataset[table]
            for table in SCHEMAS
        }
    else:
        tables = {table: _pieces(table, old.dataset, new.dataset) for table in SCHEMAS}
    if all(tables[table].equals(old.dataset[table]) for table in SCHEMAS) and not is_newer:
        return old
    last = new if is_newer else old
    kept = {table: frame for table, frame in tables.items() if frame.height}
    return replace(last, dataset=replace(last.dataset, tables=kept), folder="")


def _version(layer: Layer) -> tuple[list[int], list[int]]:
    return number(layer.about.date), number(layer.about.version)


def _pieces(table: str, old: Dataset, new: Dataset) -> pl.DataFrame:
    """The rows of both; of what both have those of the newer version."""
    group = group_of(table)
    heads = [_heads(table, dataset) for dataset in (old, new)]
    versions = sorted({v for head in heads for v in head["version"]}, key=number)
    order = {version: i for i, version in enumerate(versions)}
    newest = [
        head.with_columns(pl.col("version").replace_strict(order, return_dtype=pl.Int64))
        .group_by(group)
        .agg(pl.col("version").max())
        for head in heads
    ]
    both = newest[0].join(newest[1], on=group, suffix="_new")
    stays = pl.col("version") > pl.col("version_new")
    rows = [
        old[table].join(both.filter(~stays), on=group, how="anti"),
        new[table].join(both.filter(stays), on=group, how="anti"),
    ]
    return pl.concat(rows).sort(SCHEMAS[table].primary_key())


def _heads(table: str, dataset: Dataset) -> pl.DataFrame:
    """The things that a dataset has rows of; a unit that has a datasheet has them, too."""
    group = group_of(table)
    rows = [dataset[table].select(*group, "version")]
    unit = unit_column(table)
    if unit:
        rows.append(
            dataset.datasheets.select(
                "edition", "faction", pl.col("datasheet").alias(unit), "version"
            )
        )
    return pl.concat(rows)
