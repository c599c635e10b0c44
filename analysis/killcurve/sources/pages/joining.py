"""A dataset of pages; what pages do not print, such as stat lines, comes from the default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from killcurve.rules.spelling import normal
from killcurve.sources.bounded import bounded
from killcurve.sources.pages.page import Page, read_page
from killcurve.sources.pages.text import decode
from killcurve.tables.building import build
from killcurve.tables.dataset import About, DataError, Dataset

Row = dict[str, Any]
Rows = dict[str, list[Row]]

SOURCE = "page"
MOST_BYTES = 4_000_000
"""Of one page; a real one has 0.1 million."""
JOINED = ("models", "compositions", "default_weapons")
"""Tables that no page fills: their rows keep where they come from."""


def read_pages(
    paths: Iterable[Path | str], default: Dataset | None
) -> tuple[Dataset, tuple[str, ...]]:
    """Read datasheet pages, and say what of them was not understood.

    Stat lines come from ``default``, by faction and name: the faction of a page's title is
    tried first, then that of its faction keywords. The column ``note`` of ``datasheets`` says
    where a stat line is from, or that there is none; one of another edition is lent to the
    page's, and its version names it (``1.4.5 (11e)``). The version of a page's rows is the day
    its file was last changed. Where pages of both editions are read, the dataset counts as one
    of the newer; every row has its own.

    Raises:
        DataError: if there is no file, one cannot be read, or is no complete page.

    >>> read_pages([], None)
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: no pages were given: name at least one file
    """
    known = frozenset(normal(w) for w in default.weapons["weapon"].unique()) if default else ()
    pages = [_read(Path(path), known) for path in paths]
    if not pages:
        raise DataError("no pages were given: name at least one file")
    pages.sort(key=lambda dated: (dated[1], dated[0].name), reverse=True)
    rows: Rows = {}
    seen: set[str] = set()
    warnings: list[str] = []
    joined = False
    for page, day in pages:
        found, note, troubles = _from_default(page, default)
        joined |= bool(found)
        for table, own in page.rows.items():
            noted = [{**row, "note": note} for row in own] if table == "datasheets" else own
            more = [row for row in noted if _is_new(table, row, page.edition, seen)]
            rows.setdefault(table, []).extend(_sourced(row, page.edition, day) for row in more)
        for table, more in found.items():
            rows.setdefault(table, []).extend(more)
        warnings += [f"{page.name}: {warning}" for warning in (*page.warnings, *troubles)]
    return build(_about(pages, default if joined else None), rows), tuple(warnings)


def _read(path: Path, known: Iterable[str]) -> tuple[Page, str]:
    try:
        content = bounded(path, MOST_BYTES, "datasheet pages")
        changed = path.stat().st_mtime
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from error
    day = datetime.fromtimestamp(changed, tz=UTC).date().isoformat()
    return read_page(decode(content, path.name), path.name, frozenset(known)), day


def _about(pages: Sequence[tuple[Page, str]], default: Dataset | None) -> About:
    days = [day for _, day in pages]
    return About(
        source=SOURCE,
        version=max(days),
        edition=max(page.edition for page, _ in pages),
        date=max(days),
        licence=default.about.licence if default else "",
        attribution=default.about.attribution if default else "",
    )


def _sourced(row: Row, edition: str, day: str) -> Row:
    return {**row, "source": SOURCE, "edition": edition, "version": day}


def _is_new(table: str, row: Row, edition: str, seen: set[str]) -> bool:
    """Whether no newer page has the same row: pages of one faction share their stratagems."""
    content = repr((table, edition, sorted(row.items())))
    if content in seen:
        return False
    seen.add(content)
    return True


def _from_default(page: Page, default: Dataset | None) -> tuple[Rows, str, list[str]]:
    """The rows of a page's unit in the default dataset, the note about them, and warnings."""
    if default is None:
        return {}, "no stat line: no default dataset was given to take it from", []
    about = f"{default.about.source} {default.about.version}"
    unit = _find(page, default)
    if unit is None:
        wanted = " or ".join(dict.fromkeys((page.faction, *page.faction_keywords)))
        return {}, f"no stat line: {about} has no {page.datasheet} of {wanted}", []
    place = {"faction": page.faction, "datasheet": page.datasheet}
    found = {
        table: [
            {**row, **place, **_lent(row, page.edition)}
            for row in default.of_unit(table, *unit).rows(named=True)
        ]
        for table in JOINED
    }
    editions = {row["edition"] for row in default.of_unit("models", *unit).rows(named=True)}
    found["default_weapons"], troubles = _armed(found["default_weapons"], page, default, unit)
    if not found["models"]:
        return {}, f"no stat line: {about} has none for {page.datasheet}", []
    where = ", ".join([unit[0], *sorted(editions - {page.edition})])
    return found, f"stat line from {about} ({where})", troubles


def _lent(row: Row, edition: str) -> Row:
    """The provenance of a row that stands in for one of a page's edition."""
    if row["edition"] == edition:
        return {}
    return {"edition": edition, "version": f"{row['version']} ({row['edition']})"}


def _find(page: Page, default: Dataset) -> tuple[str, str] | None:
    """The unit of the title's faction, else of the faction its keywords name or that has them."""
    named = [
        row
        for row in default.datasheets.select("faction", "datasheet").unique().sort(pl.all()).rows()
        if normal(row[1]) == normal(page.datasheet)
    ]
    for faction in (page.faction, *page.faction_keywords):
        for unit in named:
            if normal(unit[0]) == normal(faction):
                return unit[0], unit[1]
    wanted = {normal(keyword) for keyword in page.faction_keywords}
    for unit in named:
        keywords = default.of_unit("keywords", *unit).filter(pl.col("is_faction"))["keyword"]
        if wanted & {normal(keyword) for keyword in keywords}:
            return unit[0], unit[1]
    return None


def _armed(
    rows: Sequence[Row], page: Page, default: Dataset, unit: tuple[str, str]
) -> tuple[list[Row], list[str]]:
    """Default weapons under the ids of the page's own weapons, matched by name."""
    theirs: Mapping[str, str] = dict(
        default.of_unit("weapons", *unit).select("weapon_id", "weapon").rows()
    )
    ours = {normal(row["weapon"]): row["weapon_id"] for row in page.rows["weapons"]}
    kept, lost = [], []
    for row in rows:
        name = theirs.get(row["weapon_id"], row["weapon_id"])
        own = ours.get(normal(name))
        if own is None:
            lost.append(f"the page has no {name!r}, a default weapon of {row['model']!r}")
        else:
            kept.append({**row, "weapon_id": own})
    return kept, lost
