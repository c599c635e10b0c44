"""Points of the 11th edition: a folder of lists (the Munitorum Field Manual as YAML) as tables.

:func:`read_points` reads it whole. What units cost goes to the datasheets of another dataset,
by faction and name.
"""

from __future__ import annotations

from pathlib import Path

from killcurve.sources.points import detachments, units
from killcurve.sources.points.lists import read_manual
from killcurve.sources.points.places import EDITION, Places
from killcurve.sources.points.units import Gathered
from killcurve.tables.building import build
from killcurve.tables.dataset import About, Dataset

__all__ = ["read_points"]

SOURCE = "field manual"


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
