"""The sizes of pictures as publishers use them, to the pixel.

Words have the same sizes in points everywhere; the dots per inch of a preset make them so large
that they can be read where the picture is shown. The fewer points a picture is wide, the less
fits into it: what draws asks for its room and leaves the least important out.
"""

from __future__ import annotations

from dataclasses import dataclass

from killcurve.rules.spelling import did_you_mean


@dataclass(frozen=True, slots=True)
class Preset:
    """A size of picture: pixels, dots per inch, and pixels kept free above and below.

    >>> round(PRESETS["web"].points_wide)
    785
    """

    name: str
    width: int
    height: int
    dpi: int
    free_above: int = 0
    free_below: int = 0
    about: str = ""

    @property
    def inches(self) -> tuple[float, float]:
        """Width and height in inches."""
        return self.width / self.dpi, self.height / self.dpi

    @property
    def points_wide(self) -> float:
        """Width in points, of which letters have 10 and more."""
        return 72 * self.width / self.dpi


PRESETS = {
    preset.name: preset
    for preset in (
        Preset("web", 1200, 675, 110, about="pictures in articles"),
        Preset("web2x", 2400, 1350, 220, about="the same for dense screens"),
        Preset("social", 1200, 630, 130, about="cards of shared links"),
        # 10 points are 11 pixels where 1080 pixels are shown 375 wide, as on a phone.
        Preset("square", 1080, 1080, 230, about="posts on a phone"),
        # What apps lay over a story's head and foot is kept free.
        Preset("story", 1080, 1920, 230, 230, 230, about="full-screen stories on a phone"),
        Preset("slide", 1920, 1080, 180, about="slides of talks and videos"),
        Preset("print", 2480, 1748, 300, about="half a page of A4 (A5 across) at 300 dpi"),
    )
}


def preset(name: str) -> Preset:
    """The preset of a name.

    >>> preset("webb")
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: there is no preset 'webb'; did you mean 'web'?; \
there are: web, web2x, social, square, story, slide, print

    Raises:
        DataError: if there is none, with all names.
    """
    from killcurve.tables.dataset import DataError

    if name not in PRESETS:
        raise DataError(
            f"there is no preset {name!r}{did_you_mean(name, PRESETS)}; "
            f"there are: {', '.join(PRESETS)}"
        )
    return PRESETS[name]


def page(height: int, *, narrow: bool = False) -> Preset:
    """A picture of a page 1200 pixels wide, as high as its chart wants, or 520 for a phone.

    >>> page(675).points_wide, round(page(675, narrow=True).points_wide)
    (864.0, 340)
    """
    if narrow:
        return Preset("page", 520, max(600, round(1.1 * height)), 110)
    return Preset("page", 1200, height, 100)
