"""The house style: a matplotlib style sheet, colours that all eyes can tell apart, markers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STYLE_SHEET = Path(__file__).with_name("killcurve.mplstyle")

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's palette, distinguishable with every common colour vision; yellow left out."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":", "-", "--", "-.")
"""Series differ by marker and dash as well, so that colour never carries a meaning alone."""

SEQUENTIAL = "Blues"
"""Light to dark, monotone in lightness, the same order for every colour vision."""

MUTED = "#595959"


@contextmanager
def house_style() -> Iterator[None]:
    """Draw inside in the house style; settings outside are left alone."""
    import matplotlib as mpl
    from matplotlib import style

    with mpl.rc_context():
        style.use(["default", STYLE_SHEET])
        yield
