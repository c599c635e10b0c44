"""A folder with an export: its files as frames of texts, its edition and its date."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from killcurve.rules.spelling import did_you_mean
from killcurve.sources.wahapedia.files import AGAIN, read_text
from killcurve.sources.wahapedia.forms import read_cells
from killcurve.tables.dataset import DataError

NEEDED: dict[str, tuple[str, ...]] = {
    "Factions": ("id", "name"),
    "Datasheets": ("id", "name", "faction_id"),
    "Datasheets_models": ("datasheet_id", "name", "M", "T", "Sv", "inv_sv", "W", "Ld", "OC"),
    "Datasheets_wargear": (
        *("datasheet_id", "name", "description", "range", "type"),
        *("A", "BS_WS", "S", "AP", "D"),
    ),
}
"""Files without which there are no units, and the columns they must have."""

FURTHER: dict[str, tuple[str, ...]] = {
    "Last_update": ("last_update",),
    "Source": ("id", "name"),
    "Datasheets_keywords": ("datasheet_id", "keyword", "is_faction_keyword"),
    "Datasheets_unit_composition": ("datasheet_id", "description"),
    "Datasheets_options": ("datasheet_id", "description"),
    "Datasheets_models_cost": ("datasheet_id", "description", "cost"),
    "Datasheets_abilities": ("datasheet_id", "ability_id", "name", "description", "type"),
    "Abilities": ("id", "name", "faction_id", "description"),
    "Detachments": ("id", "faction_id", "name"),
    "Detachment_abilities": ("faction_id", "name", "description", "detachment"),
    "Stratagems": (
        *("faction_id", "name", "type", "cp_cost", "turn", "phase"),
        *("detachment", "description"),
    ),
    "Enhancements": ("faction_id", "name", "cost", "detachment", "description"),
}
"""Files that may be missing, and the columns they must have if they are there."""

LINKS: dict[str, tuple[str, ...]] = {
    "Datasheets_leader": (),
    "Datasheets_stratagems": (),
    "Datasheets_enhancements": (),
    "Datasheets_detachment_abilities": (),
    "Detachments_chapter_dp": (),
}
"""Files that link ids to each other, for which there is no table."""

_STAMP = re.compile(r"\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?")
_EDITIONS = {"10e": "wh40k10ed", "11e": "wh40k11ed"}


@dataclass(frozen=True, slots=True)
class Export:
    """The files of an export by name (without ``.csv``); columns are texts, ids without zeros.

    A file that is missing is an empty frame. ``stamp`` is the time of the last update.
    """

    files: dict[str, pl.DataFrame]
    edition: str
    stamp: str
    warnings: tuple[str, ...]

    def __getitem__(self, name: str) -> pl.DataFrame:
        columns = {**NEEDED, **FURTHER, **LINKS}[name]
        return self.files.get(name, pl.DataFrame(schema=dict.fromkeys(columns, pl.String)))


def open_export(folder: Path) -> Export:
    """Read the files of a folder.

    Raises:
        DataError: if the folder or a needed file is missing, a file cannot be read or is another
            one than its name says, or the files tell no edition.
    """
    if not folder.is_dir():
        raise DataError(
            f"{folder} is no folder: give the one that holds Datasheets.csv and the other files "
            "of the export"
        )
    there = {path.name.casefold(): path for path in sorted(folder.iterdir())}
    files: dict[str, pl.DataFrame] = {}
    warnings = []
    for name, columns in {**NEEDED, **FURTHER, **LINKS}.items():
        path = there.get(f"{name}.csv".casefold())
        if path is not None:
            files[name] = _frame(path, columns)
        elif name in NEEDED:
            raise DataError(_missing(folder, f"{name}.csv", list(there.values())))
        elif name in FURTHER:
            warnings.append(f"{name}.csv is missing: {_COST[name]}")
    stamp = _stamp(files, there["datasheets.csv"])
    return Export(files, _edition(files), stamp, tuple(warnings))


_COST = {
    "Last_update": "the day its files were last changed stands for its version",
    "Source": "no datasheet is marked as Legends",
    "Datasheets_keywords": "units have no keywords",
    "Datasheets_unit_composition": "units have neither sizes nor default weapons",
    "Datasheets_options": "there are no exchanges of wargear",
    "Datasheets_models_cost": "units have no points",
    "Datasheets_abilities": "there are no texts of units' abilities",
    "Abilities": "abilities that several units share have neither name nor text",
    "Detachments": "there are no detachments",
    "Detachment_abilities": "detachments have no rules",
    "Stratagems": "there are no stratagems",
    "Enhancements": "there are no enhancements",
}


def _missing(folder: Path, name: str, there: list[Path]) -> str:
    close = did_you_mean(name, [path.name for path in there]) if there else ""
    return f"{folder} holds no {name}{close}; it is needed: {AGAIN}"


def _frame(path: Path, needed: tuple[str, ...]) -> pl.DataFrame:
    header, rows = read_cells(read_text(path), path.name)
    lacks = [column for column in needed if column not in header]
    if lacks or len(set(header)) < len(header):
        what = f"has no column {', '.join(lacks)}" if lacks else "has a column twice"
        raise DataError(
            f"{path.name} {what} (it has {', '.join(header)[:200]}), so it is another file than "
            f"its name says: {AGAIN}"
        )
    if needed and not rows:
        raise DataError(f"{path.name} has a header and no rows: {AGAIN}")
    schema = dict.fromkeys(header, pl.String)
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    ids = [column for column in header if column == "id" or column.endswith("_id")]
    return frame.with_columns(pl.col(ids).str.strip_chars_start("0").str.replace(r"\.0$", ""))


def _edition(files: dict[str, pl.DataFrame]) -> str:
    """The edition that the links of most files name, else that of the sources."""
    named = {name: found for name, frame in files.items() if (found := _linked(frame))}
    editions = sorted(set(named.values()))
    if len(editions) > 1:
        told = [f"{name}.csv is of the {edition}" for name, edition in named.items()]
        raise DataError(
            f"the files are of two editions ({', '.join(told)}): take all of them from one export"
        )
    if editions:
        return editions[0]
    sources = files.get("Source")
    if sources is not None and "edition" in sources.columns:
        printed = set(sources["edition"].to_list()) & {"10", "11"}
        if printed:
            return f"{max(printed)}e"
    raise DataError(
        "the files tell no edition: neither links to /wh40k10ed/ or /wh40k11ed/ in Datasheets.csv "
        f"nor Source.csv; {AGAIN}"
    )


def _linked(frame: pl.DataFrame) -> str | None:
    if "link" not in frame.columns:
        return None
    counts = {
        edition: int(frame["link"].str.contains(part, literal=True).sum())
        for edition, part in _EDITIONS.items()
    }
    most = max(counts, key=lambda edition: counts[edition])
    return most if counts[most] else None


def _stamp(files: dict[str, pl.DataFrame], sheets: Path) -> str:
    """When the export was made; else the day its datasheets were last changed."""
    if "Last_update" not in files:
        return datetime.fromtimestamp(sheets.stat().st_mtime, tz=UTC).date().isoformat()
    printed = str(files["Last_update"]["last_update"][0])
    if not _STAMP.fullmatch(printed):
        raise DataError(
            f"Last_update.csv: {printed[:60]!r} is no time such as 2025-11-14 19:35:22: {AGAIN}"
        )
    return printed
