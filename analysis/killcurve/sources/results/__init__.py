"""Tables of tournament results: CSV, TSV or JSON, with one row a game, a side of it, or a player.

:func:`read_results` reads files whole and accounts for every row. Names of players become
numbers at once, and go no further.
"""

from __future__ import annotations

from killcurve.sources.results.account import Results
from killcurve.sources.results.reading import read_results

__all__ = ["Results", "read_results"]
