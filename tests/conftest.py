"""What the tests share: the repository's places, and the real inputs that lie beside it."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads only wait

import killcurve
import pytest
from killcurve.tables.dataset import Dataset

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the real inputs beside the project are not here"
)


@pytest.fixture(scope="session")
def dataset() -> Dataset:
    """The embedded default."""
    return killcurve.load()
