"""A page as PDF: by weasyprint where its libraries are, else by a Chromium of this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
SECONDS = 120


class NoPrinter(RuntimeError):
    """Nothing on this machine makes a PDF of a page."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"no PDF: {why}; install pango (on Debian: apt install libpango-1.0-0 "
            "libpangoft2-1.0-0) or Chromium, and make the report again"
        )


def as_pdf(page: str) -> bytes:
    """The page as PDF; nothing is fetched for it.

    Raises:
        NoPrinter: if neither part is there, with how to get one.
    """
    opened = _opened(page)
    try:
        from weasyprint import HTML  # type: ignore[import-untyped]
    except (ImportError, OSError) as error:
        return _by_browser(opened, str(error).partition("\n")[0])
    from weasyprint.urls import URLFetcher  # type: ignore[import-untyped]

    # Only what is inside the page: it asks nobody for anything, and neither does its print.
    fetcher = URLFetcher(allowed_protocols=("data",))
    return bytes(HTML(string=opened, url_fetcher=fetcher).write_pdf())


def _opened(page: str) -> str:
    """On paper nothing is folded away."""
    return page.replace("<details>", "<details open>")


def _by_browser(page: str, why: str) -> bytes:
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise NoPrinter(f"weasyprint does not load ({why}), and there is no Chromium")
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        command = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
            f"--user-data-dir={folder}/profile", f"--print-to-pdf={out}", source.as_uri(),
        ]  # fmt: skip
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)  # noqa: S603
            return out.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise NoPrinter(f"{browser} failed ({error})") from None
