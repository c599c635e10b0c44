"""Army lists of apps and list builders, as text, JSON, ``.ros`` and ``.rosz``.

:func:`read_rosters` reads lists whole and joins them to the units of a dataset. Forms are told
by their shape. Titles of lists and names of players are not kept.
"""

from __future__ import annotations

from killcurve.sources.rosters.keeping import with_rosters
from killcurve.sources.rosters.reading import read_rosters

__all__ = ["read_rosters", "with_rosters"]
