"""Datasheet pages saved as text, as a browser's "select all, copy" gives them.

:func:`read_page` reads one text, :func:`read_pages` makes a dataset of files.
"""

from killcurve.sources.pages.joining import read_pages
from killcurve.sources.pages.page import Page, read_page

__all__ = ["Page", "read_page", "read_pages"]
