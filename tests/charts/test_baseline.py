"""Pictures of the gallery do not change unnoticed.

Hashes of pixels are kept for versions of matplotlib, whose wheels hold the same FreeType. With
another version pictures are compared to those kept, with a tolerance. After a wanted change:
``python -m tests.charts.test_baseline`` writes both anew; look at them before they are kept.
"""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path

import matplotlib as mpl
import pytest
from killcurve.charts.export import rendered
from killcurve.charts.kinds import KINDS
from killcurve.charts.presets import Preset
from killcurve.charts.samples import FOOTER, sample
from killcurve.charts.style import STYLES
from PIL import Image, ImageChops, ImageFilter, ImageStat

KEPT = Path(__file__).with_name("baseline")
HASHES = KEPT / "hashes.json"
SMALL = Preset("small", 600, 338, 55)
COLOURS = 32
TOLERANCE = 6.0
"""Root mean square of the difference of blurred pictures, of 255: other letters are no change."""


def picture(name, style):
    return Image.open(io.BytesIO(rendered(sample(name), FOOTER.line, "png", SMALL, style))).convert(
        "RGB"
    )


def told(image):
    return hashlib.sha256(image.tobytes()).hexdigest()[:32]


def difference(one, other):
    soft = [image.filter(ImageFilter.GaussianBlur(3)) for image in (one, other)]
    return max(ImageStat.Stat(ImageChops.difference(*soft)).rms)


def known():
    return json.loads(HASHES.read_text()).get(mpl.__version__)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", KINDS)
def test_the_picture_is_the_one_that_was_looked_at(name, style):
    drawn, hashes = picture(name, style), known()
    if hashes is not None and hashes.get(f"{name}-{style}") == told(drawn):
        return
    kept = Image.open(KEPT / f"{name}-{style}.png").convert("RGB")
    far = difference(drawn, kept)
    if hashes is None:
        assert far < TOLERANCE, (
            f"{name}, {style}: {far:.1f} from the kept picture with matplotlib {mpl.__version__}, "
            f"for which {HASHES.name} has no hashes"
        )
        return
    pytest.fail(
        f"{name}, {style}: other pixels than those looked at ({far:.1f} from the kept picture); if "
        "that is wanted, run `python -m tests.charts.test_baseline` and look"
    )


def test_every_picture_is_kept_and_no_other():
    names = {f"{name}-{style}" for name in KINDS for style in STYLES}
    assert {path.stem for path in KEPT.glob("*.png")} == names
    for hashes in json.loads(HASHES.read_text()).values():
        assert set(hashes) == names


def test_the_tolerance_sees_another_picture():
    kept = {s: Image.open(KEPT / f"ranked-bars-{s}.png").convert("RGB") for s in STYLES}
    other = Image.open(KEPT / "tornado-light.png").convert("RGB")
    assert difference(kept["light"], other) > TOLERANCE
    assert difference(kept["light"], kept["dark"]) > TOLERANCE
    assert difference(kept["light"], kept["light"]) == 0


def _keep():
    KEPT.mkdir(exist_ok=True)
    every = json.loads(HASHES.read_text()) if HASHES.exists() else {}
    mine = every[mpl.__version__] = {}
    for name in KINDS:
        for style in STYLES:
            drawn = picture(name, style)
            mine[f"{name}-{style}"] = told(drawn)
            drawn.quantize(COLOURS, dither=Image.Dither.NONE).save(
                KEPT / f"{name}-{style}.png", optimize=True
            )
    HASHES.write_text(json.dumps(every, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    _keep()
