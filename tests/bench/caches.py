"""Everything that killcurve remembers between questions, forgotten at will."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module

ROOMS = ("killcurve.engine", "killcurve.rules", "killcurve.study")


def clear_caches(*rooms: str) -> None:
    """Forget what the functions of these rooms remember: all three that solve, unless given.

    What is read from files once (the tables) stays.
    """
    for clear in _clearers(rooms or ROOMS):
        clear()


def cached_functions(rooms: tuple[str, ...] = ROOMS) -> list[str]:
    """The names of the functions that remember."""
    return sorted(f"{f.__module__}.{f.__qualname__}" for f in _found(rooms))


@cache
def _clearers(rooms: tuple[str, ...]) -> list[Callable[[], None]]:
    return [found.cache_clear for found in _found(rooms)]


def _found(rooms: tuple[str, ...]) -> Iterator[object]:
    """Functions with a cache, in modules and in their classes, each once."""
    seen: set[int] = set()
    for name in _modules(rooms):
        module = import_module(name)
        places = [module, *(c for c in vars(module).values() if isinstance(c, type))]
        for place in places:
            for value in vars(place).values():
                inner = getattr(value, "__func__", value)
                own = getattr(inner, "__module__", None) or ""
                if hasattr(inner, "cache_clear") and own.startswith(rooms):
                    if id(inner) not in seen:
                        yield inner
                    seen.add(id(inner))


def _modules(rooms: tuple[str, ...]) -> Iterator[str]:
    for room in rooms:
        yield room
        package = import_module(room)
        for found in pkgutil.walk_packages(package.__path__, f"{room}."):
            yield found.name
