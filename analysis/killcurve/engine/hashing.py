"""Frozen values that remember their hash: they are asked for it at every look into a cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T", bound=type)


class Remembers:
    """Has a place for the hash; base of the classes that :func:`hashed_once` decorates."""

    __slots__ = ("_hashed",)


def hashed_once(cls: T) -> T:
    """A frozen dataclass whose hash is worked out once for each object.

    >>> from dataclasses import dataclass
    >>> @hashed_once
    ... @dataclass(frozen=True, slots=True)
    ... class Point(Remembers):
    ...     x: int
    >>> hash(Point(1)) == hash(Point(1)), Point(1) == Point(1), Point(1) == Point(2)
    (True, True, False)
    """
    generated: Callable[[object], int] = cls.__hash__  # type: ignore[assignment]

    def remembered(self: object) -> int:
        try:
            return int(self._hashed)  # type: ignore[attr-defined]
        except AttributeError:
            value = generated(self)
            object.__setattr__(self, "_hashed", value)
            return value

    cls.__hash__ = remembered  # type: ignore[assignment]
    return cls
