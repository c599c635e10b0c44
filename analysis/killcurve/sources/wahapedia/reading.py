"""An export becomes a dataset; of every file it is known what became of its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from killcurve.sources.wahapedia import leaders, loadouts, points, rules, texts, units, weapons
from killcurve.sources.wahapedia.account import NO_DATASHEET, TWICE, Account, Row
from killcurve.sources.wahapedia.export import Export, open_export
from killcurve.sources.wahapedia.files import AGAIN
from killcurve.tables.building import build
from killcurve.tables.dataset import About, DataError, Dataset

SOURCE = "wahapedia"
ATTRIBUTION = "powered by Wahapedia"

TABLES_OF = {
    "Factions": ("factions",),
    "Datasheets": ("datasheets",),
    "Datasheets_models": ("models",),
    "Datasheets_wargear": ("weapons",),
    "Datasheets_keywords": ("keywords",),
    "Datasheets_unit_composition": ("compositions",),
    "Datasheets_options": ("wargear_options",),
    "Datasheets_leader": ("leader_attachments",),
    "Datasheets_models_cost": ("points", "allied_points", "wargear_costs"),
    "Detachments": ("detachments",),
    "Stratagems": ("stratagems",),
    "Enhancements": ("enhancements",),
}
"""The tables that the rows of a file go to, each row to one."""

_USED = {
    "Source": "used to mark Legends",
    "Abilities": "used for the abilities of datasheets",
    "Last_update": "used as the version",
}
_LINK = "a link between ids, for which there is no table"
_MANY = 0.1
_WEAPON = ["edition", "faction", "datasheet", "weapon_id", "profile", "kind"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A dataset, what was noticed, and what became of the rows of every file."""

    dataset: Dataset
    warnings: tuple[str, ...]
    files: Mapping[str, Mapping[str, int]]
    """By file: ``read``, and ``kept`` plus one entry for each reason, which sum up to it."""


def read_export(folder: Path) -> tuple[Dataset, list[str]]:
    """The dataset of a folder with an export, and warnings.

    Raises:
        DataError: naming the file that is missing or no (whole) file of an export.

    >>> read_export(Path("no/such/folder"))
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: no/such/folder is no folder: give the one that holds \
Datasheets.csv and the other files of the export
    """
    reading = read_files(folder)
    return reading.dataset, list(reading.warnings)


def read_files(folder: Path) -> Reading:
    """The same, with an account of every file.

    Raises:
        DataError: as :func:`read_export`.
    """
    export = open_export(folder)
    accounts, prose = _accounts(export)
    dataset = _dataset(export, accounts)
    if dataset.datasheets.is_empty() or dataset.weapons.is_empty():
        raise DataError(
            f"{folder} gives no unit with a weapon, so its files do not belong together: take all "
            "of them from one export"
        )
    files = {
        f"{name}.csv": _file_account(name, lines, dataset, accounts, prose)
        for name, lines in export.files.items()
    }
    return Reading(dataset, (*export.warnings, *_doubts(dataset, files)), files)


def _accounts(export: Export) -> tuple[dict[str, Account], dict[str, Account]]:
    """The accounts of all tables, and those of the files whose rows are texts."""
    known, sheets = units.read_units(export)
    models = units.models(export, known)
    arms, abilities = weapons.read(export, known)
    composed = loadouts.compositions(export, known, models)
    carried = loadouts.default_weapons(export, known, arms, composed)
    prices = points.read(export, known, units.sizes(composed.rows))
    accounts = {
        "factions": units.factions(export),
        "datasheets": sheets,
        "models": models,
        "weapons": arms,
        "weapon_keywords": abilities,
        "keywords": units.keywords(export, known),
        "compositions": composed,
        "default_weapons": carried,
        "wargear_options": loadouts.options(export, known, arms, composed, carried),
        "leader_attachments": leaders.leaders(export, known),
        "points": prices.own,
        "allied_points": prices.allied,
        "wargear_costs": prices.wargear,
        "detachments": rules.detachments(export),
        "stratagems": rules.stratagems(export),
        "enhancements": rules.enhancements(export),
    }
    units.described(sheets, known, accounts)
    prose = {
        "Datasheets_abilities": texts.abilities(export, known),
        "Detachment_abilities": texts.detachment_rules(export),
    }
    aside = sum((account.aside for account in prose.values()), Counter())
    rows = [row for account in prose.values() for row in account.rows]
    rows += texts.sheets(export, known) + texts.of_rules(export)
    accounts["texts"] = Account(texts.numbered(rows), aside)
    return accounts, prose


def _dataset(export: Export, accounts: Mapping[str, Account]) -> Dataset:
    """The tables, checked; every row that a contract broke or that stood there twice counted."""
    about = About(
        source=SOURCE,
        version=export.stamp,
        edition=export.edition,
        date=export.stamp[:10],
        licence="rules © Games Workshop, for the user's own use",
        attribution=ATTRIBUTION,
    )
    rows: dict[str, list[Row]] = {table: account.rows for table, account in accounts.items()}
    if export.edition == "11e":
        rows["stratagems"] = [*rows["stratagems"], *rules.core(export.edition)]
    built = build(about, rows)
    tables, aside = dict(built.tables), {}
    for table, account in accounts.items():
        broken = Counter(built.set_aside.get(table, {}))
        broken[TWICE] += len(rows[table]) - tables[table].height - broken.total()
        aside[table] = account.aside + broken
    of_weapons = tables["weapon_keywords"].join(tables["weapons"], on=_WEAPON, how="semi")
    aside["weapon_keywords"]["its weapon was set aside"] += (
        tables["weapon_keywords"].height - of_weapons.height
    )
    tables["weapon_keywords"] = of_weapons
    reasons = {table: dict(+counts) for table, counts in aside.items() if +counts}
    return Dataset(about, tables, reasons)


def _file_account(
    name: str,
    lines: pl.DataFrame,
    dataset: Dataset,
    accounts: Mapping[str, Account],
    prose: Mapping[str, Account],
) -> dict[str, int]:
    """What became of the rows of a file."""
    reasons: Counter[str] = Counter()
    if name in TABLES_OF:
        kept = 0
        for table in TABLES_OF[name]:
            kept += dataset[table].filter(pl.col("source") == SOURCE).height - accounts[table].more
            reasons.update(dataset.set_aside.get(table, {}))
    elif name in prose:
        kept, reasons = len(prose[name].rows), prose[name].aside
    else:
        kept, reasons = 0, Counter({_USED.get(name, _LINK): lines.height})
    return {"read": lines.height, "kept": kept, **reasons}


def _doubts(dataset: Dataset, files: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Signs that a file ends too early, between two rows."""
    doubts = []
    for name, account in files.items():
        lost = account.get(NO_DATASHEET, 0)
        if lost > _MANY * account["read"]:
            doubts.append(
                f"{lost} of {account['read']} rows of {name} belong to no unit of Datasheets.csv: "
                f"the files are of two exports, or one is cut off; {AGAIN}"
            )
    units = dataset.datasheets.select("faction", "datasheet")
    for name in ("Datasheets_models", "Datasheets_wargear", "Datasheets_models_cost"):
        if f"{name}.csv" not in files:
            continue
        bare = units.join(
            dataset[TABLES_OF[name][0]], on=["faction", "datasheet"], how="anti"
        ).height
        if bare > _MANY * units.height:
            doubts.append(
                f"{bare} of {units.height} units have no row in {name}.csv: it may be cut off; "
                f"{AGAIN}"
            )
    return doubts
