"""Reading checked values out of nested data, every error with its place."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from killcurve.rules.spelling import did_you_mean

T = TypeVar("T")


class ScenarioError(ValueError):
    """What is wrong with a scenario, and where: a path such as ``attacker.weapons[0].skill``."""

    def __init__(self, message: str, where: str) -> None:
        super().__init__(message)
        self.where = where

    def __str__(self) -> str:
        message = super().__str__()
        return f"{self.where}: {message}" if self.where else message

    @property
    def message(self) -> str:
        """What is wrong, without the place."""
        return super().__str__()


def frozen(data: object) -> bytes | None:
    """Plain nested data as bytes, to look it up by; ``None`` for anything else.

    ``1``, ``1.0`` and ``True`` differ, as they do for those who read them.
    """
    try:
        return marshal.dumps(data, _WITHOUT_REFERENCES)  # type: ignore[arg-type]
    except ValueError:
        return None


def thawed(copied: bytes) -> object:
    """The data again."""
    found: object = marshal.loads(copied)  # noqa: S302 - made by frozen() just before
    return found


_WITHOUT_REFERENCES = 2
"""The form in which equal data are equal bytes."""


@dataclass(frozen=True, slots=True)
class Node:
    """An object of the data and its path.

    >>> Node({"count": "three"}, "weapons[0]").integer("count", 1)
    Traceback (most recent call last):
    ...
    killcurve.rules.reading.ScenarioError: weapons[0].count: 'three' is not a whole number
    """

    data: Mapping[str, Any]
    path: str = ""

    @classmethod
    def of(cls, value: object, path: str, known: Sequence[str]) -> Node:
        """The node of an object that has no keys but the known ones."""
        if not isinstance(value, Mapping):
            raise ScenarioError(f"{_short(value)} is not an object with keys", path)
        node = cls(value, path)
        for key in value:
            if key not in known:
                raise ScenarioError(
                    f"there is no key {key!r} here{did_you_mean(str(key), known)}",
                    node.at(str(key)),
                )
        return node

    def at(self, key: str) -> str:
        """The path of a key of this node."""
        return f"{self.path}.{key}" if self.path else key

    def has(self, key: str) -> bool:
        """Whether the key has a value (not ``null``)."""
        return self.data.get(key) is not None

    def read(self, key: str, read: Callable[[Any], T], default: T) -> T:
        """A value made by ``read``; its ValueErrors get the place."""
        if not self.has(key):
            return default
        return placed(lambda: read(self.data[key]), self.at(key))

    def need(self, key: str) -> Any:  # noqa: ANN401 - whatever the file holds
        """A value that must be there."""
        if not self.has(key):
            raise ScenarioError(f"{key} is missing", self.at(key))
        return self.data[key]

    def integer(self, key: str, default: int | None) -> int:
        """A whole number; without a default it must be there."""
        value = self.need(key) if default is None else self.data.get(key, default)
        return placed(lambda: whole_number(value), self.at(key))

    def text(self, key: str, default: str) -> str:
        """A text."""
        return self.read(key, _text, default)

    def node(self, key: str, known: Sequence[str]) -> Node:
        """An object below; an empty one where it is missing."""
        value = self.data.get(key)
        return Node.of({} if value is None else value, self.at(key), known)

    def items(self, key: str) -> Iterator[tuple[Any, str]]:
        """The values of a list below, each with its path."""
        value = self.data.get(key)
        if value is None:
            return
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise ScenarioError(f"{_short(value)} is not a list", self.at(key))
        for i, item in enumerate(value):
            yield item, f"{self.at(key)}[{i}]"


def placed(make: Callable[[], T], path: str) -> T:
    """What ``make`` makes; a ValueError of it becomes a ScenarioError at the path."""
    try:
        return make()
    except ScenarioError:
        raise
    except ValueError as error:
        raise ScenarioError(str(error), path) from None


def placed_fields(make: Callable[[], T], path: str, fields: Sequence[str]) -> T:
    """Like :func:`placed`, for a record whose errors begin with the field's name."""
    try:
        return make()
    except ValueError as error:
        field = str(error).split(" ", 1)[0]
        raise ScenarioError(str(error), f"{path}.{field}" if field in fields else path) from None


def whole_number(value: object) -> int:
    """An int, as JSON or TOML writes it; ``3.0`` counts, ``true`` does not."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{_short(value)} is not a whole number")
    return value


def number(value: object) -> float:
    """A finite number, none negative."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e9:
        raise ValueError(f"{_short(value)} is not a number from 0 up")
    return float(value)


def flag(value: object) -> bool:
    """``true`` or ``false``."""
    if not isinstance(value, bool):
        raise ValueError(f"{_short(value)} is neither true nor false")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{_short(value)} is not a text")
    return value


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def one_of(node: Node, key: str, allowed: tuple[str, ...], default: str) -> str:
    """A text that is one of those allowed."""
    value = node.text(key, default)
    if value not in allowed:
        raise ScenarioError(f"{value!r} is not one of {', '.join(allowed)}", node.at(key))
    return value
