"""A folder of catalogues becomes a dataset; what is missing or left out is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from killcurve.sources.bsdata import loadouts, units, weapons
from killcurve.sources.bsdata.files import AGAIN
from killcurve.sources.bsdata.gathering import Gathered, Gatherer
from killcurve.sources.bsdata.library import Library, open_library
from killcurve.sources.bsdata.nodes import Node
from killcurve.sources.bsdata.sizes import size
from killcurve.sources.wahapedia.account import TWICE, Account, Row
from killcurve.tables.building import build
from killcurve.tables.dataset import About, DataError, Dataset

SOURCE = "bsdata"
ATTRIBUTION = "data by the BSData community"
NO_UNIT = "an upgrade or an option of army lists, and no unit"
OF_SYSTEM = "an adversary of campaigns, of no army (in the game system)"

_TABLES = (
    *("factions", "datasheets", "models", "weapons", "weapon_keywords", "keywords"),
    *("compositions", "default_weapons", "wargear_options", "points"),
)
_UNIT = ["edition", "faction", "datasheet"]


@dataclass(slots=True)
class _Reading:
    library: Library
    accounts: dict[str, Account] = field(default_factory=dict)
    bare: dict[str, list[str]] = field(default_factory=dict)
    unreached: Counter[tuple[str, ...]] = field(default_factory=Counter)
    unresolved: Counter[tuple[str, ...]] = field(default_factory=Counter)
    modifiers: Counter[str] = field(default_factory=Counter)


def read_catalogues(folder: Path) -> tuple[Dataset, list[str]]:
    """The dataset of a folder with BSData catalogues, and warnings.

    Every unit stands once, in the faction of the catalogue at whose root it is; armies that may
    take it as an ally do not repeat it. Modifiers that depend on anything are not applied: how
    many a unit has is in the note of its datasheet.

    Raises:
        DataError: naming the file that is no whole catalogue.

    >>> read_catalogues(Path("no/such/folder"))
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: no/such/folder is no folder: name the one that holds \
the catalogues
    """
    library = open_library(Path(folder))
    reading = _Reading(library, {table: Account() for table in _TABLES})
    reading.accounts["factions"] = units.factions(library)
    roots = list(_roots(reading))
    gatherer = Gatherer(library)
    try:
        for one, name in zip(roots, units.named(roots), strict=True):
            _unit(reading, one, name, gatherer.gather(one.link, one.entry))
    except RecursionError:
        raise DataError(
            f"the links of the catalogues in {folder} lead on and on, so they are no whole "
            f"catalogues: {AGAIN}"
        ) from None
    dataset = _dataset(reading)
    if dataset.models.is_empty() or dataset.weapons.is_empty():
        said = "; ".join(_missing(reading)) or AGAIN
        raise DataError(f"{folder} gives no unit with a stat line and weapons: {said}")
    return dataset, _warnings(reading)


def _roots(reading: _Reading) -> Iterator[units.Root]:
    """The units at the root of catalogues; the other entries there are set aside."""
    library, sheets = reading.library, reading.accounts["datasheets"]
    seen: set[tuple[str, int]] = set()
    for catalogue in library.catalogues.values():
        for link in (*catalogue.all("entryLinks"), *catalogue.all("selectionEntries")):
            entry: Node | None = link
            if link.kind == "entryLink":
                entry = library.target(link)
            if entry is None:
                reading.unreached[library.needed(link)] += 1
                sheets.set_aside(f"needs {_one_of(library.needed(link))}")
                continue
            if entry.kind != "selectionEntry" or entry.facts.get("type") not in ("unit", "model"):
                sheets.set_aside(NO_UNIT)
                continue
            if catalogue.kind == "gameSystem":
                sheets.set_aside(OF_SYSTEM)
                continue
            one = units.root(link, entry, catalogue)
            if (one.faction, id(entry)) in seen:
                sheets.set_aside("another catalogue of the faction has it, too")
                continue
            seen.add((one.faction, id(entry)))
            yield one


def _unit(reading: _Reading, one: units.Root, name: str, gathered: Gathered) -> None:
    accounts = reading.accounts
    place = {"faction": one.faction, "datasheet": name}
    many = size(reading.library, one.entry)
    notes: list[str] = []
    kinds = sum(model.facts.get("type") == "model" for model in gathered.models.values())
    ids = weapons.read(gathered, place, accounts["weapons"], accounts["weapon_keywords"])
    loadouts.read(
        reading.library,
        gathered,
        place,
        ids,
        accounts["default_weapons"],
        accounts["wargear_options"],
    )
    has = {
        "stat line": units.models(gathered, place, kinds, accounts["models"], notes),
        "weapons": bool(ids),
        "points": units.points(gathered, place, many, accounts["points"]),
    }
    units.keywords(gathered, place, accounts["keywords"])
    for model, (least, most) in many.kinds.items():
        if most:
            kind = {"tier": 1, "model": model, "statline": None}
            accounts["compositions"].keep({**place, **kind, "count_min": least, "count_max": most})
    lacks = [what for what, there in has.items() if not there]
    for what in lacks:
        reading.bare.setdefault(what, []).append(f"{one.faction}: {name}")
    if lacks:
        notes.insert(0, f"the catalogue has no {', '.join(lacks)} of it")
    notes += _notes(reading, one, gathered)
    row = units.datasheet(one, gathered, place, many)
    accounts["datasheets"].keep({**row, "note": "; ".join(dict.fromkeys(notes)) or None})


def _notes(reading: _Reading, one: units.Root, gathered: Gathered) -> list[str]:
    notes = []
    if one.link.hidden or one.entry.hidden:
        notes.append("it is hidden in the catalogue")
    needs = Counter(reading.library.needed(link) for link in gathered.unresolved)
    for names, number in sorted(needs.items()):
        reading.unresolved[names] += 1
        notes.append(f"{number} links need {_one_of(names)}")
    changes = Counter[str]()
    for column, number in gathered.modifiers.items():
        what = reading.library.fields.get(column)
        if what:
            changes[what] += number
    reading.modifiers += changes
    if changes:
        told = ", ".join(f"{what} {number}" for what, number in sorted(changes.items()))
        notes.append(f"conditional changes not applied: {told}")
    return notes


def _dataset(reading: _Reading) -> Dataset:
    """The tables, checked; every row that a contract broke or that stood there twice counted."""
    library, accounts = reading.library, reading.accounts
    about = About(
        source=SOURCE,
        version=library.version,
        edition=library.edition,
        date=library.date,
        licence="rules © Games Workshop, for the user's own use",
        attribution=ATTRIBUTION,
    )
    accounts["keywords"].rows.sort(key=lambda row: not row["is_faction"])
    accounts["keywords"].keep_first_of(
        ("faction", "datasheet", "keyword"), "the unit has the keyword already"
    )
    accounts["weapon_keywords"].keep_first_of(
        ("faction", "datasheet", "weapon_id", "profile", "kind", "keyword"),
        "the weapon has it already",
    )
    rows: Mapping[str, list[Row]] = {table: account.rows for table, account in accounts.items()}
    built = build(about, rows)
    tables, aside = dict(built.tables), {}
    for table, account in accounts.items():
        broken = Counter(built.set_aside.get(table, {}))
        broken[TWICE] += len(account.rows) - tables[table].height - broken.total()
        aside[table] = account.aside + broken
    key = [*_UNIT, "weapon_id", "profile", "kind"]
    kept = tables["weapon_keywords"].join(tables["weapons"], on=key, how="semi")
    aside["weapon_keywords"]["its weapon was set aside"] += (
        tables["weapon_keywords"].height - kept.height
    )
    tables["weapon_keywords"] = kept
    reasons = {table: dict(+counts) for table, counts in aside.items() if +counts}
    return Dataset(about, tables, reasons)


def _warnings(reading: _Reading) -> list[str]:
    library, said = reading.library, _missing(reading)
    for what, names in reading.bare.items():
        shown = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        said.append(f"{len(names)} units have no {what}: {shown}")
    if library.doubled:
        shown = ", ".join(library.doubled[:3])
        said.append(f"{len(library.doubled)} ids stand for several entries ({shown}, …)")
    if reading.modifiers:
        told = ", ".join(f"{what} {number}" for what, number in reading.modifiers.most_common())
        said.append(
            f"{reading.modifiers.total()} changes that depend on something are not applied "
            f"({told}); the datasheets' notes count them"
        )
    return said


def _missing(reading: _Reading) -> list[str]:
    """What missing catalogues cost, one sentence for each."""
    said = []
    for names, links in sorted(reading.library.missing.items()):
        where = "which is not in the folder" if names else "and no catalogue of the folder lacks it"
        cost = [f"{links} links"]
        if reading.unreached[names]:
            cost.append(f"{reading.unreached[names]} entries at the root of armies are left out")
        if reading.unresolved[names]:
            cost.append(f"{reading.unresolved[names]} other units are incomplete")
        said.append(f"needs {_one_of(names)}, {where}: {'; '.join(cost)}")
    return said


def _one_of(names: tuple[str, ...]) -> str:
    return " or ".join(repr(name) for name in names) or "an entry that is nowhere"
