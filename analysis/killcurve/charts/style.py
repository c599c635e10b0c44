"""The house style, light and dark: style sheets, colours that all eyes can tell apart, markers.

The colours of series stand in the style sheets; what draws asks for them here, inside
:func:`house_style`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from killcurve.rules.spelling import did_you_mean

if TYPE_CHECKING:
    from matplotlib.colors import LinearSegmentedColormap

STYLES = {
    name: Path(__file__).with_name(f"{stem}.mplstyle")
    for name, stem in (("light", "killcurve"), ("dark", "killcurve-dark"))
}

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":", "-", "--", "-.")
"""Series differ by marker and dash as well, so that colour never carries a meaning alone."""

SMALLEST = 10.0
"""Points of the smallest words of a chart."""


DRAWING = threading.RLock()
"""Held while the house style is in force: matplotlib's settings are those of all threads, and
JupyterLab lets a kernel answer controls beside the thread that runs cells."""


@contextmanager
def house_style(style: str = "light") -> Iterator[None]:
    """Draw inside in the house style; settings outside are left alone, other threads wait.

    Raises:
        DataError: if there is no such style.
    """
    import matplotlib as mpl
    from matplotlib import style as styles

    from killcurve.tables.dataset import DataError

    if style not in STYLES:
        raise DataError(
            f"there is no style {style!r}{did_you_mean(style, STYLES)}; there are: "
            f"{', '.join(STYLES)}"
        )
    with DRAWING, mpl.rc_context():
        styles.use(["default", STYLES[style]])
        yield


def colour(number: int) -> str:
    """The colour of a series by its number; after the last the first comes again."""
    import matplotlib as mpl

    colours: list[str] = mpl.rcParams["axes.prop_cycle"].by_key()["color"]
    name = colours[number % len(colours)]
    return name if name.startswith("#") else f"#{name}"


def ink() -> str:
    """The colour of words."""
    return _setting("text.color")


def muted() -> str:
    """The colour of words that stand back."""
    return _setting("axes.labelcolor")


def faint() -> str:
    """The colour of lines that only guide the eye."""
    return _setting("axes.edgecolor")


def paper() -> str:
    """The colour of the ground."""
    return _setting("figure.facecolor")


def _setting(name: Any) -> str:  # noqa: ANN401 - one of many literals
    import matplotlib as mpl
    from matplotlib.colors import to_hex

    return to_hex(mpl.rcParams[name])


def sequential() -> LinearSegmentedColormap:
    """From the paper to the first colour and beyond: lightness is monotone for every eye."""
    from matplotlib.colors import LinearSegmentedColormap

    far = "#00253d" if luminance(paper()) > 0.5 else "#d8efff"
    steps = [mixed(paper(), colour(0), 0.06), mixed(paper(), colour(0), 0.5), colour(0), far]
    return LinearSegmentedColormap.from_list("killcurve", steps)


def diverging() -> LinearSegmentedColormap:
    """From the second colour over the paper to the first."""
    from matplotlib.colors import LinearSegmentedColormap

    middle = mixed(paper(), ink(), 0.06)
    steps = [colour(1), mixed(middle, colour(1), 0.5), middle, mixed(middle, colour(0), 0.5)]
    return LinearSegmentedColormap.from_list("killcurve-two", [*steps, colour(0)])


def mixed(one: str, other: str, share: float) -> str:
    """A colour between two, so much of it the other.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    from matplotlib.colors import to_hex, to_rgb

    pairs = zip(to_rgb(one), to_rgb(other), strict=True)
    red, green, blue = (a + (b - a) * share for a, b in pairs)
    return to_hex((red, green, blue))


def luminance(name: str) -> float:
    """The relative luminance of a colour, as contrast is reckoned from it.

    >>> luminance("#ffffff"), luminance("#000000")
    (1.0, 0.0)
    """
    from matplotlib.colors import to_rgb

    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(name)]
    return round(sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True)), 12)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def upon(ground: str) -> str:
    """Black or white, whichever reads better on a ground; never below 4.5 to 1.

    >>> upon("#00253d"), upon("#e69f00")
    ('#ffffff', '#000000')
    """
    return max(("#000000", "#ffffff"), key=lambda words: contrast(words, ground))
