"""Files with army lists become tables; what is no list is refused by name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from killcurve.sources.rosters.joining import Joined, join
from killcurve.sources.rosters.kept import read_other
from killcurve.sources.rosters.listed import Listed
from killcurve.sources.rosters.opening import KINDS, open_list
from killcurve.sources.rosters.places import Places
from killcurve.sources.rosters.selections import read_roster
from killcurve.sources.rosters.sheets import Sheets
from killcurve.sources.rosters.text import read_text
from killcurve.sources.wahapedia.account import Row
from killcurve.tables.building import checked, frame
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.roster_schemas import ROSTERS

SOURCE = "roster"
MOST_UNITS = 1_000


def read_rosters(files: Sequence[Path], base: Dataset) -> tuple[Dataset, list[str]]:
    """The army lists of files as tables, joined to a dataset's units, and warnings.

    A list is called as its file is, without the ending. The tables are those of
    :mod:`killcurve.tables.roster_schemas`; ``set_aside`` counts their rows that break a rule.

    Raises:
        DataError: naming the file that is no army list, or two files of one name.

    >>> from killcurve.tables.dataset import About
    >>> read_rosters([Path("no/such/list.txt")], Dataset(About("x", "1", "11e", ""), {}))
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: no/such/list.txt cannot be read: No such file or directory
    """
    names = Counter(_name(path) for path in files)
    twice = [name for name, times in names.items() if times > 1]
    if twice:
        raise DataError(f"two files would both be the roster {twice[0]!r}: rename one of them")
    known: dict[str, tuple[Places, Sheets]] = {}
    rows: dict[str, list[Row]] = defaultdict(list)
    aside: dict[str, Counter[str]] = defaultdict(Counter)
    warnings: list[str] = []
    for path in files:
        listed = _listed(path, base, known)
        held = _edition(listed, base)
        joined = join(listed, *_known(base, held, known), roster=_name(path))
        _refuse_what_is_none(path, listed, joined)
        stamp = {"source": SOURCE, "edition": held, "version": ""}
        for table, found in joined.rows.items():
            rows[table] += [{**stamp, **row} for row in found]
        aside["roster_stat_lines"] += joined.lines.aside
        aside["roster_profiles"] += joined.carried.aside
        warnings += [f"{path.name}: {warning}" for warning in joined.warnings]
        if listed.edition not in (None, held):
            warnings.append(
                f"{path.name}: the list is of the {listed.edition[:2]}th edition, the dataset of "
                f"the {held[:2]}th: names and prices may have changed"
            )
    return _dataset(base, rows, aside), warnings


def _listed(path: Path, base: Dataset, known: dict[str, tuple[Places, Sheets]]) -> Listed:
    opened = open_list(path)
    if opened.roster is not None:
        listed = read_roster(opened.roster, opened.kind)
    elif opened.text is not None:
        places, _ = _known(base, base.about.edition, known)
        listed = read_text(opened.text, path.name, places.is_unit)
    else:
        listed = read_other(opened.other, path.name)
    if not listed.units:
        raise DataError(
            f"{path.name} is no army list: no line of it has a unit with its points, such as "
            f"'Intercessor Squad (80 points)'; give {KINDS}"
        )
    if len(listed.units) > MOST_UNITS:
        raise DataError(f"{path.name} has {len(listed.units):,} units: it is no army list")
    return listed


def _refuse_what_is_none(path: Path, listed: Listed, joined: Joined) -> None:
    """A text with points in it that names nothing of the game is no army list."""
    told = joined.placed or joined.rows["rosters"][0]["faction"] or listed.names_army
    if not told:
        first = listed.units[0]
        where = f" (line {first.line}: {first.printed!r})" if first.line else ""
        raise DataError(
            f"{path.name} is no army list of the dataset: no line with points names a unit of it"
            f"{where}; give {KINDS}, or the dataset with --data"
        )


def _name(path: Path) -> str:
    return path.stem or path.name


def _edition(listed: Listed, base: Dataset) -> str:
    """The edition of the dataset that a list is joined to: its own, if the dataset has it."""
    held = {str(edition) for edition in base.datasheets["edition"].unique()}
    if listed.edition in held:
        return str(listed.edition)
    return base.about.edition if base.about.edition in held or not held else min(held)


def _known(
    base: Dataset, edition: str, known: dict[str, tuple[Places, Sheets]]
) -> tuple[Places, Sheets]:
    if edition not in known:
        known[edition] = (Places.of(base, edition), Sheets.of(base, edition))
    return known[edition]


def _dataset(base: Dataset, rows: dict[str, list[Row]], aside: dict[str, Counter[str]]) -> Dataset:
    tables = {}
    for table in ROSTERS:
        tables[table], broken = checked(table, frame(table, rows.get(table, [])))
        aside[table].update(broken)
    reasons = {table: dict(+counts) for table, counts in aside.items() if +counts}
    return Dataset(base.about, tables, reasons)
