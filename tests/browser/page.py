"""A notebook in a browser, as a person uses it: pages that record what goes wrong."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--font-render-hinting=none",
]
LOCAL = ("127.0.0.1", "localhost")


def chromium() -> str | None:
    """The Chromium of the machine: ``CHROMIUM``, or one on the path."""
    told = os.environ.get("CHROMIUM")
    if told:
        return told
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next((found for name in names if (found := shutil.which(name))), None)


CLOCK = """() => {
  if (window.killcurveClock) return;
  const first = () => document.querySelector('.killcurve-answer figure');
  const told = figure => {
    const img = figure && figure.querySelector('img');
    return img ? img.src : figure ? figure.innerHTML : '';
  };
  const clock = window.killcurveClock = {acted: 0, shown: 0, delay: 0};
  let last = told(first());
  for (const kind of ['keydown', 'pointerdown', 'click', 'change'])
    document.addEventListener(kind, event => {
      if (event.isTrusted) clock.acted = performance.now();
    }, true);
  const done = () => requestAnimationFrame(() => {
    clock.shown = performance.now();
    clock.delay = (clock.shown - clock.acted) / 1000;
  });
  new MutationObserver(() => {
    const now = told(first());
    if (!now || now === last) return;
    last = now;
    const img = first().querySelector('img');
    if (img) img.decode().then(done, () => 0);  // one that was replaced by then counts for nothing
    else done();
  }).observe(document.body, {subtree: true, childList: true});
}"""
"""A clock in the page: seconds from the last key or click to the frame that has a new picture, or
heat map, where the answer begins with one."""

QUIET = 600
"""Milliseconds without another picture after which the last one is the answer."""


class Notebook:
    """A page with a notebook: what it asks of the network and what goes wrong is recorded.

    Requests that would leave the machine are blocked.
    """

    def __init__(self, context: Any, address: str) -> None:
        self.outside: list[str] = []
        self.errors: list[str] = []
        self.page = context.new_page()
        self.page.route("**/*", self._route)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)[:300]))
        self.page.on("console", self._console)
        self.page.goto(address, wait_until="domcontentloaded", timeout=60_000)

    def _route(self, route: Any) -> None:
        parts = urlsplit(route.request.url)
        if parts.scheme in ("data", "blob") or parts.hostname in LOCAL:
            route.continue_()
        else:
            self.outside.append(route.request.url[:200])
            route.abort()

    def _console(self, message: Any) -> None:
        # A blocked request is recorded as such, or was not made at all where the page's own policy
        # forbids it: the console only repeats that.
        known = ("ERR_FAILED", "Content Security Policy")
        if message.type == "error" and not any(words in message.text for words in known):
            self.errors.append(f"console: {message.text[:300]}")

    def run_all(self) -> float:
        """Run all cells in JupyterLab; the seconds until the first picture is there."""
        self.page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
        self.page.wait_for_function(
            "() => { const w = window.jupyterapp && window.jupyterapp.shell.currentWidget;"
            " const s = w && w.sessionContext && w.sessionContext.session;"
            " return !!(s && s.kernel && s.kernel.status === 'idle'); }",
            timeout=60_000,
        )
        began = time.monotonic()
        self.page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
        self.wait_for_picture()
        return time.monotonic() - began

    def wait_for_picture(self) -> None:
        self.page.wait_for_selector(".killcurve figure img", timeout=60_000)

    def close(self) -> None:
        """End the kernel of a notebook in JupyterLab, and close the page."""
        self.page.evaluate(
            "() => window.jupyterapp && window.jupyterapp.commands.execute('kernelmenu:shutdown')"
        )
        self.page.close()

    def downloaded(self, ending: str) -> bytes:
        """The content of the file that a link holds, by a click."""
        link = self.page.locator(f'.killcurve a[download$="{ending}"]').first
        try:
            link.wait_for(timeout=60_000)
        except Exception:
            files = self.page.locator(".killcurve a[download]").all()
            named = [one.get_attribute("download") for one in files]
            raise AssertionError(f"no {ending} among {named} of: {self.answer()}") from None
        with self.page.expect_download() as found:
            link.click()
        return bytes(Path(found.value.path()).read_bytes())

    def check(self) -> None:
        """Pictures have words, nothing went wrong, and nothing was asked of another machine."""
        pictures = self.page.locator(".killcurve figure img")
        assert pictures.count() >= 1
        for picture in pictures.all():
            assert len(picture.get_attribute("alt") or "") > 40
        assert self.errors == [], self.errors
        assert self.outside == [], self.outside

    def counts(self) -> list[int | None]:
        """The execution counts of the cells in JupyterLab, once all have run."""
        self.page.wait_for_function(
            "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status"
            " === 'idle'",
            timeout=60_000,
        )
        found = self.page.evaluate(
            "() => window.jupyterapp.shell.currentWidget.content.widgets"
            ".filter(cell => cell.model.type === 'code').map(cell => cell.model.executionCount)"
        )
        return list(found)

    def picture(self) -> str:
        """The first picture, as it is in the page; empty where there is none."""
        found = self.page.locator(".killcurve figure img")
        return str(found.first.get_attribute("src", timeout=5000)) if found.count() else ""

    def answer(self) -> str:
        """The text of the key numbers and the summary."""
        return str(self.page.locator(".killcurve-answer").first.inner_text())

    def wait_for_answer(self, words: str) -> None:
        """Wait until the answer has these words and a picture."""
        self.page.locator(".killcurve-answer", has_text=words).first.wait_for(timeout=60_000)
        self.wait_for_picture()

    def after(self, act: Callable[[], Any], most: float = 60) -> float:
        """Do something; the seconds from its last key or click until the last new picture."""
        self.page.wait_for_timeout(1200)  # until then a list takes letters as more of the last word
        self.page.evaluate(CLOCK)
        self.page.evaluate("() => { window.killcurveClock.shown = 0; }")
        act()
        self.page.wait_for_function(
            "quiet => { const at = window.killcurveClock.shown;"
            " return at > 0 && performance.now() - at > quiet; }",
            arg=QUIET,
            timeout=most * 1000,
        )
        return float(self.page.evaluate("() => window.killcurveClock.delay"))

    def labelled(self, label: str, what: str = "select") -> Any:
        """The control that stands beside a label."""
        row = self.page.locator(".killcurve .widget-inline-hbox").filter(
            has=self.page.locator(f'label:text-is("{label}")')
        )
        return row.locator(what).first

    def ticked(self, label: str) -> Any:
        """The box with a label that begins so."""
        return (
            self.page.locator(".killcurve .widget-checkbox")
            .filter(has_text=label)
            .locator("input")
            .first
        )

    def shot(self, path: Path) -> None:
        self.page.screenshot(path=path)
