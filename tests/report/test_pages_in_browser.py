"""A report's page in a browser: it asks for nothing, can be read on a phone, and by everybody."""

from __future__ import annotations

import contextlib
import re
import zlib
from typing import Any

import pytest
from killcurve.charts.style import SMALLEST

from tests.browser.conftest import HOW
from tests.browser.page import FLAGS, chromium

AXE = "no axe: install the extra 'browser' (axe-playwright-python, which brings axe-core along)"
WIDTHS = (400, 1400)


@pytest.fixture(scope="module")
def browser():
    program = chromium()
    if program is None:
        pytest.skip(HOW)
    sync_api = pytest.importorskip("playwright.sync_api", reason=HOW)
    with sync_api.sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=program, headless=True, args=FLAGS)
        yield made
        made.close()


class Seen:
    """A page with all that it asked for and complained of."""

    def __init__(self, browser: Any, address: str, width: int) -> None:
        self.requests: list[str] = []
        self.errors: list[str] = []
        self.page = browser.new_page(viewport={"width": width, "height": 900})
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.errors.append(message.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(address, wait_until="load")
        for details in self.page.locator("details").all():
            details.evaluate("(one) => { one.open = true; }")


@pytest.fixture(scope="module", params=WIDTHS)
def seen(browser, written, request):
    made = Seen(browser, (written.folder / "index.html").as_uri(), request.param)
    yield made
    made.page.close()


def test_it_asks_for_nothing(seen):
    assert seen.requests
    assert [url[:80] for url in seen.requests if not url.startswith(("file:", "data:"))] == []
    assert sum(url.startswith("file:") for url in seen.requests) == 1
    assert seen.errors == []


def test_pictures_are_drawn(seen):
    wide = seen.page.evaluate("() => [...document.images].map((one) => one.naturalWidth)")
    assert len(wide) > 5
    narrow = seen.page.viewport_size["width"] < 800
    assert set(wide) == {520 if narrow else 1200}


def test_the_page_does_not_scroll_sideways(seen):
    wide, room = seen.page.evaluate("() => [document.scrollingElement.scrollWidth, innerWidth]")
    assert wide <= room


def test_words_are_large_enough(seen):
    """The letters of texts and tables, and the width that a picture has at least."""
    sizes = seen.page.evaluate(
        "() => [...document.querySelectorAll('p, li, td, th, summary, figcaption')]"
        ".map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(sizes) >= 13
    pictures = seen.page.evaluate(
        "() => [...document.images].map((one) => one.clientWidth / one.naturalWidth)"
    )
    letters = SMALLEST * (110 if seen.page.viewport_size["width"] < 800 else 100) / 72
    assert letters * min(pictures) >= 10


def test_axe_finds_no_violation(seen):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason=AXE)
    found = axe.Axe().run(seen.page, options={"resultTypes": ["violations"]}).response
    told = [(one["id"], one["nodes"][0]["html"][:200]) for one in found["violations"]]
    assert told == []


def test_the_pdf_has_pages(written):
    pdf = (written.folder / "report.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert pdf.rstrip().endswith(b"%%EOF")
    parts = [pdf]
    for part in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        with contextlib.suppress(zlib.error):
            parts.append(zlib.decompressobj().decompress(part))
    pages = sum(len(re.findall(rb"/Type\s*/Page\b", part)) for part in parts)
    assert pages > 5
    assert sum(len(re.findall(rb"/Subtype\s*/Image\b", part)) for part in parts) > 5


def test_hostile_words_run_nothing(browser, tmp_path):
    from killcurve.report.document import Report, Section
    from killcurve.report.writing import write

    name = "<script>document.title='run'</script>\"><img src=x onerror=\"document.title='run'\">"
    sections = tuple(Section(name, (name,)) for _ in range(3))
    report = Report(name, (name,), sections, (name,), f"{name} of 2026-01-01")
    path = write(report, tmp_path / "report", pdf=False)
    seen = Seen(browser, path.as_uri(), 400)
    assert seen.page.title() == f"{name} · killcurve"
    assert seen.errors == []
    assert len(seen.requests) == 1
    wide, room = seen.page.evaluate("() => [document.scrollingElement.scrollWidth, innerWidth]")
    assert wide <= room
    seen.page.close()
