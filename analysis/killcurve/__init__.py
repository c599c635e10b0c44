"""killcurve: exact damage, efficiency and stratagem value for Warhammer 40,000.

>>> import killcurve
>>> answer = killcurve.solve({
...     "attacker": {"weapons": [{"count": 5, "attacks": 2, "skill": 3, "strength": 4, "ap": 0,
...                               "damage": 1, "keywords": ["lethal hits"]}]},
...     "target": {"models": [{"count": 10, "toughness": 4, "save": 3, "wounds": 2}]}})
>>> round(answer.outcome.damage.mean, 4)
1.3889
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from killcurve.sources.default import load
    from killcurve.study.solve import solve
    from killcurve.study.sweep.load import load_sweep
    from killcurve.tables.dataset import DataError, Dataset

_HOMES = {
    "load": "killcurve.sources.default",
    "load_sweep": "killcurve.study.sweep.load",
    "solve": "killcurve.study.solve",
    "Dataset": "killcurve.tables.dataset",
    "DataError": "killcurve.tables.dataset",
}
"""Public names and the modules they are loaded from when first used: importing stays quick."""

__all__ = ["DataError", "Dataset", "__version__", "load", "load_sweep", "solve"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module's attribute may be anything
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'killcurve' has no attribute {name!r}")
