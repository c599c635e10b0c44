"""Imports into a folder: what is read replaces what the folder held of the same things."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from killcurve.sources.bsdata import read_catalogues
from killcurve.sources.default import load
from killcurve.sources.fetching import settle
from killcurve.sources.pages import read_pages
from killcurve.sources.points import read_points, repriced
from killcurve.sources.wahapedia import read_export
from killcurve.sources.wheel import read_wheel
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.merging import merged
from killcurve.tables.schemas import SCHEMAS


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: the tables it read, as they went into the folder, and warnings."""

    dataset: Dataset
    into: Path
    warnings: tuple[str, ...]

    def counts(self) -> dict[str, dict[str, int]]:
        """Rows read, kept and set aside, for each table that got any."""
        out = {}
        for table in SCHEMAS:
            kept = self.dataset[table].height
            aside = sum(self.dataset.set_aside.get(table, {}).values())
            if kept or aside:
                out[table] = {"read": kept + aside, "kept": kept, "set_aside": aside}
        return out


def import_pages(files: Sequence[Path], into: Path) -> Imported:
    """Read datasheet pages and put their tables into a folder, all of them or none.

    Raises:
        DataError: naming the file that is no (whole) datasheet page; nothing is written then.
    """
    return _put(*read_pages(files, load()), into)


def import_wahapedia(folder: Path, into: Path) -> Imported:
    """Read a Wahapedia export and put its tables into a folder, all of them or none.

    Raises:
        DataError: naming the file that is missing or no (whole) file of an export; nothing is
            written then.
    """
    settle(folder)
    return _put(*read_export(folder), into)


def import_bsdata(folder: Path, into: Path) -> Imported:
    """Read BSData catalogues and put their tables into a folder, all of them or none.

    Raises:
        DataError: naming the file that is no whole catalogue; nothing is written then.
    """
    settle(folder)
    return _put(*read_catalogues(folder), into)


def import_points(folder: Path, into: Path) -> Imported:
    """Read points lists and put their prices into the dataset of a folder, all of them or none.

    A folder that holds no dataset gets the embedded default with these points.

    Raises:
        DataError: naming the file that is no (whole) points list; nothing is written then.
    """
    settle(folder)
    base = _held(into) or load()
    dataset, warnings = read_points(folder, base)
    repriced(base, dataset).save(into)
    return Imported(dataset, into, tuple(warnings))


def import_community(wheel: Path, into: Path) -> Imported:
    """Read another version of the embedded dataset from a wheel and put its tables into a folder.

    Raises:
        DataError: if the file is no whole wheel of ``wh40kdc``; nothing is written then.
    """
    return _put(read_wheel(wheel), (), into)


def _put(dataset: Dataset, warnings: Sequence[str], into: Path) -> Imported:
    """Merge a dataset with what a folder holds, in one step."""
    known = _held(into)
    (dataset if known is None else merged(known, dataset)).save(into)
    return Imported(dataset, into, tuple(warnings))


def _held(into: Path) -> Dataset | None:
    """The dataset that a folder holds, if any."""
    try:
        return Dataset.load(into)
    except DataError:
        if (into / "about.json").exists():
            raise
        return None


def summary(result: Imported, *, as_json: bool) -> str:
    """The counts of an import, for people or as JSON."""
    counts = result.counts()
    if as_json:
        return json.dumps(counts)
    lines = [f"written to {result.into}"]
    for table, count in counts.items():
        aside = f", {count['set_aside']} set aside" if count["set_aside"] else ""
        lines.append(f"  {table.replace('_', ' '):16} {count['kept']:6}{aside}")
    for table, reasons in result.dataset.set_aside.items():
        lines += [f"  set aside in {table}: {n} × {reason}" for reason, n in reasons.items()]
    return "\n".join(lines)
