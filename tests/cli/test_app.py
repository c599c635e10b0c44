"""The verb that serves the notebooks: what it serves, to whom, and what it says without Voilà."""

from __future__ import annotations

import importlib.util

import pytest
from killcurve.cli.app import POLICY, arguments, served
from killcurve.tables.dataset import DataError
from typer.testing import CliRunner

from tests.conftest import ROOT


def test_the_notebooks_of_the_checkout():
    assert served(None, None) == ROOT / "notebooks"
    assert served(None, "01-explore-a-unit") == ROOT / "notebooks" / "01-explore-a-unit.ipynb"
    assert served(None, "02-compare.ipynb").name == "02-compare.ipynb"


def test_what_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match="did you mean '02-compare'"):
        served(None, "02-comparre")
    with pytest.raises(DataError, match="--folder"):
        served(tmp_path, None)


def test_only_this_machine_and_nothing_from_others(tmp_path):
    told = arguments(tmp_path, 8866, "127.0.0.1", no_browser=True)
    assert "--Voila.ip=127.0.0.1" in told
    assert "--no-browser" in told
    assert "--no-browser" not in arguments(tmp_path, 1, "::1", no_browser=False)
    assert "http" not in POLICY


def test_without_voila_it_says_how_to_get_it(monkeypatch):
    from killcurve.cli import app

    found = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name, *a: None if name == "voila" else found(name, *a)
    )
    result = CliRunner().invoke(app, ["app"])
    assert result.exit_code == 1
    assert "killcurve[app]" in str(result.exception)
