"""One browser and one server of notebooks for all tests of a run, where there is a Chromium."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.page import FLAGS, Notebook, chromium
from tests.browser.serving import lab
from tests.conftest import ROOT

HOW = (
    "no browser: install Chromium (Debian: apt install chromium) and the extra 'browser', "
    "or name one in the variable CHROMIUM"
)


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A fresh profile of the Chromium found on the machine."""
    program = chromium()
    if program is None:
        pytest.skip(HOW)
    sync_api = pytest.importorskip("playwright.sync_api", reason=HOW)
    with sync_api.sync_playwright() as playwright:
        made = playwright.chromium.launch_persistent_context(
            str(tmp_path_factory.mktemp("profile")),
            executable_path=program,
            headless=True,
            args=FLAGS,
            viewport={"width": 1400, "height": 1000},
        )
        yield made
        made.close()


@pytest.fixture(scope="module")
def notebooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the notebooks, to be run and saved in."""
    root = tmp_path_factory.mktemp("notebooks")
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        shutil.copy(path, root)
    return root


@pytest.fixture(scope="module")
def address(
    context: Any, notebooks: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of a notebook in JupyterLab, but for its name."""
    del context  # without a browser no server is started
    server, found = lab(notebooks, tmp_path_factory.mktemp("lab"))
    print(f"\nJupyterLab answers after {server.seconds:.1f} s")
    yield found
    server.stop()


@pytest.fixture
def opened(context: Any, address: str) -> Iterator[Callable[[str], Notebook]]:
    """Opens a notebook by name in JupyterLab and runs it, until its answer is whole."""
    pages: list[Notebook] = []

    def run(name: str) -> Notebook:
        notebook = Notebook(context, address.format(name))
        pages.append(notebook)
        print(f"\n{name}: run all to the first picture {notebook.run_all():.2f} s")
        notebook.counts()
        notebook.page.locator('.killcurve a[download$="-state.json"]').wait_for(timeout=60_000)
        return notebook

    yield run
    for notebook in pages:
        notebook.close()
