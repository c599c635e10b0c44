"""What is fetched from where: every address stands here and nowhere else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import quote, urlsplit, urlunsplit

from killcurve.rules.spelling import did_you_mean
from killcurve.sources.fetching import forms
from killcurve.tables.dataset import DataError

WAHAPEDIA = "https://wahapedia.ru/wh40k{edition}d/"
REPOSITORY_FILES = "https://raw.githubusercontent.com/BSData/{repository}/main/{folder}"
REPOSITORY_LIST = "https://api.github.com/repos/BSData/{repository}/contents/{folder}?ref=main"
REPOSITORY_PAGE = "https://github.com/BSData/{repository}"

EDITIONS = ("10e", "11e")
MOST_FILES = 300
MOST_BYTES = 64_000_000
"""Of one file; the largest real one has 4 MB."""

EXPORT = (
    "Factions",
    "Source",
    "Datasheets",
    "Datasheets_abilities",
    "Datasheets_keywords",
    "Datasheets_models",
    "Datasheets_options",
    "Datasheets_wargear",
    "Datasheets_unit_composition",
    "Datasheets_models_cost",
    "Datasheets_stratagems",
    "Datasheets_enhancements",
    "Datasheets_detachment_abilities",
    "Datasheets_leader",
    "Stratagems",
    "Abilities",
    "Enhancements",
    "Detachment_abilities",
    "Detachments",
)
"""The files of an export, without ``.csv`` and the time of its last update."""
LAST_UPDATE = "Last_update.csv"

_NAME = re.compile(r"[\w(][\w '’,()&+!-]*(?:\.[\w '’,()&+!-]+)*\.\w+")


@dataclass(frozen=True, slots=True)
class Item:
    """A file to fetch: its name in the folder, its address, and what its content must be.

    ``optional`` files may be missing at the source. ``git`` is the content's hash as a list of
    a repository gives it, if there is such a list.
    """

    name: str
    address: str
    check: forms.Check
    optional: bool = False
    git: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The files of a source; those of a repository are named by a ``listing`` that is read first.

    ``oracle`` names the file which changes whenever any other does. ``way_out`` is what a
    person can do where fetching fails.
    """

    name: str
    credit: str
    way_out: str
    items: tuple[Item, ...] = ()
    oracle: str = ""
    listing: str = ""
    read_listing: Callable[[bytes], tuple[Item, ...]] | None = None

    def at(self, base: str) -> Plan:
        """The same plan at another server (a mirror, or a test's).

        >>> points().at("http://127.0.0.1:8000").listing
        'http://127.0.0.1:8000/repos/BSData/wh40k-11e-mfm/contents/data?ref=main'
        """
        reader = self.read_listing
        return replace(
            self,
            items=_moved(self.items, base),
            listing=_at(self.listing, base),
            read_listing=None if reader is None else lambda content: _moved(reader(content), base),
        )


def wahapedia(edition: str) -> Plan:
    """The Wahapedia export of an edition: 20 files, in the 11th edition one more.

    >>> plan = wahapedia("10e")
    >>> plan.items[0].address
    'https://wahapedia.ru/wh40k10ed/Last_update.csv'
    >>> len(plan.items)
    20
    """
    folder = WAHAPEDIA.format(edition=_edition(edition))
    names = [LAST_UPDATE, *(f"{name}.csv" for name in EXPORT)]
    items = [Item(name, folder + name, forms.table) for name in names]
    if edition == "11e":
        name = "Detachments_chapter_dp.csv"
        items.append(Item(name, folder + name, forms.table, optional=True))
    return Plan(
        name=f"wahapedia {edition}",
        credit="powered by Wahapedia (https://wahapedia.ru)",
        way_out=f"open {folder}the-rules/data-export/ in a browser, save the files in a folder, "
        "and give it to `killcurve import wahapedia`",
        items=tuple(items),
        oracle=LAST_UPDATE,
    )


def bsdata(edition: str) -> Plan:
    """The BSData catalogues of an edition: XML in the 10th, JSON in the 11th."""
    repository = f"wh40k-{_edition(edition)}"
    check = forms.catalogue if edition == "10e" else forms.json_object
    suffixes = (".cat", ".gst") if edition == "10e" else (".json",)
    return _repository(f"bsdata {edition}", repository, "", suffixes, check)


def points() -> Plan:
    """The points of the 11th edition (Munitorum Field Manual) as BSData keep them in YAML."""
    return _repository("points 11e", "wh40k-11e-mfm", "data", (".yaml", ".yml"), forms.yaml)


def _repository(
    name: str, repository: str, folder: str, suffixes: tuple[str, ...], check: forms.Check
) -> Plan:
    page = REPOSITORY_PAGE.format(repository=repository)
    files = REPOSITORY_FILES.format(repository=repository, folder=f"{folder}/" if folder else "")
    kind = name.split(maxsplit=1)[0]
    return Plan(
        name=name,
        credit=f"BSData contributors ({page})",
        way_out=f"open {page} in a browser, download its ZIP, unpack it, and give "
        f"{f'its folder {folder}' if folder else 'the folder'} to `killcurve import {kind}`",
        listing=REPOSITORY_LIST.format(repository=repository, folder=folder),
        read_listing=partial(_listed, files=files, suffixes=suffixes, check=check),
    )


def _listed(
    content: bytes, files: str, suffixes: tuple[str, ...], check: forms.Check
) -> tuple[Item, ...]:
    """The files that a repository's list names; a name that could lead elsewhere is refused."""
    entries = json.loads(content)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise DataError("it is no list of files")
    items: dict[str, Item] = {}
    for entry in entries:
        name, git = str(entry.get("name", "")), str(entry.get("sha", ""))
        if entry.get("type") != "file" or not name.endswith(suffixes):
            continue
        if len(name) > 120 or not _NAME.fullmatch(name):
            raise DataError(f"it names a file {name[:80]!r}, which is no name of a catalogue")
        items[name.casefold()] = Item(name, files + quote(name), check, git=git)
    if not items:
        raise DataError(f"it names no {' or '.join(suffixes)} files")
    if len(items) > MOST_FILES:
        raise DataError(f"it names {len(items)} files, and more than {MOST_FILES} are not fetched")
    return tuple(items.values())


def _edition(edition: str) -> str:
    if edition not in EDITIONS:
        raise DataError(
            f"there is no edition {edition!r} to fetch{did_you_mean(edition, EDITIONS)}: "
            f"choose {' or '.join(EDITIONS)}"
        )
    return edition


def _moved(items: tuple[Item, ...], base: str) -> tuple[Item, ...]:
    return tuple(replace(item, address=_at(item.address, base)) for item in items)


def _at(address: str, base: str) -> str:
    if not address:
        return ""
    parts, there = urlsplit(address), urlsplit(base)
    path = there.path.rstrip("/") + parts.path
    return urlunsplit((there.scheme, there.netloc, path, parts.query, ""))
