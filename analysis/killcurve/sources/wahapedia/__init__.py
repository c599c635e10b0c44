"""A Wahapedia data export that a user has in a folder, 10th and 11th edition.

``files`` turns bytes into text, ``forms`` text into cells, ``export`` a folder into frames;
the other modules turn those into rows of the tables, and ``reading`` puts them together.
"""

from killcurve.sources.wahapedia.reading import Reading, read_export, read_files

__all__ = ["Reading", "read_export", "read_files"]
