"""A dataset: every table, checked, with where it comes from. It never changes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import cast

import polars as pl

from killcurve.rules.spelling import did_you_mean, normal
from killcurve.tables import storage
from killcurve.tables.schemas import SCHEMAS, VERSION

ABOUT = "about.json"


class DataError(ValueError):
    """Something about data that a person can mend; the message says how."""


@dataclass(frozen=True, slots=True)
class About:
    """Where a dataset comes from: what footers and reports say of it.

    ``date`` is the day of the newest rules in it (``2026-08-20``).
    """

    source: str
    version: str
    edition: str
    date: str
    licence: str = ""
    attribution: str = ""
    schema: int = VERSION

    @property
    def footer(self) -> str:
        """One line for under a chart.

        >>> About("wh40kdc", "1.4.5", "11e", "2026-08-20").footer
        'Data: wh40kdc 1.4.5 of 2026-08-20 · 11th edition'
        """
        edition = {"11e": "11th edition", "10e": "10th edition"}.get(self.edition, self.edition)
        return f"Data: {self.source} {self.version} of {self.date} · {edition}"


@dataclass(frozen=True, slots=True)
class Dataset:
    """All tables of :mod:`killcurve.tables.schemas`, by name, and where they come from.

    Tables are Polars frames sorted by their keys. Tables that are not given are empty.
    ``set_aside`` counts rows left out while building, as table → reason → number.
    """

    about: About
    tables: Mapping[str, pl.DataFrame]
    set_aside: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def __getitem__(self, table: str) -> pl.DataFrame:
        if table not in SCHEMAS:
            raise DataError(f"there is no table {table!r}{did_you_mean(table, SCHEMAS)}")
        if table not in self.tables:
            return SCHEMAS[table].create_empty()
        return self.tables[table]

    @property
    def weapons(self) -> pl.DataFrame:
        """Weapon profiles, one row each."""
        return self["weapons"]

    @property
    def models(self) -> pl.DataFrame:
        """Stat lines, one row each."""
        return self["models"]

    @property
    def datasheets(self) -> pl.DataFrame:
        """Units, one row each."""
        return self["datasheets"]

    @property
    def stratagems(self) -> pl.DataFrame:
        """Stratagems with their effects, one row each."""
        return self["stratagems"]

    @property
    def points(self) -> pl.DataFrame:
        """Costs by size and copy, one row each."""
        return self["points"]

    @property
    def target_profiles(self) -> pl.DataFrame:
        """Standard targets, one row each."""
        return self["target_profiles"]

    def find(self, name: str, faction: str | None = None) -> tuple[str, str]:
        """The (faction, datasheet) of a unit, by its name in any case and spelling of quotes.

        A name that several factions have is taken from the first one that does not borrow it;
        give the faction to choose.

        Raises:
            DataError: if there is no such unit, with the closest names.
        """
        sheets = (
            self.datasheets.select("faction", "datasheet").unique().sort("faction", "datasheet")
        )
        if faction is not None:
            factions = sheets["faction"].unique(maintain_order=True).to_list()
            chosen = [f for f in factions if normal(f) == normal(faction)]
            if not chosen:
                raise DataError(
                    f"no faction {faction!r} in {self._name}{did_you_mean(faction, factions)}"
                )
            sheets = sheets.filter(pl.col("faction") == chosen[0])
        found = [row for row in sheets.rows() if normal(row[1]) == normal(name)]
        if not found:
            names = sheets["datasheet"].unique(maintain_order=True).to_list()
            raise DataError(f"no unit {name!r} in {self._name}{did_you_mean(name, names)}")
        return cast("tuple[str, str]", found[0])

    @property
    def _name(self) -> str:
        return f"{self.about.edition} ({self.about.source} {self.about.version})"

    def of_unit(self, table: str, faction: str, datasheet: str) -> pl.DataFrame:
        """The rows of a table that belong to one unit."""
        return self[table].filter(
            (pl.col("faction") == faction) & (pl.col("datasheet") == datasheet)
        )

    def save(self, folder: Path | str) -> None:
        """Write the dataset into a folder, in one step: a Parquet file a table, ``about.json``."""
        writers = {f"{name}.parquet": partial(_write_parquet, self[name]) for name in SCHEMAS}
        about = {**asdict(self.about), "set_aside": self.set_aside}
        text = json.dumps(about, indent=1, ensure_ascii=False)
        storage.replace_files(
            Path(folder), {**writers, ABOUT: lambda path: path.write_text(text, encoding="utf-8")}
        )

    @classmethod
    def load(cls, folder: Path | str) -> Dataset:
        """Read a dataset from a folder.

        Raises:
            DataError: if there is none, or it was made by another version of the tables.
        """
        folder = Path(folder)
        if folder.is_dir():
            storage.finish(folder)
        if not (folder / ABOUT).exists():
            raise DataError(f"{folder} holds no dataset; `killcurve import … --into DIR` makes one")
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        set_aside = about.pop("set_aside", {})
        if about.get("schema") != VERSION:
            raise DataError(
                f"{folder} was made with tables of version {about.get('schema')}, these are "
                f"version {VERSION}: import it again"
            )
        tables = {name: pl.read_parquet(folder / f"{name}.parquet") for name in SCHEMAS}
        return cls(About(**about), tables, set_aside)


def _write_parquet(frame: pl.DataFrame, path: Path) -> None:
    frame.write_parquet(path, compression="zstd", statistics=False)
