"""A dataset: every table, checked, with where it comes from. It never changes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from killcurve.rules.spelling import did_you_mean
from killcurve.tables import folders, whole_folders
from killcurve.tables.about import About, DataError, together
from killcurve.tables.naming import faction_key
from killcurve.tables.schemas import SCHEMAS
from killcurve.tables.unit_index import UnitIndex

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]

__all__ = ["About", "DataError", "Dataset"]


@dataclass(frozen=True, slots=True)
class Dataset:
    """All tables of :mod:`killcurve.tables.schemas`, by name, and where they come from.

    Tables are Polars frames sorted by their keys. Tables that are not given are empty.
    ``set_aside`` counts rows left out while building, as table → reason → number. ``sources``
    tells of each source of a dataset that was merged of several, and ``prefer`` what its
    precedence was besides the stated one.
    """

    about: About
    tables: Mapping[str, pl.DataFrame]
    set_aside: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    sources: tuple[About, ...] = ()
    prefer: tuple[str, ...] = ()
    _finding: UnitIndex = field(init=False, repr=False, compare=False, default_factory=UnitIndex)

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

    @property
    def editions(self) -> tuple[str, ...]:
        """The editions that it has rows of, the newest first."""
        found = {e for frame in self.tables.values() for e in _editions(frame)}
        return tuple(sorted(found, key=lambda edition: int(edition[:-1]), reverse=True))

    def of_edition(self, edition: str | None = None) -> Dataset:
        """The rows of one edition (by default the newest), as a dataset of its own.

        Raises:
            DataError: if it has nothing of that edition, with what it has.
        """
        editions = self.editions
        wanted = edition or (editions[0] if editions else self.about.edition)
        if wanted == self.about.edition and set(editions) <= {wanted}:
            return self
        if wanted not in editions:
            raise DataError(
                f"{self.about.source} {self.about.version} has nothing of the edition {wanted!r}, "
                f"only of {' and '.join(editions) or 'none'}"
            )
        tables = {
            table: frame.filter(pl.col("edition").cast(pl.String) == wanted)
            for table, frame in self.tables.items()
        }
        sources = tuple(about for about in self.sources if about.edition == wanted)
        about = replace(self.about, edition=wanted)
        return replace(self, about=together(sources) or about, tables=tables, sources=sources)

    def edition_of(self, faction: str, datasheet: str) -> str | None:
        """The newest edition in which a unit has a datasheet (else any rows); null if in none."""
        for table in ("datasheets", "points", "weapons"):
            editions = self._finding.editions(table, self[table], faction, datasheet)
            if editions:
                return max(editions, key=lambda edition: int(edition[:-1]))
        return None

    def find(self, name: str, faction: str | None = None) -> tuple[str, str]:
        """The (faction, datasheet) of a unit, by its name in any case and spelling of quotes.

        A name that several factions have is taken from the first one that does not borrow it;
        give the faction to choose. Of several editions the newest that has the name counts;
        :meth:`of_edition` chooses another.

        Raises:
            DataError: if there is no such unit, with the closest names.
        """
        found = self._finding.named(self.datasheets, name)
        sheets = self.datasheets
        if faction is not None:
            factions = sheets["faction"].unique().sort().to_list()
            chosen = [f for f in factions if faction_key(f) == faction_key(faction)]
            if not chosen:
                raise DataError(
                    f"no faction {faction!r} in {self._name}{did_you_mean(faction, factions)}"
                )
            found = [unit for unit in found if unit[0] in chosen]
            sheets = sheets.filter(pl.col("faction").is_in(chosen))
        if not found:
            names = sheets["datasheet"].unique().sort().to_list()
            raise DataError(f"no unit {name!r} in {self._name}{did_you_mean(name, names)}")
        return found[0]

    @property
    def _name(self) -> str:
        return f"{self.about.edition} ({self.about.source} {self.about.version})"

    def of_unit(
        self, table: str, faction: str, datasheet: str, edition: str | None = None
    ) -> pl.DataFrame:
        """The rows of a table that belong to one unit, in one edition: by default its newest."""
        wanted = edition or self.edition_of(faction, datasheet) or ""
        return self._finding.rows(table, self[table], faction, datasheet, wanted)

    def day(self, source: str, version: str) -> str | None:
        """The day of the rules of a source's version, where it is known."""
        for about in (*self.sources, self.about):
            if (about.source, about.version) == (source, version):
                return about.date
        found = re.search(r"\d{4}-\d\d-\d\d", version)
        return found[0] if found else None

    def to_pandas(self, table: str) -> pd.DataFrame:
        """A table as a pandas frame of Arrow's types, in which nothing is lost.

        >>> Dataset(About("x", "1", "11e", ""), {}).to_pandas("factions").shape
        (0, 5)
        """
        return self[table].to_pandas(use_pyarrow_extension_array=True)

    def save(self, folder: Path | str) -> None:
        """Write the dataset into a folder, in one step, in place of what the folder holds."""
        folder = Path(folder)
        with whole_folders.only_writer(folder):
            folders.publish(folder, self.told(), {name: self[name] for name in SCHEMAS})

    def told(self, layers: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """What ``about.json`` tells; ``layers`` are those that the dataset was merged of."""
        return {
            **asdict(self.about),
            "set_aside": self.set_aside,
            "prefer": list(self.prefer),
            "sources": [asdict(about) for about in self.sources],
            folders.LAYERS: list(layers),
        }

    @classmethod
    def load(cls, folder: Path | str) -> Dataset:
        """Read a dataset from a folder.

        Raises:
            DataError: if there is none, or it was made by another version of the tables.
        """
        folder = Path(folder)
        return folders.read(folder, lambda told: cls.read(folder, told))

    @classmethod
    def read(cls, folder: Path, told: Mapping[str, Any]) -> Dataset:
        """The dataset of a folder, of which ``about.json`` tells ``told``."""
        return cls(
            about=About(**{name: told[name] for name in About.__slots__}),
            tables=folders.tables(folder / told[folders.TABLES], SCHEMAS),
            set_aside=told["set_aside"],
            sources=tuple(About(**about) for about in told["sources"]),
            prefer=tuple(told["prefer"]),
        )


def _editions(frame: pl.DataFrame) -> list[str]:
    return frame["edition"].cast(pl.String).unique().to_list() if frame.height else []
