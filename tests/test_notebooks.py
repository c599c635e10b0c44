"""Notebooks: paired, without output in git, and running from top to bottom."""

from __future__ import annotations

from pathlib import Path

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient

from tests.conftest import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_pair_and_no_output(path: Path):
    notebook = nbformat.read(path, as_version=4)
    pair = jupytext.read(path.with_suffix(".py"))
    assert [c.source for c in notebook.cells] == [c.source for c in pair.cells]
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_runs_from_top_to_bottom(path: Path):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()
    outputs = [o for cell in notebook.cells for o in cell.get("outputs", [])]
    assert outputs
    assert all(o.output_type != "error" for o in outputs)
    assert all(o.get("name") != "stderr" for o in outputs)
