"""What others make of the same questions: one small module a peer.

Each has ``ask(question)``, which is timed; ``laws(answer, question)``, its answer in our terms;
and ``WRONG``, why its answer to a question is known to differ from the exact one (PEERS §3): such
a question is timed only. ``CANNOT`` has those that it cannot be asked, ``EXACT_TO`` is the error
that its own rounding leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

import numpy as np
import pytest
from killcurve.engine.pmf import FloatArray

PEERS = {
    "dyce": "dyce",
    "icepool": "icepool",
    "warhammer-stats": "warhammer_stats",
    "wh40kdc": "wh40kdc",
}
"""The peers' names and the packages they are imported from."""


@dataclass(frozen=True, slots=True)
class Laws:
    """P(exactly i) wounds removed and models slain; ``None`` where a peer does not give it."""

    damage: FloatArray | None
    slain: FloatArray | None

    def error(self, exact: Laws) -> float:
        """The largest difference in any probability that both give."""
        pairs = ((self.damage, exact.damage), (self.slain, exact.slain))
        given = [_difference(a, b) for a, b in pairs if a is not None and b is not None]
        return max(given, default=np.inf)


def peer(name: str) -> ModuleType:
    """The module of a peer; the test is skipped where it is not installed."""
    package = PEERS[name]
    if find_spec(package) is None:
        pytest.skip(f"{name} is not installed: pip install '.[test,bench]', as `make bench` does")
    return import_module(f"{__name__}.{package}_model")


def _difference(a: FloatArray, b: FloatArray) -> float:
    size = max(len(a), len(b))
    return float(np.abs(np.pad(a, (0, size - len(a))) - np.pad(b, (0, size - len(b)))).max())
