"""Points of the 11th edition: a folder of lists (the Munitorum Field Manual as YAML) as tables.

:func:`read_points` reads it whole. What units cost goes to the datasheets of another dataset,
by faction and name.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from killcurve.sources.points import detachments, units
from killcurve.sources.points.lists import read_manual
from killcurve.sources.points.places import EDITION, Places
from killcurve.sources.points.units import Gathered
from killcurve.tables.building import build
from killcurve.tables.dataset import About, Dataset
from killcurve.tables.merging import merged

__all__ = ["read_points", "repriced"]

SOURCE = "field manual"
PRICES = ("points", "allied_points", "wargear_costs")


def read_points(folder: Path, base: Dataset) -> tuple[Dataset, list[str]]:
    """The points lists of a folder as tables, and what of them found no place.

    Tables: ``points`` (by size and copy), ``allied_points`` (where another army pays another
    price), ``wargear_costs`` (wargear and added models), ``detachments``, ``enhancements``, and
    the ``datasheets`` of ``base`` with their ``legends`` as printed. Names are those of
    ``base``. Units without a datasheet there are set aside; detachments and enhancements that
    it does not know are kept, unread.

    Of a unit whose prices several lists print, the list of its own faction counts; equal prices
    of other lists are counted as such.

    Raises:
        DataError: if a file is no whole points list (it is named), or ``base`` has no
            datasheets of the 11th edition.
    """
    manual = read_manual(Path(folder))
    places = Places.of(base)
    into = Gathered(warnings=list(manual.warnings))
    about = About(
        source=SOURCE,
        version=manual.version,
        edition=EDITION,
        date=manual.date,
        licence=base.about.licence,
        attribution=base.about.attribution,
    )
    if base.about.date > manual.date:
        into.warnings.append(
            f"the points are of {manual.date}, older than what they replace "
            f"({base.about.source} {base.about.version} of {base.about.date})"
        )
    units.gather(manual.lists, places, into)
    provenance = {"source": SOURCE, "version": manual.version}
    detachments.gather(manual.lists, places, into, provenance)
    return build(about, into.rows, into.aside), into.warnings


def repriced(base: Dataset, points: Dataset) -> Dataset:
    """A dataset with the points of another in place of its own.

    Of every unit that has new points all old prices go, those of wargear and in other armies
    too. Units without new points keep theirs.
    """
    priced = points["points"].select("edition", "faction", "datasheet").unique()
    rest = {
        table: base[table].join(priced, on=["edition", "faction", "datasheet"], how="anti")
        for table in PRICES
    }
    old = replace(base, tables={**base.tables, **rest})
    return replace(merged(old, points), about=_together(base.about, points.about))


def _together(base: About, points: About) -> About:
    """Both sources, the newest points in place of older ones."""
    before = base.source.removesuffix(f" + {points.source}")
    known = f"{before} {base.version}" if before == base.source else before
    return replace(
        base,
        source=f"{known} + {points.source}",
        version=points.version,
        date=max(base.date, points.date),
    )
