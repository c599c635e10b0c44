"""What the tests share: the repository's places, and the real inputs that lie beside it."""

from __future__ import annotations

from pathlib import Path

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
