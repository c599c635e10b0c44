"""BSData catalogues that a user has in a folder: XML of the 10th edition, JSON of the 11th.

``files`` turns bytes into nodes, the same for both forms (``nodes``); ``library`` joins all
files by their ids; ``gathering`` follows the links of a unit; the other modules turn what is
found into rows of the tables, and ``reading`` puts them together.
"""

from killcurve.sources.bsdata.reading import read_catalogues

__all__ = ["read_catalogues"]
