"""Python's search for unreachable cycles, made seldom where many short-lived objects are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

OBJECTS = 200_000
"""So many new ones are awaited: some tens of megabytes, for a fifth of the time."""


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Within, Python looks for cycles only after :data:`OBJECTS` new objects.

    >>> import gc
    >>> before = gc.get_threshold()
    >>> with collecting_seldom():
    ...     gc.get_threshold()[0] >= OBJECTS
    True
    >>> gc.get_threshold() == before
    True
    """
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], OBJECTS) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
